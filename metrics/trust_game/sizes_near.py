"""Classes of effect size in sentences of any words: which effect each class is said of.

For what `stated_effects` does not find right beside its label: a class belongs to the one effect that
its clause names, or else its sentence, or the line above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from otherminds.metrics.trust_game.effect_size import EFFECT_SIZE_CLASSES

OMNIBUS, CONTRAST, EFFECT = "omnibus", "contrast", "effect"
"""The effect of the attribute as a whole, that of an order, and the one effect that is asked for."""
DOUBT = "\ue012"
"""Stands for a class that is denied, supposed or one of two."""

_BOTH = "both"
_CLASSES = "|".join(EFFECT_SIZE_CLASSES)
_LABELS: Final = {
    OMNIBUS: r"\b(?:omnibus|overall|all\sin\sall|as\sa\swhole|on\sthe\swhole|in\stotal|in\sgeneral"
    r"|generally|global(?:ly)?|main\seffect|total\s(?:effect|size)|(?:the|this)\s(?:attribute|trait|variable|factor)"
    r"|whole\s(?:attribute|trait|variable|factor)|all\s(?:the\s)?(?:groups|kinds|levels)"
    r"|gesamteffekt|insgesamt)\b|\u603b\u4f53|\u6574\u4f53|\u7e3d\u9ad4|\u6574\u9ad4",
    CONTRAST: r"\b(?:contrasts?|kontrast"
    r"|(?:specific|stated|given|exact|particular|very|chosen|proposed|predicted|my|this|that|planned)"
    r"\s(?:order|ordering|ranking|sequence)|order(?:ing)?\s(?:that\s)?i\b|extremes"
    r"|(?:first|top|highest)(?:\s\w+)?\s(?:and|with|to|against|vs\.?|versus|from)\s(?:the\s)?"
    r"(?:very\s)?(?:last|bottom|lowest|rest|others|remaining|worst))\b|\ue010|\u5bf9\u6bd4|\u5c0d\u6bd4",
}
_BOTH_WORDS = (
    r"\b(?:both|each\sof\sthe(?:m|\stwo)|the\stwo\seffects|either\seffect|on\sboth\scounts)\b"
)
_LABEL = re.compile(
    rf"(?P<{OMNIBUS}>{_LABELS[OMNIBUS]})|(?P<{CONTRAST}>{_LABELS[CONTRAST]})"
    rf"|(?P<{_BOTH}>{_BOTH_WORDS})"
)
_ONE_LABEL = re.compile(
    rf"(?P<{EFFECT}>\beffects?\b|\bmatters?\b|\bsize\b|\bdiffer(?:s|ences?)?\b|\bexplains?\b"
    rf"|\bimpact\b|\binfluence\b|{_LABELS[OMNIBUS]})"
)
# A class is said of something, and no adjective of another thing ("a large sample").
_SAID = re.compile(
    rf"\b(?P<named>{_CLASSES})\b(?=\s?(?:$|[.,;:!?\n|)\]'\"(/\u2014-]"
    r"|(?:[-\s]?sized?|effects?|ones?|side|in\s(?:size|magnitude|both|my|all|general|total|comparison)|as|since"
    r"|because|too|again|and|but|while|whereas|for|with|at|on|overall|although|though|given|by|here"
    r"|impact|influence|difference|differences|gap|degree|extent|role|magnitude|class|category|range"
    r"|level|omnibus|contrast|i|i'd|weil|aber|und)\b))"
)
_DANGER = re.compile(
    r"\b(?:if|whether|might|may|could|would\shave|unless|than|between|sample|samples|stakes?|amounts?"
    r"|sums?|cit(?:y|ies)|towns?|groups?\sof|share|others?|very|extremely|means?|explains\s1)\b"
)
_NEGATION = r"(?:not|never|neither|nor|hardly|cannot|no|isn't|don't|doubt)\b|n't\b"
_DENIES = re.compile(rf"(?:\b{_NEGATION})(?:(?!\bonly\b)[^.,;:\n]){{0,60}}$")
_SUPPOSES = re.compile(
    r"\bwhether\b[^.,;:\n]{0,60}$"
    r"|\b(?:if|suppos(?:e|ing)|unless)\b(?!\s(?:i\s(?:have|had|must)|forced|pressed|pushed|anything|asked))"
    r"(?:(?!\bbut\b)[^.;:\n]){0,80}$"
)
_SENTENCE = re.compile(r"[^.!;\n]+")
_CLAUSE = re.compile(
    r"[^,:]+?(?=,|:|\s(?:while|whereas|but|and\sthe|and\sfor|though|although|yet)\b|$)"
)
_AND = re.compile(
    r"\b(?:omnibus|overall)(?:\s(?:effects?|sizes?)){0,2}\s(?:and|as\swell\sas)\s(?:the\s)?contrasts?\b"
    r"|\bcontrasts?(?:\s(?:effects?|sizes?)){0,2}\s(?:and|as\swell\sas)\s(?:the\s)?(?:omnibus|overall)\b"
)
_LONGEST = 600
_EITHER = r"(?:omnibus|overall|contrast)\b"
_ALIKE = re.compile(
    rf"\band\sso\s(?:is|should|would|will|must)\s(?:be\s)?(?:the|that|this|my)\s{_EITHER}"
    rf"|\bsame\s(?:(?:is\strue|goes|holds|size|class)\s)?(?:for|of|with)\s(?:the\s|my\s)?{_EITHER}"
    rf"|\b{_EITHER}(?:\s(?:effects?|sizes?))*(?:\s?[:,=]|\sis)?\s(?:(?:the|also\sthe)\s)?(?:same|ditto|likewise)\b"
)
_REFERS = re.compile(
    r"\s*(?:it|that|this|let|i|i'd|i'll|so|rather|probably|likely|just|only)\b|\s*$"
)


def denies(text: str, position: int) -> bool:
    """Whether a negation or a condition stands before `position`: "I would not call the …"."""
    before = text[max(0, position - 80) : position]
    return _DENIES.search(before) is not None or _SUPPOSES.search(before) is not None


def is_of_other(text: str, position: int) -> bool:
    """Whether the clause before a class at `position` speaks of something that is no effect."""
    return _DANGER.search(_before(text[max(0, position - 80) : position])) is not None


def _before(text: str) -> str:
    return re.split(r"[.;,:?\n]|\bbut\b|\bso\b", text)[-1]


def sizes_near(text: str, kinds: Sequence[str]) -> dict[str, set[str]]:
    """The classes that sentences say of each of `kinds`; DOUBT where one leaves it open.

    text  in the spelling of `stated_effects`, with DOUBT for classes that are denied or one of two
    """
    text = _AND.sub(" both ", text)
    label = _ONE_LABEL if list(kinds) == [EFFECT] else _LABEL
    found: dict[str, set[str]] = {}
    before: set[str] = set()
    for sentence in _SENTENCE.finditer(text):
        said = sentence[0]
        if len(said) > _LONGEST:
            continue
        own = _labels(said, label)
        for begin, named in _classes(said):
            for kind in _of(said, begin, own, before, label):
                found.setdefault(kind, set()).add(named)
        # A line, or a sentence that denies, goes on in the next.
        before = own or before if _goes_on(said, own) else set()
    return found


def alike(text: str) -> bool:
    """Whether the one effect is said to be as large as the other."""
    return _ALIKE.search(text) is not None


def _labels(said: str, label: re.Pattern[str]) -> set[str]:
    kinds: set[str] = set()
    for one in label.finditer(said):
        kinds |= {OMNIBUS, CONTRAST} if one.lastgroup == _BOTH else {str(one.lastgroup)}
    return kinds


def _classes(said: str) -> Iterator[tuple[int, str]]:
    """The place of each class that is said in a sentence, and DOUBT for what is open."""
    for place, sign in enumerate(said):
        if sign == DOUBT:
            yield place, DOUBT
    for one in _SAID.finditer(said):
        clause = _before(said[: one.start()])
        if (
            said[one.end() : one.end() + 1] == "?"
            or _DANGER.search(clause)
            or _SUPPOSES.search(said[: one.start()][-80:])
        ):
            yield one.start(), DOUBT
        elif not re.search(rf"\b{_NEGATION}", clause):
            yield one.start(), one["named"]


def _of(said: str, begin: int, own: set[str], before: set[str], label: re.Pattern[str]) -> set[str]:
    """The effects that a class in a sentence is said of."""
    if not own:
        return before if _REFERS.match(said[:begin]) else set()
    if len(own) == 1:
        return own
    clauses = [one for one in _CLAUSE.finditer(said) if one.start() <= begin]
    for clause in reversed(clauses):
        if within := _labels(clause[0], label):
            is_clear = len(within) == 1 or re.search(_BOTH_WORDS, clause[0])
            return within if is_clear else set()
    return own if re.search(_BOTH_WORDS, said) else set()


def _goes_on(said: str, own: set[str]) -> bool:
    return bool(own) and (len(said) < 80)
