"""Bins of the number of a person's known beliefs."""

from __future__ import annotations

from otherminds.metrics.errors import MetricError

# Lowest number of known beliefs of each bin; the last bin has no upper end.
_LOWEST = (0, 1, 6, 11, 21, 51)

BINS = ("0", "1-5", "6-10", "11-20", "21-50", "51+")
"""Names of the bins, in order."""


def known_bin(n_known: int) -> str:
    """The bin that a number of known beliefs falls in, one of BINS.

    Raises MetricError for a negative number.
    """
    if n_known < 0:
        raise MetricError(f"{n_known} known beliefs: give 0 or more.")
    return BINS[sum(n_known >= lowest for lowest in _LOWEST) - 1]
