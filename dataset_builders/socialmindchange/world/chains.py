"""Chains: whose view it is, in whose eyes. (0,), (0, 3), (0, 3, 0)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

Chain: TypeAlias = tuple[int, ...]

LONGEST: Final = 3


@dataclass(frozen=True)
class Chains:
    """All chains of a group, each with its number.

    place    the number of a chain
    holders  by number, the last person of the chain
    alone    by number, whether the chain is that person alone
    """

    size: int
    all: tuple[Chain, ...]
    place: dict[Chain, int]
    holders: tuple[int, ...]

    def reached(self, hearers: frozenset[int], unseen: int | None) -> tuple[tuple[int, int], ...]:
        """Number and holder of each chain that something reaches which `hearers` hear in each other's
        sight, and perhaps one person unseen (R1)."""
        return _reached(self, hearers, unseen)

    def __hash__(self) -> int:
        return self.size


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
    return Chains(size, chains, places, tuple(chain[-1] for chain in chains))


@cache
def _reached(
    chains: Chains, hearers: frozenset[int], unseen: int | None
) -> tuple[tuple[int, int], ...]:
    return tuple(
        (number, chain[-1])
        for number, chain in enumerate(chains.all)
        if (chain[0] in hearers or chain[0] == unseen) and hearers.issuperset(chain[1:])
    )
