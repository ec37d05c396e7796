"""SynchToM: belief, profile and solution, judged by criteria; and how far judges agree."""

from __future__ import annotations

from otherminds.metrics.synchtom.agreement import Agreement, Rated, agreement
from otherminds.metrics.synchtom.answer import Answer, read_answer
from otherminds.metrics.synchtom.gain import Gain, gain
from otherminds.metrics.synchtom.items import DIMENSIONS, Judged, Unscored, check_items
from otherminds.metrics.synchtom.scores import FLOORS, METRICS, RATES, SCORES
from otherminds.metrics.synchtom.sufficient import sufficient
from otherminds.metrics.synchtom.summary import Summary, summarize
from otherminds.metrics.synchtom.verdicts import Failure, Verdicts, read_verdicts

__all__ = [
    "DIMENSIONS",
    "FLOORS",
    "METRICS",
    "RATES",
    "SCORES",
    "Agreement",
    "Answer",
    "Failure",
    "Gain",
    "Judged",
    "Rated",
    "Summary",
    "Unscored",
    "Verdicts",
    "agreement",
    "check_items",
    "gain",
    "read_answer",
    "read_verdicts",
    "sufficient",
    "summarize",
]
