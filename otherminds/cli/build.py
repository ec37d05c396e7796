"""The commands that build datasets: whole, in shards, and from shards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherminds.cli import completions
from otherminds.cli.main import said
from otherminds.errors import OtherMindsError, kept

if TYPE_CHECKING:
    from otherminds.dataset_builders.verdict import Audit

_FAILED = {
    "fatal": "These data must not be used.",
    "release": "These data are not the release that the manifest describes.",
    "stated": "This makes no score wrong, but readers must know it.",
}


def build(
    dataset: Annotated[
        str | None,
        typer.Argument(
            metavar="DATASET",
            help="A dataset's name (`list --datasets`); left out with --all.",
            autocompletion=completions.datasets,
        ),
    ] = None,
    out: Annotated[Path | None, typer.Argument(metavar="OUT", help="The folder to write.")] = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Build all that needs no source, each into OUT/DATASET."),
    ] = False,
    num_proc: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    source: Annotated[
        Path | None, typer.Option(help="The file or folder of others that it is built from.")
    ] = None,
    titles: Annotated[
        Path | None,
        typer.Option(help=said("build --titles")),
    ] = None,
    embedding_model: Annotated[
        str | None,
        typer.Option(
            help="A sentence-transformers model that compares texts, in place of the dataset's own."
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Build the I-th of N shards into OUT; then `merge`."),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(
            "--people", "--stages", min=1, help="So many, and not the release's number of them."
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="What runs the workers: processes, or ray (Ray Data).")
    ] = "processes",
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every audit.")] = False,
) -> None:
    """Build a dataset into a folder that `load_dataset` reads.

    The folder can go to the Hub as it is.

    Examples:
        otherminds build DATASET built --num-proc 4
        otherminds build --all built
    """
    from otherminds import benchmark, manifest, progress
    from otherminds.data.build import dataset as builder
    from otherminds.data.build import engines, shards
    from otherminds.data.build import merge as merging

    of_others = any(one is not None for one in (source, titles, embedding_model))
    in_parts = shard is not None or people is not None or engine != engines.PROCESSES
    if everything:
        # The one argument is then the folder.
        if dataset is None or out is not None or of_others or in_parts:
            raise OtherMindsError(
                "--all takes one folder and no source, titles, --shard, --people or --engine: "
                "`otherminds build --all OUT`."
            )
        _build_all(Path(dataset), num_proc, verbose=verbose)
        return
    if dataset is None or out is None:
        raise OtherMindsError(
            f"Say where to: `otherminds build {dataset or 'DATASET'} OUT`, or "
            "`otherminds build --all OUT`."
        )
    if of_others and in_parts:
        raise OtherMindsError(
            "--shard, --people and --engine are for generated datasets: no source, no titles."
        )
    if in_parts:
        # Refuses a dataset without parts before Ray is looked for.
        shards.in_parts(manifest.load(dataset))
    run = engines.run_of(engine, num_proc)
    judge = None
    if titles is not None:
        reader = benchmark.resolve(benchmark.of_dataset(dataset).titles)
        if reader is None:
            raise OtherMindsError(f"'{dataset}' has no titles to judge: leave the titles out.")
        judge = reader(titles.expanduser())
    with kept(partial(_kept, dataset, out)), progress.bar(f"Building {dataset}") as bar:
        if shard is not None:
            which = shards.Which.read(shard)
            folder, outcome = shards.build(dataset, out, which, run, people=people, progress=bar)
            typer.echo(f"{outcome}: {folder}")
            return
        if people is not None:
            audits = merging.build_population(dataset, out, run, people=people, progress=bar)
        else:
            audits = builder.build(
                dataset,
                out,
                source=source,
                judge=judge,
                embedding=embedding_model,
                num_proc=num_proc,
                run=None if engine == engines.PROCESSES else run,
                progress=bar,
            )
    _print_build(audits, out, verbose=verbose)


def merge(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    folders: Annotated[
        list[Path], typer.Argument(metavar="SHARD", help="The shards, or the folder they are in.")
    ],
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every audit.")] = False,
) -> None:
    """Merge the shards of `build --shard` into one dataset.

    It is what one build would have written.

    Examples:
        otherminds build DATASET shards --shard 1/2
        otherminds build DATASET shards --shard 2/2
        otherminds merge built shards
    """
    from otherminds import progress
    from otherminds.data.build import merge as merging

    with (
        kept(lambda: f"Nothing was written to {out}, and the shards stay."),
        progress.bar("Merging") as bar,
    ):
        audits = merging.merge(out, folders, progress=bar)
    _print_build(audits, out, verbose=verbose)


def _kept(dataset: str, out: Path) -> str:
    from otherminds import manifest

    handed = manifest.load(dataset).handed
    if handed is not None and handed.resumable:
        return "Finished parts are kept: the same command goes on from them."
    return f"Nothing was written to {out}: the same command begins anew."


def _build_all(out: Path, num_proc: int, *, verbose: bool) -> None:
    from otherminds import console, progress
    from otherminds.data.build.every import build_all

    with kept(
        lambda: f"What is named above lies in {out}; the same command builds all of it again."
    ):
        for one in build_all(out, num_proc=num_proc, watch=progress.bar):
            if one.skipped is not None:
                console.say(f"{one.dataset}: skipped, {one.skipped}")
                continue
            if verbose:
                _print_audits(one.audits)
            passed = f"{len(one.audits)} audits passed"
            console.say(f"{one.dataset}: {passed}, written to {one.folder}")


def _print_build(audits: Sequence[Audit], out: Path, *, verbose: bool) -> None:
    """How many rows there are, and which audits they passed; with `verbose`, all of them."""
    from otherminds import console
    from otherminds.data.repository import write as repository

    funnel = out / repository.FUNNEL
    passed = sum(audit.passed for audit in audits)
    if verbose:
        _print_audits(audits)
        _print_funnel(funnel)
    more = ", and what each step left" if funnel.is_file() else ""
    told = "" if verbose else f" (--verbose prints them{more})"
    many = f"All {passed:,}" if passed == len(audits) else f"{passed:,} of {len(audits):,}"
    said = [
        f"Rows: {_rows(out)}",
        f"{many} audits passed{told}",
        *(f"NOT PASSED, {one.name}: {one.detail}. {_FAILED[one.kind]}" for one in _failed(audits)),
        f"Written: {out}",
    ]
    for line in said:
        console.say(line)


def _failed(audits: Sequence[Audit]) -> list[Audit]:
    return [audit for audit in audits if not audit.passed]


def _rows(out: Path) -> str:
    """How many rows each table has."""
    import pyarrow.parquet as pq

    found: Counter[str] = Counter()
    for path in sorted((out / "data").glob("*/*.parquet")):
        found[path.parent.name] += pq.read_metadata(path).num_rows
    return ", ".join(f"{rows:,} {name}" for name, rows in found.items())


def _print_audits(audits: Sequence[Audit]) -> None:
    """The checks of a build, with the values found: a line each, because names and values are long."""
    from otherminds import console

    for audit in audits:
        value = f"{audit.value:,g}" if isinstance(audit.value, float) else str(audit.value)
        sign = "ok    " if audit.passed else "NOT OK"
        line = f"{sign} {audit.name}: {value} ({audit.detail})"
        console.say(line)


def _print_funnel(path: Path) -> None:
    """How much was left after each step of a build from a file of others, beside the paper's counts."""
    from otherminds import console

    if not path.is_file():
        return
    rows = [
        [step["name"], *(_counts(step.get(name) or {}) for name in ("counts", "paper", "dropped"))]
        for step in json.loads(path.read_text(encoding="utf-8"))
    ]
    columns = [*console.texts("Step"), *console.texts("Left", "Paper", "Dropped", fit="words")]
    title = "What was left after each step"
    console.OUT.print(console.table(columns, rows, title=title, look=console.Look.INDENTED))


def _counts(of: Mapping[str, int]) -> str:
    return "\n".join(f"{number:,} {name}" for name, number in of.items())
