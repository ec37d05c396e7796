"""The amount that the last sentences of a reply leave for the other player, whatever their words.

For replies in which `giving` knows no sentence: each amount gets the part that it has in its clause, and
a single amount that nothing gives another part is what is given, where words of giving or choosing stand
around it or where it is under "Intention" or "Action".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from otherminds.metrics.trust_game.amounts import ANY, CLEAR, UNCLEAR, Amount, Masked
from otherminds.metrics.trust_game.giving import GIVE

_SIGNS = f"{CLEAR}{UNCLEAR}"
_LABEL = re.compile(
    rf"\b(?:intention|action|decision|plan|choice|verdict)\b[^.;!?:\n{_SIGNS}]{{0,40}}"
    r"(?::|\bis\b|\s[\u2014\u2013-]\s)|(?:^|\n)(?:i|a)\s?[:\u2014\u2013-]\s",
    re.IGNORECASE,
)
_LABEL_OF_OTHERS = re.compile(
    r"(?:^|\n)(?:thoughts?|beliefs?|desires?|reasons?|reasoning|note|[bdt])\s?[:\u2014\u2013-]\s",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_BOUNDARY = re.compile(
    r"[,:()\u2014\u2013]|\s-\s|\b(?:and|but|so|while|whereas|which|because|since|then|though"
    rf"|although|where|for\sthat)\b|{ANY}",
    re.IGNORECASE,
)
_NOT_SAID = re.compile(
    r"\b(?:if(?!\s(?:i|you)\s(?:have|had|must|am\sforced|need)\sto\b|\s(?:anything|pressed|forced|pushed)\b)"
    r"|unless|suppos(?:e|ing)|imagin(?:e|ing)|assum(?:e|ing)|were\sto|example|instance|whether|might"
    r"|may|could|either|would\shave|should\shave|tempted|depend(?:s|ing)|perhaps\snot|maybe\snot"
    r"|someone\s(?:else|braver|bolder)|my\s(?:wife|husband|brother|sister|friend|mother|father|boss"
    r"|neighbou?r|kids?|son|daughter)|most\s(?:people|folks)|(?:some|other|many)\speople|others\s(?:would|will|might|give|send)"
    r"|between|somewhere\sfrom|i'd\shave\s(?:sent|given)|"
    r"average|(?:first|second|last)\stime|ago|yesterday|hope|wish|(?:every|each)\s(?:week|day|month|year)"
    r"|weekly|(?:people|folks|strangers|everyone|everybody|nobody)\s(?:\w+\s)?(?:share|give|send|put|offer|hand)"
    r"|usual(?:ly)?|normal(?:ly)?|generally|always|often|sometimes|used\sto|charity|typical(?:ly)?|senders?|participants|stud(?:y|ies)|rules?\b|at\sthe\sstart|the\sfirst\s(?:person|player)\s(?:has|gets|starts|receives|chooses|decides))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|neither|nor|cannot|no|without|instead\sof|rather\sthan|hardly|refuse|doubt"
    r"|unlikely|reluctant|hesitate|too)\b|n't\b",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"\b(?:not|never|cannot)\b[^.;]{0,60}\b(?:more\sthan|beyond|above|over|higher\sthan"
    r"|past)\s(?:(?:a|an|the|about|around|just)\s){0,2}$"
    r"|n't\b[^.;]{0,60}\b(?:more\sthan|beyond|above|over|higher\sthan|past)\s"
    r"(?:(?:a|an|the|about|around|just)\s){0,2}$|\bany\ssum\sabove\s$",
    re.IGNORECASE,
)
_HANDED = re.compile(
    r"\b(?:for|to)\s(?:them|him|her|the\s(?:other|second|stranger)|you)\b|\bfrom\sme\b"
    r"|\bof\s(?:my|mine)\b",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:back|returns?|returned|returning|receives?|received|receiving|gets?|got|getting|has|had"
    r"|have(?!\s(?:decided|chosen|settled))|having|holds?(?!\s(?:on|back))|becomes?|became|turns?"
    r"|turned|triples?|tripled|makes\s(?:it|that|for)|into|earns?|earned|worth|than|of|from|out"
    r"\sof|see|sees|expect\w*|sitting\son|looking\sat|when|sent|gave|were|was|went(?!\swith)"
    r"|brought|time|costs?|lost|start\w*|began|previous|last|earlier|plus|minus|times|every|each|per"
    r"|kept|returned|comes?|came|ahead|profit|repl(?:y|ies)|answers?\swith|sends|gives"
    r"|besides|multiplied\sby)\b(?:\s[\w']{1,12}){0,3}\s*$"
    r"|\b(?:above|below|over|under|beyond|near|like|at\s(?:most|least)|about\sthe|by|times)"
    r"(?:\s(?:a|an|the|about|just|my)){0,2}\s*$",
    re.IGNORECASE,
)
_OF_OTHERS_AFTER = re.compile(
    r"\s?(?:dollars?\s)?(?:back\b|returned\b|in\sreturn|of\swhich|on\stheir|in\stheir|comes?\s(?:back|home)"
    r"|coming|came|ahead\b|of\sprofit|profit|each\b|apiece|for\s(?:every|each|whoever)|tripled|more\b"
    r"|less\b|fewer\b|would\sbe\stoo|is\stoo|seems\stoo|feels\stoo|was\b|were\b|bought|brought|earned"
    r"|got\b|went\b|became|becomes|turns|if\b|in\stotal|to\s(?:start|begin)\swith)",
    re.IGNORECASE,
)
_KEPT_BEFORE = re.compile(
    r"\b(?:keep|keeps|keeping|hold(?:ing)?\s(?:back|on(?:to|\sto))|pocket|retain|retaining|stash|save"
    r"|saving|hang(?:ing)?\son(?:to|\sto)|leav(?:e|es|ing)\s(?:me|myself)|left\swith|stays?"
    r"|remains?|hide|tuck\s?(?:away)?|set\saside|sit\son"
    r"|i(?:'d|'ll|\swould|\swill)\s(?:still\s)?(?:be\sleft\swith|have))\b[^.;]{0,30}$",
    re.IGNORECASE,
)
_KEPT_AFTER = re.compile(
    r"\s?(?:dollars?\s)?(?:(?:will\s|would\s|'ll\s|can\s)?(?:stays?|staying|remains?|remaining|is\sleft"
    r"|are\sleft|left\b|sits?)|in\smy\b|with\sme\b|for\s(?:me|myself|my|a\srainy|the\sbus|gas)\b"
    r"|as\smy\b|to\smyself|kept\b|safe\b|back\s(?:for\smyself|in\smy))",
    re.IGNORECASE,
)
_CUE = re.compile(
    rf"\b(?:{GIVE}|part(?:ing)?\s(?:with|ways\swith)|giving|sending|handing|gift|offer|stake|contribution"
    r"|share|number|figure|sum|amount|bet|transfer|call|make|put|land|lands|settle|settling|stick|stop"
    r"|answer|pick|choice|choose|goes|go|going|gets\s(?=[^.]{0,6}of\smy)|theirs|across|over\sto"
    r"|out\sthe|their\sway|(?:it|that)(?:'ll|\swill|\sshall|\swould|'d)\s(?:have\sto\s)?be"
    r"|it\sshall|in\sfor|in\son|down\sfor|enough|will\sdo|comfortable"
    r"|trust\s(?:them|him|her)|lay|slide|push|shove|toss|throw"
    r"|drop|plunk|chip\sin|on\sthe\s(?:table|line)|into\stheir|to\sthe\s(?:other|second"
    r"|stranger)|to\s(?:them|him|her|you))\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|mine|I'[a-z]+)\b")
_OTHER_GIVES = re.compile(
    rf"\b(?:they|he|she|it|the\s(?:other|second|stranger)|partner|counterpart|who|people|someone)\b"
    rf"[^,;.]{{0,30}}\b(?:{GIVE}|gives?|sends?|returns?|keeps?|hands?)\b",
    re.IGNORECASE,
)
_SECOND_GIVES = re.compile(
    r"\b(?:the\s(?:other|second|stranger)|(?:my\s)?partner|counterpart|recipient|receiver|player\s(?:b|2|two))\b"
    rf"[^,;.]{{0,30}}\b(?:{GIVE}|gives?|sends?|returns?|keeps?|hands?)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"\s?[.)]\s+\w")
_REFUSED = re.compile(
    r"\b(?:sorry|language\smodel|as\san\sai|an\sai\b|apologi[sz]e|can(?:not|'t)\s(?:help|assist|make|decide"
    r"|take|say|tell)|unable\sto|not\sable\sto)",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"\b(?:but|still|however|nevertheless|anyway|role|playing|if\s(?:i|forced|pressed|pushed))\b",
    re.IGNORECASE,
)
_AND_IF = re.compile(r",\s(?:(?:and|but|so|then)\s)?if\b", re.IGNORECASE)
_REPEATED = re.compile(
    r"\b(?:repeat\w*|stick\w*\s(?:with|to)|stay\w*\s(?:with|at|on)|keep\w*\sto|match\w*|same\sas)\s"
    r"(?:\w+\s)?(?:last|previous)\s\w+(?:'s)?\s$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?;\n]\s*$")
_CONCLUSION = re.compile(
    r".*\b(?:so|therefore|thus|hence|which\sis\swhy|that's\swhy)\b", re.IGNORECASE | re.DOTALL
)
_WORD = re.compile(r"[^\W\d_]+")
_UPPER = re.compile(r"\bthe\s(?:latter|higher|upper|larger|bigger|second|top)\b", re.IGNORECASE)
_LOWER = re.compile(r"\bthe\s(?:former|lower|smaller|first|bottom)\b", re.IGNORECASE)
_MIDDLE = re.compile(r"\b(?:the\smiddle|halfway|midpoint)\b", re.IGNORECASE)
_SENTENCES = 3
_LONGEST = 400
_SHORT = 40
_FEW = 5


_OF_ALL = re.compile(
    r"\b(?:my|the)\s$|\b(?:stake|pot|endowment|total|sum|amount|money|budget)\s(?:is|was|of)\s$",
    re.IGNORECASE,
)
_OTHER_PART = re.compile(r"\bthe\s(?:other|remaining|last)\s?$", re.IGNORECASE)
_OF_WHOLE = re.compile(rf"\sof\s(?:the|my)\s?{ANY}", re.IGNORECASE)


class _Part(NamedTuple):
    """An amount of a sentence with the part that it has there: "given", "kept" or "other"."""

    role: str
    amount: Amount


def given_last(found: Masked, endowment: float) -> float | None:
    """The dollars that the last sentences with an amount leave for the other player; None if unclear.

    Amounts in conditions and questions, with a negation, of earlier rounds, and what the other has or
    gives back are passed over. "7 stays with me" leaves the rest. Time is linear.
    """
    text = found.text
    labels = list(_LABEL.finditer(text))
    begin = labels[-1].end() if labels else 0
    end = len(text)
    if labels and (other := _LABEL_OF_OTHERS.search(text, begin)):
        end = other.start()
    seen = 0
    refused = _REFUSED.search(text)
    for sentence in reversed(list(_SENTENCE.finditer(text, begin, end))):
        said = sentence[0]
        if not re.search(ANY, said):
            continue
        start = sentence.start() + len(said) - len(said.lstrip())
        said = said.lstrip()
        seen += 1
        if seen > _SENTENCES or len(said) > _LONGEST:
            return None
        is_cut = sentence.end() == len(text) and not _ENDED.search(said)
        if (is_cut and len(said) > _SHORT) or (refused and not _STILL.search(said)):
            return None
        concluded = _CONCLUSION.match(said)
        if concluded and re.search(CLEAR, said[concluded.end() :]):
            start, said = start + concluded.end(), said[concluded.end() :]
        stop = sentence.end()
        condition = _AND_IF.search(said)
        if condition and re.search(CLEAR, said[: condition.start()]):
            stop, said = start + condition.start(), said[: condition.start()]
        if "?" in said:
            continue
        if (end_of_range := _of_range(found, start, said)) is not None:
            return end_of_range
        if _NOT_SAID.search(said):
            continue
        parts = list(_parts(found, start, stop, endowment))
        amounts = {one.amount.value for one in parts if one.role == "given"}
        kept = {one.amount.value for one in parts if one.role == "kept"}
        if amounts:
            return _given(said, amounts, kept, endowment, is_labelled=bool(labels), text=text)
        if kept:
            return _rest(kept, endowment)
    return None


def _of_range(found: Masked, start: int, said: str) -> float | None:
    """The end of a range that a sentence chooses: "3 or 4, so the latter"; None without such words."""
    signs = [found.amounts.get(start + one.start()) for one in re.finditer(ANY, said)]
    ends = signs[0].ends if len(signs) == 1 and signs[0] is not None else None
    words = [_LOWER.search(said), _UPPER.search(said), _MIDDLE.search(said)]
    if ends is None or sum(map(bool, words)) != 1 or _DENIED.search(said):
        return None
    low, high = ends
    if words[2]:
        return (low + high) / 2
    return high if words[1] else low


def _given(
    said: str,
    amounts: set[float | None],
    kept: set[float | None],
    endowment: float,
    *,
    is_labelled: bool,
    text: str,
) -> float | None:
    if len(amounts) > 1:
        return None
    if not is_labelled and not _CUE.search(said) and len(_WORD.findall(said)) > _FEW:
        return None
    if _SECOND_GIVES.search(said) or (_FIRST_PERSON.search(text) and _OTHER_GIVES.search(said)):
        return None
    value = next(iter(amounts))
    rest = _rest(kept, endowment) if kept else value
    return value if rest == value else None


def _rest(kept: set[float | None], endowment: float) -> float | None:
    value = next(iter(kept))
    return None if len(kept) > 1 or value is None else endowment - value


def _parts(found: Masked, begin: int, end: int, endowment: float) -> Iterator[_Part]:
    text = found.text
    bounds = [begin, *(one.end() for one in _BOUNDARY.finditer(text, begin, end)), end]
    starts = [begin, *(one.start() for one in _BOUNDARY.finditer(text, begin, end)), end]
    for place, bound in enumerate(bounds[1:-1], 1):
        at = bound - 1
        if text[at] not in _SIGNS or at not in found.amounts:
            continue
        if at == begin and not found.amounts[at].is_money and _NUMBERING.match(text, bound):
            continue
        before = text[bounds[place - 1] : at]
        after = text[bound : starts[place + 1]]
        whole = _OF_WHOLE.match(text, bound, end)
        if whole and found.amounts[at].kind == "nothing":
            after = text[whole.end() : end]
        if amount := found.amounts[at]:
            yield _Part(_role(before, after, amount, endowment, text[begin:at]), amount)


def _role(before: str, after: str, amount: Amount, endowment: float, earlier: str) -> str:
    is_whole = amount.value == endowment
    if amount.kind == "rest" or (amount.value is None and _OTHER_PART.search(before)):
        return "other"
    if _NO_MORE.search(before) or _NO_MORE.search(earlier[-80:]):
        return "given"
    if _REPEATED.search(before):
        return "given"
    if amount.kind != "nothing" and _DENIED.search(before):
        return "other"
    if _KEPT_AFTER.match(after) or _KEPT_BEFORE.search(before):
        return "kept"
    if _OF_OTHERS_AFTER.match(after) and not _HANDED.match(after):
        return "other"
    if _OF_OTHERS.search(before) and not _HANDED.search(after[:12]):
        return "other"
    if is_whole and amount.kind == "number" and _OF_ALL.search(before):
        return "other"
    return "given"
