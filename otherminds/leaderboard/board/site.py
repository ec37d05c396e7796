"""The board as a static site: one self-contained page, downloads, and the card of a static Space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from otherminds.errors import OtherMindsError
from otherminds.files import atomic_file
from otherminds.leaderboard.board import downloads
from otherminds.leaderboard.board.contents import contents, last
from otherminds.leaderboard.board.entries import Entry
from otherminds.leaderboard.board.seasons import SeasonBoard, render
from otherminds.leaderboard.board.tables import tabulate
from otherminds.leaderboard.records.boards import References
from otherminds.leaderboard.records.moderation import Decision
from otherminds.page.blocks import pack
from otherminds.page.document import environment, policy_hash

RECORDS = "https://huggingface.co/datasets/otherminds/leaderboard/blob/main"

# Shared with the report page: DOM helpers and the unpacking of data, colours and tables.
_SCRIPTS = (
    ("otherminds.page", "common.js"),
    *(
        ("otherminds.leaderboard.board", f"{name}.js")
        for name in ("data", "cells", "decisions", "views", "model", "start")
    ),
)
_STYLES = (("otherminds.page", "page.css"), ("otherminds.leaderboard.board", "board.css"))


def build(
    entries: Iterable[Entry],
    references: References,
    out: Path,
    *,
    records: str = RECORDS,
    decisions: Sequence[Decision] = (),
    seasons: Sequence[SeasonBoard] = (),
) -> None:
    """Write `index.html`, `board.csv`, `board.json` and `README.md` (a static Space's) into `out`.

    records    the address below which `submissions/<id>/record.json` is found
    decisions  the moderation log, of which the last ones are shown
    seasons    which stand apart from the boards

    The page holds all of its data and loads nothing; texts reach it as text only. The same entries give
    the same files, in any order. Each file is written whole or not at all.
    Raises OtherMindsError for two entries of one id, for `records` that is not an https address, and
    when a file cannot be written.
    """
    if not records.startswith("https://"):
        raise OtherMindsError(
            f"The address of the records must begin with https://, not '{records}'."
        )
    tables = tabulate(entries, references)
    block = pack(
        "board-data",
        {
            **contents(tables, references),
            "decisions": last(decisions),
            "records": records.rstrip("/"),
        },
    )
    written = {
        "index.html": _page(block.text, seasons),
        "board.csv": downloads.as_csv(tables, references),
        "board.json": downloads.as_json(tables, references),
        "README.md": _asset("otherminds.leaderboard.board", "space.md"),
    }
    for name, text in written.items():
        with atomic_file(out / name) as partial:
            partial.write_text(text, encoding="utf-8", newline="\n")


def _page(data: str, seasons: Sequence[SeasonBoard]) -> str:
    script = "\n".join(_asset(*one) for one in _SCRIPTS)
    # Between the tags stands exactly this, or the policy refuses it.
    style = "\n".join(_asset(*one) for one in _STYLES)
    template = environment().from_string(_asset("otherminds.leaderboard.board", "board.html.jinja"))
    page = template.render(
        data=data,
        seasons=render(seasons),
        style=style,
        style_hash=policy_hash(style),
        script=script,
        script_hash=policy_hash(script),
    )
    return page.lstrip()


def _asset(package: str, name: str) -> str:
    return files(package).joinpath("assets", name).read_text(encoding="utf-8")
