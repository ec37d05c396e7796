"""How the progress of a build is told, part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from otherminds.types import Progress

TOTAL = 1_000
"""The whole of a build, in the units in which its progress is told."""

_Item = TypeVar("_Item")


class Stretch:
    """A part of a whole build's progress, which itself has a beginning and an end."""

    def __init__(self, progress: Progress | None, start: int = 0, end: int = TOTAL) -> None:
        self._progress, self._start, self._end = progress, start, end
        self._told = -1

    def part(self, start: int, end: int) -> Stretch:
        """The stretch from `start` to `end`, in thousandths of the whole build."""
        return Stretch(self._progress, start, end)

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` of this stretch are done."""
        share = min(done, total) / total if total else 1.0
        now = self._start + int(share * (self._end - self._start))
        if self._progress is not None and now != self._told:
            self._told = now
            self._progress(now, TOTAL)

    def through(self, items: Iterable[_Item], total: int) -> Iterator[_Item]:
        """The items, telling after each that it is done."""
        for done, item in enumerate(items, start=1):
            yield item
            self(done, total)
        self(total, total)
