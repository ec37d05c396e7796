"""A small sample of personas in which every level of every evaluated attribute occurs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.trust.attributes import Attribute

LEAST: Final = 2
"""How often each level occurs in the sample, where enough people have it: one send is no mean."""

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
    fault = _faults(pool, pool.has[inside].sum(axis=0)[None])[0]
    while outside := sorted(set(range(len(pool.has))) - set(inside)):
        found = [_best_for(pool, inside, leaves, outside) for leaves in inside]
        best, leaves, enters = min(found, key=lambda exchange: exchange[0])
        if best >= fault:
            break
        fault, inside = best, sorted({*inside, enters} - {leaves})
    return inside


def _best_for(
    pool: _Pool, inside: list[int], leaves: int, outside: list[int]
) -> tuple[_Fault, int, int]:
    """Whom to take for the one who leaves, and the fault of the sample that this gives."""
    counts = pool.has[inside].sum(axis=0) - pool.has[leaves] + pool.has[outside]
    faults = _faults(pool, counts)
    enters = min(range(len(outside)), key=faults.__getitem__)
    return faults[enters], leaves, outside[enters]


def _faults(pool: _Pool, counts: _Ints) -> list[_Fault]:
    """For each row of counts (samples, levels): levels missing, levels too few, squared distance."""
    missing = (counts == 0).sum(axis=1)
    short = np.maximum(pool.least - counts, 0).sum(axis=1)
    # Shares times both sizes, to stay with whole numbers.
    distance = ((len(pool.has) * counts - pool.size * pool.total) ** 2).sum(axis=1)
    return list(zip(missing.tolist(), short.tolist(), distance.tolist(), strict=True))


def _refuse_missing(counts: _Ints, names: Sequence[tuple[str, str]], who: str) -> None:
    for count, (attribute, level) in zip(counts.tolist(), names, strict=True):
        if not count:
            raise ValueError(
                f"The level '{level}' of {attribute} occurs in {who}, so a sample cannot cover it. "
                "Take more people or another seed."
            )
