"""The values that the trust game's metrics can have.

ω² may be negative, and its interval is not cut. Amounts end at the endowment, which differs between
tasks.
"""

from __future__ import annotations

from typing import Final

from otherminds.metrics.ranges import AT_LEAST_0, CORRELATION, SHARE, Ranges
from otherminds.metrics.trust_game.summary import RANKINGS, STRATEGIES

RANGES: Final[Ranges] = {
    **{f"{name}_{way}": CORRELATION for name in ("rho", "rho_mean") for way in STRATEGIES},
    **dict.fromkeys(("rho", "rho_mean", "rho_unconditioned"), CORRELATION),
    "rho_gain": CORRELATION.of_difference(),
    **{f"{name}_{way}": SHARE for name in ("delta_eta2", "mae_eta2") for way in STRATEGIES},
    **{f"{name}_{way}": SHARE for name in ("mae_contrast", "delta_contrast") for way in RANKINGS},
    **dict.fromkeys(("eta2", "parse_rate", "parse_rate_elicited", "parse_rate_forecast"), SHARE),
    **dict.fromkeys(("send", "mae"), AT_LEAST_0),
    **{f"mae_round{number}": AT_LEAST_0 for number in range(1, 7)},
    **{f"mae_M{number}": AT_LEAST_0 for number in (1, 3, 5)},
}
