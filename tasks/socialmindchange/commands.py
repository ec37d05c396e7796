"""`otherminds annotate`: studies with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from otherminds.errors import OtherMindsError
from otherminds.tasks.socialmindchange.benchmark import STUDIED

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="""Studies with people: write their sheets, read their answers.

    Examples:
        otherminds annotate socialmindchange export study
        otherminds annotate socialmindchange read study
    """,
)
_socialmindchange = typer.Typer(
    no_args_is_help=True, help="Ratings of stages, and answers to questions, of SocialMindChange."
)
app.add_typer(_socialmindchange, name="socialmindchange")


@_socialmindchange.command()
def export(
    context: typer.Context,
    out: Annotated[Path, typer.Argument(help="The folder to write; it must be empty or absent.")],
    stages: Annotated[int, typer.Option(help="How many stages in all.")] = 50,
    items: Annotated[int, typer.Option(help="How many questions on each stage; 0 to 80.")] = 4,
    raters: Annotated[int, typer.Option(help="How many people.")] = 3,
    overlap: Annotated[
        int,
        typer.Option(help="How many of them see the same stage; agreement needs two."),
    ] = 2,
    seed: Annotated[int, typer.Option(help="Of every draw.")] = 0,
    part: Annotated[
        str, typer.Option(help="Which stages to draw from: lite, base, variants or all.")
    ] = "lite",
    dataset: Annotated[
        str, typer.Option(help="The dataset of SocialMindChange to draw from.")
    ] = STUDIED,
    source: Annotated[
        str | None, typer.Option(help="A folder with the data, or 'hub'; default: built here.")
    ] = None,
    revision: Annotated[str | None, typer.Option(help="Of the data, with --source hub.")] = None,
) -> None:
    """Draw a study and write what each person gets.

    A page, and the same as a table. Send everybody their own folder for_A01, for_A02, … Keep
    key.json: it has the answers. By default, 200 questions on 50 stages.

    Examples:
        otherminds annotate socialmindchange export study --raters 3
    """
    from otherminds import harness, progress
    from otherminds.tasks.socialmindchange import study as annotation

    harness.quiet(debug=context.find_root().params["debug"])
    plan = annotation.Plan(part, stages, items, raters, overlap, seed)
    with progress.status() as say:
        say("drawing stages")
        found = annotation.export(out, plan, dataset=dataset, source=source, revision=revision)
    for name, count in found.stages.items():
        typer.echo(f"{name}: {count:,} stages, {found.questions[name]:,} questions")
    typer.echo(f"Written: {found.folder} ({found.study}). Its README.txt says what to do.")


@_socialmindchange.command()
def read(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(help="The exported folder, with what came back in its folder 'returned'."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The .json file to write; default: results.json in it."),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(help="A .json file to write for `beside`: people's accuracy by question."),
    ] = None,
) -> None:
    """Read what came back: ratings, accuracy, agreement.

    Examples:
        otherminds annotate socialmindchange read study
    """
    from otherminds import files, harness
    from otherminds.tasks.socialmindchange import study as annotation
    from otherminds.tasks.socialmindchange.study import results

    harness.quiet(debug=context.find_root().params["debug"])
    path = folder / "results.json" if out is None else out
    for wanted in (path, reference):
        _check_json(wanted)
        _check_not_sent(wanted, folder)
    _check_distinct(path, reference)
    found = annotation.evaluate(annotation.read(folder))
    results.print_results(found)
    files.write_json(path, results.as_json(found))
    typer.echo(f"Written: {path}")
    if reference is not None:
        files.write_json(reference, results.reference(found))
        typer.echo(f"Written: {reference}")


@_socialmindchange.command()
def beside(
    context: typer.Context,
    reference: Annotated[Path, typer.Argument(help="What `read --reference` wrote.")],
    samples: Annotated[
        list[Path], typer.Argument(help="Sample files of models, or folders that are searched.")
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A .json file to write.")] = None,
) -> None:
    """Put models beside people, on the questions that both answered.

    Examples:
        otherminds annotate socialmindchange beside people.json otherminds-results
    """
    from otherminds import files, harness
    from otherminds.tasks.socialmindchange import study as annotation
    from otherminds.tasks.socialmindchange.study import comparison

    harness.quiet(debug=context.find_root().params["debug"])
    _check_json(out)
    _check_distinct(reference, out)
    found = annotation.beside(reference, samples)
    comparison.print_beside(found)
    if out is not None:
        files.write_json(out, comparison.as_json(found))
        typer.echo(f"Written: {out}")


def _check_json(path: Path | None) -> None:
    from otherminds.tasks.socialmindchange.study import key

    if path is None:
        return
    if path.suffix != ".json":
        raise OtherMindsError(f"Cannot write {path}: the name must end in .json.")
    # Some file systems do not distinguish small letters from capitals.
    if path.name.casefold() == key.NAME:
        raise OtherMindsError(
            f"Will not write {path}: {key.NAME} is the key of a study, without which no answer can be "
            "read. Choose another name."
        )


def _check_not_sent(path: Path | None, study: Path) -> None:
    """Refuse the folders of a study that hold sent and returned sheets."""
    from otherminds.tasks.socialmindchange.study import writing

    if path is None or not path.resolve().is_relative_to(study.resolve()):
        return
    within = path.resolve().relative_to(study.resolve()).parent.parts
    if within and within[0].casefold().startswith((writing.RETURNED, writing.SENT)):
        raise OtherMindsError(
            f"Will not write {path}: that folder is for what annotators were sent or sent back. Choose "
            "another place."
        )


def _check_distinct(one: Path | None, other: Path | None) -> None:
    if one is not None and other is not None and one.resolve() == other.resolve():
        raise OtherMindsError(f"{one} is given twice, for two files: choose two names.")
