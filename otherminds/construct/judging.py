"""Whether a reply is what its sheet asks for: form, schema, then the checks of its stage.

Nothing is repaired. A text around the JSON, a key too many or a number in quotation marks is refused and
asked for again: what the engine would guess, nobody would have written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from pydantic import BaseModel, ValidationError

from otherminds import control_tokens, files
from otherminds.construct import characters
from otherminds.construct.pipeline import MOST_CHARACTERS, Draft, Stage
from otherminds.construct.refusals import Refusal
from otherminds.dataset_builders.constructed import Content, Unit

_SHOWN = 10
"""Faults of one check that an author is told of at once."""


class FaultyError(Exception):
    """A reply with its refusals."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("; ".join(map(str, refusals)))
        self.refusals = tuple(refusals)


def content(text: str, form: type[BaseModel]) -> dict[str, Any]:
    """The object that a reply is, as JSON has it; raises FaultyError for any other reply."""
    if len(text) > MOST_CHARACTERS:
        _refuse(
            "length",
            f"The reply has {len(text):,} characters; no reply to this sheet needs more than "
            f"{MOST_CHARACTERS:,}. Send the JSON object alone.",
        )
    value = _decoded(text)
    texts = list(_texts(value, ""))
    _check_characters([("", text), *texts])
    _check_tokens(texts)
    return _of_form(text, form)


def refusals(stage: Stage, unit: Unit, found: Content, others: Sequence[Unit]) -> list[Refusal]:
    """What the checks of a stage say against a reply whose schema holds; nothing where all pass."""
    draft = Draft(unit, found, others)
    said: list[Refusal] = []
    for check in stage.checks:
        own = [
            one if isinstance(one, Refusal) else Refusal(check.name, one)
            for one in check.find(draft)
        ]
        said += own[:_SHOWN]
    return said


def schema_of(form: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply."""
    return form.model_json_schema()


def _decoded(text: str) -> Any:
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except _TwiceError as error:
        _refuse("json", f"The key '{error}' stands twice in one object: keep one of the two.")
    except _NoNumberError as error:
        _refuse("json", f"{error} is no number of JSON: write a number, or a text.")
    except (ValueError, RecursionError) as error:
        if _has_object_inside(text):
            _refuse(
                "text_around",
                "There is text around the JSON object. Send the object alone: the reply begins with "
                "'{' and ends with '}', without an introduction, a code fence or a remark after it.",
            )
        _refuse("json", f"The reply is not JSON ({files.not_json(error)}). Send one JSON object.")
    if not isinstance(value, dict):
        _refuse("json", "The reply is JSON, but not an object: begin with '{' and end with '}'.")
    if files.too_deep(value):
        _refuse("json", "The reply is nested too deeply to be of this sheet's schema.")
    return value


def _has_object_inside(text: str) -> bool:
    begin = text.find("{")
    if begin < 0:
        return False
    try:
        _, end = json.JSONDecoder().raw_decode(text, begin)
    except (ValueError, RecursionError):
        return False
    return bool(text[:begin].strip() or text[end:].strip())


def _check_characters(texts: Iterable[tuple[str, str]]) -> None:
    for where, text in texts:
        if (bad := characters.unseen(text)) is not None:
            _refuse(
                "control_characters",
                f"There is a character that nobody can see (U+{ord(bad):04X}): take it out.",
                where,
            )
        if (word := characters.lookalike(text)) is not None:
            _refuse(
                "lookalikes",
                f"'{word}' mixes letters of two alphabets that look alike: write it in one.",
                where,
            )


def _check_tokens(texts: Iterable[tuple[str, str]]) -> None:
    for where, text in texts:
        shown = control_tokens.neutral(text)
        if shown != text:
            place = next(
                (i for i, (one, two) in enumerate(zip(shown, text, strict=False)) if one != two), 0
            )
            found = control_tokens.neutral(text[max(0, place - 1) : place + 20])
            _refuse(
                "template_tokens",
                f"'{found}' is a token of a chat template: write it in other words.",
                where,
            )


def _texts(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """All texts in JSON content, keys too, with their places."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield where, key
            yield from _texts(inner, f"{where}.{key}".lstrip("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _texts(inner, f"{where}.{number}".lstrip("."))


def _of_form(text: str, form: type[BaseModel]) -> dict[str, Any]:
    try:
        found = form.model_validate_json(text, strict=True)
    except ValidationError as error:
        said = [
            Refusal("schema", f"{one['msg']}.", ".".join(map(str, one["loc"])))
            for one in error.errors(include_url=False, include_input=False)[:_SHOWN]
        ]
        raise FaultyError(said) from error
    return found.model_dump(mode="json")


class _TwiceError(Exception):
    pass


class _NoNumberError(Exception):
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(key)
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise _NoNumberError(name)


def _refuse(check: str, message: str, where: str = "") -> NoReturn:
    raise FaultyError([Refusal(check, message, where)])
