"""Windows: the documents of a run in parts that are asked, scored and written one after the other.

A window holds whole people (or stages), of all tasks at once, so that an engine reads the evidence that
they share in one go. No result depends on where windows end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from otherminds.harness.reading import Numbered

DOCUMENTS = 4_096
"""How many documents, at most and of all tasks together, are in memory at once.

Many times as many as the requests that a journaled model is given at once (1,024): an engine or a server
has as much to do as if all documents were there.
"""

Key = Callable[[Any], tuple[str, ...]]
"""From a document to what it shares with others that belong together."""

Window = dict[str, list[Numbered]]
"""Documents by task."""


@dataclass(frozen=True)
class Stream:
    """The documents of a task, in order, and what belongs together among them, if anything does."""

    documents: Iterator[Numbered]
    key: Key | None


def cut(streams: Mapping[str, Stream], size: int | None) -> Iterator[Window]:
    """The documents of tasks in windows of about `size`, or all in one.

    Where documents lie in the order of their keys, all tasks of a window end with the same key. What
    belongs together is cut where it alone is larger than a window.
    """
    waiting = {name: _Waiting(one) for name, one in streams.items()}
    while any(one.has_more() for one in waiting.values()):
        live = {name: one for name, one in waiting.items() if one.has_more()}
        share = math.inf if size is None else max(1, size // max(1, len(live)))
        for one in live.values():
            one.fill(share)
        # The last key that all tasks reach.
        end = min((one.end for one in live.values() if one.end is not None), default=None)
        taken = {name: one.take(end) for name, one in live.items()}
        if not any(taken.values()):
            # The documents do not lie in the order of their keys.
            taken = {name: one.take(None) for name, one in live.items()}
        yield {name: part for name, part in taken.items() if part}


class _Waiting:
    """The next documents of a task, with their keys.

    end  the last key whose documents are all here; None where that says nothing
    """

    def __init__(self, stream: Stream) -> None:
        self._coming = stream.documents
        self._key = stream.key
        self._here: list[Numbered] = []
        self._keys: list[Any] = []
        self.end: Any = None

    def has_more(self) -> bool:
        """Whether any document has not been taken."""
        if not self._here:
            self._read()
        return bool(self._here)

    def fill(self, n: float) -> None:
        """Read on until `n` documents are here, and what belongs to the last of them (of 2n, any)."""
        self.end = None
        while len(self._here) < n and self._read():
            pass
        if self._key is None or not self._read():
            return
        while self._keys[-1] == self._keys[-2] and len(self._here) < 2 * n and self._read():
            pass
        # Of the last, more may come; where one key has all the room, it is cut.
        self.end = self._keys[-2]

    def take(self, end: Any) -> list[Numbered]:
        """The documents up to the key `end`; None for all that are here."""
        if end is None or self._key is None:
            n = len(self._here)
        else:
            n = next((place for place, key in enumerate(self._keys) if key > end), len(self._keys))
        found, self._here, self._keys = self._here[:n], self._here[n:], self._keys[n:]
        return found

    def _read(self) -> bool:
        found = next(self._coming, None)
        if found is None:
            return False
        self._here.append(found)
        if self._key is not None:
            self._keys.append(self._key(found[1]))
        return True
