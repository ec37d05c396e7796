"""The study of recovered graphs as tables and plots: `otherminds interview study`.

Two questions: how fast the interviewer finds the edges of a known graph, against one that asks in a
fixed order, and how the graph degrades when the extractor errs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd

from otherminds.files import atomic_file
from otherminds.interview.config import Config, Parameters, topic_named
from otherminds.interview.study import Ratio, Recovery, interview, ratio
from otherminds.page.plots import save
from otherminds.page.plots.style import PANEL, Look, Panel, Plot, load_altair, look, rows

MISSED, FALSE = 0.2, 0.1
"""The errors of the extractor at noise 1: entries missed, and false entries per entry found."""

NOISE: Final = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
MOST: Final = 25
_DRAWS: Final = 2000
AT_ONE: Final = f"noise 1: {MISSED:.0%} missed, {FALSE:.0%} false"
_TITLES: Final = {"noise": f"noise ({AT_ONE.removeprefix('noise ')})"}
_INTERVIEWERS: Final[tuple[Literal["adaptive", "fixed"], ...]] = ("adaptive", "fixed")


def night_buses() -> Config:
    """The config of the study: night buses, at most 25 questions."""
    return Config(parameters=Parameters(max_qas=MOST), topic=topic_named("night_buses"))


def speed(config: Config, seeds: Iterable[int]) -> tuple[pd.DataFrame, dict[str, Ratio]]:
    """Mean share of edges found after each question, by interviewer, and ratios of the two.

    Columns: interviewer, question, value, low, high (95 %, over seeds). The ratios: edges found per
    question asked in the whole interview, and the mean share over the first 25 questions.
    """
    chosen = list(seeds)
    found = {
        name: [interview(config, seed, interviewer=name) for seed in chosen]
        for name in _INTERVIEWERS
    }
    records = []
    for name, recoveries in found.items():
        for question in range(1, MOST + 1):
            shares = [one.share_after(question) for one in recoveries]
            records.append({"interviewer": name, "question": question, **_mean(shares)})
    ours, fixed = found["adaptive"], found["fixed"]
    ratios = {
        "edges per question asked": _ratio(ours, fixed, lambda one: one.per_question),
        "mean share of edges over 25 questions": _ratio(ours, fixed, _area),
    }
    return pd.DataFrame(records), ratios


def degradation(config: Config, seeds: Iterable[int]) -> pd.DataFrame:
    """Mean F1 of nodes and of signed edges by noise; noise 1 misses 20 % and adds 10 % of entries.

    Columns: measure, noise, value, low, high (95 %, over seeds).
    """
    chosen = list(seeds)
    records = []
    for noise in NOISE:
        found = [
            interview(config, seed, missed=MISSED * noise, false=FALSE * noise) for seed in chosen
        ]
        for measure, scores in (
            ("nodes", [one.node_f1 for one in found]),
            ("signed edges", [one.edge_f1 for one in found]),
        ):
            records.append({"measure": measure, "noise": noise, **_mean(scores)})
    return pd.DataFrame(records)


class Study(NamedTuple):
    """What a study found: the tables of `speed` and `degradation`, and the ratios."""

    speed: pd.DataFrame
    degradation: pd.DataFrame
    ratios: Mapping[str, Ratio]


def write(config: Config, seeds: Iterable[int], folder: Path) -> Study:
    """Write `speed` and `degradation` as CSV, SVG and PNG into a folder.

    Raises OtherMindsError when the folder cannot be written, or the packages for plots are missing.
    """
    chosen = list(seeds)
    curve, ratios = speed(config, chosen)
    noise = degradation(config, chosen)
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in (("speed", curve), ("degradation", noise)):
        with atomic_file(folder / f"{name}.csv") as partial:
            table.to_csv(partial, index=False, float_format="%.4f")
    n = f"{len(chosen)} simulated participants"
    save(
        _plot("speed", "Edges found", curve, "interviewer", "question", "share of edges found", n),
        folder,
    )
    save(_plot("degradation", "Noisy extraction", noise, "measure", "noise", "F1", n), folder)
    return Study(curve, noise, ratios)


def _plot(
    name: str, kind: str, table: pd.DataFrame, by: str, x: str, y: str, subtitle: str
) -> Plot:
    altair: ModuleType = load_altair()
    lines = list(dict.fromkeys(table[by]))
    named: Look = look(lines)
    records: list[dict[str, Any]] = [
        {
            "run": named.names[str(row[by])],
            **{key: float(row[key]) for key in (x, "value", "low", "high")},
        }
        for row in table.to_dict("records")
    ]
    base = altair.Chart(rows(altair, records)).encode(
        x=altair.X(f"{x}:Q", title=_TITLES.get(x, x)), color=named.colour(altair, lines).title(by)
    )
    scale = altair.Scale(domain=[0, 1])
    band = base.mark_area(opacity=0.18).encode(y=altair.Y("low:Q", scale=scale), y2="high:Q")
    line = base.mark_line(strokeWidth=2).encode(y=altair.Y("value:Q", title=y, scale=scale))
    points = base.mark_point(filled=True, size=45, opacity=1).encode(
        y=altair.Y("value:Q", scale=scale), shape=named.shape(altair, lines).title(by)
    )
    chart = altair.layer(band, line, points).properties(width=PANEL, height=200)
    caption = "Line: mean over participants. Band: 95% interval of the mean."
    panel = Panel(kind, subtitle, chart)
    return Plot(name, kind, "interview", caption, [panel], named.keys(lines))


def _mean(values: Sequence[float]) -> dict[str, float]:
    """The mean with a percentile bootstrap interval (95 %) over participants."""
    data = np.asarray(values, dtype=float)
    rng = np.random.default_rng(0)
    means = data[rng.integers(0, len(data), size=(_DRAWS, len(data)))].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return {"value": float(data.mean()), "low": float(low), "high": float(high)}


def _area(one: Recovery) -> float:
    return sum(one.share_after(question) for question in range(1, MOST + 1)) / MOST


def _ratio(
    first: Sequence[Recovery], second: Sequence[Recovery], of: Callable[[Recovery], float]
) -> Ratio:
    return ratio([of(one) for one in first], [of(one) for one in second], draws=_DRAWS)
