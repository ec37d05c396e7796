"""Scripted players of the trust game: what they send, and what they say of it, is known beforehand.

They exist to test tasks and metrics, and they read a document's fields instead of its prompt. All of
them write whole replies, in the form that the prompts ask for. Where a game is played in whole dollars
they send the nearest one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import numpy as np

from otherminds.dataset_builders.trust_game.attributes import LevelSet, level_set
from otherminds.metrics.trust_game.effect_size import (
    PEOPLE_PER_LEVEL,
    elicited_eta_squared,
    eta_squared,
)
from otherminds.tasks.trust_game.questions import QUESTIONS
from otherminds.tasks.trust_game.replies import sending, stating
from otherminds.tasks.trust_game.weightless_sends import in_orders, with_middling_effects
from otherminds.types import Doc, FloatArray
from otherminds.weightless.questions import Questions, draw
from otherminds.weightless.strategies import Script

_NOTHING: Final = "I cannot say."


class Player(Script):
    """Half of the endowment, in every game and every round, and nothing to say about others."""

    questions: ClassVar[Questions] = QUESTIONS
    answers: ClassVar[str] = "the tasks of the trust game"

    def reply(self, doc: Doc, run: int) -> str:
        """The reply to a document."""
        if "kind" in doc and doc["kind"] != "role_play":
            return self._states(doc)
        if "dollars_returned" in doc:
            amount = self._forecasts(doc)
        elif "history" in doc:
            amount = self._plays(doc)
        elif "priors" in doc:
            amount = self._conditioned(doc)
        else:
            amount = self._sends(doc)
        if not doc["fractions"]:
            amount = math.floor(amount + 0.5)
        return sending(float(amount))

    def _states(self, doc: Doc) -> str:
        return _NOTHING

    def _sends(self, doc: Doc) -> float:
        return float(doc["endowment"]) / 2

    def _conditioned(self, doc: Doc) -> float:
        return self._sends(doc)

    def _plays(self, doc: Doc) -> float:
        return self._sends(doc)

    def _forecasts(self, doc: Doc) -> float:
        return self._sends(doc)


class LinearTrust(Player):
    """Sends E·(0.5 + a·x + b·z), x and z being openness and conscientiousness from −0.5 to 0.5.

    Where the two are independent and uniform, η² of openness is a²/(a² + b²) and that of
    conscientiousness b²/(a² + b²), in whole dollars too where E is ten and the traits have three levels.
    It states what follows from this for a whole population, and of all other attributes that they have
    no effect.
    """

    _WEIGHTS: Final[Mapping[str, float]] = {"openness": 0.4, "conscientiousness": 0.2}

    @classmethod
    def true_eta_squared(cls, attribute: str) -> float:
        """η² of an attribute in a large population with independent uniform traits."""
        return cls._WEIGHTS.get(attribute, 0.0) ** 2 / sum(w**2 for w in cls._WEIGHTS.values())

    def _sends(self, doc: Doc) -> float:
        own, traits = _levels(doc), _set(doc).traits
        share = 0.5 + sum(w * _position(own[name], traits) for name, w in self._WEIGHTS.items())
        return float(doc["endowment"]) * share

    def _states(self, doc: Doc) -> str:
        traits, dollars = _set(doc).traits, float(doc["endowment"])
        name, levels = doc["attribute"], doc["attribute_levels"]
        weight = self._WEIGHTS.get(name, 0.0)
        positions = [_position(level, traits) if weight else 0.0 for level in levels]
        spread = math.sqrt(sum(w**2 for other, w in self._WEIGHTS.items() if other != name))
        # The standard deviation of a uniform position among the levels of a trait.
        deviation = spread * float(np.std([_position(level, traits) for level in traits]))
        effect = self.true_eta_squared(name)
        return stating(
            doc,
            [dollars * (0.5 + weight * position) for position in positions],
            [dollars * deviation] * len(levels),
            # The order of a linear effect explains all of it.
            (effect, effect),
        )


class ConsistentTrust(Player):
    """Acts as it says: what it states of each attribute is just what its personas do.

    The sends are chosen such that the effect size of every attribute is the middle of a class, so that
    a statement in classes can be exact too (in whole dollars nearly so). Personas who are shown orders
    act by all of them at once.
    """

    _DIRECTION = 1

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._amounts: dict[str, float] = {}
        self._played: Sequence[Doc] = ()
        self._by_order: dict[tuple[str, float | None], float] = {}

    def prepare(self, docs: list[Doc]) -> None:
        """Choose what each persona of the run sends, without a prior and with one."""
        self._played = [doc for doc in docs if doc.get("kind") == "role_play"]
        if self._played:
            first = self._played[0]
            groups = [_groups(self._played, entry["attribute"]) for entry in first["levels"]]
            sends = with_middling_effects(
                groups, float(first["endowment"]), fractions=first["fractions"], seed=self._seed
            )
            ids = [doc["persona_id"] for doc in self._played]
            self._amounts = dict(zip(ids, map(float, sends), strict=True))
        informed = [doc for doc in docs if len(doc.get("priors", ())) > 1]
        for target in {doc["target_spearman"] for doc in informed}:
            self._act_on([doc for doc in informed if doc["target_spearman"] == target])

    def _act_on(self, docs: Sequence[Doc]) -> None:
        first = docs[0]
        own = _levels(first)
        given = [one for one in first["priors"] if one["order"] and one["attribute"] in own]
        if not given:
            return
        sends = in_orders(
            [_groups(docs, one["attribute"]) for one in given],
            [one["order"][:: self._DIRECTION] for one in given],
            float(first["endowment"]),
            fractions=first["fractions"],
        )
        if sends is not None:
            for doc, send in zip(docs, sends, strict=True):
                self._by_order[doc["persona_id"], doc["target_spearman"]] = float(send)

    def _sends(self, doc: Doc) -> float:
        return self._amounts.get(doc["persona_id"], float(doc["endowment"]) / 2)

    def _conditioned(self, doc: Doc) -> float:
        half = float(doc["endowment"]) / 2
        if len(doc["priors"]) > 1:
            return self._by_order.get((doc["persona_id"], doc["target_spearman"]), half)
        [given] = doc["priors"]
        if given["order"] is None:
            return half
        order: Sequence[str] = given["order"][:: self._DIRECTION]
        place = order.index(_levels(doc)[given["attribute"]])
        return float(doc["endowment"]) * (1 - (place + 1) / (len(order) + 1))

    def _states(self, doc: Doc) -> str:
        name, levels = doc["attribute"], doc["attribute_levels"]
        if not self._played:
            return _NOTHING
        if name not in _levels(self._played[0]):
            # Nothing is known of how its personas differ in this.
            return stating(doc, list(range(len(levels))), [1.0] * len(levels), (0.0, 0.0))
        groups = _groups(self._played, name)
        sends = np.array([self._amounts[one["persona_id"]] for one in self._played])
        counted = [sends[np.equal(groups, level)] for level in levels]
        # Of a level without personas, it states the mean of all.
        means = [float(own.mean()) if own.size else float(sends.mean()) for own in counted]
        deviations = [float(own.std(ddof=1)) if own.size > 1 else 0.0 for own in counted]
        effect = eta_squared(sends, groups)
        contrast = _contrast(sends, counted)
        return stating(
            doc, self._stated(means), _scaled(means, deviations, effect), (effect, contrast)
        )

    def _stated(self, means: Sequence[float]) -> list[float]:
        if self._DIRECTION > 0:
            return list(means)
        # Mirrored at the middle: the order turns around, and the differences keep their size.
        return [min(means) + max(means) - mean for mean in means]


class InconsistentTrust(ConsistentTrust):
    """Says the reverse of what it does: every ranking turned around, every effect as large as it is."""

    _DIRECTION = -1


class Memoryless(Player):
    """Sends a whole number of dollars that depends on the persona alone, and forecasts just that."""

    def _sends(self, doc: Doc) -> float:
        number = draw(0, (doc["persona_id"], ()), 0, "trust")
        return float(number % (int(doc["endowment"]) + 1))


class TitForTat(Player):
    """Opens with half of the endowment, then sends what came back; forecasts that it never changes.

    With E = 10 it sends 5, then k, k, … to the trustee that returns k. So the error of its forecasts is
    0 in round 1 and |5 − k| in every other.
    """

    def _plays(self, doc: Doc) -> float:
        opening = float(doc["endowment"]) / 2
        return float(doc["history"][-1]["returned"]) if doc["history"] else opening


def _levels(doc: Doc) -> dict[str, str]:
    return {entry["attribute"]: entry["level"] for entry in doc["levels"]}


def _set(doc: Doc) -> LevelSet:
    return level_set(doc["level_set"])


def _position(level: str, traits: Sequence[str]) -> float:
    """Where a level of a trait lies, from −0.5 to 0.5."""
    return traits.index(level) / (len(traits) - 1) - 0.5


def _groups(played: Sequence[Doc], attribute: str) -> list[str]:
    return [_levels(doc)[attribute] for doc in played]


def _contrast(sends: FloatArray, counted: Sequence[FloatArray]) -> float:
    """η² of the contrast that follows the order of the level means, as `Evaluated.contrast`."""
    present = sorted((own for own in counted if own.size), key=lambda own: float(own.mean()))
    c = np.arange(len(present)) - (len(present) - 1) / 2
    sizes = np.array([own.size for own in present])
    means = np.array([own.mean() for own in present])
    total = float(((sends - sends.mean()) ** 2).sum())
    return float((c @ means) ** 2 / (c**2 / sizes).sum() / total)


def _scaled(means: Sequence[float], deviations: Sequence[float], effect: float) -> list[float]:
    """The deviations times one factor, so that the stated effect size is `effect`."""
    between = PEOPLE_PER_LEVEL * float(np.sum((np.array(means) - np.mean(means)) ** 2))
    within = (PEOPLE_PER_LEVEL - 1) * float(np.sum(np.square(deviations)))
    factor = math.sqrt(between * (1 - effect) / (effect * within))
    scaled = [factor * deviation for deviation in deviations]
    if not math.isclose(elicited_eta_squared(means, scaled), effect, rel_tol=1e-9):
        raise ValueError("The stated effect size cannot be made that of the sends.")
    return scaled
