"""Rules on the keys of a card's YAML head that are for people and for search.

Each rule yields one line per fault, with its remedy.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import yaml

from otherminds import paths
from otherminds.publishing.card_parts import Card

LONGEST: Final = 100
"""Characters that a name, a tag or an id may have: the Hub shows them on one line."""

_LISTS: Final = (
    *("tags", "task_categories", "task_ids", "size_categories", "source_datasets"),
    *("annotations_creators", "language_creators", "multilinguality"),
)
_CHOICES: Final = (
    *("task_categories", "annotations_creators", "language_creators", "multilinguality"),
)
_THREE_LETTERS: Final = re.compile(r"[a-z]{3}")
_NEEDED: Final = ("pretty_name", "task_categories", "tags")


@cache
def accepted() -> dict[str, list[str]]:
    """The values that the Hub takes, by key (`cards/hub.yaml`)."""
    text = (paths.cards() / "hub.yaml").read_text(encoding="utf-8")
    found: dict[str, list[str]] = yaml.safe_load(text)
    return found


def keys(card: Card) -> Iterator[str]:
    """Keys that the Hub does not know are ignored there without a word."""
    known = [*accepted()["other_keys"], *_CHOICES]
    for key in card.head:
        if key not in known:
            yield f"`{_shown(key)}` is not a key of the Hub.{_near(key, known)}"
    for key in _NEEDED:
        if key not in card.head:
            yield f"`{key}` is missing; add it, so that the dataset is found."


def licence(card: Card) -> Iterator[str]:
    """A licence that the Hub knows, with name and link where it is `other`."""
    if "license" not in card.head:
        yield "`license` is missing; add one of the Hub's ids, such as apache-2.0."
        return
    known = accepted()["licenses"]
    for one in _each(card, "license"):
        if not isinstance(one, str):
            yield f"`license` is {_misread(one)}"
        elif one not in known:
            yield f"`license: {_shown(one)}` is not an id of the Hub.{_near(one.lower(), known)}"
        elif one == "other":
            for key in ("license_name", "license_link"):
                if not isinstance(card.head.get(key), str):
                    yield f"`license: other` needs `{key}`, as text."


def language(card: Card) -> Iterator[str]:
    """Codes of ISO 639-1 or 639-3."""
    if "language" not in card.head:
        yield "`language` is missing; add a list of codes, such as [en]."
        return
    known = accepted()["languages"]
    for one in _each(card, "language"):
        if not isinstance(one, str):
            hint = ' (Norwegian is "no", in quotes)' if one is False else ""
            yield f"`language` has {_misread(one)}{hint}"
        elif one not in known and not _THREE_LETTERS.fullmatch(one):
            yield (
                f"`language: {_shown(one)}` is not a code of ISO 639 in lower case; "
                "write en, or a code of three letters."
            )


def types(card: Card) -> Iterator[str]:
    """Lists where lists are wanted, of texts, not of other types that YAML makes of bare words."""
    for key in _LISTS:
        if key not in card.head:
            continue
        value = card.head[key]
        if not isinstance(value, list):
            yield f"`{key}` must be a list; write it as [{_shown(value)}]."
            continue
        for one in value:
            if not isinstance(one, str):
                yield f"`{key}` has {_misread(one)}"
    for key in ("pretty_name", "license_name", "license_link"):
        if key in card.head and not isinstance(card.head[key], str):
            yield f"`{key}` is {_misread(card.head[key])}"


def choices(card: Card) -> Iterator[str]:
    """Values that the Hub offers for a key; it warns of others or leaves them out."""
    for key in _CHOICES:
        for one in _texts(card, key):
            known = accepted()[key]
            if one not in known:
                near = _near(one, known)
                yield f"`{key}` has '{_shown(one)}', which is not a value of the Hub.{near}"


def lengths(card: Card) -> Iterator[str]:
    """Short fields that are short."""
    fields = [(key, card.head.get(key)) for key in ("pretty_name", "license_name")]
    fields += [("tags", tag) for tag in _texts(card, "tags")]
    for key, value in fields:
        if isinstance(value, str) and (len(value) > LONGEST or "\n" in value):
            yield f"`{key}` has {len(value)} characters; keep it on one line of {LONGEST}."


def _each(card: Card, key: str) -> list[Any]:
    """The entries of a key that may hold a list or one value."""
    value = card.head[key]
    return value if isinstance(value, list) and value else [value]


def _texts(card: Card, key: str) -> list[str]:
    value = card.head.get(key)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _misread(value: Any) -> str:
    kind = "true or false" if isinstance(value, bool) else type(value).__name__
    return f"{_shown(value)}, which YAML reads as {kind}: put it in quotes."


def _shown(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else f"{text[:40]}…"


def _near(name: Any, known: list[str]) -> str:
    near = difflib.get_close_matches(str(name)[:LONGEST], known, n=1)
    return f" Did you mean '{near[0]}'?" if near else " Take one that it knows, or leave it out."
