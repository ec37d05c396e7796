"""What a text says of one person's stance: a small grammar of negation, hedges and conclusions.

A stance is read where everything between it and the beginning of its clause is known: who takes it (the
person, not others), what turns it round (an odd number of negators), and that nothing leaves it open.
An unknown word is no reason to guess: such a stance is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from otherminds.metrics.debate import brief
from otherminds.metrics.debate.beginnings import aside, begins_anew, hanging_before, may_be_bare
from otherminds.metrics.debate.endings import ended, limited, relative, turned_behind
from otherminds.metrics.debate.exceptions import groups_stance, of_member
from otherminds.metrics.debate.lexicon import Token
from otherminds.metrics.debate.sentences import (
    asked_stance,
    elliptic,
    hangs,
    inverted,
    kinds_of,
    sentences,
    short_answer,
    split,
    taken_back_at,
)

_STANCES = {"+": True, "-": False}
# Other words for them, which count where the plain ones are missing.
_ATTITUDES = {"P": True, "N": False, "C": True, "D": False}
_TOWARDS_DEMANDS = {"G": True, "H": False, "u": True, "v": False}
_VALUES = _STANCES | _ATTITUDES | _TOWARDS_DEMANDS
_WORDS = {"t": True, "f": False, "y": True, "z": False, "u": True, "v": False}
_PASSED = 'am"()cd'
"""Classes between a stance and its clause's beginning that change nothing."""
_CLAUSE_BEGINS = ",:—b&kK\n;/#"


@dataclass(frozen=True, slots=True)
class Claim:
    """A stance that the text takes.

    value     True for agree, False for disagree; None where it is left open
    marked    whether it is given as an answer: alone, or behind "Answer:" and the like
    stands    whether nothing else stands before it in its sentence
    concludes whether its sentence draws a conclusion or sets it against what comes before
    own       whether it is "I" who agrees
    revised   whether words before it take back what was said ("No, wait: …")
    sums_up   whether it is given as the final answer: "Overall: …", "Verdict: …"
    weak      whether other words than agree and disagree say it
    subject   whether its sentence names who takes it
    """

    value: bool | None
    marked: bool = False
    stands: bool = False
    concludes: bool = False
    own: bool = False
    revised: bool = False
    sums_up: bool = False
    weak: bool = False
    subject: bool = False


def claims(
    tokens: Sequence[Token], *, words: bool, begins: bool = True, demand: bool = False
) -> list[Claim]:
    """The claims of a text in order.

    words  whether True, False, yes and no are read at the beginning of any sentence, not of the
           first alone (in a field that asks for them)
    begins whether the text begins with these tokens, rather than having lost its beginning
    demand whether "she supports it" can only mean the proposition, as it demands something
    """
    found: list[Claim] = []
    asked: bool | None = None
    hanging, revised, colon, was_question = False, False, False, False
    group: bool | None = None
    for place, sentence in enumerate(sentences(tokens)):
        body, end = split(sentence)
        answered = short_answer(body)
        if answered is None and asked is not None:
            answered = elliptic(body)
        if answered is not None and (
            asked is not None or (answered is False and "z" not in kinds_of(body))
        ):
            value = None if asked is None else asked is answered
            if place == 0 and begins and value is None:
                value = brief.surely(" ".join(token.text for token in body))
            if value is not None or not was_question:
                found.append(Claim(value, marked=True, stands=True, revised=revised))
            was_question = False
            asked, revised = None, False
            continue
        before = False if colon and body else asked
        is_question = end == "¿" or inverted(body)
        was_question = is_question
        asked = asked_stance(body) if is_question else asked if not body else None
        if is_question or hanging:
            if is_question and kinds_of(body)[:1] == "?" and found:
                found.append(Claim(None, marked=True))
            hanging = (end == "\n" and hangs(body)) or (hanging and not body)
            continue
        hanging = (end == "\n" and hangs(body)) or (hanging and not body)
        colon = (colon and not body) or (
            kinds_of(body)[-1:] == ":" and set("+-") & set(kinds_of(body)) != set()
        )
        latest = taken_back_at(body)
        revised = revised or latest is not None
        first = (place == 0 and begins) or words
        said = list(_sentence(body, first=first, asked=before, demand=demand))
        here = [claim for at, claim in said if latest is None or at > latest]
        member = of_member(body, group)
        group = groups_stance(body)
        if member is not None:
            here = [Claim(member, concludes=True, weak=True, subject=True)]
        if latest is not None and not here:
            found = found if said == [] else [*found, *(claim for _, claim in said)]
        # "She might agree, but I'd say disagree."
        if here and here[-1].value is not None and (here[-1].marked or here[-1].concludes):
            here = [claim for claim in here if claim.value is not None or claim.marked]
        if len({claim.value for claim in here}) > 1 and not any(one.revised for one in here[1:]):
            here = [Claim(None, marked=any(claim.marked for claim in here))]
        if len(here) == 1 and here[0].weak and _of_both(body):
            here = [Claim(None, weak=True)]
        for claim in here:
            found.append(replace(claim, revised=claim.revised or revised))
            revised = False
    if revised and found:
        found.append(Claim(None, marked=True, revised=True))
    return found


def _of_both(body: Sequence[Token]) -> bool:
    """Whether one is for it and another against it: "A teacher would be for it, a pupil against it"."""
    kinds = set(kinds_of(body))
    return bool(kinds & set("PG")) and bool(kinds & set("NH")) and bool(kinds & set("GH"))


def verdict(found: Sequence[Claim]) -> bool | None:
    """The stance that the claims come to; None where they contradict each other or leave it open.

    What comes before a revision does not count. A claim that is left open counts only as the last
    one, if it is given as an answer or as the conclusion. Of different claims the last one counts, if
    it draws a conclusion and no other was given as an answer.
    """
    strong = [claim for claim in found if not claim.weak]
    if strong and len(strong) < len(found):
        plain = verdict(strong)
        opposed = any(claim.value not in (None, plain) for claim in found if claim.weak)
        return None if opposed and not (strong[-1].marked or strong[-1].concludes) else plain
    latest = max((place for place, claim in enumerate(found) if claim.revised), default=0)
    kept = [
        claim
        for claim in found[latest:]
        if claim.value is not None or claim.marked or claim.concludes
    ]
    if not kept or kept[-1].value is None:
        return None
    said = [claim for claim in kept if claim.value is not None or claim.marked]
    values = {claim.value for claim in said}
    if len(values) == 1:
        return said[-1].value
    last = said[-1]
    others = [claim for claim in said if claim.value is not last.value]
    if (last.concludes or last.marked) and not any(claim.marked for claim in others):
        return last.value
    if last.marked and last.stands and not any(claim.stands for claim in others):
        return last.value
    if last.sums_up and last.marked and not any(claim.sums_up for claim in others):
        return last.value
    return None


def _sentence(
    body: Sequence[Token], *, first: bool, asked: bool | None, demand: bool
) -> Iterator[tuple[int, Claim]]:
    if _conditional(body):
        return
    kinds = kinds_of(body)
    if _UNDECIDED.search(" ".join(token.text for token in body[-3:])):
        yield len(body) - 1, Claim(None, marked=True, concludes=True)
        return
    concludes = any(kind in "cb" for kind in kinds) or "S" in kinds
    left_open = re.match('["(—#c,]*l["(]*[?]', kinds)
    if left_open and _SUMS_UP.search(" ".join(token.text for token in body[: left_open.end()])):
        yield left_open.end() - 1, Claim(None, marked=True, concludes=True, sums_up=True)
    for place, token in enumerate(body):
        claim = None
        if token.kind in _STANCES:
            claim = _stance(body, place)
        elif token.kind in "uv" and demand and "p" in kinds[:place]:
            claim = _attitude(body, place, demand=demand)
        elif token.kind in _WORDS:
            claim = _word(body, place, first=first)
            # "Would they disagree? True" may answer either question.
            if claim is not None and (asked is False or (asked and token.kind in "yzuv")):
                claim = Claim(None, marked=True)
        if claim is None and token.kind in _ATTITUDES | _TOWARDS_DEMANDS:
            claim = _attitude(body, place, demand=demand)
        if claim is not None:
            yield place, replace(claim, concludes=concludes)


def _conditional(body: Sequence[Token]) -> bool:
    """Whether a sentence begins with a condition, so that nothing in it is said outright."""
    opening = next((token for token in body if token.kind not in '"(—#c,'), None)
    return opening is not None and opening.kind == "?" and opening.text.lower() in _CONDITIONS


_UNDECIDED = re.compile(
    r"\bi (?:can ?not|do not) (?:really )?(?:decide|choose|pick)$", re.IGNORECASE
)
_CONDITIONS = frozenset(["if", "unless", "whether", "provided", "assuming", "when", "once"])


# "She would laugh and say that …"
_SHARED = re.compile("(?:^|[,;—:b])[cdr]*pa*w[wadoO]{0,4}&a*$")


def _attitude(body: Sequence[Token], place: int, *, demand: bool) -> Claim | None:
    """The claim of other words for a stance: this person's, not the model's own."""
    kind = body[place].kind
    if kind in _TOWARDS_DEMANDS and not demand and not relative(body[:place]):
        return None
    claim = _stance(body, place)
    begins = not kinds_of(body[:place]).strip('na"(#—')
    own = claim is not None and claim.own and kind not in "CD"
    shared = _SHARED.search(kinds_of(body[:place])) is not None
    named = re.search(r"\b(?:he|she|they|person)\b", body[place].text, re.IGNORECASE) is not None
    if claim is None or own or not (claim.subject or begins or shared or named):
        return None
    return replace(claim, weak=True)


def _stance(body: Sequence[Token], place: int) -> Claim | None:
    """The claim of the stance at `place`; None where it is nobody's, or not this person's."""
    flips, label, open_, own, suggested = 0, False, False, False, False
    subject = body[place].kind in "CD"
    sums_up = False
    passed: set[int] = set()
    start = place
    while start > 0:
        token = body[start - 1]
        kind = token.kind
        if suggested and kind in "w+-PNGHCDuvoO":
            pass
        elif kind == "n":
            if suggested:
                return Claim(None)
            flips += 1
        elif kind == "?":
            open_ = True
        elif kind == "p" and _conceded(body, start - 1):
            return None
        elif kind == "p":
            if subject is False:
                own = token.text.lower() == "i"
            subject = True
        elif kind == "m":
            own = own and not token.text.lower().startswith("i ")
        elif kind == "l" or (kind == "Q" and token.text.endswith(":")):
            label = True
            sums_up = _SUMS_UP.search(token.text) is not None
            start -= 1
            # "It is not true that the answer is …"
            open_ = open_ or _left_open(body[:start])
            break
        elif kind == "S":
            suggested = True
        elif kind == ",":
            opening = aside(body, start - 1)
            if opening is None and start - 1 not in passed:
                break
            passed.add(opening if opening is not None else start - 1)
        elif kind == "K" and start > 1 and body[start].kind != ",":
            return None
        elif kind in _CLAUSE_BEGINS:
            break
        elif kind not in _PASSED:
            if subject and begins_anew(body, start, place):
                break
            return None
        start -= 1
    if own and _said_by_matrix(body, start, place):
        own = False
    flips += turned_behind(body, place)
    value: bool | None = _VALUES[body[place].kind] is (flips % 2 == 0)
    before = body[start - 1].kind if start else ""
    drawn = _draws(body, start)
    # "She may value courtesy, which implies agreement."
    open_ = open_ or (suggested and "?" in kinds_of(body[:start]))
    if open_ or flips > 2 or (not drawn and hanging_before(body[:start], subject=subject or label)):
        return Claim(None, marked=label)
    if before and not (subject or label or suggested) and not may_be_bare(body, start, place):
        return None
    whole = ended(body, place)
    if whole is None or (not (subject or label or suggested) and _no_verdict(body, start, place)):
        return None
    alone = not subject and not suggested
    return Claim(
        value if whole else None,
        marked=label or alone,
        stands=(label or alone) and not kinds_of(body[:start]).strip('c"(—#/,'),
        own=own,
        sums_up=sums_up,
        subject=subject,
    )


_SUMS_UP = re.compile(
    r"\b(?:final|overall|conclusion|summary|sum|verdict|bottom|net|end|balance|all|my)\b",
    re.IGNORECASE,
)
_SO = frozenset(["so", "therefore", "thus", "hence", "consequently"])


def _draws(body: Sequence[Token], start: int) -> bool:
    """Whether a conclusion begins at `start`, so that nothing before it goes on in it."""
    clause = body[start : start + 2]
    if len(clause) < 2 or clause[0].kind != "c" or clause[0].text.lower() not in _SO:
        return False
    return clause[1].kind in "pl+-" or clause[1].text.lower().startswith("i ")


def _no_verdict(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether a stance without a subject is only spoken of: "To agree, …", "Agreed, let us …"."""
    to_do = [token.text.lower() for token in body[start:place]] == ["to"]
    consents = (
        body[place].text.lower().endswith("agreed") and kinds_of(body[place + 1 :])[:1] == ","
    )
    return to_do or consents


def _conceded(body: Sequence[Token], place: int) -> bool:
    """Whether somebody else is granted another stance: "…, although a serious player would object"."""
    granted = place > 0 and body[place - 1].text.lower() in _CONCESSIVE
    return granted and body[place].text.lower().startswith(("a ", "an "))


_CONCESSIVE = frozenset(["although", "though", "even though", "while", "whereas"])


def _said_by_matrix(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether "I" only says what somebody else thinks: "I doubt that they agree"."""
    people = [token.text.lower() for token in body[start:place] if token.kind == "p"]
    matrix = any(token.kind in "mn" for token in body[start:place])
    return len(people) > 1 or (matrix and people != ["i"])


def _left_open(before: Sequence[Token]) -> bool:
    """Whether the words before a label deny it or leave it open: "Before I put her down as a yes"."""
    segment = re.split("[,;—b&c]", kinds_of(before))[-1]
    told_of = [token.text.lower() for token in before[-1:]]
    if told_of and told_of[0] in ("that", "which", "who") and kinds_of(before[-2:-1]) == "w":
        return True
    waits = any(token.text.lower() == "before" for token in before[len(before) - len(segment) :])
    return waits or bool(set(segment.split("r")[-1]) & set("n?x"))


# "Yes, this is a hard one", "Yes, you can say …" answer nothing.
_OF_THE_ASKING = re.compile(
    r",?\s*(?:(?:this|that|it) is (?:an? )?(?:\w+ly )?(?:hard|tough|tricky|difficult|good"
    r"|interesting|fair|great|common"
    r"|sensitive|controversial|complex|delicate|question)\b|you (?:can|are|may|could|should|have"
    r"|do)\b)",
    re.IGNORECASE,
)


def _word(body: Sequence[Token], place: int, *, first: bool) -> Claim | None:
    """The claim of True, False, yes, no, for or against, which stand alone or behind a mark."""
    value = _WORDS[body[place].kind]
    kinds = kinds_of(body)
    before, after = kinds[:place].lstrip('"(#—/,'), kinds[place + 1 :].lstrip('")')
    if after.lstrip(",—")[:1] in ("k", "K"):
        return None
    if _OF_THE_ASKING.match(" ".join(token.text for token in body[place + 1 : place + 8])):
        return None
    if before.rstrip("a").endswith("l"):
        after = after.lstrip("a")
    if after[:1] not in ("", ".", ",", "—", "(", "r", "/", ":", ";", "b", "#", "k", "d") and not (
        after[:1] == "p" and body[place].kind in "yz" and not before
    ):
        return None
    # "True, she is old, but …" grants something else.
    if body[place].kind == "t" and after[:1] == "," and "b" in after:
        return None
    if after[:1] == ":" and set(after) & set("+-tfyz") and "p" not in after:
        return Claim(None, marked=True)
    # "…, so I would say no": what stands before it does not go on in it.
    drawn = re.search("[,;—]c(?=a*ma*$)", before)
    before = before[drawn.end() :] if drawn else before
    said = before.rstrip('"(')
    span = re.search("[pamnc]*$", said)
    near = span[0] if span else ""
    said = said[: len(said) - len(near)]
    flips = near.count("n")
    if flips and not ("m" in near or (body[place].kind in "tf" and first and not said)):
        return Claim(None, marked=True)
    value = value is (flips % 2 == 0)
    if limited(body, place + 1):
        return Claim(None, marked=True)
    label = kinds.rfind("l", 0, place)
    if said.endswith("l") and _left_open(body[:label]):
        return Claim(None, marked=True)
    marked = said.endswith("l") or (said.endswith("Q") and kinds[place - 1] == "Q")
    stands = marked and not said[:-1]
    said_by_me = "m" in near and (
        body[place].kind in "yz" or any(t.text.lower().startswith("i ") for t in body[:place])
    )
    if marked or (said_by_me and not said.strip("wrp,cakKbQ—:;O")):
        sums_up = any(one.kind == "l" and _SUMS_UP.search(one.text) for one in body[:place])
        return Claim(value, marked=True, stands=stands, sums_up=sums_up)
    if near.strip("c") and not (flips and body[place].kind in "tf"):
        return Claim(None, marked=True) if flips else None
    corrected = before[before.rfind("k") + 1 :] if "k" in before else "k"
    if not corrected.strip("c,:—a"):
        return Claim(value, marked=True)
    if not said.strip("kKc,:"):
        alone = not after.strip('.")')
        if first or alone or body[place].kind in "yz":
            return Claim(value, marked=True, stands=True)
        return None
    # "They agree, no." contradicts itself.
    ends = before.rstrip("c")[-1:]
    arrow = ends == ":" and place > 0 and body[place - 1].text in ("->", "=>", "\u2192")
    tail = (ends in tuple(",—b(/") or (arrow and not set(before) & set("+-PN?nx"))) and (
        not after.strip('.")d')
    )
    return Claim(value, marked=True) if tail and body[place].kind in "yztf" else None
