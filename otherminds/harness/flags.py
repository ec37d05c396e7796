"""The flags of `lm_eval run`, read by lm-eval itself."""

from __future__ import annotations

import contextlib
import copy
import io
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from otherminds import credentials
from otherminds.errors import OtherMindsError, UnknownFlagError, UsageError

_NOT_HERE = {
    "use_cache": "its journal keeps every answer, sampled ones and repeats included",
    "cache_requests": "its prompts are built faster than a cache is read",
    "check_integrity": "use `otherminds doctor`",
    "show_config": "the results file holds every task's configuration",
    "write_out": "`otherminds show TASK` prints a prompt",
    "verbosity": "`otherminds --debug run …` prints more",
}
"""Flags of `lm_eval run` that would do nothing here, and the flag to use instead."""

_FOR_OTHERS = {
    "fewshot_as_multiturn": "no prompt of these tasks shows examples",
    "confirm_run_unsafe_code": "no task here runs code that a model writes",
}
"""Flags that would do nothing but for tasks of others, and why."""

_MEANS_HERE = {
    "model": "Model name; without it, a weightless model answers (`otherminds list --models`)",
    "output_path": "Folder for results, samples and the journal (default: otherminds-results)",
    "metadata": (
        "Settings of the tasks, as key=val or a JSON object, such as data_subset=50; "
        "`otherminds show TASK` says what a task takes"
    ),
}
"""What a flag of `lm_eval run` means in a run of ours, where that is something else."""

# Tasks stand before the flags, and samples are always logged.
_NOT_SHOWN = frozenset({"help", "tasks", "log_samples", *_NOT_HERE})
_LISTING = "otherminds run --help"
_WIDEST = 20

RunArguments = Any
"""lm-eval's `EvaluatorConfig`: one attribute per flag of `lm_eval run`."""


class Flag(NamedTuple):
    """A flag of `lm_eval run`: its names, what it takes ("" for nothing), its meaning, and its group."""

    names: tuple[str, ...]
    takes: str
    meaning: str
    group: str


def parse_arguments(
    arguments: Sequence[str], *, default_model: str, default_output: str | None = None
) -> RunArguments:
    """Read flags of `lm_eval run` with lm-eval's own parser and validation.

    Words that belong to no flag are taken for tasks. Raises OtherMindsError for an unknown flag, one
    that would do nothing here, or a value that cannot be read.
    """
    from lm_eval._cli import HarnessCLI
    from lm_eval.config.evaluate_config import EvaluatorConfig

    credentials.learn_words(arguments)
    parser = HarnessCLI()._parser
    _run_parser(parser).error = _misused
    with errors_of("these flags"):
        namespace, others = parser.parse_known_args(["run", *arguments])
    if flags := [word.partition("=")[0] for word in others if word.startswith("-")]:
        raise UnknownFlagError(flags[0], _taken(parser), listing=_LISTING)
    namespace.tasks = [*(namespace.tasks or []), *others]
    with errors_of("these flags"):
        # What was written: lm-eval itself sets `fewshot_as_multiturn` beside a chat template.
        file = namespace.config
        written = EvaluatorConfig.load_yaml_config(file) if file else {}
    if not (namespace.model or written.get("model")):
        namespace.model = default_model
    if not (namespace.output_path or written.get("output_path")):
        namespace.output_path = default_output
    # Of a file, lm-eval would print all that it has read.
    with errors_of("these flags"), contextlib.redirect_stdout(io.StringIO()):
        read = EvaluatorConfig.from_cli(namespace)
    if read.limit is not None and not (_is_number(read.limit) and read.limit > 0):
        raise OtherMindsError("--limit must be a number of documents, or a fraction below 1.")
    if isinstance(read.tasks, str):
        read.tasks = [name for name in re.split(r"[,\s]+", read.tasks) if name]
    # A file of settings (`--config`) may hold secrets too.
    credentials.learn(
        *(read.model_args, read.metadata, read.gen_kwargs, read.hf_hub_log_args),
        *(read.wandb_args, read.wandb_config_args, read.trackio_args),
    )
    for flag, instead in _NOT_HERE.items():
        if getattr(read, flag):
            raise OtherMindsError(f"`otherminds run` does not take --{flag}: {instead}.")
    for flag, reason in _FOR_OTHERS.items():
        is_set = getattr(namespace, flag, None) or written.get(flag)
        if is_set and not read.include_path:
            raise OtherMindsError(f"--{flag} would change nothing: {reason}. Leave it out.")
    return read


def read_metadata(text: str) -> dict[str, Any]:
    """What the text of `--metadata` gives, `key=value,…` or a JSON object, as `lm_eval run` reads it.

    Raises OtherMindsError for anything else.
    """
    from lm_eval._cli.utils import key_val_to_dict, try_parse_json

    try:
        found = try_parse_json(text)
        found = key_val_to_dict(found) if isinstance(found, str) else found
    except ValueError as error:
        raise OtherMindsError(f"--metadata cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise OtherMindsError(
            f"--metadata is {text!r}: write `data_subset=50`, or an object such as "
            '`{"data_subset": 50}`.'
        )
    return found


def with_model(arguments: RunArguments, model: str) -> RunArguments:
    """The same flags for another model, `NAME` or `NAME,argument=value,…`."""
    from lm_eval.utils import simple_parse_args_string

    credentials.learn_words([model])
    name, _, own = model.partition(",")
    changed = copy.copy(arguments)
    changed.model = name
    with errors_of(f"the arguments of the model '{name}'"):
        changed.model_args = simple_parse_args_string(own)
    return changed


def run_flags() -> list[Flag]:
    """The flags of `lm_eval run` that a run of ours takes, in its order and with its words."""
    from lm_eval._cli import HarnessCLI

    found = []
    for group in _run_parser(HarnessCLI()._parser)._action_groups:
        for action in group._group_actions:
            if action.option_strings and action.dest not in _NOT_SHOWN:
                names = tuple(sorted(action.option_strings, key=len, reverse=True))
                takes = "" if action.nargs == 0 else str(action.metavar)
                # A column of other flags stands beside it.
                takes = takes if len(takes) <= _WIDEST else f"<{action.dest}>"
                takes += "…" if action.nargs == "+" else ""
                meaning = _MEANS_HERE.get(action.dest) or " ".join((action.help or "").split())
                found.append(Flag(names, takes, meaning, group.title.partition(" (")[0]))
    return found


def _taken(parser: Any) -> list[str]:
    """All flags that a run takes, those that its help leaves out too."""
    actions = _run_parser(parser)._actions
    return [name for one in actions if one.dest not in _NOT_HERE for name in one.option_strings]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _run_parser(parser: Any) -> Any:
    [subcommands] = [action for action in parser._actions if action.dest == "command"]
    return subcommands.choices["run"]


def _misused(message: str) -> NoReturn:
    """In place of argparse's own usage and exit."""
    raise UsageError(f"{message[:1].upper()}{message[1:]}. `{_LISTING}` says what flags take.")


@contextlib.contextmanager
def errors_of(what: str) -> Any:
    """Turn what lm-eval raises into an OtherMindsError on one line."""
    try:
        yield
    except (AssertionError, ImportError, OSError, TypeError, ValueError, KeyError) as error:
        reason = str(error).strip().splitlines()
        raise OtherMindsError(
            f"Cannot use {what}: {reason[0] if reason else repr(error)}"
        ) from error
