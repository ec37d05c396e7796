"""Reading one of the sixteen options out of a model's reply."""

from __future__ import annotations

import re
from functools import lru_cache

from otherminds.metrics.marks import REASON
from otherminds.metrics.parsing import parse_letter
from otherminds.metrics.reply import read_reply
from otherminds.metrics.socialmindchange.items import LETTERS

# The question writes its options "(a)" to "(p)", so a small letter before a parenthesis, or after
# "option" or a verb of choice, is a letter; `parse_letter` takes only capitals for such in running
# text. Without parentheses "a" and "i" are words ("the option a friend would choose").
_SMALL = re.compile(
    r"(?<![\w(])\(?(?P<enclosed>[a-p])\)"
    r"|\b(?P<before>(?i:option|choice|choose|chose|pick|select|go\s+with)\s+\**)"
    r"(?P<named>[b-hj-p])(?![\w(]|'\w|-\w)"
)

# "(a) is wrong", "(b) and (d) do not fit". An option's text begins with a capital, so a verb that comes
# right after the letter is not part of it.
_OPTION = r"(?:[Oo]ptions?\s+)?(?<![\w(])\(?[a-pA-P]\)"
_REJECTED = re.compile(
    rf"{_OPTION}(?:,? {{1,2}}(?:(?:and|or) )?{_OPTION}){{0,14}} {{1,2}}"
    r"(?:(?:also |clearly |just )?(?:fails?|contradicts?|ignores?|miss|misses)\b"
    r"|(?:(?:is|are|was|were|does|do|did|can|could|would|seems?|looks?|be|also|clearly|just) ?){1,3}"
    r"(?:n't|(?:not|never|out|wrong|incorrect|inconsistent|implausible|impossible|unlikely|false"
    r"|less|too|fail|contradict|ignore|miss)\b))[^.!?\n]*"
)

# "(a) is good, but …": the reply begins with what it weighs, which is not a choice yet.
_WEIGHED = re.compile(rf"\s*(?={_OPTION} (?!{REASON})[a-z])")

_CONCLUSION = re.compile(
    r"\W*(?:(?:so|and)\W+)?(?:therefore|thus|hence|so|overall|consequently|accordingly|in\s+conclusion"
    r"|in\s+summary|based\s+on|given)\b",
    re.IGNORECASE,
)
_UNSETTLED = re.compile(
    r"\b(?:not|never|cannot|if|unless|whether|either|neither|depends|might|may|could|unsure|unclear"
    r"|unlikely|wrong|incorrect|inconsistent|implausible|impossible|contradict\w*|rul\w+\s+out"
    r"|eliminat\w+|exclud\w+|reject\w*|fails?|instead\s+of|rather\s+than)\b|n't\b|\?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_COMPLETE = re.compile(r"(?:[.!]|\(?\b[A-P]\))[\"')\]]*$")
_NAMED = re.compile(
    r"(?<![\w(])\(?(?P<enclosed>[A-Z])\)|\b(?i:option|choice)\s+(?P<named>[A-Z])(?![\w']|-\w)"
)


def parse_option(text: str | None) -> str | None:
    """The option ("a" to "p") that `text` answers with, or None.

    What rejects options ("(a) is wrong") is passed over, and a reply that begins with a
    remark on an option ("(a) is good") does not begin with an answer. In the rest:

    1. As `parsing.parse_letter` with sixteen options.
    2. Where that finds nothing: the same with small letters counted as capitals where they stand in
       parentheses ("I would choose (c)") or after "option" or a verb of choice ("option c").
    3. Where that finds nothing: the last sentence, if it is complete, draws a conclusion ("Therefore,
       …", "So …", "Based on this, …") and names exactly one option in parentheses or after "option".
       What is said before it may weigh other options.

    A letter in running prose is not an answer ("a friend", "I think"), and neither are two letters, a
    negated one, one beyond p, a Roman "(i)" where there is a "(ii)", and anything in thinking
    that was cut off.

    Never raises on any text.
    """
    if not text:
        return None
    return _short(text) if len(text) <= _SHORT else _option(text)


# Models give the same few short replies to thousands of questions.
_SHORT, _REMEMBERED = 64, 4_096


@lru_cache(maxsize=_REMEMBERED)
def _short(text: str) -> str | None:
    return _option(text)


def _option(text: str) -> str | None:
    lettered = text.replace("(i)", " ") if "(ii)" in text else text
    kept = _REJECTED.sub(" ", lettered)
    if _WEIGHED.match(kept):
        kept = f"Consider {kept}"
    capital = _SMALL.sub(_capital, kept)
    count = len(LETTERS)
    letter = parse_letter(kept, count) or parse_letter(capital, count) or _concluded(capital)
    return letter.lower() if letter else None


def _capital(found: re.Match[str]) -> str:
    if found["enclosed"]:
        return f"({found['enclosed'].upper()})"
    return f"{found['before']}{found['named'].upper()}"


def _concluded(text: str) -> str | None:
    """The one option that the last sentence concludes with."""
    reply = read_reply(text)
    if reply is None:
        return None
    last = _SENTENCE_END.split(reply.text.rsplit("\n", 1)[-1])[-1]
    if not (_CONCLUSION.match(last) and _COMPLETE.search(last)) or _UNSETTLED.search(last):
        return None
    letters = {one["enclosed"] or one["named"] for one in _NAMED.finditer(last)}
    if len(letters) != 1:
        return None
    letter = letters.pop()
    return letter if letter.lower() in LETTERS else None
