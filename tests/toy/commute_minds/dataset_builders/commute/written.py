"""People whose habits somebody wrote, inside frames: the ways that they go were drawn before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from commute_minds.dataset_builders.commute.synthetic import LETTERS, OPTIONS, SCHEMA
from otherminds.dataset_builders import constructed, sources
from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.draws import pick, shuffled, stream
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.verdict import Audit, verdict
from otherminds.types import Progress

__all__ = ["Audit", "Built", "audit", "build", "content_hash", "frames", "spec"]

WEATHERS = ("dry", "wet", "icy")


@dataclass(frozen=True)
class Built(sources.Built):
    """The rows, and how they came about."""


def frames(n: int, seed: int) -> list[Unit]:
    """People with a way to work for every weather."""
    found = []
    for number in range(n):
        rng = stream([seed], [number])
        ways = {weather: pick(rng, OPTIONS) for weather in WEATHERS}
        options = {weather: shuffled(rng, OPTIONS) for weather in WEATHERS}
        found.append(Unit(f"person-{number:04}", {"ways": ways, "options": options}))
    return found


def spec(parameters: Mapping[str, Any]) -> None:
    """There are no parameters; raises ValueError for any."""
    if parameters:
        raise ValueError(f"unknown parameters: {', '.join(parameters)}")


def build(source: Path, spec: None, *, progress: Progress | None = None) -> Built:
    """The mornings of the units in a folder of `otherminds construct release`; golds from frames."""
    found = constructed.read(source)
    rows = [
        row for unit in found.units for row in _rows(unit) if row["item_id"] not in found.dropped
    ]
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    return Built(table, [], construction=found.facts)


def audit(built: Built, spec: None) -> list[Audit]:
    """Whether ids are unique."""
    ids = built.table["item_id"].to_pylist()
    twice = len(ids) - len(set(ids))
    return [verdict("ids", not twice, twice, "item ids that occur twice")]


def _rows(unit: Unit) -> Sequence[Mapping[str, Any]]:
    return [
        {
            "item_id": f"{unit.unit_id}-{weather}",
            "person_id": unit.unit_id,
            "habits": unit.texts["habits"]["lines"],
            "weather": weather,
            "morning": f"{unit.texts['evening']['scene']} The next morning it is {weather} outside.",
            "options": unit.frame["options"][weather],
            "answer": LETTERS[unit.frame["options"][weather].index(way)],
        }
        for weather, way in unit.frame["ways"].items()
    ]
