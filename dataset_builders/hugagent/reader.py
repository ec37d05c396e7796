"""A rule-based reader: answers items from what a prompt shows, to prove that they can be answered.

It sees an item's visible fields only. It knows the vocabulary, the update rule and the constants of
the population, as a perfect student of this documentation would, and nothing of the person.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from otherminds.dataset_builders.hugagent import dynamics
from otherminds.dataset_builders.hugagent.beliefs import delta_of
from otherminds.dataset_builders.hugagent.decoder import Decoder, Findings
from otherminds.dataset_builders.hugagent.dynamics import (
    link_log_odds,
    positive_log_odds,
    value_slope,
)
from otherminds.dataset_builders.hugagent.population import (
    BELIEFS,
    BUCKET_EDGES,
    OBSERVATION,
    STANCE_BAND,
    STANCES,
)
from otherminds.dataset_builders.hugagent.schema import Content, Topic
from otherminds.dataset_builders.hugagent.wording import VALUES
from otherminds.types import FloatArray

_COARSE_WEIGHT = {"low": 0.15, "mid": 0.5, "high": 0.87}
_TYPICAL_WEIGHT = 0.5
_CHANCE_OF_SILENT_REASON = 0.35
"""How likely a factor is one of the person's reasons although nothing said so."""

_LINK_WEIGHT = 0.5
_VALUE_VARIANCE = 0.36
_POLE_SLOPE = 8.0
_NEWTON_STEPS = 8


class Shown(NamedTuple):
    """An edge that an interview shows; `target` None is the stance."""

    source: str
    target: str | None
    sign: int
    weight: float
    stated: bool


class Portrait:
    """What the reader makes of one person on one topic."""

    def __init__(self, topic: Topic, findings: Findings) -> None:
        self._topic = topic
        self._findings = findings
        self.values = _likely_values(topic, findings)
        self._liking = {name: self._expected_sign(name) for name in topic.by_name}
        self._weights = {name: self._likely_weight(name) for name in topic.by_name}
        self.stance = self._likely_stance()

    def sign(self, source: str, target: str | None) -> int:
        """The likelier sign of an edge; `target` None is the stance."""
        if target is None:
            return 1 if self._liking[source] > 0 else -1
        known = self._findings.links.get((source, target))
        if known is not None:
            return known
        odds = link_log_odds(self._topic, source, target, self._liking)
        odds += _hint_odds(self._findings.link_hints.get((source, target), 0))
        return 1 if odds > 0 else -1

    def edges(self) -> list[Shown]:
        """The edges that the interview states or hints at, into the stance first."""
        found, names = self._findings, self._topic.by_name
        shown = [
            Shown(
                *(name, None, self.sign(name, None), self._weight_if_reason(name)),
                stated=name in found.effects,
            )
            for name in names
            if name not in found.indifferent
            and (self._is_reason(name) or name in found.experiences)
        ]
        pairs = dict.fromkeys((*found.links, *found.link_hints))
        return shown + [
            Shown(
                source,
                target,
                self.sign(source, target),
                _LINK_WEIGHT,
                (source, target) in found.links,
            )
            for source, target in pairs
        ]

    def stance_after(self, moves: Mapping[str, int]) -> float:
        """The expected stance after factors have moved."""
        names = list(self._topic.by_name)
        signs = np.array([self._liking[name] for name in names])
        weights = np.array([self._weights[name] for name in names])
        deltas = np.array([delta_of(moves.get(name, 0)) for name in names])
        return dynamics.stance_after(self.stance, signs, weights, deltas)

    def rating_after(self, reason: str, moves: Mapping[str, int]) -> int:
        """The expected rating of a reason after factors have moved."""
        names = [name for name in self._topic.by_name if name == reason or self._is_reason(name)]
        weights = np.array([self._weight_if_reason(name) for name in names])
        place = {name: index for index, name in enumerate(names)}
        links = np.zeros((len(names), len(names)))
        for source, target in self._findings.links:
            if source in place and target in place:
                links[place[source], place[target]] = _LINK_WEIGHT
        deltas = np.array([delta_of(moves.get(name, 0)) for name in names])
        weights = weights + dynamics.RATES.weight * (dynamics.spread_matrix(links) @ deltas)
        # Somebody's weightiest reason has weight 1; with few reasons known it may be another one.
        largest = max(float(weights.max()), 1.0 if len(names) < 3 else 0.3)
        share = min(max(float(weights[place[reason]]) / largest, 0.0), 1.0)
        return dynamics.LOWEST_RATING + math.floor(4.0 * share + 0.5)

    def _is_reason(self, name: str) -> bool:
        found = self._findings
        return name in found.ratings or name in found.coarse or name in found.effects

    def _weight_if_reason(self, name: str) -> float:
        found = self._findings
        if name in found.ratings:
            return _rating_weight(found.ratings[name])
        if name in found.coarse:
            return _COARSE_WEIGHT[found.coarse[name]]
        return _TYPICAL_WEIGHT

    def _likely_weight(self, name: str) -> float:
        if name in self._findings.indifferent:
            return 0.0
        if self._is_reason(name):
            return self._weight_if_reason(name)
        return _CHANCE_OF_SILENT_REASON * _TYPICAL_WEIGHT

    def _expected_sign(self, name: str) -> float:
        if name in self._findings.effects:
            return float(self._findings.effects[name])
        odds = positive_log_odds(self._topic.by_name[name], self.values)
        odds += _hint_odds(self._findings.experiences.get(name, 0))
        return math.tanh(odds / 2.0)

    def _likely_stance(self) -> float:
        signs = np.array([self._liking[name] for name in self._topic.by_name])
        weights = np.array([self._weights[name] for name in self._topic.by_name])
        stance = dynamics.initial_stance(
            signs,
            weights,
            self._topic.policy_loading.dot(self.values),
            0.0,
            belief_gain=STANCES.belief_gain,
            value_gain=STANCES.value_gain,
        )
        if self._findings.band is not None:
            top = STANCE_BAND * self._findings.band + 0.5
            return min(max(stance, top - STANCE_BAND + 0.25), top - 0.25)
        if self._findings.bucket is not None:
            edges = (1.0, *BUCKET_EDGES, 10.0)
            low, high = edges[self._findings.bucket - 1 : self._findings.bucket + 1]
            return min(max(stance, low), high)
        return stance


class Reader:
    """Answers items on one topic."""

    def __init__(self, content: Content, topic: Topic) -> None:
        self._topic = topic
        self._decoder = Decoder(content, topic)
        self._names = {factor.code: factor.name for factor in topic.factors}

    def portrait(self, context: Iterable[Mapping[str, str]]) -> Portrait:
        """What an interview tells of a person; an empty one tells nothing."""
        return Portrait(self._topic, self._decoder.read(context))

    def moves(self, question: str) -> dict[str, int]:
        """The factors that a scenario moves: −3 (sharply down) to 3 (sharply up)."""
        return self._decoder.moves(question)

    def answer(self, item: Mapping[str, Any], portrait: Portrait) -> str:
        """The answer to an item, in the form of its `answer` field.

        `item` needs the fields question, options, scale and reason_code.
        """
        if item["options"]:
            sign = portrait.sign(*self._decoder.edge(item["question"]))
            return "A" if sign > 0 else "B"
        moves = self._decoder.moves(item["question"])
        if item["reason_code"] is not None:
            return str(portrait.rating_after(self._names[item["reason_code"]], moves))
        return str(dynamics.reported_stance(portrait.stance_after(moves)))


def _rating_weight(rating: int) -> float:
    """The middle of the weights that are reported as this rating."""
    return {1: 0.06, 5: 1.0}.get(rating, (rating - 1) / 4.0)


def _hint_odds(valence: int) -> float:
    right = OBSERVATION.hint_is_right
    return valence * math.log(right / (1.0 - right))


def _likely_values(topic: Topic, findings: Findings) -> dict[str, float]:
    """The most probable values, given what the person says of them and of factors.

    Every statement is a logistic observation of the values, which are normal beforehand: a stated
    sign through the factor's loading, a pole through a steep curve on that value alone.
    """
    rows: list[list[float]] = []
    offsets: list[float] = []
    positive: list[float] = []
    for name, sign in findings.effects.items():
        loading, slope = topic.by_name[name].loading, value_slope(topic.by_name[name])
        rows.append([slope * getattr(loading, value) for value in VALUES])
        offsets.append(BELIEFS.prior_slope * topic.by_name[name].prior)
        positive.append(float(sign > 0))
    for value, high in findings.values.items():
        rows.append([_POLE_SLOPE * float(value == name) for name in VALUES])
        offsets.append(0.0)
        positive.append(float(high))
    if not rows:
        return dict.fromkeys(VALUES, 0.0)
    found = _posterior_mode(np.array(rows), np.array(offsets), np.array(positive))
    return {name: float(value) for name, value in zip(VALUES, found, strict=True)}


def _posterior_mode(rows: FloatArray, offsets: FloatArray, positive: FloatArray) -> FloatArray:
    """Newton's method for the mode of a logistic likelihood with a normal prior."""
    values = np.zeros(rows.shape[1])
    precision = np.eye(rows.shape[1]) / _VALUE_VARIANCE
    for _ in range(_NEWTON_STEPS):
        chances = 1.0 / (1.0 + np.exp(-(rows @ values + offsets)))
        slope = rows.T @ (positive - chances) - precision @ values
        curvature = (rows.T * (chances * (1.0 - chances))) @ rows + precision
        values = values + np.linalg.solve(curvature, slope)
    return values
