"""The commands of HugAgent: tests and baselines of its tasks, and the parts of a score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

identity = typer.Typer(add_completion=False)


@identity.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    options_metavar="[OPTIONS] [FLAGS OF lm_eval run]",
)
def identity_test(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="A task that shows people's own interviews.")],
    derangements: Annotated[int, typer.Option(min=1, help="Runs with exchanged interviews.")] = 19,
    seed: Annotated[int, typer.Option(help="Of the derangements.")] = 0,
    metric: Annotated[str | None, typer.Option(help="Default: the task's first score.")] = None,
) -> None:
    """Test whether it matters to a model whose interview it reads.

    A permutation p-value. Takes the flags of `lm_eval run`, which `otherminds run --help` lists; the
    model is loaded once.

    Examples:
        otherminds identity hugagent_synthetic --derangements 19
    """
    from otherminds import harness
    from otherminds.running.models import Options
    from otherminds.tasks.hugagent import identity as tests

    harness.quiet(debug=context.find_root().params["debug"])
    found = tests.identity_test(
        task,
        context.args,
        Options(),
        derangements=derangements,
        seed=seed,
        metric=metric,
        on_progress=lambda done, total: typer.echo(f"{done} of {total} runs", err=True),
    )
    tests.print_identity(found)
    typer.echo(f"Written: {tests.write(found, Path(found.record['output_path']))}")


def baselines(
    context: typer.Context,
    task: Annotated[str, typer.Argument(help="A HugAgent task.")],
    seeds: Annotated[int, typer.Option(min=2, help="Seeds of the random guesses.")] = 20,
    metadata: Annotated[str, typer.Option(help="As for `run`: data_subset=50, or JSON.")] = "{}",
    table: Annotated[Path | None, typer.Option(help="People's survey answers, CSV.")] = None,
    out: Annotated[Path | None, typer.Option(help="A .csv or .json file to write.")] = None,
) -> None:
    """Print the scores of models without weights, as a table's rows.

    They are random, constant, majority, demographics and persistence.

    Examples:
        otherminds baselines hugagent_synthetic
        otherminds baselines hugagent_synthetic --out baselines.csv
    """
    from otherminds import harness
    from otherminds.tasks.hugagent import baselines as rows

    harness.quiet(debug=context.find_root().params["debug"])
    found = rows.baselines(task, seeds=seeds, metadata=harness.read_metadata(metadata), table=table)
    rows.print_baselines(found)
    if out is not None:
        rows.write(found, out)
        typer.echo(f"Written: {out}")


def ceiling(
    table: Annotated[Path, typer.Argument(help="CSV of test and retest answers.")],
    out: Annotated[Path | None, typer.Option(help="A .json file to write.")] = None,
) -> None:
    """How far people agree with themselves: the human ceiling.

    It takes their answers to the same questions, asked twice.

    Examples:
        otherminds ceiling retest.csv --out ceiling.json
    """
    from otherminds import files
    from otherminds.tasks.hugagent import ceiling as ceilings

    found = ceilings.ceiling(table)
    ceilings.print_ceiling(found)
    if out is not None:
        files.write_json(out, ceilings.as_json(found))
        typer.echo(f"Written: {out}")


def diagnose(
    context: typer.Context,
    samples: Annotated[
        list[Path],
        typer.Argument(
            help="Sample files of one model's runs, or folders that are searched for them."
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="A .json file to write.")] = None,
) -> None:
    """What is behind a score: direction, spread, context length.

    Change and direction, the spread of numbers, their distributions, and the length of contexts.
    Samples in folders are sorted by model and task, and each is diagnosed; --out then writes a list.

    Examples:
        otherminds diagnose otherminds-results
    """
    from otherminds import files, harness
    from otherminds.tasks.hugagent import diagnose as diagnostics

    harness.quiet(debug=context.find_root().params["debug"])
    found = diagnostics.diagnose_all(samples)
    diagnostics.print_diagnoses(found)
    if out is not None:
        written = [diagnostics.as_json(one) for one in found.found]
        is_searched = any(path.expanduser().is_dir() for path in samples)
        files.write_json(out, written if is_searched else written[0])
        typer.echo(f"Written: {out}")


def people(
    context: typer.Context,
    paths: Annotated[
        list[Path], typer.Argument(help="Sample files, or folders that are searched for them.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write; see above.")
    ] = None,
    show: Annotated[int, typer.Option(min=0, help="How many people to print.")] = 10,
) -> None:
    """Each person's own scores under three conditions, and a test.

    The conditions are in-domain, cross-domain and without context; the test is one of this order.
    Give one model's samples of hugagent, hugagent_cross_domain and hugagent_no_context (or the
    synthetic ones). --out writes every person as .csv or .json.

    Examples:
        otherminds people otherminds-results --show 20
    """
    import pandas as pd

    from otherminds import analysis, console, files, harness, progress
    from otherminds.tasks.hugagent import people as of_people

    files.check_table(out)
    harness.quiet(debug=context.find_root().params["debug"])
    with progress.status() as say:
        say("reading samples")
        runs = analysis.read_runs(paths)
        say("scoring people")
        found = of_people.people(runs)
    for one in found:
        of_people.print_people(one, show=show)
    console.print_notes(runs.notes)
    if out is not None:
        files.write_table(pd.concat([one.table() for one in found], ignore_index=True), out)
        typer.echo(f"Written: {out}")
