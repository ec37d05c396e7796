"""K answers to each document are K runs: what each run scores alone, and how far runs lie apart."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from otherminds.scoring.base import Answered, ItemScores, Record

RUNS = "runs"
"""The key of `over_runs` among the details of a task."""

EACH = "each_run"
"""The key of each run's own estimates, where the runs make no common record."""


def details(samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All numbers of a task with intervals and n, from the samples that lm-eval logged in this process.

    Empty where the samples carry no records (`--predict_only`).
    """
    records = records_of(samples)
    return details_of(records) if records else {}


def records_of(samples: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The records of the samples that lm-eval logged in this process; none for `--predict_only`."""
    records = [
        next((value.record for value in sample.values() if isinstance(value, ItemScores)), None)
        for sample in samples
    ]
    return [] if not records or records[0] is None else [one for one in records if one is not None]


def details_of(records: Sequence[Record]) -> dict[str, Any]:
    """All numbers of some records with intervals and n; of several runs, `over_runs` under RUNS."""
    found = records[0].details(records)
    apart = over_runs(records)
    return {**found, RUNS: apart} if apart else found


def over_runs(records: Sequence[Record]) -> dict[str, Any]:
    """What each of K runs scores alone, with mean and population SD over the runs; empty for K = 1.

    n           K
    identical   whether all runs gave the same answers, as these were parsed: the SD is then 0
    estimates   by metric, `values` (one per run, None where it had nothing to measure), and their
                `mean` and `sd` = sqrt(Σ_k (x_k - x̄)²/K), over the runs that have a value
    by_…        the same for the parts of each breakdown

    This is the "± std" that the papers print over five runs. It is no standard error: it says how much a
    model's own sampling moves a score, and nothing of the choice of people or items.
    """
    if len(records[0].single_runs()) < 2:
        return {}
    runs = list(zip(*(record.single_runs() for record in records), strict=True))
    scored = [one[0].details(one) for one in runs]
    return _apart(scored, identical=_all_equal(runs))


def details_of_chains(runs: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """All numbers of a task that K chains of stages ended in, from the records of each chain.

    Where the chains answered the same questions with golds, they are K runs of these: every number is a
    mean over the runs, and its interval resamples clusters with all their runs. Else there is no common
    interval: `estimates` is empty, EACH has each run's own, and RUNS their mean and population SD as
    ever. Empty where nothing was scored.
    """
    if not all(runs):
        return {}
    pooled = _pooled(runs)
    if pooled is not None:
        return details_of(pooled)
    scored = [records[0].details(records) for records in runs]
    notes = dict.fromkeys(note for one in scored for note in one.get("notes", ()))
    return {
        "estimates": {},
        EACH: [one.get("estimates", {}) for one in scored],
        RUNS: _apart(scored, identical=_all_equal(runs)),
        **({"notes": list(notes)} if notes else {}),
    }


def _pooled(runs: Sequence[Sequence[Any]]) -> list[Answered] | None:
    """The records of K runs as records with K answers; None where they are not of the same items."""
    if not all(isinstance(record, Answered) for records in runs for record in records):
        return None
    by_id = [{record.view().item_id: record for record in records} for records in runs]
    unasked = [{name: one.with_answers(()) for name, one in found.items()} for found in by_id]
    if not _all_equal(unasked) or len(by_id[0]) < len(runs[0]):
        return None
    return [one.joined([found[name] for found in by_id]) for name, one in by_id[0].items()]


def _all_equal(values: Sequence[Any]) -> bool:
    return all(other == values[0] for other in values[1:])


def _apart(scored: Sequence[Mapping[str, Any]], *, identical: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "n": len(scored),
        "identical": identical,
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
        found = [one[metric]["value"] if metric in one else math.nan for one in estimates]
        values = [None if math.isnan(value) else value for value in found]
        known = [value for value in values if value is not None]
        if known:
            mean, sd = statistics.fmean(known), statistics.pstdev(known)
            yield metric, {"mean": mean, "sd": sd, "values": values}
