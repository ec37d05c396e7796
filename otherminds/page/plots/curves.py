"""Scores along an axis: turns shown, rounds played."""

from __future__ import annotations

from typing import Any

from otherminds.page.contents import Contents, groups
from otherminds.page.plots.style import PANEL, Look, Panel, Plot, load_altair, rows
from otherminds.page.text import label, slug, spread

_CAPTION = "Line: score at each point. Band and bars: 95% interval at each point."


def curves(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task and axis: a panel per metric, a line with its band per run."""
    table = contents.curves.dropna(subset=["x", "value"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for (task, axis), of_task in groups(table, "task", "axis"):
        panels = []
        for metric, own in groups(of_task, "metric"):
            runs = look.present(own)
            records = [
                {
                    "run": look.names[str(row["run"])],
                    **{name: float(row[name]) for name in ("x", "value", "low", "high")},
                }
                for row in own.to_dict("records")
            ]
            base = altair.Chart(rows(altair, records)).encode(
                x=altair.X("x:Q", title=label(axis), axis=altair.Axis(tickMinStep=1, tickCount=6)),
                color=look.colour(altair, runs),
            )
            unit = _unit(metric)
            scale = altair.Scale(zero=False, domain=_domain(of_task, unit), nice=True)
            y = altair.Y("value:Q", title=label(unit, 24), scale=scale)
            band = base.mark_area(opacity=0.18).encode(y=altair.Y("low:Q"), y2="high:Q")
            bars = base.mark_rule(opacity=0.5).encode(y=altair.Y("low:Q"), y2="high:Q")
            line = base.mark_line(strokeWidth=2).encode(y=y)
            points = base.mark_point(filled=True, size=55, opacity=1).encode(
                y=y, shape=look.shape(altair, runs)
            )
            items = spread([int(n) for n in own["n"]])
            chart = altair.layer(band, bars, line, points).properties(width=PANEL, height=200)
            panels.append(Panel(label(metric, 60), f"n = {items} items per point", chart))
        name, kind = f"curves-{slug(task)}", f"Scores by {label(axis)}"
        keys = look.keys(look.present(of_task))
        found.append(Plot(name, kind, str(task), _CAPTION, panels, keys))
    return found


def _unit(metric: object) -> str:
    """A metric's axis label: its name up to a comma, as in "MAE in dollars, trustee M1"."""
    return str(metric).partition(",")[0]


def _domain(table: Any, unit: str) -> list[float]:
    """The same ends for all panels of one unit, so that they can be compared by eye."""
    # No pandas mapping: halves of surrogate pairs, which names may hold, would not survive it.
    own = table[[_unit(metric) == unit for metric in table["metric"]]]
    ends = own[["value", "low", "high"]].astype(float)
    low, high = float(ends.min().min()), float(ends.max().max())
    return [low, high] if high > low else [low - 0.5, high + 0.5]
