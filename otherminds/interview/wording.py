"""The texts of questions: families of wordings that take turns (§A5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import yaml

from otherminds.interview.config import Topic
from otherminds.interview.labels import normal_form
from otherminds.interview.session import STANCE, Form, State, Target

_FILE: Final = Path(__file__).with_name("wordings.yaml")
_LEAST: Final = 3

LINK_FAMILIES: Final = ("certainty", "weight", "threshold", "strength", "speed")
"""The families of questions about a known link, in the order in which they take turns."""


@lru_cache(maxsize=1)
def _content() -> tuple[str, Mapping[str, tuple[str, ...]]]:
    data = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    closing = data.pop("closing")
    families = {name: tuple(texts) for name, texts in data.items()}
    for name, texts in families.items():
        if len(texts) < _LEAST:
            raise ValueError(f"{_FILE.name}: {name} needs {_LEAST} wordings")
    return closing, families


def closing() -> str:
    """The two requests that end every polarity question."""
    return _content()[0]


def families() -> Mapping[str, tuple[str, ...]]:
    """The wordings of every family."""
    return _content()[1]


def sentence(text: str) -> str:
    """A question without the fixed closing."""
    return text.removesuffix(closing()).rstrip()


def worded(
    topic: Topic, state: State, *, family: str, number: int, target: Target, form: Form
) -> str:
    """The wording of that number (they go round) of a family, about a target."""
    choices = families()[family]
    source = target.source or target.node
    words = {"policy": topic.policy}
    if source is not None:
        words["x"] = _shown(state, source)
    if target.source is not None and target.node is not None:
        words["y"] = _shown(state, target.node)
    text = choices[number % len(choices)].format(**words)
    return f"{text} {closing()}" if form == "polarity" else text


def _shown(state: State, key: str) -> str:
    label = state.nodes[key].label
    return f"your {label}" if key == STANCE else label


@lru_cache(maxsize=16384)
def _trigrams(text: str) -> frozenset[str]:
    flat = " ".join(re.findall(r"\w+", text.casefold()))
    return frozenset(flat[start : start + 3] for start in range(max(1, len(flat) - 2)))


def similarity(first: str, second: str) -> float:
    """Dice coefficient of the sets of three-letter strings of two questions, without the closing."""
    left, right = _trigrams(sentence(first)), _trigrams(sentence(second))
    return 2 * len(left & right) / (len(left) + len(right))


def names(text: str, label: str) -> int:
    """How often a text names a concept, in normal form."""
    padded = f" {_flat(text)} "
    return padded.count(f" {_flat(label)} ")


def _flat(text: str) -> str:
    words = re.findall(r"[\w'’-]+", text)
    return " ".join(normal_form(word) or word.casefold() for word in words)
