"""Small plots as numbers for templates, which draw them: bars that need no script and no library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

_BINS: Final = 12


class Bar(NamedTuple):
    """A bar: what it is of, how much, and its share of the longest."""

    name: str
    size: int
    share: float


class Bin(NamedTuple):
    """A bar of a histogram, from `low` up to `high`."""

    low: float
    high: float
    size: int
    share: float


def bars(counts: Sequence[tuple[str, int]]) -> list[Bar]:
    """Bars of counts; the longest has the share 1."""
    most = max((count for _, count in counts), default=0) or 1
    return [Bar(name.replace("_", " "), count, count / most) for name, count in counts]


def histogram(values: Sequence[float]) -> list[Bin]:
    """At most twelve bins of equal width; of one value, one bin; of none, none."""
    if not values:
        return []
    low, high = min(values), max(values)
    if low == high:
        return [Bin(low, high, len(values), 1.0)]
    width = (high - low) / _BINS
    counts = [0] * _BINS
    for value in values:
        counts[min(_BINS - 1, int((value - low) / width))] += 1
    most = max(counts)
    return [
        Bin(low + place * width, low + (place + 1) * width, count, count / most)
        for place, count in enumerate(counts)
    ]
