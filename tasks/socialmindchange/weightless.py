"""Scripted re-renderers of scenes: they exist to test the task and its checks.

They read a document's lines instead of its prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from otherminds.metrics.socialmindchange.scene import BEGIN, END
from otherminds.weightless.questions import Doc, Script

Line = Mapping[str, Any]


class SceneCopier(Script):
    """Tells every scene as it was."""

    answers = "socialmindchange_render"

    def write(self, doc: Doc, run: int) -> str:
        """The scene; nothing to documents of other tasks."""
        return _reply(self._lines(doc)) if "lines" in doc else ""

    def _lines(self, doc: Doc) -> Iterable[str]:
        return map(_text, doc["lines"])


class SceneRewriter(SceneCopier):
    """Says a little more in every line that need not stay."""

    def _lines(self, doc: Doc) -> Iterable[str]:
        return map(_rewritten, doc["lines"])


class SceneDropper(SceneCopier):
    """Leaves out the first line that has to stay."""

    def _lines(self, doc: Doc) -> Iterable[str]:
        dropped = next(line for line in doc["lines"] if line["kept"])
        return (_text(line) for line in doc["lines"] if line is not dropped)


class StateAdder(SceneCopier):
    """Says at the end how somebody feels."""

    def _lines(self, doc: Doc) -> Iterable[str]:
        who = doc["characters"][0]["given"]
        return [*super()._lines(doc), f"One could see that {who} was ashamed."]


def rewritten_scene(doc: Doc) -> str | None:
    """The scene told anew by the rules; None for a document of another task."""
    return SceneRewriter().write(doc, 0) or None


def _reply(lines: Iterable[str]) -> str:
    return "\n".join([BEGIN, *lines, END])


def _text(line: Line) -> str:
    return f"{line['speaker']}: {line['text']}" if line["speaker"] else str(line["text"])


def _rewritten(line: Line) -> str:
    if line["kept"]:
        return _text(line)
    if line["speaker"]:
        return f"{line['speaker']}: Listen. {line['text']}"
    return f"A few moments passed. {_text(line)}"
