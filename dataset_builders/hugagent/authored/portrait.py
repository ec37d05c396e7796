"""Proofs of the portrait: who somebody is, how they talk, whom they know, what they have seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.authored import facts, texts
from otherminds.dataset_builders.proofs import Fault

Reply = Mapping[str, Any]

COUNTS: Final = {"life": (6, 12), "episodes": (12, 20), "expressions": (3, 8)}
"""How many lines of each [O]: three interviews live on them."""

VOICE_WORDS: Final = (40, 180)


def holders(unit: Unit) -> list[str]:
    """The people whose beliefs are told in any of the interviews."""
    found = {
        one["holder"]: None
        for topic in unit.frame["topics"].values()
        for one in topic["claims"]
        if one["holder"]
    }
    return sorted(found)


def people(unit: Unit, written: Reply) -> Iterator[Fault]:
    """Everybody whose beliefs are told later is there once, and called what the sheet calls them."""
    wanted, found = holders(unit), [one["who"] for one in written["people"]]
    for who in wanted:
        if found.count(who) != 1:
            yield Fault(
                "people", f"“{who}” stands {found.count(who)} times in `people`: let it be once."
            )
    for place, one in enumerate(written["people"]):
        if one["who"] not in wanted:
            yield Fault(f"people.{place}", f"“{one['who']}” is none of {', '.join(wanted)}.")


def counts(unit: Unit, written: Reply) -> Iterator[Fault]:
    """There is enough to draw on, and not too much."""
    for name, (low, high) in COUNTS.items():
        if not low <= len(written[name]) <= high:
            yield Fault(name, f"`{name}` has {len(written[name])} lines; write {low} to {high}.")
    low, high = VOICE_WORDS
    if not low <= len(texts.words(written["voice"])) <= high:
        yield Fault(
            "voice",
            f"`voice` has {len(texts.words(written['voice']))} words; write {low} to {high}.",
        )


def known(unit: Unit, written: Reply) -> Iterator[Fault]:
    """Nobody is what their demographics say that they are not."""
    for where, text in parts(written):
        yield from facts.contradictions(unit.frame["demographics"], where, text)


def untold(unit: Unit, written: Reply) -> Iterator[Fault]:
    """No word on the policies: what the person thinks of them is for the interviews alone."""
    phrases = {
        name: [topic.policy, *topic.policy_short] for name, topic in content.load().topics.items()
    }
    for where, text in parts(written):
        for sentence in texts.sentences(text):
            if found := texts.named(sentence, phrases):
                yield Fault(
                    where,
                    f"“{sentence}” speaks of {phrases[found[0]][0]}: what the person thinks of it is "
                    "for the interview. Leave it out.",
                )


def parts(written: Reply) -> Iterator[tuple[str, str]]:
    """All texts with their places."""
    yield "voice", written["voice"]
    for name in COUNTS:
        for place, text in enumerate(written[name]):
            yield f"{name}.{place}", text
    for place, one in enumerate(written["people"]):
        yield f"people.{place}.line", one["line"]
