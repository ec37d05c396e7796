"""What the commands print for people: standard output, tables, notes and numbers.

Every text in a table or a note is shown as it is: names may hold what looks like markup.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Literal

from rich import box
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

OUT = Console(emoji=False)

# Of a value: what rounding leaves where people do not differ.
_ROUNDING = 1e-12


class Look(Enum):
    """How a table is drawn.

    PLAIN     no lines, because they would take room that many columns need
    RULED     a line below the headings
    INDENTED  the same, a blank from the edge
    BOXED     lines around the table
    """

    PLAIN = "plain"
    RULED = "ruled"
    INDENTED = "indented"
    BOXED = "boxed"


_LOOKS: dict[Look, dict[str, Any]] = {
    Look.PLAIN: {"box": None, "padding": (0, 2, 0, 0)},
    Look.RULED: {"box": box.SIMPLE_HEAD, "pad_edge": False},
    Look.INDENTED: {"box": box.SIMPLE_HEAD},
    Look.BOXED: {},
}

Fit = Literal["line", "words", "fold"]
"""Where a cell may break that is too wide: nowhere (it is cut), between words, or anywhere."""


def texts(*headings: str, fit: Fit = "line") -> list[Column]:
    """Columns that stand to the left."""
    return [_column(heading, fit) for heading in headings]


def numbers(*headings: str, fit: Fit = "line", bottom: bool = False) -> list[Column]:
    """Columns that stand to the right; with `bottom`, their short headings below."""
    found = [_column(heading, fit) for heading in headings]
    for one in found:
        one.justify = "right"
        one.vertical = "bottom" if bottom else "top"
    return found


def table(
    columns: Iterable[Column],
    rows: Iterable[Sequence[str]],
    *,
    title: str | None = None,
    caption: str | None = None,
    look: Look = Look.PLAIN,
    gap: int | None = None,
) -> Table:
    """A table for a terminal, with its title and caption at the left.

    gap  blanks between the columns, where they are not those of the look
    """
    made = Table(
        *columns,
        title=None if title is None else Text(title, "table.title"),
        title_justify="left",
        caption=None if caption is None else Text(caption, "table.caption"),
        caption_justify="left",
        **_LOOKS[look],
    )
    if gap is not None:
        made.padding = (0, gap, 0, 0)
    for row in rows:
        made.add_row(*map(Text, row))
    return made


def print_notes(notes: Iterable[str]) -> None:
    """One line each; they may quote text of files."""
    for note in notes:
        OUT.print(f"• {note}", markup=False, highlight=False, soft_wrap=True)


def digits(value: float) -> str:
    """Three figures for scores up to 1 and errors of a few points; one decimal from 10 on."""
    if math.isnan(value):
        return "n/a"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def number(value: Any, missing: str = "n/a") -> str:
    """A score with few digits; `missing` for what is not a number."""
    if not isinstance(value, float) or math.isnan(value):
        return missing
    return digits(value)


def interval_of(found: Mapping[str, Any]) -> str:
    """The 95 % interval of an estimate as a results file states it; n/a where none is known."""
    # Without any variation between people the formula gives no width, and knows nothing.
    if not found["stderr"] > _ROUNDING * max(1.0, abs(found["value"])):
        return "n/a"
    return f"{digits(found['low'])} – {digits(found['high'])}"


def quoted(text: str, limit: int = 120) -> str:
    """A text in quotes, shortened, with control characters as escapes that do nothing."""
    return repr(text if len(text) <= limit else f"{text[:limit]}…")


def _column(heading: str, fit: Fit) -> Column:
    return Column(
        Text(heading), no_wrap=fit == "line", overflow="fold" if fit == "fold" else "ellipsis"
    )
