"""The one answer that is left when a reply rules out the others and names none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from otherminds.metrics.claims import Mention
from otherminds.metrics.sentences import Sentence, doubtful

# Directly before an answer, or around it; more distant negations may negate something else.
_RULED_OUT_BEFORE = re.compile(
    r"(?:\b(?:not|never|isn't|aren't|cannot\s+be|can't\s+be)"
    r"(?:\s+(?:be|pick|choose|select|go\s+(?:for|with)|settle\s+on))?"
    r"|\b(?:rul\w+\s+out|eliminat\w+|exclud\w+|discard\w*|reject\w*|dismiss\w*|remov\w+"
    r"|cross\w*\s+(?:out|off)|strik\w+(?:\s+out)?|drop(?:s|ping)?)"
    r"|\b(?:mistake|wrong|error)\s+to\s+(?:pick|choose|select|answer|say|go\s+(?:for|with))"
    r"|\b(?:nicht|kein|pas|no|não|не))"
    r"\s+(?:(?:option|answer|letter|the)\s+)?[\s(\[\"']*$",
    re.IGNORECASE,
)
_RULED_OUT_AFTER = re.compile(
    r"[)\]\"']*\s*(?:[:\u2013\u2014-]\s*|(?:(?:is|are|was|were|can\s+be|must\s+be|gets?|goes|falls?|drops?"
    r"|fails?)\b\s*)?)(?:(?:clearly|also|both|all|therefore|thus|plainly|then)\s+)?"
    r"(?:out\b|wrong\b|incorrect\b|eliminated|excluded|ruled\s+out|rejected|discarded|away\b"
    r"|impossible|no\s*(?:$|[.,;])|not\s+(?:it|right|possible|correct|plausible|supported)\b"
    r"|does(?:n't|\s+not)\s+(?:fit|match|work|hold)|do(?:n't|\s+not)\s+(?:fit|match|work|hold)"
    r"|fails?\s*(?:$|[.,;])|can(?:not|'t)\s+be\s+(?:right|it|correct))",
    re.IGNORECASE,
)
_RULES = re.compile(r"\brul\w+\s+[\s(\[\"']*$", re.IGNORECASE)
_OUT = re.compile(r"[)\]\"']*\s+out\b", re.IGNORECASE)
# Two of these in a clause may cancel each other.
_NO = re.compile(
    r"\b(?:not|never|cannot|no|none|nothing|nobody|neither|nor|hardly|say|says|think|claims?|argue|without|rul(?:es?|ed|ing)|eliminat\w+|exclud\w+"
    r"|discard\w*|reject\w*|dismiss\w*|remov\w+|cross\w*|strik\w+|drop\w*|mistake|wrong|error|doubt\w*"
    r"|incorrect|impossible|fails?|unlikely|kein|nicht|pas|não|не)\b|n't\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,.;:!?(\n\u2014]|\s[-\u2013]\s|\b(?:and|but|because|since|as)\b")
_CONDITION = re.compile(r"\b(?:if|unless|were|suppos\w+|assum\w+|only|just|until)\b", re.IGNORECASE)


def left_over(
    sentences: Sequence[Sentence],
    mentions_of: Callable[[Sentence], Sequence[Mention[str]]],
    letters: str,
    joined: re.Pattern[str],
) -> str | None:
    """The only letter that is not ruled out, or None.

    A list of several letters that is not ruled out ("that leaves a, c and f") is what is still
    possible. The last thing said of letters has to rule out the last ones. A single sentence ("It is
    not A.") gives no reasons, and is no answer.
    """
    if len(sentences) < 2:
        return None
    possible, ended = set(letters), False
    for sentence in sentences:
        if sentence.asks or sentence.own:
            continue
        for group in _groups(sentence.text, mentions_of(sentence), joined):
            values = {one.value for one in group if one.value is not None}
            verdict = _ruled_out(sentence.text, group)
            if verdict is None:
                return None
            if verdict:
                possible -= values
            elif len(values) > 1:
                possible &= values
            ended = verdict
    return possible.pop() if ended and len(possible) == 1 else None


def _groups(
    text: str, mentions: Sequence[Mention[str]], joined: re.Pattern[str]
) -> Iterator[list[Mention[str]]]:
    """Mentions that are listed together."""
    group: list[Mention[str]] = list(mentions[:1])
    for one, other in pairwise(mentions):
        between = text[one.end : other.start]
        if len(between) < 40 and joined.fullmatch(between):
            group.append(other)
        else:
            yield group
            group = [other]
    if group:
        yield group


def _ruled_out(text: str, group: Sequence[Mention[str]]) -> bool | None:
    """Whether a group is ruled out; None where that is unclear."""
    before = text[max(0, group[0].start - 90) : group[0].start]
    after = text[group[-1].end : group[-1].end + 90]
    rules = _RULES.search(before) is not None and _OUT.match(after) is not None
    if not (rules or _RULED_OUT_BEFORE.search(before) or _RULED_OUT_AFTER.match(after)):
        return False
    verdict = _RULED_OUT_AFTER.match(after)
    behind = after[verdict.end() :] if verdict else after
    said = verdict[0] if verdict else ""
    clause = f"{_CLAUSE.split(before)[-1]} {said} {_CLAUSE.split(behind)[0]}"
    if len(_NO.findall(clause)) > 1 or doubtful(before) or _CONDITION.search(before):
        return None
    return True
