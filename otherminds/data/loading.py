"""Access to the datasets: one way in for tasks, for the command line and for notebooks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from datasets import Dataset, DatasetDict
from datasets.table import InMemoryTable

from otherminds import manifest
from otherminds.benchmark import Benchmark, of_dataset
from otherminds.data import cache, kept, mapping
from otherminds.data.repository import rows as repository
from otherminds.errors import OtherMindsError, spare_traces_in_lm_eval
from otherminds.keys import refuse_slips
from otherminds.manifest import Manifest

# Every task that lm-eval loads imports this module.
spare_traces_in_lm_eval()

SPLIT = "test"
SUBSET_PREFIX = "in_subset_"

_FOLDERS: ContextVar[Mapping[str, Path]] = ContextVar("folders", default=MappingProxyType({}))


@dataclass(frozen=True)
class Origin:
    """Where a dataset's rows are taken from.

    version   of the data; "not a release" for upstream's data that are not the manifest's release
    location  a folder, or an id on the Hub
    note      a note for readers of scores on these rows, if there is any
    """

    dataset: str
    version: str
    kind: Literal["folder", "cache", "hub", "clone"]
    location: str
    note: str | None = None


def load(
    dataset: str, config: str, *, source: str | None = None, revision: str | None = None
) -> DatasetDict:
    """The rows of one configuration, under their only split, `test`.

    Of data that others publish (`upstream` in the manifest), the folders of 1 and 2 are clones of the
    authors' repository, 3 and 4 are left out, and the Hub's revision is upstream's; the rows are
    converted in memory and audited. For all others, the first of these that holds the dataset is used:

    1. `source`, when it is set: a folder written by `otherminds build`, or `"hub"`;
    2. the folder `$OTHERMINDS_DATA/<dataset>`;
    3. the local build cache, for this version of the dataset;
    4. a build, for generated datasets and for those whose own release has its source in the package; it
       is then kept in the cache. Any other dataset that is built from a file of others is only ever in
       the folders of 1 and 2;
    5. the Hub, at `revision`, or at the tag of this version.

    Raises OtherMindsError with the way out when the data cannot be had or do not match the manifest.
    """
    origin = locate(dataset, source=source, revision=revision)
    rows = _table(origin, config, revision)
    return DatasetDict({SPLIT: as_dataset(rows, origin, config)})


def locate(dataset: str, *, source: str | None = None, revision: str | None = None) -> Origin:
    """Find where `load` takes a dataset from; generated data are built when their rows are read.

    Data that others publish are read here already, because only their content identifies them.
    """
    known = manifest.load(dataset)
    if known.upstream is not None:
        return _of_upstream(known, source, revision)
    if source == "hub":
        return _on_hub(dataset, revision)
    if source is not None:
        return _folder(dataset, Path(source).expanduser())
    if revision is not None:
        raise _revision_without_hub()
    if (shelved := _shelved(dataset)) is not None:
        return _folder(dataset, shelved)
    if known.generated:
        return Origin(dataset, known.version, "cache", str(cache.folder_of(known)))
    if known.handed is not None:
        from otherminds.data.build import dataset as build

        if (own := kept.source(known)) is None:
            raise build.source_needed(known)
        return _folder(dataset, cache.own(known, own))
    return _on_hub(dataset, revision)


def provenance(
    dataset: str,
    configs: Sequence[str],
    *,
    data_source: str | None = None,
    data_revision: str | None = None,
    data_subset: int | None = None,
    **others: Any,
) -> dict[str, Any]:
    """The statement of a results file on which rows `for_task` takes for the same arguments.

    The content hash of each configuration is that of all its rows, also where fewer are asked. From
    the cache, it is the manifest's: what is built there is checked against it. Of a slice that is built
    alone (`lite`), the slice's own hash in the manifest was checked, and the configuration's is stated,
    though its other rows need not have been built. From elsewhere, it is of the rows as they are read.
    """
    origin = locate(dataset, source=data_source, revision=data_revision)
    switches = _switches_on(of_dataset(dataset), others)
    notes = [origin.note] if origin.note else []
    notes += [
        f"With {name}, other documents are asked than without: the scores cannot be compared."
        for name in switches
    ]
    return {
        "dataset": dataset,
        "version": origin.version,
        "source": origin.kind,
        "subset": data_subset,
        "content_hash": {name: content_hash(origin, name, data_revision) for name in configs},
        **({"switches": switches} if switches else {}),
        **({"note": " ".join(notes)} if notes else {}),
    }


def is_built_whole_first(dataset: str, metadata: Mapping[str, Any]) -> bool:
    """Whether `population` would build a whole dataset of which tasks can be asked a slice alone."""
    if not manifest.load(dataset).slices:
        return False
    origin = locate(
        dataset, source=metadata.get("data_source"), revision=metadata.get("data_revision")
    )
    return origin.kind == "cache" and not Path(origin.location).exists()


def population(
    wanted: Iterable[Mapping[str, Any]], metadata: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """All items of the datasets in some `dataset_kwargs`, with the columns that baselines learn from.

    Whatever subset, topic or ablation is run: a baseline that learns from people would otherwise be
    another one for every handful of them. Tasks that name no `configs` have documents of their own,
    which are not about a person.
    """
    docs: list[dict[str, Any]] = []
    for dataset in sorted({kwargs["dataset"] for kwargs in wanted if "configs" in kwargs}):
        benchmark = of_dataset(dataset)
        if not benchmark.items:
            continue
        rows = for_task(
            dataset=dataset,
            configs=_item_configs(benchmark, dataset),
            data_source=metadata.get("data_source"),
            data_revision=metadata.get("data_revision"),
        )[SPLIT]
        unread = () if benchmark.learned else benchmark.evidence
        docs += rows.remove_columns(list(unread)).to_list()
    return docs


def for_task(
    *,
    dataset: str,
    configs: Sequence[str],
    topic: str | None = None,
    evidence: str | None = None,
    data_source: str | None = None,
    data_revision: str | None = None,
    data_subset: int | None = None,
    **others: Any,
) -> dict[str, Dataset]:
    """The documents of a task: lm-eval's `custom_dataset` with the YAML's `dataset_kwargs`.

    `dataset`, `configs` (concatenated in this order), `topic` and `evidence` (an ablation of what is
    shown of the person) come from the task, as does a slice of the manifest (`lite: true`): where
    nothing holds the whole dataset, it is built alone, and it is for the task to leave out all other
    rows. `data_source`, `data_revision`, `data_subset` (50: the
    fixed subset of 50 people), the benchmark's switches (`mask_source`) and the parameters of the
    ablation come from `--metadata`. lm-eval passes everything in `--metadata` and `--model_args` too:
    of these, what is nearly a key of ours is refused (`keys.refuse_slips`), and the rest is ignored.
    """
    benchmark = of_dataset(dataset)
    ablation = None if evidence is None else benchmark.known_ablations.get(evidence)
    known = ablation.parameters if ablation else frozenset()
    refuse_slips(others, {*benchmark.keys, *benchmark.switches, *known})
    origin = locate(dataset, source=data_source, revision=data_revision)
    part = next((name for name in manifest.load(dataset).slices if others.get(name) is True), None)
    wanted = (origin, tuple(configs), topic, data_subset, data_revision, part)
    switches = _switches_on(benchmark, others)
    rows = _switched(benchmark, _documents(*wanted), others)
    if evidence is None:
        return {SPLIT: as_dataset(rows, *wanted, switches)}
    parameters = {name: others[name] for name in known if name in others}
    pool = _switched(
        benchmark,
        _documents(origin, _item_configs(benchmark, dataset), None, None, data_revision, None),
        others,
    )
    try:
        shown = benchmark.show(evidence, rows, pool=pool, **parameters)
    except ValueError as error:
        raise OtherMindsError(f"Cannot show the evidence '{evidence}': {error}") from error
    return {SPLIT: as_dataset(shown, *wanted, switches, evidence, sorted(parameters.items()))}


def _item_configs(benchmark: Benchmark, dataset: str) -> tuple[str, ...]:
    """The benchmark's configurations of items that a dataset has: not every edition has all."""
    known = manifest.load(dataset).configs
    return tuple(config for config in benchmark.items if config in known)


def _switches_on(benchmark: Benchmark, metadata: Mapping[str, Any]) -> list[str]:
    try:
        return benchmark.switches_on(metadata)
    except ValueError as error:
        raise OtherMindsError(f"{error}.") from error


def _switched(benchmark: Benchmark, rows: pa.Table, metadata: Mapping[str, Any]) -> pa.Table:
    try:
        return benchmark.switched(rows, metadata)
    except ValueError as error:
        raise OtherMindsError(f"Cannot ask these documents otherwise: {error}.") from error


@lru_cache(maxsize=4)
def _documents(
    origin: Origin,
    configs: tuple[str, ...],
    topic: str | None,
    subset: int | None,
    revision: str | None,
    part: str | None,
) -> pa.Table:
    rows = _in_order(origin, configs, revision, part)
    if subset is not None:
        rows = rows.filter(pc.field(_subset_column(origin.dataset, rows, subset)))
    if topic is not None:
        rows = rows.filter(pc.field("topic") == topic)
    if rows.num_rows == 0:
        chosen = {"topic": topic, "data_subset": subset}
        wanted = " and ".join(f"{name} {value}" for name, value in chosen.items() if value)
        raise OtherMindsError(
            f"'{origin.dataset}' from {origin.location} has no rows for {wanted or configs}; choose "
            "another task, or leave out data_subset."
        )
    return rows


def _in_order(
    origin: Origin, configs: tuple[str, ...], revision: str | None, part: str | None
) -> pa.Table:
    """The rows of some configurations, those together that show the same evidence."""
    benchmark = of_dataset(origin.dataset)

    if origin.kind != "cache":
        tables = [_table(origin, config, revision) for config in configs]
        return _by_person(pa.concat_tables(tables), benchmark)

    def ordered() -> pa.Table:
        # Not kept here: what is mapped from a file need not be in memory too.
        tables = [cache.read(origin.dataset, config, part) for config in configs]
        return _by_person(pa.concat_tables(tables), benchmark)

    # All at once: what is built for one may hold the others.
    folder = cache.ensure(origin.dataset, configs, part)
    sums = repository.checksums(folder)
    read = [[sums[name] for name in repository.data_files(folder, one)] for one in configs]
    return mapping.mapped(origin.dataset, origin.version, [read, benchmark.together], ordered)


def _by_person(rows: pa.Table, benchmark: Benchmark) -> pa.Table:
    """Put the rows that show the same evidence together, in stable order.

    An engine with a prefix cache then reads it once, and a limited run covers all topics.
    """
    keys = [(name, "ascending") for name in benchmark.together]
    order = pc.sort_indices(rows, sort_keys=keys)
    # Rows that lie so already are not copied: there may be half a gigabyte of them.
    return (
        rows if pc.all(pc.equal(order, pa.array(range(len(order))))).as_py() else rows.take(order)
    )


def _subset_column(dataset: str, rows: pa.Table, subset: int) -> str:
    column = f"{SUBSET_PREFIX}{subset}"
    if column not in rows.column_names:
        sizes = [
            name.removeprefix(SUBSET_PREFIX)
            for name in rows.column_names
            if name.startswith(SUBSET_PREFIX)
        ]
        raise OtherMindsError(
            f"'{dataset}' has no subset of {subset}; data_subset can be: "
            f"{', '.join(sizes) or 'nothing'}."
        )
    return column


def as_dataset(rows: pa.Table, *identity: object) -> Dataset:
    """Rows as a dataset; `identity` distinguishes them from others of the same process."""
    # Without a fingerprint of our own, `datasets` would pickle and hash the whole table.
    fingerprint = hashlib.sha256(repr(identity).encode()).hexdigest()[:16]
    return Dataset(InMemoryTable(rows), fingerprint=fingerprint)


def _folder(dataset: str, folder: Path) -> Origin:
    if not folder.is_dir():
        raise OtherMindsError(
            f"The data source {folder} is not a folder. Write one with "
            f"`otherminds build {dataset} {folder}`, or leave the data source out."
        )
    theirs, ours = repository.manifest_of(folder), manifest.load(dataset)
    if theirs.dataset != dataset:
        raise OtherMindsError(f"{folder} holds the dataset '{theirs.dataset}', not '{dataset}'.")
    if ours.handed is not None:
        return Origin(dataset, _version_of(theirs, ours), "folder", str(folder.resolve()))
    if theirs.version == ours.version and theirs.configs != ours.configs:
        raise OtherMindsError(
            f"{folder} calls itself version {ours.version} of {dataset}, but its content hashes or "
            f"counts differ from that version's. Build it again with `otherminds build {dataset} OUT`."
        )
    return Origin(dataset, theirs.version, "folder", str(folder.resolve()))


def _version_of(theirs: Manifest, ours: Manifest) -> str:
    """The release's version, or for rows that were built from another file, one that says so."""
    for name, facts in ours.configs.items():
        found = theirs.configs[name].content_hash
        if facts.content_hash is None:
            return f"{theirs.version} of {str(found)[:8]}"
        if found != facts.content_hash:
            return "not a release"
    return theirs.version


def _of_upstream(known: Manifest, source: str | None, revision: str | None) -> Origin:
    from otherminds.data import upstream

    if revision is not None and source != "hub":
        raise _revision_without_hub()
    folder = _shelved(known.dataset) if source is None else Path(source).expanduser()
    if folder is None or source == "hub":
        found = upstream.from_hub(known.dataset, revision)
        location = known.upstream.hub if known.upstream else ""
        return Origin(known.dataset, found.version, "hub", location, found.note)
    folder = folder.resolve()
    found = upstream.from_clone(known.dataset, folder)
    return Origin(known.dataset, found.version, "clone", str(folder), found.note)


@contextmanager
def reading_from(folders: Mapping[str, Path]) -> Iterator[None]:
    """While the block runs, take these datasets from folders as `otherminds build` writes them."""
    before = _FOLDERS.set({**_FOLDERS.get(), **folders})
    try:
        yield
    finally:
        _FOLDERS.reset(before)


def _shelved(dataset: str) -> Path | None:
    if dataset in _FOLDERS.get():
        return _FOLDERS.get()[dataset]
    shelf = os.environ.get("OTHERMINDS_DATA")
    folder = Path(shelf).expanduser() / dataset if shelf else None
    return folder if folder is not None and folder.is_dir() else None


def _revision_without_hub() -> OtherMindsError:
    return OtherMindsError("A data revision only makes sense with the data source 'hub'.")


def _on_hub(dataset: str, revision: str | None) -> Origin:
    from otherminds.data import hub

    version = revision or f"v{manifest.load(dataset).version}"
    return Origin(dataset, version.removeprefix("v"), "hub", hub.dataset_id(dataset))


def content_hash(origin: Origin, config: str, revision: str | None = None) -> str:
    """The hash of the content of a whole configuration, as `origin` has it.

    From the cache, it is the manifest's, and nothing is read for it: `cache.read` says what was checked
    of the rows that are there. From elsewhere, the rows are read and hashed.
    """
    known = manifest.load(origin.dataset).configs[config].content_hash
    if origin.kind == "cache" and known is not None:
        return known
    return _hash(origin, config, revision)


@lru_cache(maxsize=8)
def _hash(origin: Origin, config: str, revision: str | None) -> str:
    return _hashed(_table(origin, config, revision), origin.dataset)


@lru_cache(maxsize=8)
def _table(origin: Origin, config: str, revision: str | None) -> pa.Table:
    known = manifest.load(origin.dataset)
    if config not in known.configs:
        raise cache.no_config(known, config)
    if known.upstream is not None:
        from otherminds.data import upstream

        if origin.kind == "hub":
            return upstream.from_hub(origin.dataset, revision).tables[config]
        return upstream.from_clone(origin.dataset, Path(origin.location)).tables[config]
    if origin.kind == "cache":
        return cache.read(origin.dataset, config)
    if origin.kind == "hub":
        rows = _published(origin, config, revision or f"v{known.version}")
        stated = known if revision is None else None
    else:
        rows = repository.read(Path(origin.location), config)
        stated = repository.manifest_of(Path(origin.location))
    if stated and _hashed(rows, origin.dataset) != stated.configs[config].content_hash:
        raise OtherMindsError(
            f"The rows of '{config}' in {origin.location} are not those of version {stated.version} "
            f"of {origin.dataset}: their content hash differs from the manifest's. Get them anew."
        )
    return rows


def _hashed(rows: pa.Table, dataset: str) -> str:
    known = manifest.load(dataset)
    if known.upstream is not None:
        from otherminds.data import upstream

        return upstream.converter_of(known).content_hash(rows)
    from otherminds.data.build import dataset as build

    return build.content_hash(known, rows)


def _published(origin: Origin, config: str, revision: str) -> pa.Table:
    from otherminds.data import hub

    try:
        return hub.rows(origin.location, config, revision)
    except hub.UnavailableError as error:
        raise OtherMindsError(
            f"{error} Or leave `data_source` out to use the data that can be built here."
        ) from error
