"""Calendar days from the ways in which Debate.org and tables made of it write them."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any, Final

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
