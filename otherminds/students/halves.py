"""Who is trained on, and who is tested: halves of the groups, drawn by a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from otherminds.errors import OtherMindsError
from otherminds.students.view import Clue, Clues, Item

LEAST_GROUPS = 4
"""With fewer groups there is no half whose spread could be known."""


class Halves(NamedTuple):
    """The items of the groups that are trained on, and those of the others."""

    trained: list[Item]
    tested: list[Item]


def order(groups: Iterable[str], seed: int) -> list[str]:
    """The different groups in an order that depends on their names and the seed alone."""
    return sorted(
        set(groups), key=lambda one: (hashlib.sha256(f"{seed}\x00{one}".encode()).digest(), one)
    )


def halves(items: Sequence[Item], *, groups: int | None, seed: int) -> Halves:
    """The items of half of the groups, and those of the other half, of all or the first so many groups.

    Which half a group is in depends on its name, the seed, and which other groups there are. Raises
    OtherMindsError for fewer than LEAST_GROUPS groups.
    """
    chosen = order((item.group for item in items), seed)[:groups]
    if len(chosen) < LEAST_GROUPS:
        raise OtherMindsError(
            f"Students are trained on half of the groups and tested on the other: {len(chosen)} are "
            f"too few, {LEAST_GROUPS} are needed."
        )
    trained = set(chosen[::2])
    tested = set(chosen[1::2])
    return Halves(
        [item for item in items if item.group in trained],
        [item for item in items if item.group in tested],
    )


def asked(items: Iterable[Item]) -> list[Item]:
    """The items without their gold answers: all that a student is given of those it is tested on."""
    return [replace(item, gold=-1) for item in items]


def unlabelled(clues: Clues, items: Iterable[Item]) -> dict[str, list[Clue]]:
    """The clues on the groups of these items, without values."""
    return {
        group: [replace(clue, value=None) for clue in clues.get(group, ())]
        for group in dict.fromkeys(item.group for item in items)
    }


def labelled(clues: Clues, items: Iterable[Item]) -> dict[str, Sequence[Clue]]:
    """The clues on the groups of these items, as they are."""
    return {group: clues.get(group, ()) for group in dict.fromkeys(item.group for item in items)}
