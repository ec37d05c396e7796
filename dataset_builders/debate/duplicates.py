"""One belief per person and proposition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Belief:
    """Whether a person agrees with a proposition, since when, and the order among those of one day."""

    proposition: str
    category: str
    agrees: bool
    day: date
    rank: bytes


@lru_cache(maxsize=1 << 16)
def key_of(proposition: str) -> str:
    """What two wordings of one proposition share: their letters and digits in order, without case."""
    folded = proposition.casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded if c not in "'’").split())


def unique(beliefs: Iterable[Belief], dropped: Counter[str]) -> list[Belief]:
    """One person's beliefs, each proposition once, oldest first.

    Of several stances on one proposition the newest counts, because it is what the person believes;
    where those of the newest day disagree none is kept. `dropped` counts the others. Beliefs of one
    day are ordered by their ranks.
    """
    by_key: dict[str, list[Belief]] = {}
    for belief in beliefs:
        by_key.setdefault(key_of(belief.proposition), []).append(belief)
    kept = []
    for same in by_key.values():
        newest = max(belief.day for belief in same)
        last = sorted((b for b in same if b.day == newest), key=lambda belief: belief.rank)
        if len({belief.agrees for belief in last}) == 1:
            kept.append(last[0])
            dropped["older or repeated stance on the same proposition"] += len(same) - 1
        else:
            dropped["stances of one day that contradict each other"] += len(same)
    return sorted(kept, key=lambda belief: (belief.day, belief.rank))
