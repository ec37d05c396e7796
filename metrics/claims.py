"""Which of the answers named in a reply it gives: a claim is an answer that a sentence asserts.

A reader (`letter_reader`, `number_reader`) finds what is *mentioned* in a sentence; the rules here
decide which mentions are claims, and which claim is the conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Generic, TypeVar

from otherminds.metrics.marks import CLOSING
from otherminds.metrics.sentences import Sentence, corrects, doubtful, rejected

Value = TypeVar("Value")

MANY = 30
"""A sentence with so many mentions is a list, whatever it says; so are as many marks without answer."""

_NEAR = 90
_TRAILING = 10


TRAILER = (
    r"(?:I\s+(?:think|guess|suppose|believe|would|'d|reckon)|most|likely|probably|maybe|perhaps"
    r"|of\s+course|then|at\s+(?:best|most|least)"
    r"|obviously|clearly|for\s+(?:me|him|her|them|sure|this)|from\s+me|instead|rather|here|now"
    r"|overall|again|too|not|points?|punkte?n?)\b"
)
"""What may follow an answer within its sentence, and no noun that it might belong to."""

_FINE = (
    r"(?:the|my|our|his|her|a)\s+(?:\w+\s+){0,3}?(?:best|correct|right|answer|only|most|likeliest"
    r"|strongest|closest|winner|one|choice|fit"
    r"|prediction|option|pick|guess|estimate|bet|value|rating|score|number|more\s+(?:likely"
    r"|plausible|probable|convincing)|better\s+\w+)"
)
# What asserts the answer before it: "B is the best fit", "7 seems right".
PRAISED = re.compile(
    rf"[)\]\"'*]*\s+(?:(?:is|was|seems|sounds|feels|would\s+be|must\s+be|looks|remains"
    rf"|appears)\s+(?:to\s+be\s+)?(?:\w+ly\s+|about\s+)?"
    rf"(?:correct|right|best|likeliest|most|more\s+(?:likely|plausible|probable|convincing)"
    rf"|(?:what|where)\s+(?:I|they|he|she|this)\b|{_FINE})|{_FINE}"
    r"|fits?\s+(?:best|better|all|every|the\s+best|both|everything|perfectly)|(?:better"
    r"|best)\s+(?:fits|matches|suits)"
    r"|matches\s+(?:best|better|all|both|everything|perfectly)|comes\s+closest|wins|it\s+(?:is|(?:must|has\s+to|will|shall)\s+be)\b|carries\s+more\s+weight|(?:would|will|does)\s+(?:\w+ly\s+)?(?:do\s+)?"
    r"(?:him|her|them|it|this\s+\w+)?\s*justice"
    r"|says\s+that|gets\s+(?:all|both|everything)|(?:side\s+|still\s+|clearly\s+|just\s+)?(?:wins\s+out"
    r"|holds?\s+up\s+(?:better|best)|weighs?\s+(?:more|heavier|the\s+most)|carries\s+the\s+day|takes\s+it"
    r"|has\s+the\s+(?:edge|upper\s+hand|better\s+\w+)|edges\s+(?:it|ahead|out)|prevails?|comes\s+out\s+(?:ahead"
    r"|on\s+top)|is\s+where\s+(?:I|this|it)\b|makes?\s+(?:the\s+)?(?:more|most)\s+sense)"
    r"|(?:wählen|nehmen|sagen|tippen)\b)"
    r"|[)\]\"'*\u300d]*\s*(?:が正|です|を選|だと|にし|입니다|이다|[을를]\s*선택)",
    re.IGNORECASE,
)


# Who says which answer, instead of what would speak for one.
_SPEAKS = re.compile(r"\b(?:I|I'd|I'll|I'm|my|me|we|let's|answer\w*|choice)\b|=|:")


# Evidence for an answer, or the question: "she says that …, which sounds like POSITIVE".
_WEIGHED = re.compile(
    r"\bwhether\b|\bwhich\s+(?:\w+ly\s+)?(?:sounds?|looks?|reads?|seems?|points?|speaks?)\b",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"^\s*\([^()\n]{0,60}\)")
_ABOUT = re.compile(r"\b(?:for|of|against|about|with|on|behind|favou?ring)\s*(?:option)?$", re.I)


class Rank(IntEnum):
    """How firmly a claim is made; a firmer one overrules those before it."""

    WORDS = 1
    """In words of the question's own, within a sentence: "would strongly oppose it"."""
    PROSE = 2
    """Within a sentence: "I'd say B"."""
    CONCLUSION = 3
    """Within a sentence that says that something follows, or on a line with a label."""
    MARKED = 4
    """Marked as the answer, or at the head of the reply: "the answer is B because …", "B. Because …"."""
    FINAL = 5
    """On a line of its own, marked or not."""


@dataclass(frozen=True, slots=True)
class Claim(Generic[Value]):
    """An asserted answer.

    value  None when it is unclear ("6 or 7") or contradicts itself
    heads  whether it is what the reply begins with
    in_words whether it names the answer by its text
    stated where its firmest statement ends, if weaker ones follow; -1 for its own end
    """

    start: int
    end: int
    value: Value | None
    rank: Rank
    heads: bool = False
    in_words: bool = False
    stated: int = -1

    @property
    def settled(self) -> int:
        """Where its firmest statement ends: what corrects it stands behind that."""
        return self.end if self.stated < 0 else self.stated


@dataclass(frozen=True, slots=True)
class Mention(Generic[Value]):
    """An answer that is named in a sentence, by position in the sentence.

    value    None when it is no possible answer, or unclear
    alone    whether something stands out behind it: punctuation, the end, a reason
    cued     whether the words before or after it assert it
    in_words whether it is named by its text instead of its letter or number
    """

    start: int
    end: int
    value: Value | None
    alone: bool
    cued: bool
    in_words: bool = False


def claims_of(
    sentence: Sentence, mentions: Sequence[Mention[Value]], joined: re.Pattern[str]
) -> Iterator[Claim[Value]]:
    """What a sentence claims, given what it mentions: at most one answer.

    joined  what stands between two mentions of a list or range, "A or B"
    """
    if sentence.asks or sentence.own or not mentions:
        return
    live = _live(sentence.text, mentions, joined)
    if not live:
        return
    cued = [one for one in live if one.cued and not doubtful(_before(sentence.text, one))]
    rank = Rank.CONCLUSION if sentence.concludes else Rank.PROSE
    short = len(sentence.text.split()) <= 4
    if cued:
        chosen = _corrected(sentence.text, cued[-1], live)
        others = {one.value for one in cued} - {chosen.value}
        if others and not corrects(sentence.text[cued[0].end : chosen.start]):
            yield _claim(sentence, chosen, None, rank)
            return
        if sentence.closes or (sentence.opens and (short or speaks(sentence.text))):
            rank = Rank.CONCLUSION
    elif sentence.opens or sentence.closes or short:
        chosen = live[-1]
        if not chosen.alone or chosen.value is None or len({one.value for one in live}) > 1:
            return
        if chosen.in_words and _WEIGHED.search(sentence.text[: chosen.start]):
            return
        if doubtful(_before(sentence.text, chosen)) or _heads_a_note(sentence.text, chosen):
            return
        if sentence.closes and not sentence.opens and _bare(sentence.text, chosen):
            rank = Rank.CONCLUSION
    else:
        return
    contradicts = {one.value for one in live if one.in_words != chosen.in_words} - {chosen.value}
    if chosen.in_words:
        rank = Rank.PROSE if short or sentence.closes else Rank.WORDS
    yield _claim(sentence, chosen, None if contradicts else chosen.value, rank)


def concluded(claims: Iterable[Claim[Value]], text: str) -> Claim[Value] | None:
    """The claim with which a reply ends up; None where there is none.

    A claim replaces an earlier, different one if the text between says so, if it is firmer, or if
    the earlier one is unclear. Otherwise the two stand against each other, and the value is None
    until a firmer one follows. What the reply begins with is replaced only if the text says so.
    """
    current: Claim[Value] | None = None
    torn = False
    for claim in sorted(claims, key=lambda one: (one.start, one.end)):
        if current is None:
            current = claim
            continue
        firmer = claim.rank > current.rank and not current.heads
        unclear = current.value is None and claim.rank >= current.rank and not torn
        if current.in_words and not claim.in_words and claim.rank < Rank.FINAL:
            # A letter that is not that of the text before it contradicts it.
            firmer = False
        if claim.value == current.value:
            rank = max(current.rank, claim.rank)
            in_words = current.in_words and claim.in_words
            stated = claim.end if claim.rank >= current.rank else current.settled
            current = Claim(
                current.start, claim.end, claim.value, rank, current.heads, in_words, stated
            )
        elif firmer or unclear or corrects(text[current.settled : claim.end + _TRAILING]):
            current, torn = claim, False
        elif claim.rank > Rank.WORDS or current.rank == Rank.WORDS:
            rank = max(current.rank, claim.rank)
            current, torn = Claim(current.start, claim.end, None, rank, current.heads), True
    return current


def speaks(text: str) -> bool:
    """Whether somebody says in a sentence what the answer is."""
    return _SPEAKS.search(text) is not None


def _live(
    text: str, mentions: Sequence[Mention[Value]], joined: re.Pattern[str]
) -> list[Mention[Value]]:
    """Mentions that are neither rejected nor one of several in a list."""
    groups: list[list[Mention[Value]]] = [[mentions[0]]]
    for one, other in pairwise(mentions):
        between = text[one.end : other.start]
        if len(between) < 40 and not (other.cued and "," in between) and joined.fullmatch(between):
            groups[-1].append(other)
        else:
            groups.append([other])
    return [
        group[-1]
        for group in groups
        if len({one.value for one in group}) == 1
        and not rejected(_before(text, group[0]), _after(text, group[-1]))
    ]


def _corrected(text: str, chosen: Mention[Value], live: Sequence[Mention[Value]]) -> Mention[Value]:
    """The last mention that takes the place of `chosen` within its sentence: "3, no, lower: 2"."""
    later = [one for one in live if one.start > chosen.end and one.alone and not one.in_words]
    if later and corrects(text[chosen.end : later[-1].start]):
        return later[-1]
    return chosen


def _bare(text: str, mention: Mention[Value]) -> bool:
    """Whether a sentence is an answer and nothing else: the last word of a reply."""
    return not (text[: mention.start].strip(" ([\"'") or text[mention.end :].strip(CLOSING))


def _heads_a_note(text: str, mention: Mention[Value]) -> bool:
    """Whether something is explained behind an answer: "Reasons for A: cheaper rents."."""
    before, after = text[: mention.start].strip(" (["), text[mention.end :].lstrip(" )]\"'")
    return _ABOUT.search(before) is not None and after.startswith(":") and after.strip(" :") != ""


def _before(text: str, mention: Mention[Value]) -> str:
    return text[max(0, mention.start - _NEAR) : mention.start]


def _after(text: str, mention: Mention[Value]) -> str:
    """What follows a mention and its label in parentheses."""
    return _PARENTHESIS.sub("", text[mention.end : mention.end + _NEAR], count=1)


def _claim(
    sentence: Sentence, chosen: Mention[Value], value: Value | None, rank: Rank
) -> Claim[Value]:
    start = sentence.start + chosen.start
    return Claim(start, sentence.start + chosen.end, value, rank, in_words=chosen.in_words)
