"""Sheets for people: a page and a table, where a reply has no parts within parts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from otherminds.construct.sheets import Sheet
from otherminds.page.document import environment, policy_hash
from otherminds.page.text import visible
from otherminds.sheets import defused

_BEFORE_SCHEMA = "\n\nReply with one JSON object"


class Entry(NamedTuple):
    """One part of a reply, as a form asks for it: `choices` are empty for a text."""

    name: str
    about: str
    choices: tuple[str, ...]
    needed: bool


def is_flat(sheet: Sheet) -> bool:
    """Whether a reply is texts and choices alone."""
    kinds = sheet.schema.get("properties", {}).values()
    return bool(kinds) and all(
        kind.get("type") in ("string", "integer") or "enum" in kind or "const" in kind
        for kind in kinds
    )


def entries(schema: Mapping[str, Any]) -> list[Entry]:
    """The parts of a reply: those that must be given first."""
    needed = set(schema.get("required", ()))
    found = []
    for name, kind in schema["properties"].items():
        choices = kind.get("enum", [kind["const"]] if "const" in kind else [])
        if kind.get("type") == "integer" and {"minimum", "maximum"} <= kind.keys():
            choices = range(kind["minimum"], kind["maximum"] + 1)
        about = str(kind.get("description", ""))
        found.append(Entry(name, about, tuple(map(str, choices)), name in needed))
    return sorted(found, key=lambda entry: not entry.needed)


def write_table(sheets: Sequence[Sheet], path: Path) -> None:
    """Write the table: a row for each sheet, its text, and an empty cell for each part of a reply."""
    names = list(dict.fromkeys(one.name for sheet in sheets for one in entries(sheet.schema)))
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["sheet_id", "text", *names])
    for sheet in sheets:
        writer.writerow([sheet.sheet_id, defused(_shown(sheet)), *([""] * len(names))])
    # The byte order mark tells spreadsheets that this is UTF-8.
    path.write_bytes(text.getvalue().encode("utf-8-sig"))


def write_page(sheets: Sequence[Sheet], path: Path, *, name: str) -> None:
    """Write the page: a single file that loads nothing, keeps the entries, and downloads the table.

    Every text is escaped, and the page's policy lets nothing run but its own script.
    """
    style, script = _asset("page.css"), _asset("page.js")
    pages = environment()
    pages.filters["visible"] = visible
    names = list(dict.fromkeys(one.name for sheet in sheets for one in entries(sheet.schema)))
    page = pages.from_string(_asset("page.html.jinja")).render(
        name=name,
        system=sheets[0].system,
        sheets=[(sheet.sheet_id, _shown(sheet), entries(sheet.schema)) for sheet in sheets],
        columns=" ".join(["sheet_id", *names]),
        style=style,
        style_hash=policy_hash(style),
        script=script,
        script_hash=policy_hash(script),
    )
    path.write_text(page, encoding="utf-8")


def _shown(sheet: Sheet) -> str:
    """The prompt without what it says on JSON."""
    return sheet.prompt.rpartition(_BEFORE_SCHEMA)[0] or sheet.prompt


def _asset(name: str) -> str:
    return files("otherminds.construct").joinpath("assets", name).read_text(encoding="utf-8")
