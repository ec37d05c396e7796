"""Proofs of the lexicon: just the phrases that questions need, well formed, none like another."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.socialmindchange.authored import texts
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.authored.texts import words
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE

Reply = Mapping[str, Any]

LENGTHS: Final = 1.6
"""Of phrases that options choose between, how much longer the longest may be than the shortest [O]."""

ALIKE: Final = 0.6
"""Two states may share less than this share of the words that are their own [O]."""

_SLOTTED: Final = ("emotion", "intention", "action", "manner", "stake")
_SLOTS: Final = frozenset(("who", "he", "him", "his", "himself"))
_NAMES_WHO: Final = ("emotion", "stake")
_SENTENCES: Final = ("stake", "word")
_OF_DEEDS: Final = ("took", "word")
_STATES: Final = ("emotion", "intention", "action", "manner")
_SLOT: Final = re.compile(r"\{(\w*)\}")
_LEFT: Final = re.compile(r"[{}\[\]<>|~_]|\bTODO\b|\.\.\.")
_OF_ANYBODY: Final = ("emotion", "intention", "action")
"""Said of everybody but the doer, of the one whom the deed cost something as well."""
_USUAL_SLOT: Final = "xxxxx"
_COMMON: Final = frozenset(
    words(
        "a an and as at be but by do else everybody for from has have in into is it its no nobody not "
        "of on one or out over so than that the there this to up what when while who with would"
    )
)


class _Recording(Mapping[str, str]):
    """Phrases that are whatever is asked for, and what was."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return f"{{who}} {key}"

    def __iter__(self) -> Iterator[str]:
        return iter(self.asked)

    def __len__(self) -> int:
        return len(self.asked)


def needed(given: Given) -> list[str]:
    """The keys of all phrases that the unit's questions and options are composed from, sorted."""
    found = _Recording()
    given.items(found)
    return sorted(found.asked)


def _known(given: Given, written: Reply, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The phrases of some kinds whose keys are needed: `keys` refuses the others, which may say
    anything."""
    for key in needed(given):
        if kind_of(key) in kinds and key in written["phrases"]:
            yield key, written["phrases"][key]


def keys(given: Given, written: Reply) -> Iterator[Fault]:
    """Each phrase that is needed is there, and no other."""
    wanted = needed(given)
    for key in Lexicon(given.people, written["phrases"]).missing(wanted):
        yield Fault("phrases", f"There is no phrase for “{key}”.")
    for key in sorted(set(written["phrases"]) - set(wanted)):
        yield Fault(
            "phrases",
            f"“{written['phrases'][key]}” has the key “{key}”, which no question needs: leave it out.",
        )


def form(given: Given, written: Reply) -> Iterator[Fault]:
    """Slots stand where they may, and phrases are clauses or sentences as their keys ask."""
    for key, phrase in written["phrases"].items():
        where, kind = f"phrases.{key}", kind_of(key)
        slots = set(_SLOT.findall(phrase))
        allowed = _SLOTS if kind in _SLOTTED else frozenset[str]()
        for slot in sorted(slots - allowed):
            yield Fault(where, f"“{phrase}” has the slot {{{slot}}}, which this key has not.")
        if _LEFT.search(_SLOT.sub("", phrase)):
            yield Fault(where, f"“{phrase}” has something that is still to be filled.")
        if kind in _NAMES_WHO and "who" not in slots:
            yield Fault(where, f"“{phrase}” does not say {{who}}.")
        if kind == "intention" and not phrase.startswith("to "):
            yield Fault(where, f"“{phrase}” is to begin with “to ”.")
        ends = phrase[-1] in '.!?"”'
        if ends != (kind in _SENTENCES):
            said = "end as a sentence does" if kind in _SENTENCES else "have no stop at its end"
            yield Fault(where, f"“{phrase}” is to {said}.")


def same_topics(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """Matters are called what the context calls them."""
    for number, topic in enumerate(topics):
        found = written["phrases"].get(f"matter.{number}.topic", topic)
        if found != topic:
            yield Fault(f"phrases.matter.{number}.topic", f"“{found}” is called “{topic}” before.")


def utterances(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """The guide's words name who speaks, to whom and of what, and say something in quotation marks."""
    names = given.names
    for key, phrase in _known(given, written, ("word",)):
        where = f"phrases.{key}"
        if not texts.has_name(phrase, names[GUIDE]):
            yield Fault(where, f"“{phrase}” does not name {names[GUIDE]}, who speaks or is silent.")
        parts = key.split(".")
        if len(parts) != _WORD_PARTS:
            continue
        matter, to = int(parts[1]), int(parts[2])
        doer = given.frame.matters[matter].doer
        if not texts.has_name(phrase, names[to]):
            yield Fault(where, f"“{phrase}” does not name {names[to]}, to whom it is said.")
        if topics[matter].casefold() not in phrase.casefold():
            yield Fault(where, f"“{phrase}” does not name what it is about, “{topics[matter]}”.")
        if not texts.has_name(phrase, names[doer]):
            yield Fault(where, f"“{phrase}” does not name {names[doer]}, whose deed it is.")
        if texts.narrated(phrase) == phrase:
            yield Fault(where, f"“{phrase}” has nothing in quotation marks.")


def of_anybody(given: Given, written: Reply) -> Iterator[Fault]:
    """Phrases that may be said of the bearer do not name the bearer: nobody envies themselves."""
    for key, phrase in _known(given, written, _OF_ANYBODY):
        bearer = given.names[given.frame.matters[int(key.split(".")[2])].bearer]
        if texts.has_name(phrase, bearer):
            yield Fault(
                f"phrases.{key}",
                f"“{phrase}” names {bearer}, of whom it may be said, too: word it without the name.",
            )


def distinct(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """No two keys have a phrase, and no two states are worded alike."""
    seen: dict[str, str] = {}
    for key, phrase in written["phrases"].items():
        if (other := seen.setdefault(phrase.casefold(), key)) != key:
            yield Fault(f"phrases.{key}", f"“{phrase}” is the phrase of “{other}”, too.")
    for group in _groups(written, _STATES).values():
        own = {key: _own_words(given, phrase, topics) for key, phrase in group.items()}
        for one, other in combinations(own, 2):
            least = min(len(own[one]), len(own[other]))
            if least and len(own[one] & own[other]) >= ALIKE * least:
                yield Fault(
                    f"phrases.{other}",
                    f"“{group[other]}” is worded like “{group[one]}” ({one}); options choose between "
                    "them, so word it otherwise.",
                )


def lengths(given: Given, written: Reply) -> Iterator[Fault]:
    """Phrases that options choose between are about equally long."""
    for group in _groups(written, (*_SLOTTED, "took", "word")).values():
        sizes = {key: len(_SLOT.sub(_USUAL_SLOT, phrase)) for key, phrase in group.items()}
        short, long = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        if sizes[long] > LENGTHS * sizes[short]:
            yield Fault(
                f"phrases.{long}",
                f"“{group[long]}” has {sizes[long]} characters and “{group[short]}” ({short}) "
                f"{sizes[short]}: at most {LENGTHS:g} times as many, as length would tell them apart.",
            )


def unlike_story(
    given: Given,
    written: Reply,
    before: Sequence[str],
    told: Sequence[str],
    topics: Sequence[str],
) -> Iterator[Fault]:
    """No phrase of an option stands in the story: six words of it in a row do not.

    before  what is told before the scenes. What deeds were and how they were meant is told there in so
            many words: in options it is the same for all
    told    the scenes
    """
    scenes = frozenset[str]().union(*map(texts.runs, told))
    everything = scenes.union(*map(texts.runs, before))
    for key, phrase in written["phrases"].items():
        kind = kind_of(key)
        if kind == "topic":
            continue
        found = scenes if kind in _OF_DEEDS else everything
        own = frozenset[str]().union(*map(texts.runs, _cut(phrase, topics)))
        if shared := sorted(found & own):
            yield Fault(
                f"phrases.{key}",
                f"“{phrase}” has words of the story in a row (“{shared[0]}”): whoever looks for them "
                "finds the option. Say it otherwise.",
            )


def readable(given: Given, written: Reply) -> Iterator[Fault]:
    """No two options of a question read the same."""
    if set(needed(given)) - set(written["phrases"]):
        return
    try:
        given.items(written["phrases"])
    except (KeyError, ValueError) as error:
        yield Fault("phrases", f"The options cannot be composed from these phrases: {error}")


def names(given: Given, written: Reply, capitals: Sequence[str]) -> Iterator[Fault]:
    """Nobody from outside is named."""
    found = ((f"phrases.{key}", phrase) for key, phrase in written["phrases"].items())
    yield from texts.strangers(found, given.names, capitals)


def kind_of(key: str) -> str:
    """What a key is of: `emotion`, `intention`, …, and of matters `topic`, `took`, `stake`, ….."""
    first, *rest = key.split(".")
    return rest[1] if first == "matter" and len(rest) > 1 else first


_WORD_PARTS: Final = 5


def _groups(written: Reply, kinds: Sequence[str]) -> Mapping[tuple[str, ...], dict[str, str]]:
    """Phrases that options choose between: of a kind about a matter, of words those to one person."""
    found: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for key, phrase in written["phrases"].items():
        kind, parts = kind_of(key), key.split(".")
        if kind not in kinds or key == "word.none":
            continue
        about = parts[1:3] if kind == "word" else parts[1:2] if parts[0] == "matter" else parts[2:]
        found[kind, *about][key] = phrase
    return found


def _cut(phrase: str, topics: Sequence[str]) -> list[str]:
    """The pieces of a phrase between slots and names of matters."""
    apart = [re.escape(one) for one in sorted(topics, key=len, reverse=True)]
    return re.split(
        "|".join([*apart, _SLOT.pattern.replace("(", "(?:")]), phrase, flags=re.IGNORECASE
    )


def _own_words(given: Given, phrase: str, topics: Sequence[str]) -> frozenset[str]:
    names = {one.casefold() for one in given.names} | {f"{one.casefold()}'s" for one in given.names}
    return frozenset(words(" ".join(_cut(phrase, topics)))) - _COMMON - names
