"""Forms of the configuration: guiding questions, topic and parameters, checked as their file is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from otherminds.interview.config import Config, Parameters, Topic
from otherminds.interview.errors import InterviewError
from otherminds.interview.pages.forms import Form
from otherminds.interview.readers import model_settings

_MOST_QUESTIONS: Final = 60
_KINDS: Final = {"policy": "text", "stance_label": "text", "description": "long"}
_TOPIC: Final = tuple(_KINDS)
_APART: Final = frozenset({"model_args", "language", "voice", "anchor_weights", "edge_weights"})
"""Parameters that stand in the file alone."""

MEANINGS: Final = {
    "policy": "what people take a stance on, as it stands within a sentence",
    "stance_label": "the stance as a noun phrase",
    "description": "a sentence that defines it, without an argument",
    "model": "the model that reads answers; empty: rules, for trying things out",
    "temperature": "of the model",
    "anchors_for_stage2": "fixed by the paper",
    "backup_when_remaining": "fixed by the paper",
    "min_qas": "answers before which no rule ends the questions; fixed by the paper",
    "min_nodes": "concepts that quality control asks for; fixed by the paper",
    "max_qas": "questions in all",
}


class Field(NamedTuple):
    """A field of the form of settings."""

    name: str
    label: str
    value: str
    kind: str
    meaning: str


def fields(config: Config, given: Form | None = None) -> list[Field]:
    """All fields with the values that stand, or with those that were sent."""
    found = [
        Field(name, _label(name), str(getattr(config.topic, name)), _KINDS[name], MEANINGS[name])
        for name in _TOPIC
    ]
    for name in sorted(set(Parameters.model_fields) - _APART, key=lambda one: _order(config, one)):
        value = getattr(config.parameters, name)
        kind = "bool" if isinstance(value, bool) else "text" if name == "model" else "number"
        shown = (
            ""
            if value is None
            else "yes"
            if value is True
            else ""
            if value is False
            else f"{value}"
        )
        found.append(Field(name, _label(name), shown, kind, MEANINGS.get(name, "")))
    if given is None:
        return found
    return [one._replace(value=given[f"set:{one.name}"]) for one in found]


def with_fields(config: Config, form: Form) -> tuple[Config | None, dict[str, str]]:
    """The configuration with what was sent; or what is wrong, by the field's name."""
    topic = {name: " ".join(form[f"set:{name}"].split()) for name in _TOPIC}
    parameters: dict[str, Any] = config.parameters.model_dump()
    for one in fields(config):
        value = form[f"set:{one.name}"].strip()
        if one.name in _TOPIC:
            continue
        if one.kind == "bool":
            parameters[one.name] = value == "yes"
        elif one.name == "model":
            parameters[one.name] = value or None
        else:
            parameters[one.name] = _as_number(value)
    faults: dict[str, str] = {}
    try:
        changed_topic = Topic.model_validate({**config.topic.model_dump(), **topic})
    except ValidationError as error:
        faults |= _faults(error)
    try:
        changed = Parameters.model_validate(parameters)
        model_settings(changed)
    except ValidationError as error:
        faults |= _faults(error)
    if faults:
        return None, faults
    return Config(parameters=changed, topic=changed_topic), {}


def question_rows(form: Form) -> list[dict[str, Any]]:
    """The guiding questions as they were sent, in the order of their numbers."""
    numbers = sorted(
        int(name) for name in form.starting("text:") if name.isascii() and name.isdecimal()
    )
    return [
        {
            "text": " ".join(form[f"text:{number}"].split()),
            "short": " ".join(form[f"short:{number}"].split())[:80],
            "category": "tutorial" if form[f"category:{number}"] == "tutorial" else "research",
            "active": form[f"active:{number}"] == "yes",
        }
        for number in numbers[:_MOST_QUESTIONS]
    ]


def moved(rows: Sequence[dict[str, Any]], move: str) -> list[dict[str, Any]]:
    """The rows with one of them a place up or down: "3 up"."""
    found = list(rows)
    place, _, way = move.partition(" ")
    if place.isascii() and place.isdecimal() and way in ("up", "down") and int(place) < len(found):
        row = found.pop(int(place))
        found.insert(max(0, int(place) + (1 if way == "down" else -1)), row)
    return found


def with_questions(
    config: Config, rows: Sequence[Mapping[str, Any]]
) -> tuple[Config | None, dict[str, str]]:
    """The configuration with these questions; or what is wrong, by the place of the row."""
    kept = [row for row in rows if row["text"]]
    try:
        topic = Topic.model_validate({**config.topic.model_dump(), "guiding": kept})
    except ValidationError as error:
        return None, _faults(error, depth=2)
    except InterviewError as error:
        return None, {"": str(error)}
    return config.model_copy(update={"topic": topic}), {}


def _faults(error: ValidationError, depth: int = 1) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in error.errors(include_url=False, include_input=False):
        where = one["loc"][depth - 1 : depth]
        message = one["msg"].removeprefix("Value error, ")
        name = str(where[0]) if where else message.partition(":")[0]
        found[name] = message
    return found


def _as_number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _order(config: Config, name: str) -> tuple[bool, bool, int]:
    """The model first, then numbers, then what is on or off."""
    is_switch = isinstance(getattr(config.parameters, name), bool)
    place = list(Parameters.model_fields).index(name)
    return (name not in ("model", "temperature"), is_switch, place)


def _label(name: str) -> str:
    return name.replace("_", " ").replace("qas", "questions")
