"""The local cache of generated data: what is asked for is there, or is built.

The folder of a dataset's version holds some of its configurations, or all; a slice that was built alone
(`lite`) lies in one beside it until the whole is there.

Rows are those of the manifest's content hashes: a folder's own checksums, which somebody may mend, do
not vouch for them. What was hashed is remembered outside the folders, and hashed again when its files
are others by size, times or inode. That finds accidents and careless edits, not an owner of the cache
who writes this memory too.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from filelock import FileLock, Timeout

from otherminds import console, files, manifest, paths
from otherminds.data.repository import rows as repository
from otherminds.errors import OtherMindsError
from otherminds.errors import kept as saying
from otherminds.manifest import Manifest
from otherminds.types import Say


def cached(dataset: str) -> Path:
    """The folder of this version of a generated dataset in the local cache, built if need be.

    A cached build that does not match the manifest, or whose files have been altered, is built
    again. Two processes that need it at once build it once, and a build that was killed goes on.
    """
    return ensure(dataset, list(manifest.load(dataset).configs))


def is_cached(dataset: str, *, note: Say = lambda _: None) -> bool:
    """Whether the local cache holds all of this version of a generated dataset, unaltered.

    note  is told of rows that somebody has changed, with checksums that agree with them
    """
    known = manifest.load(dataset)
    return _intact(folder_of(known), known, known.configs, note=note)


def read(dataset: str, config: str, part: str | None = None) -> pa.Table:
    """The rows of one configuration, or where these are not there, of a slice of it; built if need be.

    When they were built, they had the content hash that the manifest has for the configuration, or for
    the slice of it; and their files are still those that were written then, by their SHA-256.
    """
    # Others may put a folder with more configurations in the place of the one that is read, or remove
    # a slice because the whole is there now: both happen less often than there are configurations.
    for _ in manifest.load(dataset).configs:
        folder = ensure(dataset, [config], part)
        with contextlib.suppress(OtherMindsError, OSError):
            return repository.read(folder, config)
    return repository.read(ensure(dataset, [config], part), config)


def ensure(dataset: str, configs: Sequence[str], part: str | None = None) -> Path:
    """A folder of the cache that holds some configurations, or a slice of them; built if need be."""
    known = manifest.load(dataset)
    if unknown_ones := [config for config in configs if config not in known.configs]:
        raise no_config(known, unknown_ones[0])
    folder = folder_of(known)
    if not _intact(folder, known, configs):
        if part is not None and set(configs) <= known.slices[part].rows.keys():
            from otherminds.data.build import kept

            alone, only = folder_of(known, part), kept.of_slice(known, part)
            if not _intact(alone, only, configs):
                _build(only, alone, configs, part, f"the part '{part}' of {dataset}")
            return alone
        _build(known, folder, configs, None, dataset)
    _remove_slices(known, folder)
    return folder


def folder_of(known: Manifest, part: str | None = None) -> Path:
    """The place in the cache of a dataset, or of a slice of it that is built alone."""
    name = known.version if part is None else f"{known.version}-{part}"
    return paths.cache_home() / known.dataset / name


def own(known: Manifest, place: Path) -> Path:
    """The folder of the project's own release, built from its source in the package if need be."""
    from otherminds.data.build import dataset as build

    sums = "".join(sorted(files.sha256(path) for path in place.iterdir() if path.is_file()))
    name = hashlib.sha256(f"{known.version} {sums}".encode()).hexdigest()[:16]
    folder = paths.cache_home() / known.dataset / f"kept-{name}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.parent / f".kept-{name}.lock"):
            if not folder.exists():
                build.build(known.dataset, folder, source=place)
    return folder


def no_config(known: Manifest, config: str) -> OtherMindsError:
    """The error for a configuration that a dataset does not have."""
    return OtherMindsError(
        f"The dataset '{known.dataset}' has no configuration '{config}'; "
        f"it has: {', '.join(known.configs)}."
    )


def _build(
    known: Manifest, folder: Path, configs: Sequence[str], part: str | None, what: str
) -> None:
    from otherminds.data.build import dataset as build
    from otherminds.data.build import kept
    from otherminds.progress import bar

    def said() -> str:
        if kept.started(known, folder, part):
            return "Finished parts of the data are kept: the same command goes on from them."
        return "No part of the data was finished: the same command begins anew."

    with saying(said), build.alone(folder, _lock_of(folder)):
        # Another process may have built them meanwhile.
        if _intact(folder, known, configs, note=console.note):
            return
        again = ", from where it was stopped" if kept.started(known, folder, part) else ""
        with bar(f"Building {what} {known.version}, once{again}") as progress:
            kept.fill(known, folder, configs, part=part, progress=progress)
        for config in configs:
            with contextlib.suppress(OtherMindsError, OSError):
                _remember(folder, known, config, _facts(folder, known, config))


def _intact(
    folder: Path, known: Manifest, configs: Iterable[str], *, note: Say = lambda _: None
) -> bool:
    """Whether a folder holds the rows of these configurations that the manifest has the hashes of.

    note  is told of rows that somebody has changed, with checksums that agree with them
    """
    if not repository.intact(folder, known, configs):
        return False
    if altered := [config for config in configs if not _as_released(folder, known, config)]:
        note(
            f"The cached rows of {known.dataset} ({', '.join(altered)}) are not those of version "
            f"{known.version}: somebody has changed them in {folder}. They are built again."
        )
    return not altered


def _as_released(folder: Path, known: Manifest, config: str) -> bool:
    try:
        # Before the rows are read: what is changed while they are hashed is hashed again.
        facts = _facts(folder, known, config)
        if _remembered(folder, known).get(config) == facts:
            return True
        from otherminds.data.build import dataset as build

        found = build.content_hash(known, repository.read(folder, config))
    # What Arrow and the builders' hashes raise for files and columns of another kind.
    except (OtherMindsError, OSError, ValueError, LookupError, TypeError):
        return False
    if found != known.configs[config].content_hash:
        return False
    _remember(folder, known, config, facts)
    return True


def _facts(folder: Path, known: Manifest, config: str) -> list[Any]:
    """What changes when other rows are put in the place of a configuration's."""
    found = [(name, (folder / name).stat()) for name in repository.data_files(folder, config)]
    states = [
        [name, one.st_size, one.st_mtime_ns, one.st_ctime_ns, one.st_ino] for name, one in found
    ]
    return [known.configs[config].content_hash, states]


def _memory_of(folder: Path, known: Manifest) -> Path:
    return paths.cache_home() / ".verified" / f"{known.dataset}-{folder.name}.json"


def _remembered(folder: Path, known: Manifest) -> dict[str, Any]:
    try:
        found = json.loads(_memory_of(folder, known).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(folder: Path, known: Manifest, config: str, facts: list[Any]) -> None:
    # In a cache that cannot be written, rows are hashed at every run.
    with contextlib.suppress(OtherMindsError, OSError):
        place = _memory_of(folder, known)
        place.parent.mkdir(parents=True, exist_ok=True)
        found = {**_remembered(folder, known), config: facts}
        files.write_json(place, found)


def _remove_slices(known: Manifest, folder: Path) -> None:
    """Remove slices that were built alone, and leftovers of such builds, if `folder` has their rows."""
    if not known.slices:
        return
    from otherminds.data.build import kept

    for name, facts in known.slices.items():
        alone = folder_of(known, name)
        left = [path for path in (alone, kept.parts_of(alone)) if path.exists()]
        if left and repository.intact(folder, known, facts.rows):
            # Whoever builds it now goes on; a cache that cannot be written stays as it is.
            with contextlib.suppress(Timeout, OSError), FileLock(_lock_of(alone), timeout=0):
                for path in left:
                    shutil.rmtree(path, ignore_errors=True)


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")
