"""How many replies were cut off at their limit of tokens: beside the scores, and never part of them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from otherminds.metrics.uncertainty import Estimate, bounded, clustered_mean, estimate, partition
from otherminds.running.finish import LENGTH
from otherminds.scoring.base import is_answered

TRUNCATED = "truncated"
"""The name of the share of truncated replies, among estimates and in tables."""

_BESIDE = "parse_rate"
"""The metric that it stands beside."""


def share(reasons: Iterable[str | None]) -> float:
    """The share of a document's replies that ended at their limit; NaN where no end is known."""
    known = [reason == LENGTH for reason in reasons if reason is not None]
    return sum(known) / len(known) if known else math.nan


def mean(shares: Iterable[float]) -> float:
    """The mean of the shares that are known; NaN where none is."""
    known = [one for one in shares if not math.isnan(one)]
    return math.fsum(known) / len(known) if known else math.nan


def with_truncated(
    details: Mapping[str, Any], records: Sequence[Any], shares: Sequence[float]
) -> dict[str, Any]:
    """The details of a task's scores, with the estimate of truncated replies where any end is known.

    records  the task's, to know whose document each is
    shares   of each record, as `share` gives it

    The estimate is the mean over the documents whose ends are known, of which n is the number, with a
    clustered standard error (`clustered_mean`) where records name their person.
    """
    if not details or len(shares) != len(records):
        return dict(details)
    known = [
        (one, value) for one, value in zip(records, shares, strict=True) if not math.isnan(value)
    ]
    if not known:
        return dict(details)
    found = dataclasses.asdict(_estimate(known))
    return {**details, "estimates": {**details.get("estimates", {}), TRUNCATED: found}}


def _estimate(known: Sequence[tuple[Any, float]]) -> Estimate:
    values = [value for _, value in known]
    if not all(is_answered(record) for record, _ in known):
        return estimate(math.fsum(values) / len(values), math.nan, n=len(values), n_clusters=0)
    people = partition([record.view().person for record, _ in known])
    return bounded(clustered_mean(values, people), 0, 1)


def beside(
    better: Mapping[str, bool | None], estimates: Mapping[str, Any]
) -> dict[str, bool | None]:
    """Metrics with whether higher is better, and the share of truncated replies after the parse rate.

    Unchanged where `estimates` have no such share.
    """
    if TRUNCATED not in estimates:
        return dict(better)
    found: dict[str, bool | None] = {}
    for name, is_better in better.items():
        found[name] = is_better
        if name == _BESIDE:
            found[TRUNCATED] = False
    return found | {TRUNCATED: False}


def note(estimates: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """What truncated replies are, where there are any."""
    if any((one.get(TRUNCATED) or {}).get("value", 0) > 0 for one in estimates):
        yield (
            "truncated: the share of replies that ended at their limit of tokens (max_gen_toks). They "
            "are scored as far as they go; `--gen_kwargs max_gen_toks=…` raises the limit."
        )
