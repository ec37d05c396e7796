"""For maintainers: train students on a dataset's release, and write what they find into its manifest.

    python -m otherminds.publishing.study DATASET [SOURCE] [--slice]

SOURCE is a folder that `otherminds build` wrote; without it, the release is taken from where tasks find
it. With --slice, of a dataset that has a small slice, this alone; the manifest says so.
`python -m otherminds.publishing.release` does the same with the tables that it has built.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pyarrow as pa

from otherminds.manifest import Manifest, Students
from otherminds.progress import bar
from otherminds.publishing import rewrite
from otherminds.students import audit
from otherminds.students.rows import Rows, load, of_tables
from otherminds.students.view import of_dataset


def studied(known: Manifest, tables: Mapping[str, pa.Table]) -> Manifest:
    """The manifest with what students find in these tables; as it is where there is no view."""
    if of_dataset(known.dataset) is None:
        return known
    return known.model_copy(update={"students": found(of_tables(known, tables))})


def found(rows: Rows) -> Students:
    """What all students find."""
    with bar(f"Training students on {rows.known.dataset}"):
        return audit.study(
            rows.items,
            rows.clues,
            called=rows.view.called,
            rows=rows.told,
            edition=rows.view.edition,
            readers=rows.readers,
            repeats=rows.repeats,
        )


def main(dataset: str, source: str | None = None, *, whole: bool = True) -> None:
    """Train students on the release, and rewrite manifest and tables."""
    rows = load(dataset, source=source, whole=whole)
    rewrite.write(rows.known.model_copy(update={"students": found(rows)}))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--slice"]
    main(*words, whole="--slice" not in sys.argv)
