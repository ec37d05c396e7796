"""HugAgent: does the model infer this person's beliefs, and how they move under new evidence?"""

from __future__ import annotations

from otherminds.metrics.hugagent.accuracy import bdu_accuracy, bsi_accuracy
from otherminds.metrics.hugagent.ati import HUMAN, MAE_MAX, RANDOM, Anchor, ati, utility
from otherminds.metrics.hugagent.chance import constant_scores, uniform_scores
from otherminds.metrics.hugagent.direction import Direction, directional_accuracy
from otherminds.metrics.hugagent.items import ERROR_FACTOR, TOLERANCE, Item
from otherminds.metrics.hugagent.mae import mean_absolute_error
from otherminds.metrics.hugagent.pairs import baseline_pairs
from otherminds.metrics.hugagent.protocol import BASELINES, PAPER, RELEASE, Protocol
from otherminds.metrics.hugagent.scores import METRICS
from otherminds.metrics.hugagent.summary import Summary, summarize

__all__ = [
    "BASELINES",
    "ERROR_FACTOR",
    "HUMAN",
    "MAE_MAX",
    "METRICS",
    "PAPER",
    "RANDOM",
    "RELEASE",
    "TOLERANCE",
    "Anchor",
    "Direction",
    "Item",
    "Protocol",
    "Summary",
    "ati",
    "baseline_pairs",
    "bdu_accuracy",
    "bsi_accuracy",
    "constant_scores",
    "directional_accuracy",
    "mean_absolute_error",
    "summarize",
    "uniform_scores",
    "utility",
]
