"""SynchToM: belief, profile and solution, judged by criteria; and how far judges agree."""

from __future__ import annotations

from otherminds.metrics.synchtom.agreement import Agreement, Rated, agreement
from otherminds.metrics.synchtom.answer import Answer, is_cut_off, read_answer
from otherminds.metrics.synchtom.gain import Gain, gain
from otherminds.metrics.synchtom.items import DIMENSIONS, Judged, Unscored, check_items
from otherminds.metrics.synchtom.length import LengthEffect, length_effects
from otherminds.metrics.synchtom.scores import FLOORS, METRICS, RATES, SCORES, UNFLAGGED, sufficient
from otherminds.metrics.synchtom.summary import Summary, summarize
from otherminds.metrics.synchtom.verdicts import Failure, Verdicts, read_verdicts

__all__ = [
    "DIMENSIONS",
    "FLOORS",
    "METRICS",
    "RATES",
    "SCORES",
    "UNFLAGGED",
    "Agreement",
    "Answer",
    "Failure",
    "Gain",
    "Judged",
    "LengthEffect",
    "Rated",
    "Summary",
    "Unscored",
    "Verdicts",
    "agreement",
    "check_items",
    "gain",
    "is_cut_off",
    "length_effects",
    "read_answer",
    "read_verdicts",
    "sufficient",
    "summarize",
]
