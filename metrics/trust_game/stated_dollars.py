"""Means and SDs of dollars in what a model states of each level: in text, tables and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from otherminds.metrics.trust_game.levels import Levels
from otherminds.metrics.trust_game.plain_dollars import (
    MEAN_WORDS,
    SD_WORDS,
    plain_dollars,
    without_spans,
)

Stated: TypeAlias = dict[int, tuple[float, float | None]]
"""Mean and SD by the code of the level; None for an SD that is not stated."""

_ROLE = re.compile(rf"(?<!\w)(?:(?P<mean>{MEAN_WORDS})|(?P<sd>{SD_WORDS}))(?!\w)")
_NUMBER = re.compile(
    r"(?<![\w.,+-])(?<!\d\s-)\$?\s?(\d{1,9}(?:\.\d{1,9})?)(?![\w]|[.,]\d|\s?%|\s?-\s?\$?\d|\spercent)"
)
_RANGE = re.compile(r"\d[\d.]*\s?(?:-|to)\s?\$?\d|\d\s?%|\bpercent\b")
_COMMON = re.compile(
    r"\b(?:all|each|every|both|same|throughout|across|everyone|either|any|common|uniform|constant"
    r"|identical|regardless|groups|levels|kinds|categories)\b"
)
_OF_THE_WHOLE = re.compile(
    r"\b(?:overall|pooled|total|grand|sample|population|combined|between|of\sthe\smeans)\b"
)
# Between a mean and an SD that no word calls by its name.
_PAIRED = re.compile(
    r"[\s|,;:(\[{/]*(?:(?:dollars?|usd|bucks|with|an?|and|plus|or|minus|\+/-|\+-|\u00b1|std)[\s|(,]*)*"
)
_BEFORE_LEVEL = re.compile(
    r"[)\s]*(?:dollars?\s)?(?:\(\s?|(?:for|from|by|among|in|to|of|with)\s(?:\w+\s){0,3})$"
)
_SAME = re.compile(
    r"\b(?:(?:all|both|each|every)\s(?:of\sthe\s)?(?:\w+\s)?(?:groups?|levels?|kinds?|brackets?|degrees?|categor"
    r"(?:y|ies)|bands?|them|one)|same\s(?:figures?|numbers?|values?|mean|estimates?)|alike|identical"
    r"|regardless)\b"
)
_NOT_ALIKE = re.compile(
    rf"{_OF_THE_WHOLE.pattern}|\b(?:but|however|literature|stud(?:y|ies)|not|would\sbe|if|between)\b"
)
_IN_MONEY = re.compile(rf"\$|\d\.\d|\b(?:dollars?|usd|bucks|{MEAN_WORDS})(?!\w)")
_HAS_ITS_OWN = re.compile(
    r"\s?(?:[:=(\d\$~\u2248]|(?:of|is|at|about|around|roughly|approximately|near|maybe|perhaps|some|close"
    r"\sto|approx\.?|circa|ca\.|will\sbe|would\sbe)\b)"
)
_MOST = 240
_MOST_RUNS = 40
_NEAR = 41


@dataclass(frozen=True)
class _Number:
    """A number in a text, and whether a word beside it says that it is a mean or an SD."""

    start: int
    end: int
    value: float
    role: str | None


def dollars_in(text: str, levels: Levels, endowment: float) -> Stated | None:
    """Mean and SD of each level in a text that is no JSON; None unless all levels have a mean.

    Read are a mean and perhaps an SD behind each level, in a line, a table, a list or a sentence; all
    means and then all SDs, with the levels before each or once for both (a table with a column for each
    level); one SD that is said to be that of all. Numbers before the level they belong to, ranges,
    percentages, further numbers, and an SD that is greater than the endowment leave it unread.
    """
    plain = without_spans(plain_dollars(text, endowment), levels)
    found = list(levels.found_in(plain))
    numbers = list(_numbers(plain))
    for read in (_of_columns, _of_rows, _of_blocks, _of_numbers_first, _of_all_alike):
        stated = read(plain, levels, found, numbers)
        if stated is not None:
            break
    else:
        return None
    sds = [sd for _, sd in stated.values() if sd is not None]
    return None if any(sd > endowment for sd in sds) else stated


def numbers_in(text: str, endowment: float) -> tuple[float, float | None] | None:
    """Mean and SD in the words that stand for one level ("$4.20 (SD 2.80)"); None where unclear."""
    plain = plain_dollars(text, endowment)
    return _pair(plain, list(_numbers(plain)))


def _numbers(text: str) -> Iterator[_Number]:
    roles = list(_ROLE.finditer(text))
    place, last = 0, None
    for found in _NUMBER.finditer(text):
        while place < len(roles) and roles[place].end() <= found.start():
            last = roles[place]
            place += 1
        role = None
        if (
            last is not None
            and found.start() - last.end() <= _NEAR
            and (_names(text[last.end() : found.start()]))
        ):
            role = last.lastgroup
        following = roles[place] if place < len(roles) else None
        if following is not None and role is None:
            between = text[found.end() : min(following.start(), found.end() + _NEAR)]
            after = text[following.end() : following.end() + 24]
            is_beside = re.fullmatch(r"[ (]*(?:dollars?\s)?(?:on\s(?:an?\s)?|as\s)?", between)
            if is_beside and not _HAS_ITS_OWN.match(after):
                role = following.lastgroup
        yield _Number(found.start(1), found.end(), float(found[1]), role)


def _names(between: str) -> bool:
    """Whether a word for mean or SD belongs to the number that follows after `between`."""
    return re.fullmatch(r"[^\d\n;.]{0,40}", between) is not None


def _pair(
    text: str, numbers: Sequence[_Number], begin: int = 0
) -> tuple[float, float | None] | None:
    """The mean and the SD that `numbers` are, all of those in `text` from `begin` on."""
    if not 1 <= len(numbers) <= 2 or _RANGE.search(text, begin, numbers[-1].end):
        return None
    first, *rest = numbers
    if not rest:
        return None if first.role == "sd" else (first.value, None)
    second = rest[0]
    roles = first.role, second.role
    if roles == ("sd", "mean"):
        return second.value, first.value
    if roles in (("mean", "sd"), (None, "sd")):
        return first.value, second.value
    between = text[first.end : second.start].replace("$", "")
    if roles in ((None, None), ("mean", None)) and _PAIRED.fullmatch(between):
        return first.value, second.value
    return None


def _of_rows(
    text: str,
    levels: Levels,
    found: Sequence[tuple[int, int, int]],
    numbers: Sequence[_Number],
) -> Stated | None:
    """Numbers behind each level, up to the next one."""
    segments = _segments(text, found, numbers)
    if len(segments) != len(levels) or not levels.are_all([code for code, _, _ in segments]):
        return None
    if _precedes(text, segments, found, numbers):
        return None
    # What follows the last of them has as many as the others; a remark may have numbers too.
    most = max((len(own) for _, _, own in segments[:-1]), default=2)
    code, start, own = segments[-1]
    later: Sequence[_Number] = ()
    if len(own) > most:
        later = own[most:]
        segments[-1] = code, start, own[:most]
    read: Stated = {}
    for one, begin, inside in segments:
        pair = _pair(text, inside, begin)
        if pair is None:
            return None
        read[one] = pair
    counted = {sd is None for _, sd in read.values()}
    if len(counted) != 1:
        return None
    header = [role.lastgroup for role in _ROLE.finditer(text, 0, segments[0][1])]
    if header[-2:] == ["sd", "mean"]:
        told = all(one.role for _, _, inside in segments for one in inside)
        if not told:
            read = {one: (sd, mean) for one, (mean, sd) in read.items() if sd is not None}
            return read if len(read) == len(levels) else None
    elif header[-1:] == ["sd"] and counted == {True}:
        # These may be the SDs alone, or means after a word on the SD of all.
        before = [one for one in numbers if one.end <= segments[0][1] and one.role == "sd"]
        if not before:
            return None
    if counted == {True}:
        return _with_common(text, read, segments, [*numbers[: _place(numbers, segments)], *later])
    return read


def _of_all_alike(
    text: str,
    levels: Levels,
    found: Sequence[tuple[int, int, int]],
    numbers: Sequence[_Number],
) -> Stated | None:
    """One mean, and one SD perhaps, that a sentence says to be those of all levels."""
    if not 1 <= len(numbers) <= 2 or numbers[0].role != "mean":
        return None
    begin = max(text.rfind("\n", 0, numbers[0].start), text.rfind(". ", 0, numbers[0].start)) + 1
    sentence = re.split(r"\n|\.\s", text[begin:])[0]
    named = {code for code, _, _ in levels.found_in(sentence)}
    is_of_all = _SAME.search(sentence) and len(named) in (0, len(levels))
    pair = _pair(text, numbers, begin) if is_of_all else None
    if pair is None or numbers[-1].end > begin + len(sentence) or _NOT_ALIKE.search(sentence):
        return None
    return dict.fromkeys(range(len(levels)), pair)


def _of_numbers_first(
    text: str,
    levels: Levels,
    found: Sequence[tuple[int, int, int]],
    numbers: Sequence[_Number],
) -> Stated | None:
    """Numbers before the level that they belong to: "4.2 for low, 4.8 for moderate"."""
    if len(found) != len(levels) or not levels.are_all([code for code, _, _ in found]):
        return None
    if not _IN_MONEY.search(text):
        return None
    read: Stated = {}
    begin = 0
    for code, start, end in found:
        own = [one for one in numbers if begin <= one.start < start]
        if not own or not _BEFORE_LEVEL.fullmatch(text[own[-1].end : start]):
            return None
        pair = _pair(text, own, own[0].start)
        if pair is None:
            return None
        read[code] = pair
        begin = end
    if len({sd is None for _, sd in read.values()}) != 1:
        return None
    later = [one for one in numbers if one.start >= begin]
    if all(sd is None for _, sd in read.values()):
        return _with_common(text, read, [], later)
    return read if not later else None


def _place(
    numbers: Sequence[_Number], segments: Sequence[tuple[int, int, Sequence[_Number]]]
) -> int:
    return next(place for place, one in enumerate(numbers) if one.start >= segments[0][1])


def _segments(
    text: str, found: Sequence[tuple[int, int, int]], numbers: Sequence[_Number]
) -> list[tuple[int, int, Sequence[_Number]]]:
    """Code, place and numbers of each level that has numbers behind it."""
    segments: list[tuple[int, int, Sequence[_Number]]] = []
    place = 0
    for count, (code, _, end) in enumerate(found):
        stop = found[count + 1][1] if count + 1 < len(found) else len(text)
        while place < len(numbers) and numbers[place].start < end:
            place += 1
        own: list[_Number] = []
        while place < len(numbers) and numbers[place].start < stop:
            # A list's number before the next level is none of this one's.
            if not _is_numbering(text, numbers[place]) and numbers[place].start < end + _MOST:
                own.append(numbers[place])
            place += 1
        if own:
            segments.append((code, end, own))
    return segments


def _is_numbering(text: str, number: _Number) -> bool:
    line = text.rfind("\n", 0, number.start) + 1
    return (
        not text[line : number.start].strip(" (|-")
        and re.match(r"\s?[.):]\s|\s?\|", text[number.end : number.end + 3]) is not None
    )


def _precedes(
    text: str,
    segments: Sequence[tuple[int, int, Sequence[_Number]]],
    found: Sequence[tuple[int, int, int]],
    numbers: Sequence[_Number],
) -> bool:
    """Whether numbers stand before the level that they belong to: "4 for A and 5 for B"."""
    first = min(start for _, start, _ in segments)
    starts = {end: start for _, start, end in found}
    for number in numbers:
        if number.end > first:
            break
        between = text[number.end : starts[first]]
        if len(between) < 40 and _BEFORE_LEVEL.fullmatch(between):
            return True
    return False


def _with_common(
    text: str,
    read: Stated,
    segments: Sequence[tuple[int, int, Sequence[_Number]]],
    others: Sequence[_Number],
) -> Stated | None:
    """The means with the one SD that is said of all; None where it is unclear of whom it is said."""
    sds = [one for one in others if one.role == "sd"]
    if len(others) == len(read) > 1 and others[0].role == "sd" and _are_in_a_row(text, others):
        return {
            code: (mean, sd.value)
            for (code, (mean, _)), sd in zip(read.items(), others, strict=True)
        }
    values = {one.value for one in sds}
    if not sds:
        return None if _ROLE_SD.search(text) and _sd_with_number(text, others) else read
    if len(values) > 1:
        return None
    for one in sds:
        begin = max(text.rfind("\n", 0, one.start), text.rfind(". ", 0, one.start)) + 1
        stop = min(
            (end for mark in ("\n", ". ") if (end := text.find(mark, one.end)) >= 0),
            default=len(text),
        )
        sentence = text[begin:stop]
        if _OF_THE_WHOLE.search(sentence):
            return None
        if not _COMMON.search(sentence) and not _is_line(sentence):
            return None
    common = values.pop()
    return {code: (mean, common) for code, (mean, _) in read.items()}


def _are_in_a_row(text: str, numbers: Sequence[_Number], begin: int = 0) -> bool:
    """Whether nothing but signs and "and" stands between the numbers; `text` is from `begin` on."""
    return all(
        re.fullmatch(
            r"[\s|,;/$&\t]*(?:dollars?)?(?:[\s,]*and[\s$]*)?",
            text[one.end - begin : following.start - begin],
        )
        for one, following in pairwise(numbers)
    )


_ROLE_SD = re.compile(rf"(?<!\w)(?:{SD_WORDS})(?!\w)")


def _sd_with_number(text: str, others: Sequence[_Number]) -> bool:
    """Whether numbers stand in a sentence with a word for SD."""
    for said in _ROLE_SD.finditer(text):
        near = [one for one in others if abs(one.start - said.start()) < 80]
        if near or _RANGE.search(text, said.end(), said.end() + 60):
            return True
    return False


def _is_line(sentence: str) -> bool:
    """Whether a line says the SD and nothing else: "SD: 2.5"."""
    return (
        re.fullmatch(rf"[\s\W]*(?:{SD_WORDS})[\s\W\d.]*(?:dollars?)?[\s\W]*", sentence) is not None
    )


def _of_blocks(
    text: str,
    levels: Levels,
    found: Sequence[tuple[int, int, int]],
    numbers: Sequence[_Number],
) -> Stated | None:
    """All means, and then all SDs, with the levels before each."""
    segments = _segments(text, found, numbers)
    half = len(levels)
    if len(segments) != 2 * half:
        return None
    blocks = segments[:half], segments[half:]
    roles: dict[str, Mapping[int, float]] = {}
    begin = 0
    for block in blocks:
        if not levels.are_all([code for code, _, _ in block]):
            return None
        if any(len(own) != 1 for _, _, own in block):
            return None
        last = [role.lastgroup for role in _ROLE.finditer(text, begin, block[0][1])]
        if not last or len(set(last)) > 1:
            return None
        roles[str(last[-1])] = {code: own[0].value for code, _, own in block}
        begin = block[-1][2][-1].end
    if set(roles) != {"mean", "sd"}:
        return None
    return {code: (roles["mean"][code], roles["sd"][code]) for code in range(half)}


def _of_columns(
    text: str,
    levels: Levels,
    found: Sequence[tuple[int, int, int]],
    numbers: Sequence[_Number],
) -> Stated | None:
    """The levels one after another, and then a number for each: in a table, or "respectively"."""
    count = len(levels)
    for place in range(len(found) - count, max(-1, len(found) - count - _MOST_RUNS), -1):
        run = found[place : place + count]
        codes = [code for code, _, _ in run]
        if not levels.are_all(codes):
            continue
        if any(run[0][2] <= one.start < run[-1][1] for one in numbers):
            continue
        stop = found[place + count][1] if place + count < len(found) else len(text)
        later = [
            one
            for one in numbers
            if run[-1][2] <= one.start < stop and not _is_numbering(text, one)
        ]
        begin = run[-1][2]
        read = _columns(text[begin:stop], begin, later, count, codes)
        if read is not None:
            return read
    return None


def _columns(
    text: str, begin: int, later: Sequence[_Number], count: int, codes: Sequence[int]
) -> Stated | None:
    if len(later) not in (count, count + 1, 2 * count) or count < 2 or _RANGE.search(text):
        return None
    groups = [later[:count], later[count:]]
    if any(one.role == "sd" for one in groups[0][1:]) or any(one.role for one in groups[1][1:]):
        return None
    if not all(_are_in_a_row(text, group, begin) for group in groups):
        return None
    means = [one.value for one in groups[0]]
    heads = [_ROLE.search(text, 0, groups[0][0].start - begin)]
    if groups[1]:
        heads.append(_ROLE.search(text, groups[0][-1].end - begin, groups[1][0].start - begin))
        roles = [None if head is None else head.lastgroup for head in heads]
        if roles[1] != "sd" or roles[0] == "sd":
            return None
    elif heads[0] is not None and heads[0].lastgroup == "sd":
        return None
    sds: list[float | None] = [one.value for one in groups[1]]
    if len(sds) == 1 and count > 1:
        sds = sds * count
    if not sds:
        sds = [None] * count
    return {code: (mean, sd) for code, mean, sd in zip(codes, means, sds, strict=True)}
