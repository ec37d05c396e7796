"""Drawing the people of the synthetic population: who they are, and what they hold, in order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.debate.synthetic_model import Model
from otherminds.dataset_builders.draws import stream
from otherminds.types import BoolArray, FloatArray

FEWEST_BELIEFS: Final = 8
MOST_BELIEFS: Final = 80
"""The fewest and most beliefs of a person: 64 known ones at most, so that some have more than 50."""

_BELIEFS_SHAPE = (0.9, 1.4)
"""Beta parameters of the number of beliefs within its range: most people hold few, some very many."""

_INTEREST_SHAPE = 0.8
"""Gamma shape of a person's interest in a category: the smaller, the more people keep to a few."""


class _Purpose(IntEnum):
    """What a stream of random numbers is for. The numbers are part of the data's definition."""

    PERSON = 0
    BELIEFS = 1
    ANSWERS = 2
    SUBSET = 3


@dataclass(frozen=True, eq=False)
class Person:
    """One simulated person.

    age_group      the true age group, whether or not the age is shown
    factors        (K,): θ
    background     attribute and value, as filled in
    propositions   (n,): places of the propositions in the model, oldest belief first
    agrees         (n,): the person's answers to them
    """

    age_group: int
    factors: FloatArray
    background: tuple[tuple[str, str], ...]
    propositions: NDArray[np.int64]
    agrees: BoolArray

    @property
    def n_known(self) -> int:
        """How many beliefs are known: the oldest 80 %, rounded down."""
        return 4 * len(self.propositions) // 5


def draw_person(model: Model, seed: int, number: int) -> Person:
    """The person of this number; the same whoever else is drawn."""
    rng = stream((seed, number), (_Purpose.PERSON,))
    group = int(rng.choice(len(model.ages), p=np.exp(model.log_share)))
    spread = np.linalg.cholesky(model.covariance)
    factors = model.means[group] + spread @ rng.standard_normal(len(spread))
    background = _background(model, rng, group, factors)
    chosen = _propositions(model, stream((seed, number), (_Purpose.BELIEFS,)))
    log_odds = model.lean[chosen] + model.slope[chosen] @ factors
    answers = stream((seed, number), (_Purpose.ANSWERS,)).random(len(chosen))
    return Person(group, factors, background, chosen, answers < 1.0 / (1.0 + np.exp(-log_odds)))


def draw_subset(
    age_groups: NDArray[np.int64], beliefs: NDArray[np.int64], seed: int, size: int
) -> BoolArray:
    """Mark `size` people so that each stratum has its share, give or take one.

    A stratum is an age group and a number of beliefs (by 20s), which are given for everybody. People
    are ordered by stratum, at random within it, and taken at even steps.
    """
    people = len(age_groups)
    marked = np.zeros(people, dtype=np.bool_)
    rng = stream((seed, people), (_Purpose.SUBSET,))
    tie = rng.permutation(people)
    order = np.lexsort((tie, beliefs // 20, age_groups))
    start = int(rng.integers(people))
    if size:
        marked[order[(start + np.arange(size) * people // size) % people]] = True
    return marked


def _background(
    model: Model, rng: np.random.Generator, group: int, factors: FloatArray
) -> tuple[tuple[str, str], ...]:
    """What the person fills in. Every draw is made whether or not it is used."""
    speaks = bool(rng.random() >= model.silent)
    low, high = model.ages[group]
    said = [("age", str(int(rng.integers(low, high + 1))), bool(rng.random() < model.age_shown))]
    for attribute in model.attributes:
        score = attribute.offset[group] + attribute.slope @ factors
        odds = np.exp(score - score.max())
        value = attribute.values[int(rng.choice(len(odds), p=odds / odds.sum()))]
        said.append((attribute.name, value, bool(rng.random() < attribute.shown)))
    return tuple((name, value) for name, value, shown in said if speaks and shown)


def _propositions(model: Model, rng: np.random.Generator) -> NDArray[np.int64]:
    """The propositions that the person has a view on, in the order in which they wrote of them."""
    span = MOST_BELIEFS - FEWEST_BELIEFS + 1
    count = FEWEST_BELIEFS + min(int(span * rng.beta(*_BELIEFS_SHAPE)), span - 1)
    names = sorted(set(model.categories))
    own = dict(zip(names, rng.gamma(_INTEREST_SHAPE, size=len(names)), strict=True))
    liking = model.interest * np.array([own[name] for name in model.categories])
    # The largest Gumbel keys are a sample without replacement, weighted by interest.
    keys = np.log(np.maximum(liking, np.finfo(np.float64).tiny)) + rng.gumbel(size=len(liking))
    return rng.permutation(np.sort(np.argsort(-keys, kind="stable")[:count]))
