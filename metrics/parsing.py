"""Reading an answer, a letter or a number on a scale, out of a model's reply.

A reader decides whether a text *is* an answer; the rules here decide which text to ask about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, Protocol, TypeVar

from otherminds.metrics.letter_reader import LetterReader
from otherminds.metrics.marks import CLOSING, Reading, find_marks, retracted
from otherminds.metrics.number_reader import NumberReader
from otherminds.metrics.reply import Reply, read_reply

Value = TypeVar("Value")


class Marked(NamedTuple, Generic[Value]):
    """The marked answers of a reply.

    values  the answers in order; None = unclear
    final   whether the last of them is a final answer line
    rest    the text that follows the last of them
    """

    values: list[Value | None]
    final: bool
    rest: str


class Reader(Protocol, Generic[Value]):
    """What the rules need to know about a kind of answer."""

    def leading(self, text: str, *, marked: bool) -> Reading[Value] | None:
        """The answer with which `text` begins; None when it begins with something else."""

    def loose(self, text: str) -> list[Value | None]:
        """Answers stated within running text; None for each that is unclear."""

    def highlighted(self, reply: Reply) -> list[Value | None]:
        """Answers that stand out in a reply by typography."""


def parse_letter(text: str | None, options: Sequence[str] | int) -> str | None:
    """The option ("A", "B", …) that `text` answers with, or None.

    options  the options' texts, or only their number (1 to 26). With texts, an option's text alone,
             or after its letter, is an answer too; a letter with another option's text is none. The
             first word of a text stands for it at the end of a line, if all first words differ.

    Where an answer is looked for, in this order; the first place that has one decides:

    1. The whole reply is an answer: "B", "(b).", "B) NEGATIVE effect", "NEGATIVE effect".
    2. Marked answers: "Answer: B", "the answer is (B)", "B is the correct answer", \\boxed{B}. If
       they differ, the last one counts only if it is a final answer line: a line that begins with
       the mark, with nothing after its answer in the rest of the reply. An answer that stands on a
       line of its own must not contradict the marked ones, unless a final answer line comes after
       it. If the first line is the only line of that kind, it must not contradict even a final
       answer line: it may be the answer, and the rest a dialogue that the model went on with.
    3. Answers that stand alone: on a line of their own, or at the start of the reply with
       punctuation ("B. Because …"). All must agree.
    4. Highlighted answers: in bold, or capital letters in parentheses. All must agree.
    5. A capital letter after a verb of choice, as in "I would choose B"; no other letter in running
       text counts. All must agree.

    Everything else is None: several different candidates, "A or B", "A, but maybe B", an answer
    taken back in what follows it ("B. Wait, actually …"), a letter beyond the options, thinking
    that was cut off (`reply.read_reply`), an empty reply. "A" before a word ("A person like this")
    is an article, not an option. In a reply of more than 20,000 characters only a final answer
    line, marked or not, counts, since the rest has not been read.

    Never raises on any text; MetricError when `options` is not 1 to 26 options.
    """
    key = options if isinstance(options, int) else tuple(options)
    if text is None or len(text) > _SHORT:
        return _decide(read_reply(text), _letter_reader(key))
    return _short_letter(text, key)


def parse_number(text: str | None, low: int, high: int) -> int | None:
    """The whole number on the scale `low`..`high` that `text` answers with, or None.

    Numbers are digits of any script ("7", "７", "7.0") or the words one to ten. "8/10" and "8 out
    of 10" count when the second number is `high`. Where a number is looked for, in this order; the
    first place that has one decides:

    1. The whole reply: "7", "**7**", "7/10", "seven.", "7 - Somewhat support".
    2. Marked answers: "Answer: 7", "my rating is 7", \\boxed{7}. If they differ, the last one
       counts only if it is a final answer line; the rules are those of `parse_letter`.
    3. Alone on a line, or at the start of the reply before punctuation or a reason ("7, because
       …"). All must agree.
    4. In bold at the very end.
    5. In running text, if it is the only number there, however often: "I would say 7." A mention of
       the scale itself ("on a scale of 1 to 10") is not a number. Any number that cannot be an answer
       makes the text unclear: with a unit or noun ("3 children"), in an inequality or negation
       ("more than 6", "not 7"), part of a code ("2.6", "Q3"), a list number ("1. First"), the
       pronoun "one".

    Everything else is None: "7.5", "6-7", "6 or 7", "between 6 and 8", "-7", "7%", a number off the
    scale (never clipped), several different numbers, and what `parse_letter` refuses whatever the
    options are, such as an empty reply or thinking that was cut off.

    Never raises on any text; MetricError unless 0 ≤ low < high.
    """
    if text is None or len(text) > _SHORT:
        return _decide(read_reply(text), _number_reader(low, high))
    return _short_number(text, low, high)


# Models give the same few short replies to thousands of questions.
_SHORT, _REMEMBERED = 64, 4_096


@lru_cache(maxsize=_REMEMBERED)
def _short_letter(text: str, key: tuple[str, ...] | int) -> str | None:
    return _decide(read_reply(text), _letter_reader(key))


@lru_cache(maxsize=_REMEMBERED)
def _short_number(text: str, low: int, high: int) -> int | None:
    return _decide(read_reply(text), _number_reader(low, high))


@lru_cache(maxsize=256)
def _letter_reader(options: tuple[str, ...] | int) -> LetterReader:
    return LetterReader(options)


@lru_cache(maxsize=64)
def _number_reader(low: int, high: int) -> NumberReader:
    return NumberReader(low, high)


def _decide(reply: Reply | None, reader: Reader[Value]) -> Value | None:
    if reply is None:
        return None
    lines = reply.text.split("\n")
    own_lines = _own_lines(reader, lines)
    if len(lines) == 1 and own_lines and not reply.cut:
        return own_lines[0]
    marked = _marked(reader, reply.text)
    if marked.final:
        first = [own_lines[0]] if list(own_lines) == [0] else []
        return _sole([marked.values[-1], *first])
    if reply.cut:
        return None if marked.values else own_lines.get(len(lines) - 1)
    if marked.values:
        return None if retracted(marked.rest) else _sole([*marked.values, *own_lines.values()])
    return _unmarked(reader, reply, lines, own_lines)


def _unmarked(
    reader: Reader[Value], reply: Reply, lines: list[str], own_lines: dict[int, Value | None]
) -> Value | None:
    """Answers that stand alone, else highlighted ones, else those in running text."""
    start = reader.leading(lines[0], marked=False)
    if own_lines:
        rest = "\n".join(lines[max(own_lines) + 1 :])
    else:
        rest = reply.text[start.end if start is not None else 0 :]
    standing_alone = [*own_lines.values(), *([start.value] if start is not None else [])]
    if standing_alone:
        return None if retracted(rest) else _sole(standing_alone)
    return _sole(reader.highlighted(reply) or reader.loose(reply.text))


def _own_lines(reader: Reader[Value], lines: list[str]) -> dict[int, Value | None]:
    """What the lines say that are an answer and nothing else, by line number."""
    found = {number: _alone(reader, line) for number, line in enumerate(lines)}
    return {number: reading.value for number, reading in found.items() if reading is not None}


def _alone(reader: Reader[Value], line: str) -> Reading[Value] | None:
    """The reading of a line that is an answer and nothing else."""
    found = reader.leading(line, marked=True)
    if found is None or line[found.end :].strip(CLOSING):
        return None
    return found


def _marked(reader: Reader[Value], text: str) -> Marked[Value]:
    values: list[Value | None] = []
    final, rest = False, ""
    for mark in find_marks(text):
        line_end = text.find("\n", mark.start)
        phrase = text[mark.start : line_end if line_end >= 0 else len(text)]
        found = reader.leading(phrase, marked=True)
        rest = text[mark.start + (found.end if found else len(phrase)) :]
        values.append(found.value if found else _sole(reader.loose(phrase)))
        final = mark.opens_line and found is not None and not rest.strip(CLOSING)
    return Marked(values, final and values[-1] is not None, rest)


def _sole(candidates: Sequence[Value | None]) -> Value | None:
    """The one value that all candidates share; an unclear one (None) spoils them all."""
    distinct = set(candidates)
    return distinct.pop() if len(distinct) == 1 else None
