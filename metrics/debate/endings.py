"""How the statement of a stance goes on: ended, limited, turned round, or about something else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from otherminds.metrics.debate.lexicon import Token
from otherminds.metrics.debate.sentences import kinds_of

_CLAUSE_ENDS = '.,;:—()"\nrb&/#kKcd¿'


def ended(body: Sequence[Token], place: int) -> bool | None:
    """Whether the statement of the stance ends well behind it.

    None where it goes on with another object; False where it is limited or doubted.
    """
    at = place + 1
    while at < len(body) and body[at].kind in 'adc"':
        at += 1
    if at < len(body) and body[at].kind in "oO":
        at = _behind_object(body, at)
        if at < 0:
            return None
    while at < len(body) and body[at].kind in "ad":
        at += 1
    if turned_behind(body, place):
        return True
    if at < len(body) and body[at].kind == "m" and body[at + 1 : at + 2] == []:
        return True
    if at == len(body):
        return True
    kind = body[at].kind
    if kind == "?" or (kind == ":" and kinds_of(body[at + 1 : at + 2]) in tuple("tfyzuv+-")):
        return False
    if kind not in _CLAUSE_ENDS:
        return None
    return not limited(body, at)


def _behind_object(body: Sequence[Token], at: int) -> int:
    """Where the proposition as an object ends; -1 where its content may turn it round."""
    if body[at].text.lower() == "with" and (at + 1 == len(body) or body[at + 1].kind not in "oO"):
        ends = at + 1 == len(body) or body[at + 1].kind in _CLAUSE_ENDS
        return at + 1 if ends and relative(body[:at]) else -1
    at += 1
    while at < len(body) and body[at].kind in "oO":
        at += 1
    if at < len(body) and (body[at].text.lower() == "that" or body[at].kind == '"'):
        rest = body[at + 1 :]
        about = next((token.text.lower() for token in rest), "")
        turned = set(kinds_of(rest)) & set("+-ntf") or kinds_of(rest[:1]) == "x"
        return -1 if turned or about.startswith("it") else len(body)
    return at


_MILDLY = re.compile(
    r"\W*(?:(?:but|though|although)\W+)?not\s+(?:(?:very\s+|too\s+|so\s+|all\s+that\s+)?"
    r"(?:strongly|firmly|vehemently|happily|eagerly|enthusiastically|loudly|passionately|wholeheartedly)\b"
    r"|without\b|for\s+the\b|because\b|with\s+(?:the|his|her|their|its|all|every)\s+(?!proposition|statement|claim|idea))"
)


def limited(body: Sequence[Token], at: int) -> bool:
    """Whether what follows at once limits the stance: ", but not …", "(if …", ", unless …"."""
    kinds = kinds_of(body[at:])
    rest = kinds.lstrip(',—(";:')
    contrast = rest[:1] == "b"
    rest = rest.lstrip("b&,ac") if contrast or rest[:1] == "&" else rest
    if rest[:1] in ("?", "K") or (kinds.rstrip('")')[-1:] == "n" and not set(kinds) & set("xp")):
        return True
    if rest[:1] == "n":
        if _MILDLY.match(" ".join(token.text for token in body[at:]).lower()):
            return False
        return contrast or not rest.strip('nado)".,')
    if kinds[:1] == "&":
        return rest[:1] in tuple("+-")
    return False


def turned_behind(body: Sequence[Token], place: int) -> int:
    """How many negators stand behind a stance that is a subject: "Disagreeing seems unlikely"."""
    rest = kinds_of(body[place + 1 : place + 7]).lstrip("oO")
    said = rest.lstrip("a")
    said = said[:1] + said[1:].lstrip("a")
    is_noun = body[place].text.lower().endswith(("ment", "ing"))
    turned = said[:1] == "n" and said[1:2] in ("", ".", ",", "r", ")", "c", ":", "—", "(", "d")
    return int(turned and (rest[:1] == "a" or is_noun))


def relative(before: Sequence[Token]) -> bool:
    """Whether a stance is taken to what its sentence began with: "This is something he would reject"."""
    return any(
        token.kind == "m" and re.match("something|an? |the ", token.text, re.IGNORECASE)
        for token in before
    )
