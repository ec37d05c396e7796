"""The requests of a run that come in windows: how often each came before, and how far the run is."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from otherminds.harness import Instance

# Hexadecimal digits of a hash by which a request is remembered: a memory of all is not to weigh much.
_MARK = 32

Advance = Callable[[int, int], None]
"""Shows how many requests of how many are answered."""


class RequestWindows:
    """What is known from one window of a run to the next; without windows, from nothing to nothing.

    tasks  those of the run
    """

    def __init__(self, tasks: Sequence[str] = ()) -> None:
        self.tasks = tasks
        self._before, self._now, self._total = 0, 0, 0
        self._seen: Counter[tuple[str, bytes]] = Counter()
        self._asked: set[bytes] = set()
        self._done = 0
        self._has_begun = False

    def expect(self, before: int, now: int, total: int) -> None:
        """Documents before a window, in it, and in all."""
        self._before, self._now, self._total = before, now, total

    def numbered(self, requests: Sequence[Instance], digests: Sequence[str]) -> list[int]:
        """How many equal requests of its task came before each."""
        if not self._are_several:
            self._seen.clear()
        found = []
        for request, digest in zip(requests, digests, strict=True):
            mark = str(request.task_name), bytes.fromhex(digest[:_MARK])
            found.append(self._seen[mark])
            self._seen[mark] += 1
        return found

    def asked_before(self, keys: Sequence[str]) -> list[str]:
        """Those of some keys that windows before this one had; all are remembered."""
        if not self._are_several:
            return []
        marks = [hashlib.sha256(key.encode()).digest()[: _MARK // 2] for key in keys]
        found = [key for key, mark in zip(keys, marks, strict=True) if mark in self._asked]
        self._asked.update(marks)
        return found

    def begins(self) -> bool:
        """Whether requests are the first of those that are shown together."""
        is_first, self._has_begun = not self._has_begun, True
        return is_first or not self._are_several

    @contextmanager
    def advancing(self, advance: Advance, n: int) -> Iterator[Callable[[int], None]]:
        """What shows how many of `n` requests are answered, among those of all windows."""
        before = self._done if self._are_several else 0
        # As many requests for each document that is to come.
        ahead = n * (self._total - self._before) / self._now if self._are_several else n
        yield lambda done: advance(before + done, before + math.ceil(ahead))
        self._done = before + n

    @property
    def _are_several(self) -> bool:
        return self._now < self._total
