"""Reading answers to documents without golds."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import StrictUndefined, Template

from otherminds.leaderboard.sealing.columns import sealing_of
from otherminds.scoring.sealed import is_sealed
from otherminds.types import Doc


def readable(doc: Doc, dataset: str) -> dict[str, Any]:
    """A sealed document with something in place of what is withheld, so that answers can be read.

    How a reply is read depends on the question alone. Scores against these golds mean nothing, and
    nobody may compute any.
    """
    if not is_sealed(doc):
        return dict(doc)
    blanks = sealing_of(dataset).blanks
    return {**doc, **{name: _filled(value, doc) for name, value in blanks.items()}}


def _filled(value: Any, doc: Doc) -> Any:
    return _template(value).render(doc) if isinstance(value, str) else value


@cache
def _template(text: str) -> Template:
    return Template(text, undefined=StrictUndefined)
