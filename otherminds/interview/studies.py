"""What a benchmark has to say of interviews: simulated people, and the files that its tasks read.

A benchmark names its `Interviews` in `Benchmark.interviews`; the wing imports no benchmark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from otherminds import benchmark
from otherminds.errors import OtherMindsError
from otherminds.interview.items import Items
from otherminds.interview.store import Survey
from otherminds.metrics.graphs import BeliefGraph


@dataclass(frozen=True)
class Agent:
    """A simulated person on one topic: a known graph, and their answers to the questionnaire.

    voice    how they talk, for a model that plays them
    leaning  where they stand before any scenario, in words
    """

    participant_id: str
    topic: str
    graph: BeliefGraph
    demographics: Mapping[str, str]
    survey: tuple[Survey, ...]
    voice: Mapping[str, str] = field(default_factory=dict)
    leaning: str = ""


class Written(NamedTuple):
    """What was written of items.

    files   their paths
    audits  what was checked, with what was found, one line each
    failed  whether a check failed that would make a score wrong
    """

    files: tuple[Path, ...]
    audits: tuple[str, ...]
    failed: bool


class Interviews(Protocol):
    """How a benchmark uses interviews.

    topics   those that its tasks know
    command  what runs its tasks on a folder of items, with {folder} in place of it
    """

    topics: Sequence[str]
    command: str

    def agents(self, dataset: str, *, n: int, topics: Sequence[str]) -> list[Agent]:
        """The first so many people of a simulated dataset, each on each topic."""

    def write(self, items: Items, folder: Path) -> Written:
        """Write items as the benchmark's tasks read them, into an empty folder."""


def interviews_of(name: str | None = None) -> Interviews:
    """The `Interviews` of a benchmark, or of the first that has any.

    Raises OtherMindsError for a benchmark that takes none.
    """
    having = {one.name: one for one in benchmark.every() if one.interviews is not None}
    if not having or (name is not None and name not in having):
        said = f"takes items from interviews; these do: {', '.join(having)}" if having else "does"
        raise OtherMindsError(f"The benchmark '{name}' is none that {said}.")
    one = having[name or next(iter(having))]
    found: Interviews = benchmark.look_up(one, str(one.interviews))
    return found


def agents_of(dataset: str, *, n: int, topics: Sequence[str]) -> list[Agent]:
    """The first so many people of a simulated dataset on each topic, by the benchmark that has it."""
    return interviews_of(benchmark.of_dataset(dataset).name).agents(dataset, n=n, topics=topics)
