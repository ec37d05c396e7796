"""A small sample of personas in which every level of every evaluated attribute occurs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.trust_game.attributes import Attribute

LEAST: Final = 2
"""How often each level occurs in the sample, where enough people have it: one send is not a mean."""

_Ints: TypeAlias = NDArray[np.int64]
_Fault: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class _Pool:
    """Whom to draw from, by lot.

    has     (people, levels): 1 where the person has the level
    total   (levels,): how many people have it
    least   (levels,): how often it must occur, as far as possible
    size    how many people to draw
    """

    has: _Ints
    total: _Ints
    least: _Ints
    size: int


def draw_sample(
    levels: Mapping[str, Sequence[str]], attributes: Sequence[Attribute], *, size: int, seed: int
) -> frozenset[str]:
    """The keys of `size` people who cover the levels of all attributes.

    levels   by person: the person's level of each of `attributes`, in their order

    The first `size` people of a seeded order, then one exchange after the other, each time the best
    there is, until none improves the sample. Better is, in this order: fewer levels that are missing
    from it; fewer that occur less often than `LEAST` times (than there are people with them, where
    that is less); a smaller sum over levels of the squared difference between the sample's and
    everybody's share. All of it is whole numbers, and of equally good exchanges the first by lot is
    taken, so the sample is the same on every machine.

    With as many people as levels no level can be missing in the end: of the people whose leaving
    would remove a level each is alone with another level, so while one is missing there is somebody
    to spare.

    Raises ValueError when there are fewer people than `size`, nobody has some level, or fewer people
    than levels are wanted and do not cover them.
    """
    if len(levels) < size:
        raise ValueError(
            f"A sample of {size} personas cannot be drawn from {len(levels)}; more are needed."
        )
    order = sorted(levels, key=lambda key: rank(seed, "sample", key))
    names = [(attribute.name, level) for attribute in attributes for level in attribute.levels]
    has = _indicators([levels[key] for key in order], attributes)
    total = has.sum(axis=0)
    _refuse_missing(total, names, f"none of the {len(levels)} personas to draw from")
    pool = _Pool(has, total, np.minimum(total, LEAST), size)
    inside = _improved(pool)
    _refuse_missing(has[inside].sum(axis=0), names, f"no sample of {size} that was found")
    return frozenset(order[place] for place in inside)


def _indicators(people: Sequence[Sequence[str]], attributes: Sequence[Attribute]) -> _Ints:
    columns = [
        [own[place] == level for own in people]
        for place, attribute in enumerate(attributes)
        for level in attribute.levels
    ]
    return np.array(columns, dtype=np.int64).T


def _improved(pool: _Pool) -> list[int]:
    """The places of the sample, after all exchanges that improve it."""
    inside = list(range(pool.size))
    nobody = np.zeros((1, len(pool.total)), dtype=np.int64)
    fault, _ = _best_for(pool, pool.has[inside].sum(axis=0), nobody)
    while outside := sorted(set(range(len(pool.has))) - set(inside)):
        counts, others = pool.has[inside].sum(axis=0), pool.has[outside]
        found = [(*_best_for(pool, counts - pool.has[leaves], others), leaves) for leaves in inside]
        best, enters, leaves = min(found, key=lambda exchange: exchange[0])
        if best >= fault:
            break
        fault, inside = best, sorted({*inside, outside[enters]} - {leaves})
    return inside


def _best_for(pool: _Pool, counts: _Ints, others: _Ints) -> tuple[_Fault, int]:
    """The least fault with one of `others` beside a sample of these counts, and the first who gives it.

    A fault is how many levels are missing, how many are too few, and the squared distance of shares,
    times both sizes to stay with whole numbers. A person has a level once or not at all, so what one
    more person changes is a sum over that person's levels.
    """
    people = len(pool.has)
    distance = people * counts - pool.size * pool.total
    alone = [(counts == 0).sum(), np.maximum(pool.least - counts, 0).sum(), (distance**2).sum()]
    change = np.stack(
        [-1 * (counts == 0), -1 * (counts < pool.least), people * (people + 2 * distance)]
    )
    missing, short, squared = (np.array(alone) + others @ change.T).T
    # A stable sort: of equal ones, the first stays first.
    first = int(np.lexsort((squared, short, missing))[0])
    return (int(missing[first]), int(short[first]), int(squared[first])), first


def _refuse_missing(counts: _Ints, names: Sequence[tuple[str, str]], who: str) -> None:
    for count, (attribute, level) in zip(counts.tolist(), names, strict=True):
        if not count:
            raise ValueError(
                f"The level '{level}' of {attribute} occurs in {who}, so a sample cannot cover it. "
                "Take more people or another seed."
            )
