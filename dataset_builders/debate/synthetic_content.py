"""Reading and checking the content of the synthetic population: the YAML files in `content/`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Final, NamedTuple, TypeAlias

from pydantic import Field, TypeAdapter

from otherminds.dataset_builders.content_files import ContentError, read
from otherminds.dataset_builders.debate.schema import CATEGORIES
from otherminds.strict import Strict

FOLDER: Final = Path(__file__).resolve().parent / "content"

LEAST_PROPOSITIONS: Final = 10
"""How many propositions a category needs."""

NEAR_DUPLICATE: Final = 0.5
"""The token Jaccard similarity from which two propositions count as near duplicates."""

Weights: TypeAlias = dict[str, Annotated[float, Field(ge=-3.0, le=3.0)]]
Chance: TypeAlias = Annotated[float, Field(gt=0.0, le=1.0)]

_TOKEN = re.compile(r"[a-z0-9']+")


class Proposition(Strict):
    """A statement, the log-odds of the average person to agree, and what pulls people apart on it."""

    text: str = Field(min_length=8, max_length=120)
    lean: float = Field(ge=-2.0, le=2.0)
    loadings: Annotated[Weights, Field(min_length=1)]


class Category(Strict):
    """The propositions of one category; `slope` is the SD over people of the log-odds to agree."""

    slope: float = Field(ge=0.0, le=5.0)
    interest: float = Field(gt=0.0)
    propositions: tuple[Proposition, ...]


class Factor(Strict):
    """Something that people differ in, and how its mean moves with age."""

    meaning: str
    by_age: float = Field(ge=-1.0, le=1.0)


class Correlation(Strict):
    """The correlation of two factors within an age group."""

    pair: tuple[str, str]
    r: float = Field(gt=-1.0, lt=1.0)


class Factors(Strict):
    """All factors and their correlations."""

    factors: dict[str, Factor]
    correlations: tuple[Correlation, ...]


class AgeGroup(Strict):
    """People aged `low` to `high`, both included; `position` on a scale from −1 to 1."""

    low: int
    high: int
    weight: float = Field(gt=0.0)
    position: float = Field(ge=-1.0, le=1.0)


class Age(Strict):
    """The age groups, youngest first."""

    shown: Chance
    groups: Annotated[tuple[AgeGroup, ...], Field(min_length=1)]


class Value(Strict):
    """One value of an attribute, possible from the age group that starts at `from_age`."""

    value: str
    weight: float = Field(gt=0.0)
    loadings: Weights
    from_age: int = 0


class Attribute(Strict):
    """One thing that people may say of themselves."""

    name: str
    shown: Chance
    values: Annotated[tuple[Value, ...], Field(min_length=2)]


class Demographics(Strict):
    """What people may say of themselves; a share `silent` of them says nothing."""

    silent: float = Field(ge=0.0, lt=1.0)
    age: Age
    attributes: tuple[Attribute, ...]


class Content(NamedTuple):
    """Everything that is configured of the generator."""

    categories: dict[str, Category]
    factors: Factors
    demographics: Demographics


class Similarity(NamedTuple):
    """How much alike two propositions are worded."""

    jaccard: float
    first: str
    second: str


@cache
def load(folder: Path = FOLDER) -> Content:
    """Read and check the content files in `folder`.

    Raises ContentError, which names the file and the key, for a missing or malformed file, and for
    content that does not hang together (see `problems`).
    """
    content = Content(
        read(folder / "propositions.yaml", TypeAdapter(dict[str, Category])),
        read(folder / "factors.yaml", TypeAdapter(Factors)),
        read(folder / "demographics.yaml", TypeAdapter(Demographics)),
    )
    found = list(problems(content))
    if found:
        raise ContentError(
            f"{len(found)} problems in the content files of {folder}; the first: {found[0]}"
        )
    return content


def problems(content: Content) -> Iterator[str]:
    """What is wrong with the content as a whole, one sentence each."""
    if set(content.categories) != set(CATEGORIES):
        wrong = sorted(set(content.categories) ^ set(CATEGORIES))
        yield f"The categories must be those of the schema; differing: {', '.join(wrong)}."
        return
    yield from _category_problems(content)
    yield from _factor_problems(content)
    texts = [text for _, text in propositions(content)]
    for pair in similarities(texts):
        if pair.jaccard >= NEAR_DUPLICATE:
            yield f"'{pair.first}' and '{pair.second}' are near duplicates ({pair.jaccard:.2f})."
    youngest = content.demographics.age.groups[0].low
    for attribute in content.demographics.attributes:
        if len({value.value for value in attribute.values}) < len(attribute.values):
            yield f"The attribute '{attribute.name}' has a value twice."
        if all(value.from_age > youngest for value in attribute.values):
            yield f"No value of '{attribute.name}' is possible from age {youngest}."


def propositions(content: Content) -> list[tuple[str, str]]:
    """Category and text of every proposition, in the order of the schema's categories."""
    return [
        (name, proposition.text)
        for name in CATEGORIES
        for proposition in content.categories[name].propositions
    ]


def tokens(text: str) -> frozenset[str]:
    """The distinct lower-case words of a text."""
    return frozenset(_TOKEN.findall(text.lower()))


def similarities(texts: list[str]) -> list[Similarity]:
    """|words in both| / |words in either| of each pair of texts, largest first."""
    bags = [(text, tokens(text)) for text in texts]
    pairs = (
        Similarity(len(a & b) / len(a | b), first, second)
        for (first, a), (second, b) in combinations(bags, 2)
    )
    return sorted(pairs, reverse=True)


def _category_problems(content: Content) -> Iterator[str]:
    for name, category in content.categories.items():
        count = len(category.propositions)
        if count < LEAST_PROPOSITIONS:
            yield f"{name} has {count} propositions, at least {LEAST_PROPOSITIONS} are needed."
        for proposition in category.propositions:
            text = proposition.text
            if text != text.strip() or text[-1] in ".!?;:" or not text[0].isupper():
                yield f"'{text}' ({name}) must be one sentence without a mark at its end."


def _factor_problems(content: Content) -> Iterator[str]:
    known = set(content.factors.factors)
    loaded = [
        (proposition.text, proposition.loadings)
        for category in content.categories.values()
        for proposition in category.propositions
    ]
    loaded += [
        (f"{attribute.name}: {value.value}", value.loadings)
        for attribute in content.demographics.attributes
        for value in attribute.values
    ]
    for owner, loadings in loaded:
        if unknown := sorted(set(loadings) - known):
            yield f"'{owner}' loads on '{unknown[0]}', which is not a factor."
    for correlation in content.factors.correlations:
        if not set(correlation.pair) <= known or len(set(correlation.pair)) < 2:
            yield f"The correlation of {' and '.join(correlation.pair)} is not of two factors."
