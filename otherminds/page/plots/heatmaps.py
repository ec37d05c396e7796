"""Predicted against true: answers on their scale, and the direction of a change."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from otherminds.page.contents import Contents, groups
from otherminds.page.plots.style import COUNTS, Look, Panel, Plot, load_altair, rows
from otherminds.page.text import slug

_DIAGONAL = "#D55E00"
_SIDE = 290
"""Pixels of one side of a panel."""
_NUMBERED = 11
"""A scale with more answers than this has cells that are too small for numbers."""
_LEVELS = 22
"""A scale with more answers than this is drawn in bins."""
_ANSWERS = (
    "Number and colour of a cell: how many answers fall into it. Framed cells: the answer is the "
    "person's own. Each scale has its own plot; answers that could not be parsed are not in it."
)
_CHANGES = (
    "Rows: how the person's opinion moved. Columns: how the model said it would. Each cell: items, and "
    "their share of the row. Framed cells: the model is right about the direction."
)
_DOWN, _NONE, _UP = "down", "none", "up"
_NOISE = 1e-9
"""Differences of decimal answers come out of binary arithmetic; a smaller one is not a change."""


def answers(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task and scale: a panel per run, counts of predicted by true answers."""
    table = contents.numeric.dropna(subset=["gold", "answer", "low", "high"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for (task, low, high), own in groups(table, "task", "low", "high"):
        levels = _levels(own, float(low), float(high))
        cells = {run: _cells(own[own["run"] == run], levels) for run in look.present(own)}
        most = max(int(counted["answers"].max()) for counted in cells.values())
        panels = [
            Panel(
                look.names[run],
                _n(counted["answers"], "answers"),
                _counts(altair, counted, levels, most),
            )
            for run, counted in cells.items()
        ]
        kind = "Predicted against true answers"
        name = f"answers-{slug(task)}-{slug(f'{low:g} to {high:g}')}"
        words = f"Scale {low:g} to {high:g}. {_ANSWERS}"
        found.append(Plot(name, kind, str(task), words, panels, columns=3))
    return found


def changes(contents: Contents, look: Look) -> list[Plot]:
    """One plot per task: a panel per run, direction of predicted by direction of true change."""
    table = contents.changes.dropna(subset=["true_change", "predicted_change"])
    if table.empty:
        return []
    altair = load_altair()
    found = []
    for task, own in groups(table, "task"):
        by_run = {run: own[own["run"] == run] for run in look.present(own)}
        panels = [
            Panel(look.names[run], f"n = {len(of_run):,} items", _directions(altair, of_run))
            for run, of_run in by_run.items()
        ]
        name, kind = f"changes-{slug(task)}", "Direction of change"
        found.append(Plot(name, kind, str(task), _CHANGES, panels, columns=3))
    return found


def direction(change: float) -> str:
    """Whether a change is up, down or none."""
    if abs(change) < _NOISE:
        return _NONE
    return _UP if change > 0 else _DOWN


def _levels(table: pd.DataFrame, low: float, high: float) -> list[float]:
    """All answers that a short scale allows, and those outside it that occur; bins of a long one."""
    inside = np.arange(np.rint(low), np.rint(high) + 1) if high - low < _LEVELS else np.array([])
    seen = np.rint(table[["gold", "answer"]].to_numpy(dtype=float).ravel())
    levels = np.union1d(inside, seen)
    if len(inside) and len(levels) <= _LEVELS:
        return [float(level) for level in levels]
    return [float(level) for level in np.linspace(low, high, _LEVELS - 1)]


def _nearest(values: pd.Series, levels: Sequence[float]) -> list[str]:
    places = np.abs(values.to_numpy(dtype=float)[:, None] - np.array(levels)).argmin(axis=1)
    return [f"{levels[place]:g}" for place in places]


def _n(counts: pd.Series, what: str) -> str:
    return f"n = {int(counts.sum()):,} {what}"


def _cells(table: pd.DataFrame, levels: Sequence[float]) -> pd.DataFrame:
    cells = pd.DataFrame(
        {"gold": _nearest(table["gold"], levels), "answer": _nearest(table["answer"], levels)}
    )
    counted = cells.value_counts(sort=False).reset_index(name="answers")
    return counted.sort_values(["gold", "answer"])


def _counts(altair: ModuleType, counted: pd.DataFrame, levels: Sequence[float], most: int) -> Any:
    """Counts by cell. Panels of a plot share the range of colours, up to the highest count of all."""
    words = [f"{level:g}" for level in levels]
    axis = altair.Axis(labelAngle=0, labelOverlap=True, domain=False, ticks=False)
    x = altair.X("gold:O", title="true answer", scale=altair.Scale(domain=words), axis=axis)
    upwards = altair.Scale(domain=words[::-1])
    y = altair.Y("answer:O", title="predicted answer", scale=upwards, axis=axis)
    records = [{**row, "text": _short(row["answers"])} for row in counted.to_dict("records")]
    base = altair.Chart(rows(altair, records)).encode(x=x, y=y)
    has_numbers = len(levels) <= _NUMBERED
    scale = altair.Scale(scheme=COUNTS, domain=[0, most])
    legend = (
        None
        if has_numbers
        else altair.Legend(direction="horizontal", gradientLength=180, titleOrient="top")
    )
    filled = base.mark_rect().encode(
        color=altair.Color("answers:Q", title="answers", scale=scale, legend=legend)
    )
    frames = (
        altair.Chart(rows(altair, [{"gold": word, "answer": word} for word in words]))
        .mark_rect(filled=False, stroke=_DIAGONAL, strokeWidth=1)
        .encode(x=x, y=y)
    )
    numbers = base.mark_text(fontSize=12).encode(
        text="text:N",
        color=altair.condition(
            f"datum.answers > {0.55 * most}", altair.value("white"), altair.value("#1d2329")
        ),
    )
    drawn = [filled, frames, numbers] if has_numbers else [filled, frames]
    return altair.layer(*drawn).properties(width=_SIDE, height=_SIDE)


def _short(count: int) -> str:
    """A count in three signs at most, which fit into a cell."""
    return str(count) if count < 1000 else f"{count / 1000:.0f}k"


def _directions(altair: ModuleType, table: pd.DataFrame) -> Any:
    true = [direction(change) for change in table["true_change"]]
    predicted = [direction(change) for change in table["predicted_change"]]
    counts = pd.crosstab(pd.Series(true), pd.Series(predicted))
    counts = counts.reindex(index=[_UP, _NONE, _DOWN], columns=[_DOWN, _NONE, _UP], fill_value=0)
    records = []
    for before, row in counts.iterrows():
        total = int(row.sum())
        for after, count in row.items():
            share = count / total if total else 0.0
            records.append(
                {
                    **{"true": before, "predicted": after, "items": int(count), "share": share},
                    "text": f"{int(count):,}\n{share:.0%}" if total else "0",
                    "right": before == after,
                }
            )
    axis = altair.Axis(labelAngle=0, domain=False, ticks=False)
    x = altair.X("predicted:O", sort=[_DOWN, _NONE, _UP], title="predicted change", axis=axis)
    y = altair.Y("true:O", sort=[_UP, _NONE, _DOWN], title="true change", axis=axis)
    base = altair.Chart(rows(altair, records)).encode(x=x, y=y)
    filled = base.mark_rect().encode(
        color=altair.Color(
            "share:Q",
            scale=altair.Scale(scheme=COUNTS, domain=[0, 1]),
            # Each cell states its share.
            legend=None,
        )
    )
    frames = base.mark_rect(filled=False, stroke=_DIAGONAL, strokeWidth=1.5).transform_filter(
        "datum.right"
    )
    words = base.mark_text(lineBreak="\n", fontSize=12, lineHeight=15, dy=-7).encode(
        text="text:N",
        color=altair.condition(
            "datum.share > 0.55", altair.value("white"), altair.value("#1d2329")
        ),
    )
    return altair.layer(filled, frames, words).properties(width=_SIDE, height=200)
