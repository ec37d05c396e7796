"""Builds of generated data in the local cache: of what is asked for, and going on where one was killed.

A dataset that is built in parts leaves each finished part in a hidden folder beside the build, until
the build is done. Rows are kept only where they have the content hashes of the manifest. These rows
were audited when they were released, and so are not audited again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import feather

from otherminds import __version__, files
from otherminds.data.build import dataset as building
from otherminds.data.repository import rows
from otherminds.dataset_builders.parts import Part, Plan
from otherminds.errors import OtherMindsError
from otherminds.manifest import Config, Manifest
from otherminds.types import Progress

_SOFTWARE = ("numpy", "networkx", "pyarrow")
_SUFFIX = ".parts"
_MISFIT = (OtherMindsError, ValueError, LookupError, TypeError, NotImplementedError)
"""What builders and Arrow raise for a part of other tables or columns."""


def of_slice(known: Manifest, name: str) -> Manifest:
    """The manifest of a slice, as of a dataset of its own with fewer rows."""
    found = known.slices[name]
    configs = {
        config: Config(
            description=known.configs[config].description,
            splits={"test": found.rows[config]},
            content_hash=found.content_hash[config],
        )
        for config in found.rows
    }
    return known.model_copy(update={"configs": configs, "slices": {}})


def fill(
    known: Manifest,
    folder: Path,
    configs: Sequence[str],
    *,
    part: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Build some configurations into a folder of the cache, beside those that it holds already.

    part  the slice of the dataset that `known` is the manifest of; see `of_slice`

    More is built only where it comes with what is asked for. Callers hold the folder's lock. Raises
    OtherMindsError where the rows are not those of the manifest's hashes.
    """
    builder: Any = building.builder_of(known)
    spec = builder.spec(known.generator or {})
    work = _work(known, folder, part)
    _remove_others(work)

    def made() -> dict[str, pa.Table]:
        tables = _tables(builder, spec, configs, part, work, progress)
        building.check_content(known, tables)
        return tables

    resumed = work.is_dir()
    try:
        try:
            tables = made()
        except _MISFIT as error:
            # Where a disk is full, the parts are not to blame.
            if not resumed or isinstance(error.__cause__, OSError):
                raise
            # Parts of an altered installation of the same version do not fit.
            shutil.rmtree(work)
            tables = made()
    except ValueError as error:
        raise OtherMindsError(f"Cannot build {known.dataset}: {error}") from error
    except OSError as error:
        raise building.no_room(error) from error
    _write(known, folder, tables)
    shutil.rmtree(work.parent, ignore_errors=True)


def started(known: Manifest, folder: Path, part: str | None = None) -> bool:
    """Whether there are finished parts that `fill` goes on from."""
    return any(_work(known, folder, part).glob("[0-9]*"))


def parts_of(folder: Path) -> Path:
    """Where the finished parts of a build of this folder are kept until it is done."""
    return folder.with_name(f".{folder.name}{_SUFFIX}")


def _tables(
    builder: Any,
    spec: Any,
    configs: Sequence[str],
    part: str | None,
    work: Path,
    progress: Progress | None,
) -> dict[str, pa.Table]:
    if part is None and not hasattr(builder, "plan"):
        made: dict[str, pa.Table] = builder.build(spec, num_proc=1, progress=progress)
        return made
    plan: Plan = builder.plan(spec) if part is None else builder.sliced(spec, part)
    numbers = plan.needed(configs)
    return plan.only(partial(_keeping, work, numbers), numbers, progress)


@contextmanager
def _keeping(
    work: Path, numbers: Sequence[int], build: Callable[[Any], Part], tasks: Iterable[Any]
) -> Iterator[Iterator[Part]]:
    """Build tasks in turn, of which finished ones are read: a `parts.Run`."""
    yield (
        _part(work / f"{number:05d}", build, task)
        for number, task in zip(numbers, tasks, strict=True)
    )


def _part(place: Path, build: Callable[[Any], Part], task: Any) -> Part:
    try:
        # Arrow's own files, unlike Parquet, have just the schema that was written.
        if found := sorted(place.glob("*.arrow")):
            return {path.stem: feather.read_table(path) for path in found}
    except (OSError, pa.ArrowInvalid):  # damaged, as by a full disk
        shutil.rmtree(place)
    made = build(task)
    with files.atomic_folder(place) as partial_folder:
        for name, table in made.items():
            feather.write_feather(table, partial_folder / f"{name}.arrow", compression="zstd")
    return made


def _write(known: Manifest, folder: Path, tables: dict[str, pa.Table]) -> None:
    others = [
        config
        for config in known.configs
        if config not in tables and rows.intact(folder, known, [config])
    ]
    with files.atomic_folder(folder) as partial_folder:
        rows.write_tables(partial_folder, tables)
        for config in others:
            shutil.copytree(folder / "data" / config, partial_folder / "data" / config)
        rows.seal(partial_folder, known)


def _work(known: Manifest, folder: Path, part: str | None) -> Path:
    """The place of finished parts, named after all that they depend on, as far as it can be known."""
    builder: Any = building.builder_of(known)
    spec = builder.spec(known.generator or {})
    software = [__version__, *(metadata.version(name) for name in _SOFTWARE)]
    facts = [known.dataset, known.version, repr(spec), part, *software]
    return parts_of(folder) / hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def _remove_others(work: Path) -> None:
    for other in work.parent.glob("*"):
        if other != work:
            shutil.rmtree(other, ignore_errors=True)
