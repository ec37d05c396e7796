"""Estimates for people (tables) and for programs (JSON)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rich.table import Table

from otherminds import console
from otherminds.metrics.estimate import Estimate

# Of a value: what rounding leaves where people do not differ.
_ROUNDING = 1e-12


class Row(NamedTuple):
    """One line of a table: a metric on a part of the data, such as a topic or a topic and scale."""

    part: str
    metric: str
    estimate: Estimate


def table(title: str, rows: Sequence[Row], *, part: str = "Topic") -> Table:
    """Rows with value, 95 % interval, and the items and people behind them."""
    headings = console.numbers("Value", "95 % interval", "n", "People")
    cells = []
    shown = None
    for row in rows:
        name = "" if row.part == shown else row.part
        shown = row.part
        found = row.estimate
        counts = (f"{found.n:,.0f}", f"{found.n_clusters:,}")
        cells.append([name, row.metric, digits(found.value), interval(found), *counts])
    columns = [*console.texts(part, "Metric"), *headings]
    return console.table(columns, cells, title=title, look=console.Look.RULED)


def digits(value: float) -> str:
    """Three figures for scores up to 1 and errors of a few points; one decimal from 10 on."""
    if math.isnan(value):
        return "n/a"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def interval(found: Estimate) -> str:
    """The 95 % interval; empty where none is known."""
    return "" if math.isnan(found.low) else f"{digits(found.low)} – {digits(found.high)}"


def number(value: Any, missing: str = "n/a") -> str:
    """A score with few digits; `missing` for NaN and for anything but a float."""
    if not isinstance(value, float) or math.isnan(value):
        return missing
    return digits(value)


def interval_of(found: Mapping[str, Any]) -> str:
    """The 95 % interval of an estimate as a results file states it; n/a where none is known."""
    # Without any variation between people the formula gives no width, and knows nothing.
    if not found["stderr"] > _ROUNDING * max(1.0, abs(found["value"])):
        return "n/a"
    return f"{digits(found['low'])} – {digits(found['high'])}"


def record(found: Estimate) -> dict[str, float | int | None]:
    """An estimate for JSON or CSV: its fields, None for NaN. `n_people` are its clusters."""
    return {
        "value": _number(found.value),
        "stderr": _number(found.stderr),
        "low": _number(found.low),
        "high": _number(found.high),
        "n": found.n,
        "n_people": found.n_clusters,
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
