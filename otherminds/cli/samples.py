"""The commands that work from saved samples alone, without a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherminds import files
from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    from otherminds.analysis import Runs

Paths = Annotated[
    list[Path], typer.Argument(help="Sample files, or folders that are searched for them.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option(help="A difference between the runs to tolerate, such as chat-template or task."),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Where to write; see above.")]


def score(
    context: typer.Context,
    paths: Paths,
    out: Out = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Do not compare the samples with the data.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Print every run by topic and category too.")
    ] = False,
) -> None:
    """Recompute every metric of saved samples, and check these against the data.

    --out writes every number, by topic and category too, as .csv or .json.
    """
    from otherminds import analysis
    from otherminds.analysis import printing

    files.check_table(out)
    with _busy(context) as say:
        scores = analysis.score(analysis.read_runs(paths), check=not no_check, advance=say)
    printing.print_scores(scores, details=details)
    if out is not None:
        files.write_table(scores.table(), out)
        typer.echo(f"Written: {out}")
    if not scores.scored:
        raise typer.Exit(1)


def compare(
    context: typer.Context,
    paths: Paths,
    out: Out = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="A metric to compare; by default, all.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Compare on this topic's items alone.")] = None,
    allow: Allow = None,
) -> None:
    """Compare models on the items that all of them answered.

    Samples of several tasks are compared task by task. --out writes every pair and metric as .csv or
    .json.
    """
    import pandas as pd

    from otherminds import analysis
    from otherminds.analysis import printing

    files.check_table(out)
    with _busy(context) as say:
        say("reading samples")
        runs = analysis.read_runs(paths).answered()
        say("comparing models")
        found = [
            analysis.compare(group, metrics=metric, part=topic, allow=allow or ())
            for group in _groups(runs, allow or ())
        ]
    for comparison in found:
        printing.print_comparison(comparison)
    if out is not None:
        tables = [one.table().assign(task=one.task) for one in found]
        files.write_table(pd.concat(tables, ignore_index=True), out)
        typer.echo(f"Written: {out}")


def gain(
    context: typer.Context,
    paths: Paths,
    out: Out = None,
    baseline: Annotated[
        str | None,
        typer.Option(help="The condition to compare with; default: that of the benchmark."),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="A metric to show; by default, the main one.")
    ] = None,
    allow: Allow = None,
) -> None:
    """What it gains each model to be told more of a person, by category.

    Give one model's samples of tasks that differ in what they show, such as a group's. --out writes
    every metric as .csv or .json.
    """
    from otherminds import analysis
    from otherminds.analysis import printing

    files.check_table(out)
    with _busy(context) as say:
        say("reading samples")
        runs = analysis.read_runs(paths)
        say("comparing conditions")
        found = analysis.gains(runs, baseline=baseline, allow=allow or ())
        say("ranking conditions")
        combined = analysis.combined_models(runs)
        together = analysis.Runs([*runs, *combined], combined.notes)
        ranked = analysis.ranks(together, allow=allow or ())
    printing.print_gains(found, metric)
    printing.print_ranks(ranked, metric)
    if out is not None:
        files.write_table(found.table(), out)
        typer.echo(f"Written: {out}")


def ensemble(
    context: typer.Context,
    paths: Paths,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A folder for the vote's samples, to score and compare."),
    ] = None,
    allow: Allow = None,
) -> None:
    """Take several models as one: per-item majority vote, and the mean of models."""
    from otherminds import analysis
    from otherminds.analysis import ensembles, printing

    with _busy(context) as say:
        say("reading samples")
        runs = analysis.read_runs(paths)
        say("voting")
        found = analysis.ensemble(runs, allow=allow or ())
        scored = {
            ensembles.VOTE: analysis.score_run(found.vote, check=False),
            ensembles.MEAN: analysis.score_run(found.mean, check=False),
        }
    printing.print_ensemble(found, scored)
    if out is not None:
        typer.echo(f"Written: {ensembles.write_vote(found, out)}")


def report(
    context: typer.Context,
    paths: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")],
    title: Annotated[str, typer.Option(help="Of the page.")] = "OtherMinds report",
) -> None:
    """Write tables for a paper, plots, and a page with every sample to look at."""
    from otherminds import analysis, console

    with _busy(context) as say:
        found = analysis.report(paths, out, title=title, advance=say)
    console.print_notes(found.notes)
    for path in found.tables:
        typer.echo(f"Table: {path}")
    typer.echo(f"Plots: {len(found.plots)} files in {found.folder / 'plots'}")
    typer.echo(f"Page:  {found.page}")


@contextmanager
def _busy(context: typer.Context) -> Iterator[Callable[[str], None]]:
    """Name each step on standard error."""
    from otherminds import harness, progress

    harness.quiet(debug=context.find_root().params["debug"])
    with progress.status() as say:
        yield say


def _groups(runs: Runs, allow: Collection[str]) -> list[Runs]:
    """The runs that are compared with each other: those of one task, or all when tasks may differ."""
    if "task" in allow:
        return [runs]
    by_task = runs.by_task()
    groups = [group for group in by_task.values() if len(group) > 1]
    if groups or len(runs) < 2:
        return groups or [runs]
    raise OtherMindsError(
        f"No two of these {len(runs)} runs are of one task ({', '.join(by_task)}). To compare across "
        "tasks on the items that they share, add --allow task."
    )
