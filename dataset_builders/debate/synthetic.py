"""The synthetic debate population: parameters, build, audits, ceilings.

A latent-factor population over our own propositions in Debate.org's 23 categories
(`synthetic_model` has the formulas). Because the model is known, so is the best score that anybody
can reach under each condition (`ceilings`).

Built is the configuration `beliefs`: the columns of the schema and `in_subset_100`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.builder import (
    Generated,
    check_seed,
    check_whole,
    whole_parts,
)
from otherminds.dataset_builders.debate.schema import BACKGROUND, BELIEF, CONFIG, KNOWN_BELIEF
from otherminds.dataset_builders.debate.synthetic_audits import audit_table
from otherminds.dataset_builders.debate.synthetic_ceilings import (
    SUBSET_COLUMN,
    Scores,
    ceilings_of,
    predictions,
)
from otherminds.dataset_builders.debate.synthetic_model import Model, released
from otherminds.dataset_builders.debate.synthetic_people import Person, draw_person, draw_subset
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.parts import Part, Plan, Read
from otherminds.dataset_builders.verdict import Audit
from otherminds.types import BoolArray

__all__ = [
    "Audit",
    "SyntheticSpec",
    "audit",
    "build",
    "ceilings",
    "content_hash",
    "head",
    "plan",
    "scaled",
    "spec",
]

_MOST_USERS: Final = 99_999_999
_USERS_PER_PART: Final = 100
_USERS_PER_PROCESS: Final = 10_000
"""Fewer are drawn in less time than it takes to start a process."""

_PEOPLE: Final = "people"
_SCHEMA: Final = pa.schema([*BELIEF, pa.field(SUBSET_COLUMN, pa.bool_(), nullable=False)])


@dataclass(frozen=True)
class SyntheticSpec:
    """How many people, from which seed, and how many of them are marked as the small subset.

    Raises ValueError for a parameter that cannot be met, saying what can.
    """

    users: int
    seed: int
    subset: int

    def __post_init__(self) -> None:
        check_whole("users", self.users, 1, _MOST_USERS)
        check_seed(self.seed)
        check_whole("subset", self.subset, 0, self.users)


def plan(spec: SyntheticSpec) -> Plan:
    """How it is built in parts of 100 people.

    Items are numbered, and the subset is drawn, over everybody: parts have rows without either, and
    each person's stratum and number of items.
    """
    released()  # so that a fault in the content shows here and not in a worker
    digits = max(5, len(str(spec.users)))

    def users(number: int) -> range:
        first = number * _USERS_PER_PART
        return range(first, min(first + _USERS_PER_PART, spec.users))

    return Plan(
        count=-(-spec.users // _USERS_PER_PART),
        people=lambda number: len(users(number)),
        task=lambda number: _Task(spec.seed, users(number), digits),
        build=_build_part,
        assembled=partial(_assembled, spec),
    )


def scaled(spec: SyntheticSpec, users: int) -> SyntheticSpec:
    """The same for another number of people; the subset is as large as far as there are people."""
    return replace(spec, users=users, subset=min(spec.subset, users))


def head(spec: SyntheticSpec, people: int) -> tuple[SyntheticSpec, int]:
    """The first `people` people, or a few more, as a dataset of their own; and how many parts they are.

    Nobody of them is in a subset.
    """
    parts, users = whole_parts(people, spec.users, _USERS_PER_PART)
    return replace(spec, users=users, subset=0), parts


def audit(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> list[Audit]:
    """All audits of a build, passed and failed."""
    return list(audit_table(tables[CONFIG], users=spec.users, subset=spec.subset))


def ceilings(tables: Mapping[str, pa.Table], spec: SyntheticSpec) -> Scores:
    """The Bayes-optimal scores of each condition, overall, by category and on the subset.

    They are expected scores (see `synthetic_ceilings`) of these very items, computed from the rows
    alone, by quadrature or importance sampling (see `synthetic_posterior`).
    Raises ValueError when the tables do not hold the people of `spec`.
    """
    table = tables[CONFIG]
    people = len(set(table.column("user_id").to_pylist()))
    if people != spec.users:
        raise ValueError(f"The table has {people} users, but the specification {spec.users}.")
    return ceilings_of(table, predictions(table))


_GENERATED: Final = Generated(
    SyntheticSpec, plan, processes=lambda spec: 1 + spec.users // _USERS_PER_PROCESS
)
spec, build = _GENERATED.spec, _GENERATED.build


@dataclass(frozen=True)
class _Task:
    """The people of one part, by number, and how many digits their ids have."""

    seed: int
    users: range
    digits: int


def _build_part(task: _Task) -> Part:
    model = released()
    people = [draw_person(model, task.seed, number) for number in task.users]
    ids = [f"U{number + 1:0{task.digits}d}" for number in task.users]
    strata = {
        "age_group": [person.age_group for person in people],
        "beliefs": [len(person.propositions) for person in people],
        "items": [len(person.propositions) - person.n_known for person in people],
    }
    return {CONFIG: _rows(model, people, ids), _PEOPLE: pa.table(strata)}


def _rows(model: Model, people: Sequence[Person], ids: Sequence[str]) -> pa.Table:
    """The columns of the schema but for the item's number."""
    # Background and known beliefs are converted once per person, however many items show them.
    owner = np.repeat(
        np.arange(len(people)), [len(person.propositions) - person.n_known for person in people]
    )
    rows = pa.array(owner)
    tested = np.concatenate([person.propositions[person.n_known :] for person in people])
    return pa.table(
        {
            "user_id": pa.array(ids).take(rows),
            "category": [model.categories[place] for place in tested],
            "proposition": [model.texts[place] for place in tested],
            "agrees": np.concatenate([person.agrees[person.n_known :] for person in people]),
            "background": pa.array(
                [
                    [{"attribute": name, "value": value} for name, value in person.background]
                    for person in people
                ],
                type=pa.list_(BACKGROUND),
            ).take(rows),
            "known_beliefs": pa.array(
                [list(_known(model, person)) for person in people], type=pa.list_(KNOWN_BELIEF)
            ).take(rows),
            "n_known": pa.array([person.n_known for person in people], type=pa.int32()).take(rows),
        },
        schema=pa.schema([field for field in BELIEF if field.name != "item_id"]),
    )


def _assembled(spec: SyntheticSpec, read: Read) -> dict[str, Iterator[pa.Table]]:
    """Rows are ordered by user, then item: both are numbered with leading zeros."""
    people = pa.concat_tables(list(read(_PEOPLE)))
    groups, beliefs, items = (people[name].to_numpy() for name in ("age_group", "beliefs", "items"))
    marks = np.repeat(draw_subset(groups, beliefs, spec.seed, spec.subset), items)
    return {CONFIG: _numbered(read, marks)}


def _numbered(read: Read, marks: BoolArray) -> Iterator[pa.Table]:
    digits = max(6, len(str(len(marks))))
    first = 0
    for table in read(CONFIG):
        last = first + table.num_rows
        ids = pa.array([f"synthetic-{place + 1:0{digits}d}" for place in range(first, last)])
        numbered = table.append_column("item_id", ids)
        marked = numbered.append_column(SUBSET_COLUMN, pa.array(marks[first:last]))
        yield marked.select(_SCHEMA.names).cast(_SCHEMA)
        first = last


def _known(model: Model, person: Person) -> Iterator[dict[str, Any]]:
    for place, agrees in zip(person.propositions[: person.n_known], person.agrees, strict=False):
        yield {
            "proposition": model.texts[place],
            "category": model.categories[place],
            "agrees": bool(agrees),
        }
