"""`otherminds run --runs K`: which tasks can be asked K times, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from otherminds import harness
from otherminds.errors import OtherMindsError

_TAKES_FIRST = "take_first"
_SHOWN = 3


def check(manager: Any, tasks: Sequence[str], *, earlier: Sequence[str]) -> None:
    """Raise OtherMindsError for tasks that several runs of a model cannot be had of.

    tasks    those that are asked
    earlier  the stages that would have to be asked before them
    """
    if earlier:
        raise OtherMindsError(
            f"--runs repeats tasks of one stage, and {_names(tasks)} is made from the answers to "
            f"{_names(earlier)}. Run the whole chain several times, each time with another --seed and "
            "--output_path (for a model behind a server, another seed in --model_args too). Or give the "
            'answers to its earlier stages, --metadata \'{"samples": "FOLDER"}\', to repeat its last '
            "stage alone."
        )
    settings = {task: harness.task_settings(manager, task) for task in tasks}
    compared = [
        task for task, one in settings.items() if one.get("output_type") != "generate_until"
    ]
    if compared:
        raise OtherMindsError(
            f"--runs repeats sampled answers, and {_names(compared)} compares log-likelihoods, which "
            "are the same every time: leave it out of this run, or leave out --runs."
        )
    cut = [task for task, one in settings.items() if not _keeps_all(one)]
    if cut:
        raise OtherMindsError(
            f"{_names(cut)} keeps only the first of several answers. Give its YAML a filter that keeps "
            "them all: filter_fn: !function otherminds.scoring.base.keep_all_repeats."
        )


def greedy(manager: Any, tasks: Sequence[str], told: Mapping[str, Any]) -> list[str]:
    """The tasks whose answers are not sampled, so that runs of them are copies of one.

    told  the settings of `--gen_kwargs`, which come before the tasks' own
    """
    return [task for task in tasks if not _samples(harness.task_settings(manager, task), told)]


def _samples(settings: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    decoding = {**(settings.get("generation_kwargs") or {}), **told}
    temperature = decoding.get("temperature")
    if temperature is None:
        return bool(decoding.get("do_sample"))
    return float(temperature) > 0


def _keeps_all(settings: Mapping[str, Any]) -> bool:
    filters = settings.get("filter_list")
    if not filters:
        return False  # lm-eval then takes the first
    steps = (step for one in filters for step in one.get("filter", ()))
    return all(step.get("function") != _TAKES_FIRST for step in steps)


def _names(tasks: Iterable[str]) -> str:
    names = list(tasks)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
