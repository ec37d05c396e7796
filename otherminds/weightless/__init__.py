"""Models without weights: the floors and ceilings that a real model is read against.

Each answers from the documents alone, by index into the document's answer space, and is the same for
every order of the documents. `oracle` and `corrupted-oracle` read the gold answer: they exist to test
tasks and metrics, and results are stamped so.
"""

from __future__ import annotations

from collections.abc import Mapping

from otherminds.weightless.floors import Majority, Persistence, Random
from otherminds.weightless.linear import DemographicLinear
from otherminds.weightless.oracle import CorruptedOracle, Oracle
from otherminds.weightless.others import DemographicLogistic, Neighbours
from otherminds.weightless.questions import (
    LETTERS,
    Doc,
    Strategy,
    answer_space,
    gold_index,
    identity,
    is_closed,
)
from otherminds.weightless.reader import RuleBasedReader

__all__ = [
    "LETTERS",
    "STRATEGIES",
    "TEST_ONLY",
    "CorruptedOracle",
    "DemographicLinear",
    "DemographicLogistic",
    "Doc",
    "Majority",
    "Neighbours",
    "Oracle",
    "Persistence",
    "Random",
    "RuleBasedReader",
    "Strategy",
    "about",
    "answer_space",
    "gold_index",
    "identity",
    "is_closed",
]

STRATEGIES: Mapping[str, type[Strategy]] = {
    "random": Random,
    "majority": Majority,
    "persistence": Persistence,
    "demographic-linear": DemographicLinear,
    "demographic-logistic": DemographicLogistic,
    "neighbours": Neighbours,
    "reader": RuleBasedReader,
    "oracle": Oracle,
    "corrupted-oracle": CorruptedOracle,
}

TEST_ONLY = frozenset({"oracle", "corrupted-oracle"})


def about(strategy: Strategy | type[Strategy]) -> str:
    """In one sentence or two, how a weightless model answers."""
    return " ".join((strategy.__doc__ or "").split("\n\n")[0].replace("*", "").split())
