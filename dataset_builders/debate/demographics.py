"""What a profile says of a person: the attributes that the paper's prompt shows, and no others."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final, TypedDict

from otherminds.dataset_builders.debate.text import day_of

FIELDS: Final = {
    "gender": "gender",
    "education": "education",
    "ethnicity": "ethnicity",
    "income": "income",
    "political_ideology": "political ideology",
    "relationship": "relationship",
    "religious_ideology": "religion",
}
"""Field of a profile to the attribute shown, in the order shown; age comes before them all."""

ATTRIBUTES: Final = ("age", *FIELDS.values())

_SAID_NOTHING: Final = frozenset(
    {"", "no answer", "not saying", "private", "prefer not to say", "n/a", "na", "unknown", "n/s"}
    | {"none", "null", "not set", "undisclosed"}
)
_LONGEST = 60
"""The site's menus offer nothing longer: longer text is free text, which may identify its writer."""

_AGES = range(10, 101)
"""Birthdays outside these ages are jokes or slips."""


class Attribute(TypedDict):
    """One thing a person says of themselves."""

    attribute: str
    value: str


def background(fields: Mapping[str, str], name: str, on: date) -> list[Attribute]:
    """The attributes of a person on the day `on`, each where the profile gives it.

    Left out are fields in which the person declined to answer, free text, values that hold the
    person's user name, and ages outside 10 to 100.
    """
    found = [Attribute(attribute="age", value=str(age))] if (age := _age(fields, on)) else []
    for key, attribute in FIELDS.items():
        value = fields.get(key, "").strip()
        if said(value) and name.casefold() not in value.casefold():
            found.append(Attribute(attribute=attribute, value=value))
    return found


def said(value: str) -> bool:
    """Whether a field of a profile holds an answer."""
    return value.strip("- ").casefold() not in _SAID_NOTHING and len(value) <= _LONGEST


def _age(fields: Mapping[str, str], on: date) -> int | None:
    born = day_of(fields.get("birthday"))
    if born is None:
        return None
    age = on.year - born.year - ((on.month, on.day) < (born.month, born.day))
    return age if age in _AGES else None
