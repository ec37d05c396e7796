"""The commands on belief graphs: checking them, and comparing two sets of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherminds import console
from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    from otherminds.metrics.graphs import GraphSet

GRAPHS = typer.Typer(no_args_is_help=True, add_completion=False)

_Where = Annotated[
    str,
    typer.Argument(help="Graphs: a .json or .jsonl file, a folder, or DATASET/CONFIGURATION."),
]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
_Seed = Annotated[int | None, typer.Option(help="The seed of the bootstrap.")]


@GRAPHS.callback()
def _graphs() -> None:
    """Check belief graphs, and compare two sets of them.

    A belief graph says what a person thinks matters on a topic, and what they think leads to what.

    Examples:
        otherminds graphs check my-study
        otherminds graphs compare my-study DATASET/agents --out structure
    """


@GRAPHS.command()
def check(
    graphs: _Where,
    cycles: Annotated[
        bool, typer.Option("--cycles", help="Cycles are no fault, as in simulated people.")
    ] = False,
    most_edges: Annotated[
        int | None, typer.Option(min=1, help="The most edges that a node may have.")
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            help="A text file with a label on each line: most factors must be among them."
        ),
    ] = None,
) -> None:
    """Check graphs: no cycle, all joined to the stance.

    Numbers out of range, and whatever else is no graph, are errors. Ends with 1 where a graph has a
    fault.

    Examples:
        otherminds graphs check my-study
    """
    from otherminds.analysis import graph_sets
    from otherminds.metrics.graphs import problems

    found = graph_sets.read(graphs)
    labels = None if vocabulary is None else _lines(vocabulary)
    faulty = 0
    for number, graph in enumerate(found, start=1):
        faults = problems(graph, acyclic=not cycles, degrees=(1, most_edges), vocabulary=labels)
        faulty += bool(faults)
        whose = " on ".join(part for part in (graph.agent_id, graph.topic) if part)
        for fault in faults:
            name = whose or f"graph {number}"
            console.say(f"{name}: {fault.name} at {fault.where}: {fault.says}")
    console.say(f"{len(found):,} graphs, {faulty:,} with a fault.")
    if faulty:
        raise typer.Exit(1)


@GRAPHS.command()
def compare(
    first: _Where,
    second: _Where,
    out: Annotated[
        Path | None, typer.Option(help="A folder for tables and plots; made where it is missing.")
    ] = None,
    as_json: _Json = False,
    draws: Annotated[
        int | None, typer.Option(min=2, help="Bootstrap draws; 2,000 by default.")
    ] = None,
    seed: _Seed = None,
) -> None:
    """Compare what two sets of graphs look like.

    Sizes, degrees, importance and confidence: Kolmogorov-Smirnov, Jensen-Shannon and overlap of each,
    with intervals over people.

    Examples:
        otherminds graphs compare my-study DATASET/agents --out structure
    """
    from otherminds import files
    from otherminds.analysis import graph_sets
    from otherminds.metrics.graphs import compare_sets
    from otherminds.metrics.uncertainty import DRAWS, SEED

    names = _names(first, second)
    one, other = (_set(where) for where in (first, second))
    found = compare_sets(one, other, draws=draws or DRAWS, seed=SEED if seed is None else seed)
    written = [] if out is None else graph_sets.save(found, names, out)
    if as_json:
        rows = {"sets": list(names), "statistics": graph_sets.as_records(found, names)}
        console.say(files.strict_json(rows))
        return
    for table in graph_sets.tables(found, names):
        console.OUT.print(table)
        console.say("")
    for line in graph_sets.tails(found, names):
        console.say(line)
    for path in written:
        console.note(f"Written: {path}")


@GRAPHS.command()
def correlate(
    graphs: _Where,
    scores: Annotated[Path, typer.Argument(help="A CSV file with a column `person`.")],
    column: Annotated[str, typer.Option(help="The column of the score.")] = "value",
    as_json: _Json = False,
    draws: Annotated[
        int | None, typer.Option(min=2, help="Bootstrap draws; 2,000 by default.")
    ] = None,
    seed: _Seed = None,
) -> None:
    """Correlate people's graphs across topics with their scores.

    Similarity is that of motifs, between a person's graphs on every two topics. With cross-domain
    scores: are people whose graphs are alike predicted better?

    Examples:
        otherminds graphs correlate my-study scores.csv --column score
    """
    from otherminds import estimates, files
    from otherminds.analysis import graph_sets
    from otherminds.metrics.errors import MetricError
    from otherminds.metrics.graphs import correlation, similarity_across_topics
    from otherminds.metrics.uncertainty import DRAWS, SEED

    numbers = graph_sets.numbers_by_person(scores, column)
    try:
        found = correlation(
            similarity_across_topics(graph_sets.read(graphs)),
            numbers,
            draws=draws or DRAWS,
            seed=SEED if seed is None else seed,
        )
    except MetricError as error:
        raise OtherMindsError(f"{graphs} and {scores}: {error}") from None
    if as_json:
        both = {"pearson": found.pearson, "spearman": found.spearman}
        rows = {name: estimates.record(one) for name, one in both.items()}
        console.say(files.strict_json({**rows, "people": list(found.people)}))
        return
    console.OUT.print(graph_sets.correlation_table(found))


def _set(where: str) -> GraphSet:
    from otherminds.analysis import graph_sets
    from otherminds.metrics.errors import MetricError
    from otherminds.metrics.graphs import GraphSet

    try:
        return GraphSet.of(graph_sets.read(where))
    except MetricError as error:
        raise OtherMindsError(f"{where}: {error}") from None


def _names(first: str, second: str) -> tuple[str, str]:
    """Short names of two sets, which differ."""
    one, other = (Path(where).name if Path(where).exists() else where for where in (first, second))
    return (one, other) if one != other else (first, second if first != second else f"{second} (2)")


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError):
        raise OtherMindsError(f"{path}: it cannot be read as a text file.") from None
    return [line.strip() for line in text.splitlines() if line.strip()]
