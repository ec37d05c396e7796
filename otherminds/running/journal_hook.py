"""The hook through which lm-eval's models report answers, and which journals them as they come."""

from __future__ import annotations

import json
import math
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any

from otherminds.harness import CacheHook, Instance
from otherminds.running import finish
from otherminds.running.finish import REJECTED, Watch
from otherminds.running.journal import Journal


class JournalHook(CacheHook):
    """Journals answers as a backend reports them, and all of them when the call returns.

    A backend reports a request by its texts (and by decoding settings that it may have changed), so
    texts that were asked under several decodings wait for the return. Sampled repeats are matched in
    the order in which they are reported; the return puts each answer where it belongs. What
    `is_missing` says of is not an answer. `watch` is told each answer once. A request that a server
    rejects is journaled as such once it has answered another: it may be one that rejects all.
    """

    def __init__(
        self,
        journal: Journal,
        asked: dict[str, Instance],
        advance: Callable[[int], None],
        is_missing: Callable[[object], bool],
        watch: Watch | None,
    ) -> None:
        super().__init__(None)
        self._journal = journal
        self._advance = advance
        self._asked = asked
        self._is_missing = is_missing
        self._watch = watch
        self._reported: set[str] = set()
        self._rejected: dict[str, Any] = {}
        self._open: dict[tuple[Any, ...], deque[str]] = defaultdict(deque)
        decodings: dict[tuple[Any, ...], set[str]] = defaultdict(set)
        for key, request in asked.items():
            texts = _texts(request.args)
            self._open[texts].append(key)
            decodings[texts].add(canonical(request.args))
        for texts, settings in decodings.items():
            if len(settings) > 1:
                del self._open[texts]

    def add_partial(self, attr: str, req: Any, res: Any) -> None:
        """Called by a backend when it has one answer."""
        waiting = self._open.get(_texts(req))
        if waiting and not self._is_missing(res):
            key = waiting.popleft()
            if finish.reason_of(res) == REJECTED:
                self._rejected[key] = res
            else:
                self._journal.add({**self._rejected, key: res})
                self._rejected.clear()
            self._reported.add(key)
            self._advance(len(self._reported))
            self._tell(key, res)

    def finish(self, answers: dict[str, Any], *, is_answering: bool) -> None:
        """Journal the backend's answers, of a server that has answered any request or of none."""
        found = {key: one for key, one in answers.items() if not self._is_missing(one)}
        if is_answering:
            self._journal.add(found)
        self._advance(len(answers))
        for key, answer in found.items():
            if key not in self._reported:
                self._tell(key, answer)

    def _tell(self, key: str, answer: Any) -> None:
        if self._watch is not None:
            self._watch(self._asked[key], answer, finish.reason_of(answer))


def is_none(answer: object) -> bool:
    """Whether an answer is none."""
    return answer is None


def no_reply(answer: object) -> bool:
    """Whether a server's answer is none: an empty text that it gives no reason for, or no number."""
    if isinstance(answer, str):
        return answer == "" and finish.reason_of(answer) is None
    if isinstance(answer, list | tuple) and answer:
        # The log-likelihood of a prompt that was refused.
        return isinstance(answer[0], float) and math.isnan(answer[0])
    return answer is None


def _texts(args: Sequence[Any]) -> tuple[Any, ...]:
    # A chat API's messages are a named tuple of one text.
    return tuple(part for part in args if isinstance(part, str | tuple))


def canonical(value: Any) -> str:
    """A value as a text, equal for equal values."""
    return json.dumps(value, sort_keys=True, default=str)
