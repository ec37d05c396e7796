"""Proofs of the context: people, ties, matters and stakes are those of the frame."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.socialmindchange.authored import texts
from otherminds.dataset_builders.socialmindchange.authored.stage import Given

Reply = Mapping[str, Any]

PROFILE_WORDS: Final = (8, 60)
"""A profile has so many words [O]."""

TOPIC_WORDS: Final = (2, 6)
"""The name of a matter has so many words [O]."""

_OF_FRAME: Final = re.compile(
    r"\b(?:gentl\w+|plain\w*|aside|open(?:ly|ness)?|warm(?:ly|th)?|cold(?:ly|ness)?)\b",
    re.IGNORECASE,
)


def people(given: Given, written: Reply) -> Iterator[Fault]:
    """Everybody is there once, in order, with a profile that shows them without the frame's words."""
    found = [one["name"] for one in written["people"]]
    if found != list(given.names):
        yield Fault(
            "people", f"Write of {', '.join(given.names)}, in this order and of nobody else."
        )
    low, high = PROFILE_WORDS
    for place, one in enumerate(written["people"]):
        where, line = f"people.{place}.profile", one["profile"]
        if said := _OF_FRAME.search(line):
            yield Fault(
                where,
                f"“{line}” says “{said[0]}”, a word of the frame. Show it as character: how somebody "
                "was seen to take what they were told.",
            )
        if not low <= texts.count(line) <= high:
            yield Fault(where, f"“{line}” has {texts.count(line)} words; write {low} to {high}.")
        if not texts.has_name(line, one["name"]):
            yield Fault(where, f"“{line}” does not name {one['name']}.")


def ties(given: Given, written: Reply) -> Iterator[Fault]:
    """Each warm or cold pair has its line, and no other pair."""
    names, size = given.names, given.frame.size
    wanted = {
        frozenset((names[i], names[j])): given.frame.ties[i][j]
        for i in range(size)
        for j in range(i)
        if given.frame.ties[i][j] != "plain"
    }
    counts = Counter(frozenset(one["between"]) for one in written["ties"])
    for pair, tie in wanted.items():
        if counts[pair] != 1:
            yield Fault(
                "ties",
                f"{' and '.join(sorted(pair))} are {tie} to each other: let exactly one line say so, "
                f"not {counts[pair]}.",
            )
    for place, one in enumerate(written["ties"]):
        if frozenset(one["between"]) not in wanted:
            yield Fault(
                f"ties.{place}",
                f"“{one['line']}” is about {' and '.join(one['between'])}, who are neither warm nor "
                "cold to each other: leave it out.",
            )
        for name in one["between"]:
            if not texts.has_name(one["line"], name):
                yield Fault(f"ties.{place}.line", f"“{one['line']}” does not name {name}.")


def lead(given: Given, written: Reply) -> Iterator[Fault]:
    """Who has the say is named, and nobody else."""
    name = given.names[given.frame.lead]
    others = [one for one in given.names if one != name and texts.has_name(written["lead"], one)]
    if not texts.has_name(written["lead"], name) or others:
        yield Fault(
            "lead", f"“{written['lead']}” must name {name}, who has the say, and nobody else."
        )


def matters(given: Given, written: Reply) -> Iterator[Fault]:
    """Each matter has its doer and bearer, a name of its own, and a line for what each has at stake."""
    frame, names = given.frame, given.names
    if len(written["matters"]) != len(frame.matters):
        yield Fault("matters", f"Write {len(frame.matters)} matters, in their order.")
        return
    low, high = TOPIC_WORDS
    topics = [one["topic"] for one in written["matters"]]
    for place, (one, truth) in enumerate(zip(written["matters"], frame.matters, strict=True)):
        where, topic = f"matters.{place}", one["topic"]
        if not low <= texts.count(topic) <= high or topic.endswith("."):
            yield Fault(f"{where}.topic", f"“{topic}” is to be a phrase of {low} to {high} words.")
        if any(topic in other for at, other in enumerate(topics) if at != place):
            yield Fault(f"{where}.topic", f"“{topic}” stands in the name of another matter.")
        for part, who in (("deed", (truth.doer, truth.bearer)), ("reason", (truth.doer,))):
            for name in texts.without(one[part], names, who):
                yield Fault(f"{where}.{part}", f"“{one[part]}” does not name {name}.")
        concerned = [name for at, name in enumerate(names) if at not in (truth.doer, truth.bearer)]
        if [stake["name"] for stake in one["stakes"]] != concerned:
            yield Fault(
                f"{where}.stakes",
                f"Write of {', '.join(concerned)}, in this order and of nobody else.",
            )
        for at, stake in enumerate(one["stakes"]):
            if not texts.has_name(stake["line"], stake["name"]):
                yield Fault(
                    f"{where}.stakes.{at}.line", f"“{stake['line']}” does not name {stake['name']}."
                )


def promises(given: Given, written: Reply) -> Iterator[Fault]:
    """Each promise has its line, which names both and the matter."""
    names = given.names
    wanted = [(names[one.by], names[one.to], one.matter) for one in given.frame.promises]
    if [(one["by"], one["to"]) for one in written["promises"]] != [one[:2] for one in wanted]:
        said = "; ".join(f"{by} to {to}" for by, to, _ in wanted) or "none"
        yield Fault("promises", f"Write these promises, in this order, and no other: {said}.")
        return
    for place, (one, (by, to, matter)) in enumerate(zip(written["promises"], wanted, strict=True)):
        topics = [found["topic"] for found in written["matters"]]
        needed = [by, to, *topics[matter : matter + 1]]
        for part in needed:
            if part not in one["line"]:
                yield Fault(f"promises.{place}.line", f"“{one['line']}” does not name “{part}”.")


def names(given: Given, written: Reply) -> Iterator[Fault]:
    """Nobody from outside is named, and no phrase with capitals is a person's name."""
    for place, phrase in enumerate(written["capitals"]):
        if texts.is_person(phrase):
            yield Fault(f"capitals.{place}", f"“{phrase}” is the name of a person: leave it out.")
    yield from texts.strangers(parts(written), given.names, written["capitals"])


def parts(written: Reply) -> Iterator[tuple[str, str]]:
    """All texts that a reader is shown, with their places."""
    for name in ("place", "occasion", "lead"):
        yield name, written[name]
    for place, one in enumerate(written["people"]):
        yield f"people.{place}.work", one["work"]
        yield f"people.{place}.profile", one["profile"]
    for place, one in enumerate(written["ties"]):
        yield f"ties.{place}.line", one["line"]
    for place, one in enumerate(written["matters"]):
        for name in ("topic", "deed", "reason", "proof"):
            yield f"matters.{place}.{name}", one[name]
        for at, stake in enumerate(one["stakes"]):
            yield f"matters.{place}.stakes.{at}.line", stake["line"]
    for place, one in enumerate(written["promises"]):
        yield f"promises.{place}.line", one["line"]


def topics(written: Reply) -> list[str]:
    """What the matters are called."""
    return [one["topic"] for one in written["matters"]]


def profile(written: Reply) -> list[str]:
    """The lines on people that a prompt shows."""
    return [
        f"{one['name']}, {one['age']}, {one['work'].rstrip('.')}. {one['profile']}"
        for one in written["people"]
    ]


def background(written: Reply) -> str:
    """What a prompt tells before the scenes, in paragraphs."""
    paragraphs = [
        [written["place"], written["occasion"], written["lead"]],
        [one["line"] for one in written["ties"]],
        *(
            [one["deed"], one["reason"], one["proof"], *(stake["line"] for stake in one["stakes"])]
            for one in written["matters"]
        ),
        [one["line"] for one in written["promises"]],
    ]
    return "\n\n".join(" ".join(map(_sentence, one)) for one in paragraphs if one)


def _sentence(text: str) -> str:
    return text if text[-1] in '.!?…”"' else f"{text}."
