"""How commute's texts are written: authors, a validator, raters and blind readers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from commute_minds.dataset_builders.commute.synthetic import LETTERS, OPTIONS
from commute_minds.dataset_builders.commute.written import WEATHERS, frames
from otherminds.construct import (
    Ask,
    Check,
    Draft,
    Pipeline,
    Plan,
    Reading,
    Return,
    Role,
    Stage,
    Unit,
    audits,
    ratings,
)
from otherminds.dataset_builders.constructed import Content
from otherminds.types import Doc


class Habits(BaseModel):
    """What a person says, a line for each weather."""

    model_config = ConfigDict(extra="forbid")

    lines: list[str] = Field(min_length=3, max_length=3)


class Evening(BaseModel):
    """A scene of the evening before, which gives nothing away."""

    model_config = ConfigDict(extra="forbid")

    scene: str = Field(min_length=20, max_length=400)


class Scores(BaseModel):
    """A validator's score."""

    model_config = ConfigDict(extra="forbid")

    truth: int = Field(ge=0, le=5)
    reason: str


def _ask_habits(unit: Unit) -> Ask:
    ways = "\n".join(f"- {weather}: {way}" for weather, way in unit.frame["ways"].items())
    prompt = f"Let a person tell how they go to work, a line for each weather:\n{ways}"
    return Ask("You write what people say.", prompt, Habits)


def _tells(draft: Draft) -> Iterator[str]:
    lines: Sequence[str] = draft.content["lines"]
    for weather, way in draft.unit.frame["ways"].items():
        # As a word: an icy day is no bicycle.
        own = [line for line in lines if re.search(rf"\b{weather}\b", line)]
        if len(own) != 1:
            yield f"{len(own)} lines name '{weather}': let exactly one name it."
        elif [one for one in OPTIONS if one in own[0]] != [way]:
            yield f"the line on '{weather}' must name '{way}' and no other way."


def _ask_evening(unit: Unit) -> Ask:
    said = "\n".join(unit.texts["habits"]["lines"])
    prompt = f"They said:\n{said}\n\nWrite a scene of the evening before. Name no way to work."
    return Ask("You write what people say.", prompt, Evening)


def _names_no_way(draft: Draft) -> Iterator[str]:
    yield from (
        f"'{way}' is named: leave it out." for way in OPTIONS if way in draft.content["scene"]
    )


def _ask_validator(unit: Unit) -> Ask:
    prompt = f"{unit.frame['ways']}\n\n{unit.texts['habits']['lines']}\n\nIs it told? Score 0 to 5."
    return Ask("You check texts against the truth.", prompt, Scores)


def _validated(unit: Unit, replies: Sequence[Content]) -> Iterable[Return]:
    if replies[0]["truth"] < 4:
        yield Return("truth", f"scored {replies[0]['truth']}: {replies[0]['reason']}", "habits")


def _shown(unit: Unit) -> str:
    return "\n".join([*unit.texts["habits"]["lines"], unit.texts["evening"]["scene"]])


def _frames(plan: Plan) -> list[Unit]:
    if plan.material is not None:
        raise ValueError("commute takes no material")
    return frames(6 if plan.n is None else plan.n, plan.seed)


def _unit_of(doc: Doc) -> str:
    return str(doc["person_id"])


def _answers(doc: Doc) -> list[str]:
    return list(LETTERS)


def _gold(doc: Doc) -> str:
    return str(doc["answer"])


def _example() -> list[Unit]:
    [unit] = frames(1, 0)
    lines = [f"When it is {weather}, I go {unit.frame['ways'][weather]}." for weather in WEATHERS]
    texts = {
        "habits": {"lines": lines},
        "evening": {"scene": "They set the alarm and went to bed."},
    }
    return [Unit(unit.unit_id, unit.frame, unit.part, texts)]


PIPELINE = Pipeline(
    name="commute",
    version="1.0",
    dataset="commute-written",
    about="How people say that they go to work.",
    frames=_frames,
    stages=(
        Stage(
            name="habits",
            ask=_ask_habits,
            checks=(
                Check("tells_ways", _tells),
                audits.own_sentences(lambda content: content["lines"], words=8),
            ),
            about="what the person says",
        ),
        Stage(
            name="evening",
            ask=_ask_evening,
            checks=(Check("names_no_way", _names_no_way, "audit"),),
            about="a scene that gives nothing away",
        ),
        Stage(
            name="validation",
            ask=_ask_validator,
            role=Role.VALIDATOR,
            decide=_validated,
            about="whether the ways are told",
        ),
        ratings.stage("rating", _shown, back="evening"),
    ),
    reading=Reading(tasks=("commute_written",), unit_of=_unit_of, answers=_answers, gold=_gold),
    example=_example,
)
