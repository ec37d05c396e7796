"""One self-contained HTML file: no network, opens from a folder, executes nothing but its own script."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from otherminds.files import atomic_file
from otherminds.page import tables
from otherminds.page.contents import Contents
from otherminds.page.document import environment, policy_hash
from otherminds.page.plots import Plot, draw, svg_for_page
from otherminds.page.samples import embed
from otherminds.page.text import label, visible

# One script of several files, each with one job; the page's policy names the hash of the whole.
_SCRIPTS = ("common.js", "samples.js", "detail.js", "browser.js")
_SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True)
class Picture:
    """A plot in the page. As an image, an SVG can neither execute nor load anything."""

    task: str
    caption: str
    source: str
    width: int
    height: int


def write_page(contents: Contents, path: Path) -> None:
    """Write the page of `contents` to `path`, whole or not at all.

    Raises OtherMindsError when the file cannot be written, and when there is something to draw and
    altair or vl-convert is not installed.
    """
    text = _render(contents).lstrip()
    with atomic_file(path) as partial:
        partial.write_text(text, encoding="utf-8")


def _render(contents: Contents) -> str:
    script = "\n".join(map(_asset, _SCRIPTS))
    samples = embed(contents.samples, contents.evidence) if len(contents.samples) else None
    return (
        environment()
        .from_string(_asset("page.html.jinja"))
        .render(
            title=label(contents.title, 200),
            notes=[visible(note) for note in contents.notes],
            runs=len(contents.runs),
            tasks=len(contents.tasks),
            scores=tables.score_tables(contents),
            parts=tables.part_tables(contents),
            plots=_pictures(draw(contents)),
            comparison=tables.comparison_table(contents) if len(contents.comparison) else None,
            samples=samples,
            n_samples=len(contents.samples),
            style=_asset("page.css"),
            script=script,
            script_hash=policy_hash(script),
        )
    )


def _pictures(plots: Sequence[Plot]) -> dict[str, list[Picture]]:
    """Pictures by the heading that they stand under."""
    found: dict[str, list[Picture]] = {}
    for plot in plots:
        found.setdefault(plot.kind, []).append(_picture(plot))
    return found


def _picture(plot: Plot) -> Picture:
    svg = svg_for_page(plot)
    size = _SIZE.match(svg)
    width, height = (round(float(part)) for part in size.groups()) if size else (0, 0)
    encoded = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    source = f"data:image/svg+xml;base64,{encoded}"
    return Picture(label(plot.task), plot.caption, source, width, height)


def _asset(name: str) -> str:
    return files("otherminds.page").joinpath("assets", name).read_text(encoding="utf-8")
