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

from otherminds.manifest import Manifest, Reference, Students
from otherminds.progress import bar
from otherminds.publishing import rewrite
from otherminds.students import audit
from otherminds.students.rows import Rows, load, of_tables, sliced, with_lessons
from otherminds.students.view import View, of_dataset

PRINTED = ("line", "text", "frame")
"""The students that may stand beside results: one line, all words as a bag, and the frame read line by
line."""


def studied(known: Manifest, tables: Mapping[str, pa.Table]) -> Manifest:
    """The manifest with what students find in these tables, or in the small slice where there is one; as
    it is where there is no view."""
    view = of_dataset(known.dataset)
    if view is None:
        return known
    rows = with_lessons(of_tables(known, sliced(view, tables, view.part), view.part))
    return with_students(known, view, found(rows))


def with_students(known: Manifest, view: View, students: Students) -> Manifest:
    """The manifest with what students find, and with their scores beside every result where that is
    wanted."""
    references = dict(known.references)
    whole = students.parts.get("all")
    if view.metric is not None and whole is not None:
        for name in PRINTED:
            if (one := whole.students.get(name)) is not None:
                references[f"student: {one.sees}"] = Reference(
                    description=f"A student that sees {one.sees}, trained on other {students.called}.",
                    scores={"all": {view.metric: one.accuracy}},
                    interval=None if one.interval is None else {view.metric: one.interval},
                    interval_basis=None if one.interval is None else f"over {students.called}",
                )
    return known.model_copy(update={"students": students, "references": references})


def found(rows: Rows) -> Students:
    """What all students find."""
    with bar(f"Training students on {rows.known.dataset}"):
        return audit.of_rows(rows)


def main(dataset: str, source: str | None = None, *, whole: bool = True) -> None:
    """Train students on the release, and rewrite manifest and tables."""
    rows = load(dataset, source=source, whole=whole, beside=True)
    rewrite.write(with_students(rows.known, rows.view, found(rows)))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--slice"]
    main(*words, whole="--slice" not in sys.argv)
