"""The commands that work from saved samples alone, without a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    import pandas as pd

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
) -> None:
    """Recompute every metric of saved samples, and check these against the data.

    --out writes every number, by topic and category too, as .csv or .json.
    """
    from otherminds import analysis
    from otherminds.analysis import printing

    _check_table(out)
    with _busy(context) as say:
        scores = analysis.score(analysis.read_runs(paths), check=not no_check, advance=say)
    printing.print_scores(scores)
    if out is not None:
        _write_table(scores.table(), out)
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

    _check_table(out)
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
        _write_table(pd.concat(tables, ignore_index=True), out)


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
    every metric as .csv or .json. Of debate beliefs, categories are also grouped by the condition with
    the highest macro-F1, for each model, the mean over models and their majority vote.
    """
    from otherminds import analysis
    from otherminds.analysis import printing

    _check_table(out)
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
        _write_table(found.table(), out)


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


def people(
    context: typer.Context,
    paths: Paths,
    out: Out = None,
    show: Annotated[int, typer.Option(min=0, help="How many people to print.")] = 10,
) -> None:
    """Each person's own scores in-domain, cross-domain and without context, and a test of this order.

    Give one model's samples of hugagent, hugagent_cross_domain and hugagent_no_context (or the synthetic
    ones). --out writes every person as .csv or .json.
    """
    import pandas as pd

    from otherminds import analysis, console
    from otherminds.tasks.hugagent import people as of_people

    _check_table(out)
    with _busy(context) as say:
        say("reading samples")
        runs = analysis.read_runs(paths)
        say("scoring people")
        found = of_people.people(runs)
    for one in found:
        of_people.print_people(one, show=show)
    console.print_notes(runs.notes)
    if out is not None:
        _write_table(pd.concat([one.table() for one in found], ignore_index=True), out)


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
    """Write a sheet for people to judge a sample of the answers that a judge has judged.

    Fill in the column `verdict`: 1 if the answer fulfils the criterion, 0 if not, nothing where you
    cannot say. `otherminds agreement` compares the sheet with the judge.
    """
    from otherminds.tasks.synchtom import label_sheets

    with _busy(context) as say:
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
    """How far two judges, or a judge and people, agree on the same answers, criterion by criterion."""
    from otherminds import files
    from otherminds.tasks.synchtom import judge_agreement

    if out is not None and out.suffix != ".json":
        raise OtherMindsError(f"Cannot write {out}: the name must end in .json.")
    with _busy(context) as say:
        say("reading verdicts")
        found = judge_agreement.compare(first, second)
    judge_agreement.print_agreement(found)
    if out is not None:
        files.write_json(out, judge_agreement.as_json(found))
        typer.echo(f"Written: {out}")
    for path in judge_agreement.write_plots(found, plot) if plot is not None else ():
        typer.echo(f"Written: {path}")


COMMANDS = (score, compare, gain, people, report, ensemble, labels, agreement)


@contextmanager
def _busy(context: typer.Context) -> Iterator[Callable[[str], None]]:
    """Say on standard error what is being worked on."""
    from otherminds import harness, progress

    harness.quiet(debug=context.find_root().params["debug"])
    with progress.status() as say:
        yield say


def _groups(runs: Runs, allow: Collection[str]) -> list[Runs]:
    """What is compared with each other: the runs of one task, or all when tasks may differ."""
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


def _check_table(path: Path | None) -> None:
    """Refuse a name that no table can be written under, before there is anything to lose."""
    if path is not None and path.suffix not in (".csv", ".json"):
        raise OtherMindsError(f"Cannot write {path}: the name must end in .csv or .json.")


def _write_table(table: pd.DataFrame, path: Path) -> None:
    from otherminds import files

    if path.suffix == ".json":
        files.write_json(path, table.to_dict("records"))
    else:
        with files.atomic_file(path) as partial:
            table.to_csv(partial, index=False)
    typer.echo(f"Written: {path}")
