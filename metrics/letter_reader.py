"""Reading option letters and option texts."""

from __future__ import annotations

import re

from otherminds.metrics.errors import MetricError
from otherminds.metrics.marks import CLOSING, REASON, SECOND_THOUGHT, Reading, negated
from otherminds.metrics.reply import Reply

_LETTER = re.compile(
    r"(?:[-\u2022]\s)?[\s\"'(\[{<]*+(?:(?:option|choice|letter)\s+)?[\"'(\[]*"
    r"(?P<letter>[A-Za-z])(?!\w|'\w)",
    re.IGNORECASE,
)
# "A or B", "A/B", "A, B": two letters where one was asked for. A comma or dash before a word does
# not join letters ("B, a person …").
_JOINED = re.compile(
    rf"[\s)\]\"']*(?:(?:/|&|\+|\||\bor\b|\band\b|\bto\b|\bvs\b\.?|\bversus\b)\s*(?:option\s+)?[(\"']?"
    r"(?P<second>[A-Za-z])(?!\w|'\w)|[,;\u2013\u2014-]\s*[(\"']?(?P<listed>[A-Za-z])(?!\w|'\w)"
    rf"(?!\s+[a-z])|{SECOND_THOUGHT}(?:option\s+)?[(\"']?(?P<thought>[A-Za-z])(?!\w|'\w)(?!\s+[a-z]))"
)
_SEPARATOR = re.compile(r"[\s)\]}\"'.:,;=>\u2013\u2014-]*")
_PUNCTUATED = re.compile(
    rf"\s*(?:$|[).:\]\u2014]|[,;!?]|[\u2013=-]\s|\s\(|{REASON})", re.IGNORECASE
)
_GOES_ON = re.compile(rf"\s+(?!{REASON}|is\b)\w", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?i:say|choose|chose|pick|select|predict|guess|answer|go(?:ing)?\s+with|opt\s+for)\s+"
    r"(?=(?:(?:option|choice|letter)\s+)?[(\"']*[A-Z](?!\w|'\w))"
)
_PARENTHESISED = re.compile(r"\((?=[A-Z]\))")
_BEFORE_TEXT = re.compile(r"[\s\"'(\[]*(?:(?:option|choice)\s+)?", re.IGNORECASE)
_ENGLISH_WORDS = "AI"


class LetterReader:
    """Reads letters of `options`, given as texts or only as their number.

    Raises MetricError unless there are 1 to 26 options.
    """

    def __init__(self, options: tuple[str, ...] | int) -> None:
        count = options if isinstance(options, int) else len(options)
        if not 1 <= count <= 26:
            raise MetricError(f"{count} options: give 1 to 26, so that each has a letter.")
        self._letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]
        letters_of: dict[str, str] = {}
        for text, letter in zip(
            () if isinstance(options, int) else options, self._letters, strict=False
        ):
            folded = _folded(text)
            if folded:
                letters_of[folded] = letters_of.get(folded, "") + letter
        # "POSITIVE" alone answers for "POSITIVE effect", where no other option begins so.
        first_words = {text.split(" ")[0]: letters for text, letters in letters_of.items()}
        if len(first_words) < len(letters_of):
            first_words = {}
        # Longest first, so that "agree strongly" is not read as "agree".
        self._texts = [
            *(
                (_phrase(text, r"(?!\w)"), letters)
                for text, letters in sorted(letters_of.items(), key=lambda pair: -len(pair[0]))
            ),
            *((_phrase(word, r"(?=\W*$)"), letters) for word, letters in first_words.items()),
        ]

    def leading(self, text: str, *, marked: bool) -> Reading[str] | None:
        """The option with which `text` begins.

        An unmarked letter must be followed by punctuation or a reason; after a marked one the text
        may go on, unless the letter is an English word ("A person …").
        """
        found = _LETTER.match(text)
        letter = found["letter"] if found else ""
        by_text = self._option_text(text, 0) if marked else None
        if found is None or (by_text is not None and by_text.end > found.end()):
            return by_text
        end = found.end("letter")
        if not self._is_answer(letter, text, end, marked=marked):
            return by_text
        value = letter.upper() if letter.upper() in self._letters else None
        if self._joins_another(text, end, letter):
            return Reading(None, end)
        separator = _SEPARATOR.match(text, end)
        if separator is not None:
            described = self._option_text(text, separator.end())
            if described is not None:
                return Reading(value if described.value == value else None, described.end)
        if by_text is not None and by_text.value != value:
            return Reading(None, end)
        return Reading(value, end)

    def loose(self, text: str) -> list[str | None]:
        """Capital letters after a verb of choice; None where negated or joined to another."""
        return [value for verb in _VERB.finditer(text) for value in self._at(text, verb.end())]

    def highlighted(self, reply: Reply) -> list[str | None]:
        """Options in bold, and capital letters in parentheses."""
        values: list[str | None] = []
        for bold in reply.bold:
            found = self.leading(bold, marked=True)
            if found is not None and not bold[found.end :].strip(CLOSING):
                values.append(found.value)
        for opening in _PARENTHESISED.finditer(reply.text):
            values.extend(self._at(reply.text, opening.start()))
        return values

    def _at(self, text: str, start: int) -> list[str | None]:
        """The letter at `start` of running text, as a list of at most one."""
        line = text[start:].split("\n", 1)[0]
        found = self.leading(line, marked=line.startswith("("))
        if found is None:
            return []
        return [None if negated(text, start) else found.value]

    def _is_answer(self, letter: str, text: str, end: int, *, marked: bool) -> bool:
        word = letter.upper() in _ENGLISH_WORDS
        if not marked:
            if word and re.match(rf"\s*,(?!\s*{REASON})", text[end:]):
                return False
            if letter.islower() and not re.match(r"[).:]", text[end:]):
                return False
            return _PUNCTUATED.match(text, end) is not None
        if re.match(r"[-\u2013]\w", text[end:]):
            return False
        if _GOES_ON.match(text, end) is None or self._option_text(text, end) is not None:
            return True
        joined = self._joins_another(text, end, letter)
        named = text[:end].lower().lstrip(" \"'([{<").startswith(("option", "choice", "letter"))
        return joined or named or (letter.isupper() and not word)

    def _joins_another(self, text: str, end: int, letter: str) -> bool:
        joined = _JOINED.match(text, end)
        if joined is None:
            return False
        other = joined["second"] or joined["listed"] or joined["thought"]
        same_case = other.isupper() or letter.islower()
        return same_case and other.upper() in self._letters and other.upper() != letter.upper()

    def _option_text(self, text: str, start: int) -> Reading[str] | None:
        """The option whose text stands at `start`; unclear when two options have that text."""
        skipped = _BEFORE_TEXT.match(text, start)
        begin = skipped.end() if skipped else start
        for pattern, letters in self._texts:
            found = pattern.match(text, begin)
            if found is not None:
                return Reading(letters if len(letters) == 1 else None, found.end())
        return None


def _folded(text: str) -> str:
    """An option's text as it may be repeated: one space between words, no closing punctuation."""
    return " ".join(text.lower().split()).rstrip(".!;,")


def _phrase(text: str, then: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, text.split(" "))) + then, re.IGNORECASE)
