"""Reading the three parts of an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from otherminds.metrics.reply import objects_in, without_reasoning
from otherminds.metrics.synchtom.items import DIMENSIONS
from otherminds.metrics.thoughts import is_unclosed, shown

LONGEST = 10_000
"""Characters of one part that a judge is shown: a window has an end, and length earns nothing."""


# Of longer replies, only so many characters at the end are read.
_READ = 200_000

# An answer may be wrapped in an object or two.
_DEEPEST = 2

# What stands for a text that was not written: dots, blanks, "<your text>", "N/A", a field's own name,
# the words of the question for it.
_ASKED = (
    r"what\sthe\suser\stakes\sto\sbe\sthe\scause\sof\sthe\sproblem,?\sand\swhy\sthe\suser\sbelieves\sit"
    r"(?:\.\sit\sshould\sexplain\swhat\sthe\suser\sdid)?"
    r"|which\sbackground,\sexperience,\spreference,?\sor\sbias\sof\sthe\suser\sled\sto\sthis\sbelief"
    r"|what\sthe\scause\sreally\sis,?\sand\swhat\swould\struly\ssolve\sthe\sproblem"
)
_NOTHING = re.compile(
    r"[\s.\u2026_?*-]*|\s*[\[<{][^\[\]<>{}\s]{0,40}\s[^\[\]<>{}]{0,200}[\]>}]\s*"
    r"|\s*[\[<{](?:text|string|str|value|answer|explanation|placeholder|(?:your|insert)\w{0,20}|\w{1,30}_\w{1,30})[\]>}]\s*"
    r"|\s*(?:n/a|null|nil|none|nothing|tbd|todo|string|str|text|value|placeholder|your\s(?:text|answer)"
    r"|(?:your|insert|enter|fill\sin)\s[\w\s]{1,40}\shere|unknown|undefined|empty)[\s.]*"
    rf"|\s*(?:{'|'.join(DIMENSIONS)})[\s.]*|\s*(?:{_ASKED})[\s.]*",
    re.IGNORECASE,
)


class Answer(NamedTuple):
    """What an answer says on each of DIMENSIONS; "" where it says nothing.

    was_cut  whether a part was longer than LONGEST
    """

    parts: Mapping[str, str]
    was_cut: bool


def read_answer(reply: str | None) -> Answer | None:
    """The parts of an answer in a model's `reply`, or None where there is none to judge.

    The reply must hold a whole JSON object with at least one of DIMENSIONS, perhaps inside another
    ({"answer": {…}}); fences, prose around it, further keys, line breaks in texts, commas before a
    closing bracket and thoughts (`metrics.thoughts`) are passed over, and of several objects the last
    that says anything counts. A part that is missing, empty, a placeholder as the dots of the
    question, or not a text says
    nothing and fulfils no criterion. Marks of a thought within a part get other brackets, ‹think›, so
    that a judge can quote it. Time is bounded for replies of any length.
    """
    visible = without_reasoning(reply or "") or ""
    texts: dict[str, str] = {}
    for value in objects_in(visible[-_READ:]):
        said = {name: _text((_within(value) or {}).get(name)) for name in DIMENSIONS}
        if any(said.values()):
            texts = said
    if not texts:
        return None
    was_cut = any(len(text) > LONGEST for text in texts.values())
    return Answer({name: text[:LONGEST] for name, text in texts.items()}, was_cut)


def _within(value: Any, depth: int = _DEEPEST) -> Mapping[str, Any] | None:
    """The object of an answer: `value`, or the only one inside it."""
    if not isinstance(value, dict):
        return None
    if not DIMENSIONS.keys().isdisjoint(value):
        return value
    inside = [_within(one, depth - 1) for one in value.values()] if depth else []
    found = [one for one in inside if one is not None]
    return found[0] if len(found) == 1 else None


def is_cut_off(reply: str | None) -> bool:
    """Whether a `reply` is reasoning that was never closed: the model was cut off before it answered.

    Only reasoning that the reply itself opens, with a mark of `thoughts.FAMILIES`, is recognised.
    """
    return is_unclosed(reply or "")


def _text(value: Any) -> str:
    if not isinstance(value, str) or _NOTHING.fullmatch(value):
        return ""
    # A half of a surrogate pair, which JSON can spell, has no place in a prompt.
    text = value.encode("utf-8", "replace").decode().strip()
    # A judge that quotes the mark of a thought would seem to think, or to be cut off in its thoughts.
    return shown(text)
