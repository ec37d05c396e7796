"""One person's sheet as a page: a single file that needs no network and keeps the entries."""

from __future__ import annotations

from pathlib import Path

from otherminds.files import atomic_file
from otherminds.metrics.socialmindchange import LETTERS
from otherminds.metrics.socialmindchange.human_items import SCALE
from otherminds.page.document import asset, environment, policy_hash
from otherminds.page.text import visible
from otherminds.tasks.socialmindchange.study import sheets
from otherminds.tasks.socialmindchange.study.sheets import COLUMNS, Sheet


def write_page(sheet: Sheet, path: Path) -> None:
    """Write the page of a sheet, whole or not at all.

    Every text is escaped; the page's policy lets nothing run but its own script and load nothing at all.
    The table that it downloads has `sheets.COLUMNS`, without the lines to read.
    Raises OtherMindsError when the file cannot be written.
    """
    style, script = asset("annotation.css"), asset("annotation.js")
    pages = environment()
    pages.filters["visible"] = visible
    text = pages.from_string(sheets.asset("page.html.jinja")).render(
        sheet=sheet,
        told=sheets.wording(),
        rating_row=sheets.rating_row,
        letters=LETTERS,
        scale=SCALE,
        columns=" ".join(COLUMNS),
        kinds={"rating": sheets.RATING, "question": sheets.QUESTION},
        style=style,
        style_hash=policy_hash(style),
        script=script,
        script_hash=policy_hash(script),
    )
    with atomic_file(path) as partial:
        partial.write_bytes(text.encode("utf-8"))
