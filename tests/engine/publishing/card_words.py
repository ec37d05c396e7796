"""Numbers in the words of cards: where they may come from, and where they may not stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import meta, nodes

from otherminds.data.repository.card import environment

ASKED = {
    *("known", "facts", "tables", "references", "scores", "where", "hub_id", "head", "metadata"),
    *("students", "studied", "beyond"),
}
"""What a template may ask; all of it is made of the manifest, card.yaml and the built tables."""

NAMES = re.compile(r"\bBig Five\b|\bmacro-F1\b")
"""Names with a number in them that counts nothing."""

WORDS = {
    **{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9},
    **{"ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "fifty": 50},
    **{
        "dozen": 12,
        "hundred": 100,
        "thousand": 1_000,
        "million": 1_000_000,
        "half": 0.5,
        "twice": 2,
    },
}

_WORD = re.compile(rf"\b({'|'.join(WORDS)})s?\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TAG = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_COMMANDS = re.compile(r"\{% block evaluate %\}.*?\{% endblock %\}", re.DOTALL)
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def typed(source: str) -> list[str]:
    """The numbers that somebody typed into a template, in words or digits, outside of commands."""
    prose = NAMES.sub("", _CODE.sub("", _TAG.sub("", _COMMANDS.sub("", source))))
    found = [match[0] for match in (*_NUMBER.finditer(prose), *_WORD.finditer(prose))]
    tree = environment().parse(source)
    keys = {id(node.arg) for node in tree.find_all(nodes.Getitem)}
    for constant in tree.find_all(nodes.Const):
        value = constant.value
        number = isinstance(value, int | float) and not isinstance(value, bool)
        text = isinstance(value, str) and _NUMBER.search(value)
        if (number or text) and id(constant) not in keys:
            found.append(repr(value))
    return [*found, *sorted(meta.find_undeclared_variables(tree) - ASKED)]


def numbers(text: str) -> set[float]:
    """The numbers that stand in a text, in words or digits."""
    digits = {float(match[0].rstrip(",").replace(",", "")) for match in _NUMBER.finditer(text)}
    return digits | {float(WORDS[match[1].lower()]) for match in _WORD.finditer(text)}


def leaves(value: Any) -> Iterator[float]:
    """The numbers of nested facts; how many parts they have, and the sums of their parts."""
    if isinstance(value, bool | str) or value is None:
        return
    if isinstance(value, int | float):
        yield float(value)
        return
    parts = list(value.values()) if isinstance(value, Mapping) else list(value)
    yield float(len(parts))
    if parts and all(isinstance(one, int | float) for one in parts):
        yield float(sum(parts))
    for part in parts:
        yield from leaves(part)
