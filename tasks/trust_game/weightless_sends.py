"""The sends of scripted players of the trust game, whose scores are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, least_squares, milp

from otherminds.metrics.trust_game.effect_size import EFFECT_SIZE_CLASSES, eta_squared
from otherminds.types import FloatArray

Groups = Sequence[Sequence[str]]
"""By attribute, the level of each person."""

TOO_FEW: Final = (
    "{} personas are too few for a player whose effect sizes are known; take the default sample or a "
    "whole split, without --limit."
)

# Sends are compared in hundredths of a cent.
_DECIMALS: Final = 4
_STEPS: Final = 400
# Means that differ by less would be equal after rounding.
_MARGIN: Final = 0.01


def with_middling_effects(
    groups: Groups, endowment: float, *, fractions: bool, seed: int
) -> FloatArray:
    """Sends in which every attribute has the effect size in the middle of its class.

    groups    people by attribute; two attributes or more have several levels
    returns   dollars, shape (P,). With fractions, effects differ from the middles by about a millionth,
              for amounts are no finer than metrics count; in whole dollars as little as a local search
              finds, and no two levels of an attribute have the same mean

    Raises ValueError for too few people.
    """
    people = len(groups[0])
    if people < 2 * sum(len(set(own)) > 1 for own in groups):
        raise ValueError(TOO_FEW.format(people))
    start = np.random.default_rng(seed).uniform(0.3, 0.7, people) * endowment
    middles = np.array([(low + high) / 2 for low, high in EFFECT_SIZE_CLASSES.values()])
    effects = np.array([eta_squared(start, own) for own in groups])
    # Large effects of nine attributes at once would leave no room for each other.
    targets = middles[np.abs(effects[:, None] - middles[None, :2]).argmin(axis=1)]

    def missing(sends: FloatArray) -> list[float]:
        effects = (eta_squared(sends, own) for own in groups)
        return [effect - target for effect, target in zip(effects, targets, strict=True)]

    found = least_squares(
        missing,
        start,
        bounds=(0.0, endowment),
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
    )
    if np.abs(found.fun).max() > 1e-9:
        raise ValueError(TOO_FEW.format(people))
    if not fractions:
        return _in_whole_dollars(found.x, groups, targets, endowment)
    return np.array([round(float(send), _DECIMALS) for send in found.x])


def _in_whole_dollars(
    sends: FloatArray, groups: Groups, targets: FloatArray, endowment: float
) -> FloatArray:
    """Whole dollars near `sends`, changed one by one as long as effects come nearer to `targets`."""
    members = [np.array([np.equal(own, one) for one in sorted(set(own))]) for own in groups]
    current = np.rint(sends)
    steps = np.vstack([np.eye(len(sends)), -np.eye(len(sends))])
    best = _fault(current[None], members, targets)[0]
    for _ in range(_STEPS):
        near = current + steps
        faults = _fault(near, members, targets)
        faults[((near < 0) | (near > endowment)).any(axis=1)] = np.inf
        place = int(faults.argmin())
        if faults[place] >= best:
            break
        best, current = faults[place], near[place]
    return current


def _fault(
    sends: FloatArray, members: Sequence[NDArray[np.bool_]], targets: FloatArray
) -> FloatArray:
    """Squared distance of effects from targets, and one for each pair of equal means, shape (b,)."""
    total = ((sends - sends.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    found = np.zeros(len(sends))
    for own, target in zip(members, targets, strict=True):
        sizes = own.sum(axis=1)
        means = sends @ own.T / sizes
        between = (sizes * (means - sends.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        equal = np.diff(np.sort(means, axis=1), axis=1) < _MARGIN
        found += (between / np.maximum(total, 1e-9) - target) ** 2 + equal.sum(axis=1)
    return found


def in_orders(
    groups: Groups, orders: Sequence[Sequence[str]], endowment: float, *, fractions: bool
) -> FloatArray | None:
    """Sends whose means over levels follow the order of every attribute at once.

    groups   people by attribute
    orders   by attribute, its levels from the highest mean to the lowest; levels without personas are
             passed over
    returns  dollars, shape (P,); None where no sends do: by mixed-integer programming, the mean of each
             level is at least a cent above the next
    """
    people = len(groups[0])
    rows = []
    for own, order in zip(groups, orders, strict=True):
        members = [np.equal(own, level) for level in order]
        means = [one / one.sum() for one in members if one.any()]
        rows += [above - below for above, below in pairwise(means)]
    if not rows:
        return np.full(people, endowment / 2)
    found = milp(
        np.zeros(people),
        integrality=np.full(people, 0 if fractions else 1),
        bounds=Bounds(0, endowment),
        constraints=LinearConstraint(np.array(rows), lb=_MARGIN),
        options={"time_limit": 30},
    )
    if found.x is None:
        return None
    return np.array([round(float(send), _DECIMALS if fractions else 0) for send in found.x])
