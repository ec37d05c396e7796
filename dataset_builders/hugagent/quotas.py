"""How many items each person gets, and who is in the small subset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.builder import check_seed
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.population import (
    LEAST_BSI_CANDIDATES,
    LEAST_STANCE_EDGES,
    SCENARIOS_ASKED,
)
from otherminds.dataset_builders.hugagent.streams import Purpose, global_stream
from otherminds.types import BoolArray

TASKS = ("bsi", "bdu")

Quotas: TypeAlias = dict[tuple[str, str], NDArray[np.int64]]
"""Items of each person, by task and topic."""


_Spec = TypeVar("_Spec", bound="SyntheticSpec")


@dataclass(frozen=True)
class SyntheticSpec:
    """What to build: how many people, from which seed, with how many items.

    `items` maps task ("bsi", "bdu") and topic to the exact number of items for these people;
    `subset` people are marked as the small subset.

    Raises ValueError for a parameter that cannot be met, saying what can.
    """

    agents: int
    seed: int
    subset: int
    items: Mapping[str, Mapping[str, int]]

    most_reasons: ClassVar[int] = LEAST_STANCE_EDGES
    """Reasons that everybody can be asked about, per scenario."""

    def __post_init__(self) -> None:
        if self.agents < 1:
            raise ValueError(f"agents is {self.agents}, but at least one person is needed.")
        check_seed(self.seed)
        if not 0 <= self.subset <= self.agents:
            raise ValueError(
                f"subset is {self.subset}, but must lie between 0 and agents ({self.agents})."
            )
        if sorted(self.items) != sorted(TASKS):
            raise ValueError(
                f"items must have the tasks bsi and bdu, not {', '.join(sorted(self.items))}."
            )
        for task in TASKS:
            _check_counts(task, self.items[task], self.agents, self.most_reasons)

    def count(self, task: str, topic: str) -> int:
        """How many items of one task and topic."""
        return self.items[task][topic]


def scaled(spec: _Spec, agents: int) -> _Spec:
    """The same mixture for another number of people.

    Counts are scaled by agents / spec.agents and rounded, but stay within what that many people
    can be asked. Raises ValueError when `agents` is below 1.
    """
    if agents < 1:
        raise ValueError(f"agents is {agents}, but at least one person is needed.")
    items: dict[str, dict[str, int]] = {}
    for task in TASKS:
        items[task] = {}
        for topic, count in spec.items[task].items():
            low, high = item_bounds(task, topic, agents, spec.most_reasons)
            items[task][topic] = min(max(round(count * agents / spec.agents), low), high)
    subset = min(max(round(spec.subset * agents / spec.agents), min(spec.subset, 1)), agents)
    return type(spec)(agents, spec.seed, subset, items)


def item_bounds(
    task: str, topic: str, agents: int, reasons: int = LEAST_STANCE_EDGES
) -> tuple[int, int]:
    """The fewest and most items that `agents` people can be asked.

    BSI: up to the six edges that everybody has. BDU: the baseline and each scenario once, then up
    to `reasons` per scenario, which everybody has.
    """
    if task == "bsi":
        return 0, agents * LEAST_BSI_CANDIDATES
    scenarios = SCENARIOS_ASKED[topic]
    return agents * (1 + scenarios), agents * (1 + scenarios * (1 + reasons))


def allocate(spec: SyntheticSpec) -> Quotas:
    """Items per person, by task and topic: an even share, the remainder to a seeded draw."""
    quotas = {}
    for task_number, task in enumerate(TASKS):
        for topic_number, topic in enumerate(TOPICS):
            share, rest = divmod(spec.count(task, topic), spec.agents)
            quota = np.full(spec.agents, share, dtype=np.int64)
            stream = task_number * len(TOPICS) + topic_number
            order = global_stream(spec.seed, Purpose.QUOTAS, stream).permutation(spec.agents)
            quota[order[:rest]] += 1
            quotas[task, topic] = quota
    return quotas


def draw_subset(spec: SyntheticSpec, strata: Sequence[tuple[str, ...]]) -> BoolArray:
    """Mark `spec.subset` people so that each stratum has its share, give or take one.

    People are ordered by stratum, at random within it, and every n-th one is taken.
    """
    marked = np.zeros(spec.agents, dtype=np.bool_)
    if spec.subset == 0:
        return marked
    rng = global_stream(spec.seed, Purpose.SUBSET)
    tie = rng.permutation(spec.agents)
    place = {stratum: number for number, stratum in enumerate(sorted(set(strata)))}
    order = np.lexsort((tie, np.array([place[stratum] for stratum in strata])))
    start = int(rng.integers(spec.agents))
    steps = np.arange(spec.subset) * spec.agents // spec.subset
    marked[order[(start + steps) % spec.agents]] = True
    return marked


def _check_counts(task: str, counts: Mapping[str, int], agents: int, reasons: int) -> None:
    unknown = sorted(set(counts) - set(TOPICS))
    missing = sorted(set(TOPICS) - set(counts))
    if unknown or missing:
        what = f"unknown topic {unknown[0]}" if unknown else f"no count for topic {missing[0]}"
        raise ValueError(f"items of {task}: {what}; the topics are {', '.join(TOPICS)}.")
    for topic, count in counts.items():
        low, high = item_bounds(task, topic, agents, reasons)
        if not low <= count <= high:
            raise ValueError(
                f"{count} {task} items on {topic} for {agents} people, but that many people can "
                f"be asked from {low} to {high}."
            )
