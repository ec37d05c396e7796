"""Models without weights: the floors and ceilings that a real model is read against.

Each answers from the documents alone, by index into the document's answer space, and is the same for
every order of the documents. `oracle` and `corrupted-oracle` read the gold answer: they exist to test
tasks and metrics, and results are stamped so.
"""

from __future__ import annotations

from collections.abc import Mapping

from otherminds.tasks.debate.weightless import DemographicLogistic, Neighbours
from otherminds.tasks.hugagent.weightless import RuleBasedReader
from otherminds.tasks.socialmindchange.weightless import (
    SceneCopier,
    SceneDropper,
    SceneRewriter,
    StateAdder,
)
from otherminds.tasks.synchtom.weightless import (
    Injecting,
    KitchenSink,
    LexicalJudge,
    TurnLearner,
    WrongPremise,
)
from otherminds.tasks.trust_game.weightless import (
    ConsistentTrust,
    InconsistentTrust,
    LinearTrust,
    Memoryless,
    TitForTat,
)
from otherminds.weightless.floors import Constant, Majority, Persistence, Random
from otherminds.weightless.linear import DemographicLinear
from otherminds.weightless.oracle import CorruptedOracle, Oracle
from otherminds.weightless.questions import (
    LETTERS,
    Doc,
    Strategy,
    Writer,
    answer_space,
    gold_index,
    identity,
    is_closed,
)

__all__ = [
    "LETTERS",
    "STRATEGIES",
    "TEST_ONLY",
    "Constant",
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
    "Writer",
    "about",
    "answer_space",
    "gold_index",
    "identity",
    "is_closed",
]

STRATEGIES: Mapping[str, type[Strategy]] = {
    "random": Random,
    "constant": Constant,
    "majority": Majority,
    "persistence": Persistence,
    "demographic-linear": DemographicLinear,
    "demographic-logistic": DemographicLogistic,
    "neighbours": Neighbours,
    "reader": RuleBasedReader,
    "oracle": Oracle,
    "corrupted-oracle": CorruptedOracle,
    "linear-trust": LinearTrust,
    "consistent-trust": ConsistentTrust,
    "inconsistent-trust": InconsistentTrust,
    "memoryless": Memoryless,
    "tit-for-tat": TitForTat,
    "wrong-premise": WrongPremise,
    "injecting": Injecting,
    "kitchen-sink": KitchenSink,
    "turn-learner": TurnLearner,
    "lexical-judge": LexicalJudge,
    "scene-copier": SceneCopier,
    "scene-rewriter": SceneRewriter,
    "scene-dropper": SceneDropper,
    "state-adder": StateAdder,
}

TEST_ONLY = frozenset({"oracle", "corrupted-oracle", "turn-learner"})
"""Models that read gold answers."""

JUDGE = "lexical-judge"
"""The judge of weightless models, where no judge is named."""


def about(strategy: Strategy | type[Strategy]) -> str:
    """In one sentence or two, how a weightless model answers."""
    return " ".join((strategy.__doc__ or "").split("\n\n")[0].replace("*", "").split())
