"""The names of an attribute's levels, and the places where a text has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from otherminds.metrics.errors import EmptyInput, MisalignedInput

# "18-29", "18 - 29" and "18 to 29" are one range, and so are "65+" and "65 +".
_RANGE = re.compile(r"(?<=\d)\s*(?:-|\bto\b|\bthrough\b|\buntil\b|\bbis\b|\bà\b)\s*(?=\d)")
_FROM = re.compile(
    r"(?<=\d)\s*(?:\+|\b(?:years?\s)?(?:and|or)\s(?:over|older|above|up|more)\b|\bplus\b)"
)
_YEARS = re.compile(r"(?<=\d)-years?(?:-olds?)?\b|(?<=\d)s\b")
# Apostrophes, hyphens, dashes and the minus sign, as type has them.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab", '"'),
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

# Words that come between those of a name where it becomes a part of a sentence.
_FILLER = r"(?:(?:both|their|a|an|the|of|own|has|had|have|or|and)\s)?"
_ARTICLE = re.compile(r"^(?:a|an|the)\s")
_LONG = 6


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
        self._names = re.compile(rf"(?<![\w+-])(?:{_named(list(self._place))})(?![\w+]|-\w|'\w)")

    def __len__(self) -> int:
        return len(self._place)

    def code(self, name: str) -> int | None:
        """The number of the level that `name` is, in other capitals or with a remark perhaps."""
        plain = canonical(_NUMBERING.sub("", canonical(undressed(name))))
        for said in (plain, canonical(_TAIL_NOTE.sub("", plain))):
            if said in self._place:
                return self._place[said]
            if (found := self._bare.get(_bare(said))) is not None:
                return found
            if whole := self._names.fullmatch(said):
                return _code(whole)
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
            yield _code(found), found.start(), found.end()


def canonical(name: str) -> str:
    """`name` in one spelling of capitals, white space, apostrophes, dashes and ranges."""
    plain = unicodedata.normalize("NFKC", name.translate(_PLAIN)).casefold()
    plain = _RANGE.sub("-", " ".join(plain.split()))
    return _FROM.sub("+", _YEARS.sub("", plain))


def canonical_lines(text: str) -> str:
    """`text` line by line in canonical spelling, without markup."""
    plain = undressed(text).replace("}", " ")
    return "\n".join(canonical(line) for line in plain.split("\n"))


def undressed(text: str) -> str:
    """`text` without markup and quotation marks."""
    return _DRESS.sub(" ", text)


def _named(names: Sequence[str]) -> str:
    """A pattern of all names, longer ones first, in a group "level0", "level1", … each."""
    loose = [_loose(name, names) for name in names]
    ways = [(way, code) for code, own in enumerate(loose) for way in own]
    ways.sort(key=lambda pair: (pair[0] not in names, -len(pair[0])))
    seen: dict[int, int] = {}
    patterns = []
    for way, code in ways:
        seen[code] = seen.get(code, -1) + 1
        patterns.append(f"(?P<l{code}_{seen[code]}>{way})")
    return "|".join(patterns)


def _code(found: re.Match[str]) -> int:
    return int(str(found.lastgroup)[1:].split("_")[0])


def _loose(name: str, names: Sequence[str]) -> list[str]:
    """Patterns of a name as it is, and as it stands in a sentence."""
    ways = [re.escape(name), _in_a_sentence(name)]
    head = name.rsplit(" ", 1)[-1]
    plain = _ARTICLE.sub("", name)
    others = {_ARTICLE.sub("", one) for one in names if one != name}
    # "Citizens" and "non-citizens" of "a citizen" and "not a citizen".
    if len(names) == 2 and len(head) >= _LONG:
        if plain.startswith("not ") and _ARTICLE.sub("", plain[4:]) in others:
            ways.append(rf"(?:non-?\s?|not\s(?:an?\s)?)(?:u\.?s\.?\s)?{re.escape(head)}s?")
        elif any(one in {f"not {name}", f"not {plain}"} for one in others):
            ways.append(rf"(?:u\.?s\.?\s)?{re.escape(head)}s?")
    parts = re.split(r"\s?[/,]\s?", name)
    if len(parts) > 1:
        joined = r"(?:\s?[,/&]\s?(?:or\s|and\s)?|\sor\s|\sand\s|\s)"
        ways.append(joined.join(map(_in_a_sentence, parts)))
        ways.extend(
            _in_a_sentence(part)
            for part in parts
            if len(part) >= _LONG and not any(part in one for one in others)
        )
    return list(dict.fromkeys(ways))


def _in_a_sentence(name: str) -> str:
    words = _ARTICLE.sub("", name).split(" ")
    several = len(words) > 1
    return rf"\s{_FILLER}".join(_word(word, is_part=several) for word in words)


def _word(word: str, *, is_part: bool) -> str:
    if word in ("u.s.", "us"):
        return r"u\.?s\.?"
    if word.endswith("'s"):
        return rf"{re.escape(word[:-2])}(?:'?s)?"
    if word.isalpha() and len(word) >= _LONG and is_part:
        return rf"{re.escape(word)}(?:s|d|es)?"
    return re.escape(word) + ("d?" if word.endswith("e") and len(word) >= _LONG else "")


def _bare(name: str) -> str:
    return " ".join(_BESIDE.sub(" ", name).split()).strip(" .,;:")


def _without_shared_words(names: Sequence[str]) -> list[str]:
    """`names` without the words that all begin or end with, as in "low trust", "high trust"."""
    words = [canonical(undressed(name)).split() for name in names]
    for end in (-1, 0):
        while (
            words and all(len(own) > 1 for own in words) and len({own[end] for own in words}) == 1
        ):
            words = [own[:-1] if end else own[1:] for own in words]
    return [" ".join(own) for own in words]
