"""The values that SocialMindChange's metrics can have."""

from __future__ import annotations

from typing import Final

from otherminds.metrics.ranges import AT_LEAST_0, BRIER, SHARE, Ranges

RANGES: Final[Ranges] = {
    **dict.fromkeys(("acc", "acc_guidance", "acc_transition", "acc_third_order"), SHARE),
    **dict.fromkeys(("sets_full", "sets_local", "sets_apparent", "sets_error"), SHARE),
    **dict.fromkeys(("parse_rate", "ece", "accepted", "refused"), SHARE),
    "brier": BRIER,
    "new_words": AT_LEAST_0,
}
