"""Proofs that an interview tells no more than the plan has, and gives no answer that items ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.hugagent.authored import facts, signs, texts
from otherminds.dataset_builders.hugagent.authored.given import POLICY, Given, thing
from otherminds.dataset_builders.hugagent.authored.telling import joined, phrases_of
from otherminds.dataset_builders.proofs import Fault

Reply = Mapping[str, Any]


_WEIGHED: Final = ("weight", "weighing")


def unplanned(given: Given, written: Reply) -> Iterator[Fault]:
    """No sentence of an answer names two things, unless a claim of its exchange joins them."""
    phrases = phrases_of(given, written)
    for where, claims, exchange in _exchanges(given, written):
        allowed = joined(given, claims)
        moved = joined(given, [one for one in claims if given.claims[one].kind not in _WEIGHED])
        for sentence in texts.statements(exchange["answer"]):
            found = texts.named(sentence, phrases)
            leans = signs.LEANS.search(texts.plain(sentence))
            for name in found:
                pair = frozenset((name, POLICY))
                if leans and POLICY in found and pair in allowed - moved:
                    yield Fault(
                        f"{where}.answer",
                        f"“{sentence}” says which way [{name}] moves the person (“{leans[0]}”), and "
                        f"exchange {exchange['number']} says only how much it counts.",
                    )
            for one, other in combinations(found, 2):
                if frozenset((one, other)) not in allowed:
                    yield Fault(
                        f"{where}.answer",
                        f"“{sentence}” names both [{one}] and [{other}], which no claim of exchange "
                        f"{exchange['number']} joins: a reader would take one to do something to the "
                        "other. Say it in two sentences, or leave one out.",
                    )
                    break


def masked(given: Given, written: Reply) -> Iterator[Fault]:
    """No question asks for a link that an item asks about; none speaks of what it is not about."""
    phrases = phrases_of(given, written)
    plan = {one.number: one for one in given.exchanges}
    for where, _, exchange in _exchanges(given, written):
        one = plan[exchange["number"]]
        found = texts.named(exchange["question"], phrases)
        about = {thing(name) for name in (one.about, one.onto) if name}
        about = about & given.things.keys()
        for first, second in given.asked:
            if {first, second} <= set(found):
                yield Fault(
                    f"{where}.question",
                    f"“{exchange['question']}” asks about [{first}] and [{second}], whose link an item "
                    "asks for: name one of them alone.",
                )
        for name in found:
            if name not in about and name != POLICY:
                yield Fault(
                    f"{where}.question",
                    f"“{exchange['question']}” names [{name}], and exchange {one.number} is not "
                    "about it.",
                )
        if one.kind in ("factor", "stance"):
            for name in sorted(about - set(found)):
                yield Fault(
                    f"{where}.question",
                    f"“{exchange['question']}” names no phrase of [{name}], which it is to ask about; "
                    "list the phrase in `names`.",
                )


def opinions(given: Given, written: Reply) -> Iterator[Fault]:
    """Where no claim is about it, nobody says how they stand, how firmly, or what counts for them."""
    phrases = phrases_of(given, written)
    plan = {one.number: one for one in given.exchanges}
    for where, claims, exchange in _exchanges(given, written):
        kinds = [given.claims[name] for name in claims]
        on_policy = any(POLICY in given.of_claim(one) for one in kinds)
        weighed = any(one.kind in ("weight", "weighing") for one in kinds)
        on_topic = plan[exchange["number"]].kind in ("factor", "stance")
        for sentence in texts.sentences(exchange["answer"]):
            shown, found = texts.plain(sentence), texts.named(sentence, phrases)
            hit = None
            if not on_policy and POLICY in found:
                patterns = (signs.OPINION, signs.MIND, signs.LIKES)
                hit = next(filter(None, (one.search(shown) for one in patterns)), None)
            if hit is None and not on_policy and on_topic:
                hit = signs.TAKES_SIDES.search(shown)
            if hit is None and not weighed and found:
                hit = signs.COUNTS.search(shown)
            if hit is not None:
                yield Fault(
                    f"{where}.answer",
                    f"“{sentence}” says how the person stands or what counts (“{hit[0]}”), and no "
                    "claim of "
                    f"exchange {exchange['number']} does.",
                )


def later(given: Given, written: Reply) -> Iterator[Fault]:
    """Nobody says what they would come to think, or gives a number of a scale."""
    for where, claims, exchange in _exchanges(given, written):
        on_policy = any(POLICY in given.of_claim(given.claims[name]) for name in claims)
        for sentence in texts.sentences(exchange["answer"]):
            shown = texts.plain(sentence)
            if hit := signs.SCALE.search(shown):
                yield Fault(
                    f"{where}.answer", f"“{sentence}” gives a number of a scale (“{hit[0]}”)."
                )
            if not on_policy and (hit := signs.LATER.search(shown)):
                yield Fault(
                    f"{where}.answer",
                    f"“{sentence}” says what the person would come to think (“{hit[0]}”): that is asked "
                    "later, and told nowhere.",
                )


def items_copied(given: Given, written: Reply) -> Iterator[Fault]:
    """No six words of an item's question or reason stand in the interview in a row."""
    own = frozenset[str]().union(
        *(
            texts.runs(part)
            for item in given.items
            for text in (item["question"], item["reason_text"] or "")
            # What the policy is called may be said by anybody.
            for part in texts.plain(text).split(texts.plain(given.topic.policy))
        )
    )
    for where, _, exchange in _exchanges(given, written):
        for name in ("question", "answer"):
            if shared := sorted(own & texts.runs(exchange[name])):
                yield Fault(
                    f"{where}.{name}",
                    f"“{shared[0]}” are words of an item that is asked about this interview: say it in "
                    "other words.",
                )


def known(given: Given, written: Reply) -> Iterator[Fault]:
    """Nobody is what their demographics say that they are not."""
    for where, _, exchange in _exchanges(given, written):
        yield from facts.contradictions(given.demographics, f"{where}.answer", exchange["answer"])


def told_before(unit: Unit, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """No sentence of six words or more stands in another interview with the same person."""
    before = frozenset[str]().union(
        *(
            texts.long_sentences(one["answer"])
            for name in topics
            if name in unit.texts and unit.texts[name] != written
            for one in unit.texts[name]["exchanges"]
        )
    )
    for place, one in enumerate(written["exchanges"]):
        if shared := sorted(before & texts.long_sentences(one["answer"])):
            yield Fault(
                f"exchanges.{place}.answer",
                f"“{shared[0]}” is said word for word in another interview with this person: "
                "people tell "
                "a thing differently each time.",
            )


def _exchanges(
    given: Given, written: Reply
) -> Iterator[tuple[str, Sequence[str], Mapping[str, Any]]]:
    """The exchanges that the plan has, with their places and claims."""
    plan = {one.number: one.claims for one in given.exchanges}
    for place, one in enumerate(written["exchanges"]):
        if one["number"] in plan:
            yield f"exchanges.{place}", plan[one["number"]], one
