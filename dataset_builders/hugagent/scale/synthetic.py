"""Edition 2 of HugAgent's synthetic track: parameters, build, audits.

Built are the configurations `bsi`, `bdu` and `agents`. Items that share a context are adjacent: rows are
ordered by topic, person, item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.builder import Generated, whole_parts
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.quotas import (
    TASKS,
    Quotas,
    SyntheticSpec,
    allocate,
    draw_subset,
    scaled,
)
from otherminds.dataset_builders.hugagent.scale.audits import Audit, audit
from otherminds.dataset_builders.hugagent.scale.features import AGENT, ITEM
from otherminds.dataset_builders.hugagent.scale.simulate import Agent, simulate
from otherminds.dataset_builders.hugagent.scale.tables import agent_table, item_table
from otherminds.dataset_builders.hugagent.schema import LEANING
from otherminds.dataset_builders.hugagent.tables import SUBSET_COLUMN
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.parts import Part, Plan, Read
from otherminds.types import BoolArray, Progress

__all__ = [
    "Audit",
    "Progress",
    "ScaleSpec",
    "audit",
    "build",
    "content_hash",
    "head",
    "plan",
    "scaled",
    "spec",
]

_AGENTS_PER_PART: Final = 25
_AGE_BANDS: Final = (35, 50, 65)
_STRATUM: Final = ("leaning", "age_band", "support")


@dataclass(frozen=True)
class ScaleSpec(SyntheticSpec):
    """What to build: see `SyntheticSpec`."""

    most_reasons: ClassVar[int] = 2


@dataclass(frozen=True)
class _Task:
    """The people of one part, their quotas, and how many items come before theirs."""

    seed: int
    first: int
    quotas: Quotas
    before: Mapping[tuple[str, str], int]

    @property
    def agents(self) -> int:
        return len(next(iter(self.quotas.values())))


def plan(spec: ScaleSpec) -> Plan:
    """How it is built in parts of 25 people; each has tables by configuration and topic.

    Who is in the subset is drawn over everybody's strata, which the parts have as "people".
    """
    # So that a fault in the content shows here and not in a worker.
    vocabulary.load()
    parameters.load()
    quotas = allocate(spec)
    firsts = np.arange(0, spec.agents, _AGENTS_PER_PART)
    sums = {key: np.add.reduceat(quota, firsts) for key, quota in quotas.items()}
    before = {key: np.cumsum(each) - each for key, each in sums.items()}

    def task(number: int) -> _Task:
        first = number * _AGENTS_PER_PART
        return _Task(
            spec.seed,
            first,
            {key: quota[first : first + _AGENTS_PER_PART] for key, quota in quotas.items()},
            {key: int(counts[number]) for key, counts in before.items()},
        )

    return Plan(
        count=len(firsts),
        people=lambda number: min(_AGENTS_PER_PART, spec.agents - number * _AGENTS_PER_PART),
        task=task,
        build=_build_part,
        assembled=partial(_assembled, spec),
    )


def head(spec: ScaleSpec, people: int) -> tuple[ScaleSpec, int]:
    """The first `people` people, or a few more, as a dataset of their own; and how many parts they are.

    Nobody of them is in a subset.
    """
    parts, agents = whole_parts(people, spec.agents, _AGENTS_PER_PART)
    quotas = allocate(spec)
    items = {
        task: {topic: int(quotas[task, topic][:agents].sum()) for topic in TOPICS} for task in TASKS
    }
    return ScaleSpec(agents, spec.seed, 0, items), parts


_GENERATED: Final = Generated(ScaleSpec, plan)
spec, build = _GENERATED.spec, _GENERATED.build


def _build_part(task: _Task) -> Part:
    content = vocabulary.load()
    agents = [
        simulate(
            task.seed,
            task.first + place,
            {key: int(quota[place]) for key, quota in task.quotas.items()},
            content,
        )
        for place in range(task.agents)
    ]
    strata = [dict(zip(_STRATUM, _stratum(agent), strict=True)) for agent in agents]
    tables = {"people": pa.Table.from_pylist(strata)}
    for number, topic in enumerate(TOPICS):
        for name in TASKS:
            first = task.before[name, topic] + 1
            tables[f"{name}-{topic}"] = item_table(agents, name, number, first)
        tables[f"agents-{topic}"] = agent_table(agents, number)
    return tables


def _stratum(agent: Agent) -> tuple[str, ...]:
    """Leaning, age band, and overall support: what the subset should have its share of."""
    shown = agent.person.demographics
    band = sum(int(shown["age"]) >= bound for bound in _AGE_BANDS)
    support = sum(record.mind.stance.level for record in agent.records) / len(agent.records)
    level = "low" if support < 4.5 else "high" if support > 7.5 else "middle"
    return (shown[LEANING], str(band), level)


def _assembled(spec: ScaleSpec, read: Read) -> dict[str, Iterator[pa.Table]]:
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    # One object per stratum, however many people are in it.
    strata = [
        known.setdefault(stratum, stratum)
        for table in read("people")
        for stratum in zip(*(table[name].to_pylist() for name in _STRATUM), strict=True)
    ]
    marks = draw_subset(spec, strata)
    return {config: _marked(config, read, marks) for config in (*TASKS, "agents")}


def _marked(config: str, read: Read, marks: BoolArray) -> Iterator[pa.Table]:
    columns = AGENT if config == "agents" else ITEM
    for topic in TOPICS:
        for table in read(f"{config}-{topic}"):
            # S0001 is the first person.
            numbers = pc.cast(pc.utf8_slice_codeunits(table["participant_id"], 1), pa.int64())
            marked = pa.array(marks[numbers.to_numpy() - 1])
            yield table.append_column(SUBSET_COLUMN, marked).cast(columns)
