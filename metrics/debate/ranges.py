"""The values that the metrics of debate beliefs can have."""

from __future__ import annotations

from typing import Final

from otherminds.metrics.ranges import BRIER, SHARE, Ranges

RANGES: Final[Ranges] = {
    **dict.fromkeys(("macro_f1", "acc", "agree_rate", "agree_rate_people"), SHARE),
    **dict.fromkeys(("parse_rate", "ece", "accepted", "agreement"), SHARE),
    "brier": BRIER,
}
