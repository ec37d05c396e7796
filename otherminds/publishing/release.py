"""For maintainers: measure a generated dataset and write its numbers into the manifest.

    python -m otherminds.publishing.release DATASET [SOURCE [partial]]

SOURCE is the file of others that the dataset is built from, where it is not generated, or the folder of
a construction (`otherminds construct`) that is to be the project's own release: what it is built from is
then put into the package; with `partial`, the units that were read so far. All numbers that
a manifest has about such a dataset come from here, and none is typed by hand: row counts, content
hashes, reference scores, measurements of the audits, and what students learn who are trained on half
of the people (`otherminds.publishing.study` measures these alone). It changes
`cards/<dataset>/manifest.yaml`, and in the folder `docs/` beside `cards/` tables and generated pages,
in place; raise `version` in the manifest first when the content changes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherminds import benchmark, manifest
from otherminds.construct import folder
from otherminds.construct import release as construction
from otherminds.data import kept
from otherminds.data.build import dataset as build
from otherminds.dataset_builders.parts import processes
from otherminds.dataset_builders.verdict import Audit
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest, Slice
from otherminds.progress import bar
from otherminds.publishing import rewrite, study


def measure(known: Manifest, tables: Mapping[str, pa.Table], audits: Iterable[Audit]) -> Manifest:
    """The manifest with the counts, content hashes and reference scores of these tables.

    The scores are those of the benchmark's own function `references`; without it there are none.
    """
    references_of = benchmark.resolve(benchmark.of_dataset(known.dataset).references)
    return known.model_copy(
        update={
            "configs": build.described(known, tables),
            "slices": _slices(known),
            "references": {} if references_of is None else references_of(known, tables),
            "measured": {audit.name: audit.value for audit in audits},
        }
    )


def _slices(known: Manifest) -> dict[str, Slice]:
    """Counts and hashes of the slices that the builder can build alone."""
    if not known.slices:
        return {}
    builder: Any = build.builder_of(known)
    spec = builder.spec(known.generator or {})
    found = {}
    for name in known.slices:
        tables = builder.sliced(spec, name).tables(processes(1))
        found[name] = Slice(
            rows={config: table.num_rows for config, table in tables.items()},
            content_hash={
                config: build.content_hash(known, table) for config, table in tables.items()
            },
        )
    return found


def _kept(known: Manifest, source: Path, *, partial: bool) -> Path:
    """The source; of a construction, what it releases, put where the package keeps its own release."""
    place = kept.at(known)
    if place is None or not (source / folder.NAME).is_file():
        return source
    construction.keep(folder.opened(source), place, partial=partial)
    return place


def main(dataset: str, source: str | None = None, part: str | None = None) -> None:
    """Build the dataset, audit it, and rewrite its manifest.

    part  "partial" for the units of a construction that were read so far; None for all
    """
    if part not in (None, "partial"):
        raise OtherMindsError(f"'{part}' is no part of a construction: say 'partial', or nothing.")
    known = manifest.load(dataset)
    with bar(f"Building {dataset}") as progress:
        if known.handed is not None and source is not None:
            from_source = build.source_builder_of(known)
            parameters = from_source.spec(known.parameters)
            place = _kept(known, Path(source), partial=part is not None)
            built = from_source.build(place, parameters, progress=progress)
            tables = {known.default_config: built.table, **built.also}
            audits = from_source.audit(built, parameters)
            known = known.model_copy(update={"construction": built.construction})
        else:
            builder = build.builder_of(known)
            spec = builder.spec(known.generator or {})
            tables = builder.build(spec, num_proc=2, progress=progress)
            audits = build.audited(builder, tables, spec, num_proc=2)
    if failed := [audit for audit in audits if not audit.passed]:
        raise OtherMindsError("; ".join(f"{audit.name}: {audit.detail}" for audit in failed))
    measured = measure(known, tables, audits)
    rewrite.write(study.studied(measured, tables))


if __name__ == "__main__":
    main(*sys.argv[1:])
