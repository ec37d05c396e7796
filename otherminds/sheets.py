"""Tables that people fill in or download, with any spreadsheet."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 40
"""Characters of a cell that a message shows."""

_FORMULA = frozenset("=+-@")
_BREAKS = frozenset("\t\r\n")


def quoted(cell: str) -> str:
    """A cell as messages show it: its beginning, on one line, in quotation marks."""
    return repr(cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…")


def defused(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; the text itself where none would.

    A formula may begin with the full-width, small or raised forms of its sign, in some languages, and
    after blanks of any kind or characters that nobody sees.
    """
    for character in text:
        if character in _BREAKS:
            return f"'{text}"
        if not (character.isspace() or unicodedata.category(character)[0] == "C"):
            is_formula = unicodedata.normalize("NFKC", character)[:1] in _FORMULA
            return f"'{text}" if is_formula else text
    return text


def as_csv(table: pd.DataFrame) -> str:
    """A table without its index; whoever named a model in it has written no formula."""
    return table.map(_defused).to_csv(index=False)


def _defused(cell: Any) -> Any:
    return defused(cell) if isinstance(cell, str) else cell
