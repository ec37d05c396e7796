"""Two sets of belief graphs: the distributions of what they look like."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from otherminds.metrics.graphs import STATISTICS, Comparison, Distribution
from otherminds.page.plots.style import COLOURS, PANEL, SHAPES, Key, Panel, Plot, load_altair, rows
from otherminds.types import FloatArray

_BINS = 16
_KIND = "Structure of graphs"
_CAPTION = (
    "Lines: share of each set's graphs in the bin. Dots above: the means, with 95% intervals."
)
_HEIGHT = 120
_DASHES = ([1, 0], [5, 2])
_OF_MEANS = 1.25


def structures(comparisons: Sequence[Comparison], names: tuple[str, str]) -> Plot:
    """One panel per statistic that a set has, with both sets in it.

    Raises OtherMindsError where altair or vl-convert is not installed.
    """
    altair = load_altair()
    panels = [
        Panel(
            one.statistic.replace("_", " "),
            f"{STATISTICS[one.statistic]}; n = {len(one.first.values):,} and {len(one.second.values):,}",
            _panel(altair, one, names),
        )
        for one in comparisons
        if one.first.values or one.second.values
    ]
    keys = [
        Key(name, colour, shape=shape)
        for name, colour, shape in zip(names, COLOURS, SHAPES, strict=False)
    ]
    return Plot("structure", _KIND, " and ".join(names), _CAPTION, panels, keys)


def _panel(altair: ModuleType, one: Comparison, names: tuple[str, str]) -> Any:
    edges = _edges([*one.first.values, *one.second.values])
    sides = list(zip(names, (one.first, one.second), strict=True))
    shares = {name: _shares(side, edges) for name, side in sides if side.values}
    highest = max(float(share.max()) for share in shares.values())
    lines = [
        {"run": name, "value": float(edge), "share": float(height)}
        for name, share in shares.items()
        # A step ends where the next begins, the last one at the end of the axis.
        for edge, height in zip(edges, [*share, share[-1]], strict=True)
    ]
    means = [
        {
            "run": name,
            "value": side.mean.value,
            "low": side.mean.low,
            "high": side.mean.high,
            "share": highest * (1.08 + 0.1 * place),
        }
        for place, (name, side) in enumerate(sides)
        if side.values
    ]
    colour, shape, dash = (
        kind("run:N", title="set", scale=altair.Scale(domain=list(names), range=list(signs)))
        for kind, signs in (
            (altair.Color, COLOURS[:2]),
            (altair.Shape, SHAPES[:2]),
            (altair.StrokeDash, _DASHES),
        )
    )
    x = altair.Scale(domain=[float(edges[0]), float(edges[-1])], nice=False)
    y = altair.Scale(domain=[0, highest * _OF_MEANS], nice=False)
    steps = (
        altair.Chart(rows(altair, lines))
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=altair.X(
                "value:Q",
                scale=x,
                title=one.statistic.replace("_", " "),
                axis=altair.Axis(tickCount=5),
            ),
            y=altair.Y(
                "share:Q",
                scale=y,
                title="share of graphs",
                axis=altair.Axis(tickCount=4, format="%"),
            ),
            color=colour,
            strokeDash=dash,
        )
    )
    base = altair.Chart(rows(altair, means)).encode(y=altair.Y("share:Q", scale=y), color=colour)
    interval = base.mark_rule(strokeWidth=2).encode(x=altair.X("low:Q", scale=x), x2="high:Q")
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=altair.X("value:Q", scale=x), shape=shape
    )
    return altair.layer(steps, interval, dots).properties(width=PANEL, height=_HEIGHT)


def _edges(values: Sequence[float]) -> FloatArray:
    """Bins over both sets; one for each number where these are few whole ones."""
    low, high = min(values), max(values)
    whole = all(value == int(value) for value in values)
    if whole and high - low < 2 * _BINS:
        return np.arange(low - 0.5, high + 1)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, _BINS + 1)


def _shares(side: Distribution, edges: FloatArray) -> FloatArray:
    counts = np.histogram(side.values, edges)[0]
    return np.asarray(counts / len(side.values), dtype=np.float64)
