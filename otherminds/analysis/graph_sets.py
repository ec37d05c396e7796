"""Belief graphs from files and datasets, and the comparison of two sets of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from rich.table import Table

from otherminds import console, data, estimates, files, manifest
from otherminds.errors import OtherMindsError
from otherminds.metrics.graphs import (
    BeliefGraph,
    Comparison,
    Correlation,
    GraphError,
    from_agent,
    from_release,
    read_graph,
)
from otherminds.metrics.graphs.sets import RIGHT_TAILED
from otherminds.metrics.graphs.validation import strict_json
from otherminds.metrics.uncertainty import Estimate

WHAT = "a .json file, a .jsonl file, a folder of these, or DATASET/CONFIGURATION"
"""Where graphs are read from."""

_MEASURES = ("mean", "sd", "skewness")
_DISTANCES = ("ks", "js", "overlap")


def read(where: str) -> list[BeliefGraph]:
    """The graphs at a place: one in a .json file, one on each line of a .jsonl file, all of a folder.

    Each is an object of the schema, a record of the release schema, or a row with a column `graph` as
    those of simulated people; such rows are also read from a dataset, as DATASET/CONFIGURATION.
    Raises OtherMindsError, which names the place of whatever is no graph.
    """
    return [_graph(found, place) for place, found in _records(where)]


def tables(comparisons: Sequence[Comparison], names: tuple[str, str]) -> list[Table]:
    """What people read of a comparison: the means of both sets, and how far apart the sets are."""
    means = [
        [
            one.statistic,
            *(
                cell
                for side in (one.first, one.second)
                for cell in (console.digits(side.mean.value), estimates.interval(side.mean))
            ),
        ]
        for one in comparisons
    ]
    apart = [
        [
            one.statistic,
            console.digits(found.ks.value),
            estimates.interval(found.ks),
            console.digits(found.null[0]),
            f"{found.p_value:.4f}",
            console.digits(found.js.value),
            console.digits(found.overlap.value),
        ]
        for one in comparisons
        if (found := one.distances) is not None
    ]
    spans = console.numbers("First", "95 % interval", "Second", "95 % interval")
    distances = console.numbers("KS", "95 % interval", "Chance", "p", "JS", "Overlap")
    return [
        console.table(
            [*console.texts("Mean of"), *spans],
            means,
            title=f"First: {names[0]}. Second: {names[1]}.",
        ),
        console.table(
            [*console.texts("Distance of"), *distances],
            apart,
            title="Distances of their distributions",
            caption="Chance: mean KS of people dealt to two sets at random; p: of KS among these.",
        ),
    ]


def tails(comparisons: Sequence[Comparison], names: tuple[str, str]) -> list[str]:
    """In a sentence for each set, whether the numbers of nodes and edges are skewed to the right."""
    found = []
    for one in comparisons:
        if one.statistic not in RIGHT_TAILED:
            continue
        for name, side in zip(names, (one.first, one.second), strict=True):
            skew = side.skewness
            # NaN, of few people or equal numbers, is above nothing.
            verdict = "the right tail is longer" if skew.low > 0 else "no long right tail shown"
            found.append(
                f"{one.statistic.capitalize()} of {name}: skewness {_shown(skew)}: {verdict}."
            )
    return found


def as_records(comparisons: Sequence[Comparison], names: tuple[str, str]) -> list[dict[str, Any]]:
    """One row per statistic, measure and set; distances are of both sets together."""
    rows: list[dict[str, Any]] = []
    for one in comparisons:
        for name, side in zip(names, (one.first, one.second), strict=True):
            rows += [_row(one.statistic, name, kind, getattr(side, kind)) for kind in _MEASURES]
        if one.distances is None:
            continue
        both, found = " / ".join(names), one.distances
        for kind, null in zip(_DISTANCES, found.null, strict=True):
            row = _row(one.statistic, both, kind, getattr(found, kind))
            rows.append({**row, "by_chance": null, "p": found.p_value if kind == "ks" else None})
    return rows


def save(comparisons: Sequence[Comparison], names: tuple[str, str], folder: Path) -> list[Path]:
    """Write `structure.csv`, `structure.json` and the plots, as SVG and PNG; returns their paths.

    Raises OtherMindsError where the folder cannot be written, or altair is not installed.
    """
    from otherminds.page import plots
    from otherminds.page.plots.graph_sets import structures

    records = as_records(comparisons, names)
    paths = [folder / "structure.csv", folder / "structure.json"]
    files.check_folder(folder)
    files.write_table(pd.DataFrame(records), paths[0])
    files.write_json(paths[1], {"sets": list(names), "statistics": records})
    return [*paths, *plots.save(structures(comparisons, names), folder)]


def numbers_by_person(path: Path, column: str) -> dict[str, float]:
    """A number for each person, from the columns `person` and `column` of a CSV file.

    Rows without a number are left out. Raises OtherMindsError where a column is missing, a cell is no
    number, or a person stands there twice.
    """
    try:
        found = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise OtherMindsError(f"{path}: it cannot be read as CSV ({error}).") from None
    for name in ("person", column):
        if name not in found:
            raise OtherMindsError(f"{path}: there is no column '{name}'.")
    filled = found[found[column].str.strip() != ""]
    numbers = pd.to_numeric(filled[column], errors="coerce")
    if numbers.isna().any():
        cell = filled[column][numbers.isna()].iloc[0]
        raise OtherMindsError(f"{path}: {cell!r} in the column '{column}' is no number.")
    twice = filled["person"][filled["person"].duplicated()]
    if len(twice):
        raise OtherMindsError(f"{path}: {twice.iloc[0]!r} stands in two rows; give one per person.")
    return dict(zip(filled["person"], numbers.astype(float), strict=True))


def correlation_table(found: Correlation) -> Table:
    """Pearson's and Spearman's correlation, with their intervals."""
    rows = [
        estimates.Row("all", kind, getattr(found, kind.lower())) for kind in ("Pearson", "Spearman")
    ]
    return estimates.table("Similarity of graphs across topics, and the score", rows, part="People")


def _records(where: str) -> Iterator[tuple[str, Any]]:
    path = Path(where)
    if path.is_dir():
        inside = sorted((*path.glob("*.json"), *path.glob("*.jsonl")))
        if not inside:
            raise OtherMindsError(f"{path}: the folder has no .json or .jsonl file.")
        for one in inside:
            yield from _of_file(one)
    elif path.is_file():
        yield from _of_file(path)
    else:
        dataset, _, config = where.partition("/")
        if dataset not in manifest.names() or not config:
            raise OtherMindsError(f"'{where}' does not exist: give {WHAT}.")
        rows = data.load(dataset, config)[data.SPLIT]
        if "graph" not in rows.column_names:
            raise OtherMindsError(f"'{where}' has no graphs: there is no column 'graph'.")
        for number, row in enumerate(rows):
            yield f"{where}, row {number}", row


def _of_file(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        said = "it is not UTF-8" if isinstance(error, UnicodeError) else error.strerror
        raise OtherMindsError(f"{path}: it cannot be read ({said}).") from None
    parts = (
        [(f"{path}, line {n}", line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        if path.suffix == ".jsonl"
        else [(str(path), text)]
    )
    for place, part in parts:
        try:
            yield place, strict_json(part)
        except GraphError as error:
            raise OtherMindsError(f"{place}: {error}") from None


def _graph(found: Any, place: str) -> BeliefGraph:
    try:
        if isinstance(found, dict) and "belief_graph" in found:
            return from_release(found)
        if isinstance(found, dict) and "graph" in found:
            return from_agent(found)
        return read_graph(found)
    except GraphError as error:
        raise OtherMindsError(f"{place}: {error}") from None


def _shown(found: Estimate) -> str:
    span = estimates.interval(found)
    return console.digits(found.value) + (f" ({span})" if span else "")


def _row(statistic: str, name: str, kind: str, found: Estimate) -> dict[str, Any]:
    return {
        "statistic": statistic,
        "set": name,
        "measure": kind,
        **estimates.record(found),
        "by_chance": None,
        "p": None,
    }
