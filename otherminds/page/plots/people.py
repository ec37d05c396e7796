"""How scores differ between people."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from otherminds.page.contents import Contents, groups
from otherminds.page.plots.style import PANEL, Look, Panel, Plot, load_altair, rows
from otherminds.page.text import label, slug

BINS = 20
_KIND = "Scores by person"
_CAPTION = (
    "Bars: how many {called} have a score in the bin. Dot: median. Line: the middle half of them."
)


def distributions(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task: a column of histograms per metric, one for each run, on the same axes."""
    table = contents.people.dropna(subset=["value"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for task, of_task in groups(table, "task"):
        panels = []
        for _, own in groups(of_task, "metric"):
            values = own["value"].astype(float)
            # A share's axis is whole, so that histograms of several tasks can be compared by eye.
            edges = np.linspace(min(0.0, values.min()), max(values.max(), 1.0), BINS + 1)
            counts = {
                run: np.histogram(own.loc[own["run"] == run, "value"].astype(float), edges)[0]
                for run in look.present(own)
            }
            most = max(int(count.max()) for count in counts.values())
            for run, count in counts.items():
                of_run = own[own["run"] == run]
                chart = _histogram(altair, look, run, of_run, edges, count, most)
                metric = label(own["metric"].iloc[0], 40)
                n = f"{metric}, n = {len(of_run):,} {contents.called_of(task)}"
                panels.append(Panel(look.names[run], n, chart))
        called = contents.called_of(task)
        caption = _CAPTION.format(called=called)
        found.append(Plot(f"people-{slug(task)}", _KIND, str(task), caption, panels))
    return found


def _histogram(
    altair: ModuleType,
    look: Look,
    run: str,
    table: pd.DataFrame,
    edges: np.ndarray,
    counts: np.ndarray,
    most: int,
) -> Any:
    name, metric = look.names[run], label(table["metric"].iloc[0], 40)
    colour = look.colour(altair, list(look.names), legend=False)
    bars = [
        {"run": name, "low": edges[place], "high": edges[place + 1], "people": int(count)}
        for place, count in enumerate(counts)
        if count
    ]
    domain = altair.Scale(domain=[edges[0], edges[-1]], nice=False)
    x = altair.X("low:Q", scale=domain, title=f"{metric} of each", axis=altair.Axis(tickCount=5))
    drawn = (
        altair.Chart(rows(altair, bars))
        .mark_bar(opacity=0.65, binSpacing=1)
        .encode(
            x=x,
            x2="high:Q",
            y=altair.Y(
                "people:Q",
                title="how many",
                # Room above the highest bar for the median and its line.
                scale=altair.Scale(domain=[0, most * 1.3], nice=False),
                axis=altair.Axis(tickCount=3),
            ),
            y2=altair.datum(0),
            color=colour,
        )
    )
    first, median, third = np.quantile(table["value"].astype(float), [0.25, 0.5, 0.75])
    summary = altair.Chart(
        rows(altair, [{"run": name, "first": first, "median": median, "third": third}])
    ).encode(y=altair.value(5), color=colour)
    middle = summary.mark_rule(strokeWidth=2).encode(
        x=altair.X("first:Q", scale=domain), x2="third:Q"
    )
    dot = summary.mark_point(filled=True, size=60, opacity=1).encode(
        x=altair.X("median:Q", scale=domain)
    )
    return altair.layer(drawn, middle, dot).properties(width=PANEL, height=90)
