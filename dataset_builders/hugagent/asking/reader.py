"""A reader of claims: answers items from what an interview conveys, adding up over all minds that
fit it.

It knows the rules and parameters of the population, and of the person what a prompt shows, with one
exception that its name says: it is handed the claims that the shown answers convey, and does not
read words.

Given values, opinion, firmness and engagement, beliefs and weights are independent. So it adds up
over all 81 · 10 · 3 · 3 states, and over every sign and weight that an answer rests on and that is
not known for certain: for stances and weights its answer is the one with the best chance of being
right (Bayes-optimal on these claims). For BSI it is not quite: which beliefs are asked about
depends on their signs, and of that it takes into account only that common answers are asked for
less often than they occur.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from otherminds.dataset_builders.hugagent.decoder import Decoder
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.reader import Shown
from otherminds.dataset_builders.hugagent.schema import Content, Topic
from otherminds.dataset_builders.hugagent.world import change, parameters, stances
from otherminds.dataset_builders.hugagent.world.claims import Claim
from otherminds.dataset_builders.hugagent.world.minds import (
    neighbor,
    stance_band,
    stance_bucket,
)
from otherminds.dataset_builders.hugagent.world.network import (
    COARSE,
    COARSE_IS_RIGHT,
    HINT_IS_RIGHT,
    EdgeKey,
    coarse_of,
    ways_between,
)
from otherminds.dataset_builders.hugagent.world.people import (
    LEANINGS,
    PROFILES,
    leaning_of,
    profile_chances,
)
from otherminds.types import FloatArray

RATINGS: Final = (1, 2, 3, 4, 5)
_LINK_WEIGHT: Final = 0.5
_BOTH: Final = (1, -1)


@dataclass
class Told:
    """What the claims of the shown answers say, put together as far as they lead.

    signs      beliefs whose sign is certain; 0 for one that does nothing
    hints      beliefs at whose sign something hints
    weights    how firmly a weight is told, and the level
    wins       by what they act on: the factor that counts for more, and the other
    """

    stance: tuple[str, int] | None = None
    firmness: tuple[str, int] | None = None
    values: dict[str, int] = field(default_factory=dict)
    signs: dict[EdgeKey, int] = field(default_factory=dict)
    hints: dict[EdgeKey, int] = field(default_factory=dict)
    weights: dict[str, tuple[str, int]] = field(default_factory=dict)
    wins: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def joined(self) -> list[EdgeKey]:
        """The beliefs of which something is told, but those that say that nothing happens."""
        return [key for key, sign in self.signs.items() if sign] + list(self.hints)


def told(claims: Iterable[Claim]) -> Told:
    """Put claims together: what is taken up again counts only with what it takes up."""
    found, first = Told(), {}
    for claim in claims:
        key = (claim.source, claim.target)
        if claim.kind == "stance":
            found.stance = (claim.told, claim.level)
        elif claim.kind == "firmness":
            found.firmness = (claim.told, claim.level)
        elif claim.kind == "value":
            found.values[claim.source] = claim.level
        elif claim.kind == "weight":
            found.weights[claim.source] = (claim.told, claim.level)
        elif claim.kind == "weighing":
            found.wins[claim.on] = key
        elif claim.kind == "effect":
            (found.signs if claim.told == "stated" else found.hints)[key] = claim.sign
        elif claim.kind in ("others_effect", "first_view"):
            first[claim.claim_id] = claim
        elif claim.about in first:
            found.signs[key] = first[claim.about].sign * claim.sign
    return found


class _Sign(NamedTuple):
    """The possible signs of a belief, and the weight of each: a number, or by values and opinion."""

    name: EdgeKey
    values: tuple[int, ...]
    weights: tuple[FloatArray | float, ...]


class Portrait:
    """What follows from the claims about one person on one topic."""

    def __init__(self, topic: Topic, leaning: int | None, found: Told) -> None:
        self._topic = topic
        self._known = parameters.load()[topic.topic]
        self._told = found
        self._positive = {
            name: stances.positive_chances(factor) for name, factor in topic.by_name.items()
        }
        self._ratings = stances.rating_chances(self._known)
        self._state: FloatArray = self._likely_states(leaning)

    def positive(self, source: str, target: str) -> float:
        """The probability that more of `source` raises `target` in this person's view."""
        ways = self._ways(source, target)
        if len(ways) == 1:
            lean = prod(2.0 * self._sign_chance(key) - 1.0 for key in ways[0])
            return (1.0 + lean) / 2.0
        if len(ways) > 1:
            return self._weighed(target, ways)
        return self._implied(source, target)

    def edges(self) -> list[Shown]:
        """The beliefs that the interview tells, into the stance first."""
        found = [
            Shown(
                source,
                None if target == STANCE else target,
                self._told.signs.get((source, target)) or self._told.hints[source, target],
                self._told_weight(source) if target == STANCE else _LINK_WEIGHT,
                stated=(source, target) in self._told.signs,
            )
            for source, target in dict.fromkeys(self._told.joined)
        ]
        return sorted(found, key=lambda one: one.target is not None)

    def stance_before(self) -> FloatArray:
        """P(opinion before any scenario), of shape (10,)."""
        return _of_whole(self._with_hints(set()).sum(axis=(0, 2)))

    def stance_after(self, moves: Mapping[str, int]) -> FloatArray:
        """P(opinion after a scenario), of shape (10,)."""
        by_push: dict[float, FloatArray] = {}
        for known, weight in self._cases(moves, ()):
            pushed = self._pushed(moves, known)
            by_push[pushed] = by_push.get(pushed, 0.0) + weight
        reached = np.zeros(len(stances.STANCES))
        for pushed, weight in by_push.items():
            for firmness in stances.FIRMNESSES:
                for place, opinion in enumerate(stances.STANCES):
                    after = change.stance_after(opinion, pushed, firmness)
                    reached[after - 1] += weight[place, firmness] * self._as_drawn(pushed)
        return _of_whole(reached)

    def rating_after(self, reason: str, moves: Mapping[str, int]) -> FloatArray:
        """P(rating of a reason after a scenario), of shape (5,)."""
        acting = [(source, reason) for source in moves if (source, reason) in self._told.joined]
        reached = np.zeros(len(RATINGS))
        for known, weight in self._cases(moves, [*acting, reason]):
            signs = {source: known[source, reason] for source, _ in acting}
            after = change.rating_after(reason, known[reason], moves, signs)
            chance = float(weight.sum()) * self._as_drawn(self._pushed(moves, known))
            reached[after - 1] += chance
        return _of_whole(reached)

    def _likely_states(self, leaning: int | None) -> FloatArray:
        """The weight of each state (values, opinion, firmness), by all claims but hints at beliefs."""
        weights = np.zeros((len(PROFILES), len(stances.STANCES)))
        shares = _LEANING_SHARES if leaning is None else {leaning: 1.0}
        for each, share in shares.items():
            by_values = profile_chances(each)[:, None]
            chances = stances.stance_chances(self._topic.topic, self._known, each)
            weights += share * by_values * chances
        weights *= (
            stances.value_told_chance(self._told.values)[:, None] if self._told.values else 1.0
        )
        weights *= _stance_chances(self._told.stance)[None, :]
        for (source, target), sign in self._told.signs.items():
            if target == STANCE and sign:
                weights *= self._of_sign(source, sign)
        state: FloatArray = weights[:, :, None] * stances.firmness_chances(self._known)[None, :, :]
        return state * _firmness_chances(self._told.firmness)[None, None, :]

    def _with_hints(self, apart: set[Any]) -> FloatArray:
        """The weights of states by hints at beliefs as well, but for those that stand apart."""
        state = self._state
        for (source, target), hint in self._told.hints.items():
            if target == STANCE and (source, target) not in apart:
                either = [self._of_sign(source, one) * _hint_chance(hint, one) for one in _BOTH]
                state = state * (either[0] + either[1])[:, :, None]
        return state

    def _of_sign(self, source: str, sign: int) -> FloatArray:
        """P(the belief has this sign | values, opinion)."""
        return self._positive[source] if sign > 0 else 1.0 - self._positive[source]

    def _cases(
        self, moves: Mapping[str, int], also: Sequence[Any]
    ) -> Iterator[tuple[dict[Any, int], FloatArray]]:
        """Every way in which what an answer rests on can be, with its weight by opinion and firmness."""
        needed = dict.fromkeys([*also, *(one for name in moves for one in self._pull_of(name))])
        signs = [self._sign(name) for name in needed if not isinstance(name, str)]
        state = self._with_hints(set(needed))
        rated = list(self._rated([name for name in needed if isinstance(name, str)]))
        for values in itertools.product(
            *(zip(one.values, one.weights, strict=True) for one in signs)
        ):
            weight = state
            for _, factor in values:
                weight = weight * (factor if isinstance(factor, float) else factor[:, :, None])
            by_state = weight.sum(axis=0)
            known = {one.name: value for one, (value, _) in zip(signs, values, strict=True)}
            for ratings, share in rated:
                yield {**known, **ratings}, by_state * share

    def _rated(self, names: Sequence[str]) -> Iterator[tuple[dict[Any, int], float]]:
        """Every way in which these reasons can be rated, with its weight over all engagements."""
        engaged = np.array(stances.ENGAGEMENT_SHARES)
        for name in self._told.weights:
            if name not in names:
                engaged = engaged * sum(chances for _, chances in self._weight(name))
        engaged /= engaged.sum()
        for ratings in itertools.product(*(self._weight(name) for name in names)):
            share = engaged
            for _, chances in ratings:
                share = share * chances
            yield (
                dict(zip(names, (rating for rating, _ in ratings), strict=True)),
                float(share.sum()),
            )

    def _pull_of(self, name: str) -> list[Any]:
        """What makes up a factor's pull: its own belief and weight, or those it acts through."""
        ways = self._told_ways(name)
        if not ways:
            return [(name, STANCE), name]
        return [part for middle in ways for part in ((name, middle), (middle, STANCE), middle)]

    def _told_ways(self, name: str) -> list[str]:
        """What a factor acts on the stance through; nothing where it acts directly."""
        if (name, STANCE) in self._told.joined or (name, STANCE) in self._told.signs:
            return []
        joined = self._told.joined
        return [
            middle for source, middle in joined if source == name and (middle, STANCE) in joined
        ]

    def _pushed(self, moves: Mapping[str, int], known: Mapping[Any, int]) -> float:
        pulls = {}
        for name in moves:
            ways = self._told_ways(name)
            pulls[name] = (
                sum(
                    known[name, middle] * known[middle, STANCE] * change.counts(known[middle])
                    for middle in ways
                )
                if ways
                else known[name, STANCE] * change.counts(known[name])
            )
        return change.push(moves, pulls)

    def _as_drawn(self, pushed: float) -> float:
        """How likely a scenario is turned this way round."""
        if pushed == 0.0:
            return 0.5
        return self._known.upward if pushed > 0 else 1.0 - self._known.upward

    def _sign(self, name: EdgeKey) -> _Sign:
        source, target = name
        if name in self._told.signs:
            return _Sign(name, (self._told.signs[name],), (1.0,))
        hint = self._told.hints.get(name, 0)
        odds: list[FloatArray | float] = []
        for sign in _BOTH:
            if target == STANCE:
                odds.append(self._of_sign(source, sign) * _hint_chance(hint, sign))
            else:
                likely = stances.link_chance(self._topic, source, target)
                odds.append((likely if sign > 0 else 1.0 - likely) * _hint_chance(hint, sign))
        return _Sign(name, _BOTH, tuple(odds))

    def _weight(self, name: str) -> list[tuple[int, FloatArray]]:
        """The ratings that fit what is told, each with P(rating and what is told | engagement)."""
        how, level = self._told.weights.get(name, ("", 0))
        if how == "stated":
            return [(level, self._ratings[:, level - 1])]
        shown = [1.0 if how == "" else _coarse_chance(rating, level) for rating in RATINGS]
        return [
            (rating, self._ratings[:, rating - 1] * fit)
            for rating, fit in zip(RATINGS, shown, strict=True)
            if fit > 0.0
        ]

    def _told_weight(self, name: str) -> float:
        level = self._told.weights.get(name, ("", 0))[1]
        return change.counts(level) if level else _LINK_WEIGHT

    def _ways(self, source: str, target: str) -> list[list[EdgeKey]]:
        """The ways along told beliefs; a belief of its own goes before all others."""
        if (source, target) in self._told.joined:
            return [[(source, target)]]
        return ways_between(self._told.joined, source, target)

    def _weighed(self, target: str, ways: Sequence[Sequence[EdgeKey]]) -> float:
        """Of several ways, the one that counts for the person; else all of them alike."""
        winner = self._told.wins.get(target, ("", ""))[0]
        kept = [way for way in ways if way[-1][0] == winner] or ways
        leans = [prod(2.0 * self._sign_chance(key) - 1.0 for key in way) for way in kept]
        return (1.0 + sum(leans) / len(leans)) / 2.0

    def _sign_chance(self, key: EdgeKey) -> float:
        """The probability that a told belief is positive; either sign is asked about as often."""
        if key in self._told.signs:
            return 1.0 if self._told.signs[key] > 0 else 0.0
        return _hint_chance(self._told.hints[key], 1)

    def _implied(self, source: str, target: str) -> float:
        """Of a belief that nothing tells: what values and opinion make of it, beyond what is common."""
        share = self._known.positive_items
        odds = share / (1.0 - share)
        if target == STANCE:
            state = self._with_hints(set()).sum(axis=2)
            likely = float((state * self._positive[source]).sum() / state.sum())
            common = stances.typical_chance(self._topic, source, None)
            odds *= likely / (1.0 - likely) * (1.0 - common) / common
        return odds / (1.0 + odds)


class Reader:
    """Answers items on one topic."""

    def __init__(self, content: Content, topic: Topic) -> None:
        self._topic = topic
        self._decoder = Decoder(content, topic)
        self._names = {factor.code: factor.name for factor in topic.factors}

    def portrait(
        self, claims: Iterable[Claim], demographics: Iterable[Mapping[str, str]]
    ) -> Portrait:
        """What claims and demographics tell of a person; without either, what is known of everybody."""
        shown = {one["attribute"]: one["value"] for one in demographics}
        known = self._of_topic(list(claims))
        leaning = leaning_of(shown) if shown.get("political leaning") in LEANINGS else None
        return Portrait(self._topic, leaning, told(known))

    def moves(self, question: str) -> dict[str, int]:
        """The factors that a scenario moves: −3 (sharply down) to 3 (sharply up)."""
        return self._decoder.moves(question)

    def edge(self, question: str) -> tuple[str, str]:
        """The two ends that a BSI question asks about."""
        source, target = self._decoder.edge(question)
        return source, target or STANCE

    def answer(self, item: Mapping[str, Any], portrait: Portrait, *, scenario: bool = True) -> str:
        """The answer to an item, in the form of its `answer` field.

        `item` needs the fields question, options, scale and reason_code. Without `scenario` it takes
        every scenario for one that moves nothing.
        """
        if item["options"]:
            return "A" if portrait.positive(*self.edge(item["question"])) >= 0.5 else "B"
        moves = self._decoder.moves(item["question"]) if scenario else {}
        if item["reason_code"] is not None:
            chances = portrait.rating_after(self._names[item["reason_code"]], moves)
            return str(_best(chances, 1))
        chances = portrait.stance_after(moves) if moves else portrait.stance_before()
        return str(_best(chances, 2))

    def _of_topic(self, claims: list[Claim]) -> list[Claim]:
        """All of them; of another topic's interview, what is said of values, which are everybody's."""
        named = {
            name
            for claim in claims
            if claim.kind != "value"
            for name in (claim.source, claim.target, claim.on)
        }
        if named <= {"", STANCE, *self._topic.by_name}:
            return claims
        return [claim for claim in claims if claim.kind == "value"]


_LEANING_SHARES: Final[Mapping[int, float]] = {-2: 0.09, -1: 0.23, 0: 0.36, 1: 0.23, 2: 0.09}


def _of_whole(weights: FloatArray) -> FloatArray:
    shares: FloatArray = weights / weights.sum()
    return shares


def _best(chances: FloatArray, tolerance: int) -> int:
    """The answer most likely to count as right; of several, the likeliest itself."""
    ends = range(len(chances))
    near = [
        round(float(chances[max(place - tolerance, 0) : place + tolerance + 1].sum()), 9)
        for place in ends
    ]
    return 1 + max(ends, key=lambda place: (near[place], round(float(chances[place]), 9), -place))


def _hint_chance(hint: int, sign: int) -> float:
    """P(such a hint | sign); 1 where there is none."""
    if hint == 0:
        return 1.0
    return HINT_IS_RIGHT if hint == sign else 1.0 - HINT_IS_RIGHT


def _coarse_chance(rating: int, shown: int) -> float:
    """P(a hint shows this coarse weight | rating)."""
    return _off_by_one(COARSE.index(coarse_of(rating)), COARSE.index(shown), 0, len(COARSE) - 1)


def _off_by_one(true: int, shown: int, low: int, high: int) -> float:
    """P(a hint shows this level | level): now and then it shows a neighbor."""
    right = COARSE_IS_RIGHT * (shown == true)
    wrong = sum(0.5 * (neighbor(true, low, high, up=up) == shown) for up in (True, False))
    return right + (1.0 - COARSE_IS_RIGHT) * wrong


def _stance_chances(shown: tuple[str, int] | None) -> FloatArray:
    if shown is None:
        return np.ones(len(stances.STANCES))
    how, level = shown
    if how == "stated":
        return np.array([float(stance_band(one) == level) for one in stances.STANCES])
    return np.array([_off_by_one(stance_bucket(one), level, 1, 4) for one in stances.STANCES])


def _firmness_chances(shown: tuple[str, int] | None) -> FloatArray:
    if shown is None:
        return np.ones(len(stances.FIRMNESSES))
    how, level = shown
    if how == "stated":
        return np.array([float(one == level) for one in stances.FIRMNESSES])
    return np.array([_off_by_one(one, level, 0, 2) for one in stances.FIRMNESSES])
