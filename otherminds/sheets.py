"""Tables that people fill in, with any spreadsheet."""

from __future__ import annotations

# Characters that a spreadsheet may take for the beginning of a formula; the wide forms too, in some
# languages.
_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n")


def defused(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; the text itself where none would."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text
