"""Scores as tables for a terminal: of a task, of its parts, of several runs and of several tasks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

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

# The references that fit beside the scores.
_MOST_BESIDE = 3

# A task lists the metrics of its paper's main table first; five columns fit into a terminal of 80.
_MAIN_METRICS = 5


def results_table(
    task: str,
    metrics: Sequence[str],
    arrows: Mapping[str, bool | None],
    scores: Mapping[str, Any],
    references: Mapping[str, Mapping[str, float]],
    called: str,
) -> RenderableType:
    """A line per metric, with its uncertainty, n, and reference scores.

    `called` names the task's clusters, such as people.
    More references than fit beside the scores stand in a table of their own.
    """
    runs = scores.get(RUNS, {})
    beside = references if len(references) <= _MOST_BESIDE and not runs else {}
    over = [f"mean ± SD_of {runs['n']} runs"] if runs else []
    headings = ("Value", "± SE", "95 % interval", *over, "n", called, *beside)
    shown = [metric for metric in metrics if not metric.startswith(COUNTS)]
    rows = []
    for metric in shown:
        found = scores["estimates"].get(metric, _NOTHING)
        rows.append(
            [
                f"{metric} {_ARROWS[arrows[metric]]}",
                number(found["value"]),
                number(found["stderr"]),
                interval_of(found),
                *([over_runs(runs["estimates"].get(metric))] if runs else []),
                f"{found['n']:,.0f}",
                f"{found['n_clusters']:,}",
                *(number(known.get(metric), missing="") for known in beside.values()),
            ]
        )
    table = console.table(
        [*console.texts("Metric"), *console.numbers(*map(_broken, headings))],
        rows,
        title=task,
        gap=1,
    )
    if beside or not references:
        return table
    return Group(table, "", _references_table(shown, references))


def each_run_table(
    task: str,
    metrics: Sequence[str],
    arrows: Mapping[str, bool | None],
    scores: Mapping[str, Any],
) -> Table:
    """A line per metric: mean ± SD over runs, and the interval of each run by itself.

    For runs that are not pooled, because their documents depend on their own earlier answers.
    """
    runs, each = scores[RUNS], scores[EACH]
    places = range(1, len(each) + 1)
    return console.table(
        [
            *console.texts("Metric"),
            *console.numbers(f"mean ± SD\nof {runs['n']} runs"),
            *console.numbers(
                *(f"95 % interval\nof run {place} alone" for place in places), fit="words"
            ),
        ],
        [
            [
                f"{metric} {_ARROWS[arrows[metric]]}",
                over_runs(runs["estimates"].get(metric)),
                *(interval_of(one.get(metric, _NOTHING)) for one in each),
            ]
            for metric in metrics
            if not metric.startswith(COUNTS)
        ],
        title=task,
        caption="These runs are not pooled: each has an interval of its own.",
        gap=1,
    )


def parts_table(
    metrics: Sequence[str], by_part: Mapping[str, Mapping[str, Any]], shown: Breakdown
) -> RenderableType:
    """A line per metric and a column per part of the documents; many parts are lines.

    Where many parts are shown without errors, they stand in as many tables as the terminal needs.
    """
    known = [name for name in metrics if any(name in found for found in by_part.values())]
    if not known:
        # Metrics that are measured of parts alone, and not of the whole.
        known = list(dict.fromkeys(name for found in by_part.values() for name in found))
    if len(by_part) > MOST_COLUMNS and shown.values_only:
        return _values_tables(known, by_part, f"{shown.title}, values")
    if len(by_part) > MOST_COLUMNS:
        main = [name for name in known if name != "parse_rate"][: MOST_COLUMNS - 1]
        return console.table(
            [*console.texts("Part"), *console.numbers(*main, "n")],
            [
                [
                    part,
                    *(_with_error(found.get(name)) for name in main),
                    f"{max((one['n'] for one in found.values()), default=0):,.0f}",
                ]
                for part, found in by_part.items()
            ],
            title=shown.title,
        )
    return console.table(
        [*console.texts("Metric"), *console.numbers(*map(_broken, by_part))],
        [[name, *(_with_error(found.get(name)) for found in by_part.values())] for name in known],
        title=shown.title,
    )


def runs_table(metrics: Sequence[str], parts: Mapping[str, Mapping[str, Any]], title: str) -> Table:
    """A line per metric and a column per part: mean ± population SD over runs."""
    known = [name for name in metrics if any(name in found for found in parts.values())]
    return console.table(
        [*console.texts("Metric"), *console.numbers(*map(_broken, parts))],
        [[name, *(over_runs(found.get(name)) for found in parts.values())] for name in known],
        title=title,
    )


def over_runs(found: Mapping[str, Any] | None) -> str:
    """Mean ± population SD over runs."""
    return f"{number(found['mean'])} ± {digits(found['sd'])}" if found else "n/a"


def overview(
    scores: Mapping[str, Mapping[str, Any]], arrows: Mapping[str, Mapping[str, bool | None]]
) -> Table:
    """A line per task and a column per main metric: the rows of a paper's table."""
    shown = [
        metric
        for metric in dict.fromkeys(name for known in arrows.values() for name in known)
        if not metric.endswith("_stderr")
        and any(metric in found.get("estimates", {}) for found in scores.values())
    ][:_MAIN_METRICS]
    rows = []
    for task, found in scores.items():
        estimates = [found.get("estimates", {}).get(metric, _NOTHING) for metric in shown]
        cells = [f"{number(one['value'])}\n± {number(one['stderr'])}" for one in estimates]
        rows.append([task, *cells])
    columns = [*console.texts("Task", fit="fold"), *console.numbers(*shown)]
    return console.table(columns, rows, title="All tasks, ± SE")


def _references_table(
    metrics: Sequence[str], references: Mapping[str, Mapping[str, float]]
) -> Table:
    """A line per model and a column per metric, or the other way round where there are more metrics."""
    known = [name for name in metrics if any(name in scores for scores in references.values())]
    cells = {
        name: [number(scores.get(metric), missing="") for metric in known]
        for name, scores in references.items()
    }
    if len(known) > len(references):
        columns = [*console.texts("Metric"), *console.numbers(*map(_broken, references))]
        rows = [[metric, *found] for metric, *found in zip(known, *cells.values(), strict=True)]
    else:
        columns = [*console.texts("Model"), *console.numbers(*known)]
        rows = [[name, *found] for name, found in cells.items()]
    return console.table(columns, rows, title="For comparison")


def _values_tables(
    metrics: Sequence[str], by_part: Mapping[str, Mapping[str, Any]], title: str
) -> Group:
    """A line per part and a column per metric, in tables that fit into the terminal."""
    most = console.OUT.width - max(map(len, by_part))
    blocks: list[dict[str, list[str]]] = []
    used = 0
    for metric in metrics:
        cells = [number(found.get(metric, _NOTHING)["value"]) for found in by_part.values()]
        width = 2 + max(map(len, [*metric.split("_"), *cells]))
        if not blocks or used + width > most:
            blocks.append({})
            used = 2
        blocks[-1][metric] = cells
        used += width
    lines: list[RenderableType] = []
    for block in blocks:
        columns = [*console.texts("Part"), *console.numbers(*map(_broken, block), bottom=True)]
        rows = [[part, *cells] for part, *cells in zip(by_part, *block.values(), strict=True)]
        lines += [console.table(columns, rows, title=title), ""]
    return Group(*lines[:-1])


def _with_error(found: Mapping[str, Any] | None) -> str:
    return f"{number(found['value'])} ± {number(found['stderr'])}" if found else "n/a"


def _broken(heading: str) -> str:
    """A heading of several words, one below the other."""
    return heading.replace("_", "\n")
