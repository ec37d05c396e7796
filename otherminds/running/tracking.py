"""Telling experiment trackers of a run, where `--wandb_args` or `--trackio_args` ask for it.

Each evaluation is a run of the tracker. Those of a staged run have one group, which is the name of the
file that lists its stages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from otherminds import console, credentials, extras, harness
from otherminds.errors import OtherMindsError


def is_asked(arguments: harness.RunArguments) -> bool:
    """Whether a tracker is to be told."""
    return bool(harness.trackers(arguments))


def check(arguments: harness.RunArguments) -> None:
    """Raise OtherMindsError where a tracker is not installed that is asked for, or is so by half."""
    if arguments.wandb_config_args and not arguments.wandb_args:
        raise OtherMindsError(
            "--wandb_config_args belong to a run in W&B: give `--wandb_args project=NAME` too."
        )
    for one in harness.trackers(arguments):
        if not extras.is_installed(one.package):
            raise OtherMindsError(
                f"{one.flag} needs {one.package}, which is not installed: "
                f"{extras.command_for(one.package)}."
            )
    if is_asked(arguments):
        console.note(
            "The tracker gets samples with prompts and gold answers: keep its project private."
        )


def log(
    arguments: harness.RunArguments,
    results: Mapping[str, Any],
    samples: Mapping[str, Sequence[dict[str, Any]]],
    *,
    group: str | None = None,
) -> None:
    """Tell the trackers of an evaluation, with results and samples as they are written.

    A tracker that fails is named in a note, and stops nothing: files are written by then, and later
    stages need no tracker.

    group  of evaluations that belong together
    """
    name = "+".join(samples) if group else None
    asked = harness.trackers(arguments)
    shown = {task: [*map(_plain, rows)] for task, rows in samples.items()} if asked else {}
    for one in asked:
        try:
            one.log(harness.plain(results), shown, group=group, name=name)
        except Exception as error:  # each tracker has errors of its own, and the network's
            said = str(error).strip().partition("\n")[0] or type(error).__name__
            console.note(
                f"{one.name} was not told of {', '.join(samples)}: {credentials.text(said)}. "
                "Results and samples are written."
            )


def _plain(sample: Mapping[str, Any]) -> dict[str, Any]:
    """A sample as JSON holds it, without secrets."""
    return credentials.known_in(harness.plain(sample))
