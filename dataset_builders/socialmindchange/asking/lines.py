"""Situations in line: those in which the first part of an option is as wished, in a drawn order.

Far more is wished than there are situations for, and what is drawn for a wish must not depend on that.
So the order is drawn for every wish, and which situations suit a part of it is kept, as bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np

from otherminds.dataset_builders.socialmindchange.asking.situations import Pool, Situation
from otherminds.dataset_builders.socialmindchange.world.chains import bits
from otherminds.dataset_builders.socialmindchange.world.frame import Ear, Face

_MOST_LOOKS: Final = 16


class Offered(Protocol):
    """A part of an option, under a name."""

    @property
    def name(self) -> object:
        """The same for parts that may be about the same."""

    def pool(self, there: Situation) -> Pool:
        """What it may be about in a situation, by the values."""


class Way(NamedTuple):
    """How the last word is rather put: in a setting and a tone, and `unfitting`, in another way than its
    hearer takes best."""

    setting: Face
    tone: Ear
    unfitting: bool

    def last(self, there: Situation) -> tuple[bool, bool]:
        """What puts a situation behind others."""
        word = there.word
        return self.unfitting and there.fits, (word.setting, word.tone) != self[:2]


class Line:
    """Situations that are tried for the same first part.

    weigh  how much rather a situation is tried; it depends on what `_shown` has of it
    """

    def __init__(
        self, situations: Sequence[Situation], weigh: Callable[[Situation], float]
    ) -> None:
        self._situations = situations
        shown = {_shown(one): one for one in situations}
        places = {one: place for place, one in enumerate(shown)}
        self._weights = [weigh(one) for one in shown.values()]
        self._turns = [places[_shown(one)] for one in situations]
        self._suiting: dict[tuple[object, str], tuple[int, int, int]] = {}

    def tried(
        self,
        rng: np.random.Generator,
        parts: Sequence[Offered],
        values: Sequence[str],
        *,
        hangs: bool,
        way: Way | None = None,
    ) -> Iterator[Situation]:
        """Of the first in a drawn order, those in which each part can have its value.

        How many there are of a kind does not count: whom the word is said to, about which matter and
        when is drawn evenly, for it is seen without the story.
        """
        count = len(self._situations)
        ranked = [0]
        if count > 1:
            order = rng.permutation(count).tolist()
            turns = rng.exponential(size=len(self._weights)).tolist()
            ranked = self._ranked(order, turns, way)[:_MOST_LOOKS]
        suiting = self._all_suit(bits(ranked), parts, values, hangs=hangs)
        if suiting:
            for place in ranked:
                if suiting >> place & 1:
                    yield self._situations[place]

    def _ranked(self, order: Sequence[int], turns: Sequence[float], way: Way | None) -> list[int]:
        """The places by turns, which kinds of situations get as they come up in a drawn order.

        Of a kind, those come last where the word is put otherwise than wanted.
        """
        left = iter(turns)
        got: dict[int, float] = {}
        for place in order:
            kind = self._turns[place]
            if kind not in got:
                got[kind] = next(left) / self._weights[kind]
        if way is not None:
            order = sorted(order, key=lambda place: way.last(self._situations[place]))
        return sorted(order, key=lambda place: got[self._turns[place]])

    def _all_suit(
        self, places: int, parts: Sequence[Offered], values: Sequence[str], *, hangs: bool
    ) -> int:
        """Those of the places where each part can have its value; if it `hangs`, one of them hanging."""
        hanging = 0 if hangs else -1
        for part, value in zip(parts, values, strict=True):
            standing, swayed = self._suit(places, part, value)
            if hangs:
                standing |= swayed
                hanging |= swayed
            places &= standing
            if not places:
                break
        return places & hanging

    def _suit(self, places: int, part: Offered, value: str) -> tuple[int, int]:
        """Those of the places (and perhaps others) where a part can have a value that does not hang on
        others, and that does."""
        known, standing, swayed = self._suiting.get((part.name, value), (0, 0, 0))
        if new := places & ~known:
            left = new
            while left:
                place = left & -left
                pool = part.pool(self._situations[place.bit_length() - 1])
                standing |= place * ((value, False) in pool)
                swayed |= place * ((value, True) in pool)
                left ^= place
            self._suiting[part.name, value] = known | new, standing, swayed
        return standing, swayed


def _shown(there: Situation) -> tuple[int, int, int, int]:
    """What is seen of a situation without the story."""
    return there.word.to, there.matter, there.first, len(there.words)
