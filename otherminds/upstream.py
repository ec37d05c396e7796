"""Data that others publish: read where they lie, converted to our rows, audited, kept in memory only.

Nothing of them is written to disk or passed on. What is read here stays with whoever has access to it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, cast

import pyarrow as pa

from otherminds import hub, manifest
from otherminds.build import Audit
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest

# Audits that hold of any number of items. The others compare totals with those of the release.
_OF_ANY_DATA = frozenset({"ids_unique", "reason_texts", "source_texts"})

Records = Iterable[Mapping[str, Any]]


class AccessNeededError(OtherMindsError):
    """The data are not here, and getting them takes somebody's consent to upstream's terms."""


class Converter(Protocol):
    """What the module that a manifest names as `builder` offers for data of others."""

    def read_clone(self, folder: Path) -> Records:
        """The records of a clone of the authors' repository; ValueError for any other folder."""

    def convert(self, records: Records) -> dict[str, pa.Table]:
        """One table per configuration; ValueError, naming the record, for what cannot be read."""

    def facts(self, stated: Mapping[str, Any]) -> Any:
        """The manifest's facts, checked; ValueError for a missing or unknown one."""

    def audit(self, tables: Mapping[str, pa.Table], expected: Any, records: Records) -> list[Audit]:
        """Check the tables; faults of the data are failed audits, not exceptions."""

    def content_hash(self, table: pa.Table) -> str:
        """A hash of the rows' content."""


@dataclass(frozen=True)
class Converted:
    """Upstream's data as our rows.

    tables   one per configuration
    version  the manifest's version where the data are that release, else what they are instead
    note     in what they differ from the release, for people; None where they are the release
    """

    tables: Mapping[str, pa.Table]
    version: str
    note: str | None


def converter_of(known: Manifest) -> Converter:
    """The module that converts a dataset of others."""
    return cast(Converter, importlib.import_module(f"otherminds.dataset_builders.{known.builder}"))


@lru_cache(maxsize=2)
def from_clone(dataset: str, folder: Path) -> Converted:
    """Convert the clone of the authors' repository at `folder`.

    With as many items as the release has, it must be the release: every audit must pass. With any
    other number it is a sample or another release: the audits of totals become a note.
    """
    known = manifest.load(dataset)
    try:
        records = list(converter_of(known).read_clone(folder))
    except ValueError as error:
        raise OtherMindsError(
            f"{error} The data source of '{dataset}' is a clone of {known.sources[-1].url}, or 'hub'."
        ) from error
    return _checked(known, records, str(folder), is_release=len(records) == known.rows)


@lru_cache(maxsize=2)
def from_hub(dataset: str, revision: str | None) -> Converted:
    """Download and convert upstream's dataset on the Hub; at the pinned revision all audits must pass.

    Raises AccessNeededError where the Hub does not hand it out.
    """
    known = manifest.load(dataset)
    if known.upstream is None:
        raise OtherMindsError(f"'{dataset}' is ours; nobody else publishes it.")
    pinned = known.upstream.revision
    wanted = revision or pinned
    records: list[Mapping[str, Any]] = []
    try:
        if known.access is not None and known.access.gated:
            hub.check_login(known.upstream.hub)
        for config in known.upstream.configs.values():
            rows = hub.rows(known.upstream.hub, config, wanted, split=known.upstream.split)
            records += rows.to_pylist()
    except hub.UnavailableError as error:
        raise AccessNeededError(f"{error} {ways_in(known)}") from error
    where = f"{known.upstream.hub} at {wanted}"
    return _checked(known, records, where, is_release=wanted == pinned)


def ways_in(known: Manifest) -> str:
    """On one line: licence and terms, how to get access, and what runs without."""
    if known.access is None:
        return f"Licence: {known.licence}."
    terms = " ".join(known.terms)
    steps = " ".join(f"({n}) {step}" for n, step in enumerate(known.access.steps, start=1))
    return (
        f"Licence: {known.licence}. Terms: {terms} To get access: {steps} "
        f"Without access, run the task {known.access.without_access}."
    )


def _checked(
    known: Manifest, records: list[Mapping[str, Any]], where: str, *, is_release: bool
) -> Converted:
    """Convert and audit; of what is not the release, only what must hold of any data is refused."""
    converter = converter_of(known)
    try:
        tables = converter.convert(records)
        expected = converter.facts(known.facts or {})
    except ValueError as error:
        raise OtherMindsError(f"Cannot read '{known.dataset}' from {where}: {error}") from error
    audits = converter.audit(tables, expected, records)
    failed = [audit for audit in audits if not audit.passed]
    refused = [audit for audit in failed if is_release or audit.name in _OF_ANY_DATA]
    if refused:
        raise OtherMindsError(
            f"'{known.dataset}' from {where} failed {len(refused)} of {len(audits)} audits: "
            + "; ".join(f"{audit.name}: {audit.value} {audit.detail}" for audit in refused)
        )
    if not failed:
        return Converted(tables, known.version, None)
    note = (
        f"{where} has {len(records):,} items and is not release {known.version} of '{known.dataset}', "
        f"which has {known.rows:,}: do not compare these scores with scores on the release."
    )
    return Converted(tables, "not a release", note)
