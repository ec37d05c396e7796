"""The style of all plots: colours, sizes, and how a chart becomes a picture."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pandas as pd

from otherminds.errors import OtherMindsError
from otherminds.page.text import label, middle

# Okabe and Ito's palette without yellow and black, which vanish on a white or on a dark page.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
# Colour is never the only sign. Seven shapes: with six colours, 42 runs before a pair comes again.
SHAPES = (
    *("circle", "square", "triangle-up", "diamond", "cross"),
    *("triangle-down", "triangle-right"),
)
DASHES: Mapping[str, Sequence[int]] = {"chance": (2, 3), "human": (8, 3)}
OTHER_DASH = (5, 2, 1, 2)
REFERENCE = "#808080"
COUNTS = "blues"
_NAME = 34
"""Characters of a run's name that a plot has room for."""
PANEL = 290
"""Width in pixels of one of two panels beside each other."""

_CONFIG: Mapping[str, Any] = {
    # Measured alike everywhere: the renderer brings Liberation Sans, the same widths as Arial's.
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "view": {"stroke": None},
    "axis": {
        **{"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        **{"labelColor": "#333", "titleColor": "#333", "labelLimit": 240, "titlePadding": 8},
        **{"gridColor": "#e4e7eb", "domainColor": "#9aa3ad", "tickColor": "#9aa3ad"},
    },
    # A label that sticks out at the top would push its panel's heading away from the neighbour's.
    "axisY": {"labelFlush": True},
    "legend": {
        **{"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        **{
            "labelColor": "#333",
            "titleColor": "#333",
            "labelLimit": 320,
            "symbolSize": 70,
            "symbolOpacity": 1,
        },
        **{"orient": "top", "columns": 2, "titleOrient": "left"},
    },
    "title": {
        **{"fontSize": 14, "subtitleFontSize": 12, "anchor": "start", "frame": "group"},
        **{"color": "#1d2329", "subtitleColor": "#555d66", "offset": 10},
    },
}
# Inside the page a picture has no background of its own and follows the reader's light or dark setting.
# Only axes, titles and legends change: the marks' colours are chosen to be seen on both.
_DARK = """<style>@media (prefers-color-scheme: dark) {
.role-axis-label text, .role-axis-title text, .role-title-text text, .role-legend-label text,
.role-legend-title text { fill: #d8dde3 }
.role-title-subtitle text { fill: #a3acb6 }
.role-axis-grid line { stroke: #363d45 }
.role-axis-tick line, .role-axis-domain line { stroke: #6b757f }
}</style>"""

_GRADIENT = re.compile(r'<linearGradient id="(\w+)"')


@dataclass(frozen=True)
class Plot:
    """One picture.

    name     of its file, without suffix
    kind     its heading, the same for all tasks
    task     the task it is about
    caption  how to read it, in plain text; also the picture's text for those who cannot see it
    chart    an altair chart
    """

    name: str
    kind: str
    task: str
    caption: str
    chart: Any


@dataclass(frozen=True)
class Look:
    """How each run is named and drawn, the same in all plots of a page."""

    names: Mapping[str, str]

    def present(self, table: pd.DataFrame) -> list[str]:
        """The runs that a table has rows of, in the page's order."""
        found = set(table["run"])
        return [run for run in self.names if run in found]

    def colour(self, altair: ModuleType, runs: Sequence[str], *, legend: bool = True) -> Any:
        """The colour of these runs; pass the result to `encode(color=…)`."""
        return altair.Color(
            "run:N",
            title="run",
            scale=self._scale(altair, runs, COLOURS),
            legend=altair.Undefined if legend else None,
        )

    def shape(self, altair: ModuleType, runs: Sequence[str], *, legend: bool = True) -> Any:
        """The shape of these runs' points; pass the result to `encode(shape=…)`."""
        return altair.Shape(
            "run:N",
            title="run",
            scale=self._scale(altair, runs, SHAPES),
            legend=altair.Undefined if legend else None,
        )

    def _scale(self, altair: ModuleType, runs: Sequence[str], values: Sequence[str]) -> Any:
        order = list(self.names)
        return altair.Scale(
            domain=[self.names[run] for run in runs],
            range=[values[order.index(run) % len(values)] for run in runs],
        )


def look(runs: Sequence[str]) -> Look:
    """Short names for runs. Two that are cut to the same name are numbered, never merged."""
    names: dict[str, str] = {}
    for run in runs:
        short = name = middle(run, _NAME)
        number = 2
        while name in names.values():
            name, number = f"{short} ({number})", number + 1
        names[run] = name
    return Look(names)


def load_altair() -> ModuleType:
    """The altair module. Raises OtherMindsError when it, or its renderer, is not installed."""
    try:
        import altair
        import vl_convert  # noqa: F401  # only asked whether it is there
    except ImportError as error:
        raise OtherMindsError(
            f"Plots need the package {error.name}, which is not installed. "
            "Run: `pip install 'otherminds[report]'`"
        ) from error
    return altair


def rows(altair: ModuleType, records: Sequence[Mapping[Any, Any]]) -> Any:
    """Records as data written into the chart; a number that JSON does not have is null."""
    return altair.Data(values=[{key: _plain(one[key]) for key in one} for one in records])


def panels(altair: ModuleType, charts: Sequence[Any], *, columns: int) -> Any:
    """Charts beside and below each other, with axes of their own and one legend for all."""
    return altair.concat(*charts, columns=columns, spacing=28).resolve_scale(
        color="shared", shape="shared", strokeDash="shared"
    )


def title(altair: ModuleType, text: str, subtitle: str) -> Any:
    """The heading of a panel."""
    return altair.TitleParams(text=label(text, 60), subtitle=subtitle)


def svg(plot: Plot) -> str:
    """The plot for a file: on white."""
    return _svg(plot, "white")


def svg_for_page(plot: Plot) -> str:
    """The plot for the page: on nothing, and readable on a dark page too."""
    picture = _svg(plot, "transparent")
    start = picture.index(">") + 1
    return picture[:start] + _DARK + picture[start:]


def png(plot: Plot) -> bytes:
    """The plot for a file, at twice its size."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_spec(plot, "white"), scale=2, allowed_base_urls=[]))


def _svg(plot: Plot, background: str) -> str:
    import vl_convert

    picture = str(vl_convert.vegalite_to_svg(_spec(plot, background), allowed_base_urls=[]))
    # The renderer numbers gradients on through its whole life; the same plot shall be the same bytes.
    for number, name in enumerate(_GRADIENT.findall(picture)):
        picture = picture.replace(f'"{name}"', f'"colours-{number}"')
        picture = picture.replace(f"(#{name})", f"(#colours-{number})")
    return picture


def _spec(plot: Plot, background: str) -> dict[str, Any]:
    return {**plot.chart.to_dict(), "background": background, "padding": 8, "config": _CONFIG}


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
