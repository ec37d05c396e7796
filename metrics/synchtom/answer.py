"""Reading the three parts of an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from otherminds.metrics.reply import objects_in, without_reasoning
from otherminds.metrics.synchtom.items import DIMENSIONS
from otherminds.metrics.thoughts import is_unclosed, shown

LONGEST = 10_000
"""Characters of one part that a judge is shown: a window has an end, and length earns nothing."""


# Of longer replies, only so many characters at the end are read.
_READ = 200_000


class Answer(NamedTuple):
    """What an answer says on each of DIMENSIONS; "" where it says nothing.

    was_cut  whether a part was longer than LONGEST
    """

    parts: Mapping[str, str]
    was_cut: bool


def read_answer(reply: str | None) -> Answer | None:
    """The parts of an answer in a model's `reply`, or None where there is none to judge.

    The reply must hold a JSON object with at least one of DIMENSIONS; fences, prose around it, further
    keys and thoughts (`metrics.thoughts`) are passed over, and of several objects the last counts. A
    part that is missing or empty says nothing and fulfils no criterion; one that is not a text is judged
    as the JSON that it is. Marks of a thought within a part get other brackets, ‹think›, so that a judge
    can quote it. Time is bounded for replies of any length.
    """
    visible = without_reasoning(reply or "") or ""
    found = None
    for value in objects_in(visible[-_READ:]):
        if value is not None and not DIMENSIONS.keys().isdisjoint(value):
            found = value
    if found is None:
        return None
    texts = {dimension: _text(found.get(dimension)) for dimension in DIMENSIONS}
    if not any(texts.values()):
        return None
    was_cut = any(len(text) > LONGEST for text in texts.values())
    return Answer({name: text[:LONGEST] for name, text in texts.items()}, was_cut)


def is_cut_off(reply: str | None) -> bool:
    """Whether a `reply` is reasoning that was never closed: the model was cut off before it answered.

    Only reasoning that the reply itself opens, with a mark of `thoughts.FAMILIES`, is recognised.
    """
    return is_unclosed(reply or "")


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # A half of a surrogate pair, which JSON can spell, has no place in a prompt.
    text = text.encode("utf-8", "replace").decode().strip()
    # A judge that quotes the mark of a thought would seem to think, or to be cut off in its thoughts.
    return shown(text)
