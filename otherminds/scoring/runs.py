"""K answers to each document are K runs: what each run scores alone, and how far runs lie apart."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, Self, TypeGuard

from otherminds.scoring.base import ItemScores, Record, is_answered

RUNS = "runs"
"""The key of `over_runs` among the details of a task."""


class Repeated(Protocol):
    """A record of K runs that says itself what each of them is."""

    def single_runs(self) -> Sequence[Self]:
        """The same record with the answer of each run alone, K in all."""


def details(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All numbers of a task with intervals and n, from the samples that lm-eval logged in this process.

    Empty where the samples carry no records (`--predict_only`).
    """
    records = [
        next((value.record for value in sample.values() if isinstance(value, ItemScores)), None)
        for sample in samples
    ]
    if not records or records[0] is None:
        return {}
    return details_of([record for record in records if record is not None])


def details_of(records: Sequence[Record]) -> dict[str, Any]:
    """All numbers of some records with intervals and n; of several runs, `over_runs` under RUNS."""
    found = records[0].details(records)
    apart = over_runs(records)
    return {**found, RUNS: apart} if apart else found


def over_runs(records: Sequence[Any]) -> dict[str, Any]:
    """What each of K runs scores alone, with mean and population SD over the runs; empty for K = 1.

    n           K
    identical   whether all runs gave the same answers: copies of one, whose SD is 0 by itself
    estimates   by metric, `values` (one per run, None where it had nothing to measure), and their
                `mean` and `sd` = sqrt(Σ_k (x_k - x̄)²/K), over the runs that have a value
    by_…        the same for the parts of each breakdown

    This is the "± std" that the papers print over five runs. It is no standard error: it says how much a
    model's own sampling moves a score, and nothing of the choice of people or items.
    """
    if len(_single_runs(records[0])) < 2:
        return {}
    runs = list(zip(*map(_single_runs, records), strict=True))
    scored = [one[0].details(one) for one in runs]
    found: dict[str, Any] = {
        "n": len(runs),
        "identical": all(other == runs[0] for other in runs[1:]),
        "estimates": _spread([one.get("estimates", {}) for one in scored]),
    }
    for breakdown in (key for key in scored[0] if key.startswith("by_")):
        parts = dict.fromkeys(part for one in scored for part in one[breakdown])
        found[breakdown] = {
            part: _spread([one[breakdown].get(part, {}) for one in scored]) for part in parts
        }
    return found


def _spread(estimates: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, Any]:
    return dict(_spreads(estimates))


def _spreads(
    estimates: Sequence[Mapping[str, Mapping[str, float]]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    for metric in dict.fromkeys(name for one in estimates for name in one):
        values = [one[metric]["value"] if metric in one else None for one in estimates]
        known = [value for value in values if value is not None]
        yield (
            metric,
            {"mean": statistics.fmean(known), "sd": statistics.pstdev(known), "values": values},
        )


def _single_runs(record: Any) -> Sequence[Any]:
    if _is_repeated(record):
        return record.single_runs()
    if not is_answered(record):
        return [record]
    answers = record.view().answers
    return [record.with_answers((answer,)) for answer in answers] if len(answers) > 1 else [record]


def _is_repeated(record: Any) -> TypeGuard[Repeated]:
    return hasattr(record, "single_runs")
