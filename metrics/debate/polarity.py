"""What a text says of one person's stance: a small grammar of negation, hedges and conclusions.

A stance is read where everything between it and the beginning of its clause is known: who takes it (the
person, not others), what turns it round (an odd number of negators), and that nothing leaves it open.
An unknown word is no reason to guess: such a stance is no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from otherminds.metrics.debate.lexicon import Token
from otherminds.metrics.debate.sentences import (
    asked_stance,
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
_CLAUSE_ENDS = '.,;:—()"\nrb&/#kKcd¿'


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
    hanging, revised, colon = False, False, False
    for place, sentence in enumerate(sentences(tokens)):
        body, end = split(sentence)
        answered = short_answer(body)
        if answered is not None and (
            asked is not None or (answered is False and "z" not in kinds_of(body))
        ):
            value = None if asked is None else asked is answered
            found.append(Claim(value, marked=True, stands=True, revised=revised))
            asked, revised = None, False
            continue
        before = False if colon and body else asked
        is_question = end == "¿" or inverted(body)
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
        if latest is not None and not here:
            found = found if said == [] else [*found, *(claim for _, claim in said)]
        if len({claim.value for claim in here}) > 1 and not any(one.revised for one in here[1:]):
            here = [Claim(None, marked=any(claim.marked for claim in here))]
        for claim in here:
            found.append(replace(claim, revised=claim.revised or revised))
            revised = False
    if revised and found:
        found.append(Claim(None, marked=True, revised=True))
    return found


def verdict(found: Sequence[Claim]) -> bool | None:
    """The stance that the claims come to; None where they contradict each other or leave it open.

    What comes before a revision does not count. A claim that is left open counts only as the last
    one, if it is given as an answer or as the conclusion. Of different claims the last one counts, if
    it draws a conclusion and no other was given as an answer.
    """
    found = [claim for claim in found if not claim.weak] or found
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
    concludes = any(kind in "cb" for kind in kinds) or "S" in kinds
    for place, token in enumerate(body):
        claim = None
        if token.kind in _STANCES:
            claim = _stance(body, place)
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


_CONDITIONS = frozenset(["if", "unless", "whether", "provided", "assuming", "when", "once"])


def _attitude(body: Sequence[Token], place: int, *, demand: bool) -> Claim | None:
    """The claim of other words for a stance: this person's, not the model's own."""
    kind = body[place].kind
    if kind in _TOWARDS_DEMANDS and not demand and not _relative(body[:place]):
        return None
    claim = _stance(body, place)
    if claim is None or claim.own or not (kind in "CD" or claim.subject):
        return None
    return replace(claim, weak=True)


def _relative(before: Sequence[Token]) -> bool:
    """Whether a stance is taken to what its sentence began with: "This is something he would reject"."""
    return any(
        token.kind == "m" and re.match("something|an? |the ", token.text, re.IGNORECASE)
        for token in before
    )


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
            open_ = open_ or bool(
                set(re.split("[,;—b&cr]", kinds_of(body[:start]))[-1]) & set("n?x")
            )
            break
        elif kind == "S":
            suggested = True
        elif kind == ",":
            opening = _aside(body, start - 1)
            if opening is None and start - 1 not in passed:
                break
            passed.add(opening if opening is not None else start - 1)
        elif kind == "K" and start > 1 and body[start].kind != ",":
            return None
        elif kind in _CLAUSE_BEGINS:
            break
        elif kind not in _PASSED:
            return None
        start -= 1
    if own and _said_by_matrix(body, start, place):
        own = False
    flips += _turned_behind(body, place)
    value: bool | None = _VALUES[body[place].kind] is (flips % 2 == 0)
    before = body[start - 1].kind if start else ""
    drawn = _draws(body, start)
    if open_ or flips > 2 or not drawn and _hanging_before(body[:start], subject=subject or label):
        return Claim(None, marked=label)
    if before and not (subject or label or suggested) and not _may_be_bare(body, start, place):
        return None
    ended = _ended(body, place)
    if ended is None or (not (subject or label or suggested) and _no_verdict(body, start, place)):
        return None
    alone = not subject and not suggested
    return Claim(
        value if ended else None,
        marked=label or alone,
        stands=(label or alone) and not kinds_of(body[:start]).strip('c"(—#/,'),
        own=own,
        sums_up=sums_up,
        subject=subject,
    )


_SUMS_UP = re.compile(
    r"\b(?:final|overall|conclusion|summary|sum|verdict|bottom|net|end|balance|all)\b", re.IGNORECASE
)
_SO = frozenset(["so", "therefore", "thus", "hence", "consequently"])


def _draws(body: Sequence[Token], start: int) -> bool:
    """Whether a conclusion begins at `start`, so that nothing before it goes on in it: ", so I'd say"."""
    clause = body[start : start + 2]
    if len(clause) < 2 or clause[0].kind != "c" or clause[0].text.lower() not in _SO:
        return False
    return clause[1].kind in "pl+-" or clause[1].text.lower().startswith("i ")


def _turned_behind(body: Sequence[Token], place: int) -> int:
    """How many negators stand behind a stance that is a subject: "Disagreeing seems unlikely"."""
    rest = kinds_of(body[place + 1 : place + 7]).lstrip("oO")
    said = rest.lstrip("a")
    said = said[:1] + said[1:].lstrip("a")
    is_noun = body[place].text.lower().endswith(("ment", "ing"))
    turned = said[:1] == "n" and said[1:2] in ("", ".", ",", "r", ")", "c", ":", "—", "(", "d")
    return int(turned and (rest[:1] == "a" or is_noun))


def _no_verdict(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether a stance without a subject is only spoken of: "To agree, …", "Agreed, let us …"."""
    to_do = [token.text.lower() for token in body[start:place]] == ["to"]
    consents = (
        body[place].text.lower().endswith("agreed") and kinds_of(body[place + 1 :])[:1] == ","
    )
    return to_do or consents


def _said_by_matrix(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether "I" only says what somebody else thinks: "I doubt that they agree"."""
    people = [token.text.lower() for token in body[start:place] if token.kind == "p"]
    matrix = any(token.kind in "mn" for token in body[start:place])
    return len(people) > 1 or (matrix and people != ["i"])


def _aside(body: Sequence[Token], comma: int) -> int | None:
    """Where the aside begins that the comma at `comma` closes: "they would, I think, agree".

    The place of its first comma, or -1 for the beginning of the sentence; None where what stands
    between them is no aside.
    """
    opening = next((at for at in range(comma - 1, -1, -1) if body[at].kind == ","), -1)
    inner = kinds_of(body[opening + 1 : comma])
    is_aside = bool(inner) and not inner.strip("mac") and (opening >= 0 or inner != "a")
    return opening if is_aside else None


def _hanging_before(before: Sequence[Token], *, subject: bool) -> bool:
    """Whether a part before the clause may go on in it: "It is unlikely, given this, that …"."""
    # "Hard to say, but …": what is said behind "but" goes on with nothing.
    latest = max((at for at, token in enumerate(before) if token.kind == "b"), default=-1)
    segment = ""
    for token in [*before[latest + 1 :], None]:
        kind = "," if token is None else token.kind
        if kind not in ",—(":
            segment += kind
            continue
        if token is None and not segment:
            break
        if segment[-1:] in ("n", "?", "S") and segment not in ("n", "nw"):
            return True
        if segment[-1:] in ("a", "p", "m") and not subject and segment.strip("cad"):
            return True
        segment = ""
    return False


def _may_be_bare(body: Sequence[Token], start: int, place: int) -> bool:
    """Whether a stance without a subject may stand at `start`, behind a lead-in or a dash."""
    before = body[start - 1].kind
    earlier = kinds_of(body[:start])
    if before == "&":
        return "p" in earlier and "x" not in earlier
    if before == ":":
        return not set(re.split("[,;—b]", earlier[:-1])[-1]) & set("+-?xn")
    return before in "—,bkK#/\n" or "c" in kinds_of(body[start:place])


def _ended(body: Sequence[Token], place: int) -> bool | None:
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
    if _turned_behind(body, place):
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
    return not _limited(body, at)


def _behind_object(body: Sequence[Token], at: int) -> int:
    """Where the proposition as an object ends; -1 where its content may turn it round."""
    if body[at].text.lower() == "with" and (at + 1 == len(body) or body[at + 1].kind not in "oO"):
        ends = at + 1 == len(body) or body[at + 1].kind in _CLAUSE_ENDS
        return at + 1 if ends and _relative(body[:at]) else -1
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


def _limited(body: Sequence[Token], at: int) -> bool:
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


def _word(body: Sequence[Token], place: int, *, first: bool) -> Claim | None:
    """The claim of True, False, yes, no, for or against, which stand alone or behind a mark."""
    value = _WORDS[body[place].kind]
    kinds = kinds_of(body)
    before, after = kinds[:place].lstrip('"(#—/,'), kinds[place + 1 :].lstrip('")')
    if after.lstrip(",—")[:1] in ("k", "K"):
        return None
    if after[:1] not in ("", ".", ",", "—", "(", "r", "/", ":", ";", "b", "#", "k", "d") and not (
        after[:1] == "p" and body[place].kind in "yz" and not before
    ):
        return None
    if after[:1] == ":" and set(after) & set("+-tfyz") and "p" not in after:
        return Claim(None, marked=True)
    said = before.rstrip('"(')
    span = re.search("[pamnc]*$", said)
    near = span[0] if span else ""
    said = said[: len(said) - len(near)]
    flips = near.count("n")
    if flips and not ("m" in near or (body[place].kind in "tf" and first and not said)):
        return Claim(None, marked=True)
    value = value is (flips % 2 == 0)
    if _limited(body, place + 1):
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
    tail = before[-1:] in (",", "—", "b", "(", "/") and not after.strip('.")')
    return Claim(value, marked=True) if tail and body[place].kind in "yztf" else None
