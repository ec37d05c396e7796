"""How interviews of HugAgent's core are written: a portrait, an interview on each topic, then readers.

    frame  →  portrait  →  healthcare  →  surveillance  →  zoning  →  reading

Code fixes who somebody is, what they believe, what each interview tells of it and in which exchange, and
all items with their answers. One author writes the person and plays interviewer and person in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from pydantic import BaseModel

from otherminds import prompts
from otherminds.construct import (
    Ask,
    Check,
    Pipeline,
    Plan,
    Reading,
    Stage,
    Unit,
    audits,
)
from otherminds.dataset_builders.constructed import Content
from otherminds.dataset_builders.hugagent.authored import (
    checks,
    form,
    lines,
    portrait,
    replies,
    units,
)
from otherminds.dataset_builders.hugagent.authored.checks import PORTRAIT
from otherminds.dataset_builders.hugagent.authored.given import Given
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.metrics.hugagent.items import BSI, TOLERANCE
from otherminds.types import Doc

_AUTHOR: Final = (
    "You write interviews for a study of how people understand each other. Who the person is and what "
    "they hold is fixed; you write how they say it, in plain, lively English, as if somebody had "
    "lived it. "
    "You play the interviewer and the person in turn."
)


def frames(plan: Plan) -> list[Unit]:
    """The units of a plan. Raises ValueError for a number below 1 and for material of others."""
    return units.frames(plan.drawn(units.PEOPLE), plan.seed)


def _of_portrait(unit: Unit) -> Doc:
    low, high = portrait.VOICE_WORDS
    return {"holders": portrait.holders(unit), "counts": portrait.COUNTS, "low": low, "high": high}


def _of_topic(topic: str) -> Callable[[Unit], Doc]:
    def shown(unit: Unit) -> Doc:
        given = Given.of(unit, topic)
        low, high = form.ANSWER_WORDS[given.voice["verbosity"]]
        return {
            "topic": topic,
            "portrait": unit.texts[PORTRAIT],
            "things": given.things,
            "exchanges": lines.exchange_lines(given),
            "hidden": lines.hidden_lines(given),
            "masked": lines.masked_lines(given),
            "closing": form.CLOSING,
            "low": low,
            "high": high,
            "shortest": form.SHORTEST,
            "seesaws": form.MOST_SEESAWS,
            "alike": form.MOST_ALIKE,
            "around": form.MOST_AROUND,
            "longest": form.LONGEST,
        }

    return shown


def _asks(
    template: str, reply: type[BaseModel], more: Callable[[Unit], Doc]
) -> Callable[[Unit], Ask]:
    def ask(unit: Unit) -> Ask:
        held = [
            lines.VALUES[name, level] for name, level in unit.frame["values"].items() if level != 0
        ]
        shown = {
            "demographics": unit.frame["demographics"],
            "voice": unit.frame["voice"],
            "held": held,
            **more(unit),
        }
        return Ask(_AUTHOR, prompts.renderer(f"hugagent__construct_{template}")(shown), reply)

    return ask


def _stage(
    name: str, about: str, template: str, reply: type[BaseModel], more: Callable[[Unit], Doc]
) -> Stage:
    def own(content: Content) -> Iterable[str]:
        return checks.texts_of(name, content)

    return Stage(
        name=name,
        about=about,
        ask=_asks(template, reply, more),
        checks=(
            *map(Check.of, checks.PROOFS[name]),
            audits.own_sentences(own),
            audits.own_words(own),
        ),
    )


def _unit_of(doc: Doc) -> str:
    return str(doc["participant_id"])


def _answers(doc: Doc) -> Sequence[str]:
    if doc["task"] == BSI:
        return ["A", "B"]
    low, high = doc["scale"]
    return [str(number) for number in range(low, high + 1)]


def _gold(doc: Doc) -> str:
    return str(doc["answer"])


def _right(doc: Doc) -> Sequence[str]:
    """Numbers within the benchmark's own tolerance of the gold."""
    if doc["task"] == BSI:
        return []
    low, high = doc["scale"]
    near, gold = TOLERANCE[low, high], int(doc["answer"])
    return [str(number) for number in range(max(low, gold - near), min(high, gold + near) + 1)]


def _sheet(doc: Doc) -> str:
    """One interview, and all that is asked about it."""
    return f"{doc['participant_id']}-{doc['topic']}"


STAGES: Final = (
    _stage(
        PORTRAIT, "who the person is, and how they talk", "portrait", replies.Portrait, _of_portrait
    ),
    *(
        _stage(topic, f"the interview on {topic}", "interview", replies.Interview, _of_topic(topic))
        for topic in TOPICS
    ),
)

PIPELINE: Final = Pipeline(
    name="hugagent",
    version="1.0",
    dataset="hugagent-core",
    frames=frames,
    stages=STAGES,
    reading=Reading(
        tasks=("hugagent_synthetic_core",),
        unit_of=_unit_of,
        answers=_answers,
        gold=_gold,
        right=_right,
        sheet=_sheet,
    ),
    about="people, and an interview with each on three public questions, inside minds that are drawn",
)
"""The paper's synthetic track, written by an author inside the minds of edition 2 [O]."""
