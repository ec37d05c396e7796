"""The files of a dataset's folder that its rows are read from: a whole repository has more beside them.

manifest.yaml           facts and numbers
data/<config>/test-00000-of-00001.parquet, or more of them in a large population
checksums.json          SHA-256 of every other file, by path
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from otherminds import files, manifest
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest

CHECKSUMS = "checksums.json"
MANIFEST = "manifest.yaml"

# One person's items lie together and repeat the same transcript: zstd finds it, and row groups
# of a thousand keep a reader's memory flat.
COMPRESSION = "zstd"
ROW_GROUP = 1_000


def write(folder: Path, dataset: Manifest, tables: Mapping[str, pa.Table]) -> None:
    """Write the files that rows are read from into the existing, empty `folder`."""
    write_tables(folder, tables)
    seal(folder, dataset)


def write_tables(folder: Path, tables: Mapping[str, pa.Table]) -> None:
    """Write the rows of each configuration."""
    for config, table in tables.items():
        target = parquet_path(folder, config)
        target.parent.mkdir(parents=True)
        pq.write_table(table, target, compression=COMPRESSION, row_group_size=ROW_GROUP)


def seal(folder: Path, dataset: Manifest) -> None:
    """Write the manifest, and last the checksums of all files."""
    (folder / MANIFEST).write_text(manifest.dump(dataset), encoding="utf-8")
    sums = {
        path.relative_to(folder).as_posix(): files.sha256(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    text = json.dumps(sums, indent=2, ensure_ascii=False) + "\n"
    (folder / CHECKSUMS).write_text(text, encoding="utf-8")


def read(folder: Path, config: str) -> pa.Table:
    """The rows of one configuration, after `check`."""
    check(folder, config)
    return pa.concat_tables([pq.read_table(folder / name) for name in data_files(folder, config)])


def check(folder: Path, config: str) -> None:
    """Raise OtherMindsError unless the configuration's files are there and as they were written."""
    sums = checksums(folder)
    names = data_files(folder, config)
    if not names or not all((folder / name).is_file() for name in names):
        expected = parquet_path(folder, config).relative_to(folder).as_posix()
        raise OtherMindsError(f"{folder} has no configuration '{config}' (expected {expected}).")
    for name in names:
        if files.sha256(folder / name) != sums[name]:
            raise OtherMindsError(
                f"{folder / name} is corrupted: its SHA-256 differs from the one in {CHECKSUMS}. "
                "Build it again."
            )


def intact(folder: Path, known: Manifest, configs: Iterable[str]) -> bool:
    """Whether a folder holds these configurations as the manifest has them."""
    try:
        if manifest_of(folder).configs != known.configs:
            return False
        for config in configs:
            check(folder, config)
    except (OtherMindsError, OSError):  # OSError: removed by others after it was found
        return False
    return True


def manifest_of(folder: Path) -> Manifest:
    """The manifest that the repository was built with."""
    return manifest.read(folder / MANIFEST)


def parquet_path(folder: Path, config: str) -> Path:
    """Where a configuration's rows lie that are in one file."""
    return folder / "data" / config / "test-00000-of-00001.parquet"


def checksums(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file of the repository, by path, as it was written."""
    path = folder / CHECKSUMS
    try:
        sums = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OtherMindsError(
            f"{folder} is not a dataset written by `otherminds build` ({CHECKSUMS} is missing or "
            "not JSON). Build it with `otherminds build DATASET OUT`."
        ) from error
    if not isinstance(sums, dict):
        raise OtherMindsError(f"{path} does not map file names to checksums. Build it again.")
    return sums


def data_files(folder: Path, config: str) -> list[str]:
    """The files of a configuration's rows, in order."""
    return sorted(name for name in checksums(folder) if name.startswith(f"data/{config}/"))
