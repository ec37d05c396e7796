"""The commands that work from saved samples alone, without a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherminds import files
from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    import pandas as pd

    from otherminds.analysis import Comparison, Runs

Paths = Annotated[
    list[Path], typer.Argument(help="Sample files, or folders that are searched for them.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option(help="A difference between the runs to tolerate, such as chat-template or task."),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="Where to write; see above.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print JSON for a program, and no tables; NaN is null.")
]


class Form(StrEnum):
    """What samples can be written as."""

    PARQUET = "parquet"


def score(
    context: typer.Context,
    paths: Paths,
    out: Out = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Do not compare the samples with the data.")
    ] = False,
    as_json: AsJson = False,
    details: Annotated[
        bool, typer.Option("--details", help="Print every run by topic and category too.")
    ] = False,
) -> None:
    """Recompute every metric of saved samples.

    The samples are checked against the data. --out writes every number, by topic and category too, as
    .csv or .json. Ends with 1 where nothing can be scored.

    Examples:
        otherminds score otherminds-results
        otherminds score otherminds-results/reader --out scores.csv
        otherminds score otherminds-results --json > scores.json
    """
    from otherminds import analysis
    from otherminds.analysis import plain, printing

    files.check_table(out)
    with _busy(context) as say:
        scores = analysis.score(analysis.read_runs(paths), check=not no_check, advance=say)
    if as_json:
        _print_json(plain.of_scores(scores))
    else:
        printing.print_scores(scores, details=details)
    _write(out, scores.table, beside=as_json)
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
    as_json: AsJson = False,
) -> None:
    """Compare models on the items that all of them answered.

    Samples of several tasks are compared task by task. Runs with --limit are left out where there are
    two others; --allow limit has them in. --out writes every pair and metric as .csv or
    .json.

    Examples:
        otherminds compare otherminds-results
        otherminds compare results/one results/two --metric composite
        otherminds compare otherminds-results --json > pairs.json
    """
    from otherminds import analysis
    from otherminds.analysis import plain, printing_pairs

    files.check_table(out)
    with _busy(context) as say:
        say("reading samples")
        runs = analysis.read_runs(paths).answered()
        say("comparing models")
        found = [
            analysis.compare(group, metrics=metric, part=topic, allow=allow or ())
            for group in _groups(runs, allow or ())
        ]
    if as_json:
        _print_json(plain.of_comparisons(found))
    else:
        for comparison in found:
            printing_pairs.print_comparison(comparison)
    _write(out, lambda: _together(found), beside=as_json)


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
    details: Annotated[
        bool, typer.Option("--details", help="Print the gains in each part (category) too.")
    ] = False,
    allow: Allow = None,
    as_json: AsJson = False,
) -> None:
    """How much each model gains from more evidence on a person.

    Give one model's samples of tasks that differ in what they show, such as a group's. --out writes
    every metric as .csv or .json.

    Examples:
        otherminds gain otherminds-results
        otherminds gain otherminds-results --details
        otherminds gain otherminds-results --out gains.csv
    """
    from otherminds import analysis
    from otherminds.analysis import plain, printing_pairs

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
    if as_json:
        _print_json(plain.of_gains(found, ranked))
    else:
        printing_pairs.print_gains(found, metric, details=details)
        printing_pairs.print_ranks(ranked, metric, details=details)
    _write(out, found.table, beside=as_json)


def ensemble(
    context: typer.Context,
    paths: Paths,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A folder for the vote's samples, to score and compare."),
    ] = None,
    allow: Allow = None,
) -> None:
    """Take several models as one: their majority vote, and mean.

    The vote is taken item by item.

    Examples:
        otherminds ensemble otherminds-results -o vote
    """
    from otherminds import analysis
    from otherminds.analysis import ensembles, printing

    with _busy(context) as say:
        say("reading samples")
        runs = analysis.read_runs(paths).answered()
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
    reliability: Annotated[
        bool,
        typer.Option("--reliability", help="Write a page on what else moves the scores too."),
    ] = False,
) -> None:
    """Write tables for a paper, plots, and a page of all samples.

    --reliability adds a page for reviewers: position bias, agreement of log-probabilities and written
    answers, the identity test, the spread over runs, and the answers that could not be read.

    Examples:
        otherminds report otherminds-results -o report
        otherminds report otherminds-results -o report --reliability
    """
    from otherminds import analysis, console

    with _busy(context) as say:
        found = analysis.report(paths, out, title=title, reliability=reliability, advance=say)
    console.print_notes(found.notes)
    for path in found.tables:
        typer.echo(f"Table: {path}")
    typer.echo(f"Plots: {len(found.plots)} files in {found.folder / 'plots'}")
    typer.echo(f"Page:  {found.page}")
    if found.reliability is not None:
        typer.echo(f"Page:  {found.reliability}")


def export(
    context: typer.Context,
    paths: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")],
    to: Annotated[Form, typer.Option(help="The form of the files.")] = Form.PARQUET,
) -> None:
    """Write samples as tables for other tools, a row per item.

    Each sample file becomes a Parquet file with the item, its person, the prompt, the replies, the
    answers as they were read, and their scores. They hold the gold answers.

    Examples:
        otherminds export otherminds-results --to parquet -o tables
    """
    from otherminds import analysis, console

    notes: list[str] = []
    with _busy(context) as say:
        say("reading samples")
        written = analysis.export(paths, out, note=notes.append)
    console.print_notes(notes)
    for path in written:
        typer.echo(f"Written: {path}")


def _together(found: Sequence[Comparison]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat((one.table().assign(task=one.task) for one in found), ignore_index=True)


def _print_json(found: object) -> None:
    # A stream that is not in Unicode would take other characters for these.
    typer.echo(files.strict_json(found, ascii_only=True))


def _write(out: Path | None, table: Callable[[], pd.DataFrame], *, beside: bool) -> None:
    """Write a table where a place for it was named; `beside` what a program reads, say so."""
    if out is not None:
        files.write_table(table(), out)
        typer.echo(f"Written: {out}", err=beside)


@contextmanager
def _busy(context: typer.Context) -> Iterator[Callable[[str], None]]:
    """Name each step on standard error."""
    from otherminds import harness, progress

    if context.find_root().params["debug"]:
        harness.quiet(debug=True)
    else:
        harness.hush()
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
