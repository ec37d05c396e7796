"""Scores with their intervals: by run, and by run within each topic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pandas as pd

from otherminds.page.contents import ALL, Contents, groups, metrics_of
from otherminds.page.plots.style import (
    NAME,
    PANEL,
    REFERENCE,
    Key,
    Look,
    Panel,
    Plot,
    dashes,
    load_altair,
    rows,
)
from otherminds.page.text import label, slug, spread

_DIRECTION = {True: "higher is better", False: "lower is better"}
# Pixels: a name stands on a line of its own, above what it names, so that no name is ever cut.
_NAME_LINE, _RUN_LINE, _GAP = 19, 15, 9
_PART = 40
"""Characters of a part's name that a panel has room for."""


@dataclass(frozen=True)
class _Line:
    """A line of a panel: a name, or a run's score of a part. `y` is in pixels from the top."""

    y: float
    name: str = ""
    run: str = ""
    part: str = ""


def scores(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task: a panel per metric, a line per run."""
    return _plots(
        contents,
        look,
        kind="Scores",
        part=True,
        caption="Dot: score. Line: 95% interval.",
    )


def topics(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task that has parts: a panel per metric, a group of lines per part."""
    return _plots(
        contents,
        look,
        kind="Scores by part",
        part=False,
        caption="Dot: score on one part of the items. Line: 95% interval.",
    )


def _plots(contents: Contents, look: Look, *, kind: str, part: bool, caption: str) -> list[Plot]:
    table = contents.scores
    table = table[(table["part"] == ALL) == part].dropna(subset=["value"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for task, own in groups(table, "task"):
        lines = contents.references
        lines = lines[(lines["task"] == task) & ((lines["part"] == ALL) == part)]
        lines = lines[lines["metric"].isin(list(own["metric"].unique()))]
        patterns = dashes([label(name, 30) for name in lines["name"].unique()])
        called, by_metric = contents.called_of(task), dict(groups(own, "metric"))
        panels = [
            _panel(altair, look, metric, by_metric[metric], lines, patterns, called)
            for metric in metrics_of(own)
        ]
        keys = [] if part else look.keys(look.present(own))
        keys += [Key(name, REFERENCE, dash=dash) for name, dash in patterns.items()]
        words = f"{caption} Dashed lines: references." if patterns else caption
        found.append(Plot(f"{slug(kind)}-{slug(task)}", kind, str(task), words, panels, keys))
    return found


def _panel(
    altair: ModuleType,
    look: Look,
    metric: str,
    table: pd.DataFrame,
    references: pd.DataFrame,
    patterns: Mapping[str, list[int]],
    called: str,
) -> Panel:
    """One metric: names above the lines that they name."""
    references = references[references["metric"] == metric]
    runs = look.present(table)
    parts = [label(part, _PART) for part in table["part"].unique()]
    whole = parts == [ALL]
    lines = _run_lines(look, runs) if whole else _part_lines(look, runs, parts)
    height = max(line.y for line in lines) + _GAP
    # Pixels, from the top.
    y = altair.Y("y:Q", axis=None, scale=altair.Scale(domain=[height, 0], nice=False, zero=False))
    x = _axis(altair, metric, table, references)
    base = altair.Chart(rows(altair, _records(table, look, lines))).encode(
        y=y, color=look.colour(altair, runs, legend=not whole)
    )
    interval = base.mark_rule(strokeWidth=2, clip=True).encode(
        x=altair.X("low:Q", **x), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=altair.X("value:Q", **x), shape=look.shape(altair, runs, legend=not whole)
    )
    named = [{"y": line.y, "name": line.name} for line in lines if line.name]
    names = (
        altair.Chart(rows(altair, named))
        .mark_text(align="left", fontSize=12, color=NAME, fontWeight="normal" if whole else "bold")
        .encode(x=altair.value(0), y=y, text="name:N")
    )
    drawn = _references(altair, references, lines, patterns, y)
    chart = altair.layer(*drawn, interval, names, points).properties(width=PANEL, height=height)
    return Panel(label(metric, 60), _subtitle(table, called), chart)


def _run_lines(look: Look, runs: Sequence[str]) -> list[_Line]:
    found = []
    y = 0.0
    for run in runs:
        name = look.names[run]
        found.append(_Line(y + _NAME_LINE / 2, name=name))
        found.append(_Line(y + _NAME_LINE + _RUN_LINE / 2, run=name, part=ALL))
        y += _NAME_LINE + _RUN_LINE + _GAP
    return found


def _part_lines(look: Look, runs: Sequence[str], parts: Sequence[str]) -> list[_Line]:
    found = []
    y = 0.0
    for part in parts:
        found.append(_Line(y + _NAME_LINE / 2, name=part))
        y += _NAME_LINE
        for run in runs:
            found.append(_Line(y + _RUN_LINE / 2, run=look.names[run], part=part))
            y += _RUN_LINE
        y += _GAP
    return found


def _records(table: pd.DataFrame, look: Look, lines: Sequence[_Line]) -> list[Mapping[str, Any]]:
    places = {(line.run, line.part): line.y for line in lines if line.run}
    found: list[Mapping[str, Any]] = []
    for row in table.to_dict("records"):
        run, part = look.names[str(row["run"])], label(row["part"], _PART)
        numbers = {name: float(row[name]) for name in ("value", "low", "high")}
        found.append({"run": run, "part": part, "y": places[run, part], **numbers})
    return found


def _axis(
    altair: ModuleType, metric: str, table: pd.DataFrame, references: pd.DataFrame
) -> dict[str, Any]:
    """From 0 to the best possible value, where there is one: intervals end there.

    Without one, the axis ends where intervals and references do. Only a value that lies outside its
    metric's bounds lengthens an axis.
    """
    values = pd.concat([table["value"], references["value"]]).astype(float).dropna()
    ends = pd.concat([values, table["low"], table["high"]]).astype(float).dropna()
    unit_max = float(table["unit_max"].astype(float).max())
    bounded = math.isfinite(unit_max)
    drawn = values if bounded else ends
    low, high = min(0.0, drawn.min()), drawn.max()
    domain = [low, max(unit_max, high)] if bounded else [low, high if high > low else low + 1.0]
    axis_title = label(metric, 36) + (f" (0 to {unit_max:g})" if bounded else "")
    scale = altair.Scale(domain=domain, nice=False, zero=False)
    return {"title": axis_title, "scale": scale, "axis": altair.Axis(tickCount=5)}


def _subtitle(table: pd.DataFrame, called: str) -> str:
    items = spread([int(n) for n in table["n"].fillna(0)])
    people = spread([int(n) for n in table["n_people"].fillna(0)])
    better = {value for value in table["higher_is_better"] if value is not None}
    words = [_DIRECTION[bool(value)] for value in better if not pd.isna(value)]
    return " · ".join([f"n = {items} items, {people} {called}", *words])


def _references(
    altair: ModuleType,
    references: pd.DataFrame,
    lines: Sequence[_Line],
    patterns: Mapping[str, list[int]],
    y: Any,
) -> list[Any]:
    """Reference values, across the lines of the part that they are about, but not across names."""
    if references.empty:
        return []
    half = _RUN_LINE / 2 + 1
    records = [
        {"name": label(row["name"], 30), "value": float(row["value"])}
        | {"y": line.y - half, "end": line.y + half}
        for row in references.to_dict("records")
        for line in lines
        if line.run and line.part == label(row["part"], _PART)
    ]
    dash = altair.StrokeDash(
        "name:N",
        title="reference",
        scale=altair.Scale(domain=list(patterns), range=list(patterns.values())),
    )
    return [
        altair.Chart(rows(altair, records))
        .mark_rule(color=REFERENCE, strokeWidth=1.5)
        .encode(x="value:Q", y=y, y2="end:Q", strokeDash=dash)
    ]
