"""Reading whole numbers on a scale."""

from __future__ import annotations

import re

from otherminds.metrics.errors import MetricError
from otherminds.metrics.marks import CLOSING, REASON, SECOND_THOUGHT, Reading, negated
from otherminds.metrics.reply import Reply

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

_WORD = rf"(?:{'|'.join(WORDS)})"
_NUMBER = rf"(?:\d+(?:\.0+)?|{_WORD})"
_HEDGE = (
    r"(?:(?:a|an|about|around|approximately|roughly|probably|likely|exactly|option|number)\s+)*"
)
_LEADING = re.compile(
    rf"(?:[-\u2022]\s)?[\s\"'(\[{{:=]*+{_HEDGE}[\"'(\[]*(?P<number>{_NUMBER})(?![\w\u00bd])",
    re.IGNORECASE,
)
_OUT_OF = re.compile(rf"\s*(?:/|out\s+of\b|of\b)\s*(?P<top>{_NUMBER})(?!\w)", re.IGNORECASE)
# What follows a number and makes it something else than one whole number.
_SPOILING = re.compile(
    rf"[.,/]\d|\s*[%\u00b0\u00b1+\u00bd^*~]|\s*(?:per\s*cent|point|and\s+a\s+half|hundred|thousand)\b"
    rf"|\s*\(?\s*(?:-|\u2013|\u2014|/|,|;|&|\||->|\u2192|to\b|or\b|and\b|through\b|vs\b\.?|versus\b)"
    rf"\s*(?:maybe\s+|perhaps\s+|even\s+|possibly\s+)?{_NUMBER}(?!\w)"
    rf"|\s+{_NUMBER}(?!\w)|{SECOND_THOUGHT}{_NUMBER}(?!\w)"
    r"|\s+(?:or|and)\s+(?:so|more|less|higher|lower|above|below|up|over|under)\b|[-\u2013]\w",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\s*\([^()\n]{0,60}\)")
_LABEL = re.compile(r"\s*(?:[:=\u2014]|[\u2013-]\s)\s*[^\d\n.]{1,60}\.?$")
_STARTS = re.compile(rf"\s*(?:$|[:,;!\u2014]|[\u2013-]\s|\.\s|\.$|\(|{REASON})", re.IGNORECASE)

_CHUNK = re.compile(r"[^\s\u2014]+")
_HAS_NUMBER = re.compile(rf"\d|\b{_WORD}\b", re.IGNORECASE)
_CLEAN = re.compile(
    rf"[(\"'\[{{~]*+(?:[A-Za-z]+[:=])?[(\"'\[{{]*+(?P<number>{_NUMBER})(?:/(?P<top>\d+))?"
    r"(?P<after>[.,;:!?)\"'\]}]*)",
    re.IGNORECASE,
)
_LIST_NUMBER = re.compile(r"^\s*1[.)]\s+\S", re.MULTILINE)
_GOES_ON = re.compile(
    rf"[ \t]*(?:$|\n|[-\u2013\u2014(]|(?:on|for|here|rating|score|i|would|seems)\b|{REASON})",
    re.IGNORECASE,
)
_NOT_AN_ANSWER = re.compile(
    r"(?:\b(?:of|age|aged|question|item|step|part|section|year|years|participant|person|has|have|had|"
    r"than|least|most|over|under|above|below|minus|negative|from|between|scenario|except|no)\.?"
    r"|[<>\u2264\u2265\u00b1+])\s*$",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:say|choose|pick|select|predict|estimate|guess|answer)\s*$", re.IGNORECASE
)


class NumberReader:
    """Reads numbers on the scale `low`..`high` (MetricError unless 0 ≤ low < high)."""

    def __init__(self, low: int, high: int) -> None:
        if not 0 <= low < high:
            raise MetricError(f"Scale {low} to {high}: give 0 ≤ low < high.")
        self._low, self._high = low, high
        top = rf"(?:{high}|{WORDS[high - 1]})" if high <= len(WORDS) else str(high)
        bottom = rf"(?:{low}|{WORDS[low - 1]})" if 1 <= low <= len(WORDS) else str(low)
        note = r"(?:\s*\([^()\n]{0,40}\))?"
        span = rf"{bottom}{note}\s*(?:-|\u2013|\u2014|to|through)\s*{top}(?!\w){note}"
        kind = r"(?:\w{1,20}\s+)?"
        self._scale = re.compile(
            rf"(?:(?:on|from|using)\s+)?(?:(?:a|the|this)\s+)?{kind}scale\s*(?:of|from|is|:)?\s*"
            rf"\(?(?:from\s+)?{span}\)?|\b{span}\s+{kind}scale\b|\({span}\)|\b{high}-point(?!\w)",
            re.IGNORECASE,
        )
        self._out_of = re.compile(
            rf"(?<=\w)(?:\s*/\s*{high}|\s+out\s+of\s+(?:a\s+(?:possible\s+)?)?{top})(?![\w/]|\.\d)",
            re.IGNORECASE,
        )

    def leading(self, text: str, *, marked: bool) -> Reading[int] | None:
        """The number with which `text` begins, with what belongs to it ("/10", a label).

        An unmarked one must be followed by punctuation or a reason, and not be a list number.
        """
        found = _LEADING.match(text)
        if found is None:
            return None
        if not marked and (_LIST_NUMBER.match(text) or not self._starts_reply(text, found.end())):
            return None
        end = found.end()
        out_of = _OUT_OF.match(text, end)
        if out_of is not None:
            if _number(out_of["top"]) != self._high:
                return Reading(None, end)
            end = out_of.end()
        if _SPOILING.match(text, end):
            return Reading(None, end)
        value = self._on_scale(found["number"])
        for belonging in (_PARENTHESIS, _LABEL):
            extra = belonging.match(text, end)
            if extra is not None:
                end = extra.end()
        return Reading(value, end)

    def loose(self, text: str) -> list[int | None]:
        """Every number in running text; None for each that cannot be an answer."""
        text = self._out_of.sub("", self._scale.sub(" ", text))
        listed = {match.start() for match in _LIST_NUMBER.finditer(text)}
        return [
            None if found.start() in listed else self._candidate(text, found)
            for found in _CHUNK.finditer(text)
            if _HAS_NUMBER.search(found[0])
        ]

    def highlighted(self, reply: Reply) -> list[int | None]:
        """The number in bold at the very end; elsewhere, bold may only stress some evidence."""
        if not reply.ends_bold:
            return []
        found = self.leading(reply.bold[-1], marked=True)
        if found is None or reply.bold[-1][found.end :].strip(CLOSING):
            return []
        return [found.value]

    def _starts_reply(self, text: str, end: int) -> bool:
        out_of = _OUT_OF.match(text, end)
        return _STARTS.match(text, out_of.end() if out_of else end) is not None

    def _candidate(self, text: str, found: re.Match[str]) -> int | None:
        clean = _CLEAN.fullmatch(found[0])
        if clean is None or (clean["top"] and _number(clean["top"]) != self._high):
            return None
        before = text[max(0, found.start() - 30) : found.start()]
        if _NOT_AN_ANSWER.search(before) or negated(text, found.start()):
            return None
        if clean["number"].lower() == "one" and not _CHOOSES.search(before):
            return None
        if not clean["after"] and not _GOES_ON.match(text, found.end()):
            return None
        return self._on_scale(clean["number"])

    def _on_scale(self, text: str) -> int | None:
        value = _number(text)
        return value if value is not None and self._low <= value <= self._high else None


def _number(text: str) -> int | None:
    """The value of a number as matched by _NUMBER; None for more digits than any scale has."""
    word = text.lower()
    if word in WORDS:
        return WORDS.index(word) + 1
    digits = word.partition(".")[0]
    return int(digits) if len(digits) <= 6 else None
