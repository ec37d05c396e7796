"""Access to the datasets: one way in for tasks, for the command line and for notebooks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from datasets import Dataset, DatasetDict
from datasets.table import InMemoryTable

from otherminds import build, hub, manifest, repository
from otherminds.errors import OtherMindsError

SPLIT = "test"

# The configurations that hold items, as opposed to the truth behind them.
ITEM_CONFIGS = ("bsi", "bdu")


@dataclass(frozen=True)
class Origin:
    """Where a dataset's rows are taken from."""

    dataset: str
    version: str
    kind: Literal["folder", "cache", "hub"]
    location: str


def load(
    dataset: str, config: str, *, source: str | None = None, revision: str | None = None
) -> DatasetDict:
    """The rows of one configuration, under their only split, `test`.

    The first of these that holds the dataset is used:

    1. `source`, when given: a folder written by `otherminds build`, or `"hub"`;
    2. the folder `$OTHERMINDS_DATA/<dataset>`;
    3. the local build cache, for this version of the dataset;
    4. a build, for generated datasets; it is then kept in the cache;
    5. the Hub, at `revision`, or at the tag of this version.

    Raises OtherMindsError with the way out when the data cannot be had or do not match the manifest.
    """
    origin = locate(dataset, source=source, revision=revision)
    rows = _table(origin, config, revision)
    return DatasetDict({SPLIT: _dataset(rows, origin, config)})


def locate(dataset: str, *, source: str | None = None, revision: str | None = None) -> Origin:
    """Find where `load` takes a dataset from, building generated data if nothing holds them."""
    known = manifest.load(dataset)
    if source == "hub":
        return _on_hub(dataset, revision)
    if source is not None:
        return _folder(dataset, Path(source).expanduser())
    if revision is not None:
        raise OtherMindsError("A data revision only makes sense with the data source 'hub'.")
    shelf = os.environ.get("OTHERMINDS_DATA")
    if shelf and (folder := Path(shelf).expanduser() / dataset).is_dir():
        return _folder(dataset, folder)
    if known.generated:
        folder = build.cached(dataset)
        return Origin(dataset, known.version, "cache", str(folder))
    return _on_hub(dataset, revision)


def for_task(
    *,
    dataset: str,
    configs: Sequence[str],
    topic: str | None = None,
    data_source: str | None = None,
    data_revision: str | None = None,
    data_subset: int | None = None,
    **_others: Any,
) -> dict[str, Dataset]:
    """The documents of a task: lm-eval's `custom_dataset` with the YAML's `dataset_kwargs`.

    `dataset`, `configs` (concatenated in this order) and `topic` come from the task. `data_source`,
    `data_revision` and `data_subset` (50: the fixed subset of 50 people) come from `--metadata`.
    lm-eval passes everything in `--metadata` and `--model_args` too; those keys are ignored.
    """
    origin = locate(dataset, source=data_source, revision=data_revision)
    rows = _documents(origin, tuple(configs), topic, data_subset, data_revision)
    return {SPLIT: _dataset(rows, origin, tuple(configs), topic, data_subset)}


@lru_cache(maxsize=4)
def _documents(
    origin: Origin,
    configs: tuple[str, ...],
    topic: str | None,
    subset: int | None,
    revision: str | None,
) -> pa.Table:
    rows = pa.concat_tables([_table(origin, config, revision) for config in configs])
    if subset is not None:
        rows = rows.filter(pc.field(_subset_column(rows, subset)))
    if topic is not None:
        rows = rows.filter(pc.field("topic") == topic)
    if rows.num_rows == 0:
        raise OtherMindsError(
            f"'{origin.dataset}' has no rows for the topic '{topic}' in the subset {subset}."
        )
    return _by_person(rows)


def _by_person(rows: pa.Table) -> pa.Table:
    """Put the rows that show the same evidence together, in stable order.

    An engine with a prefix cache then reads it once, and a limited run covers all topics.
    """
    keys = [(name, "ascending") for name in ("participant_id", "topic")]
    return rows.take(pc.sort_indices(rows, sort_keys=keys))


def _subset_column(rows: pa.Table, subset: int) -> str:
    prefix = "in_subset_"
    column = f"{prefix}{subset}"
    if column not in rows.column_names:
        sizes = [name.removeprefix(prefix) for name in rows.column_names if name.startswith(prefix)]
        raise OtherMindsError(
            f"There is no subset of {subset}; data_subset can be: {', '.join(sizes) or 'nothing'}."
        )
    return column


def _dataset(rows: pa.Table, *identity: object) -> Dataset:
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
    if theirs.version == ours.version and theirs.configs != ours.configs:
        raise OtherMindsError(
            f"{folder} calls itself version {ours.version} of {dataset}, but its content hashes or "
            f"counts differ from that version's. Build it again with `otherminds build {dataset} OUT`."
        )
    return Origin(dataset, theirs.version, "folder", str(folder.resolve()))


def _on_hub(dataset: str, revision: str | None) -> Origin:
    version = revision or f"v{manifest.load(dataset).version}"
    return Origin(dataset, version.removeprefix("v"), "hub", hub.dataset_id(dataset))


def content_hash(origin: Origin, config: str, revision: str | None = None) -> str:
    """The hash of the rows' content as they are read: the manifest's, for an unaltered release."""
    if origin.kind == "cache":  # checked against the manifest when it was found
        return manifest.load(origin.dataset).configs[config].content_hash
    return _hashed(_table(origin, config, revision), origin.dataset)


@lru_cache(maxsize=8)
def _table(origin: Origin, config: str, revision: str | None) -> pa.Table:
    known = manifest.load(origin.dataset)
    if config not in known.configs:
        raise OtherMindsError(
            f"The dataset '{origin.dataset}' has no configuration '{config}'; "
            f"it has: {', '.join(known.configs)}."
        )
    if origin.kind == "cache":
        return repository.read(Path(origin.location), config)
    if origin.kind == "hub":
        rows = hub.rows(origin.dataset, config, revision or f"v{known.version}")
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
    return build.builder_of(manifest.load(dataset)).content_hash(rows)
