"""Pushing a run's results to the Hub, where lm-eval's `--hf_hub_log_args` ask for it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import Any

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.progress import CONSOLE


def check(arguments: harness.RunArguments) -> None:
    """Raise OtherMindsError where results are to be pushed to the Hub and nobody is logged in."""
    from huggingface_hub import get_token

    token = arguments.hf_hub_log_args.get("token")
    if is_asked(arguments) and token is None and get_token() is None:
        raise OtherMindsError(
            "--hf_hub_log_args push to the Hub, which takes a token, and there is none. Log in with "
            "`hf auth login`, or set HF_TOKEN; or leave --hf_hub_log_args out."
        )


def is_asked(arguments: harness.RunArguments) -> bool:
    """Whether results or samples are to be pushed."""
    wanted = arguments.hf_hub_log_args
    return bool(wanted.get("push_results_to_hub") or wanted.get("push_samples_to_hub"))


def warn_of_golds(arguments: harness.RunArguments) -> None:
    """Say on one line that samples with golds will be pushed, where `--hf_hub_log_args` ask for it."""
    if arguments.hf_hub_log_args.get("push_samples_to_hub"):
        CONSOLE.print(
            "The samples that are pushed to the Hub contain the gold answers; "
            "`otherminds redact SAMPLES OUT` writes them without.",
            highlight=False,
            soft_wrap=True,
        )


def push(
    arguments: harness.RunArguments,
    template: str | None,
    results: Mapping[str, Any],
    samples: Mapping[str, Any],
) -> None:
    """Push the files to the Hub that lm-eval's `--hf_hub_log_args` ask for.

    Raises OtherMindsError, with the Hub's message.
    """
    if not is_asked(arguments):
        return
    from huggingface_hub import get_token

    # lm-eval pushes files that it writes itself: away from ours.
    with tempfile.TemporaryDirectory() as work:
        hub = {"token": get_token(), **arguments.hf_hub_log_args, "output_path": work}
        try:
            made = harness.tracker(arguments, template, **hub)
            made.save_results_aggregated(results=dict(results), samples=samples)
            for task, rows in samples.items():
                made.save_results_samples(task_name=task, samples=rows)
            made.recreate_metadata_card()
        except Exception as error:  # HTTP, Hub, Arrow and card errors, each of its own kind
            raise OtherMindsError(f"{type(error).__name__}: {error}") from error
