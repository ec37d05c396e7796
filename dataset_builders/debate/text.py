"""Plain text and calendar days from what web pages and tables made of them hold."""

from __future__ import annotations

import html
import re
import unicodedata
from datetime import date, datetime
from typing import Any, Final

_LARGEST_UNESCAPING = 3
"""Entities of entities occur ("&amp;quot;"); deeper nesting than this does not."""


_AMERICAN: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")


_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")


_WORDED: Final = re.compile(r"([A-Za-z]{3,9})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})(?!\d)")


_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)


def plain(value: Any) -> str:
    """`value` as one line of plain text: "" for None and for anything that is neither text nor number.

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


def day_of(value: Any) -> date | None:
    """The day that `value` names, or None where it names none.

    Understood are "11/21/2017" (month first), "2017-11-21" and "November 21, 2017", each with or
    without a time after it, and dates as Python or pandas have them. A time of day is ignored: the start
    of a debate has none, so that times within a day could not be compared. Relative times ("2 years
    ago") and impossible days give None.
    """
    if isinstance(value, datetime):
        # pandas' "not a time" is a datetime, but equals not even itself.
        return value.date() if value == value else None
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        return None
    written = value.strip()
    if found := _AMERICAN.match(written):
        month, day, year = map(int, found.groups())
    elif found := _ISO.match(written):
        year, month, day = map(int, found.groups())
    elif (found := _WORDED.match(written)) and found[1][:3].lower() in _MONTHS:
        month, day, year = _MONTHS.index(found[1][:3].lower()) + 1, int(found[2]), int(found[3])
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
