"""The synthetic track of HugAgent: parameters, build, audits.

Built are the configurations `bsi`, `bdu` and `agents`. Items that share a context are adjacent: rows are
ordered by topic, person, item.
"""

from __future__ import annotations

from typing import Final

from otherminds.dataset_builders.builder import Generated
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.hugagent import content as vocabulary
from otherminds.dataset_builders.hugagent import in_parts
from otherminds.dataset_builders.hugagent.audits import Audit, audit
from otherminds.dataset_builders.hugagent.features import AGENT, ITEM
from otherminds.dataset_builders.hugagent.in_parts import AGE_BANDS, head
from otherminds.dataset_builders.hugagent.quotas import SyntheticSpec, scaled
from otherminds.dataset_builders.hugagent.schema import LEANING
from otherminds.dataset_builders.hugagent.simulate import Agent, simulate
from otherminds.dataset_builders.hugagent.tables import agent_table, item_table
from otherminds.dataset_builders.parts import Part, Plan
from otherminds.types import Progress

__all__ = [
    "Audit",
    "Progress",
    "SyntheticSpec",
    "audit",
    "build",
    "content_hash",
    "head",
    "plan",
    "scaled",
    "spec",
]

_SCHEMAS: Final = {"bsi": ITEM, "bdu": ITEM, "agents": AGENT}


def plan(spec: SyntheticSpec) -> Plan:
    """How it is built: see `in_parts.plan`."""
    vocabulary.load()  # so that a fault in the content shows here and not in a worker
    return in_parts.plan(spec, _build_part, _SCHEMAS)


_GENERATED: Final = Generated(SyntheticSpec, plan)
spec, build = _GENERATED.spec, _GENERATED.build


def _build_part(task: in_parts.Task) -> Part:
    content = vocabulary.load()
    agents = [simulate(task.seed, number, quotas, content) for number, quotas in task.people()]
    return in_parts.tables(task, agents, _stratum, item_table, agent_table)


def _stratum(agent: Agent) -> tuple[str, ...]:
    person = agent.person
    band = sum(person.age >= bound for bound in AGE_BANDS)
    support = sum(record.beliefs.stance for record in agent.records) / len(agent.records)
    level = "low" if support < 4.5 else "high" if support > 6.5 else "middle"
    return (person.demographics[LEANING], str(band), level)
