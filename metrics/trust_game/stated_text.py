"""Levels, classes and numbers in what a model states of an attribute, in JSON or in other shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from otherminds.metrics.reply import TAIL, objects_in, without_reasoning
from otherminds.metrics.trust_game.levels import Levels, canonical, canonical_lines

_PLACEHOLDER = re.compile(
    r"(?:\.{2,}|\u2026|_+|v\d+|level\s?\d*|kind\s?\d*|x\d*|[a-z]"
    r"|(?:the\s)?(?:second\s)?(?:least|most|lowest|highest|lowest kind|highest kind)|first"
    r"|second|third|last|string|name|text|)"
)

def is_placeholder(names: Sequence[str]) -> bool:
    """Whether a name is what a prompt has in its place: dots, "V1", "the most"."""
    return any(_PLACEHOLDER.fullmatch(canonical(name)) is not None for name in names)


def visible(text: str | None) -> str:
    """The end of `text`, without reasoning."""
    shown = without_reasoning(text) if text else None
    return (shown or "")[-TAIL:]


def last_object(text: str, keys: Sequence[str]) -> dict[str, Any] | None:
    """The last JSON object in `text` with one of `keys`, also where it is alone inside another.

    None where there is none; an empty one where a key is given twice: it contradicts itself.
    """
    last: dict[str, Any] | None = None
    for value in objects_in(text):
        if value is None:
            last = {}
        elif (own := _unwrapped(value, keys)) is not None:
            last = own
    return last


def _unwrapped(value: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any] | None:
    named = {str(key).strip().casefold().replace(" ", "_"): one for key, one in value.items()}
    if not named.keys().isdisjoint(keys):
        return named if len(named) == len(value) else {}
    inside = [one for one in value.values() if isinstance(one, dict)]
    return _unwrapped(inside[0], keys) if len(inside) == 1 and len(value) == 1 else None


_SAID = {
    **dict.fromkeys([">", ">>", ">>>", "\u227b", "\u226b"], "higher"),
    **dict.fromkeys(["<", "<<", "\u227a", "\u226a"], "lower"),
    **dict.fromkeys(["->", "-->", "=>", "\u2192", "\u27a4", "\u21d2", "\u00bb"], "then"),
}
_SIGN = "|".join(sorted(map(re.escape, _SAID), key=len, reverse=True))
_LINK = re.compile(rf"[\s}}\])(]{{0,10}}(?P<sign>{_SIGN})[\s{{\[(]{{0,10}}")
_GOES_ON = re.compile(r"\s{0,3}(?:\([^()\n]{0,60}\)\s{0,3})?(?:[<>=\u2248\u2192\u227b\u227a~]|->)")
_GOES_BEFORE = re.compile(r"[<>=\u2248\u2192\u227b\u227a~]\s*$")
_REMARK = re.compile(r"\s*(?:\([^()]{0,60}\)|\[[^\[\]]{0,60}\])?\s*")


@dataclass(frozen=True)
class Chain:
    """Levels in a row with one sign between them.

    codes  as they are written
    sign   "higher" where each is said to be above the next, "lower" where below, "then" otherwise
    """

    codes: tuple[int, ...]
    sign: str


def last_chain(text: str, levels: Levels) -> Chain | None:
    """The last row of all levels, each once, with arrows or the like between them, or by number."""
    plain = canonical_lines(text)
    chains = [*_arrows(plain, levels), *_numbered(plain, levels)]
    return max(chains, key=lambda found: found[0])[1] if chains else None


def _arrows(text: str, levels: Levels) -> Iterator[tuple[int, Chain]]:
    found = list(levels.found_in(text))
    if len(levels) == 1:
        yield from ((end, Chain((code,), "then")) for code, _, end in found)
    row: list[int] = []
    signs: list[str] = []
    for place, ((code, _, end), (following, start, stop)) in enumerate(pairwise(found)):
        link = _linked(text, end, start)
        if link is None:
            row, signs = [], []
            continue
        row = [*(row or [code]), following]
        signs.append(link)
        if len(row) != len(levels) or len(set(signs)) > 1 or not levels.are_all(row):
            continue
        first = found[place + 2 - len(row)][1]
        if not _GOES_ON.match(text, stop) and not _GOES_BEFORE.search(
            text[max(0, first - 4) : first]
        ):
            yield stop, Chain(tuple(row), _SAID[link])


def _linked(text: str, end: int, start: int) -> str | None:
    """What the sign says that stands between two levels, perhaps after a remark; None for other text."""
    remark = _REMARK.match(text, end, start)
    link = _LINK.fullmatch(text, remark.end() if remark else end, start)
    return link["sign"] if link else None


_ITEM = re.compile(r"^\s*\(?(\d{1,2})[.):]\s*(.*)$")


def _numbered(text: str, levels: Levels) -> Iterator[tuple[int, Chain]]:
    """Rows of numbered lines that each begin with a level."""
    row: list[int] = []
    position = 0
    for line in text.split("\n"):
        item = _ITEM.match(line)
        position += len(line) + 1
        if item is None:
            continue
        first = next(levels.found_in(item[2]), None)
        number = int(item[1])
        if number == 1:
            row = []
        if first is None or first[1] > 0 or number != len(row) + 1:
            row = []
            continue
        row.append(first[0])
        if len(row) == len(levels) and levels.are_all(row):
            yield position, Chain(tuple(row), "then")


_RANKING_KEY = re.compile(
    r"['\"]?\b(?:ranking|order|ranked|rank)\b['\"]?\s*[:=]\s*(?P<said>[^\n]*(?:\n(?![\s]*['\"]?\w+['\"]?\s*[:=])[^\n]*){0,12})",
    re.IGNORECASE,
)
_STRING = re.compile(
    r"\s*(?P<quote>['\"])(?P<said>(?:(?!(?P=quote)\s*[,}\])\n]|(?P=quote)\s*$).)*)(?P=quote)",
    re.DOTALL,
)
_LIST = re.compile(r"\s*\[(?P<said>[^\[\]]*)\]")
_LISTED = re.compile(r"\"([^\"\n]*)\"|'((?:[^'\n]|'(?=\w))*)'|([^,\"'\n]+)")

def ranking_under_key(text: str) -> str | list[str] | None:
    """What stands behind the last key "ranking" of a text that is no whole JSON; None without the key.

    A list of names, a string that is whole, or a line without quotation marks; "" where a string or
    list was begun and not ended.
    """
    under = [found["said"] for found in _RANKING_KEY.finditer(text)]
    if not under:
        return None
    said = under[-1]
    if listed := _LIST.match(said):
        items = _LISTED.findall(listed["said"])
        return [name for item in items if (name := next(filter(None, item), "").strip())]
    if quoted := _STRING.match(said):
        return quoted["said"]
    return "" if said.lstrip()[:1] in ('"', "'", "[") else said.split("\n")[0]
