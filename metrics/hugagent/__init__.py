"""HugAgent: does the model infer this person's beliefs, and how they move under new evidence?"""

from __future__ import annotations

from otherminds.metrics.hugagent.ceiling import (
    Ceiling,
    Retest,
    ati_between,
    ati_with_ceiling,
    ceiling_composite,
    human_ceiling,
    published_estimate,
)
from otherminds.metrics.hugagent.chance import constant_scores, uniform_scores
from otherminds.metrics.hugagent.context_length import (
    ContextLength,
    LengthBin,
    accuracy_by_context_length,
)
from otherminds.metrics.hugagent.controversy import (
    Controversy,
    controversy_by_topic,
    controversy_index,
)
from otherminds.metrics.hugagent.items import (
    BASELINES,
    ERROR_FACTOR,
    MAE_MAX,
    PAPER,
    RELEASE,
    RELEASE_MAE_MAX,
    TOLERANCE,
    Item,
    Protocol,
    baseline_pairs,
)
from otherminds.metrics.hugagent.measures import (
    Direction,
    bdu_accuracy,
    bsi_accuracy,
    directional_accuracy,
    mean_absolute_error,
)
from otherminds.metrics.hugagent.order import OrderSwap, order_swap
from otherminds.metrics.hugagent.scores import (
    HUMAN,
    METRICS,
    RANDOM,
    Anchor,
    Summary,
    ati,
    summarize,
    utility,
)
from otherminds.metrics.hugagent.stability import (
    Individual,
    Match,
    RunDeviation,
    distribution_match,
    individual_correlation,
    run_deviation,
)

__all__ = [
    "BASELINES",
    "ERROR_FACTOR",
    "HUMAN",
    "MAE_MAX",
    "METRICS",
    "PAPER",
    "RANDOM",
    "RELEASE",
    "RELEASE_MAE_MAX",
    "TOLERANCE",
    "Anchor",
    "Ceiling",
    "ContextLength",
    "Controversy",
    "Direction",
    "Individual",
    "Item",
    "LengthBin",
    "Match",
    "OrderSwap",
    "Protocol",
    "Retest",
    "RunDeviation",
    "Summary",
    "accuracy_by_context_length",
    "ati",
    "ati_between",
    "ati_with_ceiling",
    "baseline_pairs",
    "bdu_accuracy",
    "bsi_accuracy",
    "ceiling_composite",
    "constant_scores",
    "controversy_by_topic",
    "controversy_index",
    "directional_accuracy",
    "distribution_match",
    "human_ceiling",
    "individual_correlation",
    "mean_absolute_error",
    "order_swap",
    "published_estimate",
    "run_deviation",
    "summarize",
    "uniform_scores",
    "utility",
]
