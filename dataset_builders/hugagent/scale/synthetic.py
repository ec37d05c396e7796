"""Edition 2 of HugAgent's synthetic track: parameters, build, audits.

Built are the configurations `bsi`, `bdu` and `agents`. Items that share a context are adjacent: rows are
ordered by topic, person, item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from otherminds.dataset_builders.builder import Generated
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent import in_parts
from otherminds.dataset_builders.hugagent.in_parts import AGE_BANDS, head
from otherminds.dataset_builders.hugagent.quotas import SyntheticSpec, scaled
from otherminds.dataset_builders.hugagent.scale.audits import Audit, audit
from otherminds.dataset_builders.hugagent.scale.features import AGENT, ITEM
from otherminds.dataset_builders.hugagent.scale.simulate import Agent, simulate
from otherminds.dataset_builders.hugagent.scale.tables import agent_table, item_table
from otherminds.dataset_builders.hugagent.schema import LEANING
from otherminds.dataset_builders.hugagent.world import parameters
from otherminds.dataset_builders.hugagent.world.minds import Mind
from otherminds.dataset_builders.hugagent.world.people import Person
from otherminds.dataset_builders.parts import Part, Plan
from otherminds.types import Progress

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

_SCHEMAS: Final = {"bsi": ITEM, "bdu": ITEM, "agents": AGENT}


@dataclass(frozen=True)
class ScaleSpec(SyntheticSpec):
    """What to build: see `SyntheticSpec`."""

    most_reasons: ClassVar[int] = 2


def plan(spec: ScaleSpec) -> Plan:
    """How it is built: see `in_parts.plan`."""
    # So that a fault in the content shows here and not in a worker.
    vocabulary.load()
    parameters.load()
    return in_parts.plan(spec, _build_part, _SCHEMAS)


_GENERATED: Final = Generated(ScaleSpec, plan)
spec, build = _GENERATED.spec, _GENERATED.build


def _build_part(task: in_parts.Task) -> Part:
    content = vocabulary.load()
    agents = [simulate(task.seed, number, quotas, content) for number, quotas in task.people()]
    return in_parts.tables(task, agents, _stratum, item_table, agent_table)


def _stratum(agent: Agent) -> tuple[str, ...]:
    return stratum(agent.person, [record.mind for record in agent.records])


def stratum(person: Person, minds: Sequence[Mind]) -> tuple[str, ...]:
    """Leaning, age band and overall support of somebody with these minds."""
    shown = person.demographics
    band = sum(int(shown["age"]) >= bound for bound in AGE_BANDS)
    support = sum(mind.stance.level for mind in minds) / len(minds)
    level = "low" if support < 4.5 else "high" if support > 7.5 else "middle"
    return (shown[LEANING], str(band), level)
