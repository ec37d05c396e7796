"""Plain text from what a web page held."""

from __future__ import annotations

import html
import unicodedata
from typing import Any

_LARGEST_UNESCAPING = 3
"""Entities of entities occur ("&amp;quot;"); deeper nesting than this does not."""


def plain(value: Any) -> str:
    """`value` as one line of plain text: "" for None and for anything that is no text or number.

    HTML entities are resolved, also nested ones; control characters (NUL among them) and zero-width
    characters are removed; every run of white space becomes one space; the text is in Unicode form NFC.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    found = str(value)
    for _ in range(_LARGEST_UNESCAPING):
        if "&" not in found:
            break
        found = html.unescape(found)
    if found.isascii() and found.isprintable():
        return " ".join(found.split())
    # White space first: line feeds and tabs are control characters too.
    found = " ".join(found.replace("\x00", "").split())
    if not found.isascii():
        found = "".join(c for c in found if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
        found = unicodedata.normalize("NFC", found)
    else:
        found = "".join(c for c in found if c.isprintable())
    # What was removed may have stood between two spaces.
    return " ".join(found.split())
