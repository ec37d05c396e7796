"""Scores as tables for a terminal: of a task, of its parts, of several runs and of several tasks.

A table that is wider than the terminal is split by columns into several; names are never broken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from otherminds import console
from otherminds.benchmark import Breakdown
from otherminds.console import digits, interval_of, number
from otherminds.metrics.uncertainty import nothing
from otherminds.scoring.base import EACH, RUNS

COUNTS = "n_"
"""Prefixes of the names of counts, which are not scores."""

MOST_COLUMNS = 4
"""The parts whose scores stand side by side in a terminal of 80."""

_ARROWS = {True: "↑", False: "↓", None: ""}
_NOTHING = dataclasses.asdict(nothing())

# Blanks between the columns of the tables here.
_GAP = 2


def results_table(
    task: str,
    metrics: Sequence[str],
    arrows: Mapping[str, bool | None],
    scores: Mapping[str, Any],
    references: Mapping[str, Mapping[str, float]],
    called: str,
) -> Group:
    """A line per metric, with its uncertainty, n, and reference scores.

    `called` names the task's clusters, such as people.
    References that do not fit beside the scores stand in a table of their own.
    """
    runs = scores.get(RUNS, {})
    shown = [metric for metric in metrics if not metric.startswith(COUNTS)]
    found = [scores["estimates"].get(metric, _NOTHING) for metric in shown]
    over = {}
    if runs:
        spread = [over_runs(runs["estimates"].get(metric)) for metric in shown]
        over = {f"mean ± SD_of {runs['n']} runs": spread}
    columns = {
        "Value": [number(one["value"]) for one in found],
        "± SE": [number(one["stderr"]) for one in found],
        "95 % interval": [interval_of(one) for one in found],
        **over,
        "n": [f"{one['n']:,.0f}" for one in found],
        called: [f"{one['n_clusters']:,}" for one in found],
    }
    # A reference may be of other tasks on the same data.
    references = {
        name: known for name, known in references.items() if any(one in known for one in shown)
    }
    beside = {
        name: [number(known.get(metric), missing="") for metric in shown]
        for name, known in references.items()
    }
    names = [f"{metric} {_ARROWS[arrows[metric]]}" for metric in shown]
    whole = columns | beside
    if _room("Metric", names, gap=1) >= sum(_width(*one, gap=1) for one in whole.items()):
        return _split("Metric", names, whole, task, gap=1)
    alone = _split("Metric", names, columns, task, gap=1)
    return Group(alone, "", _references_table(shown, references)) if references else alone


def each_run_table(
    task: str,
    metrics: Sequence[str],
    arrows: Mapping[str, bool | None],
    scores: Mapping[str, Any],
) -> RenderableType:
    """A line per metric: mean ± SD over runs, and the interval of each run by itself.

    For runs that are not pooled, because their documents depend on their own earlier answers.
    """
    runs, each = scores[RUNS], scores[EACH]
    shown = [metric for metric in metrics if not metric.startswith(COUNTS)]
    columns = {
        f"mean ± SD\nof {runs['n']} runs": [over_runs(runs["estimates"].get(m)) for m in shown]
    }
    for place, one in enumerate(each, start=1):
        heading = f"95 % interval\nof run {place} alone"
        columns[heading] = [interval_of(one.get(metric, _NOTHING)) for metric in shown]
    return Group(
        _split(
            "Metric", [f"{metric} {_ARROWS[arrows[metric]]}" for metric in shown], columns, task
        ),
        "These runs are not pooled: each has an interval of its own.",
    )


def parts_table(
    metrics: Sequence[str], by_part: Mapping[str, Mapping[str, Any]], shown: Breakdown
) -> RenderableType:
    """A line per metric and a column per part of the documents, with n; many parts are lines.

    All of them stand in as many tables as the terminal needs.
    """
    known = [name for name in metrics if any(name in found for found in by_part.values())]
    if not known:
        # Metrics that are measured of parts alone, and not of the whole.
        known = list(dict.fromkeys(name for found in by_part.values() for name in found))
    if len(by_part) > MOST_COLUMNS and shown.values_only:
        columns = {
            name: [number(found.get(name, _NOTHING)["value"]) for found in by_part.values()]
            for name in known
        }
        return _split("Part", list(by_part), columns, f"{shown.title}, values")
    if len(by_part) > MOST_COLUMNS:
        counts = [
            max((one["n"] for one in found.values()), default=0) for found in by_part.values()
        ]
        columns = {
            name: [_with_error(found.get(name)) for found in by_part.values()]
            for name in known
            if name != "parse_rate"
        }
        columns["n"] = [f"{count:,.0f}" for count in counts]
        return _split("Part", list(by_part), columns, shown.title)
    columns = {
        part: [_with_error(found.get(name), n=True) for name in known]
        for part, found in by_part.items()
    }
    return _split("Metric", known, columns, f"{shown.title} (n)")


def runs_table(
    metrics: Sequence[str], parts: Mapping[str, Mapping[str, Any]], title: str
) -> RenderableType:
    """A line per metric and a column per part: mean ± population SD over runs."""
    known = [name for name in metrics if any(name in found for found in parts.values())]
    columns = {
        part: [over_runs(found.get(name)) for name in known] for part, found in parts.items()
    }
    return _split("Metric", known, columns, title)


def over_runs(found: Mapping[str, Any] | None) -> str:
    """Mean ± population SD over runs."""
    return f"{number(found['mean'])} ± {digits(found['sd'])}" if found else "n/a"


def overview(
    scores: Mapping[str, Mapping[str, Any]],
    arrows: Mapping[str, Mapping[str, bool | None]],
    of: str = "Task",
    title: str = "All tasks, ± SE",
    *,
    whole: bool = False,
) -> RenderableType:
    """A line per task and a column per main metric, as many as fit: the rows of a paper's table.

    Metrics that more of the tasks have come first, else as a task lists them.

    arrows  whether higher is better, by task and metric; others than these are not shown
    of      what a line is of
    whole   whether all metrics are shown, in as many tables as the terminal needs
    """
    listed = [
        metric
        for metric in dict.fromkeys(name for task in scores for name in arrows[task])
        if not metric.endswith("_stderr")
        and not metric.startswith(COUNTS)
        and any(metric in found.get("estimates", {}) for found in scores.values())
    ]
    metrics = sorted(listed, key=lambda name: -sum(name in arrows[task] for task in scores))
    columns = {
        metric: [
            _cell(found.get("estimates", {}).get(metric), asked=metric in arrows[task])
            for task, found in scores.items()
        ]
        for metric in metrics
    }
    in_lines = {metric: [_in_a_line(cell) for cell in cells] for metric, cells in columns.items()}
    is_wide = sum(_width(*one) for one in in_lines.items()) <= _room(of, list(scores))
    shown = in_lines if is_wide else columns
    return (_split if whole else _most)(of, list(scores), shown, title)


def _cell(found: Mapping[str, Any] | None, *, asked: bool) -> str:
    """A value above its error; nothing where a task does not have the metric."""
    if found is None:
        return "n/a" if asked else ""
    error = number(found["stderr"], missing="")
    return number(found["value"]) + (f"\n± {error}" if error else "")


def _references_table(
    metrics: Sequence[str], references: Mapping[str, Mapping[str, float]]
) -> RenderableType:
    """A line per model and a column per metric, or the other way round where there are more metrics."""
    known = [name for name in metrics if any(name in scores for scores in references.values())]
    cells = {
        name: [number(scores.get(metric), missing="") for metric in known]
        for name, scores in references.items()
    }
    if len(known) > len(references):
        return _split("Metric", known, cells, "For comparison")
    by_metric = dict(zip(known, map(list, zip(*cells.values(), strict=True)), strict=True))
    return _split("Model", list(references), by_metric, "For comparison")


def counts_table(
    first: str, names: Sequence[str], columns: Mapping[str, Sequence[str]], title: str
) -> Group:
    """A line per name and all columns, in as many tables as the terminal needs."""
    return _split(first, names, columns, title, gap=1)


def _split(
    first: str,
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    title: str,
    *,
    gap: int = _GAP,
) -> Group:
    """A line per name and all columns, in as many tables as the terminal needs.

    Names that leave no room for a column stand on lines of their own.
    """
    if max(_width(*one, gap=gap) for one in columns.items()) > _room(first, names, gap=gap):
        return _in_lines(names, columns, title)
    blocks: list[dict[str, Sequence[str]]] = []
    used, most = 0, _room(first, names, gap=gap)
    for heading, cells in columns.items():
        width = _width(heading, cells, gap=gap)
        if not blocks or used + width > most:
            blocks.append({})
            used = 0
        blocks[-1][heading] = cells
        used += width
    lines: list[RenderableType] = []
    for block in blocks:
        lines += [_table(first, names, block, title, gap=gap), ""]
    return Group(*lines[:-1])


def _most(
    first: str,
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    title: str,
) -> RenderableType:
    """A line per name, and the first columns that fit: one at least.

    Names that leave no room for a column stand on lines of their own.
    """
    most = _room(first, names)
    chosen: dict[str, Sequence[str]] = {}
    for heading, cells in columns.items():
        most -= _width(heading, cells)
        if most < 0 and chosen:
            break
        chosen[heading] = cells
    is_narrow = most < 0 and len(chosen) == 1
    shown = _in_lines(names, chosen, title) if is_narrow else _table(first, names, chosen, title)
    left_out = len(columns) - len(chosen)
    if not left_out:
        return shown
    more = "1 more metric" if left_out == 1 else f"{left_out} more metrics"
    return Group(shown, f"{more}: --details, or a wider terminal")


def _in_lines(names: Sequence[str], columns: Mapping[str, Sequence[str]], title: str) -> Group:
    lines = [line for row in _rows(names, columns) for line in _stacked(row, list(columns))]
    return Group(Text(title), console.filled(Text("\n".join(lines)), console.OUT.width))


def _in_a_line(cell: str) -> str:
    return cell.replace("\n", " ")


def _stacked(row: Sequence[str], headings: Sequence[str]) -> list[str]:
    name, *cells = row
    shown = zip(headings, map(_in_a_line, cells), strict=True)
    return [name, *(f"  {heading} {cell}" for heading, cell in shown)]


def _table(
    first: str,
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    title: str,
    *,
    gap: int = _GAP,
) -> Table:
    headings = console.numbers(*map(_broken, columns), bottom=True)
    rows = _rows(names, columns)
    return console.table([*console.texts(first), *headings], rows, title=title, gap=gap)


def _rows(names: Sequence[str], columns: Mapping[str, Sequence[str]]) -> list[list[str]]:
    return [[name, *cells] for name, *cells in zip(names, *columns.values(), strict=True)]


def _room(first: str, names: Sequence[str], *, gap: int = _GAP) -> int:
    """The blanks that are left beside the names."""
    return console.OUT.width - max(map(cell_len, [first, *names])) - gap


def _width(heading: str, cells: Sequence[str], *, gap: int = _GAP) -> int:
    lines = [line for text in (_broken(heading), *cells) for line in text.splitlines()]
    return max(map(cell_len, lines), default=0) + gap


def _with_error(found: Mapping[str, Any] | None, *, n: bool = False) -> str:
    if not found:
        return "n/a"
    error = number(found["stderr"], missing="")
    value = number(found["value"]) + (f" ± {error}" if error else "")
    return f"{value} ({found['n']:,.0f})" if n else value


def _broken(heading: str) -> str:
    """A heading of several words, one below the other."""
    return heading.replace("_", "\n")
