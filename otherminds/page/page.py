"""One self-contained HTML file: no network, opens from a folder, executes nothing but its own script."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds.files import atomic_file
from otherminds.page import tables
from otherminds.page.contents import Contents, Drawing
from otherminds.page.document import asset, environment, policy_hash, stripped
from otherminds.page.plots import Plot, draw, svgs_for_page
from otherminds.page.plots.keys import sign
from otherminds.page.plots.style import Panel
from otherminds.page.samples import embed
from otherminds.page.text import label, visible

# One script of several files, each with one job; the page's policy names the hash of the whole.
_SCRIPTS = ("common.js", "samples.js", "detail.js", "browser.js")
_SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True)
class Picture:
    """One panel in the page. As an image, an SVG can neither execute nor load anything."""

    title: str
    subtitle: str
    source: str
    width: int
    height: int


@dataclass(frozen=True)
class Figure:
    """A plot in the page: its legend (picture and name of each entry), and its panels."""

    task: str
    caption: str
    keys: Sequence[tuple[str, str]]
    pictures: Sequence[Picture]


def write_page(contents: Contents, path: Path) -> None:
    """Write the page of `contents` to `path`, whole or not at all.

    Raises OtherMindsError when the file cannot be written, and when there is something to draw and
    altair or vl-convert is not installed.
    """
    parts = _render(contents)
    with atomic_file(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.writelines(stripped(parts))


def _render(contents: Contents) -> Iterator[str]:
    """The page in parts: of the samples' texts, one block at a time is in memory."""
    script = "\n".join(map(asset, _SCRIPTS))
    samples = (
        embed(contents.samples, contents.evidence, contents.right)
        if len(contents.samples)
        else None
    )
    return (
        environment()
        .from_string(asset("tables.jinja") + asset("page.html.jinja"))
        .generate(
            title=label(contents.title, 200),
            notes=[visible(note) for note in contents.notes],
            runs=len(contents.runs),
            tasks=len(contents.tasks),
            scores=tables.score_tables(contents),
            parts=tables.part_tables(contents),
            plots={**_figures(draw(contents)), **_drawn(contents.drawings)},
            comparisons=tables.comparison_tables(contents),
            samples=samples,
            n_samples=len(contents.samples),
            right=_rules(contents),
            style=asset("page.css"),
            script=script,
            script_hash=policy_hash(script),
        )
    )


def _rules(contents: Contents) -> list[tuple[str, str]]:
    """When an answer counts as correct, and the tasks with samples where it does (none: in all)."""
    tasks = [str(task) for task in contents.samples["task"].unique()]
    found: dict[str, list[str]] = {}
    for task in tasks:
        if task in contents.right:
            found.setdefault(contents.right[task], []).append(label(task))
    if len(found) == 1:
        return [(visible(rule), "") for rule in found]
    return [(visible(rule), ", ".join(names)) for rule, names in found.items()]


def _figures(plots: Sequence[Plot]) -> dict[str, list[Figure]]:
    """Figures by the heading that they stand under."""
    found: dict[str, list[Figure]] = {}
    for plot in plots:
        found.setdefault(plot.kind, []).append(_figure(plot))
    return found


def _drawn(drawings: Sequence[Drawing]) -> dict[str, list[Figure]]:
    """Pictures of benchmarks' own, by the heading that they stand under."""
    found: dict[str, list[Figure]] = {}
    for one in drawings:
        pictures = []
        for panel in one.panels:
            width, height = _size(panel.svg)
            title, subtitle = label(panel.title), label(panel.subtitle)
            pictures.append(Picture(title, subtitle, _source(panel.svg), width, height))
        found.setdefault(one.kind, []).append(Figure(label(one.task), one.caption, (), pictures))
    return found


def _figure(plot: Plot) -> Figure:
    keys = [(_source(sign(key)), key.name) for key in plot.keys]
    drawn = zip(plot.panels, svgs_for_page(plot), strict=True)
    pictures = [_picture(panel, svg) for panel, svg in drawn]
    return Figure(label(plot.task), plot.caption, keys, pictures)


def _picture(panel: Panel, svg: str) -> Picture:
    return Picture(panel.title, panel.subtitle, _source(svg), *_size(svg))


def _size(svg: str) -> tuple[int, int]:
    found = _SIZE.match(svg)
    width, height = (round(float(part)) for part in found.groups()) if found else (0, 0)
    return width, height


def _source(svg: str) -> str:
    encoded = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return f"data:image/svg+xml;base64,{encoded}"
