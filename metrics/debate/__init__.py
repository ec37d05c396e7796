"""Debate beliefs: does the model know whether this person agrees with a proposition?"""

from __future__ import annotations

from otherminds.metrics.debate.confusion import Table, tabulate
from otherminds.metrics.debate.distributions import summarize_distributions
from otherminds.metrics.debate.gain import Gain, gain
from otherminds.metrics.debate.items import BINS, Belief, check_items, known_bin
from otherminds.metrics.debate.prediction import parse_prediction
from otherminds.metrics.debate.scores import COMPARED, METRICS, f1_by_class, macro_f1, sufficient
from otherminds.metrics.debate.summary import Summary, summarize

__all__ = [
    "BINS",
    "COMPARED",
    "METRICS",
    "Belief",
    "Gain",
    "Summary",
    "Table",
    "check_items",
    "f1_by_class",
    "gain",
    "known_bin",
    "macro_f1",
    "parse_prediction",
    "sufficient",
    "summarize",
    "summarize_distributions",
    "tabulate",
]
