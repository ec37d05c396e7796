"""Checks of the vocabulary that its shape alone does not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from otherminds.dataset_builders.socialmindchange.cells import STATES, TYPES
from otherminds.dataset_builders.socialmindchange.codes.moves import GOALS, NORMS, SETTINGS
from otherminds.dataset_builders.socialmindchange.codes.states import (
    AGENCIES,
    CIRCUMSTANCES,
    KINDS,
    LEVELS,
    MATTERS,
)
from otherminds.dataset_builders.socialmindchange.codes.text import parts, slots
from otherminds.dataset_builders.socialmindchange.codes.trajectory import BRIDGES
from otherminds.dataset_builders.socialmindchange.spec import GROUP_SIZES, SCENARIOS

if TYPE_CHECKING:
    from otherminds.dataset_builders.socialmindchange.codes.content import Content

PLACE_KINDS: Final = 13
LEAST_PLACES: Final = 261
_THINGS: Final = 8
_BRACKETS: Final = re.compile(r"[\[\]|]")
_FOCUS: Final = {"t", "he", "him", "his", "hers"}
_PER_KIND: Final = ("emotion", "intention", "act", "redirect", "ask")
_OTHER: Final = {"x", "xhe", "xhim", "xhis", "xhers"}
_STAGE: Final = {"project", "when", "corner", "place", "seen"}


def problems(content: Content) -> list[str]:
    """What is wrong with the content; nothing when it can be used."""
    return [problem for check in _CHECKS for problem in check(content)]


def _pools(content: Content) -> Iterator[str]:
    """There is enough of everything, and what is drawn together exists for each kind of place."""
    places = [place for kind in content.places.values() for place in kind.places]
    if len(content.places) != PLACE_KINDS or len(set(places)) < LEAST_PLACES:
        found = f"{len(set(places))} of {len(content.places)} kinds"
        yield f"places: {found}; at least {LEAST_PLACES} of {PLACE_KINDS} are needed"
    for name, pool in (("projects", content.projects), ("relations", content.relations)):
        if sorted(pool) != sorted(content.places):
            yield f"{name}: the kinds of place are not those of places"
    for kind, lines in content.projects.items():
        for line in lines:
            fields = line.split(" | ")
            if len(fields) != 3 or len(set(fields[-1].split("; "))) != _THINGS:
                yield f"projects: {kind}: '{line[:40]}' is not a name, a date and {_THINGS} things"
    for kind, texts in content.places.items():
        if len(set(texts.corners)) < SCENARIOS[1]:
            yield f"places: {kind}: fewer corners than scenes"
        asked = {job.rpartition(" / ")[2] for job in texts.jobs}
        if texts.jobs and asked != {one.value for one in content.people.schooling}:
            yield f"places: {kind}: there is not a job for every level of schooling"
    if len(content.voices) * 3 < GROUP_SIZES[1]:
        yield "voices: too few for the largest group"


def _names(content: Content) -> Iterator[str]:
    """Names are enough for any cast, and none is a word that the texts use otherwise."""
    used = set(re.findall(r"[A-Z]?[a-z]+", " ".join(_lines(content))))
    for group in content.people.groups:
        for pool in (group.women, group.men):
            if len({name[0] for name in pool}) < GROUP_SIZES[1]:
                yield f"people: too few initials among {', '.join(pool[:3])} …"
        if len(group.surnames) < GROUP_SIZES[1]:
            yield f"people: too few surnames with {group.surnames[0]}"
        for name in (*group.women, *group.men):
            if name in used or name.lower() in used:
                yield f"people: the name {name} is also a word of the texts"
    if sorted(content.people.occupations) != sorted(one.value for one in content.people.schooling):
        yield "people: occupations are not by level of schooling"


def _relations(content: Content) -> Iterator[str]:
    """Whatever the age of the person in focus, there are relations enough for the largest group."""
    from otherminds.dataset_builders.socialmindchange.codes.cast import AGES, relations

    for kind in content.relations:
        for age in range(*AGES):
            possible = [one for one in relations(content, kind) if one.ages(age) is not None]
            if len({one.label for one in possible}) < GROUP_SIZES[1] - 1:
                yield f"relations: {kind}: too few for somebody aged {age}"
                break


def _banks(content: Content) -> Iterator[str]:
    """Each bank is complete, its lines are well formed, and use only slots that are filled."""
    frame, background = content.frame, content.background
    complete: Sequence[tuple[str, Mapping[Any, Any], Sequence[Any]]] = (
        ("beliefs", content.beliefs, LEVELS),
        ("gestures", content.gestures, LEVELS),
        ("intentions", content.intentions, LEVELS),
        ("acts", content.acts, LEVELS),
        ("ways", content.ways, CIRCUMSTANCES),
        ("bridges", frame.bridges, BRIDGES),
        ("work", frame.work, ("guide", "rival", "friend", "others")),
        ("norms", background.norms, NORMS),
        ("goals", background.goals, GOALS),
        ("face", background.face, SETTINGS),
    )
    for name, bank, keys in complete:
        if sorted(bank) != sorted(keys):
            yield f"{name}: has {', '.join(sorted(bank))}, but {', '.join(sorted(keys))} are needed"
    for level, matters in chain(content.gestures.items(), content.intentions.items()):
        for matter in MATTERS:
            if sorted(matters.get(matter, {})) != sorted(AGENCIES):
                yield f"{level} {matter}: not both agencies"
    for line in _lines(content):
        if _BRACKETS.search("".join(part[0] for part in parts(line) if len(part) == 1)):
            yield f"'{line[:60]}' has a bracket or bar out of place"
    for name, lines, allowed in _slotted(content):
        for line in lines:
            if unknown := slots(line) - allowed:
                yield f"{name}: '{line[:60]}' has the unknown slot {{{sorted(unknown)[0]}}}"


def _telling(content: Content) -> Iterator[str]:
    """Who a belief or an intention is about can be read from every line that shows it."""
    for level, matters in content.beliefs.items():
        for matter, lines in matters.items():
            yield from _without("x", f"beliefs: {level} {matter}", lines)
    for level, by_matter in content.intentions.items():
        for matter, agencies in by_matter.items():
            for agency, lines in agencies.items():
                yield from _without("x", f"intentions: {level} {matter} {agency}", lines)


def _without(slot: str, name: str, lines: Sequence[str]) -> Iterator[str]:
    """The lines of which some wording lacks a slot."""
    for line in lines:
        if not any(all(slot in slots(choice) for choice in part) for part in parts(line)):
            yield f"{name}: '{line[:60]}' does not name {{{slot}}} in every wording"


def _unnamed(content: Content) -> Iterator[str]:
    """No line of a scene names a state."""
    from otherminds.dataset_builders.socialmindchange.codes.content import state_words

    named = re.compile(rf"\b({'|'.join(state_words())})\b", re.IGNORECASE)
    for line in _lines(content):
        if found := named.search(line):
            yield f"'{line[:60]}' names a state: {found[0]}"


def _questions(content: Content) -> Iterator[str]:
    if sorted(content.questions) != sorted(TYPES):
        yield f"questions: the types are {', '.join(TYPES)}"
    for kind, texts in content.questions.items():
        extra = {"guess"} if kind == "transition_state" else set()
        if set(texts) != {*STATES, *extra}:
            yield f"questions: {kind}: the mental states are {', '.join(STATES)}"
    for name, phrases in content.phrases:
        if name in _PER_KIND and len(list(_leaves(phrases))) != len(LEVELS) * len(KINDS):
            yield f"phrases: {name}: not one for each level, matter and agency"
        for wordings in _leaves(phrases):
            if len(set(wordings)) != len(wordings):
                yield f"phrases: {name}: '{wordings[0]}' is repeated"


def _leaves(value: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(value, tuple):
        yield value
    else:
        for inner in value.values():
            yield from _leaves(inner)


def _slotted(content: Content) -> Iterator[tuple[str, Sequence[str], set[str]]]:
    """Banks with the slots that the teller fills in them."""
    both = _FOCUS | _OTHER | _STAGE | {"thing"}
    for name in ("beliefs", "gestures", "intentions"):
        for lines in _leaves(getattr(content, name)):
            yield name, lines, both
    for act in (a for m in content.acts.values() for k in m.values() for a in k.values()):
        yield "acts", (*act.words, *act.deeds), both
    for way in content.ways.values():
        yield "ways", (*way.seen, *way.moving, *way.saying), both
    frame = content.frame
    yield "openings", (*frame.openings.first, *frame.openings.later), _STAGE | {"t", "names"}
    for talk in chain.from_iterable(frame.work.values()):
        yield "work", (*talk.first, *talk.then), _STAGE | {"item", "other"}
    asides = frame.asides
    yield "asides", (*asides.leaving, *asides.joining), _STAGE | {"p", "z", "gone"}
    asked = (*asides.noticing, *asides.asking, *asides.hearing, *asides.wondering)
    yield "asides", asked, both | {"item"}
    for texts in frame.bridges.values():
        yield "bridges", (*texts.helped, *texts.kept, *texts.worse), both | {"agent"}
    for matter in MATTERS:
        yield "guesses", (*frame.guesses.leads, *frame.guesses.on(matter)), both | {"y"}


def _lines(content: Content) -> Iterator[str]:
    """All lines that scenes are made of."""
    for _, lines, _ in _slotted(content):
        yield from lines
    for kind in content.places.values():
        yield from kind.seen
        yield from kind.corners
    for voice in content.voices.values():
        yield from (*voice.before, *voice.after)


_CHECKS: Final = (_pools, _names, _relations, _banks, _telling, _unnamed, _questions)
