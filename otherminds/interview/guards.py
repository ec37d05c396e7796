"""What a question must be like before a person sees it (§A5)."""

from __future__ import annotations

import re
from typing import Final

from otherminds import control_tokens
from otherminds.interview import wording
from otherminds.interview.config import Parameters
from otherminds.interview.session import Form, State, Target

_SENTENCES: Final = re.compile(r"[.?!]+(?:\s|$)")
_ABBREVIATIONS: Final = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|St|Dr|Mr|Mrs|Ms|U\.S|U\.K)\.", re.IGNORECASE
)


def question_fault(
    parameters: Parameters, state: State, text: str, *, target: Target, form: Form
) -> str | None:
    """Why a generated question must not be shown; None where it may.

    `long`: more words than allowed; `closing`: a polarity question without the fixed closing, or another
    with it; `sentences`: not one sentence before the closing; `label`: it does not name each of its
    concepts once; `self`: about the effect of a concept on itself; `signs`: line breaks, control tokens.
    """
    if target.source is not None and target.source == target.node:
        return "self"
    if not text.isprintable() or control_tokens.neutral(text) != text:
        return "signs"
    if len(text.split()) > parameters.max_question_words:
        return "long"
    if text.endswith(wording.closing()) != (form == "polarity"):
        return "closing"
    body = wording.sentence(text)
    if not body.endswith("?") or len(_SENTENCES.findall(_ABBREVIATIONS.sub("", body))) != 1:
        return "sentences"
    for key in (target.source, target.node):
        if key is not None and not _named_once(state, body, key, other=_other(target, key)):
            return "label"
    return None


def _other(target: Target, key: str) -> str | None:
    ends = {target.source, target.node} - {key, None}
    return next(iter(ends), None)


def _named_once(state: State, body: str, key: str, *, other: str | None) -> bool:
    """Whether a text names a concept once; where its label lies within the other's, once more."""
    label = state.nodes[key].label
    expected = 1
    if other is not None:
        expected += wording.names(state.nodes[other].label, label)
    return wording.names(body, label) == expected
