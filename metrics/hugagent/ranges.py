"""The values that HugAgent's metrics can have."""

from __future__ import annotations

from typing import Final

from otherminds.metrics import graphs
from otherminds.metrics.hugagent.items import PAPER, RELEASE
from otherminds.metrics.hugagent.scores import ati
from otherminds.metrics.ranges import AT_LEAST_0, BRIER, POINTS, SHARE, Range, Ranges


def _ati(mae_max: float) -> Range:
    """From an answerer who is always wrong to one who is always right, who has about 140."""
    return Range(*(float(ati(u, mae_max=mae_max)) for u in (0.0, 1.0)))


OF_TOPIC: Final[Ranges] = {
    **dict.fromkeys(("parse_rate", "bdu_acc", "bdu_dir", "bdu_change", "bdu_direction"), SHARE),
    **dict.fromkeys(("bsi_acc", "bsi_acc_release", "bdu_dir_release", "ece"), SHARE),
    **dict.fromkeys(("bsi_acc_source_hidden", "bsi_acc_source_shown"), SHARE),
    **dict.fromkeys(("bsi_acc_original", "bsi_acc_swapped"), SHARE),
    **dict.fromkeys(("order_consistency", "same_letter", "answered", "accepted"), SHARE),
    # Golds of people may lie outside the scale, and so errors have no largest value.
    **dict.fromkeys(("bdu_mae", "bdu_mae_release", "bdu_mae_expected", "words"), AT_LEAST_0),
    "brier": BRIER,
    "composite": POINTS,
}
"""Ranges on one topic, whose ATI lies between ends of its own."""

RANGES: Final[Ranges] = {
    **OF_TOPIC,
    "ati": _ati(PAPER.mae_max),
    "ati_release": _ati(RELEASE.mae_max),
    **dict.fromkeys(graphs.METRICS, SHARE),
    # Modifiers lie from -1 to 1.
    "modifier_mae": Range(0.0, 2.0),
}
"""Ranges over all topics."""

OF_RELEASE: Final[Ranges] = {**OF_TOPIC, "ati": RANGES["ati_release"]}
"""Ranges under the protocol of the authors' release."""
