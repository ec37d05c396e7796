"""An author of stages of SocialMindChange that writes what the grammar of the scale edition tells."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pytest

from otherminds.construct import Unit
from otherminds.dataset_builders import draws
from otherminds.dataset_builders.socialmindchange.authored import (
    checks,
    context,
    events,
    phrases,
    story,
    texts,
)
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.codes import cast, content
from otherminds.dataset_builders.socialmindchange.telling import filled
from otherminds.dataset_builders.socialmindchange.telling import story as grammar
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon
from otherminds.dataset_builders.socialmindchange.telling.story import Story
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE

Reply = dict[str, Any]
Turns = list[tuple[Reply, tuple[str, ...]]]

_EAR: Final = {"gentle": "slams no doors and shuts out whoever does", "plain": "likes it short"}
_FACE: Final = {"aside": "goes pink at the board table", "open": "mistrusts whispers in corridors"}


class _Told(NamedTuple):
    """A unit in the words of the grammar."""

    given: Given
    setting: cast.Setting
    people: tuple[cast.Person, ...]
    lexicon: Lexicon
    story: Story

    @property
    def topics(self) -> list[str]:
        matters = range(len(self.given.frame.matters))
        return [self.lexicon.phrase("matter", number, "topic") for number in matters]


def good(unit: Unit, stage: str) -> Reply:
    """What passes every check of a stage under the limits of `relax`."""
    if unit.frame_hash not in _WRITTEN:
        _WRITTEN[unit.frame_hash] = _written(unit)
    return deepcopy(_WRITTEN[unit.frame_hash][stage])


def relax(patch: pytest.MonkeyPatch) -> None:
    """Allow the lengths that the grammar has: it tells more, and names deeds at length."""
    patch.setattr(context, "TOPIC_WORDS", (2, 14))
    patch.setattr(story, "SCENE_WORDS", (140, 800))


_WRITTEN: Final[dict[str, dict[str, Reply]]] = {}


def _written(unit: Unit) -> dict[str, Reply]:
    """All replies to a unit. The grammar's story may have words of its options: then it is told anew."""
    for attempt in range(_ATTEMPTS):
        told = _told(unit, attempt)
        found = {
            "context": _context(told),
            "trajectory": _trajectory(told),
            "scenes": _scenes(told),
            "lexicon": {
                "phrases": {key: told.lexicon.phrases[key] for key in phrases.needed(told.given)}
            },
        }
        done = replace(unit, texts=found)
        with pytest.MonkeyPatch.context() as patch:
            relax(patch)
            if not any(any(checks.of_stage(name, done, found[name])) for name in found):
                return found
    raise AssertionError(unit.unit_id)


_ATTEMPTS: Final = 40


def _context(told: _Told) -> Reply:
    given, setting, people, lexicon, _ = told
    frame, names = given.frame, given.names
    matters = []
    for number, one in enumerate(frame.matters):
        topic = lexicon.phrase("matter", number, "topic")
        others = [place for place in range(frame.size) if place not in (one.doer, one.bearer)]
        matters.append(
            {
                "topic": topic,
                "deed": f"{lexicon.phrase('matter', number, 'deed')}.",
                "reason": f"{lexicon.phrase('matter', number, one.meant)}.",
                "proof": f"In a drawer lies {lexicon.phrase('matter', number, 'proof')}.",
                "stakes": [
                    {
                        "name": names[place],
                        "line": f"{names[place]} {_side(frame.stakes[place][number])} {topic}.",
                    }
                    for place in others
                ],
            }
        )
    found: Reply = {
        "place": f"They meet {setting.place}.",
        "occasion": f"It is about {setting.project}.",
        "people": [
            {
                "name": person.given,
                "age": person.age,
                "work": person.occupation,
                "profile": f"{person.given} {_EAR[nature.ear]}, and {_FACE[nature.face]}.",
            }
            for person, nature in zip(people, frame.people, strict=True)
        ],
        "lead": f"{names[frame.lead]} has the say.",
        "ties": [
            {
                "between": [names[one], names[other]],
                "line": f"{names[one]} and {names[other]} "
                + ("are friends." if frame.ties[one][other] == "warm" else "fell out long ago."),
            }
            for one in range(frame.size)
            for other in range(one)
            if frame.ties[one][other] != "plain"
        ],
        "matters": matters,
        "promises": [
            {
                "by": names[one.by],
                "to": names[one.to],
                "line": f"{names[one.by]} promised {names[one.to]} silence about "
                f"{matters[one.matter]['topic']}.",
            }
            for one in frame.promises
        ],
        "capitals": [],
    }
    shown = [*context.parts(found), *story.parts(_scenes(told))]
    shown += [("", phrase) for phrase in lexicon.phrases.values()]
    strange = [fault.message for fault in texts.strangers(shown, names, [])]
    found["capitals"] = sorted(
        {one for said in strange for one in re.findall("names “(.*?)”", said)}
    )
    return found


def _side(stake: str) -> str:
    return "has money on" if stake == "with" else "would be richer without"


def _trajectory(told: _Told) -> Reply:
    found = []
    for number in range(len(told.given.frame.scenes)):
        lines = events.of_scene(told.given, number, told.topics)
        found.append(
            {
                "outline": " ".join(one.line for one in lines),
                "events": [{"event": one.name, "sentence": one.line} for one in lines],
            }
        )
    return {"outlines": found}


def _scenes(told: _Told) -> Reply:
    scenes = range(len(told.story.scenes))
    return {"scenes": [_scene(told.given, told.story, one, told.topics) for one in scenes]}


def _scene(given: Given, told: Story, number: int, topics: list[str]) -> Reply:
    wanted = events.of_scene(given, number, topics)
    turns: Turns = []
    for turn, of_turn in zip(told.scenes[number], told.tells[number], strict=True):
        if "word" in of_turn:
            turns.append(({"speaker": "", "text": _word(given, number, topics)}, of_turn))
            continue
        if not turns or turns[-1][1] or not of_turn:
            turns += [(one, of_turn) for one in _apart(given, turn, of_turn, wanted)]
            continue
        # What was narrated before belongs to what is then said.
        turns[-1] = (turns[-1][0], of_turn)
        turns += [(one, of_turn) for one in _apart(given, turn, of_turn, wanted)]
    last = max(place for place, (_, of_turn) in enumerate(turns) if "topic" in of_turn)
    speakers = {one["speaker"] for one, _ in turns}
    silent = [given.names[place] for place in sorted(wanted[-1].there)]
    turns[last + 1 : last + 1] = [
        ({"speaker": name, "text": f"The kettle is on, for the {number + 1}th time."}, ())
        for name in silent
        if name not in speakers
    ]
    places = {
        event.name: [at for at, (_, of_turn) in enumerate(turns, start=1) if event.name in of_turn]
        for event in wanted
    }
    return {
        "turns": [one for one, _ in turns],
        "told": [
            {"event": name, "turns": list(range(found[0], found[-1] + 1))}
            for name, found in places.items()
        ],
    }


def _apart(
    given: Given, turn: grammar.Turn, of_turn: tuple[str, ...], wanted: list[events.Event]
) -> list[Reply]:
    """A narrated turn with something said in it as turns of their own."""
    parts = re.split(r'"([^"]*)"', turn.text)
    speaking = [one for one in wanted if one.name in of_turn and one.people]
    if turn.speaker or len(parts) != 3 or len(of_turn) != 1 or not speaking:
        return [{"speaker": turn.speaker, "text": turn.text}]
    speakers = ("", given.names[speaking[0].people[0]], "")
    return [
        {"speaker": speaker, "text": part.strip()}
        for speaker, part in zip(speakers, parts, strict=True)
        if part.strip()
    ]


def _word(given: Given, number: int, topics: list[str]) -> str:
    word, guide = given.frame.scenes[number].word, given.names[GUIDE]
    if word is None:
        return f"{guide} rinses a cup."
    said = "was kind" if given.frame.matters[word.matter].meant == "good" else "was unkind"
    return (
        f'{guide} to {given.names[word.to]}, {word.setting}: "Well, {topics[word.matter]} {said}."'
    )


def _told(unit: Unit, attempt: int) -> _Told:
    given = Given.of(unit)
    place = (unit.frame["seed"], unit.frame["number"])
    vocabulary = content.load()
    # As the unit's people were drawn.
    rng = draws.stream(place, (0, 0))
    setting = cast.setting(rng, vocabulary)
    people = cast.cast(rng, vocabulary, setting.kind, given.frame.size)
    own = draws.stream(place, (20, attempt))
    lexicon = filled.fill(
        own, given.frame, given.people, setting.things, setting.project, setting.corners
    )
    # What scenes say in the words of options is said in others.
    spoken = {
        key: f"Think of {lexicon.phrase('matter', key.split('.')[1], 'topic')}, then."
        for key in lexicon.phrases
        if re.match(r"matter\.\d+\.(heard|shown)", key)
    }
    shown = Lexicon(given.people, {**lexicon.phrases, **spoken})
    story_ = grammar.tell(own, given.frame, given.roll, people, setting, shown)
    return _Told(given, setting, people, lexicon, story_)
