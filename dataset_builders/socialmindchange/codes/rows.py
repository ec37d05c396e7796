"""The tables: one row per stage with its truth, one row per question.

What a question shows (profile, background, scenes) is stored once, with its stage, and joined by
`stage_id` when a task loads it: repeated on every question it would be eighty times as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.socialmindchange.cells import item_ids
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.items import Item
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.codes.states import (
    Belief,
    act_of,
    emotion,
    intention,
)
from otherminds.dataset_builders.socialmindchange.codes.text import fill
from otherminds.dataset_builders.socialmindchange.codes.trajectory import TARGET, Moment
from otherminds.dataset_builders.socialmindchange.columns import COUNT, SCENE, SHARED, TEXT, scenes

_CHARACTER: Final = pa.struct(
    [
        ("name", TEXT),
        ("given", TEXT),
        ("role", TEXT),
        ("gender", TEXT),
        ("age", COUNT),
        ("occupation", TEXT),
        ("education", TEXT),
        ("mbti", TEXT),
        ("relation", TEXT),
        ("goal", TEXT),
        ("face", TEXT),
        ("voice", TEXT),
    ]
)
_MIND: Final = pa.struct(
    [
        ("scene", COUNT),
        ("person", TEXT),
        ("shown", pa.list_(TEXT)),
        ("level", TEXT),
        ("matter", TEXT),
        ("agency", TEXT),
        ("about", TEXT),
        ("belief", TEXT),
        ("emotion", TEXT),
        ("valence", COUNT),
        ("arousal", COUNT),
        ("intention", TEXT),
        ("action", TEXT),
        ("way", TEXT),
    ]
)
_CHANGE: Final = pa.struct(
    [
        ("scene", COUNT),
        ("circumstance", TEXT),
        ("bridge", TEXT),
        ("agent", TEXT),
        ("helped", pa.bool_()),
        ("guess_by", TEXT),
        ("guess_matter", TEXT),
        ("guess_about", TEXT),
        ("tension", COUNT),
        ("fairness", COUNT),
        ("face", COUNT),
        ("participation", COUNT),
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
        ("norm", TEXT),
        ("characters", pa.list_(_CHARACTER)),
        ("profile", pa.list_(TEXT)),
        ("background", TEXT),
        ("scenes", pa.list_(SCENE)),
        ("states", pa.list_(_MIND)),
        ("changes", pa.list_(_CHANGE)),
    ]
)

QUESTIONS: Final = pa.schema(
    [
        ("item_id", TEXT),
        *SHARED,
        ("type", TEXT),
        ("mental_state", TEXT),
        ("third_order", pa.bool_()),
        ("first_scene", COUNT),
        ("second_scene", COUNT),
        ("span", COUNT),
        ("question", TEXT),
        ("options", pa.list_(TEXT)),
        ("answer", TEXT),
        ("reasons", pa.list_(pa.list_(TEXT))),
        ("prerequisites", pa.list_(TEXT)),
    ]
)

SHOWN_OF_FOCUS: Final = ("belief", "emotion", "intention", "action")
SHOWN_OF_OTHER: Final = ("belief", "emotion")


def stage_row(
    content: Content, stage_id: str, variant: str, lite: bool, stage: Stage
) -> dict[str, Any]:
    """The row of a stage."""
    setting, minds = stage.setting, stage.trajectory
    return {
        **_shared(stage_id, variant, lite, stage),
        "place_kind": setting.kind,
        "place": setting.place,
        "project": setting.project,
        "due": setting.when,
        "things": list(setting.things),
        "corners": list(setting.corners),
        "norm": minds.moments[0].group.norm,
        "characters": list(_characters(stage)),
        "profile": list(stage.profile),
        "background": stage.background,
        "scenes": scenes(((turn.speaker, turn.text) for turn in scene) for scene in stage.scenes),
        "states": list(_minds(content, stage)),
        "changes": [
            _change(stage, number, moment) for number, moment in enumerate(minds.moments, start=1)
        ],
    }


def question_rows(
    stage_id: str, variant: str, lite: bool, stage: Stage, items: Sequence[Item]
) -> Iterator[dict[str, Any]]:
    """The rows of a stage's questions."""
    ids = item_ids(stage_id, ((item.asked.type, item.asked.state) for item in items))
    shared = _shared(stage_id, variant, lite, stage)
    for item_id, item in zip(ids, items, strict=True):
        asked = item.asked
        yield {
            "item_id": item_id,
            **shared,
            "type": asked.type,
            "mental_state": asked.state,
            "third_order": asked.guess,
            "first_scene": asked.first + 1,
            "second_scene": asked.second + 1,
            "span": asked.second - asked.first,
            "question": item.question,
            "options": list(item.options),
            "answer": item.answer,
            "reasons": [list(found) for found in item.against],
            "prerequisites": [ids[place] for place in item.needs],
        }


def _shared(stage_id: str, variant: str, lite: bool, stage: Stage) -> dict[str, Any]:
    return {
        "stage_id": stage_id,
        "variant": variant,
        "group_size": len(stage.people),
        "n_scenarios": len(stage.scenes),
        "in_lite": lite,
    }


def _characters(stage: Stage) -> Iterator[dict[str, Any]]:
    for person, nature in zip(stage.people, stage.trajectory.dispositions, strict=True):
        yield {
            "name": person.name,
            "given": person.given,
            "role": person.role,
            "gender": person.gender,
            "age": person.age,
            "occupation": person.occupation,
            "education": person.schooling,
            "mbti": person.mbti,
            "relation": person.relation.label if person.relation else "",
            "goal": nature.goal,
            "face": nature.face,
            "voice": person.register,
        }


def _minds(content: Content, stage: Stage) -> Iterator[dict[str, Any]]:
    """The state of everybody in every scene, and which parts of it the scene shows."""
    for number, moment in enumerate(stage.trajectory.moments):
        for place, person in enumerate(stage.people):
            belief = stage.trajectory.held(place, number)
            shown: tuple[str, ...] = ()
            if place == TARGET:
                shown = SHOWN_OF_FOCUS
            elif place == moment.counterpart:
                shown = SHOWN_OF_OTHER
            feeling = emotion(belief)
            done = act_of(belief, moment.circumstance)
            yield {
                "scene": number + 1,
                "person": person.given,
                "shown": list(shown),
                "level": belief.level,
                "matter": belief.matter,
                "agency": belief.agency,
                "about": stage.people[belief.about].given,
                "belief": _believed(content, stage, place, belief),
                "emotion": feeling.name,
                "valence": feeling.valence,
                "arousal": feeling.arousal,
                "intention": intention(belief, feeling).name,
                "action": done.name,
                "way": done.way,
            }


def _believed(content: Content, stage: Stage, place: int, belief: Belief) -> str:
    person, about = stage.people[place], stage.people[belief.about]
    phrase = content.phrases.belief[belief.level][belief.matter][0]
    slots = {"t": person.given, "x": about.given, **person.pronouns(), **about.pronouns("x")}
    return fill(phrase, slots)


def _change(stage: Stage, number: int, moment: Moment) -> dict[str, Any]:
    names = [person.given for person in stage.people]
    before, guess = moment.before, moment.guess
    return {
        "scene": number,
        "circumstance": moment.circumstance,
        "bridge": before.bridge if before else None,
        "agent": names[before.agent] if before else None,
        "helped": before.helped if before else None,
        "guess_by": names[guess.by] if guess else None,
        "guess_matter": guess.matter if guess else None,
        "guess_about": names[guess.about] if guess else None,
        "tension": moment.group.tension,
        "fairness": moment.group.fairness,
        "face": moment.group.face,
        "participation": moment.group.participation,
    }
