"""HugAgent's tasks that ask for reasoning before the answer, inside lm-eval.

A chain of thought that ran into the token limit has no answer, although some number or letter in it may
well look like one to a reader of short replies. Here such a reply counts as unread; all others are read
and scored as in `otherminds.tasks.hugagent.scoring`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from otherminds.metrics.marks import find_marks
from otherminds.metrics.reply import read_reply
from otherminds.scoring.scorer import Scorer, Texts
from otherminds.tasks.hugagent import scoring as hugagent
from otherminds.tasks.hugagent.scoring import Scored
from otherminds.types import Doc

# A reply of this many characters is not a chain of thought that ran into the limit.
_SHORT = 40

_HEADING = re.compile(r"^\W*(?:(?:my|the|final)\s+)*answer\W*$", re.IGNORECASE | re.MULTILINE)
# One word, as in "B" and "(seven)", but not the "3." with which an item of a list begins.
_ONE_WORD = re.compile(r"(?!\d+[.)]$)\W*\w+\W*")


def concluded(doc: Doc, text: str | None) -> bool:
    """Whether a reply states an answer, rather than being reasoning that was cut off.

    It does when a line begins with "Answer: …" or the like (boxes and answer tags included), or is
    headed so, or when its last line is an answer of one word; a single short line always does. That an
    answer is stated does not mean that it can be read: "Answer: 6 or 7" cannot.
    """
    reply = read_reply(text)
    if reply is None:
        return False
    *before, last = reply.text.split("\n")
    if not before and len(last) <= _SHORT:
        return True
    if any(mark.opens_line for mark in find_marks(reply.text)) or _HEADING.search(reply.text):
        return True
    return bool(_ONE_WORD.fullmatch(last)) and hugagent.parse(doc, last) is not None


def _concluding(scorer: Scorer[Scored]) -> Scorer[Scored]:
    def read(doc: Doc, texts: Texts) -> Scored:
        return scorer.read(doc, [text if concluded(doc, text) else None for text in texts])

    return replace(scorer, read=read)


text_all = _concluding(hugagent.ALL).text
text_human_all = _concluding(hugagent.HUMAN_ALL).text
