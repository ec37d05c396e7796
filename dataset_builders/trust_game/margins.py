"""The margins that the synthetic people are drawn from, and how one person is drawn."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import Field, TypeAdapter

from otherminds.dataset_builders.content_files import ContentError, read
from otherminds.dataset_builders.draws import rank
from otherminds.dataset_builders.trust_game.attributes import (
    PERSONA_FIELDS,
    LevelSet,
    key_of,
    level_set,
)
from otherminds.strict import Strict

FILE = Path(__file__).resolve().with_name("content") / "margins.yaml"
"""The tables of all attributes, with the levels of the bank."""

CHANGES = {"paper": FILE.with_name("margins_paper.yaml")}
"""By level set: the tables that take the place of others of the same attribute."""

_AGE = "age"
_RANGE = re.compile(r"(\d{2,3})-(\d{2,3})")

_Weight: TypeAlias = Annotated[int, Field(gt=0, strict=True)]
_Range: TypeAlias = tuple[int, int]


class _Case(Strict):
    when: dict[str, str | list[str]] = Field(default_factory=dict)
    weights: Annotated[dict[str, _Weight], Field(min_length=1)]


class _Listed(Strict):
    attribute: str
    source: str
    cases: Annotated[list[_Case], Field(min_length=1)]


class _Tables(Strict):
    tables: list[_Listed]


class _File(_Tables):
    sources: dict[str, str]


@dataclass(frozen=True)
class Case:
    """Weights of an attribute's values, for people of these ages and values."""

    ages: _Range | None
    among: Mapping[str, frozenset[str]]
    weights: Mapping[str, int]

    def holds(self, drawn: Mapping[str, str]) -> bool:
        """Whether a person of whom so much is drawn belongs to this case."""
        old_enough = self.ages is None or self.ages[0] <= int(drawn[_AGE]) <= self.ages[1]
        return old_enough and all(drawn[name] in values for name, values in self.among.items())


@dataclass(frozen=True)
class Table:
    """How the values of one attribute are drawn, and the published tables that the weights lie near."""

    attribute: str
    source: str
    cases: Sequence[Case]


@cache
def tables(levels: str, path: Path = FILE) -> Sequence[Table]:
    """The checked tables of a file, in the order in which they are drawn.

    levels  the name of the level set; its changes (`CHANGES`) take the place of tables in the file

    Raises ContentError, which names the attribute, unless: each attribute of `PERSONA_FIELDS` has
    one table; ages are ranges, such as 18-24; levels are known; conditions are on what is
    drawn before and on values it can have; the last case, and no other, is for everybody.
    """
    content = read(path, TypeAdapter(_File))
    known = level_set(levels)
    changed: dict[str, _Listed] = {}
    if levels in CHANGES:
        overlay = read(CHANGES[levels], TypeAdapter(_Tables)).tables
        changed = {listed.attribute: listed for listed in overlay}
    found: dict[str, Table] = {}
    values: dict[str, frozenset[str]] = {}
    for stated in content.tables:
        listed = changed.get(stated.attribute, stated)
        problem = _problem(listed, content.sources, values, known)
        if problem is not None:
            raise ContentError(f"{path}: '{listed.attribute}' {problem}.")
        values[listed.attribute] = frozenset(v for case in listed.cases for v in case.weights)
        cases = [_case(case) for case in listed.cases]
        found[listed.attribute] = Table(listed.attribute, content.sources[listed.source], cases)
    if missing := sorted({field.key for field in PERSONA_FIELDS} - set(found)):
        raise ContentError(f"{path}: these attributes have no table: {', '.join(missing)}.")
    return tuple(found.values())


def draw_values(listed: Sequence[Table], seed: int, key: str) -> dict[str, str]:
    """What is said of the person `key`, by the keys of `PERSONA_FIELDS`; ages as exact years.

    Each draw depends on the seed, the person and the attribute alone.
    """
    drawn: dict[str, str] = {}
    for table in listed:
        case = next(case for case in table.cases if case.holds(drawn))
        value = _picked(case.weights, _lot(seed, key, table.attribute))
        if table.attribute == _AGE:
            low, high = _range(value)
            value = str(low + _lot(seed, key, "year of age") % (high - low + 1))
        drawn[table.attribute] = value
    return drawn


def _lot(seed: int, key: str, what: str) -> int:
    return int.from_bytes(rank(seed, "margins", what, key))


def _picked(weights: Mapping[str, int], lot: int) -> str:
    edges = list(accumulate(weights.values()))
    # A lot is below 2^256, so large that the remainder is as good as uniform.
    return list(weights)[bisect_right(edges, lot % edges[-1])]


def _case(case: _Case) -> Case:
    ages = case.when.get(_AGE)
    among = {
        name: frozenset([values] if isinstance(values, str) else values)
        for name, values in case.when.items()
        if name != _AGE
    }
    return Case(_range(ages) if isinstance(ages, str) else None, among, case.weights)


def _range(text: str) -> _Range:
    found = _RANGE.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise ValueError(f"'{text}' is not a range of ages, such as 18-24")
    return int(found[1]), int(found[2])


def _problem(
    listed: _Listed,
    sources: Mapping[str, str],
    before: Mapping[str, frozenset[str]],
    known: LevelSet,
) -> str | None:
    """What is wrong with a table that is drawn after those in `before`, or None."""
    if listed.attribute in before:
        return "has two tables"
    if listed.attribute not in {field.key for field in PERSONA_FIELDS}:
        return "is not an attribute of personas"
    if listed.source not in sources:
        return f"names the unknown source '{listed.source}'"
    if [not case.when for case in listed.cases] != [False] * (len(listed.cases) - 1) + [True]:
        return "needs one case for everybody else, and it must be the last"
    for case in listed.cases:
        for name, values in case.when.items():
            if name not in before:
                return f"depends on '{name}', which is not drawn before it"
            problem = _condition_problem(name, values, before[name], known)
            if problem is not None:
                return problem
    return _value_problem(listed, known)


def _condition_problem(
    name: str, values: str | list[str], possible: frozenset[str], known: LevelSet
) -> str | None:
    if name == _AGE:
        return _age_problem(values, known)
    unknown = sorted(set([values] if isinstance(values, str) else values) - possible)
    return f"depends on values that {name} never has: {', '.join(unknown)}" if unknown else None


def _age_problem(values: str | list[str], known: LevelSet) -> str | None:
    try:
        if isinstance(values, list):
            return "gives ages as a list; give one range, such as 18-24"
        for age in _range(values):
            known.age_level(age)
    except ValueError as error:
        return f"has an impossible age: {error}"
    return None


def _value_problem(listed: _Listed, known: LevelSet) -> str | None:
    values = {value for case in listed.cases for value in case.weights}
    if listed.attribute == _AGE:
        return next(filter(None, (_age_problem(one, known) for one in sorted(values))), None)
    for attribute in known.evaluated:
        if key_of(attribute) == listed.attribute:
            try:
                for value in sorted(values):
                    known.level_of(attribute, value)
            except ValueError as error:
                return f"has an unknown value: {error}"
    return None
