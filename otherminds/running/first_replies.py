"""A run is stopped by its first replies where most of them are thoughts that found no end.

A model that thinks before it answers, asked with room for the answer alone, gives no answer at all: the
rest of such a run would be paid for in vain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from otherminds.errors import OtherMindsError
from otherminds.harness import Instance
from otherminds.running.reasoning import decoding_of, room

FIRST = 16
"""So many replies to each task are looked at."""

ENOUGH = 8
"""The run stops when so many of these hold no answer because a thought found no end."""


class FirstReplies:
    """Looks at the first replies to each task of a run, those that the journal holds included.

    is_alone  whether a reply to a request is a thought and no answer (`reasoning.Reasoning.is_alone`)
    within    whether an error may be raised while the model answers: a server's client would take it for
              a failure of the server's, and ask again
    say       takes a note instead of the error, once, in runs that go on
    """

    def __init__(
        self,
        is_alone: Callable[[Instance, Any], bool],
        *,
        within: bool,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._is_alone = is_alone
        self._within = within
        self._say = say
        self._sent: Counter[str] = Counter()
        self._seen: Counter[str] = Counter()
        self._alone: Counter[str] = Counter()
        self._limits: dict[str, int | None] = {}

    def saw(self, request: Instance, text: str, reason: str | None) -> None:
        """Look at a reply as it comes."""
        task = str(request.task_name)
        if self._seen[task] >= FIRST:
            return
        self._seen[task] += 1
        if self._is_alone(request, text):
            self._alone[task] += 1
            self._limits[task] = decoding_of(request).get("max_gen_toks")
            if self._within:
                self.check()

    def check(self) -> None:
        """Raise OtherMindsError if the run should not go on."""
        for task, n in self._alone.items():
            if n < ENOUGH:
                continue
            known = task, n, self._seen[task], self._limits[task]
            if self._say is None:
                raise OtherMindsError(_stopped(*known))
            self._say(_noted(*known))
            self._alone.clear()
            self._seen.update(dict.fromkeys(self._seen, FIRST))
            return

    def before_others(
        self, chunks: Iterable[list[int]], requests: Sequence[Instance], *, apart: bool
    ) -> Iterator[list[int]]:
        """Indices of requests in chunks, with a check after each.

        apart  let the first requests of each task come before the others, in two parts
        """
        self.check()
        for chunk in chunks:
            left = list(chunk)
            for up_to in (ENOUGH, FIRST) if apart else ():
                part = self._first(left, requests, up_to)
                left = [index for index in left if index not in {*part}]
                if part:
                    yield part
                    self.check()
            if left:
                yield left
                self.check()

    def _first(self, indices: Sequence[int], requests: Sequence[Instance], up_to: int) -> list[int]:
        found = []
        for index in indices:
            task = str(requests[index].task_name)
            if max(self._sent[task], self._seen[task]) < up_to:
                self._sent[task] += 1
                found.append(index)
        return found


def _stopped(task: str, n: int, seen: int, limit: int | None) -> str:
    room_here = f" ({room(limit):,} tokens here)" if limit else ""
    return (
        f"{_said(task, n, seen, limit)}: this model thinks first. --reasoning gives it room{room_here}, "
        "and --no-reasoning goes on as it is. What was answered is kept."
    )


def _noted(task: str, n: int, seen: int, limit: int | None) -> str:
    return f"{_said(task, n, seen, limit)}. More room: `--gen_kwargs max_gen_toks=N`."


def _said(task: str, n: int, seen: int, limit: int | None) -> str:
    had = f" in {limit:,} tokens" if limit else ""
    return f"{n} of the first {seen} replies to {task} hold thoughts and no answer{had}"
