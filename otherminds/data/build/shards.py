"""Shards of a generated dataset: contiguous blocks of its parts, each built where there is room for it.

A shard is a folder `shard-00003-of-00016` with one Parquet file per name of the builder's tables, a row
group per part, and `shard.json`: the dataset that it is a shard of, and counts and hashes of its files.
`otherminds.data.build.merge` makes a repository of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Protocol, Self, cast

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict

from otherminds import __version__, files, manifest
from otherminds.data.build import dataset as building
from otherminds.dataset_builders.parts import Part, Plan, Run, reader, whole
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.types import Progress

FACTS: Final = "shard.json"
_SIZED: Final = "+n"
"""The separator of the release's version and the size of a population."""
_SOFTWARE: Final = ("numpy", "networkx", "pyarrow")
"""The packages that the content of a shard depends on, besides OtherMinds and its parameters."""


class InParts(building.Builder, Protocol):
    """A builder whose data are made in parts that need nothing of each other."""

    def plan(self, spec: Any) -> Plan:
        """How the specification is built in parts. ValueError for one that cannot be built."""

    def scaled(self, spec: Any, people: int) -> Any:
        """The same specification for another number of people or stages."""

    def head(self, spec: Any, people: int) -> tuple[Any, int]:
        """The first people as a dataset of their own: its specification and number of parts."""


@dataclass(frozen=True)
class Which:
    """The `number`-th (from 1) of `of` shards."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """From "3/16"."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise OtherMindsError(
                f"--shard {text} names no shard; write 1/16, 2/16, … 16/16 for sixteen of them."
            )
        return cls(int(found[1]), int(found[2]))

    def parts(self, count: int) -> range:
        """The parts of this shard, of `count` parts in all: a contiguous block."""
        if self.of > count:
            raise OtherMindsError(f"There are {count} parts, so make {count} shards at most.")
        return range((self.number - 1) * count // self.of, self.number * count // self.of)

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return f"shard-{self.number:05d}-of-{self.of:05d}"


class Facts(BaseModel):
    """The content of `shard.json`.

    version    of the dataset; of a population that is not the release, with its size
    generator  all parameters of the whole
    rows       by name of the table; `sha256` has the hash of each of their files
    software   versions of the packages that made it
    audits     of the first shard of a population: the checks of its first people
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    dataset: str
    version: str
    generator: dict[str, Any]
    shard: int
    of: int
    rows: dict[str, int]
    sha256: dict[str, str]
    software: dict[str, str]
    audits: list[dict[str, Any]]

    @property
    def whole(self) -> tuple[Any, ...]:
        """The facts that all shards of a dataset have in common."""
        return self.dataset, self.version, self.generator, self.of, self.software

    def command(self, number: int, out: Path) -> str:
        """The command that builds a shard of the same dataset into a folder of `out`."""
        size = self.version.partition(_SIZED)[2]
        option = "--stages" if "stages" in self.generator else "--people"
        sized = f" {option} {size}" if size else ""
        return f"otherminds build {self.dataset} {out} --shard {number}/{self.of}{sized}"


class Outcome(StrEnum):
    """The outcome of building a shard, as the command prints it."""

    BUILT = "Built"
    REBUILT = "Was damaged, built anew"
    KEPT = "Already built"


def in_parts(known: Manifest) -> InParts:
    """The builder of a dataset that is built in parts."""
    if known.handed is not None:
        raise building.source_needed(known)
    builder = building.builder_of(known)
    if not hasattr(builder, "plan"):
        raise OtherMindsError(
            f"'{known.dataset}' is built in one piece: its sample is drawn from everybody, and it takes "
            f"seconds. Run `otherminds build {known.dataset} OUT`."
        )
    return cast(InParts, builder)


def population(dataset: str, people: int | None) -> tuple[Manifest, Any]:
    """The manifest and specification of the release, or of a population of another size.

    A population has a version of its own, such as 1.0+n2000000, and none of the release's numbers:
    no hashes, no reference scores, no measurements.
    """
    known = manifest.load(dataset)
    builder = in_parts(known)
    try:
        release = builder.spec(known.generator or {})
        spec = release if people is None else builder.scaled(release, people)
    except ValueError as error:
        raise OtherMindsError(f"Cannot build {dataset}: {error}") from error
    if spec == release:
        return known, spec
    changed = {
        "version": f"{known.version}{_SIZED}{people}",
        "generator": asdict(spec),
        "references": {},
        "slices": {},
        "measured": {},
    }
    return known.model_copy(update=changed), spec


def build(
    dataset: str,
    out: Path,
    which: Which,
    run: Run,
    *,
    people: int | None = None,
    progress: Progress | None = None,
) -> tuple[Path, Outcome]:
    """Build one shard into a folder of `out`: that folder, and whether there was anything to do.

    people  how many people or stages the whole has; default: as many as the release

    A shard that is there already, whole and of the same dataset, is left as it is. One that is damaged,
    `shard.json` included, is built anew. Two processes that build the same shard build it once. Memory
    does not grow with the shard.
    """
    known, spec = population(dataset, people)
    builder = in_parts(known)
    try:
        plan = builder.plan(spec)
    except ValueError as error:
        raise OtherMindsError(f"Cannot build {dataset}: {error}") from error
    numbers = which.parts(plan.count)
    wanted = Facts(
        dataset=dataset,
        version=known.version,
        generator=dict(known.generator or {}),
        shard=which.number,
        of=which.of,
        rows={},
        sha256={},
        software={
            "otherminds": __version__,
            **{name: metadata.version(name) for name in _SOFTWARE},
        },
        audits=[],
    )
    kept: list[Part] = []
    head_spec, head_parts = None, 0
    if which.number == 1 and known != manifest.load(dataset):
        mine = sum(map(plan.people, numbers))
        head_spec, head_parts = builder.head(spec, min(mine, _people_of_release(known)))
    folder = out / which.folder
    # Hidden, so that `shard-*` names shards only.
    with building.alone(folder, out / f".{which.folder}.lock"):
        outcome = Outcome.REBUILT if folder.exists() else Outcome.BUILT
        if outcome is Outcome.REBUILT and _is_whole(folder, wanted):
            return folder, Outcome.KEPT
        with files.atomic_folder(folder) as partial:
            rows = _written(partial, plan.parts(run, progress, numbers), kept, head_parts)
            audits = [] if head_spec is None else _audited(builder, head_spec, kept, dataset)
            made = wanted.model_copy(
                update={
                    "rows": rows,
                    "sha256": {name: files.sha256(parquet(partial, name)) for name in rows},
                    "audits": audits,
                }
            )
            (partial / FACTS).write_text(made.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return folder, outcome


def facts(folder: Path) -> Facts:
    """The facts that a shard states of itself."""
    try:
        return Facts.model_validate_json((folder / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OtherMindsError(
            f"{folder} is not a shard: {FACTS} is missing or unreadable. "
            "`otherminds build DATASET OUT --shard I/N` makes them, and makes a damaged one anew; with "
            "--people or --stages where it is one of a population."
        ) from error


def intact(folder: Path, found: Facts) -> bool:
    """Whether the shard's files are as they were written."""
    return all(
        parquet(folder, name).is_file() and files.sha256(parquet(folder, name)) == digest
        for name, digest in found.sha256.items()
    )


def _is_whole(folder: Path, wanted: Facts) -> bool:
    """Whether the shard is as it was written. Raises OtherMindsError for one of another dataset."""
    try:
        found = facts(folder)
    except OtherMindsError:
        # Nothing else has that name: its facts were deleted or cut short.
        if folder.is_dir():
            return False
        raise
    if found.whole != wanted.whole:
        raise OtherMindsError(
            f"{folder} is a shard of {different(found, wanted)}. Give another folder, or remove it."
        )
    return intact(folder, found)


def different(one: Facts, other: Facts) -> str:
    """In words: the first fact in which `one` and `other` differ."""
    for name in ("dataset", "version", "generator", "of", "software"):
        ours, theirs = getattr(one, name), getattr(other, name)
        if ours != theirs:
            return f"another {'number of shards' if name == 'of' else name}: {ours}, not {theirs}"
    return "the same dataset"


def read(folders: Sequence[Path], name: str) -> Iterator[pa.Table]:
    """The tables of that name in shards, part by part."""
    for folder in folders:
        path = parquet(folder, name)
        if path.is_file():
            with pq.ParquetFile(path) as stored:
                for number in range(stored.num_row_groups):
                    yield stored.read_row_group(number)


def parquet(folder: Path, name: str) -> Path:
    """Where a shard has the rows of a table."""
    return folder / f"{name}.parquet"


def _written(
    folder: Path, parts: Iterator[Part], kept: list[Part], head_parts: int
) -> dict[str, int]:
    """Write the parts, and keep the first ones too; the number of rows by name."""
    rows: dict[str, int] = {}
    writers: dict[str, Any] = {}
    with ExitStack() as open_files:
        for part in parts:
            if len(kept) < head_parts:
                kept.append(part)
            for name, table in part.items():
                if name not in writers:
                    writer = pq.ParquetWriter(
                        parquet(folder, name), table.schema, compression="zstd"
                    )
                    writers[name] = open_files.enter_context(writer)
                writers[name].write_table(table, row_group_size=max(table.num_rows, 1))
                rows[name] = rows.get(name, 0) + table.num_rows
    return rows


def _audited(builder: InParts, spec: Any, kept: list[Part], dataset: str) -> list[dict[str, Any]]:
    tables = whole(builder.plan(spec).assembled(reader(kept)))
    audits = builder.audit(tables, spec)
    building.refuse_failed(dataset, audits)
    return [building.as_json(audit) for audit in audits]


def _people_of_release(known: Manifest) -> int:
    builder = in_parts(known)
    release = builder.plan(builder.spec(manifest.load(known.dataset).generator or {}))
    return sum(map(release.people, range(release.count)))


def folders_in(paths: Sequence[Path]) -> list[Path]:
    """The shards among folders of shards and folders of folders of shards."""
    found = []
    for path in paths:
        inside = sorted(one.parent for one in path.glob(f"shard-*/{FACTS}"))
        found += inside or [path]
    return found
