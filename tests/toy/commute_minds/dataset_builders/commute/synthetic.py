"""Generated people with a rule for every weather, and mornings on which the rule decides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from otherminds.dataset_builders.builder import check_seed, check_whole, exactly
from otherminds.dataset_builders.draws import pick, shuffled, stream
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.verdict import Audit, verdict

__all__ = ["Audit", "Spec", "audit", "build", "content_hash", "spec"]

CONFIG = "mornings"
OPTIONS = ("on foot", "by bicycle", "by bus", "by car")
WEATHERS = ("dry", "wet", "icy")
LETTERS = "ABCD"

SCHEMA = pa.schema(
    [
        pa.field("item_id", pa.string(), nullable=False),
        pa.field("person_id", pa.string(), nullable=False),
        pa.field("habits", pa.list_(pa.string()), nullable=False),
        pa.field("weather", pa.string(), nullable=False),
        pa.field("morning", pa.string(), nullable=False),
        pa.field("options", pa.list_(pa.string()), nullable=False),
        pa.field("answer", pa.string(), nullable=False),
    ]
)


@dataclass(frozen=True)
class Spec:
    """How many people, from which seed. Raises ValueError for a number that cannot be."""

    people: int
    seed: int

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_whole("people", self.people, 2, 9_999)


def spec(generator: Mapping[str, Any]) -> Spec:
    """The checked parameters; raises ValueError for a missing, unknown or impossible one."""
    return exactly(Spec, generator)


def build(
    spec: Spec, *, num_proc: int = 1, progress: Callable[[int, int], None] | None = None
) -> dict[str, pa.Table]:
    """One row for each person and weather; one process makes them in no time."""
    rows = []
    for number in range(spec.people):
        rng = stream([spec.seed], [number])
        ways = {weather: pick(rng, OPTIONS) for weather in WEATHERS}
        habits = shuffled(
            rng, [f"When it is {weather}, I go {way}." for weather, way in ways.items()]
        )
        for weather, way in ways.items():
            options = shuffled(rng, OPTIONS)
            rows.append(
                {
                    "item_id": f"commute-{number:04}-{weather}",
                    "person_id": f"person-{number:04}",
                    "habits": habits,
                    "weather": weather,
                    "morning": f"It is Tuesday, and it is {weather} outside.",
                    "options": options,
                    "answer": LETTERS[options.index(way)],
                }
            )
        if progress is not None:
            progress(number + 1, spec.people)
    return {CONFIG: pa.Table.from_pylist(rows, schema=SCHEMA)}


def audit(tables: Mapping[str, pa.Table], spec: Spec) -> list[Audit]:
    """Whether ids are unique, habits decide every answer, and no letter is the answer too often."""
    rows = tables[CONFIG].to_pylist()
    ids = {row["item_id"] for row in rows}
    wrong = [row["item_id"] for row in rows if _read(row) != row["answer"]]
    [(_, most)] = Counter(row["answer"] for row in rows).most_common(1)
    # Four standard errors above a quarter.
    bound = 0.25 + 4 * (0.25 * 0.75 / len(rows)) ** 0.5
    return [
        verdict("ids", len(ids) == len(rows), len(rows) - len(ids), "item ids that occur twice"),
        verdict("decided", not wrong, len(wrong), "answers that the habits do not decide"),
        verdict(
            "letters", most / len(rows) <= bound, most / len(rows), "share of the commonest letter"
        ),
    ]


def _read(row: Mapping[str, Any]) -> str | None:
    """The letter that follows from the habits as a prompt shows them."""
    said = re.search(r"it is (\w+) outside", row["morning"])
    for habit in row["habits"]:
        told = re.fullmatch(r"When it is (\w+), I go (.+)\.", habit)
        if said and told and told[1] == said[1] and told[2] in row["options"]:
            return LETTERS[row["options"].index(told[2])]
    return None
