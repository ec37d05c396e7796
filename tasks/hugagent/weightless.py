"""The ceiling of HugAgent's synthetic track: a reader that knows the rules of the interviews."""

from __future__ import annotations

from functools import cache
from typing import Any

from otherminds.weightless.questions import Doc, Untaught, answer_space


class RuleBasedReader(Untaught):
    """Reads what the prompt shows by the rules that HugAgent's synthetic interviews were written with.

    Knows those rules and the update rule, and nothing of the person: the ceiling of that track.
    """

    def __init__(self) -> None:
        self._shown: tuple[str, Any] | None = None
        self._portrait: Any = None

    def choose(self, doc: Doc, run: int) -> int:
        """The answer that follows from the document's visible fields."""
        reader = _reader(doc["topic"])
        shown = (doc["topic"], doc["context"])
        if shown != self._shown:
            self._shown, self._portrait = shown, reader.portrait(doc["context"])
        index = answer_space(doc).index(reader.answer(doc, self._portrait))
        # The reader knows the options in their original order alone.
        return 1 - index if doc.get("options_swapped") else index


@cache
def _reader(topic: str) -> Any:
    from otherminds.dataset_builders.hugagent import content
    from otherminds.dataset_builders.hugagent.reader import Reader

    vocabulary = content.load()
    return Reader(vocabulary, vocabulary.topics[topic])
