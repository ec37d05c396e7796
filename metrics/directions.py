"""The direction of an effect, positive or negative, where a reply says it in words of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherminds.metrics.marks import REASON
from otherminds.metrics.sentences import Sentence, doubtful, rejected

_WAY = (
    r"(?:(?P<up>up(?:wards?)?|positive|an?\s+increase|a\s+rise)"
    r"|(?P<down>down(?:wards?)?|negative|an?\s+(?:decrease|decline|drop|fall)))"
)
_UP = re.compile(
    r"\b(?:(?<!end )(?<!ends )up|upwards?|positive|more|increases?|rises?)\b", re.IGNORECASE
)
_DOWN = re.compile(r"\b(?:down|downwards?|negative|less|fewer|falls?|drops?)\b", re.IGNORECASE)
# The effect itself has to be what goes up or down: other things in a reply do so too.
_EFFECT = re.compile(
    r"(?<!side )\b(?:direction|effect|answer|impact|influence)\b[^.,;:?!\n]{0,40}?"
    r"(?:\s(?:is|would\s+be|goes|points|must\s+be)|:|=|\u2192)\s*"
    r"(?:that\s+(?:it|this)\s+(?:goes|would\s+go|moves|will\s+go|is|would\s+be)\s+)?"
    rf"(?:\w+ly\s+)?{_WAY}(?=\s*(?:$|[.,;!)\n\u2014]|{REASON}|(?:for|in)\s+(?:her|his|their|this)\b))",
    re.IGNORECASE,
)
_STANCE = re.compile(
    r"\b(?:he|she|they|person|man|woman|participant|respondent|speaker|interviewee)"
    r"(?:'d|\s+would|\s+will)?\s+(?:becomes?|be|grows?|gets?|feels?|turns?|is|are)\s+"
    r"(?:(?P<up>more)|(?P<down>less))\s+(?:favou?rable|supportive|in\s+favou?r)\b",
    re.IGNORECASE,
)


def direction(sentences: Sequence[Sentence]) -> str | None:
    """ "positive" or "negative", if the last two sentences say one of them; None for both."""
    said = set()
    for sentence in sentences[-2:]:
        if _UP.search(sentence.text) and _DOWN.search(sentence.text):
            return None
        for pattern in (_EFFECT, _STANCE):
            for found in pattern.finditer(sentence.text):
                start, end = found.span("up" if found["up"] else "down")
                before = sentence.text[max(0, start - 90) : start]
                if sentence.asks or sentence.own or doubtful(before):
                    return None
                if rejected(before, sentence.text[end : end + 90]):
                    return None
                said.add("positive" if found["up"] else "negative")
    return said.pop() if len(said) == 1 else None
