"""The tables: one row per stage with its world, one row per question.

What a question shows (profile, background, scenes) is stored once, with its stage, and joined by
`stage_id` when a task loads it. `frame`, `asked` and `claims` are what an evaluator needs to answer each
question again; `docs/explanation/socialmindchange_world.md` says what they mean.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.socialmindchange.cells import item_ids
from otherminds.dataset_builders.socialmindchange.columns import COUNT, SCENE, SHARED, TEXT, scenes
from otherminds.dataset_builders.socialmindchange.scale.needs import needs
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage
from otherminds.dataset_builders.socialmindchange.scale.wording import Item
from otherminds.dataset_builders.socialmindchange.telling import phrasing
from otherminds.dataset_builders.socialmindchange.world import conduct
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE
from otherminds.dataset_builders.socialmindchange.world.roll import Moment
from otherminds.dataset_builders.socialmindchange.world.variables import Emotion, Intention, View

_CHARACTER: Final = pa.struct(
    [
        ("name", TEXT),
        ("given", TEXT),
        ("role", TEXT),
        ("gender", TEXT),
        ("age", COUNT),
        ("occupation", TEXT),
        ("relation", TEXT),
        ("ear", TEXT),
        ("face", TEXT),
    ]
)
_MIND: Final = pa.struct(
    [
        ("scene", COUNT),
        ("person", TEXT),
        ("belief", TEXT),
        ("emotion", TEXT),
        ("intention", TEXT),
        ("action", TEXT),
    ]
)

STAGES: Final = pa.schema(
    [
        *SHARED,
        ("place_kind", TEXT),
        ("place", TEXT),
        ("project", TEXT),
        ("due", TEXT),
        ("things", pa.list_(TEXT)),
        ("corners", pa.list_(TEXT)),
        ("characters", pa.list_(_CHARACTER)),
        ("profile", pa.list_(TEXT)),
        ("background", TEXT),
        ("scenes", pa.list_(SCENE)),
        ("states", pa.list_(_MIND)),
        ("frame", TEXT),
        ("lexicon", TEXT),
        ("redrawn", COUNT),
    ]
)

QUESTIONS: Final = pa.schema(
    [
        ("item_id", TEXT),
        *SHARED,
        ("type", TEXT),
        ("mental_state", TEXT),
        ("third_order", pa.bool_()),
        ("order", COUNT),
        ("steps", COUNT),
        ("first_scene", COUNT),
        ("second_scene", COUNT),
        ("span", COUNT),
        ("question", TEXT),
        ("options", pa.list_(TEXT)),
        ("answer", TEXT),
        ("reasons", pa.list_(pa.list_(TEXT))),
        ("prerequisites", pa.list_(TEXT)),
        ("asked", TEXT),
        ("claims", pa.list_(TEXT)),
    ]
)

_THIRD: Final = 3


def stage_row(stage_id: str, variant: str, lite: bool, stage: Stage) -> dict[str, Any]:
    """The row of a stage."""
    setting, story = stage.setting, stage.story
    return {
        **_shared(stage_id, variant, lite, stage),
        "place_kind": setting.kind,
        "place": setting.place,
        "project": setting.project,
        "due": setting.when,
        "things": list(setting.things),
        "corners": list(setting.corners),
        "characters": list(_characters(stage)),
        "profile": list(story.profile),
        "background": story.background,
        "scenes": scenes(((turn.speaker, turn.text) for turn in scene) for scene in story.scenes),
        "states": list(_minds(stage)),
        "frame": as_text(stage.frame.as_json()),
        "lexicon": as_text(dict(stage.lexicon.phrases)),
        "redrawn": stage.redrawn,
    }


def question_rows(
    stage_id: str, variant: str, lite: bool, stage: Stage
) -> Iterator[dict[str, Any]]:
    """The rows of a stage's questions."""
    shared = _shared(stage_id, variant, lite, stage)
    for item_id, row in rows_of_items(stage_id, stage.items).items():
        yield {"item_id": item_id, **shared, **row}


def rows_of_items(stage_id: str, items: Sequence[Item]) -> dict[str, dict[str, Any]]:
    """Of a stage's questions, by their ids, the columns that say what is asked."""
    asked = [item.asked for item in items]
    ids = item_ids(stage_id, ((one.type, one.state) for one in asked))
    return {
        item_id: _asked_columns(item, [ids[place] for place in needed])
        for item_id, item, needed in zip(ids, items, needs(asked), strict=True)
    }


def _asked_columns(item: Item, prerequisites: list[str]) -> dict[str, Any]:
    asked = item.asked
    order = asked.order
    return {
        "type": asked.type,
        "mental_state": asked.state,
        "third_order": order == _THIRD,
        "order": order,
        "steps": asked.steps,
        "first_scene": asked.first + 1,
        "second_scene": asked.second + 1,
        "span": asked.second - asked.first,
        "question": item.question,
        "options": list(item.options),
        "answer": item.answer,
        "reasons": [list(option.against) for option in item.symbols],
        "prerequisites": prerequisites,
        "asked": as_text(asked.asked_json()),
        "claims": [as_text(asked.claims_json(option)) for option in item.symbols],
    }


def as_text(value: Any) -> str:
    """A value as columns of JSON have it."""
    return json.dumps(value, ensure_ascii=False)


def _shared(stage_id: str, variant: str, lite: bool, stage: Stage) -> dict[str, Any]:
    return {
        "stage_id": stage_id,
        "variant": variant,
        "group_size": len(stage.people),
        "n_scenarios": len(stage.story.scenes),
        "in_lite": lite,
    }


def _characters(stage: Stage) -> Iterator[dict[str, Any]]:
    for person, nature in zip(stage.people, stage.frame.people, strict=True):
        yield {
            "name": person.name,
            "given": person.given,
            "role": person.role,
            "gender": person.gender,
            "age": person.age,
            "occupation": person.occupation,
            "relation": person.relation.label if person.relation else "",
            "ear": nature.ear,
            "face": nature.face,
        }


def _minds(stage: Stage) -> Iterator[dict[str, Any]]:
    """How everybody whose mind is open stands to the topic of each scene; who is away does nothing."""
    for number, scene in enumerate(stage.frame.scenes):
        state = stage.roll.scene(number, stage.roll.told).state
        doer = stage.frame.matters[scene.topic].doer
        for place, person in enumerate(stage.people):
            if place not in (GUIDE, doer):
                said = _said(stage, state, place, scene.topic)
                yield {"scene": number + 1, "person": person.given, **said}


def _said(stage: Stage, state: Moment, person: int, topic: int) -> dict[str, str]:
    """A state of mind, and what follows from it, in the words of the stage's lexicon."""
    lexicon, frame, minds = stage.lexicon, stage.frame, state.minds
    view, meant = minds.view((person,), topic), conduct.intention(minds, person, topic)
    felt, done = conduct.emotion(minds, person, topic), ""
    if person in state.there:
        manner = conduct.manner(frame, person, topic, state.there)
        done = phrasing.sentence(phrasing.action(lexicon, person, topic, meant, manner))
    return {
        "belief": _sentence(stage, View((person,), topic), view),
        "emotion": _sentence(stage, Emotion(person, topic), felt),
        "intention": _sentence(stage, Intention(person, topic), meant),
        "action": done,
    }


def _sentence(stage: Stage, what: View | Emotion | Intention, value: str) -> str:
    return phrasing.sentence(phrasing.state(stage.lexicon, stage.frame, what, value))
