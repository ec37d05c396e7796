"""Building datasets: into a folder of the user's, or into the local cache."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, cast

import pyarrow as pa
from filelock import FileLock

from otherminds import dataset_card, files, manifest, paths, repository
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.progress import bar

Progress = Callable[[int, int], None]


class Audit(Protocol):
    """The outcome of one check of built data."""

    name: str
    passed: bool
    value: Any
    detail: str


class Builder(Protocol):
    """What the module that a manifest names as `builder` offers."""

    def spec(self, generator: Mapping[str, Any]) -> Any:
        """The checked parameters, from the manifest's `generator`."""

    def build(self, spec: Any, *, num_proc: int, progress: Progress | None) -> dict[str, pa.Table]:
        """One table per configuration."""

    def audit(self, tables: Mapping[str, pa.Table], spec: Any) -> list[Audit]:
        """Check the tables; faults of the data are failed audits, not exceptions."""

    def content_hash(self, table: pa.Table) -> str:
        """A hash of the rows' content, whatever file they are stored in."""


def builder_of(known: Manifest) -> Builder:
    """The builder module of a dataset."""
    if known.builder is None or not known.generated:
        raise OtherMindsError(
            f"'{known.dataset}' cannot be built here; it comes from {known.sources[0].name}. Tasks read "
            "it from there and keep no copy."
        )
    return cast(Builder, importlib.import_module(f"otherminds.dataset_builders.{known.builder}"))


def build(
    dataset: str, out: Path, *, num_proc: int = 1, progress: Progress | None = None
) -> list[Audit]:
    """Build, audit and write the repository of `dataset` to the folder `out`, all or nothing.

    `out` must be empty or absent, or hold an earlier build of the same dataset. Raises
    OtherMindsError when an audit fails or when the content differs from the manifest's hash.
    """
    known = manifest.load(dataset)
    _check_target(out, dataset)
    builder = builder_of(known)
    try:
        spec = builder.spec(known.generator or {})
        tables = builder.build(spec, num_proc=num_proc, progress=progress)
    except ValueError as error:
        raise OtherMindsError(f"Cannot build {dataset}: {error}") from error
    audits = builder.audit(tables, spec)
    failed = [audit for audit in audits if not audit.passed]
    if failed:
        raise OtherMindsError(
            f"{len(failed)} of {len(audits)} audits of {dataset} failed, nothing was written: "
            + "; ".join(f"{audit.name}: {audit.detail}" for audit in failed)
        )
    _check_content(known, tables, builder)
    with files.atomic_folder(out) as folder:
        card = dataset_card.render(known, tables)
        repository.write(folder, known, tables, card, map(_as_json, audits))
    return audits


def cached(dataset: str) -> Path:
    """The folder of this version of a generated dataset in the local cache, built if need be.

    A cached build that does not match the manifest, or whose files have been altered, is built
    again. Two processes that need it at once build it once.
    """
    known = manifest.load(dataset)
    folder = paths.cache_home() / dataset / known.version
    if _intact(folder, known):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.with_name(f"{folder.name}.lock"))
        lock.acquire()
    except OSError as error:
        raise files.unwritable(folder.parent, error) from error
    try:
        if not _intact(folder, known):
            files.remove_leftovers(folder)
            with bar(f"Building {dataset} {known.version}, once") as progress:
                build(dataset, folder, progress=progress)
    finally:
        lock.release()
    return folder


def _intact(folder: Path, known: Manifest) -> bool:
    try:
        if repository.manifest_of(folder).configs != known.configs:
            return False
        for config in known.configs:
            repository.check(folder, config)
    except OtherMindsError:
        return False
    return True


def _check_content(known: Manifest, tables: Mapping[str, pa.Table], builder: Builder) -> None:
    for config, facts in known.configs.items():
        found = builder.content_hash(tables[config])
        if found != facts.content_hash:
            raise OtherMindsError(
                f"Built '{known.dataset}' ({config}), but its content hash is {found[:12]}…, not "
                f"{str(facts.content_hash)[:12]}… as version {known.version} says. Scores on it would "
                "not be comparable. Install the versions of numpy and networkx that the release "
                "names, or load the data from the Hub with data_source=hub."
            )


def _check_target(out: Path, dataset: str) -> None:
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    try:
        if out.is_dir() and repository.manifest_of(out).dataset == dataset:
            return
    except OtherMindsError:
        pass
    raise OtherMindsError(
        f"{out} exists and is not an earlier build of {dataset}; give an empty or new folder."
    )


def _as_json(audit: Audit) -> dict[str, Any]:
    return {
        "name": audit.name,
        "passed": audit.passed,
        "value": audit.value,
        "detail": audit.detail,
    }
