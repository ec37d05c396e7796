"""Audits that the synthetic editions share: counts of items and people, and unique ids."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.hugagent.quotas import TASKS, SyntheticSpec
from otherminds.dataset_builders.verdict import Audit, verdict


@dataclass(frozen=True)
class Built:
    """Built tables and the specification that they should meet."""

    tables: Mapping[str, pa.Table]
    spec: SyntheticSpec


def counts(built: Built) -> Iterator[Audit]:
    """Items by task and topic, people, and people of the subset, as asked for."""
    for task in TASKS:
        found = Counter(built.tables[task].column("topic").to_pylist())
        wanted = dict(built.spec.items[task])
        text = ", ".join(f"{topic} {found[topic]}" for topic in sorted(wanted))
        yield verdict(
            f"counts_{task}",
            all(found[topic] == count for topic, count in wanted.items())
            and found.total() == sum(wanted.values()),
            text,
            f"items by topic; the specification asks for {dict(sorted(wanted.items()))}",
        )
    people = len(set(built.tables["agents"].column("participant_id").to_pylist()))
    yield verdict(
        "counts_agents", people == built.spec.agents, people, f"people, of {built.spec.agents}"
    )
    marked = built.tables["agents"].filter(pc.field("in_subset_50"))
    chosen = len(set(marked.column("participant_id").to_pylist()))
    yield verdict(
        "counts_subset", chosen == built.spec.subset, chosen, f"people, of {built.spec.subset}"
    )


def ids(built: Built) -> Iterator[Audit]:
    """No id occurs twice."""
    found = Counter(name for task in TASKS for name in built.tables[task]["item_id"].to_pylist())
    agents = built.tables["agents"]
    found.update(
        zip(agents["participant_id"].to_pylist(), agents["topic"].to_pylist(), strict=True)
    )
    repeated = [str(name) for name, count in found.items() if count > 1]
    yield verdict(
        "ids_unique", not repeated, len(repeated), f"repeated ids {', '.join(repeated[:3])}".strip()
    )


def share(part: int, whole: int) -> float:
    """The part as a share of the whole; NaN of nothing."""
    return part / whole if whole else float("nan")


def slack(cases: int) -> float:
    """Three standard errors of a share, at worst; nothing is said by no cases."""
    return 1.5 / math.sqrt(cases) if cases else 1.0
