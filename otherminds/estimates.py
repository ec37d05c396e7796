"""Estimates for people (tables) and for programs (JSON)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rich import box
from rich.table import Table

from otherminds.metrics.estimate import Estimate


class Row(NamedTuple):
    """One line of a table: a metric on a part of the data, such as a topic or a topic and scale."""

    part: str
    metric: str
    estimate: Estimate


def table(title: str, rows: Sequence[Row], *, part: str = "Topic") -> Table:
    """Rows with value, 95 % interval, and the items and people behind them."""
    made = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    made.add_column(part, no_wrap=True)
    made.add_column("Metric", no_wrap=True)
    for heading in ("Value", "95 % interval", "n", "People"):
        made.add_column(heading, justify="right", no_wrap=True)
    shown = None
    for row in rows:
        name = "" if row.part == shown else row.part
        shown = row.part
        value, found = digits(row.estimate.value), row.estimate
        made.add_row(
            name, row.metric, value, interval(found), f"{found.n:,.0f}", f"{found.n_clusters:,}"
        )
    return made


def digits(value: float) -> str:
    """Three figures for scores up to 1 and errors of a few points; one decimal from 10 on."""
    if math.isnan(value):
        return "n/a"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def interval(found: Estimate) -> str:
    """The 95 % interval; empty where none is known."""
    return "" if math.isnan(found.low) else f"{digits(found.low)} – {digits(found.high)}"


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
