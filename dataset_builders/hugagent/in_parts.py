"""How either edition of the synthetic track is built: in parts of a few people, and put together.

An edition says how somebody is simulated and how their rows look; whose items come where, and who is in
the subset, is the same for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.builder import whole_parts
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.quotas import (
    TASKS,
    Quotas,
    SyntheticSpec,
    allocate,
    draw_subset,
)
from otherminds.dataset_builders.hugagent.tables import SUBSET_COLUMN
from otherminds.dataset_builders.parts import Part, Plan, Read
from otherminds.types import BoolArray

AGE_BANDS: Final = (35, 50, 65)

_AGENTS_PER_PART: Final = 25
_STRATUM: Final = ("leaning", "age_band", "support")

_Agent = TypeVar("_Agent")
_Spec = TypeVar("_Spec", bound=SyntheticSpec)


@dataclass(frozen=True)
class Task:
    """The people of one part, their quotas, and how many items come before theirs."""

    seed: int
    first: int
    quotas: Quotas
    before: Mapping[tuple[str, str], int]

    def people(self) -> Iterator[tuple[int, dict[tuple[str, str], int]]]:
        """The number of each person, and how many items they get by task and topic."""
        for place in range(len(next(iter(self.quotas.values())))):
            yield self.first + place, {key: int(each[place]) for key, each in self.quotas.items()}


def plan(
    spec: SyntheticSpec,
    build: Callable[[Task], Part],
    schemas: Mapping[str, pa.Schema],
) -> Plan:
    """How it is built in parts of 25 people; each has tables by configuration and topic.

    schemas  of the configurations, by name

    Who is in the subset is drawn over everybody's strata, which the parts have as "people".
    """
    quotas = allocate(spec)
    firsts = np.arange(0, spec.agents, _AGENTS_PER_PART)
    # Items of all earlier parts, summed once: part by part it would be quadratic in the people.
    sums = {key: np.add.reduceat(quota, firsts) for key, quota in quotas.items()}
    before = {key: np.cumsum(each) - each for key, each in sums.items()}

    def task(number: int) -> Task:
        first = number * _AGENTS_PER_PART
        return Task(
            spec.seed,
            first,
            {key: quota[first : first + _AGENTS_PER_PART] for key, quota in quotas.items()},
            {key: int(counts[number]) for key, counts in before.items()},
        )

    return Plan(
        count=len(firsts),
        people=lambda number: min(_AGENTS_PER_PART, spec.agents - number * _AGENTS_PER_PART),
        task=task,
        build=build,
        assembled=partial(_assembled, spec, schemas),
    )


def head(spec: _Spec, people: int) -> tuple[_Spec, int]:
    """The first `people` people, or a few more, as a dataset of their own; and how many parts they are.

    Nobody of them is in a subset.
    """
    parts, agents = whole_parts(people, spec.agents, _AGENTS_PER_PART)
    quotas = allocate(spec)
    items = {
        task: {topic: int(quotas[task, topic][:agents].sum()) for topic in TOPICS} for task in TASKS
    }
    return type(spec)(agents, spec.seed, 0, items), parts


def tables(
    task: Task,
    agents: Sequence[_Agent],
    stratum: Callable[[_Agent], tuple[str, ...]],
    item_table: Callable[[Sequence[_Agent], str, int, int], pa.Table],
    agent_table: Callable[[Sequence[_Agent], int], pa.Table],
) -> Part:
    """The tables of a part's people.

    stratum      leaning, age band and overall support: what the subset should have its share of
    item_table   items of people, of a task, on a topic, numbered from a number
    agent_table  people on a topic
    """
    strata = [dict(zip(_STRATUM, stratum(agent), strict=True)) for agent in agents]
    found = {"people": pa.Table.from_pylist(strata)}
    for number, topic in enumerate(TOPICS):
        for name in TASKS:
            first = task.before[name, topic] + 1
            found[f"{name}-{topic}"] = item_table(agents, name, number, first)
        found[f"agents-{topic}"] = agent_table(agents, number)
    return found


def _assembled(
    spec: SyntheticSpec, schemas: Mapping[str, pa.Schema], read: Read
) -> dict[str, Iterator[pa.Table]]:
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    # One object per stratum, however many people are in it.
    strata = [
        known.setdefault(stratum, stratum)
        for table in read("people")
        for stratum in zip(*(table[name].to_pylist() for name in _STRATUM), strict=True)
    ]
    marks = draw_subset(spec, strata)
    return {config: _marked(config, schema, read, marks) for config, schema in schemas.items()}


def _marked(config: str, schema: pa.Schema, read: Read, marks: BoolArray) -> Iterator[pa.Table]:
    for topic in TOPICS:
        for table in read(f"{config}-{topic}"):
            # S0001 is the first person.
            numbers = pc.cast(pc.utf8_slice_codeunits(table["participant_id"], 1), pa.int64())
            marked = pa.array(marks[numbers.to_numpy() - 1])
            yield table.append_column(SUBSET_COLUMN, marked).cast(schema)
