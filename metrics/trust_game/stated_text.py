"""The object, or the key, under which a model states a ranking; what is a copy of the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from otherminds.metrics.reply import TAIL, objects_in, without_reasoning
from otherminds.metrics.trust_game.levels import canonical

_PLACEHOLDER = re.compile(
    r"(?:\.{2,}|\u2026|_+|v\d+|level\s?\d*|kind\s?\d*|x\d*|[a-z]"
    r"|(?:the\s)?(?:second\s)?(?:least|most|lowest|highest|lowest kind|highest kind)|first"
    r"|second|third|last|string|name|text|)"
)


def is_placeholder(names: Sequence[str]) -> bool:
    """Whether a name is what a prompt has in its place: dots, "V1", "the most"."""
    return any(_PLACEHOLDER.fullmatch(canonical(name)) is not None for name in names)


def has_dots(said: str | Sequence[str] | None) -> bool:
    """Whether a ranking has the dots of an example in it, which no ranking has."""
    names = [said] if isinstance(said, str) else said or ()
    return any(re.search(r"\.\.|\u2026|_{2}", name) for name in names)


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


_KEYS = dict.fromkeys(["order", "ranks", "ranked", "rank", "predicted_ranking"], "ranking")


def _spelt(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, one in value.items():
        yield str(key).strip().casefold().replace(" ", "_"), one


def _unwrapped(value: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any] | None:
    named = {_KEYS.get(name, name): one for name, one in _spelt(value)}
    if "ranking" not in named and (ranks := _ranks(named)):
        named = {**named, "ranking": ranks}
        return named if len(named) == len(value) + 1 else {}
    if not named.keys().isdisjoint(keys):
        return named if len(named) == len(value) else {}
    inside = [
        own
        for one in value.values()
        if isinstance(one, dict) and (own := _unwrapped(one, keys)) is not None
    ]
    return inside[0] if len(inside) == 1 else None


def _ranks(named: Mapping[str, Any]) -> list[Any]:
    """The names under "rank_1", "rank_2", …; none where one is missing."""
    by_rank = {
        int(key[1]): one for name, one in named.items() if (key := _RANK_KEY.fullmatch(name))
    }
    return [by_rank[rank] for rank in sorted(by_rank)] if _is_counted(by_rank) else []


def _is_counted(by_rank: Mapping[int, Any]) -> bool:
    return len(by_rank) > 1 and sorted(by_rank) == list(range(1, len(by_rank) + 1))


_RANK_KEY = re.compile(r"(?:rank|place|position)_?(\d{1,2})")


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
    if said.lstrip()[:1] in ('"', "'", "["):
        return ""
    first, *later = said.split("\n")
    # A list below the key.
    is_list = re.match(r"\s*(?:[-*\u2022]|\d{1,2}[.)])\s", first)
    if is_list:
        return said
    return first if first.strip(" |>*_") else "\n".join(line for line in later if line.strip())
