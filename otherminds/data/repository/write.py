"""A dataset repository: the folder that goes to the Hub, and that `load_dataset` reads.

README.md               card; its YAML lists configs, splits and features
LICENSE                 of the data; of data of others, as it lies beside their source
manifest.yaml           facts and numbers
data/<config>/test-00000-of-00001.parquet, or more of them in a large population
audit.json              the checks of the build, and the values found
funnel.json             of data built from a file of others: how much was left after each step
provenance.jsonl        of texts written inside frames: of each unit, who wrote, checked and read it
croissant.json          the same files and columns, as Croissant describes datasets
eval.yaml               for the Hub's own evaluations, where they can ask the same as our tasks
checksums.json          SHA-256 of every file above, by path
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds.data.repository import card, croissant, eval_yaml, licences, rows
from otherminds.data.repository.rows import (
    CHECKSUMS,
    COMPRESSION,
    MANIFEST,
    ROW_GROUP,
    check,
    checksums,
    manifest_of,
    parquet_path,
    read,
)
from otherminds.manifest import Manifest

__all__ = [
    "CHECKSUMS",
    "COMPRESSION",
    "FUNNEL",
    "MANIFEST",
    "PROVENANCE",
    "ROW_GROUP",
    "check",
    "checksums",
    "manifest_of",
    "parquet_path",
    "read",
    "seal",
    "write",
]

FUNNEL = "funnel.json"
PROVENANCE = "provenance.jsonl"


def write(
    folder: Path,
    dataset: Manifest,
    tables: Mapping[str, pa.Table],
    audit: Iterable[Mapping[str, Any]],
    funnel: Sequence[Mapping[str, Any]] = (),
    licence: str | None = None,
    *,
    provenance: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write the repository of `dataset` into the existing, empty `folder`.

    Without the text of its licence it can be used, and not published.
    """
    rows.write_tables(folder, tables)
    (folder / "README.md").write_text(card.render(dataset, tables, folder), encoding="utf-8")
    if funnel:
        (folder / FUNNEL).write_text(_json(list(funnel)), encoding="utf-8")
    if provenance:
        lines = (json.dumps(unit, ensure_ascii=False) + "\n" for unit in provenance)
        (folder / PROVENANCE).write_text("".join(lines), encoding="utf-8")
    (folder / croissant.NAME).write_text(croissant.text(dataset, folder), encoding="utf-8")
    if (evaluation := eval_yaml.text(dataset)) is not None:
        (folder / eval_yaml.NAME).write_text(evaluation, encoding="utf-8")
    seal(folder, dataset, audit, licence)


def seal(
    folder: Path, dataset: Manifest, audit: Iterable[Mapping[str, Any]], licence: str | None
) -> None:
    """Write the files that every repository has beside its rows and card; the checksums of all last."""
    (folder / "audit.json").write_text(_json(list(audit)), encoding="utf-8")
    if licence is not None:
        (folder / licences.NAME).write_text(licence, encoding="utf-8")
    rows.seal(folder, dataset)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
