"""Proofs that an interview tells what the plan has: each claim once, where and as firmly as it should.

What code cannot see is whether a quote means what its claim says. It sees where a claim is told and in
which words, whether its things are named there, and whether its author takes both to go the ways that
the frame has; the rest is for blind readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from otherminds.dataset_builders.hugagent.authored import signs, texts
from otherminds.dataset_builders.hugagent.authored.given import EFFECTS, POLICY, Given
from otherminds.dataset_builders.hugagent.authored.lines import claim_line
from otherminds.dataset_builders.hugagent.world.claims import (
    ABOUT_STANCE,
    EASILY_MOVED,
    SETTLED,
    STANCE_BANDS,
    STANCE_BUCKETS,
    Claim,
)
from otherminds.dataset_builders.proofs import Fault

Reply = Mapping[str, Any]

LEAST_QUOTE: Final = 3
_BARE: Final = frozenset(
    [
        "it",
        "this",
        "that",
        "they",
        "them",
        "he",
        "she",
        "we",
        "the",
        "a",
        "an",
        "one",
        "thing",
        "things",
        "stuff",
    ]
)
_AGAIN: Final = ("accord", "revision")
_STRONG, _WEAK = (4, 5), (1, 2)


class Told(NamedTuple):
    """A claim of the plan with the exchange and the quote that carry it."""

    where: str
    claim: Claim
    question: str
    answer: str
    quote: str
    said: Mapping[str, Any]

    @property
    def around(self) -> str:
        """The sentence, or sentences, that the quote stands in."""
        return texts.around(self.answer, self.quote)


def names(given: Given, written: Reply) -> Iterator[Fault]:
    """What claims are about has phrases, which are no other's, and which stand in the interview."""
    found: dict[str, list[str]] = {}
    for place, one in enumerate(written["names"]):
        where = f"names.{place}"
        if one["thing"] not in given.things:
            yield Fault(
                where, f"“{one['thing']}” is none of the things: {', '.join(given.things)}."
            )
        elif one["thing"] in found:
            yield Fault(
                where, f"“{one['thing']}” stands in `names` twice: give all its phrases in one."
            )
        found[one["thing"]] = one["phrases"]
    needed = {thing for one in given.claims.values() for thing in given.of_claim(one)}
    for thing in sorted(needed - set(found)):
        yield Fault("names", f"`names` has no phrase for “{thing}”, which claims are about.")
    shown = "\n".join(f"{one['question']}\n{one['answer']}" for one in written["exchanges"])
    owner: dict[str, str] = {}
    for thing, phrases in found.items():
        for phrase in phrases:
            if set(texts.words(phrase)) <= _BARE:
                yield Fault(
                    "names", f"“{phrase}” names nothing by itself: leave it out of `names`."
                )
            elif not texts.named(shown, {thing: [phrase]}):
                yield Fault("names", f"“{phrase}” ({thing}) stands nowhere in the interview.")
            if owner.setdefault(texts.plain(phrase), thing) != thing:
                yield Fault(
                    "names", f"“{phrase}” names both {owner[texts.plain(phrase)]} and {thing}."
                )


def phrases_of(given: Given, written: Reply) -> dict[str, list[str]]:
    """By thing, the author's phrases and those by which anybody would know it."""
    found = {
        name: [given.things[name], *(given.topic.by_name[name].phrases)]
        for name in given.things
        if name != POLICY
    }
    found[POLICY] = [given.topic.policy, *given.topic.policy_short]
    for one in written["names"]:
        if one["thing"] in found:
            found[one["thing"]] += one["phrases"]
    return found


def carried(given: Given, written: Reply) -> Iterator[Fault]:
    """Each claim is carried once, by the exchange that the plan has it in, in words of its answer."""
    planned = {name: one.number for one in given.exchanges for name in one.claims}
    seen: set[str] = set()
    for place, one in enumerate(written["exchanges"]):
        shown = texts.plain(one["answer"])
        for at, said in enumerate(one["carries"]):
            where, name = f"exchanges.{place}.carries.{at}", said["claim"]
            if name not in planned:
                yield Fault(where, f"there is no claim {name} on the sheet.")
            elif name in seen:
                yield Fault(where, f"{name} is carried twice: once, in exchange {planned[name]}.")
            elif planned[name] != one["number"]:
                yield Fault(
                    where, f"{name} is for exchange {planned[name]}, and not for {one['number']}."
                )
            seen.add(name)
            if texts.plain(said["quote"]) not in shown:
                yield Fault(
                    where, f"“{said['quote']}” does not stand in the answer, word for word."
                )
            elif len(texts.words(said["quote"])) < LEAST_QUOTE:
                yield Fault(
                    where, f"“{said['quote']}” is too short a quote for {name}: give the words."
                )
    for name, number in planned.items():
        if name not in seen:
            yield Fault(
                "exchanges",
                f"{name} is carried nowhere: let the answer of exchange {number} say that "
                f"{claim_line(given, given.claims[name])}.",
            )


def told(given: Given, written: Reply) -> list[Told]:
    """The claims that are carried where the plan has them."""
    planned = {one.number: one.claims for one in given.exchanges}
    return [
        Told(
            f"exchanges.{place}.carries.{at}",
            given.claims[said["claim"]],
            one["question"],
            one["answer"],
            said["quote"],
            said,
        )
        for place, one in enumerate(written["exchanges"])
        for at, said in enumerate(one["carries"])
        if said["claim"] in planned.get(one["number"], ())
    ]


def named(given: Given, written: Reply) -> Iterator[Fault]:
    """What a claim is about is named where it is told, or in the question; whose belief it is, too."""
    phrases = phrases_of(given, written)
    for one in told(given, written):
        claim = one.claim
        found = set(texts.named(f"{one.around}\n{one.question}", phrases))
        wanted = given.of_claim(claim)
        if claim.kind in _AGAIN and found & set(wanted):
            wanted = []
        for thing in wanted:
            if thing not in found:
                yield Fault(
                    one.where,
                    f"“{one.around}” names no phrase of [{thing}], which {claim.claim_id} is "
                    "about: name "
                    "it there or in the question, and list the phrase in `names`.",
                )
        if claim.holder and claim.holder not in texts.plain(f"{one.answer} {one.question}"):
            yield Fault(
                one.where, f"“{one.around}” does not say that it is the {claim.holder}'s view."
            )


def directions(given: Given, written: Reply) -> Iterator[Fault]:
    """Cause and effect go the ways that the frame has, by their author and by the words of the quote."""
    for one in told(given, written):
        claim, cause, effect = one.claim, one.said["cause"], one.said["effect"]
        if claim.kind not in EFFECTS or claim.sign == 0:
            if cause or effect:
                yield Fault(
                    one.where, f"{claim.claim_id} has no ways: leave `cause` and `effect` empty."
                )
            continue
        if not cause or not effect:
            yield Fault(
                one.where,
                f"say in `cause` and `effect` of {claim.claim_id} which way (up, down) each thing "
                "goes in "
                f"“{one.quote}”.",
            )
        elif (1 if cause == effect else -1) != claim.sign:
            yield Fault(
                one.where,
                f"“{one.quote}” says the contrary of {claim.claim_id} ({cause}, then {effect}): "
                f"{claim_line(given, claim)}.",
            )
        elif _turned(one.quote, cause, effect):
            yield Fault(
                one.where,
                f"“{one.quote}” reads as if not: {claim.claim_id} has {cause}, then {effect}, and "
                "its words "
                "of direction go otherwise. Say it more plainly.",
            )


def _turned(quote: str, cause: str, effect: str) -> bool:
    """Whether all words of a quote go where its author does not; nobody knows where some turn others."""
    shown = texts.plain(quote)
    if signs.TURNS.search(shown):
        return False
    up, down = len(signs.UP.findall(shown)), len(signs.DOWN.findall(shown))
    if cause == effect:
        against, along = (down, up) if cause == "up" else (up, down)
        # Less and less, and one up, one down: either says the contrary of two things that go together.
        return (against > 0 and along == 0) or (against == along == 1)
    return (up > 1 and down == 0) or (down > 1 and up == 0)


def stated(given: Given, written: Reply) -> Iterator[Fault]:
    """A stated effect has words for which way it goes, or that there is none."""
    for one in told(given, written):
        claim = one.claim
        if claim.kind not in EFFECTS or claim.told != "stated":
            continue
        shown = texts.plain(one.quote)
        if claim.sign and not signs.DIRECTION.search(shown):
            yield Fault(
                one.where,
                f"“{one.quote}” has no word that says which way ({claim.claim_id}): more, fewer, "
                "up, down, "
                "cheaper, harder, helps, hurts … Say outright what comes of what.",
            )
        elif not claim.sign and not signs.NO_EFFECT.search(shown):
            yield Fault(
                one.where,
                f"“{one.quote}” does not say that the one has nothing to do with the other "
                f"({claim.claim_id}).",
            )


def hinted(given: Given, written: Reply) -> Iterator[Fault]:
    """A hint shows and does not say: no cause, no opinion, no weight is named."""
    for one in told(given, written):
        claim = one.claim
        if claim.told != "hinted":
            continue
        shown = texts.plain(one.around)
        banned = [signs.CAUSES] if claim.kind in EFFECTS else []
        if POLICY in given.of_claim(claim) or claim.kind == "weight":
            banned += [signs.OPINION, signs.MIND, signs.COUNTS]
        for pattern in banned:
            if hit := pattern.search(shown):
                yield Fault(
                    one.where,
                    f"“{one.around}” says it outright (“{hit[0]}”), and {claim.claim_id} is only "
                    "hinted: "
                    "tell something seen or done, and let the reader conclude.",
                )


def again(given: Given, written: Reply) -> Iterator[Fault]:
    """What takes up an earlier claim does not say the link again: a reader must go back for it."""
    phrases = phrases_of(given, written)
    for one in told(given, written):
        claim = one.claim
        if claim.kind not in _AGAIN:
            continue
        for sentence in texts.sentences(one.answer):
            found = set(texts.named(sentence, phrases))
            if set(given.of_claim(claim)) <= found and signs.DIRECTION.search(
                texts.plain(sentence)
            ):
                yield Fault(
                    one.where,
                    f"“{sentence}” says again what does what; {claim.claim_id} says only whether "
                    "the person "
                    f"{'agrees' if claim.kind == 'accord' else 'still thinks so'}.",
                )
                break


def levels(given: Given, written: Reply) -> Iterator[Fault]:
    """No plain word for the other side than the frame has: of a stance, a weight, an agreement, …"""
    policy = phrases_of(given, written)[POLICY]
    for one in told(given, written):
        side = _side(one.claim)
        if side is None:
            continue
        shown = texts.plain(one.quote)
        along, against = _words(one.claim, policy) if side > 0 else _words(one.claim, policy)[::-1]
        hits = [hit for pattern in against if (hit := pattern.search(shown))]
        if hits and not any(pattern.search(shown) for pattern in along):
            yield Fault(
                one.where,
                f"“{one.quote}” (“{hits[0][0]}”) says the contrary of {one.claim.claim_id}: "
                f"{claim_line(given, one.claim)}.",
            )


def _side(claim: Claim) -> int | None:
    """The side of a claim: 1 for, much, agrees, still thinks so, easily moved; None in the middle."""
    match claim.kind:
        case "stance":
            middle = (STANCE_BANDS + 1) / 2 if claim.told == "stated" else (STANCE_BUCKETS + 1) / 2
            return None if claim.level == middle else 1 if claim.level > middle else -1
        case "weight":
            return 1 if claim.level in _STRONG else -1 if claim.level in _WEAK else None
        case "accord" | "revision":
            return claim.sign
        case "firmness":
            return {SETTLED: -1, EASILY_MOVED: 1}.get(claim.level)
    return None


_Sides: TypeAlias = tuple[Sequence[re.Pattern[str]], Sequence[re.Pattern[str]]]


def _words(claim: Claim, policy: Sequence[str]) -> _Sides:
    """Words for the one side and for the other."""
    match claim.kind:
        case "stance":
            names = "|".join(re.escape(texts.plain(one)) for one in policy)
            return (
                (signs.FOR, re.compile(rf"\bfor (?:the )?(?:{names})")),
                (signs.AGAINST, re.compile(rf"\bagainst (?:the )?(?:{names})")),
            )
        case "weight":
            return (signs.MUCH,), (signs.LITTLE,)
        case "accord":
            return (signs.AGREES,), (signs.DIFFERS,)
        case "revision":
            return (signs.STAYS,), (signs.TURNED,)
    return (signs.MOVED,), (signs.SETTLED,)


def joined(given: Given, claims: Sequence[str]) -> set[frozenset[str]]:
    """The pairs of things that the claims of an exchange join."""
    found: set[frozenset[str]] = set()
    for name in claims:
        claim = given.claims[name]
        things = given.of_claim(claim)
        if claim.kind == "weight" or claim.on == ABOUT_STANCE:
            things = [*things, POLICY]
        found |= {frozenset((one, other)) for one in things for other in things if one != other}
    return found
