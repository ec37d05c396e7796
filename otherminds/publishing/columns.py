"""Columns, as `evaluate` passes them, to records of `otherminds.metrics`, and numbers back.

Functions that the modules in `hub_metrics` share: these are copied and imported alone, and hold no
more than their description. A benchmark's own columns are in its `columns.py` under `tasks/`. Empty
or contradictory columns raise MetricError, which names the fault.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, Final

from datasets import Value

from otherminds.metrics import EmptyInput, MetricError, clustered_mean, partition
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import DRAWS, LEVEL, SEED, Estimate

__all__ = [
    "ACCURACY",
    "DRAWS",
    "LEVEL",
    "SEED",
    "check_label",
    "check_not_empty",
    "clustered_accuracy",
    "ids",
    "numbers",
]

ACCURACY: Final[Mapping[str, Any]] = MappingProxyType(
    dict.fromkeys(("predictions", "references", "clusters"), Value("string"))
)
"""The columns of the module for accuracy."""


def clustered_accuracy(
    predictions: Sequence[str | None],
    references: Sequence[str],
    clusters: Sequence[str],
    *,
    labels: Collection[str] | None,
    level: float,
) -> dict[str, float]:
    """Accuracy with its cluster-robust interval (`metrics.clustered_mean`), cut to 0..1."""
    check_not_empty(references)
    known = None if labels is None else set(labels)
    for place, reference in enumerate(references):
        if reference in ("", None) or (known is not None and reference not in known):
            raise MetricError(
                f"Item {place}: the reference {reference!r} is not a label"
                + ("." if known is None else f"; labels are: {', '.join(map(repr, labels or ()))}.")
            )
    read = [
        prediction not in ("", None) and (known is None or prediction in known)
        for prediction in predictions
    ]
    right = [own == gold for own, gold in zip(predictions, references, strict=True)]
    found = SHARE.cut(clustered_mean(right, partition(ids(clusters, "clusters")), level=level))
    return {
        "accuracy": found.value,
        "stderr": found.stderr,
        "low": found.low,
        "high": found.high,
        "read_rate": sum(read) / len(read),
        "n": int(found.n),
        "n_clusters": found.n_clusters,
    }


def numbers(estimates: Mapping[str, Estimate], *, all_of_them: bool = False) -> dict[str, float]:
    """Values and intervals under one name each; those with nothing to measure only where wanted."""
    found: dict[str, float] = {}
    for name, one in estimates.items():
        if one.n > 0 or all_of_them:
            parts = asdict(one)
            found[name] = parts["value"]
            found |= {f"{name}_{part}": parts[part] for part in ("stderr", "low", "high")}
    return found


def check_not_empty(references: Sequence[Any]) -> None:
    """Raise EmptyInput where there is nothing to score."""
    if len(references) == 0:
        raise EmptyInput("There is nothing to score: predictions and references are empty.")


def check_label(value: str, known: Collection[str], what: str) -> None:
    """Raise MetricError for a value that is not one of the known ones; `what` names the value."""
    if value not in known:
        raise MetricError(f"{what} {value!r} is none of: {', '.join(repr(one) for one in known)}.")


def ids(values: Sequence[str], what: str) -> Sequence[str]:
    """The column `what` of ids; raises MetricError for an empty entry."""
    if any(value in ("", None) for value in values):
        raise MetricError(f"An entry of {what!r} is empty: every row needs one.")
    return values
