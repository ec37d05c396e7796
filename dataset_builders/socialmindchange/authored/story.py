"""Proofs of the scenes: all that happens is told, once and in order, and no mind is opened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from otherminds.dataset_builders.proofs import Fault
from otherminds.dataset_builders.socialmindchange.authored import events, texts
from otherminds.dataset_builders.socialmindchange.authored.events import Event
from otherminds.dataset_builders.socialmindchange.authored.outline import differences
from otherminds.dataset_builders.socialmindchange.authored.stage import Given

Reply = Mapping[str, Any]

SCENE_WORDS: Final = (140, 480)
"""Words of a story for each of its scenes: 700 to 2,400 for five [O]. At 1,300 a first author had to cut
all but the events; at 1,700 the next ones cut grounds and answers, and raters missed just these."""

MOST: Final = 0.5
"""Everybody speaks in more than this share of the scenes that they are in [O]."""

_HURT: Final = r"(?<!\bto )hurt|hurt(?! (?:you|me|him|her|them|us)\b)(?! (?-i:[A-Z]))"
"""Not where somebody is out to hurt somebody: that is how a deed was meant, and may be said."""

_FEELINGS: Final = (
    rf"ang(?:er|ered|ry|rily)|furious(?:ly)?|fury|enraged|outraged?|{_HURT}|wounded|"
    r"embarrass\w*|asham\w+|gloat\w*|glee\w*|delighted|grateful\w*|gratitude|thankful\w*|relie(?:f|ved)|"
    r"env(?:y|ious|iously)|jealous\w*|annoy\w*|irritat\w+|resent\w*|upset|offended|betrayed|"
    r"guilt(?:y|ily)"
)
_THINKS: Final = (
    r"believes?|thinks|think that|supposes?|assumes?|suspects?|doubts?|concludes?|reali[sz]es?|"
    r"imagines?|is (?:convinced|certain|sure)|takes it that|has come to think"
)
_MEANS: Final = r"means|intends|plans|wants|hopes|decides|resolves|is (?:about|going|determined)"
_FELT: Final = re.compile(rf"\b(?:{_FEELINGS})\b", re.IGNORECASE)
_NARRATED: Final = re.compile(rf"\b(?:{_THINKS})\b|\b(?:{_MEANS}) to\b", re.IGNORECASE)


def told(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """Every event of the frame is told, once and in order, and the guide's word by itself."""
    if len(written["scenes"]) != len(given.frame.scenes):
        yield Fault("scenes", f"Write {len(given.frame.scenes)} scenes.")
        return
    for number, one in enumerate(written["scenes"]):
        wanted = [event.name for event in events.of_scene(given, number, topics)]
        where = f"scenes.{number}.told"
        if said := differences(wanted, [event["event"] for event in one["told"]]):
            yield Fault(where, f"Scene {number + 1}: {said}")
            continue
        last, word, others = 0, set[int](), set[int]()
        for place, event in enumerate(one["told"]):
            first, end = event["turns"][0], event["turns"][-1]
            if event["turns"] != list(range(first, end + 1)) or not 1 <= first <= end <= len(
                one["turns"]
            ):
                yield Fault(
                    f"{where}.{place}",
                    f"“{event['event']}”: {event['turns']} are no turns in a row.",
                )
            elif first < last:
                yield Fault(
                    f"{where}.{place}",
                    f"Scene {number + 1}, turn {first}, “{one['turns'][first - 1]['text']}”, tells "
                    f"“{event['event']}” before what comes before it is told, in turn {last}.",
                )
            last = max(last, end)
            (word if event["event"] == "word" else others).update(event["turns"])
        if shared := sorted(word & others):
            yield Fault(
                where,
                f"Scene {number + 1}, turn {shared[0]}: questions exchange the word at the end, so its "
                "turn tells nothing else.",
            )


def named(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """Who takes part in an event, or overhears it, is named or speaks where it is told."""
    for number, scene, found in _scenes(given, written, topics):
        for event, place in found:
            said = " ".join(f"{one['speaker']}: {one['text']}" for one in _turns(scene, place))
            if lacking := texts.without(said, given.names, event.people):
                yield Fault(
                    f"scenes.{number}.told",
                    f"“{said}” does not name {', '.join(lacking)}; it is to tell: {event.line}",
                )


def present(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """Who is there speaks or acts, and nobody else does."""
    names = given.names
    for number, scene, found in _scenes(given, written, topics):
        seen = set[int]()
        for turn, one in enumerate(scene["turns"], start=1):
            where = f"scenes.{number}.turns.{turn - 1}"
            there, passing, opens = _there(found, turn)
            speaker, text = one["speaker"], one["text"]
            if speaker:
                if speaker not in names:
                    yield Fault(where, f"“{text}” is said by “{speaker}”, who is not of this unit.")
                elif names.index(speaker) not in there:
                    yield Fault(where, f"“{text}” is said by {speaker}, who is not there then.")
                else:
                    seen.add(names.index(speaker))
                continue
            told = texts.narrated(text)
            seen |= {place for place in there if texts.has_name(told, names[place])}
            if opens:
                continue
            for sentence in texts.sentences(told):
                for place, name in enumerate(names):
                    if place not in there | passing and re.match(
                        rf"[\s…]*{name}\b(?!['’])", sentence
                    ):
                        yield Fault(where, f"In “{sentence}” {name} acts, who is not there then.")
        everybody = frozenset().union(*(event.there for event, _ in found))
        for place in sorted(everybody - seen):
            yield Fault(
                f"scenes.{number}",
                f"Scene {number + 1}: {names[place]} is there and neither says nor does anything.",
            )


def lines(given: Given, written: Reply, topics: Sequence[str]) -> Iterator[Fault]:
    """Everybody speaks in most of the scenes that they are in."""
    where: dict[int, list[bool]] = {}
    for _, scene, found in _scenes(given, written, topics):
        speakers = {one["speaker"] for one in scene["turns"]}
        for place in frozenset[int]().union(*(event.there for event, _ in found)):
            where.setdefault(place, []).append(given.names[place] in speakers)
    for place, spoke in sorted(where.items()):
        if sum(spoke) <= MOST * len(spoke):
            yield Fault(
                "scenes",
                f"{given.names[place]} speaks in {sum(spoke)} of {len(spoke)} scenes: give lines "
                "in more.",
            )


def masked(given: Given, written: Reply) -> Iterator[Fault]:
    """No feeling is named; no narrator, and nobody of another, says what is believed or intended."""
    who = "|".join(["he", "she", "they", *map(re.escape, given.names)])
    others = re.compile(rf"\b(?:{who}) (?:still |already |really )?(?:{_THINKS})\b", re.IGNORECASE)
    for number, scene in enumerate(written["scenes"]):
        for turn, one in enumerate(scene["turns"]):
            text = one["text"]
            told = "" if one["speaker"] else texts.narrated(text)
            found = _FELT.search(text) or others.search(text)
            sentence = text
            if found is None and (found := _NARRATED.search(told)) is not None:
                sentence = told
            if found is not None:
                yield Fault(
                    f"scenes.{number}.turns.{turn}",
                    f"“{texts.sentence_with(sentence, found.start())}” states a mind (“{found[0]}”). "
                    "Show what is said and done, and let the reader conclude.",
                )


def length(given: Given, written: Reply) -> Iterator[Fault]:
    """A story has its length."""
    found = sum(texts.processed(text) for _, text in parts(written))
    low, high = (bound * len(given.frame.scenes) for bound in SCENE_WORDS)
    if not low <= found <= high:
        yield Fault("scenes", f"The story has {found:,} words; write {low:,} to {high:,}.")


def names(given: Given, written: Reply, capitals: Sequence[str]) -> Iterator[Fault]:
    """Nobody from outside is named."""
    yield from texts.strangers(parts(written), given.names, capitals)


def parts(written: Reply) -> Iterator[tuple[str, str]]:
    """The texts of all turns, with their places."""
    for number, scene in enumerate(written["scenes"]):
        for turn, one in enumerate(scene["turns"]):
            yield f"scenes.{number}.turns.{turn}.text", one["text"]


def _scenes(
    given: Given, written: Reply, topics: Sequence[str]
) -> Iterator[tuple[int, Mapping[str, Any], list[tuple[Event, range]]]]:
    """The scenes that tell just their events, each event with its turns, from 1."""
    for number, scene in enumerate(written["scenes"][: len(given.frame.scenes)]):
        wanted = events.of_scene(given, number, topics)
        if [event.name for event in wanted] != [one["event"] for one in scene["told"]]:
            continue
        places = [range(one["turns"][0], one["turns"][-1] + 1) for one in scene["told"]]
        yield number, scene, list(zip(wanted, places, strict=True))


def _turns(scene: Mapping[str, Any], place: range) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = scene["turns"][max(place.start - 1, 0) : place.stop - 1]
    return found


def _there(
    found: Sequence[tuple[Event, range]], turn: int
) -> tuple[frozenset[int], frozenset[int], bool]:
    """Who is there in a turn, who comes by in it, and whether it is of the opening."""
    there, passing, opens = found[0][0].there, frozenset[int](), False
    for event, place in found:
        if place.stop <= turn:
            there = event.there
        elif place.start <= turn:
            there |= event.there
            passing |= frozenset(event.moves)
            opens |= event.name == "opening"
    return there, passing, opens
