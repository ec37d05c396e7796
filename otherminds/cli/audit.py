"""The command that trains students on a dataset, to find what can be had without understanding."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli import completions


def audit(
    dataset: Annotated[
        str,
        typer.Argument(
            metavar="DATASET",
            help="A dataset's name (`list --datasets`).",
            autocompletion=completions.datasets,
        ),
    ],
    source: Annotated[
        str | None,
        typer.Option(
            help="A folder that `build` wrote, or `hub`; where the tasks find it by default."
        ),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="All rows, also of a dataset that has a small slice.")
    ] = False,
    groups: Annotated[
        int | None,
        typer.Option(
            "--people",
            "--stages",
            min=4,
            help="Of so many alone, drawn by their ids; all by default.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="STUDENT", help="This student alone; repeat for more."),
    ] = None,
    shuffled: Annotated[
        bool,
        typer.Option("--shuffled", help="Deal out the gold answers anew: all must be at chance."),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The seed of the halves; the release's by default.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what was found as JSON, too.")
    ] = None,
) -> None:
    """Train students on half of a dataset, test on the other.

    Students see options alone, those of sibling questions, one line, or all words; frame-aware ones know
    the generator's variables. What they get right can be had without understanding.

    Examples:
        otherminds audit DATASET
        otherminds audit DATASET --people 60 --shuffled
    """
    from otherminds import console, files, progress
    from otherminds.data.repository import student_tables as tables
    from otherminds.students import audit as students
    from otherminds.students import rows

    given = rows.load(dataset, source=source, whole=whole)
    chosen = students.SEED if seed is None else seed
    with progress.status() as show:
        found = students.of_rows(
            given,
            mixed=shuffled,
            groups=groups,
            only=only,
            seed=chosen,
            watch=lambda name: show(f"training the student {name}"),
        )
    console.OUT.print(tables.printed(found))
    for one in tables.failed(found):
        console.say(f"BEYOND ITS BOUND: {one}.")
    if out is not None:
        with files.atomic_file(out) as partial:
            partial.write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8")
        console.say(f"Written: {out}")
