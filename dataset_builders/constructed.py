"""Data whose texts somebody wrote inside frames: the units, and the folder that a dataset is built from.

`otherminds construct release` writes the folder, and the builder of the pipeline's dataset reads it:

    units.jsonl          a unit on each line: frame, accepted texts, who wrote them; or units.jsonl.gz,
                         as a package holds it
    construction.json    the facts of the whole: pipeline, version, seed, funnel, authors, readers

Golds come from a unit's frame alone. Its texts say what the frame asked for; they never change it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from otherminds.dataset_builders import sources
from otherminds.dataset_builders.builder import exactly
from otherminds.dataset_builders.sources import SourceError
from otherminds.strict import Strict

UNITS: Final = "units.jsonl"
PACKED: Final = f"{UNITS}.gz"
FACTS: Final = "construction.json"

TEST: Final = "test"
"""The part of a release that its tasks ask about."""

Content = Mapping[str, Any]
"""A reply that was accepted: an object of its stage's schema."""


class Written(Strict):
    """Who wrote one accepted reply of a unit, and how it came about.

    stage   the stage
    role    "author", "validator" or "rater"
    author  the name of a model, or of a person ("person" where nobody says more)
    kind    what the author is: "model" or "person"
    family  the family of the model, where it was stated
    at      when the reply was imported, in UTC
    tries   how often the stage was asked for until then, this time included
    checks  the checks that the reply passed, by name
    sha256  the hash of the reply as it came
    """

    stage: str
    role: str
    author: str
    kind: str
    family: str | None = None
    at: str
    tries: int
    checks: list[str]
    sha256: str


@dataclass(frozen=True)
class Unit:
    """A unit of work: what code has fixed, and what was written inside it.

    unit_id  its name; ids of items and rows are made from it. Letters, digits, hyphens and underscores
    frame    the symbolic truth, as JSON has it; golds come from here. An author sees of it what a stage
             asks, a reader nothing
    part     the part of the release that it belongs to: "test", or such as "train"
    texts    by author stage, the accepted reply
    judged   by stage of validators or raters, their accepted replies, in the order in which they came
    written  who wrote these
    """

    unit_id: str
    frame: Mapping[str, Any]
    part: str = TEST
    texts: Mapping[str, Content] = field(default_factory=dict)
    judged: Mapping[str, Sequence[Content]] = field(default_factory=dict)
    written: tuple[Written, ...] = ()

    @cached_property
    def frame_hash(self) -> str:
        """The SHA-256 of name, part and frame: sheets carry it, so that none outlives its frame."""
        return digest([self.unit_id, self.part, self.frame])

    @property
    def authors(self) -> frozenset[str]:
        """The names of those who wrote its texts."""
        return frozenset(one.author for one in self.written if one.role == "author")

    def as_json(self) -> dict[str, Any]:
        """The unit as a line of units.jsonl."""
        return {
            "unit_id": self.unit_id,
            "part": self.part,
            "frame_hash": self.frame_hash,
            "frame": self.frame,
            "texts": self.texts,
            "judged": self.judged,
            "written": [one.model_dump(mode="json") for one in self.written],
        }


class _Line(Strict):
    unit_id: str
    part: str
    frame_hash: str
    frame: dict[str, Any]
    texts: dict[str, dict[str, Any]]
    judged: dict[str, list[dict[str, Any]]]
    written: list[Written]
    readings: list[dict[str, Any]] = Field(default_factory=list)


@dataclass(frozen=True)
class Facts:
    """What the manifest states of a release of written data: nothing, as anyone can make one."""


def spec(parameters: Mapping[str, Any]) -> Facts:
    """The checked parameters of a manifest; raises ValueError for one that is not known."""
    return exactly(Facts, parameters)


@dataclass(frozen=True)
class Built(sources.Built):
    """The tables of a release, and the units that they are of."""

    units: tuple[Unit, ...] = ()


@dataclass(frozen=True)
class Constructed:
    """What `read` found: the units in their order, and the facts of construction.json.

    readings  by unit, the answers of its blind readers: item, round, reader, answer, note
    """

    units: tuple[Unit, ...]
    facts: Mapping[str, Any]
    readings: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def of(self, part: str) -> tuple[Unit, ...]:
        """The units of one part."""
        return tuple(unit for unit in self.units if unit.part == part)

    def finished(self, stages: Iterable[str]) -> tuple[Unit, ...]:
        """The units, all with the texts of these stages; raises SourceError for one without."""
        for unit in self.units:
            if missing := [name for name in stages if name not in unit.texts]:
                raise SourceError(
                    f"The unit {unit.unit_id} has no {', '.join(missing)}; it is not finished."
                )
        return self.units

    @property
    def provenance(self) -> list[dict[str, Any]]:
        """For each unit, who wrote and judged it, when, in how many tries, and what readers answered.

        A release has it as provenance.jsonl, without the texts, which are in its rows.
        """
        return [
            {
                "unit_id": unit.unit_id,
                "part": unit.part,
                "frame_hash": unit.frame_hash,
                "written": [one.model_dump(mode="json") for one in unit.written],
                "judged": unit.judged,
                "readings": self.readings.get(unit.unit_id, []),
            }
            for unit in self.units
        ]

    @property
    def answered(self) -> Mapping[str, tuple[str, ...]]:
        """By `item_id`, what blind readers answered in the last round in which it was read, in the order
        of their names; answers of one word alone. Items that were dropped are not there."""
        rounds: dict[str, dict[int, list[tuple[str, str]]]] = {}
        for own in self.readings.values():
            for one in own:
                name = str(one["item"]).partition(":")[2]
                if "answer" in one and name not in self.dropped:
                    said = rounds.setdefault(name, {}).setdefault(int(one["round"]), [])
                    said.append((str(one["reader"]), str(one["answer"])))
        return {
            name: tuple(answer for _, answer in sorted(said[max(said)]))
            for name, said in rounds.items()
        }

    @property
    def right(self) -> Mapping[str, float]:
        """By `item_id`, the share of its blind readers that were right; of several tasks, the least."""
        found: dict[str, float] = {}
        for item, one in self._read.items():
            name = item.partition(":")[2]
            found[name] = min(one["right"], found.get(name, 1.0))
        return found

    @cached_property
    def dropped(self) -> frozenset[str]:
        """The items, by `item_id`, that blind readers read otherwise than meant: no row has them."""
        return frozenset(
            item.partition(":")[2] for item, one in self._read.items() if one["dropped"]
        )

    @property
    def _read(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = (self.facts.get("reading") or {}).get(
            "by_item", {}
        )
        return found


def digest(content: Any) -> str:
    """The SHA-256 of JSON content, whatever the order of keys."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def packed(lines: str) -> bytes:
    """The content of units.jsonl.gz: the same bytes for the same lines, whenever it is made."""
    return gzip.compress(lines.encode("utf-8"), mtime=0)


def _units(source: Path) -> bytes:
    place = source / PACKED
    if not place.is_file():
        return (source / UNITS).read_bytes()
    if (source / UNITS).exists():
        raise SourceError(f"{UNITS} and {PACKED} are both there: take away the one that is old")
    sources.check_unpacked(place)
    return gzip.decompress(place.read_bytes())


def read(source: Path) -> Constructed:
    """The units and facts in a folder that `otherminds construct release` writes.

    Raises SourceError for a folder that has them not, for a line that is no unit, and for a frame that
    is not the one that its hash is of: somebody has changed a gold.
    """
    try:
        facts = json.loads((source / FACTS).read_text(encoding="utf-8"))
        lines = _units(source).decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise SourceError(
            f"{source} is no finished construction ({error}). Make one with `otherminds construct`, and "
            "build from it with `otherminds construct release DIR --out OUT`."
        ) from error
    units = []
    readings = {}
    for number, text in enumerate(lines, start=1):
        try:
            line = _Line.model_validate_json(text)
        except ValueError as error:
            raise SourceError(f"{source / UNITS}, line {number} is no unit: {error}") from error
        unit = Unit(
            line.unit_id, line.frame, line.part, line.texts, line.judged, tuple(line.written)
        )
        if unit.frame_hash != line.frame_hash:
            raise SourceError(
                f"{source / UNITS}, line {number}: the frame of '{unit.unit_id}' is not the one that "
                "was exported. Release the construction again."
            )
        units.append(unit)
        readings[unit.unit_id] = line.readings
    return Constructed(tuple(units), facts, readings)


def lines(units: Iterable[Unit], readings: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The text of units.jsonl; `readings` as in `Constructed`."""
    rows = ({**unit.as_json(), "readings": readings.get(unit.unit_id, [])} for unit in units)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
