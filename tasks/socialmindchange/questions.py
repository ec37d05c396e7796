"""SocialMindChange's documents, as models without weights read them; scenes told anew by rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from otherminds.metrics.socialmindchange.scene import BEGIN, END
from otherminds.tasks.socialmindchange.benchmark import BENCHMARK
from otherminds.types import Doc
from otherminds.weightless.questions import LETTERS, Questions

Line = Mapping[str, Any]


class SocialMindChangeQuestions(Questions):
    """Questions with options a, b, …; scenes are told anew in free text."""

    letters: ClassVar[str] = LETTERS.lower()

    def is_closed(self, doc: Doc) -> bool:
        """A scene that is to be told anew has lines, and no answers to choose from."""
        return "lines" not in doc

    def kinds(self, doc: Doc) -> Sequence[Hashable]:
        """The type of question and the state of mind that it is about."""
        return [(doc["type"], doc["mental_state"])]

    def perfect_reply(self, doc: Doc) -> str:
        """The scene, with a little more said in every line that need not stay."""
        return scene(map(rewritten, doc["lines"]))


def scene(lines: Iterable[str]) -> str:
    """A scene in the form that its prompt asks for."""
    return "\n".join([BEGIN, *lines, END])


def text(line: Line) -> str:
    """A line of a scene as it is."""
    return f"{line['speaker']}: {line['text']}" if line["speaker"] else str(line["text"])


def rewritten(line: Line) -> str:
    """A line with a little more said, where it need not stay."""
    if line["kept"]:
        return text(line)
    if line["speaker"]:
        return f"{line['speaker']}: Listen. {line['text']}"
    return f"A few moments passed. {text(line)}"


QUESTIONS = SocialMindChangeQuestions(BENCHMARK.person)
