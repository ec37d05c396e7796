"""Trust game: does a role-playing model act as its own stated beliefs say it will?"""

from __future__ import annotations

from otherminds.metrics.trust_game.consistency import AttributeConsistency, Consistency, consistency
from otherminds.metrics.trust_game.detectable import (
    chance_median_rho,
    detectable_eta_squared,
    noise_eta_squared,
)
from otherminds.metrics.trust_game.effect_size import (
    EFFECT_SIZE_CLASSES,
    class_midpoint,
    elicited_eta_squared,
    eta_squared,
)
from otherminds.metrics.trust_game.elicitation import (
    Dollars,
    Ranking,
    parse_ascending_ranking,
    parse_dollars,
    parse_ranking,
)
from otherminds.metrics.trust_game.forecast import Forecast, ForecastErrors, forecast_errors
from otherminds.metrics.trust_game.gain import AttributeGain, Gain, RolePlays, gain
from otherminds.metrics.trust_game.items import Played, Stated
from otherminds.metrics.trust_game.perturbation import Perturbed, perturbed
from otherminds.metrics.trust_game.send import SEND_FORMAT, parse_send
from otherminds.metrics.trust_game.summary import (
    RANKINGS,
    STRATEGIES,
    ConditionedSummary,
    ForecastSummary,
    PopulationSummary,
    elicited_parse_rate,
    summarize_conditioned,
    summarize_forecasts,
    summarize_population,
)

__all__ = [
    "EFFECT_SIZE_CLASSES",
    "RANKINGS",
    "SEND_FORMAT",
    "STRATEGIES",
    "AttributeConsistency",
    "AttributeGain",
    "ConditionedSummary",
    "Consistency",
    "Dollars",
    "Forecast",
    "ForecastErrors",
    "ForecastSummary",
    "Gain",
    "Perturbed",
    "Played",
    "PopulationSummary",
    "Ranking",
    "RolePlays",
    "Stated",
    "chance_median_rho",
    "class_midpoint",
    "consistency",
    "detectable_eta_squared",
    "elicited_eta_squared",
    "elicited_parse_rate",
    "eta_squared",
    "forecast_errors",
    "gain",
    "noise_eta_squared",
    "parse_ascending_ranking",
    "parse_dollars",
    "parse_ranking",
    "parse_send",
    "perturbed",
    "summarize_conditioned",
    "summarize_forecasts",
    "summarize_population",
]
