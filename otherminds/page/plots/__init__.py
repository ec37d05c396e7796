"""All plots of a page, from its tables, and how they are saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from otherminds.files import atomic_file
from otherminds.page.contents import Contents
from otherminds.page.plots import calibration, curves, forest, heatmaps, people
from otherminds.page.plots.style import Plot, look, png, svg, svgs_for_page
from otherminds.page.text import slug

__all__ = ["Plot", "draw", "save", "save_plots", "svgs_for_page"]

_KINDS = (
    forest.scores,
    forest.topics,
    curves.curves,
    heatmaps.answers,
    heatmaps.changes,
    calibration.diagrams,
    people.distributions,
)


def draw(contents: Contents) -> list[Plot]:
    """Every plot that the tables have rows for, in the order of the page; their names are distinct.

    Raises OtherMindsError when there is something to draw and altair or vl-convert is not installed.
    """
    drawn = look(contents.runs)
    plots = [plot for kind in _KINDS for plot in kind(contents, drawn)]
    named: dict[str, Plot] = {}
    for plot in plots:
        name, number = plot.name, 2
        while name in named:
            name, number = f"{plot.name}-{number}", number + 1
        named[name] = replace(plot, name=name)
    return list(named.values())


def save_plots(contents: Contents, folder: Path) -> list[Path]:
    """Write each plot as `folder/NAME.svg` and `.png`, and each drawing as SVG; returns the paths.

    Raises OtherMindsError when the folder cannot be written, and as `draw` does.
    """
    plots = [path for plot in draw(contents) for path in save(plot, folder)]
    return [*plots, *_save_drawings(contents, folder)]


def _save_drawings(contents: Contents, folder: Path) -> list[Path]:
    written = []
    for drawing in contents.drawings:
        for number, panel in enumerate(drawing.panels, start=1):
            path = folder / f"{slug(drawing.name)}-{number}.svg"
            with atomic_file(path) as partial:
                partial.write_text(panel.svg, encoding="utf-8")
            written.append(path)
    return written


def save(plot: Plot, folder: Path) -> list[Path]:
    """Write one plot as `folder/NAME.svg` and `folder/NAME.png`; errors as for `save_plots`."""
    written = []
    drawn = svg(plot)
    for suffix, picture in (("svg", drawn.encode()), ("png", png(drawn))):
        path = folder / f"{plot.name}.{suffix}"
        with atomic_file(path) as partial:
            partial.write_bytes(picture)
        written.append(path)
    return written
