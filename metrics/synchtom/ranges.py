"""The values that SynchToM's metrics can have."""

from __future__ import annotations

from typing import Final

from otherminds.metrics.ranges import CORRELATION, POINTS, SHARE, Ranges
from otherminds.metrics.synchtom.scores import METRICS

_RATES = ("parse_rate", "judge_rate", "complete", "accepted")

RANGES: Final[Ranges] = {
    **dict.fromkeys(METRICS, POINTS),
    **dict.fromkeys(_RATES, SHARE),
    "correlation": CORRELATION,
}
