"""The synthetic debate population: parameters, build, audits, ceilings.

A latent-factor population over our own propositions in Debate.org's 23 categories
(`synthetic_model` has the formulas). Because the model is known, so is the best score that anybody
can reach under each condition (`ceilings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherminds.dataset_builders.debate.schema import (
    BACKGROUND,
    BELIEF,
    CONFIG,
    KNOWN_BELIEF,
    in_order,
)
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
from otherminds.dataset_builders.specs import exactly
from otherminds.dataset_builders.verdict import Audit

__all__ = ["Audit", "SyntheticSpec", "audit", "build", "ceilings", "content_hash", "spec"]

_MOST_USERS = 50_000
_USERS_PER_REPORT = 100


class Progress(Protocol):
    """Told how many people are done, of how many."""

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` people are drawn."""


@dataclass(frozen=True)
class SyntheticSpec:
    """How many people, from which seed, and how many of them are marked as the small subset.

    Raises ValueError for a parameter that cannot be met, saying what can.
    """

    users: int
    seed: int
    subset: int

    def __post_init__(self) -> None:
        for name in ("users", "seed", "subset"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool):
                raise ValueError(f"{name} is {value!r}, but must be a whole number.")
        if not 1 <= self.users <= _MOST_USERS:
            raise ValueError(f"users is {self.users}, but must lie between 1 and {_MOST_USERS:,}.")
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}, but a seed is a whole number from 0.")
        if not 0 <= self.subset <= self.users:
            raise ValueError(
                f"subset is {self.subset}, but must lie between 0 and users ({self.users})."
            )


def spec(generator: Mapping[str, Any]) -> SyntheticSpec:
    """The checked parameters, from the `generator` part of a manifest.

    Raises ValueError for a missing, unknown or impossible parameter.
    """
    return exactly(SyntheticSpec, generator)


def build(
    spec: SyntheticSpec, *, num_proc: int = 1, progress: Progress | None = None
) -> dict[str, pa.Table]:
    """Build the configuration `beliefs`: the columns of the schema and `in_subset_100`.

    The result depends on `spec` and the content files only. Drawing everybody takes about a second,
    less than starting a process, so one process does it, whatever `num_proc` allows.
    """
    if num_proc < 1:
        raise ValueError(f"num_proc is {num_proc}, but at least one process is needed.")
    model = released()
    people = []
    for number in range(spec.users):
        people.append(draw_person(model, spec.seed, number))
        if progress is not None and (
            len(people) % _USERS_PER_REPORT == 0 or len(people) == spec.users
        ):
            progress(len(people), spec.users)
    return {CONFIG: _table(model, people, draw_subset(people, spec.seed, spec.subset))}


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


def _table(model: Model, people: list[Person], marks: NDArray[np.bool_]) -> pa.Table:
    # Background and known beliefs are converted once per person, however many items show them.
    owner = np.repeat(
        np.arange(len(people)), [len(person.propositions) - person.n_known for person in people]
    )
    rows = pa.array(owner)
    tested = np.concatenate([person.propositions[person.n_known :] for person in people])
    table = pa.table(
        {
            "item_id": [f"synthetic-{place + 1:06d}" for place in range(len(owner))],
            "user_id": pa.array([f"U{place + 1:05d}" for place in range(len(people))]).take(rows),
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
            SUBSET_COLUMN: marks[owner],
        },
        schema=pa.schema([*BELIEF, pa.field(SUBSET_COLUMN, pa.bool_(), nullable=False)]),
    )
    return in_order(table)


def _known(model: Model, person: Person) -> Iterator[dict[str, Any]]:
    for place, agrees in zip(person.propositions[: person.n_known], person.agrees, strict=False):
        yield {
            "proposition": model.texts[place],
            "category": model.categories[place],
            "agrees": bool(agrees),
        }
