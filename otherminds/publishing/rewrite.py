"""A dataset's manifest written anew, with the tables and pages in `docs/` that are made of it."""

from __future__ import annotations

from otherminds import benchmark, files, manifest, paths
from otherminds.manifest import Manifest
from otherminds.publishing import doc_tables


def write(measured: Manifest) -> None:
    """Write a manifest in its place, and what is made of it in the folder `docs/` beside `cards/`."""
    dataset = measured.dataset
    with files.atomic_file(manifest.path_of(dataset)) as partial:
        partial.write_text(manifest.dump(measured), encoding="utf-8")
    docs = paths.card(dataset).parents[1] / "docs"
    for path in sorted(docs.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (filled := doc_tables.fill(text, measured)) != text:
            path.write_text(filled, encoding="utf-8")
    pages = benchmark.resolve(benchmark.of_dataset(dataset).pages) or {}
    for name, page in pages.get(dataset, {}).items():
        (docs / name).write_text(page(measured), encoding="utf-8")
