"""Chains: whose view it is, in whose eyes. (0,), (0, 3), (0, 3, 0)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

Chain: TypeAlias = tuple[int, ...]

LONGEST: Final = 3


@dataclass(frozen=True)
class Chains:
    """All chains of a group, each with its number. Sets of chains are numbers with a bit for each.

    place   the number of a chain; those of one person come first
    held    by person, the chains that end in them
    alone   the chains of one person
    """

    size: int
    all: tuple[Chain, ...]
    place: dict[Chain, int]
    held: tuple[int, ...]
    alone: int

    def reached(self, hearers: frozenset[int], unseen: int | None) -> int:
        """The chains that something reaches which `hearers` hear in each other's sight, and perhaps one
        person unseen (R1)."""
        return _reached(self, hearers, unseen)

    def __hash__(self) -> int:
        return self.size


def bits(numbers: Iterable[int]) -> int:
    """A set of numbers as bits."""
    found = 0
    for one in numbers:
        found |= 1 << one
    return found


@cache
def of_group(size: int) -> Chains:
    """The chains of a group of `size` people, the shorter first."""
    found: list[Chain] = [()]
    start = 0
    for _ in range(LONGEST):
        stop = len(found)
        found += [
            (*chain, person)
            for chain in found[start:stop]
            for person in range(size)
            if not chain or chain[-1] != person
        ]
        start = stop
    chains = tuple(found[1:])
    places = {chain: number for number, chain in enumerate(chains)}
    held = tuple(
        bits(number for number, chain in enumerate(chains) if chain[-1] == person)
        for person in range(size)
    )
    return Chains(size, chains, places, held, bits(range(size)))


@cache
def _reached(chains: Chains, hearers: frozenset[int], unseen: int | None) -> int:
    return bits(
        number
        for number, chain in enumerate(chains.all)
        if (chain[0] in hearers or chain[0] == unseen) and hearers.issuperset(chain[1:])
    )
