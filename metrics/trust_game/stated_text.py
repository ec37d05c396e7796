"""Levels, classes and numbers in what a model states of an attribute, in JSON or in other shapes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.reply import TAIL, objects_in, without_reasoning
from otherminds.metrics.trust_game.effect_size import EFFECT_SIZE_CLASSES

# "18-29", "18 - 29" and "18 to 29" are one range, and so are "65+" and "65 +".
_RANGE = re.compile(r"(?<=\d)\s*(?:-|\bto\b)\s*(?=\d)")
_FROM = re.compile(
    r"(?<=\d)\s*(?:\+|\band\s(?:over|older|above|up)\b|\bor\s(?:over|older|above|more)\b)"
)
# Apostrophes, hyphens, dashes and the minus sign, as type has them.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_DRESS = re.compile(
    r"\\(?:text|textbf|textit|mathrm|mathbf|boxed)\s*\{|[*`$\"\\]|_{2,}|<(?:/?(?:b|i|strong|em"
    r"|li|ol|ul|p|br))\s*/?>"
)
# Words that may stand beside the name of a level without making it another.
_BESIDE = re.compile(
    r"\b(?:ages?|aged|years?(?:\sold)?|yrs?|olds?|people|adults|persons?|respondents|those"
    r"|group|with|level|levels|a|an|the|of|who|are|in|but|and)\b|(?<=\w)\.(?=\w|$|\s)|,"
)
_TAIL_NOTE = re.compile(r"\s*\([^()]*\)\s*$")
_NUMBERING = re.compile(r"^\s*(?:\(?\d{1,2}[.):]\s|[-\u2022]\s|[a-z]\)\s|v\d\s?[:=]\s)")
_PLACEHOLDER = re.compile(
    r"(?:\.{2,}|\u2026|_+|v\d+|level\s?\d*|kind\s?\d*|x\d*|[a-z]"
    r"|(?:the\s)?(?:second\s)?(?:least|most|lowest|highest|lowest kind|highest kind)|first"
    r"|second|third|last|string|name|text|)"
)
_CLASS = re.compile(rf"\b(?:{'|'.join(EFFECT_SIZE_CLASSES)})\b")
_BEFORE_CLASS = re.compile(
    r"(?:(?:a|an|the|is|effect|size|it|would|be|probably|likely|rather|quite)\s)*"
)


class Levels:
    """The names of an attribute's levels, and the places where a text has them.

    Raises EmptyInput without levels, MisalignedInput for two of one spelling.
    """

    def __init__(self, levels: Sequence[str]) -> None:
        if len(levels) == 0:
            raise EmptyInput("No levels: give the levels that the model was asked about.")
        self._place = {canonical(level): code for code, level in enumerate(levels)}
        if len(self._place) < len(levels):
            raise MisalignedInput(
                "Two levels differ in capitals, white space, or how signs are written only: "
                f"{', '.join(map(repr, levels))}."
            )
        bare = [_bare(level) for level in self._place]
        # Two levels that differ in such a word only keep it.
        self._bare = {
            name: code for code, name in enumerate(bare) if bare.count(name) == 1 and name
        }
        names = sorted(self._place, key=len, reverse=True)
        self._names = re.compile(
            rf"(?<![\w+-])(?:{'|'.join(map(re.escape, names))})(?![\w+]|-\w|'\w)"
        )

    def __len__(self) -> int:
        return len(self._place)

    def code(self, name: str) -> int | None:
        """The number of the level that `name` is, in other capitals or with a remark perhaps."""
        plain = canonical(_NUMBERING.sub("", canonical(_DRESS.sub(" ", name))))
        for said in (plain, canonical(_TAIL_NOTE.sub("", plain))):
            if said in self._place:
                return self._place[said]
            if (found := self._bare.get(_bare(said))) is not None:
                return found
        return None

    def each_once(self, names: Sequence[str]) -> list[int] | None:
        """The codes of `names`; None unless they are all levels, each once."""
        codes = [self.code(name) for name in names]
        if None in codes:
            codes = [self.code(name) for name in _without_shared_words(names)]
        known = [code for code in codes if code is not None]
        return known if len(known) == len(codes) and self.are_all(known) else None

    def are_all(self, codes: Sequence[int]) -> bool:
        """Whether these are all levels, each once."""
        return sorted(codes) == list(range(len(self._place)))

    def found_in(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Code, start and end of each level in a canonical text, longer names first."""
        for found in self._names.finditer(text):
            yield self._place[found[0]], found.start(), found.end()


def canonical(name: str) -> str:
    """`name` in one spelling of capitals, white space, apostrophes, dashes and ranges."""
    plain = unicodedata.normalize("NFKC", name.translate(_PLAIN)).casefold()
    return _FROM.sub("+", _RANGE.sub("-", " ".join(plain.split())))


def _bare(name: str) -> str:
    return " ".join(_BESIDE.sub(" ", name).split()).strip(" .,;:")


def _without_shared_words(names: Sequence[str]) -> list[str]:
    """`names` without the words that all begin or end with, as in "low trust", "high trust"."""
    words = [canonical(_DRESS.sub(" ", name)).split() for name in names]
    for end in (-1, 0):
        while (
            words and all(len(own) > 1 for own in words) and len({own[end] for own in words}) == 1
        ):
            words = [own[:-1] if end else own[1:] for own in words]
    return [" ".join(own) for own in words]


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


def class_named(value: Any) -> str | None:
    """The class of effect size that `value` begins with, if it names no other; None else."""
    if isinstance(value, dict):
        named = {found for one in value.values() if (found := class_named(one))}
        return named.pop() if len(named) == 1 else None
    if not isinstance(value, str):
        return None
    text = canonical(_DRESS.sub(" ", value))
    named_in = list(_CLASS.finditer(text))
    if not named_in or {one[0] for one in named_in} != {named_in[0][0]}:
        return None
    before = _BEFORE_CLASS.match(text)
    return named_in[0][0] if before and before.end() == named_in[0].start() else None


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


def canonical_lines(text: str) -> str:
    """`text` line by line in canonical spelling, without markup."""
    plain = _DRESS.sub(" ", text).replace("}", " ")
    return "\n".join(canonical(line) for line in plain.split("\n"))


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
_EFFECT_LINK = (
    r"(?:[\s_-]*(?:effect|size|effect[\s_-]size|class"
    r"|category))*['\"]?\s*(?:\([^()\n]{0,80}\))?\s*(?:[:=\u2014-]|\bis\b|\bwould\sbe\b"
    r"|\|)\s*['\"{(|]*(?:a\s|an\s|rather\s|quite\s)?(?P<said>[^\n;|,.\"'}]{0,80})"
)
OMNIBUS = re.compile(r"\b(?:omnibus|overall)" + _EFFECT_LINK, re.IGNORECASE)
CONTRAST = re.compile(r"\bcontrast" + _EFFECT_LINK, re.IGNORECASE)
EFFECT = re.compile(r"(?<![_\w])(?:effect)" + _EFFECT_LINK, re.IGNORECASE)


def effect_in(text: str, pattern: re.Pattern[str]) -> str | None:
    """The class that the last place names where `pattern` announces one; None where they differ."""
    named = {
        said
        for found in pattern.finditer(text)
        if (said := class_named(found["said"])) is not None
        or _CLASS.search(found["said"].casefold())
    }
    return named.pop() if len(named) == 1 else None


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


_NUMBER = re.compile(
    r"(?<![\w.,+-])\$?\s?(\d{1,12}(?:\.\d{1,12})?)(?![\w]|[.,]\d|\s?%|\s?-\s?\$?\d)"
)
_MEAN_OR_SD = re.compile(r"\b(?:(?P<mean>mean|average|avg)|sd|s\.d\.|standard\sdeviation|std)\b")
_TABLE_OF_COMMAS = re.compile(r",\s?(?:mean|average)[^,\n]{0,20},\s?(?:sd|std|standard)")
_MOST_BETWEEN = 200


def rows_of_numbers(text: str, levels: Levels) -> dict[int, tuple[float, float | None]] | None:
    """Mean and SD behind each level in a table, a list or a sentence; None unless all levels have them.

    Each level must stand once with numbers behind it, in the same line: two (mean and SD) for all, or
    one (the mean) for all.
    """
    plain = canonical_lines(text)
    if _TABLE_OF_COMMAS.search(plain):
        plain = re.sub(r",(?=\d)", " , ", plain)
    found = list(levels.found_in(plain))
    read: dict[int, tuple[float, ...]] = {}
    for number, (code, _, end) in enumerate(found):
        stop = found[number + 1][1] if number + 1 < len(found) else len(plain)
        segment = plain[end : min(stop, end + _MOST_BETWEEN)].split("\n")[0]
        numbers = tuple(float(one[1]) for one in _NUMBER.finditer(segment))
        if not numbers:
            continue
        if code in read or len(numbers) > 2:
            return None
        read[code] = numbers
    if not levels.are_all(list(read)) or len({len(numbers) for numbers in read.values()}) != 1:
        return None
    named = _MEAN_OR_SD.search(plain, 0, found[0][1])
    if named is not None and not named["mean"]:
        return None
    return {code: (one[0], one[1] if len(one) > 1 else None) for code, one in read.items()}
