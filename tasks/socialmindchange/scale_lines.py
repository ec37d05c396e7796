"""What the grammar of SocialMindChange's scale edition finds in the text of a stage, for its students.

Read are profile, background and scenes, with the stage's lexicon as a list of phrases to look for, and
the content files that lines are made from. Neither the frame nor a state of mind is looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import Any, Final

from otherminds.dataset_builders.socialmindchange.codes.text import parts
from otherminds.dataset_builders.socialmindchange.telling import story
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE

_SLOT: Final = re.compile(r"\{(\w+)\}")
_PERSON: Final = r"P\d"
_NAMES: Final = rf"{_PERSON}(?:, {_PERSON})*(?: and {_PERSON})?"
_FILLS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("p", "q", "a", "doer", "bearer", "guide", "by", "to", "last", "who"), _PERSON),
    **dict.fromkeys(("d", "b"), rf"(?:{_PERSON}|I|you)"),
    **dict.fromkeys(("dm", "bm"), rf"(?:{_PERSON}|me|you)"),
    **dict.fromkeys(("dp", "bp"), rf"(?:{_PERSON}'s|my|your)"),
    **dict.fromkeys(("he", "him", "his", "himself", "qhe", "qhim"), r"\w+"),
    "names": _NAMES,
    "topic": r"T\d",
    "proof": r"X\d",
}
"""What fills a slot in a masked line; of all others, anything without quotation marks."""

MATCH: Final = "MATCH"
"""What of a text a line of a bank matches, among its slots."""


@dataclass(frozen=True)
class Told:
    """Somebody tells or shows how a deed was meant.

    scene   from 1
    line    its place among the lines of all scenes; -1 for a word that only a question tells
    to      whom; None for all who are there
    heard   who hears it, in each other's sight
    chance  who overhears it, unseen
    proof   whether it is shown, not told
    word    whether it is the guide's word at the end of the scene
    acted   whether somebody speaks up to all when the talk is of the topic, at the end of the scene
    said    the words, masked
    """

    scene: int
    line: int
    speaker: int
    matter: int
    value: str
    to: int | None
    setting: str
    tone: str
    heard: frozenset[int]
    chance: int | None = None
    proof: bool = False
    word: bool = False
    acted: bool = False
    said: str = ""

    def reaches(self, people: Sequence[int]) -> bool:
        """Whether the first of a chain of people hears it, and all others in their sight."""
        first, *others = people
        return (first in self.heard or first == self.chance) and self.heard.issuperset(others)


@dataclass
class Reading:
    """What the text of a stage says.

    ears, faces  by person
    ties         of two people, the lower first, `warm` or `cold` where it is said
    lead         who leads; None where it was not found
    matters      doer and bearer of each
    meant        of each, where it was found
    stakes       by person and matter, where it was found
    promises     by, to, matter
    events       what is told and shown, in order
    there        by scene, who is there when people part; `there_first` at its beginning
    told         the masked lines in which things stand, by what they tell
    """

    names: tuple[str, ...]
    ears: dict[int, str] = field(default_factory=dict)
    faces: dict[int, str] = field(default_factory=dict)
    ties: dict[tuple[int, int], str] = field(default_factory=dict)
    lead: int | None = None
    matters: list[tuple[int, int]] = field(default_factory=list)
    meant: dict[int, str] = field(default_factory=dict)
    stakes: dict[tuple[int, int], str] = field(default_factory=dict)
    promises: list[tuple[int, int, int]] = field(default_factory=list)
    events: list[Told] = field(default_factory=list)
    there: dict[int, frozenset[int]] = field(default_factory=dict)
    there_first: dict[int, frozenset[int]] = field(default_factory=dict)
    told: dict[tuple[object, ...], str] = field(default_factory=dict)

    def tie(self, one: int, other: int) -> str:
        """`warm`, `cold` or `plain`; `own` of one person."""
        if one == other:
            return "own"
        return self.ties.get((min(one, other), max(one, other)), "plain")


@dataclass(frozen=True)
class Bank:
    """Lines of the content, by what they mean, as patterns of masked text."""

    patterns: Mapping[str, re.Pattern[str]]

    @classmethod
    def of(cls, lines: Mapping[Any, Iterable[str]]) -> Bank:
        """The bank of some lines by meaning."""
        return cls({meaning: _compiled(some) for meaning, some in lines.items()})

    def within(self, text: str) -> Iterator[tuple[int, str, dict[str, str]]]:
        """Where a line of the bank stands in the text, what it means, and what fills its slots."""
        for meaning, pattern in self.patterns.items():
            for found in pattern.finditer(text):
                slots = {
                    name.rpartition("_")[0]: value
                    for name, value in found.groupdict().items()
                    if value is not None
                }
                yield found.start(), meaning, {**slots, MATCH: found[0]}


@dataclass(frozen=True)
class _Banks:
    """The banks that a stage is read with."""

    ear: Bank
    face: Bank
    tie: Bank
    lead: Bank
    meant: Bank
    same: Bank
    promise: Bank
    absent: Bank
    moves: Bank
    speaks: Bank
    tone: Bank
    chance: Bank
    show: Bank
    speech: Bank


@cache
def _banks() -> _Banks:
    lines = story.load()
    back, first, lead = lines.background, lines.opening, lines.lead
    return _Banks(
        ear=Bank.of(lines.profile.ear),
        face=Bank.of(lines.profile.face),
        tie=Bank.of({"warm": back.warm, "cold": back.cold}),
        lead=Bank.of({"lead": back.lead}),
        meant=Bank.of(back.meant),
        same=Bank.of({"same": back.same}),
        promise=Bank.of({"promise": back.promise}),
        absent=Bank.of({"absent": [*first.missing, *first.late]}),
        moves=Bank.of({"leave": lines.leave, "enter": [*lines.enter, *lines.again]}),
        speaks=Bank.of(
            {
                "aside": [*lead.aside, *lead.passed["aside"]],
                "open": [*lead.open, *lead.passed["open"]],
                "room": lead.room,
            }
        ),
        tone=Bank.of(lines.tone),
        chance=Bank.of({"chance": [*lines.chance.there, *lines.chance.away]}),
        show=Bank.of({"open": lines.show.open, "aside": lines.show.aside}),
        speech=Bank.of(lines.speech),
    )


def read(row: Mapping[str, Any]) -> Reading:
    """What the text of a stage says, by its row of the table of stages."""
    return _Reader(row).read()


class _Reader:
    """Reads one stage."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row = row
        self._phrases: dict[str, str] = json.loads(row["lexicon"])
        names = tuple(one["given"] for one in row["characters"])
        self._found = Reading(names)
        self._masks = _masks(names, self._phrases)
        self._words = {
            text: tuple(key.split(".")[1:])
            for key, text in self._phrases.items()
            if key.startswith("word.") and not key.endswith((".none", ".fitting"))
        }

    def read(self) -> Reading:
        """All of it."""
        found = self._found
        for place, line in enumerate(self._row["profile"]):
            text = self.masked(line)
            for bank, values, key in (
                (_banks().ear, found.ears, "ear"),
                (_banks().face, found.faces, "face"),
            ):
                for _, meaning, _ in bank.within(text):
                    values.setdefault(place, meaning)
                found.told[key, place] = text
        self._background([self.masked(one) for one in self._row["background"].split("\n\n")])
        line = 0
        for scene in self._row["scenes"]:
            self._scene(scene["number"], scene["turns"], line)
            line += len(scene["turns"])
        return found

    def masked(self, text: str) -> str:
        """The text with proofs, topics and names of the stage as X0, T0, P0, …"""
        pattern, marks = self._masks
        return pattern.sub(lambda one: marks[one[0].lower()], text)

    def _background(self, paragraphs: Sequence[str]) -> None:
        found, banks = self._found, _banks()
        whole = " ".join(paragraphs)
        for _, _, slots in banks.lead.within(paragraphs[0]):
            if "p" in slots:
                found.lead = _person(slots["p"])
        for _, meaning, slots in banks.tie.within(paragraphs[1] if paragraphs[1:] else ""):
            pair = sorted(dict.fromkeys(_people(slots[MATCH])))
            if len(pair) == 2:
                found.ties[pair[0], pair[1]] = meaning
                found.told["tie", pair[0], pair[1]] = slots[MATCH]
        for _, _, slots in banks.promise.within(whole):
            if {"by", "to", "topic"} <= slots.keys():
                promise = (_person(slots["by"]), _person(slots["to"]), int(slots["topic"][1]))
                if promise not in found.promises:
                    found.promises.append(promise)
        for number in range(sum(key.endswith(".topic") for key in self._phrases)):
            deed = self.masked(self._phrases[f"matter.{number}.deed"])
            doer, bearer = list(dict.fromkeys(re.findall(_PERSON, deed)))[:2]
            found.matters.append((_person(doer), _person(bearer)))
            at = next((one for one in paragraphs[1:] if deed.lower() in one.lower()), "")
            for _, meaning, _ in banks.meant.within(at):
                found.meant.setdefault(number, meaning)
            self._stakes(number, at)

    def _stakes(self, number: int, paragraph: str) -> None:
        """Who gains or loses by a matter: those named in a stake, and those like them right after it."""
        found = self._found
        bearer = found.matters[number][1]
        found.stakes[bearer, number] = "with"
        spans: list[tuple[int, str, list[int], str]] = []
        for stake in ("with", "against"):
            phrase = self.masked(self._phrases[f"matter.{number}.stake.{stake}"])
            for one in re.finditer(_regex(phrase, 0), paragraph, re.IGNORECASE):
                spans.append((one.start(), stake, [_person(one["who_0"])], one[0]))
        for start, _, slots in _banks().same.within(paragraph):
            spans.append((start, "same", _people(slots["names"]), ""))
        before, told = "", ""
        for _, stake, people, text in sorted(spans):
            before, told = (before, told) if stake == "same" else (stake, text)
            for person in people if before else ():
                found.stakes[person, number] = before
                found.told["stake", person, number] = told

    def _scene(self, number: int, turns: Sequence[Mapping[str, str]], first: int) -> None:
        found, banks = self._found, _banks()
        everybody = range(len(found.names))
        opening = self.masked(turns[0]["text"])
        away = {
            person
            for _, _, slots in banks.absent.within(opening)
            for person in _people(slots.get("names", ""))
        }
        there = found.there_first[number] = frozenset(everybody) - away
        lead: dict[str, Any] = {}
        for place, turn in enumerate(turns):
            line = first + place
            if turn["text"] in self._words:
                self._word(number, line, turn["text"], there)
                continue
            text = self.masked(turn["text"])
            speaker = found.names.index(turn["speaker"]) if turn["speaker"] else None
            for kind, slots in self._events(text, speaker):
                if kind in ("leave", "enter") and "p" in slots:
                    there = there ^ {_person(slots["p"])}
                elif kind in ("aside", "open", "room"):
                    lead = {"setting": kind, **slots}
                elif kind in ("gentle", "plain"):
                    lead["tone"] = kind
                elif kind == "chance":
                    lead["chance"] = slots.get("p")
                elif kind.startswith("show"):
                    self._shown(number, line, kind.split()[1], slots, there)
                elif "topic" in slots:
                    self._said(number, line, kind.split()[1], slots, speaker, lead, there)
                    lead = {}
        found.there[number] = there

    def _events(self, text: str, speaker: int | None) -> list[tuple[str, dict[str, str]]]:
        """What a turn tells, in order."""
        banks = _banks()
        found = [
            (start, f"speech {value}", {**slots, "said": text[start:]})
            for start, value, slots in banks.speech.within(text)
        ][:1]
        if speaker is None:
            for bank in (banks.moves, banks.speaks, banks.tone, banks.chance):
                found += bank.within(text)
            found += [
                (start, f"show {value}", slots) for start, value, slots in banks.show.within(text)
            ]
        return [(kind, slots) for _, kind, slots in sorted(found, key=lambda one: one[:2])]

    def _said(
        self,
        scene: int,
        line: int,
        value: str,
        slots: Mapping[str, str],
        speaker: int | None,
        lead: Mapping[str, Any],
        there: frozenset[int],
    ) -> None:
        by = _person(lead["p"]) if "p" in lead else speaker
        if by is None or (speaker is not None and by != speaker):
            by = speaker
        if by is None:
            return
        to = _person(lead["q"]) if "q" in lead else None
        aside = lead.get("setting") == "aside" and to is not None
        chance = lead.get("chance")
        self._found.events.append(
            Told(
                scene=scene,
                line=line,
                speaker=by,
                matter=int(slots["topic"][1]),
                value=value,
                to=to,
                setting="aside" if aside else "open",
                tone=str(lead.get("tone", "plain")),
                heard=frozenset((by, to)) if aside and to is not None else there,
                chance=_person(chance) if chance and aside else None,
                acted=not lead,
                said=slots["said"].partition('"')[0].strip(),
            )
        )

    def _shown(
        self, scene: int, line: int, setting: str, slots: Mapping[str, str], there: frozenset[int]
    ) -> None:
        if not {"p", "q", "topic"} <= slots.keys():
            return
        by, to, matter = _person(slots["p"]), _person(slots["q"]), int(slots["topic"][1])
        heard = frozenset((by, to)) if setting == "aside" else there
        value = self._found.meant.get(matter, "")
        told = Told(scene, line, by, matter, value, to, setting, "plain", heard, proof=True)
        self._found.events.append(told)

    def _word(self, scene: int, line: int, text: str, there: frozenset[int]) -> None:
        matter, to, setting, tone = self._words[text]
        word = {"matter": int(matter), "to": int(to), "setting": setting, "tone": tone}
        self._found.events.append(replace(spoken(self._found, word, scene, there), line=line))


def spoken(
    found: Reading, word: Mapping[str, Any], scene: int, there: frozenset[int] | None = None
) -> Told:
    """A word of the guide at the end of a scene, as the column `claims` has it."""
    to, aside = word["to"], word["setting"] == "aside"
    heard = found.there[scene] if there is None else there
    return Told(
        scene=scene,
        line=-1,
        speaker=GUIDE,
        matter=word["matter"],
        value=found.meant.get(word["matter"], ""),
        to=to,
        setting=word["setting"],
        tone=word["tone"],
        heard=frozenset((GUIDE, to)) if aside else heard,
        word=True,
    )


def _masks(
    names: Sequence[str], phrases: Mapping[str, str]
) -> tuple[re.Pattern[str], dict[str, str]]:
    marks = {name.lower(): f"P{place}" for place, name in enumerate(names)}
    for key, text in phrases.items():
        kind, _, rest = key.partition(".")
        number, _, what = rest.partition(".")
        if kind == "matter" and what in ("topic", "proof"):
            marks[text.lower()] = f"{'T' if what == 'topic' else 'X'}{number}"
    ordered = sorted(marks, key=lambda text: (-len(text), text))
    found = "|".join(map(re.escape, ordered))
    return re.compile(rf"\b(?:{found})\b", re.IGNORECASE), marks


def _compiled(lines: Iterable[str]) -> re.Pattern[str]:
    found = "|".join(_regex(line, number) for number, line in enumerate(lines))
    return re.compile(found, re.IGNORECASE)


def _regex(line: str, number: int) -> str:
    """A line of the content as a pattern; its slots are groups `NAME_NUMBER`."""
    seen: set[str] = set()
    found = []
    for part in parts(line):
        filled = [_filled(one, seen, number, named=len(part) == 1) for one in part]
        found.append(filled[0] if len(part) == 1 else f"(?:{'|'.join(filled)})")
    return "".join(found)


def _filled(text: str, seen: set[str], number: int, *, named: bool) -> str:
    found, end = "", 0
    for slot in _SLOT.finditer(text):
        found += re.escape(text[end : slot.start()])
        end, name = slot.end(), slot[1]
        fill = _FILLS.get(name, r'[^"]+?')
        if name in seen and name in _FILLS and fill != r"\w+":
            found += f"(?P={name}_{number})"
        elif named and name not in seen:
            seen.add(name)
            found += f"(?P<{name}_{number}>{fill})"
        else:
            found += fill
    return found + re.escape(text[end:])


def _person(mark: str) -> int:
    return int(mark[1])


def _people(names: str) -> list[int]:
    return [int(one) for one in re.findall(r"P(\d)", names)]


def lines(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The lines of all scenes as students see them."""
    turns = chain.from_iterable(scene["turns"] for scene in row["scenes"])
    return tuple(
        f"{one['speaker']}: {one['text']}" if one["speaker"] else one["text"] for one in turns
    )
