"""The commands of SynchToM: how far judges agree, with each other and with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.errors import OtherMindsError


def labels(
    context: typer.Context,
    samples: Annotated[
        Path,
        typer.Argument(help="Samples of a judging task: a file, or a folder that is searched."),
    ],
    out: Annotated[Path, typer.Argument(help="The .csv file to write.")],
    n: Annotated[int, typer.Option("--n", min=1, help="How many answers to draw.")] = 60,
    seed: Annotated[int, typer.Option(min=0, help="Of the draw.")] = 0,
) -> None:
    """Write a sheet for people to judge what a judge has judged.

    It has a sample of the answers. Fill in the column `verdict`: 1 if the answer fulfils the
    criterion, 0 if not, nothing where you cannot say. `otherminds agreement` compares the sheet with
    the judge.

    Examples:
        otherminds labels otherminds-results labels.csv --n 60
    """
    from otherminds import harness, progress
    from otherminds.tasks.synchtom import label_sheets

    harness.quiet(debug=context.find_root().params["debug"])
    with progress.status() as say:
        say("reading samples")
        judge = label_sheets.read_judge(samples)
        answers = label_sheets.draw(judge, n=n, seed=seed)
        rows = label_sheets.write(answers, out)
    for note in judge.notes:
        typer.echo(f"• {note}")
    if len(answers) < n:
        typer.echo(f"• There are no more than {len(answers):,} answers with verdicts.")
    typer.echo(
        f"Written: {out}: {rows:,} criteria of {len(answers):,} answers. Totals that are rare are drawn "
        "more often than they occur, so agreement on this sample is not that on all answers."
    )


def agreement(
    context: typer.Context,
    first: Annotated[
        Path, typer.Argument(help="Samples of a judging task (file or folder), or labels as .csv.")
    ],
    second: Annotated[Path, typer.Argument(help="The same, by another judge or person.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A .json file to write.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="A folder for pictures of the matrices, SVG and PNG.")
    ] = None,
) -> None:
    """How far two judges, or a judge and people, agree.

    They are compared on the same answers, criterion by criterion.

    Examples:
        otherminds agreement otherminds-results/judge labels.csv
        otherminds agreement results/one results/two --out agreement.json
    """
    from otherminds import files, harness, progress
    from otherminds.tasks.synchtom import judge_agreement

    if out is not None and out.suffix != ".json":
        raise OtherMindsError(f"Cannot write {out}: the name must end in .json.")
    harness.quiet(debug=context.find_root().params["debug"])
    with progress.status() as say:
        say("reading verdicts")
        found = judge_agreement.compare(first, second)
    judge_agreement.print_agreement(found)
    if out is not None:
        files.write_json(out, judge_agreement.as_json(found))
        typer.echo(f"Written: {out}")
    for path in judge_agreement.write_plots(found, plot) if plot is not None else ():
        typer.echo(f"Written: {path}")
