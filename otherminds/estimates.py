"""Estimates for people (tables) and for programs (JSON)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rich.table import Table

from otherminds import console
from otherminds.metrics.uncertainty import Estimate


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
        cells.append([name, row.metric, console.digits(found.value), interval(found), *counts])
    columns = [*console.texts(part, "Metric"), *headings]
    return console.table(columns, cells, title=title, look=console.Look.RULED)


def interval(found: Estimate) -> str:
    """The 95 % interval; empty where none is known."""
    return (
        ""
        if math.isnan(found.low)
        else f"{console.digits(found.low)} – {console.digits(found.high)}"
    )


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
