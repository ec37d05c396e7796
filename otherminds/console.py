"""What the commands print for people: standard output, tables, notes and numbers.

Every text in a table or a note is shown as it is: names may hold what looks like markup.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text, TextType

# What people copy stays in one piece: commands in backticks, and whatever has no blank in it.
_PIECE = re.compile(r"(?:`[^`\n]*`|\S)+")
_HANGING = re.compile(r" *(?:[•-] +|\d+\. +)?")
# Names may break after these.
_PART_OF_NAME = re.compile(r"[^\s/_-]*[\s/_-]+|[^\s/_-]+")


class Printer(Console):
    """A console whose text is filled to a terminal's width between words, and is one line elsewhere.

    Commands in backticks and paths are never broken. Text that is printed with `soft_wrap` stays as
    it is.
    """

    def print(self, *objects: Any, **settings: Any) -> None:
        """As rich prints."""
        if not objects or "soft_wrap" in settings or not all(map(_is_text, objects)):
            super().print(*objects, **settings)
            return
        how = {name: settings.pop(name, None) for name in ("markup", "highlight")}
        texts = [
            one if isinstance(one, Text) else self.render_str(one, emoji=False, **how)
            for one in objects
        ]
        said = Text(settings.pop("sep", " ")).join(texts)
        if self.is_terminal:
            said = filled(said, self.width)
        super().print(said, **settings, soft_wrap=True)

    def rule(self, title: TextType = "", **settings: Any) -> None:
        """As rich does; a title that would be cut stands below the line, whole."""
        text = title if isinstance(title, Text) else self.render_str(title, emoji=False)
        # The line goes on for a sign on both sides, with a blank between.
        if cell_len(text.plain) + 4 <= self.width:
            super().rule(text, **settings)
            return
        super().rule(**settings)
        self.print(filled(text, self.width))


def _is_text(one: object) -> bool:
    return isinstance(one, str | Text)


OUT = Printer(emoji=False)
ERR = Printer(emoji=False, stderr=True)


def say(text: str) -> None:
    """Print a line for people as it stands: it may quote text of files."""
    OUT.print(text, markup=False, highlight=False)


def note(text: str) -> None:
    """The same on standard error, beside what a command prints."""
    ERR.print(text, markup=False, highlight=False)


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

Fit = Literal["line", "words", "name"]
"""Where a cell may break that is too wide: nowhere (it is cut), between words, or as names do.

Names break at blanks and after `/`, `-` and `_`. Words and parts of names break where they are wider
than their column.
"""

# What a cell of words needs, to be read as text; and a width in which everything fits.
_LEGIBLE, _ANY = 16, 10_000


class _NameColumn(Column):
    """A column whose cells break as names do."""


class _Name:
    """A name that breaks between its parts."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        lines = [""]
        for part in _PART_OF_NAME.findall(self._name):
            if lines[-1] and cell_len(lines[-1] + part.rstrip()) > options.max_width:
                lines.append("")
            lines[-1] += part
        yield Text("\n".join(line.rstrip() for line in lines), overflow="fold")

    def __rich_measure__(self, _: Console, __: ConsoleOptions) -> Measurement:
        parts = _PART_OF_NAME.findall(self._name)
        least = max((cell_len(part.rstrip()) for part in parts), default=0)
        return Measurement(least, cell_len(self._name))


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
    headed: bool = True,
) -> Table:
    """A table for a terminal, with its title and caption at the left.

    gap     blanks between the columns, where they are not those of the look
    headed  whether the headings are shown
    """
    made = Table(
        *columns,
        title=None if title is None else Text(title, "table.title"),
        title_justify="left",
        caption=None if caption is None else Text(caption, "table.caption"),
        caption_justify="left",
        show_header=headed,
        **_LOOKS[look],
    )
    if gap is not None:
        made.padding = (0, gap, 0, 0)
    for row in rows:
        cells = zip(made.columns, row, strict=True)
        made.add_row(
            *(
                _Name(cell) if isinstance(column, _NameColumn) else Text(cell)
                for column, cell in cells
            )
        )
    return made


def fitted(
    columns: Sequence[Column],
    rows: Iterable[Sequence[str]],
    *,
    look: Look = Look.PLAIN,
    headed: bool = True,
    indent: int = 0,
) -> RenderableType:
    """A table, or where the terminal is too narrow for it a line for each cell: nothing is cut.

    Below each other, the cells of a row stand under its first one, with their headings where it has
    several others.

    indent  blanks before every line
    """
    rows = [*rows]
    for place, column in enumerate(columns):
        texts_in = [str(column.header), *(row[place] for row in rows)]
        column.min_width = _needed(texts_in, is_whole=column.no_wrap)
    made = table(columns, rows, look=look, headed=headed)
    room = OUT.width - indent
    if Measurement.get(OUT, OUT.options.update_width(_ANY), made).minimum <= room:
        return Padding(made, (0, 0, 0, indent))
    is_apart = look is Look.INDENTED
    begin = " " * (2 if is_apart else indent)
    names = [str(column.header) if headed and len(columns) > 2 else "" for column in columns[1:]]
    lines = []
    for first, *others in rows:
        lines.append(begin + first)
        for name, cell in zip(names, others, strict=True):
            if cell:
                lines.append(f"{begin}    {name}: {cell}" if name else f"{begin}    {cell}")
    text = filled(Text("\n".join(lines)), OUT.width)
    return Group("", text, "") if is_apart else text


def _needed(cells: Sequence[str], *, is_whole: bool) -> int:
    widest = max(map(cell_len, cells))
    if is_whole:
        return widest
    words = (cell_len(word) for cell in cells for word in cell.split())
    return max(min(_LEGIBLE, widest), *words, 1)


def print_notes(notes: Iterable[str]) -> None:
    """One paragraph each; they may quote text of files."""
    for one in notes:
        say(f"• {one}")


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


FEWEST = 5
"""Clusters (people) from which an interval is shown: of fewer, nobody can tell how far people differ."""

TOO_FEW = "too few"


def interval_of(found: Mapping[str, Any]) -> str:
    """The 95 % interval of an estimate as a results file states it; n/a where none is known.

    With fewer clusters than FEWEST, TOO_FEW: of two, it is 12.7 standard errors wide to either side, and
    the standard error itself is one difference.
    """
    if found["n_clusters"] < FEWEST and not math.isnan(found["stderr"]):
        return TOO_FEW
    # Without any variation between people the formula gives no width, and knows nothing.
    if not found["stderr"] > _ROUNDING * max(1.0, abs(found["value"])):
        return "n/a"
    return f"{digits(found['low'])} – {digits(found['high'])}"


def filled(text: Text, width: int) -> Text:
    """Text whose lines fit into `width` where blanks allow it; what follows a bullet stands below it."""
    return Text("\n").join(
        one for line in text.split("\n", allow_blank=True) for one in _fill(line, width)
    )


def _fill(line: Text, width: int) -> list[Text]:
    if cell_len(line.plain) <= width:
        return [line]
    indent = _HANGING.match(line.plain)
    begin = indent.end() if indent else 0
    below = Text(" " * begin)
    lines: list[Text] = []
    start, stop = 0, 0
    for piece in _PIECE.finditer(line.plain, begin):
        taken = cell_len(line.plain[start : piece.end()]) + (len(below) if lines else 0)
        # A bullet does not stand alone.
        if taken > width and stop > 0:
            lines.append(line[start:stop])
            start = piece.start()
        stop = piece.end()
    lines.append(line[start:stop])
    first, *others = lines
    return [first, *(below + one for one in others)]


def quoted(text: str, limit: int = 120) -> str:
    """A text in quotes, shortened, with control characters as escapes that do nothing."""
    return repr(text if len(text) <= limit else f"{text[:limit]}…")


def _column(heading: str, fit: Fit) -> Column:
    kind = _NameColumn if fit == "name" else Column
    return kind(
        Text(heading), no_wrap=fit == "line", overflow="ellipsis" if fit == "line" else "fold"
    )
