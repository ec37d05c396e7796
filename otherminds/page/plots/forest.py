"""Scores with their intervals: by run, and by run within each topic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import pandas as pd

from otherminds.page.contents import ALL, Contents, groups
from otherminds.page.plots.style import (
    DASHES,
    OTHER_DASH,
    PANEL,
    REFERENCE,
    Look,
    Plot,
    load_altair,
    panels,
    rows,
    title,
)
from otherminds.page.text import label, slug, spread

_DIRECTION = {True: "higher is better", False: "lower is better"}


def scores(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task: a panel per metric, a line per run."""
    return _plots(
        contents,
        look,
        kind="Scores",
        part=True,
        caption="Dot: score. Line: 95% interval. Dashed lines: references.",
    )


def topics(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task that has parts: a panel per metric, a group of lines per part."""
    return _plots(
        contents,
        look,
        kind="Scores by topic",
        part=False,
        caption="Dot: score on one topic. Line: 95% interval. Dashed lines: references for that topic.",
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
        charts = [
            _panel(
                altair, look, metric, one, lines[lines["metric"] == metric], first=index % 2 == 0
            )
            for index, (metric, one) in enumerate(groups(own, "metric"))
        ]
        chart = panels(altair, charts, columns=2)
        found.append(Plot(f"{slug(kind)}-{slug(task)}", kind, str(task), caption, chart))
    return found


def _panel(
    altair: ModuleType,
    look: Look,
    metric: str,
    table: pd.DataFrame,
    references: pd.DataFrame,
    *,
    first: bool,
) -> Any:
    """One metric. Panels in the second column share the labels of the first."""
    runs = look.present(table)
    parts = [label(part, 30) for part in table["part"].unique()]
    whole = parts == [ALL]
    names = [look.names[run] for run in runs] if whole else parts
    y = altair.Y(
        "run:N" if whole else "part:N",
        title=None,
        sort=names,
        scale=altair.Scale(domain=names, paddingInner=0.25),
        axis=altair.Axis(labels=first, ticks=False, domain=False),
    )
    position: dict[str, Any] = {"y": y}
    if not whole:
        position["yOffset"] = altair.YOffset(
            "run:N", sort=[look.names[run] for run in runs], scale=altair.Scale(paddingOuter=0.4)
        )
    x, bounds = _axis(altair, metric, table, references)
    base = altair.Chart(rows(altair, _records(table, look))).encode(
        **position, color=look.colour(altair, runs, legend=not whole)
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=altair.X("low:Q", **x), x2="high:Q")
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=altair.X("value:Q", **x), shape=look.shape(altair, runs, legend=not whole)
    )
    lines = _lines(altair, references, None if whole else parts)
    height = 30 * len(names) if whole else len(names) * (14 * len(runs) + 14)
    return altair.layer(*lines, interval, points).properties(
        width=PANEL, height=height, title=title(altair, metric, _subtitle(table, bounds))
    )


def _records(table: pd.DataFrame, look: Look) -> list[Mapping[str, Any]]:
    return [
        {
            **{"run": look.names[str(row["run"])], "part": label(row["part"], 30)},
            **{name: float(row[name]) for name in ("value", "low", "high")},
        }
        for row in table.to_dict("records")
    ]


def _axis(
    altair: ModuleType, metric: str, table: pd.DataFrame, references: pd.DataFrame
) -> tuple[dict[str, Any], str]:
    """From 0 to the best possible value; further where a value or an interval lies outside."""
    values = pd.concat([table["value"], table["low"], table["high"], references["value"]])
    values = values.astype(float).dropna()
    unit_max = float(table["unit_max"].astype(float).max())
    bounded = math.isfinite(unit_max)
    low, high = min(0.0, values.min()), values.max()
    domain = [low, max(unit_max, high)] if bounded else [low, high * 1.05 or 1.0]
    bounds = f"0 to {unit_max:g}" if bounded else ""
    axis_title = label(metric, 50) + (f" ({bounds})" if bounds else "")
    scale = altair.Scale(domain=domain, nice=not bounded, zero=False)
    return {"title": axis_title, "scale": scale, "axis": altair.Axis(tickCount=6)}, bounds


def _subtitle(table: pd.DataFrame, bounds: str) -> str:
    items = spread([int(n) for n in table["n"].fillna(0)])
    people = spread([int(n) for n in table["n_people"].fillna(0)])
    better = {value for value in table["higher_is_better"] if value is not None}
    words = [_DIRECTION[bool(value)] for value in better if not pd.isna(value)]
    return " · ".join([f"n = {items} items, {people} people", *words])


def _lines(altair: ModuleType, references: pd.DataFrame, parts: Sequence[str] | None) -> list[Any]:
    """Reference values: across the panel, or across the band of their own part."""
    if references.empty:
        return []
    names = [label(name, 30) for name in references["name"].unique()]
    records = [
        {
            "name": label(row["name"], 30),
            "part": label(row["part"], 30),
            "value": float(row["value"]),
        }
        for row in references.to_dict("records")
    ]
    dash = altair.StrokeDash(
        "name:N",
        title="reference",
        scale=altair.Scale(
            domain=names, range=[list(DASHES.get(name, OTHER_DASH)) for name in names]
        ),
    )
    lines = altair.Chart(rows(altair, records)).mark_rule(color=REFERENCE, strokeWidth=1.5)
    if parts is None:
        return [lines.encode(x="value:Q", strokeDash=dash)]
    return [
        lines.encode(
            x="value:Q",
            y=altair.Y("part:N", sort=parts, bandPosition=0),
            y2=altair.Y2("part:N", bandPosition=1),
            strokeDash=dash,
        )
    ]
