"""Reading the dollars that a persona sends out of a model's reply."""

from __future__ import annotations

import math
import re

from otherminds.metrics.errors import MetricError
from otherminds.metrics.marks import negated, retracted
from otherminds.metrics.number_reader import WORDS
from otherminds.metrics.reply import Reply, read_reply

SEND_FORMAT = (
    'the closing sentence "Finally, I will give ___ dollars" (the last one counts), else the first '
    "number of the reply if it is a whole one; from 0 to the endowment, in whole dollars unless "
    "fractions are allowed"
)
"""Where a send is read, in words, for tables and documentation."""

# Grouped thousands before plain digits, so that "1,000" is not read as 1.
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_WORD = rf"(?:{'|'.join(WORDS)})"
_NUMBER = rf"(?:{_DIGITS}|{_WORD})"
# "No" is an amount only of what can be sent: "no dollars", but not "no more than 3".
_NOTHING = r"(?:zero|nothing|none|no(?=\s(?:dollars?|money)\b))"

_GIVE = r"(?:give|send|invest|transfer|entrust|offer|contribute)\b"
_WILL = (
    r"(?:'ll|'d|\s(?:will|would|shall|am\sgoing\sto|(?:have\s)?(?:decided?|choose|chosen)\sto))?"
    r"(?:\s(?:now|therefore|thus|only|just))?"
)
_DECISION = re.compile(_WILL, re.IGNORECASE)
# Anything in between makes this the closing sentence, but only a decision makes it one that names a
# send: "will not give", "might give", "if they are kind, I will give" do not.
_CLOSING = re.compile(
    rf"\bfinally\b(?P<aside>[^.!?]{{0,120}}?)\bI\b(?P<will>(?:(?!\bI\b)[^.!?]){{0,60}}?)\s{_GIVE}",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|unless|whether|might|may|could)\b", re.IGNORECASE)
_WITHOUT_FINALLY = re.compile(
    rf"(?:^|(?<=[.!?:]\s))(?:(?:so|thus|therefore|hence),?\s)?I{_WILL}\s{_GIVE}",
    re.IGNORECASE | re.MULTILINE,
)

# One word each, so that there is one way only to match them.
_PASSED_OVER = (
    r"(?:away|only|just|exactly|about|around|roughly|approximately|all|of|my|the|a|an|full|entire|whole"
    r"|total|amount|sum|us|usd|final|answer|to|you|him|her|them|other|this|person|participant|partner"
    r"|trustee|recipient|stranger|player(?:\s(?:b|2|two))?)\b"
)
_OPEN = r"[\s:=\[({<\"'\\]*"
_CLOSE = r"[\s\])}>\"'\\]*"
_AMOUNT = re.compile(
    rf"{_OPEN}(?:{_PASSED_OVER}{_OPEN})*(?P<number>{_NUMBER}|{_NOTHING})"
    rf"(?:(?P<unit>{_CLOSE}(?:us\s)?(?:dollars?|usd|bucks|money)\b)|(?!\w))",
    re.IGNORECASE,
)
_ENDS_STATEMENT = re.compile(
    rf"{_CLOSE}(?:$|[.!,;:(\u2014]|\s?(?:to|and|because|since|so|as|out|of|from)\b)",
    re.IGNORECASE | re.MULTILINE,
)
# What follows a number and makes it something else than an amount of dollars.
_SPOILING = re.compile(
    r"\w|[.,/:]\d|\s?[%\u00a2\u00b0\u00b1\u00bd+*^~=]"
    r"|[\s-]?(?:half|halves|thirds?|quarters?|fourths?|fifths?|tenths?)\b"
    r"|\s?(?:cents?|per\s?cent|hundred|thousand|million|billion|and\sa\shalf|times)\b"
    r"|\s?(?:[-\u2013\u2014/&]|to\b|or\b|and\b|through\b)"
    rf"\s?(?:(?:maybe|perhaps|even|possibly|about)\s)?{_NUMBER}(?!\w)"
    rf"|\s(?:or|and)\s(?:so|more|less|up)\b|\s{_DIGITS}",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(rf"\d|\b{_WORD}\b", re.IGNORECASE)
# `read_reply` leaves "- 3" of "-$3".
_PARTIAL_BEFORE = re.compile(r"(?:\w|\.|[-\u2013+]\s?)$")
_FIRST_DIGITS = re.compile(r"\d+(?:\.0+(?!\d))?")
_LIST_NUMBER = re.compile(r"^1[.)]\s\S", re.MULTILINE)


def parse_send(text: str | None, endowment: float, *, whole: bool = False) -> float | None:
    """The dollars that `text` sends, or None when it does not say so clearly.

    1. The closing sentence "Finally, I will give ___ dollars". The last one decides, also when no
       amount can be read in it (an unfilled blank, "give -3 dollars", "3 to 5 dollars", "up to 3
       dollars", 1e3, 50 %, "will not give"), or when it is taken back with another number after it.
       Decimals, thousands with commas, Markdown, boxes, the dollar sign, the words zero to ten,
       "nothing", other verbs of giving, and a named recipient do not matter.
    2. Where no sentence says "Finally, … I … give", the last one that begins with "I will give ___
       dollars" and does name an amount.
    3. Otherwise the paper's rule: the first digits of the reply, `\\$?(\\d+)`. Stricter than the paper
       in one thing: digits that are only a part of what is written (of a decimal, a range, 1e3, -3,
       1,000, 50 %, a word, a numbered list) are a failure, not another number. Of a reply of more than
       20,000 characters only the end is read, and nothing is known to be first in it.

    An amount outside 0..`endowment` is None, never clipped; so is a fraction where only `whole` dollars
    can be sent, never rounded; and everything in reasoning that was cut off (`reply.read_reply`). Never
    raises on any text; MetricError unless the endowment is a finite number above 0.
    """
    check_endowment(endowment)
    reply = read_reply(text)
    if reply is None:
        return None
    closings = list(_CLOSING.finditer(reply.text))
    if closings:
        amount = _of_closing(reply.text, closings[-1])
    else:
        amount = _of_last_plain(reply.text)
        if amount is None:
            amount = _first_number(reply)
    if amount is None or not 0 <= amount <= endowment or (whole and not amount.is_integer()):
        return None
    return amount


def check_endowment(endowment: float) -> None:
    """Raise MetricError unless `endowment` is a finite number of dollars above 0."""
    if not (math.isfinite(endowment) and endowment > 0):
        raise MetricError(f"Endowment {endowment}: give a finite number of dollars above 0.")


def _of_closing(text: str, closing: re.Match[str]) -> float | None:
    if not _DECISION.fullmatch(closing["will"]) or _CONDITION.search(closing["aside"]):
        return None
    if negated(text, closing.start("will")):
        return None
    found = _AMOUNT.match(text, closing.end())
    return None if found is None else _dollars(text, found)


def _of_last_plain(text: str) -> float | None:
    """The amount of the last sentence "I will give …" whose number is certain to be one of dollars."""
    amount = None
    for opening in _WITHOUT_FINALLY.finditer(text):
        found = _AMOUNT.match(text, opening.end())
        if found is not None and (found["unit"] or _ENDS_STATEMENT.match(text, found.end())):
            amount = _dollars(text, found)
    return amount


def _dollars(text: str, found: re.Match[str]) -> float | None:
    """The amount, unless what follows makes it another thing or takes it back."""
    rest = text[found.end() :]
    if _SPOILING.match(rest) or (retracted(rest) and _ANY_NUMBER.search(rest)):
        return None
    word = found["number"].lower()
    if word in WORDS:
        return float(WORDS.index(word) + 1)
    # Never int(): it refuses long strings of digits, where float() gives inf.
    return float(word.replace(",", "")) if word[-1].isdigit() else 0.0


def _first_number(reply: Reply) -> float | None:
    found = None if reply.cut else _FIRST_DIGITS.search(reply.text)
    if found is None or _LIST_NUMBER.match(reply.text, found.start()):
        return None
    before = reply.text[max(0, found.start() - 2) : found.start()]
    if _PARTIAL_BEFORE.search(before) or _SPOILING.match(reply.text, found.end()):
        return None
    return float(found[0])
