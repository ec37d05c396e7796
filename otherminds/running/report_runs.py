"""What the commands print of several runs, and how they print a score and its interval."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from otherminds.estimates import digits
from otherminds.metrics.estimate import nothing
from otherminds.scoring.runs import EACH, RUNS

COUNTS = "n_"
"""How the names of counts begin: they are no scores."""

ARROWS = {True: "↑", False: "↓", None: ""}
"""Whether higher or lower is better."""

NOTHING = dataclasses.asdict(nothing())
"""The estimate of what was not measured."""

_ROUNDING = 1e-12


def number(value: Any, missing: str = "n/a") -> str:
    """A score with few digits; `missing` for what is none."""
    if not isinstance(value, float) or math.isnan(value):
        return missing
    return digits(value)


def interval(found: Mapping[str, Any]) -> str:
    """The 95 % interval; n/a where none is known."""
    # Without any variation between people the formula gives no width, and knows nothing.
    # Nor has rounding, which leaves a little where people do not differ.
    if not found["stderr"] > _ROUNDING * max(1.0, abs(found["value"])):
        return "n/a"
    return f"{digits(found['low'])} – {digits(found['high'])}"


def runs_table(metrics: Sequence[str], parts: Mapping[str, Mapping[str, Any]], title: str) -> Table:
    """A line per metric and a column per part: mean ± population SD over runs."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("Metric", no_wrap=True)
    for part in parts:
        table.add_column(Text(part.replace("_", "\n")), justify="right", no_wrap=True)
    for metric in (name for name in metrics if any(name in found for found in parts.values())):
        table.add_row(metric, *(over_runs(found.get(metric)) for found in parts.values()))
    return table


def over_runs(found: Mapping[str, Any] | None) -> str:
    """Mean ± population SD over runs."""
    return f"{number(found['mean'])} ± {digits(found['sd'])}" if found else "n/a"


def each_run_table(
    task: str,
    metrics: Sequence[str],
    arrows: Mapping[str, bool | None],
    scores: Mapping[str, Any],
) -> Table:
    """A line per metric: mean ± SD over runs, and the interval of each run by itself.

    For runs that are not pooled, because what they were asked depends on their own earlier answers.
    """
    runs, each = scores[RUNS], scores[EACH]
    table = Table(title=task, title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.caption = "These runs are not pooled: each has an interval of its own."
    table.caption_justify = "left"
    table.add_column("Metric", no_wrap=True)
    table.add_column(f"mean ± SD\nof {runs['n']} runs", justify="right", no_wrap=True)
    for place in range(1, len(each) + 1):
        table.add_column(f"95 % interval\nof run {place} alone", justify="right")
    for metric in (name for name in metrics if not name.startswith(COUNTS)):
        table.add_row(
            f"{metric} {ARROWS[arrows[metric]]}",
            over_runs(runs["estimates"].get(metric)),
            *(interval(one.get(metric, NOTHING)) for one in each),
        )
    return table


def about_runs(task: str, scores: Mapping[str, Any]) -> Iterable[str]:
    """What mean ± SD over runs says; nothing where there is one run."""
    runs = scores.get(RUNS)
    if not runs:
        return
    yield (
        f"{task}: SD of {runs['n']} runs is the population SD of the runs' own scores, which the papers "
        "print after ±. It is how much the model's sampling moves a score; the interval is over people."
    )
    if runs["identical"]:
        yield (
            f"{task}: all {runs['n']} runs gave the same answers. At temperature 0 they are copies; "
            "when sampled, the model did not vary."
        )
