"""`otherminds run --runs K`: which tasks can be asked K times, and what all runs say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import otherminds
from otherminds import files, harness
from otherminds.errors import OtherMindsError
from otherminds.running import results, stages
from otherminds.running.models import role_of
from otherminds.running.signing import JUDGE_ROLE
from otherminds.running.truncation import mean, with_truncated
from otherminds.scoring.base import details_of_chains

if TYPE_CHECKING:
    from otherminds.running.run import Finished

_TAKES_FIRST = "take_first"
_SHOWN = 3


def check(manager: Any, tasks: Sequence[str]) -> None:
    """Raise OtherMindsError for tasks that would keep one of several answers."""
    cut = [
        task
        for task in tasks
        if not is_compared(manager, task) and not _keeps_all(harness.task_settings(manager, task))
    ]
    if cut:
        raise OtherMindsError(
            f"{_names(cut)} keeps only the first of several answers. Give its YAML a filter that keeps "
            "them all: filter_fn: !function otherminds.scoring.base.keep_all_repeats."
        )


def notes(
    manager: Any,
    tasks: Sequence[str],
    *,
    earlier: Sequence[str],
    settings: Mapping[str, Any],
    runs: int,
) -> Iterator[str]:
    """Notes for the user, before `tasks` are asked in several runs.

    earlier  the stages that are asked in each run before them
    settings those of `--gen_kwargs`, which come before the tasks' own
    """
    compared = [task for task in tasks if is_compared(manager, task)]
    if compared:
        yield (
            f"{_names(compared)}: compares log-likelihoods, which are the same every time. It is asked "
            "once, and has no spread over runs."
        )
    copies = [
        task
        for task in tasks
        if task not in compared
        and set(greedy(manager, chain := _chain(manager, task, earlier), settings)) == set(chain)
    ]
    if copies:
        yield (
            f"{', '.join(copies)}: decoding is greedy (temperature 0), so that {runs} runs are copies "
            "of one. To sample: `--gen_kwargs do_sample=True,temperature=0.7`"
        )
        stages_of = {stage for task in copies for stage in _chain(manager, task, earlier)}
        if any(_is_overruled(_decoding(manager, stage, settings)) for stage in stages_of):
            yield (
                "do_sample=False overrules the temperature. Models behind a server ignore it and "
                "sample: for these, give temperature=0."
            )
        if any(role_of(manager, task) == JUDGE_ROLE for task in copies):
            yield "--gen_kwargs are for every stage: the judge would sample its verdicts too."


def is_compared(manager: Any, task: str) -> bool:
    """Whether a task compares log-likelihoods instead of generating an answer."""
    return bool(harness.task_settings(manager, task).get("output_type") != "generate_until")


def greedy(manager: Any, tasks: Sequence[str], settings: Mapping[str, Any]) -> list[str]:
    """The tasks whose answers are not sampled, so that runs of them are copies of one.

    With do_sample=False no temperature counts, as for lm-eval's local models.
    settings  those of `--gen_kwargs`, which come before the tasks' own
    """
    return [task for task in tasks if not _samples(_decoding(manager, task, settings))]


def together(runs: Sequence[Finished], folder: Path) -> Finished:
    """The last of several runs of a chain, with what all of them say, which is written to `folder`."""
    found = {}
    for each in zip(*(run.evaluations for run in runs), strict=True):
        last = each[-1]
        for task in last.samples if last.asked_for else ():
            if last.results["configs"][task].get("output_type") == "generate_until":
                found[task] = _of_chains(each, task)
            else:
                found[task] = last.results["otherminds"]["scores"][task]
    path = folder / f"runs_{results.now()}.json"
    record = {
        "otherminds": otherminds.__version__,
        "runs": [run.stages_path.relative_to(folder).as_posix() for run in runs if run.stages_path],
        "scores": found,
    }
    files.write_json(path, harness.plain(record))
    return replace(runs[-1], runs=tuple(runs), over_runs=found, runs_path=path)


def _of_chains(each: Sequence[Finished], task: str) -> dict[str, Any]:
    scored = [one.results["otherminds"]["scores"][task] for one in each]
    details = details_of_chains([one.records[task] for one in each], scored)
    if not details.get("estimates"):
        return details
    # Of the same items, which each run may have answered in another order.
    shares = [
        {record.view().item_id: share for record, share in zip(*own, strict=True)}
        for own in ((one.records[task], one.truncated[task]) for one in each)
    ]
    records = each[0].records[task]
    names = [record.view().item_id for record in records]
    return with_truncated(details, records, [mean(one[name] for one in shares) for name in names])


def _chain(manager: Any, task: str, earlier: Sequence[str]) -> list[str]:
    return [*(stage for stage in stages.before(manager, [task]) if stage in earlier), task]


def _decoding(manager: Any, task: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {**(harness.task_settings(manager, task).get("generation_kwargs") or {}), **settings}


def _samples(decoding: Mapping[str, Any]) -> bool:
    if decoding.get("do_sample") is False:
        return False
    temperature = decoding.get("temperature")
    if temperature is None:
        return bool(decoding.get("do_sample"))
    return float(temperature) > 0


def _is_overruled(decoding: Mapping[str, Any]) -> bool:
    return decoding.get("do_sample") is False and float(decoding.get("temperature") or 0) > 0


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
