"""Scores of runs, recomputed from their samples."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from otherminds.analysis.layouts import benchmark_of
from otherminds.analysis.runs import Run, Runs
from otherminds.analysis.verification import Check, verify
from otherminds.benchmark import Benchmark
from otherminds.errors import OtherMindsError
from otherminds.metrics.errors import MetricError
from otherminds.running.truncation import with_truncated
from otherminds.scoring.base import RUNS, details_of, is_answered

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"
TOPIC = "topic"
CATEGORY = "category"

Parts = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By part, then by metric, the fields of an estimate."""

_COLUMNS = [
    *("model", "task", "breakdown", "part", "metric", "value", "stderr", "low", "high"),
    *("n", "n_people", "higher_is_better", "runs", "mean_over_runs", "sd_over_runs"),
]
_ESTIMATE = {"n_clusters": "n_people"}

# How a breakdown is called in the details of a run.
_BY = "by_"


@dataclass(frozen=True)
class Scored:
    """All numbers of one run.

    details      as in the results file of a run: estimates, counts, by topic, …
    by_category  the same estimates for the questions of one category alone; empty where there is one
                 category, and where `details` break down by the same ones
    checks       the comparisons with the data and with the numbers that the run printed
    n_unread     answers (of all repeats) that could not be parsed
    """

    run: Run
    details: Mapping[str, Any]
    by_category: Mapping[str, Mapping[str, Mapping[str, float]]]
    checks: Sequence[Check]
    n_unread: int
    n_answers: int

    @property
    def breakdowns(self) -> Mapping[str, Parts]:
        """By name, such as "topic", the estimates of each part alone, in the order of the parts."""
        return {**_breakdowns(self.details), CATEGORY: self.by_category}


@dataclass(frozen=True)
class Scores:
    """The scores of some runs, with notes on all that was left out of them."""

    scored: Sequence[Scored]
    notes: Sequence[str]

    def table(self) -> pd.DataFrame:
        """One row per run, part of its documents and metric.

        Columns: model, task, breakdown ("all", "topic", "category", or another that the task has, such
        as "known"), part (its name), metric, value, stderr, low and high (95 % interval over people),
        n (items or pairs), n_people, higher_is_better (None for neither), runs (K), and mean_over_runs
        and sd_over_runs (population SD; NaN for one run). A metric that has nothing to measure has no
        row.
        """
        import pandas as pd

        rows = [row for one in self.scored for row in _rows(one)]
        return pd.DataFrame(rows, columns=_COLUMNS)

    def unread(self) -> pd.DataFrame:
        """Examples of answers that could not be parsed: model, task, item_id, raw, place."""
        import pandas as pd

        rows = [
            (one.run.name, one.run.task, example.item_id, example.raw, example.place)
            for one in self.scored
            for example in one.run.unread
        ]
        return pd.DataFrame(rows, columns=["model", "task", "item_id", "raw", "place"])


def by_benchmark(scores: Scores) -> list[tuple[Benchmark, Scores]]:
    """The scores of each benchmark's runs, by its name; runs of datasets unknown here are in none."""
    known = [(one, benchmark_of(one.run.rules.dataset)) for one in scores.scored]
    benchmarks = {found.name: found for _, found in known if found is not None}
    return [
        (benchmarks[name], Scores([one for one, found in known if found is benchmarks[name]], ()))
        for name in sorted(benchmarks)
    ]


def score(
    runs: Runs, *, check: bool = True, advance: Callable[[str], None] | None = None
) -> Scores:
    """Recompute every metric of every run.

    check    compare the samples with the data of the task, where these can be had
    advance  is called with the name of each step
    """
    notes = list(runs.notes)
    scored = []
    for run in runs:
        if advance is not None:
            advance(f"{run.name}, {run.task}")
        try:
            scored.append(score_run(run, check=check))
        except OtherMindsError as error:
            notes.append(str(error))
    return Scores(scored, notes)


def score_run(run: Run, *, check: bool = True) -> Scored:
    """Recompute every metric of one run.

    Raises OtherMindsError for records that contradict each other.
    """
    n_answers = n_unread = 0
    categories: list[str] = []
    for record in run.records:
        if is_answered(record):
            view = record.view()
            n_answers += len(view.answers)
            n_unread += view.answers.count(None)
            categories.append(view.category)
    try:
        details = with_truncated(details_of(run.records), run.records, run.truncated)
        by_category = _by_category(run, categories, _breakdowns(details))
    except MetricError as error:
        raise OtherMindsError(f"{run.name}, {run.task} cannot be scored: {error}") from error
    return Scored(
        run=run,
        details=details,
        by_category=by_category,
        checks=verify(run, details, with_data=check),
        n_unread=n_unread,
        n_answers=n_answers,
    )


def _breakdowns(details: Mapping[str, Any]) -> dict[str, Parts]:
    found = {key: parts for key, parts in details.items() if key.startswith(_BY)}
    return {key.removeprefix(_BY): parts for key, parts in found.items()}


def _by_category(
    run: Run, categories: Sequence[str], others: Mapping[str, Parts]
) -> dict[str, Mapping[str, Mapping[str, float]]]:
    names = sorted(set(categories), key=natural_order)
    if len(names) < 2 or any(set(names) == set(parts) for parts in others.values()):
        return {}
    found = {}
    for name in names:
        of_category = map(name.__eq__, categories)
        records = list(compress(run.records, of_category))
        found[name] = records[0].details(records)["estimates"]
    return found


def natural_order(name: str) -> list[str | int]:
    """A key that puts "6-10" before "11-20": numbers by their size, the text between by letters."""
    # Texts stand at even places and numbers at odd ones, so no text is ever compared with a number.
    parts = re.split(r"([0-9]+)", name)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def _rows(one: Scored) -> list[dict[str, Any]]:
    estimates = one.details.get("estimates", {})
    breakdowns = {ALL: {ALL: estimates}, **one.breakdowns}
    better = one.run.rules.metrics
    # Metrics in the order in which a run prints them, then the task's further ones.
    known = [*better, *(name for name in estimates if name not in better)]
    return [
        {
            "model": one.run.name,
            "task": one.run.task,
            "breakdown": breakdown,
            "part": part,
            "metric": metric,
            **{_ESTIMATE.get(key, key): value for key, value in found[metric].items()},
            "higher_is_better": better.get(metric),
            **_over_runs(one.details.get(RUNS, {}), breakdown, part, metric),
        }
        for breakdown, parts in breakdowns.items()
        for part, found in parts.items()
        for metric in known
        if metric in found
    ]


def _over_runs(runs: Mapping[str, Any], breakdown: str, part: str, metric: str) -> dict[str, float]:
    """How far single runs lie apart in a metric of a part; see `scoring.base.over_runs`."""
    within = runs if breakdown == ALL else runs.get(f"{_BY}{breakdown}", {}).get(part, {})
    found = (within.get("estimates", {}) if breakdown == ALL else within).get(metric, {})
    return {
        "runs": runs.get("n", 1),
        "mean_over_runs": found.get("mean", math.nan),
        "sd_over_runs": found.get("sd", math.nan),
    }
