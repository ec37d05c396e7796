"""Levels whose place in an order is said one by one: "high first, low last"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from otherminds.metrics.trust_game.levels import Levels

_ORDINALS: Final = ("second", "third", "fourth", "fifth", "sixth", "seventh")
_TOP = r"most|highest|top|largest|biggest|greatest|leads?|leading|ahead\sof\s(?:all|everyone)"
_BOTTOM = r"least|lowest|bottom|smallest|fewest|rear|trails?|trailing"
_PLACE = re.compile(
    rf"\b(?:(?P<top>{_TOP})|(?P<bottom>{_BOTTOM})|(?P<first>first|1st|to\sbegin\swith)"
    r"|(?P<last>last|finally|at\sthe\send)"
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)}|2nd|3rd|4th|5th|6th)|(?P<middle>middle|in[\s-]between|between"
    r"|intermediate|midway)|(?P<next>next|then|followed\sby|after\s(?:that|them|those|these)))\b"
)
_SIGN = "\ue010"
_CHUNK = re.compile(r"(?:(?!\sand\s)[^,;.\n])+")
_UNSURE = re.compile(
    r"\b(?:not|no|never|cannot|or|versus|against|equal(?:ly)?|same|tie[ds]?|although|whether|if|might|may"
    r"|could|doubt|unlike|except|asked|ask|question|task|please|hardly|neither|nor)\b|n't\b|\bvs\b|[?=<>]"
)
_QUOTE = re.compile(r"^\s{0,3}>\s?", re.MULTILINE)
_NEAR = 400


class Place(NamedTuple):
    """Levels from the highest, or from the first, on, and where the last of them ends.

    is_value  whether "most" and "least" say which is higher, and not "first" and "last" alone
    """

    codes: tuple[int, ...]
    end: int
    is_value: bool


def placed(text: str, levels: Levels) -> Iterator[Place]:
    """Rows of all levels that each stand alone beside a word for their place."""
    text = _QUOTE.sub("", text)
    found = list(levels.found_in(text))
    signs, ends = _signs(text, found)
    row: list[tuple[int, str, int]] = []
    count = 0
    for chunk in _CHUNK.finditer(signs):
        own = chunk[0].count(_SIGN)
        if not own:
            continue
        code, end = found[count][0], ends[count]
        count += own
        place = _place(chunk[0])
        if place is None:
            row = []
            continue
        row = [*row, (code, place, end)][-len(levels) :]
        if len(row) == len(levels) and end - row[0][2] < _NEAR * 2:
            ordered = _ordered(row)
            if ordered is not None and levels.are_all(ordered[0]):
                yield Place(ordered[0], end, ordered[1])


def _signs(text: str, found: Sequence[tuple[int, int, int]]) -> tuple[str, list[int]]:
    """`text` with a sign for each level, and where each level ends in `text`."""
    pieces, end = [], 0
    for _, start, stop in found:
        pieces += [text[end:start].replace(_SIGN, " "), _SIGN]
        end = stop
    return "".join([*pieces, text[end:].replace(_SIGN, " ")]), [stop for _, _, stop in found]


def _place(chunk: str) -> str | None:
    """The one word for a place that a chunk has beside its one level; "" where it has none."""
    if chunk.count(_SIGN) != 1 or _UNSURE.search(chunk) or len(chunk) > _NEAR:
        return None
    said = list(_PLACE.finditer(chunk))
    names = {str(one.lastgroup) for one in said}
    names -= {"next"} if len(names) > 1 else set()
    if len(names) > 1 or (names == {"ordinal"} and len(said) > 1):
        return None
    if not names:
        return ""
    name = names.pop()
    if name != "ordinal":
        return name
    word = said[0]["ordinal"]
    return str(_ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[0]) - 1)


def _ordered(row: Sequence[tuple[int, str, int]]) -> tuple[tuple[int, ...], bool] | None:
    """Codes by place, and whether words of value say it; None unless each place is taken once."""
    count = len(row)
    places = [place for _, place, _ in row]
    high = "top" in places or "bottom" in places
    listed = "first" in places or "last" in places
    if "" in places or not ((places.count("top") or places.count("first")) and (high or listed)):
        return None
    by_place: dict[int, int] = {}
    previous: int | None = None
    falls = (
        places.index("top") < places.index("bottom") if {"top", "bottom"} <= set(places) else True
    )
    for code, place, _ in row:
        if place in ("top", "first"):
            at = 0
        elif place in ("bottom", "last"):
            at = count - 1
        elif place == "middle":
            if count != 3:
                return None
            at = 1
        elif place == "next":
            if previous is None:
                return None
            at = previous + (1 if falls else -1)
        else:
            if not falls:
                return None
            at = int(place)
        if at in by_place or not 0 <= at < count:
            return None
        by_place[at] = code
        previous = at
    return tuple(by_place[at] for at in range(count)), high
