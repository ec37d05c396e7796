"""The tables: one row per stage with its world, one row per question.

What a question shows (profile, background, scenes) is stored once, with its stage, and joined by
`stage_id` when a task loads it. `frame`, `asked` and `claims` are what an evaluator needs to answer each
question again; `docs/socialmindchange_world.md` says what they mean.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.socialmindchange.scale.needs import needs
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage
from otherminds.dataset_builders.socialmindchange.telling import phrasing
from otherminds.dataset_builders.socialmindchange.world import conduct
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE
from otherminds.dataset_builders.socialmindchange.world.roll import Moment
from otherminds.dataset_builders.socialmindchange.world.variables import Emotion, Intention, View

_TEXT: Final = pa.string()
_COUNT: Final = pa.int32()

_CHARACTER: Final = pa.struct(
    [
        ("name", _TEXT),
        ("given", _TEXT),
        ("role", _TEXT),
        ("gender", _TEXT),
        ("age", _COUNT),
        ("occupation", _TEXT),
        ("relation", _TEXT),
        ("ear", _TEXT),
        ("face", _TEXT),
    ]
)
_TURN: Final = pa.struct([("speaker", _TEXT), ("text", _TEXT)])
_SCENE: Final = pa.struct([("number", _COUNT), ("turns", pa.list_(_TURN))])
_MIND: Final = pa.struct(
    [
        ("scene", _COUNT),
        ("person", _TEXT),
        ("belief", _TEXT),
        ("emotion", _TEXT),
        ("intention", _TEXT),
        ("action", _TEXT),
    ]
)

_SHARED: Final = [
    ("stage_id", _TEXT),
    ("variant", _TEXT),
    ("group_size", _COUNT),
    ("n_scenarios", _COUNT),
    ("in_lite", pa.bool_()),
]

STAGES: Final = pa.schema(
    [
        *_SHARED,
        ("place_kind", _TEXT),
        ("place", _TEXT),
        ("project", _TEXT),
        ("due", _TEXT),
        ("things", pa.list_(_TEXT)),
        ("corners", pa.list_(_TEXT)),
        ("characters", pa.list_(_CHARACTER)),
        ("profile", pa.list_(_TEXT)),
        ("background", _TEXT),
        ("scenes", pa.list_(_SCENE)),
        ("states", pa.list_(_MIND)),
        ("frame", _TEXT),
        ("lexicon", _TEXT),
        ("redrawn", _COUNT),
    ]
)

QUESTIONS: Final = pa.schema(
    [
        ("item_id", _TEXT),
        *_SHARED,
        ("type", _TEXT),
        ("mental_state", _TEXT),
        ("third_order", pa.bool_()),
        ("order", _COUNT),
        ("steps", _COUNT),
        ("first_scene", _COUNT),
        ("second_scene", _COUNT),
        ("span", _COUNT),
        ("question", _TEXT),
        ("options", pa.list_(_TEXT)),
        ("answer", _TEXT),
        ("reasons", pa.list_(pa.list_(_TEXT))),
        ("prerequisites", pa.list_(_TEXT)),
        ("asked", _TEXT),
        ("claims", pa.list_(_TEXT)),
    ]
)

_THIRD: Final = 3
_CODES: Final = {
    "guidance_action": "GA",
    "transition_state": "T1",
    "transition_reason": "T2",
    "transition_plan": "T3",
}


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
        "scenes": [
            {
                "number": number,
                "turns": [{"speaker": turn.speaker, "text": turn.text} for turn in scene],
            }
            for number, scene in enumerate(story.scenes, start=1)
        ],
        "states": list(_minds(stage)),
        "frame": _json(stage.frame.as_json()),
        "lexicon": _json(dict(stage.lexicon.phrases)),
        "redrawn": stage.redrawn,
    }


def question_rows(
    stage_id: str, variant: str, lite: bool, stage: Stage
) -> Iterator[dict[str, Any]]:
    """The rows of a stage's questions."""
    counts: Counter[tuple[str, str]] = Counter()
    ids = []
    for item in stage.items:
        cell = (item.asked.type, item.asked.state)
        counts[cell] += 1
        ids.append(f"{stage_id}-{_CODES[item.asked.type]}-{item.asked.state}-{counts[cell]}")
    shared = _shared(stage_id, variant, lite, stage)
    rests = needs([item.asked for item in stage.items])
    for item_id, item, needed in zip(ids, stage.items, rests, strict=True):
        asked = item.asked
        order = asked.order
        yield {
            "item_id": item_id,
            **shared,
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
            "prerequisites": [ids[place] for place in needed],
            "asked": _json(asked.asked_json()),
            "claims": [_json(asked.claims_json(option)) for option in item.symbols],
        }


def _json(value: Any) -> str:
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
