"""Reading an answer, a letter or a number on a scale, out of a model's reply.

A reader decides whether a text *is* an answer; the rules here decide which text to ask about.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Generic, Protocol, TypeVar

from otherminds.metrics.claims import MANY, Claim, Rank, concluded, speaks
from otherminds.metrics.letter_reader import LetterReader
from otherminds.metrics.marks import CLOSING, Reading, find_marks
from otherminds.metrics.number_reader import NumberReader
from otherminds.metrics.reply import Reply, objects_in, read_reply
from otherminds.metrics.sentences import (
    Sentence,
    declines,
    doubtful,
    is_cut_off,
    provisional,
    rejected,
    sentences,
    takes_back,
)

Value = TypeVar("Value")


class Reader(Protocol, Generic[Value]):
    """What the rules need to know about a kind of answer."""

    def leading(self, text: str, *, marked: bool) -> Reading[Value] | None:
        """The answer with which `text` begins; None when it begins with something else."""

    def claims(self, sentence: Sentence) -> Iterator[Claim[Value]]:
        """The answer that a sentence asserts, if any."""

    def highlighted(self, text: str) -> Value | None:
        """The answer that a text in bold is, and nothing else."""

    def inferred(self, text: str, *, cut: bool) -> Value | None:
        """The answer that follows from a text in which no sentence asserts one.

        cut  whether the text breaks off
        """


def parse_letter(text: str | None, options: Sequence[str] | int) -> str | None:
    """The option ("A", "B", …) that `text` answers with, or None.

    options  the options' texts, or only their number (1 to 26). With texts, an option's text alone,
             or after its letter, is an answer too; a letter with another option's text is none. The
             first word of a text stands for it at the end of a line, if all first words differ, and
             in a sentence if it is in capitals ("which makes it NEGATIVE").

    A reply answers with what it ends up claiming. Claims are, from the firmest on:

    1. A final answer line ("Answer: B" with nothing after it, \\boxed{B}).
    2. Other marked answers ("the answer is B because …", "B is the correct answer"), an answer that
       stands on a line of its own, and what the reply begins with ("B. Because …").
    3. What a sentence concludes with: the first or last sentence ("I'd pick B"), or one that says that
       something follows ("So it's B").
    4. What another sentence asserts. Letters that are listed ("A or B"), rejected ("not A", "A is
       wrong"), doubtful ("might be A", "if she stays, A"), asked or quoted are no claims, and neither
       is what a machine says for itself ("personally, as an AI").

    A claim replaces an earlier one of another letter if it is firmer, or if the text says so ("wait",
    "on second thought", "it's B instead"); what the reply begins with is replaced only in the latter
    case. Otherwise both stand against each other, and there is no answer. Neither is there one that is
    taken back in what follows ("B. Wait, actually …"). A whole reply that is an answer, and the field
    for the answer in a JSON object, decide alone. Of a reply that breaks off, sentences in its middle
    do not count.

    Where nothing is claimed, three things may answer: all options but one are ruled out, one after
    another; the last two sentences say the direction ("the effect is negative", "he'd become less
    favorable", "so it pushes trade down"); the last lines have the words that set one option apart from
    all others.

    Everything else is None: a letter beyond the options, the options listed, thinking that was cut off
    (`reply.read_reply`), an empty reply. "A" before a word ("A person like this") is an article, not an
    option. In a reply of more than 20,000 characters only a final answer line, marked or not, counts,
    since the rest has not been read.

    Never raises on any text; MetricError when `options` is not 1 to 26 options.
    """
    key = options if isinstance(options, int) else tuple(options)
    if text is None or len(text) > _SHORT:
        return _decide(read_reply(text), _letter_reader(key))
    return _short_letter(text, key)


def parse_number(
    text: str | None, low: int, high: int, labels: Sequence[str] | None = None
) -> int | None:
    """The whole number on the scale `low`..`high` that `text` answers with, or None.

    labels  the texts of both ends; in full, also in a sentence, each is its number ("Strongly oppose")

    So are "the lowest score", "the top of the scale" and "the middle one", if there is one.

    Numbers are digits of any script ("7", "７", "7.0") or the words one to ten. "8/10" and "8 out
    of 10" count when the second number is `high`. Claims and their rules are those of `parse_letter`;
    a label within a sentence is the weakest of them. A mention of the scale itself ("on a scale of 1 to
    10", "1 means …, 10 means …") is not a number, and neither is one that counts, names or bounds
    something else: with a unit or noun ("3 children"), part of a code ("2.6", "Q3"), in a list
    ("1. First"), "more than 6", the pronoun "one".

    Everything else is None: "7.5", "6-7", "6 or 7", "between 6 and 8", "-7", "7%", a number off the
    scale (never clipped), a number with the label of the other end, several different numbers, and what
    `parse_letter` refuses whatever the options are.

    Never raises on any text; MetricError unless 0 ≤ low < high.
    """
    ends = None if labels is None else (labels[0], labels[1])
    if text is None or len(text) > _SHORT:
        return _decide(read_reply(text), _number_reader(low, high, ends))
    return _short_number(text, low, high, ends)


# Models give the same few short replies to thousands of questions.
_SHORT, _REMEMBERED = 64, 4_096


@lru_cache(maxsize=_REMEMBERED)
def _short_letter(text: str, key: tuple[str, ...] | int) -> str | None:
    return _decide(read_reply(text), _letter_reader(key))


@lru_cache(maxsize=_REMEMBERED)
def _short_number(text: str, low: int, high: int, ends: tuple[str, str] | None) -> int | None:
    return _decide(read_reply(text), _number_reader(low, high, ends))


@lru_cache(maxsize=256)
def _letter_reader(options: tuple[str, ...] | int) -> LetterReader:
    return LetterReader(options)


@lru_cache(maxsize=64)
def _number_reader(low: int, high: int, ends: tuple[str, str] | None) -> NumberReader:
    return NumberReader(low, high, ends)


def _decide(reply: Reply | None, reader: Reader[Value]) -> Value | None:
    if reply is None:
        return None
    text = reply.text.replace("--", "\u2014")
    above, _, last_line = text.rpartition("\n")
    if above and _UNFILLED.fullmatch(last_line):
        text = above
    lines = text.split("\n")
    if len(lines) == 1 and not reply.cut and (whole := _alone(reader, lines[0])):
        return whole.value
    if reply.cut:
        return _at_the_end(reader, text, lines)
    in_object = _in_objects(reader, text)
    if in_object is not None:
        return in_object.value
    listed = _listed(reader, lines)
    claims = [*_on_lines(reader, lines, listed), *_marked(reader, text)]
    claims.extend(_in_sentences(reader, text, claims, listed))
    last = concluded(claims, text)
    if last is not None:
        rest = text[last.end :]
        gives_up = last.rank <= Rank.CONCLUSION and declines(rest)
        return None if gives_up or takes_back(rest) else last.value
    cut = is_cut_off(text)
    bold = [] if cut else [value for one in reply.bold if (value := reader.highlighted(one))]
    shown = _sole(bold)
    return shown if shown is not None or listed else reader.inferred(text, cut=cut)


def _at_the_end(reader: Reader[Value], text: str, lines: Sequence[str]) -> Value | None:
    """What the last line says, marked or not; the beginning of the reply is not known."""
    marked = list(_marked(reader, text))
    if marked and marked[-1].rank is Rank.FINAL and not text[marked[-1].end :].strip(CLOSING):
        return marked[-1].value
    alone = _alone(reader, lines[-1])
    return None if marked or alone is None else alone.value


def _alone(reader: Reader[Value], line: str) -> Reading[Value] | None:
    """The reading of a line that is an answer and nothing else."""
    found = reader.leading(line, marked=True)
    if found is None or line[found.end :].strip(CLOSING):
        return None
    return found


def _listed(reader: Reader[Value], lines: Sequence[str]) -> frozenset[int]:
    """Numbers of the lines that are items of a list: they begin with answers in rising order."""
    begun = [reader.leading(line, marked=True) for line in lines]
    found: set[int] = set()
    for number, (one, other) in enumerate(pairwise(begun)):
        if one is None or other is None or one.value is None or other.value is None:
            continue
        step = _place(other.value) - _place(one.value)
        bare = not (lines[number][one.end :].strip() and lines[number + 1][other.end :].strip())
        if step == 1 or (step > 1 and not bare):
            found |= {number, number + 1}
    return frozenset(found)


def _place(value: object) -> int:
    return value if isinstance(value, int) else ord(str(value))


def _on_lines(
    reader: Reader[Value], lines: Sequence[str], listed: frozenset[int]
) -> Iterator[Claim[Value]]:
    """Lines that are an answer and nothing else, or give one to a label; what the reply begins with."""
    start = 0
    broken = is_cut_off(lines[-1])
    explained = 0 in _explained(sentences("\n".join(lines)), reader)
    for number, line in enumerate(lines):
        end = start + len(line)
        label = _LABEL.match(line)
        first = number == 0 and not listed and not explained
        note = broken and number > 0 and lines[number - 1].endswith(":")
        if number in listed or note:
            pass
        elif (found := _alone(reader, line)) is not None:
            yield Claim(start, end, found.value, Rank.MARKED, first and found.value is not None)
        elif (
            first
            and (found := reader.leading(line, marked=False))
            and found.value is not None
            and not (line[found.end :].startswith(" ") and rejected("", line[found.end :]))
        ):
            yield Claim(start, start + found.end, found.value, Rank.MARKED, heads=True)
        elif label and (found := _alone(reader, line[label.end() :])) is not None:
            yield Claim(start, end, found.value, Rank.CONCLUSION)
        start = end + 1


def _explained(found: Sequence[Sentence], reader: Reader[Value]) -> frozenset[int]:
    """Where sentences begin that say what each answer would mean: "A: she agrees. B: she does not."."""
    begun = {
        sentence.start: one.value
        for sentence in found
        if (one := reader.leading(sentence.text, marked=True)) is not None
        and sentence.text[one.end : one.end + 2].strip(")").startswith(":")
    }
    return frozenset(begun if len(set(begun.values())) > 1 else ())


def _marked(reader: Reader[Value], text: str) -> Iterator[Claim[Value]]:
    """Answers behind a mark, "Answer: …", or before one, "… is the correct answer"."""
    unread = 0
    for mark in find_marks(text):
        line_start = text.rfind("\n", 0, mark.start) + 1
        line_end = text.find("\n", mark.start)
        phrase = text[mark.start : line_end if line_end >= 0 else len(text)][:_PHRASE]
        before = text[max(line_start, mark.start - 90) : mark.start]
        if not mark.opens_line and (doubtful(before) or provisional(before)):
            continue
        found = reader.leading(phrase, marked=True)
        if found is None:
            unread += 1
            if unread > MANY:
                continue
            inner = concluded(_in_sentences(reader, phrase, (), frozenset()), phrase)
            announced = mark.opens_line and ":" in text[mark.start - 3 : mark.start]
            if inner is not None or announced:
                value = inner.value if inner is not None else reader.inferred(phrase, cut=True)
                yield Claim(mark.start, mark.start + len(phrase), value, Rank.MARKED)
            continue
        closed = mark.opens_line and not phrase[found.end :].strip(CLOSING)
        rank = Rank.FINAL if closed else Rank.MARKED
        yield Claim(mark.start, mark.start + found.end, found.value, rank)


def _in_sentences(
    reader: Reader[Value], text: str, known: Sequence[Claim[Value]], listed: frozenset[int]
) -> Iterator[Claim[Value]]:
    """What sentences claim in which no answer is known yet.

    Of a reply that breaks off, only the first sentence counts, or an answer at the very end.
    """
    found = sentences(text)
    broken = bool(found) and is_cut_off(found[-1].text)
    explained = _explained(found, reader)
    line, position = 0, 0
    taken = sorted((claim.start, claim.rank, claim.end) for claim in known)
    for number, sentence in enumerate(found):
        place = bisect_left(taken, (sentence.start, Rank.WORDS, 0))
        if place < len(taken) and taken[place][0] < sentence.end:
            if taken[place][1] is Rank.MARKED:
                # A sentence may contradict its own mark: "the effect is NEGATIVE and the answer is A".
                torn = [claim for claim in reader.claims(sentence) if claim.value is None]
                yield from (replace(claim, rank=Rank.MARKED) for claim in torn)
                yield from _corrected(reader, sentence, taken[place][2])
            continue
        line += text.count("\n", position, sentence.start)
        position = sentence.start
        if line in listed or sentence.start in explained:
            continue
        for claim in reader.claims(sentence):
            begins = sentence.closes and _OPTION_BEGINS.match(sentence.text) is not None
            late = number >= len(found) - 2 and sentence.concludes and speaks(sentence.text)
            if not broken or sentence.opens or begins or late or claim.end == len(text):
                yield claim


def _corrected(reader: Reader[Value], sentence: Sentence, known_end: int) -> Iterator[Claim[Value]]:
    """What a sentence claims behind an answer that it takes back: "5, wait, 4"."""
    end = known_end - sentence.start
    rest = " " * end + sentence.text[end:]
    for claim in reader.claims(replace(sentence, text=rest)):
        if takes_back(sentence.text[end : claim.start - sentence.start]):
            yield claim


def _in_objects(reader: Reader[Value], text: str) -> Reading[Value] | None:
    """What the last JSON object in `text` with a field for the answer says; None without one."""
    fields = [found for one in objects_in(text) if one and (found := _answer_fields(one))]
    if not fields:
        return None
    read = [_alone(reader, str(value)) for value in fields[-1]]
    return Reading(_sole([found.value for found in read if found is not None]), len(text))


def _answer_fields(found: Mapping[str, Any]) -> list[Any]:
    return [
        value
        for key, value in found.items()
        if (names := set(_NAME.findall(key.lower())))
        and names & _ANSWER_NAMES
        and not names & _OTHER_NAMES
        and not isinstance(value, bool | dict | list)
    ]


# The label of an answer with which a reply breaks off.
_UNFILLED = re.compile(
    r"\W{0,9}(?:(?:final|my|the|so)\W{1,3}){0,2}(?:final|answer|choice|prediction|rating)\s*:?",
    re.IGNORECASE,
)
# So far an answer is looked for behind its mark.
_PHRASE = 300
_OPTION_BEGINS = re.compile(r"\(?[A-Za-z]\)\s+[^\W\d_a-z]")
_LABEL = re.compile(
    r"(?:[^:.!?;\n]{0,40}\b)?(?:overall|results?|conclusion|verdict|estimate|importance|support"
    r"|weight|correction|final|value|opinion"
    r"|level|number|position|stance|score|effect|total|choice|pick|decision"
    r"|guess)\b[^:.!?;\n]{0,40}:\s*",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W_]+")
_ANSWER_NAMES = frozenset(
    [
        "answer",
        "final",
        "choice",
        "chosen",
        "letter",
        "option",
        "label",
        "selected",
        "selection",
        "prediction",
        "predicted",
        "response",
        "result",
        "value",
        "rating",
        "score",
        "number",
        "importance",
        "support",
        "level",
        "weight",
        "effect",
        "verdict",
        "pick",
        "opinion",
        "antwort",
        "réponse",
        "respuesta",
        "resposta",
        "risposta",
        "ответ",
        "答案",
        "答え",
    ]
)
_OTHER_NAMES = frozenset(
    [
        "confidence",
        "probability",
        "scale",
        "low",
        "high",
        "min",
        "max",
        "previous",
        "initial",
        "first",
        "other",
        "second",
        "scene",
        "step",
        "person",
        "reason",
    ]
)


def _sole(candidates: Sequence[Value | None]) -> Value | None:
    """The one value that all candidates share; an unclear one (None) spoils them all."""
    distinct = set(candidates)
    return distinct.pop() if len(distinct) == 1 else None
