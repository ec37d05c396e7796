"""Whether a model is right as often as it is sure."""

from __future__ import annotations

import math

from otherminds.page.contents import Contents, groups
from otherminds.page.plots.style import REFERENCE, Key, Look, Panel, Plot, load_altair, rows
from otherminds.page.text import slug

_SIDE = 265
"""Pixels of one side of the diagram."""
_Z = 1.959963984540054
_CAPTION = (
    "Dots: share of right answers among those given with about the same confidence. On the dashed line, "
    "a model is right as often as it is sure. Bars: Wilson's 95% interval, which takes items as "
    "independent. Below: how many answers each dot rests on."
)


def diagrams(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task: accuracy by confidence, over the number of answers in each bin."""
    table = contents.reliability
    table = table[table["n"] > 0].dropna(subset=["confidence", "accuracy"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for task, own in groups(table, "task"):
        runs = look.present(own)
        records = []
        for row in own.to_dict("records"):
            low, high = wilson(float(row["accuracy"]), int(row["n"]))
            records.append(
                {
                    **{"run": look.names[str(row["run"])], "n": int(row["n"])},
                    **{name: float(row[name]) for name in ("confidence", "accuracy")},
                    **{"low": low, "high": high},
                }
            )
        whole = altair.Scale(domain=[0, 1])
        x = altair.X("confidence:Q", scale=whole, title="confidence (mean of the bin, 0 to 1)")
        base = altair.Chart(rows(altair, records)).encode(x=x, color=look.colour(altair, runs))
        y = altair.Y("accuracy:Q", scale=whole, title="accuracy (0 to 1)")
        ideal = (
            altair.Chart(rows(altair, [{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
            .mark_line(color=REFERENCE, strokeDash=[5, 4], strokeWidth=1.5)
            .encode(x="x:Q", y="y:Q")
        )
        bars = base.mark_rule(strokeWidth=2).encode(y=altair.Y("low:Q", scale=whole), y2="high:Q")
        line = base.mark_line(strokeWidth=1.5).encode(y=y)
        dots = base.mark_point(filled=True, size=65, opacity=1).encode(
            y=y, shape=look.shape(altair, runs)
        )
        total = int(own["n"].sum())
        upper = altair.layer(ideal, bars, line, dots).properties(width=_SIDE, height=_SIDE)
        counts = altair.Y("n:Q", title="answers", axis=altair.Axis(tickCount=3))
        lower = altair.layer(
            base.mark_line(strokeWidth=1.5).encode(y=counts),
            base.mark_point(filled=True, size=40, opacity=1).encode(
                y=counts, shape=look.shape(altair, runs)
            ),
        ).properties(width=_SIDE, height=60)
        chart = altair.vconcat(upper, lower, spacing=12).resolve_scale(
            color="shared", shape="shared"
        )
        panel = Panel("confidence and accuracy", f"n = {total:,} answers", chart)
        keys = [*look.keys(runs), Key("right as often as sure", REFERENCE, dash=(5, 4))]
        name = f"calibration-{slug(task)}"
        found.append(Plot(name, "Calibration", str(task), _CAPTION, [panel], keys, columns=1))
    return found


def wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share of n independent items (Wilson 1927). n must be positive."""
    z2 = _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
