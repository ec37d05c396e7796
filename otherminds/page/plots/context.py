"""Scores by how much of the interview was shown."""

from __future__ import annotations

from otherminds.page.contents import Contents, groups
from otherminds.page.plots.style import PANEL, Look, Plot, load_altair, panels, rows, title
from otherminds.page.text import label, slug, spread

_CAPTION = "Line: score at each length of context. Band and bars: 95% interval at each length."


def curves(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task: a panel per metric, a line with its band per run."""
    table = contents.context.dropna(subset=["length", "value"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for task, of_task in groups(table, "task"):
        charts = []
        for metric, own in groups(of_task, "metric"):
            runs = look.present(own)
            records = [
                {
                    "run": look.names[str(row["run"])],
                    **{name: float(row[name]) for name in ("length", "value", "low", "high")},
                }
                for row in own.to_dict("records")
            ]
            base = altair.Chart(rows(altair, records)).encode(
                x=altair.X("length:Q", title="turns shown"),
                color=look.colour(altair, runs),
            )
            y = altair.Y("value:Q", title=label(metric, 24), scale=altair.Scale(zero=False))
            band = base.mark_area(opacity=0.18).encode(y=altair.Y("low:Q"), y2="high:Q")
            bars = base.mark_rule(opacity=0.5).encode(y=altair.Y("low:Q"), y2="high:Q")
            line = base.mark_line(strokeWidth=2).encode(y=y)
            points = base.mark_point(filled=True, size=55, opacity=1).encode(
                y=y, shape=look.shape(altair, runs)
            )
            items = spread([int(n) for n in own["n"]])
            charts.append(
                altair.layer(band, bars, line, points).properties(
                    width=PANEL, height=200, title=title(altair, metric, f"n = {items} per point")
                )
            )
        chart = panels(altair, charts, columns=2)
        found.append(
            Plot(f"context-{slug(task)}", "Scores by length of context", str(task), _CAPTION, chart)
        )
    return found
