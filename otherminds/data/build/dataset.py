"""Building datasets."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, cast

import pyarrow as pa
from filelock import FileLock

from otherminds import files, manifest, paths
from otherminds.benchmark import builder_module
from otherminds.data import kept
from otherminds.data.build import engines
from otherminds.data.repository import licences
from otherminds.data.repository import write as repository
from otherminds.dataset_builders import constructed
from otherminds.dataset_builders.parts import Run
from otherminds.dataset_builders.sources import Built
from otherminds.dataset_builders.verdict import Audit
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.manifest import Config, Manifest, Students
from otherminds.types import Progress


class Builder(Protocol):
    """The interface of the module that a manifest names as `builder`.

    Where audits take long, a module has `audit_by(tables, spec, *, num_proc)`, too: the same audits, in so
    many processes.
    """

    def spec(self, generator: Mapping[str, Any]) -> Any:
        """The checked parameters, from the manifest's `generator`."""

    def build(self, spec: Any, *, num_proc: int, progress: Progress | None) -> dict[str, pa.Table]:
        """One table per configuration."""

    def audit(self, tables: Mapping[str, pa.Table], spec: Any) -> list[Audit]:
        """Check the tables; faults of the data are failed audits, not exceptions."""

    def content_hash(self, table: pa.Table) -> str:
        """A hash of the rows' content, whatever file they are stored in."""


class SourceBuilder(Protocol):
    """The interface of a module that builds a dataset from a file of others."""

    def spec(self, parameters: Mapping[str, Any]) -> Any:
        """The checked parameters, from the manifest."""

    def build(self, source: Path, spec: Any, *, progress: Progress | None, **options: Any) -> Built:
        """The items of the file or folder `source`; ValueError for one that cannot be read.

        A builder whose manifest says that it is resumable also takes a folder `work`, which it keeps
        finished parts in. One whose source has titles also takes who judges them: a TitleJudge as
        `judge`, and its method as `judged`, which is called once when all titles were judged.
        """

    def audit(self, built: Any, spec: Any) -> list[Audit]:
        """Check the built data; their faults are failed audits, not exceptions."""

    def content_hash(self, table: pa.Table) -> str:
        """A hash of the rows' content, whatever file they are stored in."""


Study = Callable[[Manifest, Mapping[str, pa.Table]], Students | None]
"""Trains students on tables; None where there is nothing that they could learn."""


class TitleJudge(Protocol):
    """Who decides which titles of a corpus are statements, in place of the builder's rules."""

    @property
    def dataset(self) -> str:
        """The dataset whose titles it judges."""

    @property
    def tag(self) -> str:
        """Marks the version of data that are built with it."""

    def __call__(self, title: str) -> str | None:
        """Why a title is not a statement, or None where it is one."""

    def judged(self) -> Mapping[str, int]:
        """Its counts; raises OtherMindsError where it judged no title."""

    def audits(self) -> Sequence[Audit]:
        """Who it is and how much it judged, for the record of the build."""


def source_builder_of(known: Manifest) -> SourceBuilder:
    """The builder module of a dataset that is built from a file that the user provides."""
    return cast(SourceBuilder, builder_module(known))


def builder_of(known: Manifest) -> Builder:
    """The builder module of a generated dataset."""
    if known.builder is None or not known.generated:
        raise OtherMindsError(
            f"'{known.dataset}' cannot be built here; it comes from {known.sources[0].name}. Tasks read "
            "it from there and keep no copy."
        )
    return cast(Builder, builder_module(known))


def build(
    dataset: str,
    out: Path,
    *,
    source: Path | None = None,
    judge: TitleJudge | None = None,
    embedding: str | None = None,
    num_proc: int = 1,
    run: Run | None = None,
    study: Study | None = None,
    progress: Progress | None = None,
) -> list[Audit]:
    """Build, audit and write the repository of `dataset` to the folder `out`, all or nothing.

    `out` must be empty or absent, or hold an earlier build of the same dataset. `source` is the file or
    folder that a dataset is built from which is not generated; that of the project's own release is in
    the package. `judge` decides which of its titles are
    statements (`Benchmark.titles`); version and `measured` of the manifest then
    say so. `embedding` is a sentence-transformers model (a folder, or on the Hub) in the place of its own,
    and version and parameters of the manifest then say so.
    `run` builds the parts of a dataset that is built in parts, in place of `num_proc` processes.
    `study` trains students on data that are built from a source, for manifest and card.
    Raises OtherMindsError when an audit fails, and when generated content differs from the manifest's
    hash.
    """
    known = manifest.load(dataset)
    if judge is not None and judge.dataset != dataset:
        raise OtherMindsError(
            f"'{dataset}' has no titles to judge, only '{judge.dataset}' has: leave the titles out."
        )
    if embedding is not None:
        known = _embedded(known, embedding)
    check_target(out, dataset)
    if known.handed is not None:
        return _build_from(known, source, out, judge, study, progress)
    if source is not None:
        raise OtherMindsError(f"'{dataset}' is not built from a file: leave the source out.")
    builder = builder_of(known)
    try:
        spec = builder.spec(known.generator or {})
        plan = getattr(builder, "plan", None)
        if run is None or plan is None:
            tables = builder.build(spec, num_proc=num_proc, progress=progress)
        else:
            tables = plan(spec).tables(run, progress)
    except ValueError as error:
        raise OtherMindsError(f"Cannot build {dataset}: {error}") from error
    except BrokenExecutor as error:
        raise engines.killed(error) from error
    except OSError as error:
        raise no_room(error) from error
    return finish(known, builder, spec, tables, out, num_proc=num_proc)


def no_room(error: OSError) -> OtherMindsError:
    """The error for parts of a build that cannot be put where temporary files are."""
    return files.unwritable(Path(tempfile.gettempdir()), error)


def audited(
    builder: Builder, tables: Mapping[str, pa.Table], spec: Any, num_proc: int = 1
) -> list[Audit]:
    """The audits of a build, in so many processes where the builder can make them so."""
    made_by: Callable[..., list[Audit]] | None = getattr(builder, "audit_by", None)
    if made_by is None:
        return builder.audit(tables, spec)
    return made_by(tables, spec, num_proc=num_proc)


def _embedded(known: Manifest, model: str) -> Manifest:
    """The manifest of a dataset whose texts another embedding model compares.

    Raises OtherMindsError for a dataset that compares none.
    """
    if known.handed is None or not hasattr(source_builder_of(known).spec(known.parameters), "model"):
        raise OtherMindsError(
            f"'{known.dataset}' is built without an embedding model: leave --embedding-model out."
        )
    tag = re.sub(r"[^A-Za-z0-9]+", "-", Path(model).name).strip("-") or "other"
    return known.model_copy(
        update={
            "parameters": {**known.parameters, "model": model},
            "version": f"{known.version}+embedding.{tag}",
        }
    )


def finish(
    known: Manifest,
    builder: Builder,
    spec: Any,
    tables: Mapping[str, pa.Table],
    out: Path,
    *,
    num_proc: int = 1,
) -> list[Audit]:
    """Audit the tables of a release, compare them with its hashes, and write its repository.

    Raises OtherMindsError as `build` does.
    """
    audits = audited(builder, tables, spec, num_proc)
    refuse_failed(known.dataset, audits)
    check_content(known, tables)
    _write(known, tables, audits, out, licence=licences.of_project())
    return audits


def content_hash(known: Manifest, rows: pa.Table) -> str:
    """The hash of the rows' content, by the builder that the manifest names."""
    builder = source_builder_of(known) if known.handed is not None else builder_of(known)
    return builder.content_hash(rows)


def described(known: Manifest, tables: Mapping[str, pa.Table]) -> dict[str, Config]:
    """The configurations of a manifest with the counts and content hashes of these tables."""
    return {
        name: facts.model_copy(
            update={
                "splits": {"test": tables[name].num_rows},
                "content_hash": content_hash(known, tables[name]),
            }
        )
        for name, facts in known.configs.items()
    }


def source_needed(known: Manifest) -> AccessNeededError:
    """The error for a dataset whose source is not here: what it is, how to get it, what runs without."""
    if known.handed is None:
        return AccessNeededError(f"Build it with `otherminds build {known.dataset} OUT`.")
    alone = "" if known.handed.without_it else " No task of this benchmark runs without it."
    return AccessNeededError(
        f"'{known.dataset}' is built from {known.handed.what}.{alone}",
        steps=known.handed.steps,
        instead=known.handed.without_it,
    )


def _build_from(
    known: Manifest,
    source: Path | None,
    out: Path,
    judge: TitleJudge | None,
    study: Study | None,
    progress: Progress | None,
) -> list[Audit]:
    source = source or kept.source(known)
    if source is None:
        raise source_needed(known)
    builder = source_builder_of(known)
    try:
        spec = builder.spec(known.parameters)
        options: dict[str, Any] = {}
        work = paths.cache_home() / "work" / known.dataset
        if judge is not None:
            options |= {"judge": judge, "judged": judge.judged}
        if known.handed is not None and known.handed.resumable:
            options["work"] = work
        built = builder.build(source, spec, progress=progress, **options)
    except ValueError as error:
        raise OtherMindsError(f"Cannot build {known.dataset}: {error}") from error
    audits = builder.audit(built, spec)
    version = known.version
    if judge is not None:
        audits = [*audits, *judge.audits()]
        version = f"{version}+{judge.tag}"
    refuse_failed(known.dataset, audits)
    tables = {known.default_config: built.table, **built.also}
    measured = {audit.name: audit.value for audit in audits}
    made = known.model_copy(
        update={
            "version": version,
            "configs": described(known, tables),
            "measured": measured,
            "construction": built.construction,
        }
    )
    if study is not None:
        made = made.model_copy(update={"students": study(made, tables)})
    elif made.configs != known.configs:
        # What students found is of the release's rows.
        made = made.model_copy(update={"students": None})
    funnel = [step.as_json() for step in built.funnel]
    if built.construction is None:
        _write(made, tables, audits, out, funnel, licence=licences.of_source(source))
    else:
        # The texts were written for this dataset, which is published as what is generated is.
        units = constructed.read(source).provenance
        _write(made, tables, audits, out, funnel, units, licence=licences.of_project())
    # It holds the names of the people that the corpus is about.
    shutil.rmtree(work, ignore_errors=True)
    return audits


def refuse_failed(dataset: str, audits: Sequence[Audit]) -> None:
    """Raise OtherMindsError if an audit failed that makes scores wrong."""
    failed = [audit for audit in audits if audit.refused]
    if failed:
        raise OtherMindsError(
            f"{len(failed)} of {len(audits)} audits of {dataset} failed, nothing was written: "
            + "; ".join(f"{audit.name}: {audit.detail}" for audit in failed)
        )


def _write(
    known: Manifest,
    tables: Mapping[str, pa.Table],
    audits: Sequence[Audit],
    out: Path,
    funnel: Sequence[Mapping[str, Any]] = (),
    provenance: Sequence[Mapping[str, Any]] = (),
    *,
    licence: str | None,
) -> None:
    with files.atomic_folder(out) as folder:
        checks = map(as_json, audits)
        repository.write(folder, known, tables, checks, funnel, licence, provenance=provenance)


@contextmanager
def alone(folder: Path, lock: Path) -> Iterator[None]:
    """Hold the file `lock`, which others wait for; remove the leftovers of a killed writer of `folder`.

    Both are in one folder, which is made. Raises OtherMindsError where nothing can be written.
    """
    held = FileLock(lock)
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        held.acquire()
    except OSError as error:
        raise files.unwritable(lock.parent, error) from error
    try:
        files.remove_leftovers(folder)
        yield
    finally:
        held.release()


def check_content(known: Manifest, tables: Mapping[str, pa.Table]) -> None:
    """Raise OtherMindsError unless the rows of each table are those of its configuration's hash."""
    for config in tables:
        facts = known.configs[config]
        found = content_hash(known, tables[config])
        if found != facts.content_hash:
            raise OtherMindsError(
                f"Built '{known.dataset}' ({config}), but its content hash is {found[:12]}…, not "
                f"{str(facts.content_hash)[:12]}… as version {known.version} says. Scores on it would "
                "not be comparable. Install the versions of numpy and networkx that the release "
                "names, or load the data from the Hub with data_source=hub."
            )


def check_target(out: Path, dataset: str) -> None:
    """Raise OtherMindsError unless `out` is new, empty, or an earlier build of the same dataset.

    And where it cannot be written.
    """
    files.check_folder(out.parent)
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


def as_json(audit: Audit) -> dict[str, Any]:
    """An audit as audit.json has it."""
    return {
        "name": audit.name,
        "passed": audit.passed,
        "value": audit.value,
        "detail": audit.detail,
        **({} if audit.kind == "fatal" else {"kind": audit.kind}),
    }
