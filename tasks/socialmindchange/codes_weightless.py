"""Scripted re-renderers of scenes: they exist to test the task and its checks.

They read a document's lines instead of its prompt.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from otherminds.tasks.socialmindchange.questions import QUESTIONS, rewritten, scene, text
from otherminds.types import Doc
from otherminds.weightless.questions import Questions
from otherminds.weightless.strategies import Script


class SceneCopier(Script):
    """Tells every scene as it was."""

    questions: ClassVar[Questions] = QUESTIONS
    answers: ClassVar[str] = "socialmindchange_codes_render"

    def reply(self, doc: Doc, run: int) -> str:
        """The scene."""
        return scene(self._lines(doc))

    def _lines(self, doc: Doc) -> Iterable[str]:
        return map(text, doc["lines"])


class SceneRewriter(SceneCopier):
    """Says a little more in every line that need not stay."""

    def _lines(self, doc: Doc) -> Iterable[str]:
        return map(rewritten, doc["lines"])


class SceneDropper(SceneCopier):
    """Leaves out the first line that has to stay."""

    def _lines(self, doc: Doc) -> Iterable[str]:
        dropped = next(line for line in doc["lines"] if line["kept"])
        return (text(line) for line in doc["lines"] if line is not dropped)


class StateAdder(SceneCopier):
    """Says at the end how somebody feels."""

    def _lines(self, doc: Doc) -> Iterable[str]:
        who = doc["characters"][0]["given"]
        return [*super()._lines(doc), f"One could see that {who} was ashamed."]
