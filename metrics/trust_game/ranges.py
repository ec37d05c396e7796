"""The values that the trust game's metrics can have.

ω² may be negative, and its interval is not cut. Amounts end at the endowment, which runs may choose:
see `ranges_of`.
"""

from __future__ import annotations

from typing import Final

from otherminds.metrics.ranges import AT_LEAST_0, CORRELATION, SHARE, Range, Ranges
from otherminds.metrics.trust_game.summary import RANKINGS, STRATEGIES

_AMOUNTS: Final = (
    *("send", "mae"),
    *(f"mae_round{number}" for number in range(1, 7)),
    *(f"mae_M{number}" for number in (1, 3, 5)),
)

RANGES: Final[Ranges] = {
    **{f"{name}_{way}": CORRELATION for name in ("rho", "rho_mean") for way in STRATEGIES},
    **dict.fromkeys(("rho", "rho_mean", "rho_unconditioned"), CORRELATION),
    "rho_gain": CORRELATION.of_difference(),
    **{f"{name}_{way}": SHARE for name in ("delta_eta2", "mae_eta2") for way in STRATEGIES},
    **{f"{name}_{way}": SHARE for name in ("mae_contrast", "delta_contrast") for way in RANKINGS},
    **dict.fromkeys(("eta2", "parse_rate", "parse_rate_elicited", "parse_rate_forecast"), SHARE),
    **dict.fromkeys(_AMOUNTS, AT_LEAST_0),
}


def ranges_of(endowment: float) -> Ranges:
    """The ranges in games with this endowment, in dollars: no amount and no error of one is above it."""
    return {**RANGES, **dict.fromkeys(_AMOUNTS, Range(0.0, endowment))}
