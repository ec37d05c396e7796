"""The style of all plots: colours, sizes, and how a chart becomes a picture."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pandas as pd

from otherminds.errors import OtherMindsError
from otherminds.page.text import label, short_names

# Okabe and Ito's palette without yellow and black, which vanish on a white or on a dark page.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
# Colour is never the only sign. Seven shapes: with six colours, 42 runs before a pair comes again.
SHAPES = (
    *("circle", "square", "triangle-up", "diamond", "cross"),
    *("triangle-down", "triangle-right"),
)
DASHES: Mapping[str, Sequence[int]] = {"chance": (2, 3), "human": (8, 3)}
OTHER_DASHES: Sequence[Sequence[int]] = ((5, 2, 1, 2), (12, 3, 2, 3), (1, 5), (6, 2, 1, 2, 1, 2))
REFERENCE = "#808080"
COUNTS = "blues"
NAME = "#222930"
"""The colour of names inside a plot: one of its own, so that it can follow the reader's theme."""
_NAME = 38
"""Characters of a run's name that a plot has room for."""
PANEL = 290
"""Width in pixels of what is drawn in a panel of a file."""
WIDTH = 340
"""Width in pixels of a whole panel on the page, its axis included: a narrow phone's."""

_CONFIG: Mapping[str, Any] = {
    # Measured alike everywhere: the renderer brings Liberation Sans, the same widths as Arial's.
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "view": {"stroke": None},
    "axis": {
        **{"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
        **{"labelColor": "#333", "titleColor": "#333", "labelLimit": 240, "titlePadding": 8},
        **{"gridColor": "#e4e7eb", "domainColor": "#9aa3ad", "tickColor": "#9aa3ad"},
        # A browser's font may be wider than the one that was measured: labels need room.
        **{"labelSeparation": 10, "labelOverlap": True},
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
        **{"orient": "top", "columns": 2, "titleOrient": "left", "columnPadding": 30},
    },
    "title": {
        **{"fontSize": 14, "subtitleFontSize": 12, "anchor": "start", "frame": "group"},
        **{"color": "#1d2329", "subtitleColor": "#555d66", "offset": 10},
    },
}
# Inside the page a picture has no background of its own and follows the reader's light or dark setting.
# Only axes, titles, legends and names change: the marks' colours are chosen to be seen on both.
_DARK = f"""<style>@media (prefers-color-scheme: dark) {{
.role-axis-label text, .role-axis-title text, .role-title-text text, .role-legend-label text,
.role-legend-title text, text[fill="{NAME}"] {{ fill: #d8dde3 }}
.role-title-subtitle text {{ fill: #a3acb6 }}
.role-axis-grid line {{ stroke: #363d45 }}
.role-axis-tick line, .role-axis-domain line {{ stroke: #6b757f }}
}}</style>"""

_NUMBERED = re.compile(r'<(?:linearGradient|clipPath) id="(\w+)"')


@dataclass(frozen=True)
class Panel:
    """One chart with its heading, which the page writes as text beside the picture."""

    title: str
    subtitle: str
    chart: Any


@dataclass(frozen=True)
class Key:
    """One entry of a legend: a run's `shape` in its `colour`, or a reference's `dash`."""

    name: str
    colour: str
    shape: str = ""
    dash: Sequence[int] = ()


@dataclass(frozen=True)
class Plot:
    """One picture of a file, and the panels that the page shows one by one.

    name       of its file, without suffix
    kind       its heading, the same for all tasks
    task       the task it is about
    caption    how to read it, in plain text; also the picture's text for those who cannot see it
    keys       what the page's legend explains: runs, then references
    columns    panels beside each other in the file
    is_shared  whether colours and signs mean the same in all panels
    """

    name: str
    kind: str
    task: str
    caption: str
    panels: Sequence[Panel]
    keys: Sequence[Key] = field(default=())
    columns: int = 2
    is_shared: bool = True

    @property
    def chart(self) -> Any:
        """All panels as one altair chart, with axes of their own and one legend for all."""
        altair = load_altair()
        titled = [
            one.chart.properties(
                title=altair.TitleParams(text=label(one.title, 60), subtitle=one.subtitle)
            )
            for one in self.panels
        ]
        how = "shared" if self.is_shared else "independent"
        return altair.concat(*titled, columns=self.columns, spacing=28).resolve_scale(
            color=how, shape=how, strokeDash=how
        )


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

    def keys(self, runs: Sequence[str]) -> list[Key]:
        """The legend of these runs."""
        return [
            Key(self.names[run], self._of(run, COLOURS), shape=self._of(run, SHAPES))
            for run in runs
        ]

    def _scale(self, altair: ModuleType, runs: Sequence[str], values: Sequence[str]) -> Any:
        return altair.Scale(
            domain=[self.names[run] for run in runs],
            range=[self._of(run, values) for run in runs],
        )

    def _of(self, run: str, values: Sequence[str]) -> str:
        return values[list(self.names).index(run) % len(values)]


def look(runs: Sequence[str]) -> Look:
    """Short names for runs. Two that are cut to the same name are numbered, never merged."""
    return Look(short_names(runs, _NAME))


def dashes(names: Sequence[str]) -> dict[str, list[int]]:
    """A pattern for each reference line; chance and people have theirs on every page."""
    others = [name for name in names if name not in DASHES]
    patterns = {name: OTHER_DASHES[place % len(OTHER_DASHES)] for place, name in enumerate(others)}
    return {name: list(DASHES.get(name, patterns.get(name, ()))) for name in names}


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


def svg(plot: Plot) -> str:
    """The plot for a file: on white."""
    return _svg({**plot.chart.to_dict(), "background": "white"})


def svgs_for_page(plot: Plot) -> Iterator[str]:
    """Its panels for the page: without titles and legends, on nothing, and for dark pages too."""
    for panel in plot.panels:
        spec = _without_legends(panel.chart.to_dict())
        if "vconcat" not in spec:
            spec |= {"width": WIDTH, "autosize": {"type": "fit-x", "contains": "padding"}}
        picture = _svg({**spec, "background": "transparent"})
        start = picture.index(">") + 1
        yield picture[:start] + _DARK + picture[start:]


def png(picture: str) -> bytes:
    """The picture that `svg` gave, at twice its size; to lay the plot out again would take longer."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(picture, scale=2))


def _svg(spec: Mapping[str, Any]) -> str:
    import vl_convert

    picture = str(vl_convert.vegalite_to_svg(_dressed(spec), allowed_base_urls=[]))
    # The renderer numbers these on through its whole life; the same plot shall be the same bytes.
    for number, name in enumerate(_NUMBERED.findall(picture)):
        picture = picture.replace(f'"{name}"', f'"own-{number}"')
        picture = picture.replace(f"(#{name})", f"(#own-{number})")
    return picture


def _dressed(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {**spec, "padding": 8, "config": _CONFIG}


def _without_legends(spec: Any) -> Any:
    """The same chart without the legends of names, which the page has beside its pictures."""
    if isinstance(spec, list):
        return [_without_legends(one) for one in spec]
    if not isinstance(spec, dict):
        return spec
    if spec.get("type") == "nominal" and "scale" in spec and "title" in spec:
        return {**spec, "legend": None}
    return {
        key: one if key in ("data", "datasets") else _without_legends(one)
        for key, one in spec.items()
    }


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
