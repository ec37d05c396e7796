"""The output of `run`: tables for people, on standard output, and notes for readers.

What makes all scores void stands first, then the summary: the scores of the task, or a line per task.
Parts, and the tables of each of several tasks, are details.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.benchmark import Benchmark, Breakdown
from otherminds.console import OUT, print_notes, quoted, say
from otherminds.running import report_notes, truncation
from otherminds.running.report_notes import (
    about_errors,
    about_intervals,
    about_runs,
    benchmark_in,
    by_note,
    called_of,
    limits,
    notes_on,
    warnings,
)
from otherminds.running.report_tables import (
    MOST_COLUMNS,
    each_run_table,
    overview,
    parts_table,
    results_table,
    runs_table,
)
from otherminds.running.results import known_references
from otherminds.samples.read import records
from otherminds.scoring.base import EACH, RUNS

if TYPE_CHECKING:
    from otherminds.running.run import Finished

MANY_UNREAD = 0.1
"""Above this share of unread answers, a score says more about the format than about the person."""

# Replies that could not be read, and paths of samples, that are printed one by one.
_SHOWN_REPLIES = 3
_MOST_PATHS = 3

_BY_TOPIC = {"by_topic": Breakdown("By topic, ± SE")}


def print_run(finished: Finished, *, details: bool = False) -> None:
    """The results tables, with references beside each score, and notes for readers.

    A line for each of several tasks stands first, also where some of them are stages of others.

    details  print the parts of every task too
    """
    found = [one for one in finished.evaluations if one.asked_for]
    if finished.runs:
        _print_evaluations([_over_runs(one, finished) for one in found], details=details)
        for place, run in enumerate(finished.runs, start=1):
            _print_line(f"Run {place}: {run.stages_path}")
        return
    _print_evaluations(found, details=details)
    for one in found:
        _print_samples(one.sample_paths)
    if finished.stages_path is not None:
        _print_line(f"Stages: {finished.stages_path}")


def _print_line(line: str) -> None:
    """A path, which people copy: it is not wrapped, and nothing in it is markup."""
    OUT.print(line, soft_wrap=True, highlight=False, markup=False)


def _print_samples(paths: Sequence[Path]) -> None:
    few = len(paths) <= _MOST_PATHS
    for shown in paths if few else [f"{_together(paths)} ({len(paths)} files)"]:
        _print_line(f"Samples: {shown}")


def _together(paths: Sequence[Path]) -> str:
    """A pattern for a shell that fits the sample files of one evaluation."""
    date = paths[0].name.rpartition("_")[2]
    return f"{shlex.quote(f'{paths[0].parent}/')}samples_*_{date}"


def _over_runs(one: Finished, finished: Finished) -> Finished:
    """An evaluation with the numbers of several runs of a chain together, and notes on the last."""
    scores = {task: finished.over_runs[task] for task in one.samples}
    # The scores of a stage are those of the last run alone.
    ours = {**one.results["otherminds"], "scores": scores, "made_from": {}}
    path = finished.runs_path or one.results_path
    results = {**one.results, "otherminds": ours}
    return dataclasses.replace(one, results=results, results_path=path)


def _print_evaluations(found: Sequence[Finished], *, details: bool) -> None:
    scored = [_scored(one) for one in found]
    of = {task: one for one, own in zip(found, scored, strict=True) for task in own}
    scores = {task: one for own in scored for task, one in own.items()}
    for one, own in zip(found, scored, strict=True):
        _print_unread(one, own)
    several = len(scores) > 1
    if several:
        _print_overview({task: of[task].results for task in scores}, scores, details=details)
    hidden: dict[str, None] = {}
    for task, known in scores.items():
        results = of[task].results
        if details or not several:
            _print_scores(results, task, known)
        if details:
            _print_parts(results, task, known)
        else:
            hidden |= dict.fromkeys(_parts(results, task, known))
    notes = [*limits(found), *notes_on(scores)]
    for one in found:
        notes += report_notes.notes(one, shown=scores)
    called = {task: called_of(one.results, task) for task, one in of.items()}
    notes += truncation.note(one.get("estimates", {}) for one in scores.values())
    notes += by_note({task: about_runs(known, called[task]) for task, known in scores.items()})
    if details or not several:
        notes += about_intervals(scores.values())
    print_notes(dict.fromkeys([*notes, *about_errors(scores, called)]))
    if hidden or (several and not details):
        names = [name.removeprefix("by_").replace("_", " ") for name in hidden]
        each = ["task by task"] if several else []
        shown = ", ".join([*each, *(f"by {name}" for name in names)])
        say(f"• More, {shown}: {_again(found, scores)}")
    for path in dict.fromkeys(one.results_path for one in found):
        _print_line(f"Results: {path}")
    if any(one.results["otherminds"]["reads_gold"] for one in found):
        OUT.print(
            "[bold]A model of this run reads gold answers: a test of the task, not a score.[/]"
        )
    for warning in dict.fromkeys(warning for one in found for warning in warnings(one.results)):
        OUT.print(f"[bold]{warning}[/]", highlight=False)


def _scored(finished: Finished) -> dict[str, Mapping[str, Any]]:
    """The scores by task; says of the others why they have none."""
    ours = finished.results["otherminds"]
    for task, scores in ours["scores"].items():
        if not scores:
            season = ours.get("season")
            why = (
                f"no golds: scored when season {season} closes" if season else "nothing was scored"
            )
            say(f"{task}: predictions only, {why}.")
    return {task: scores for task, scores in ours["scores"].items() if scores}


def _again(found: Sequence[Finished], scored: Mapping[str, Mapping[str, Any]]) -> str:
    """The command that prints the details."""
    # The samples of several chains are in several folders.
    if any(EACH in scores or RUNS in scores for scores in scored.values()):
        return "the same command with --details"
    return f"`otherminds score {' '.join(_together(one.sample_paths) for one in found)} --details`"


def _print_overview(
    results: Mapping[str, Mapping[str, Any]],
    scored: Mapping[str, Mapping[str, Any]],
    *,
    details: bool,
) -> None:
    """A line per task, in a table for each benchmark: their metrics are not the same."""
    groups: dict[str, dict[str, Mapping[str, Any]]] = {}
    for task, scores in scored.items():
        benchmark = benchmark_in(results[task], task)
        groups.setdefault(benchmark.name if benchmark else "", {})[task] = scores
    for name, own in groups.items():
        arrows = {task: _better(results[task], task, own[task]) for task in own}
        called = f"{name}, all tasks" if name and len(groups) > 1 else "All tasks"
        over = {task: _as_estimates(scores) for task, scores in own.items() if EACH in scores}
        n = max((own[task][RUNS]["n"] for task in over), default=0)
        title = f"{called}, mean ± SD of {n} runs" if over else f"{called}, ± SE"
        OUT.print(overview({**own, **over}, arrows, title=title, whole=details))
        OUT.print()


def _as_estimates(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Mean and SD over the runs of a chain in the place of estimates, which it has of each run alone."""
    found = scores[RUNS]["estimates"]
    return {
        "estimates": {
            name: {"value": one["mean"], "stderr": one["sd"]} for name, one in found.items()
        }
    }


def _print_scores(results: Mapping[str, Any], task: str, scores: Mapping[str, Any]) -> None:
    arrows = _better(results, task, scores)
    metrics = [name for name in arrows if not name.endswith("_stderr")]
    called = called_of(results, task)
    references = known_references(task, results, of_limited=True)
    OUT.print(
        each_run_table(task, metrics, arrows, scores)
        if EACH in scores
        else results_table(task, metrics, arrows, scores, references, called)
    )
    OUT.print()


def _print_parts(results: Mapping[str, Any], task: str, scores: Mapping[str, Any]) -> None:
    metrics = _metrics(results, task)
    for breakdown, shown in _breakdowns(results, task).items():
        parts = scores.get(breakdown, {})
        if len(parts) > 1 and any(parts.values()):
            OUT.print(parts_table(metrics, parts, shown))
            OUT.print()
        if len(parts) > 1 or EACH in scores:
            print_spread(scores, metrics, breakdown)


def _parts(results: Mapping[str, Any], task: str, scores: Mapping[str, Any]) -> list[str]:
    """The breakdowns that there is something to print of."""
    over_runs = scores.get(RUNS, {})
    return [
        name
        for name in _breakdowns(results, task)
        if (len(parts := scores.get(name, {})) > 1 and any(parts.values()))
        or len(over_runs.get(name, {})) > 1
    ]


def _breakdowns(results: Mapping[str, Any], task: str) -> Mapping[str, Breakdown]:
    return breakdowns_of(benchmark_in(results, task))


def breakdowns_of(benchmark: Benchmark | None) -> Mapping[str, Breakdown]:
    """How the breakdowns of a benchmark's scores are shown, by their names in the results."""
    return {**_BY_TOPIC, **(benchmark.breakdowns if benchmark else {})}


def _better(
    results: Mapping[str, Any], task: str, scores: Mapping[str, Any]
) -> dict[str, bool | None]:
    """Whether higher is better, by metric, in the order in which they are printed."""
    own = results["higher_is_better"].get(task, {})
    return truncation.beside(own, scores.get("estimates", {}))


def _metrics(results: Mapping[str, Any], task: str) -> list[str]:
    arrows = results["higher_is_better"].get(task, {})
    return [name for name in arrows if not name.endswith("_stderr")]


def _print_unread(finished: Finished, scored: Mapping[str, Mapping[str, Any]]) -> None:
    """Where many answers could not be read: how many, some of them, and what may help."""
    shares = {
        task: 1 - scores["estimates"]["parse_rate"]["value"]
        for task, scores in scored.items()
        if "parse_rate" in scores.get("estimates", {})
    }
    unread = {task: share for task, share in shares.items() if share > MANY_UNREAD}
    if not unread:
        return
    worst = max(unread, key=lambda task: unread[task])
    share = unread[worst]
    many = "None" if share == 1 else f"Only {1 - share:.0%}"
    more = len(unread) - 1
    others = f" (and hardly more of {more} other task{'s' * (more > 1)})" if more else ""
    says = "say more about the format than about the model"
    OUT.print(
        f"[bold]{many} of the answers to {worst}{others} could be read: its scores {says}.[/]",
        highlight=False,
    )
    path = finished.samples.get(worst)
    replies = list(islice(_unread_replies(path), _SHOWN_REPLIES)) if path else []
    for item, reply in replies:
        OUT.print(f"  {item}: {quoted(reply)}", markup=False, highlight=False)
    OUT.print(
        "A model that thinks first needs room and its mark, for example `--gen_kwargs "
        "max_gen_toks=8192 --model_args '…,think_end_token=</think>'`, or enable_thinking=False.",
        highlight=False,
    )
    OUT.print()


def _unread_replies(path: Path) -> Iterator[tuple[str, str]]:
    """Item and text of the replies in a sample file that could not be read."""
    for sample in records(path, note=lambda _: None):
        read, replies = sample.get("parse_rate"), sample.get("resps")
        if not isinstance(read, list) or not isinstance(replies, list):
            continue
        texts = replies[0] if replies and isinstance(replies[0], list) else replies
        item = str(sample.get("doc", {}).get("item_id", sample.get("doc_id", "")))
        # Where a document is one of several prompts, its score may stand for all of them.
        yield from (
            (item, text)
            for is_read, text in zip(read, texts, strict=False)
            if is_read == 0 and isinstance(text, str)
        )


def print_spread(scores: Mapping[str, Any], metrics: Sequence[str], breakdown: str) -> None:
    """Mean ± SD over the runs for each part of a breakdown; nothing where there is one run."""
    runs = scores.get(RUNS, {})
    parts = runs.get(breakdown, {})
    if 1 < len(parts) <= MOST_COLUMNS:
        name = breakdown.removeprefix("by_").replace("_", " ")
        title = f"By {name}, mean ± SD of {runs['n']} runs"
        OUT.print(runs_table(metrics, parts, title))
        OUT.print()
