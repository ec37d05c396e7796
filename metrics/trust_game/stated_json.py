"""Means, SDs and classes in the JSON of what a model states, whatever its keys are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from otherminds.metrics.lenient_json import LenientDecoder
from otherminds.metrics.trust_game.levels import Levels
from otherminds.metrics.trust_game.plain_dollars import MEAN_WORDS, SD_WORDS
from otherminds.metrics.trust_game.stated_dollars import Stated, numbers_in

_BEGINS = re.compile(r"\{(?=\s*[\"}])|\[(?=\s*[\[{\"])")
_COMMENT = re.compile(r"(?<![:\"'/])(?://|#)[^\n\"]*$", re.MULTILINE)
_MOST_FAILURES = 200
_DEEPEST = 6
_CONTRADICTORY = object()

_MEAN = re.compile(
    rf"(?:.*[\s_])?(?:{MEAN_WORDS}|m|dollars?|amounts?|estimates?|sends?|sent|given?|gifts?|values?"
    r"|predictions?|predicted)(?:[\s_(].*)?"
)
_SD = re.compile(rf"(?:.*[\s_])?(?:{SD_WORDS}|s)(?:[\s_(].*)?")
_NAME = re.compile(
    r"levels?|names?|kinds?|groups?|categor(?:y|ies)|attributes?|types?|labels?|bands?|class|value"
    r"|age(?:[\s_]group)?|age[\s_]?band|who|people|key|degree|status"
)


def values_in(text: str) -> list[Any]:
    """The outermost JSON objects and lists in `text`, in order; None for one that is contradictory.

    Numbers are floats. Where there is none, typographic quotation marks and comments are put right.
    """
    found = list(_values(text))
    if (not found and "{" in text) or ("[" in text and not found):
        found = list(_values(_COMMENT.sub("", text.translate(_QUOTES))))
    return found


_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f", '"'))


def _values(text: str) -> Iterator[Any]:
    decoder = LenientDecoder(_once, parse_int=float)
    position = failures = 0
    while failures < _MOST_FAILURES:
        begin = _BEGINS.search(text, position)
        if begin is None:
            return
        try:
            value, position = decoder.decode(text, begin.start())
        except (ValueError, RecursionError):
            position = begin.end()
            failures += 1
        else:
            yield value


def _once(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _CONTRADICTORY


def dollars_of(value: Any, levels: Levels, endowment: float) -> Stated | None:
    """Mean and SD of each level in a JSON value; None unless all levels have a mean.

    Records or lists of a level, a mean and an SD; levels as keys of numbers, pairs, records or words; a
    mean and an SD as keys of such; one SD beside the means of all. Keys are called as they like.
    """
    return _of(value, levels, endowment, _DEEPEST)


def names_levels(value: Any, levels: Levels, depth: int = _DEEPEST) -> bool:
    """Whether a JSON value has the key "levels" or a level: it is the statement, or a try at it."""
    if isinstance(value, dict):
        keys = [_spelt(key) for key in value]
        return (
            "levels" in keys
            or any(levels.code(key) is not None for key in keys)
            or any(names_levels(one, levels, depth - 1) for one in value.values() if depth)
        )
    if isinstance(value, list):
        return depth > 0 and any(names_levels(one, levels, depth - 1) for one in value)
    return value is _CONTRADICTORY or (
        isinstance(value, str) and len(value) < 80 and levels.code(value) is not None
    )


def _of(value: Any, levels: Levels, endowment: float, depth: int) -> Stated | None:
    if depth == 0:
        return None
    if isinstance(value, list):
        return _of_list(value, levels, endowment)
    if not isinstance(value, dict):
        return None
    named = {_spelt(key): one for key, one in value.items()}
    if len(named) < len(value):
        return None
    by_level = _by_level(named, levels)
    if by_level is not None:
        return _of_levels(by_level, named, levels, endowment)
    columns = _of_columns(named, levels, endowment)
    if columns is not None:
        return columns
    inner = [
        read
        for one in value.values()
        if (read := _of(one, levels, endowment, depth - 1)) is not None
    ]
    if len(inner) != 1 or not _others_are_remarks(value, levels):
        return None
    return _with_common(inner[0], named, endowment)


def _others_are_remarks(value: Mapping[str, Any], levels: Levels) -> bool:
    """Whether one value at most has levels in it."""
    return sum(names_levels(one, levels) for one in value.values()) <= 1


def _by_level(named: Mapping[str, Any], levels: Levels) -> dict[int, Any] | None:
    """The values by the code of the level that is their key; None unless levels are keys.

    Further keys are remarks, or a further level, which makes it another question's answer.
    """
    found: dict[int, Any] = {}
    for key, value in named.items():
        code = levels.code(key)
        if code is None:
            continue
        if code in found:
            return None
        found[code] = value
    if not found or not levels.are_all(list(found)):
        return None
    return found


def _of_levels(
    by_level: Mapping[int, Any], named: Mapping[str, Any], levels: Levels, endowment: float
) -> Stated | None:
    own = {id(value) for value in by_level.values()}
    for key, value in named.items():
        # Another record beside those of the levels is a level too many.
        if id(value) not in own and isinstance(value, dict) and not _is_sd(key):
            return None
    read: Stated = {}
    for code, value in by_level.items():
        pair = _pair(value, endowment)
        if pair is None:
            return None
        read[code] = pair
    return _with_common(read, named, endowment)


def _with_common(read: Stated, named: Mapping[str, Any], endowment: float) -> Stated | None:
    """The means with the SD that stands beside them for all."""
    if any(sd is not None for _, sd in read.values()):
        return read
    common = [_number(value, endowment) for key, value in named.items() if _is_sd(key)]
    if not common:
        return read
    if len(common) > 1 or common[0] is None:
        return None
    return {code: (mean, common[0]) for code, (mean, _) in read.items()}


def _of_columns(named: Mapping[str, Any], levels: Levels, endowment: float) -> Stated | None:
    """A key for all means and one for all SDs, each with the levels as keys or in their order."""
    means = [value for key, value in named.items() if _is_mean(key) and not _is_sd(key)]
    sds = [value for key, value in named.items() if _is_sd(key)]
    if len(means) != 1 or len(sds) > 1:
        return None
    ordered = [
        codes
        for value in named.values()
        if isinstance(value, list)
        and all(isinstance(one, str) for one in value)
        and (codes := levels.each_once(value))
    ]
    codes = ordered[0] if len(ordered) == 1 else None
    mean = _column(means[0], codes, levels, endowment)
    if mean is None:
        return None
    if not sds:
        return {code: (one, None) for code, one in mean.items()}
    if (common := _number(sds[0], endowment)) is not None:
        return {code: (one, common) for code, one in mean.items()}
    sd = _column(sds[0], codes, levels, endowment)
    return None if sd is None else {code: (one, sd[code]) for code, one in mean.items()}


def _column(
    value: Any, codes: Sequence[int] | None, levels: Levels, endowment: float
) -> dict[int, float] | None:
    if isinstance(value, list) and codes and len(value) == len(codes):
        pairs = dict(zip(codes, value, strict=True))
    elif isinstance(value, dict):
        named = _by_level({_spelt(key): one for key, one in value.items()}, levels)
        if named is None:
            return None
        pairs = named
    else:
        return None
    read = {code: _number(one, endowment) for code, one in pairs.items()}
    known = {code: one for code, one in read.items() if one is not None}
    return known if len(known) == len(levels) else None


def _of_list(value: Sequence[Any], levels: Levels, endowment: float) -> Stated | None:
    """Records, or lists, of a level with its numbers."""
    read: Stated = {}
    for one in value:
        entry = _entry(one, levels, endowment)
        if entry is None or entry[0] in read:
            return None
        read[entry[0]] = entry[1]
    return read if levels.are_all(list(read)) else None


def _entry(
    one: Any, levels: Levels, endowment: float
) -> tuple[int, tuple[float, float | None]] | None:
    if isinstance(one, list) and len(one) in (2, 3) and isinstance(one[0], str):
        code = levels.code(one[0])
        pair = _pair(one[1:] if len(one) == 3 else one[1], endowment)
        return None if code is None or pair is None else (code, pair)
    if not isinstance(one, dict):
        return None
    named = {_spelt(key): value for key, value in one.items()}
    if len(named) < len(one):
        return None
    if len(named) == 1:
        ((key, value),) = named.items()
        code, pair = levels.code(key), _pair(value, endowment)
        return None if code is None or pair is None else (code, pair)
    names = [
        (key, code)
        for key, value in named.items()
        if isinstance(value, str) and not _is_sd(key) and (code := levels.code(value)) is not None
    ]
    called = [code for key, code in names if _NAME.fullmatch(key)] or [code for _, code in names]
    if len(set(called)) != 1:
        return None
    pair = _pair({key: value for key, value in named.items() if key not in dict(names)}, endowment)
    return None if pair is None else (called[0], pair)


def _pair(value: Any, endowment: float) -> tuple[float, float | None] | None:
    """The mean and the SD that one level's value says; None where either is unclear."""
    if isinstance(value, float):
        return value, None
    if isinstance(value, str):
        return numbers_in(value, endowment)
    if isinstance(value, list) and 1 <= len(value) <= 2:
        numbers = [_number(one, endowment) for one in value]
        if numbers[0] is None or None in numbers:
            return None
        return numbers[0], numbers[1] if len(numbers) == 2 else None
    if not isinstance(value, dict):
        return None
    named = {_spelt(key): one for key, one in value.items()}
    means = [one for key, one in named.items() if _is_mean(key) and not _is_sd(key)]
    if "mean" in named:
        means = [named["mean"]]
    sds = [one for key, one in named.items() if _is_sd(key)]
    if len(means) != 1 or len(sds) > 1:
        return None
    mean = _number(means[0], endowment)
    if mean is None and isinstance(means[0], str) and not sds:
        return numbers_in(means[0], endowment)
    if mean is None:
        return None
    if not sds or sds[0] is None:
        return mean, None
    sd = _number(sds[0], endowment)
    return None if sd is None else (mean, sd)


def _number(value: Any, endowment: float) -> float | None:
    """A number, or words that say one: "$4.20", "4.2 dollars"."""
    if isinstance(value, float):
        return value
    if not isinstance(value, str) or len(value) > 60:
        return None
    plain = re.sub(rf"(?<!\w)(?:{SD_WORDS}|{MEAN_WORDS})(?!\w)", " ", value.casefold())
    read = numbers_in(plain, endowment)
    return read[0] if read is not None and read[1] is None and "-" not in value else None


def _spelt(key: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", str(key)[:200])
    return " ".join(words.casefold().split())


def _is_mean(key: str) -> bool:
    return _MEAN.fullmatch(key) is not None


def _is_sd(key: str) -> bool:
    return _SD.fullmatch(key) is not None
