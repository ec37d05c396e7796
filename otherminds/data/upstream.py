"""Data that others publish: read where they lie, converted to our rows, audited, kept in memory only.

Nothing of them is written to disk or passed on. The data stay with the user who has access to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, cast

import pyarrow as pa

from otherminds import manifest
from otherminds.benchmark import builder_module
from otherminds.data import hub
from otherminds.dataset_builders.sources import Remarks
from otherminds.dataset_builders.verdict import Audit
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.manifest import Manifest

Records = Iterable[Mapping[str, Any]]


class Converter(Protocol):
    """The interface of the module that a manifest names as `builder`, for data of others."""

    def read_clone(self, folder: Path, remarks: Remarks) -> Records:
        """The records of a clone of the authors' repository; ValueError for any other folder."""

    def convert(self, records: Records, remarks: Remarks) -> dict[str, pa.Table]:
        """One table per configuration, of all records that can be scored.

        ValueError, naming the record, for a fault that would make a score wrong.
        """

    def facts(self, stated: Mapping[str, Any]) -> Any:
        """The manifest's facts, checked; ValueError for a missing or unknown one."""

    def stated(self, expected: Any) -> list[str]:
        """Notes on the release for readers of scores on it, one sentence each."""

    def audit(self, tables: Mapping[str, pa.Table], expected: Any) -> list[Audit]:
        """Check the tables; faults of the data are failed audits, not exceptions."""

    def content_hash(self, table: pa.Table) -> str:
        """A hash of the rows' content."""


@dataclass(frozen=True)
class Converted:
    """Upstream's data as our rows.

    tables   one per configuration
    version  the manifest's version where the data are that release, else another name for them
    note     their differences from the release and gaps, for people; None where nothing
             is to be said
    """

    tables: Mapping[str, pa.Table]
    version: str
    note: str | None


def converter_of(known: Manifest) -> Converter:
    """The module that converts a dataset of others."""
    return cast(Converter, builder_module(known))


@lru_cache(maxsize=2)
def from_clone(dataset: str, folder: Path) -> Converted:
    """Convert the clone of the authors' repository at `folder`.

    All of it that can be scored is loaded; differences from the release become a note.
    """
    known = manifest.load(dataset)
    converter = converter_of(known)
    remarks = Remarks()
    try:
        records = list(converter.read_clone(folder, remarks))
    except ValueError as error:
        raise OtherMindsError(
            f"{error} The data source of '{dataset}' is a clone of {known.sources[-1].url}, or 'hub'."
        ) from error
    return _checked(known, records, remarks, str(folder))


@lru_cache(maxsize=2)
def from_hub(dataset: str, revision: str | None) -> Converted:
    """Download and convert upstream's dataset on the Hub.

    Raises AccessNeededError where the Hub does not deliver it.
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
        raise _access_needed(known, str(error)) from error
    where = f"{known.upstream.hub} at {wanted}"
    return _checked(known, records, Remarks(), where)


def _access_needed(known: Manifest, reason: str) -> AccessNeededError:
    access = known.access
    return AccessNeededError(
        reason,
        steps=access.steps if access else (),
        terms=(f"Licence: {known.licence}.", *known.terms),
        instead=access.without_access if access else None,
    )


def stated(known: Manifest) -> list[str]:
    """The note on the release of data that others publish, for readers of scores on them."""
    if known.upstream is None:
        return []
    converter = converter_of(known)
    return converter.stated(converter.facts(known.facts or {}))


def _checked(
    known: Manifest, records: list[Mapping[str, Any]], remarks: Remarks, where: str
) -> Converted:
    """Convert and audit; only faults that would make a score wrong are refused."""
    converter = converter_of(known)
    try:
        tables = converter.convert(records, remarks)
        expected = converter.facts(known.facts or {})
    except ValueError as error:
        raise OtherMindsError(f"Cannot read '{known.dataset}' from {where}: {error}") from None
    count = sum(table.num_rows for table in tables.values())
    if count == 0:
        raise OtherMindsError(
            f"Nothing of '{known.dataset}' from {where} can be scored. {_sentences(remarks.lines())}"
        )
    audits = converter.audit(tables, expected)
    if refused := [audit for audit in audits if audit.refused]:
        raise OtherMindsError(
            f"'{known.dataset}' from {where} failed {len(refused)} of {len(audits)} audits: "
            + "; ".join(f"{audit.name}: {audit.value} {audit.detail}" for audit in refused)
        )
    failed = [audit for audit in audits if not audit.passed]
    other = remarks.foreign or any(audit.kind == "release" for audit in failed)
    said = [f"{audit.name}: {audit.value} ({audit.detail})" for audit in failed]
    lines = [*remarks.lines(), *said]
    if not other:
        return Converted(tables, known.version, _sentences(lines) or None)
    note = (
        f"{where} has {count:,} items and is not release {known.version} of '{known.dataset}', "
        f"which has {known.rows:,}: do not compare these scores with scores on the release. "
        f"{_sentences(lines)}"
    )
    return Converted(tables, "not a release", note.strip())


def _sentences(lines: Sequence[str]) -> str:
    return "".join(f"{line[0].upper()}{line[1:]}. " for line in lines).strip()
