"""Reading "agree" or "disagree" out of a model's reply."""

from __future__ import annotations

import re
from collections.abc import Iterable

from otherminds.metrics.debate.field import names_answer, read_field
from otherminds.metrics.marks import CLOSING, REASON, find_marks, negated, retracted
from otherminds.metrics.reply import Reply, read_reply

# What `read_reply` leaves of "[[ ## prediction ## ]]", with or without Markdown and closing.
_MARKER = re.compile(
    r"\[\s?\[?\s?(?P<name>background|known beliefs|proposition|reasoning|prediction|completed)\b"
    r"(?:\s?\]){0,2}\s?:?|^\W{0,4}(?P<heading>prediction)[\"']?\s?(?::|$)|\[\s?\[",
    re.IGNORECASE | re.MULTILINE,
)

_STANCE = re.compile(r"(?<![\w-])(?P<no>dis-?)?agree(?:s|d|ing|ment)?(?!\w)", re.IGNORECASE)
_DEGREE = r"(?:(?:strongly|somewhat|mostly|likely|probably|definitely|most)\s+){0,2}"
_ALONE = re.compile(rf"\W*{_DEGREE}(?:dis-?)?agrees?\W*", re.IGNORECASE)
# Outside the field, True and False answer only with nothing but markup and a full stop around them.
_BOOL = re.compile(r"[\s\"'(\[{]*(?P<true>true)?(?(true)|false)[\s\"')\]}.]*", re.IGNORECASE)
# A sentence that goes on in the next line: "They would not ⏎ agree".
_GOES_ON = re.compile(
    r"(?:\b(?:not|never|cannot|neither|nor|unlikely|hardly|without|to|of|than|or|whether)|n't)\W*$",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"[.!:;\"')\]}]$")
# "Would they disagree? ⏎ True" answers another question than the one that was asked.
_ASKS = re.compile(rf"(?:{_STANCE.pattern}|\b(?:true|false)\b).*[?:]\W*$", re.IGNORECASE)
_LEADING = re.compile(
    rf"\W*{_DEGREE}(?:dis-?)?agrees?[\"')\]]{{0,2}}\s?(?:[.,:;!(]|[\u2013\u2014-]\s|\s?{REASON})",
    re.IGNORECASE,
)

# Where a statement of a stance ends: its reasons may well mention the other stance.
_STATEMENT_END = re.compile(rf"[.!?;](?=\s|$)|\s(?={REASON})|\s[\u2013\u2014-]\s|\n", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

# "They would agree if …", "whether they agree", "they might disagree": stances that nobody takes.
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|either|neither|depends|depending)\b|\?", re.IGNORECASE
)
_DOUBT = re.compile(
    r"\b(?:might|may|could|unsure|unclear|uncertain|undecided|hard\s+to)\b", re.IGNORECASE
)
_CONCLUSION = re.compile(
    r"\W*(?:(?:so|and)\W+)?(?:therefore|thus|hence|so|overall|consequently|accordingly|given"
    r"|based\s+on|in\s+(?:conclusion|summary|short)"
    r"|i\s+(?:would\s+)?(?:predict|conclude|expect|believe|think))\b",
    re.IGNORECASE,
)

# A sentence that ends with a full stop or with its stance, rather than having been cut off.
_COMPLETE = re.compile(r"(?:[.!]|agrees?)[\"')\]]*$", re.IGNORECASE)

# A reply of one sentence that is longer than this is reasoning, which may have been cut off.
_SHORT = 200


def parse_prediction(text: str | None) -> bool | None:
    """Whether `text` predicts "agree" (True) or "disagree" (False); None when it does not say.

    Where the answer is looked for, in this order; the first place that there is decides, even when no
    answer can be read there:

    1. Fields: what follows the marker `[[ ## prediction ## ]]`, up to the next marker. Capitals,
       Markdown, missing signs and a missing closing do not matter, and "prediction" on a line of its
       own or "Prediction:" at the start of one will do. Here, True, False, yes and no are answers
       too (`field.read_field`); the paper asks for True or False. Several fields must agree,
       the last must not be empty (cut off), and what comes after `[[ ## completed ## ]]` does not
       count: it is a dialogue that the model went on with.
    2. Marked answers, in the sense of `marks.find_marks` ("Answer: agree", "my prediction is disagree",
       a box, answer tags). A last one with nothing after it decides; otherwise all must agree, with
       the answers that stand on lines of their own too.
    3. Answers that stand on a line of their own, if the first or the last line is one, and an answer
       with which the reply begins ("Agree. This person …"). All must agree.
       In 2, True or False is an answer if a mark at the beginning of a line has nothing else behind it
       ("Final answer: True"), in 3 if it is all of the last line. Yes and no are none.
    4. The reply, if it is one complete sentence of at most 200 characters ("They would disagree.").
    5. The last sentence of the reply, if it is complete and draws a conclusion ("Therefore, …",
       "Based on this, …", "I predict …").

    No answers are: both stances in one statement ("agree or disagree"), a negated stance ("would not
    agree"), one in doubt ("might agree", "whether they agree"), one taken back in what follows it
    ("agree. Wait, actually …"), and anything in thinking that was cut off (`reply.read_reply`). In a
    reply of more than 20,000 characters only the end is read, and only 1 to 3 and a last line count.

    Never raises on any text. Exchanging the words "agree" and "disagree", "true" and "false", and "yes"
    and "no" exchanges True and False.
    """
    reply = read_reply(text)
    if reply is None:
        return None
    fields = _prediction_fields(reply.text)
    if fields:
        return _of_fields(fields)
    marked = _marked(reply.text)
    if marked:
        return _of_marked(marked, reply.text)
    return _unmarked(reply)


def _prediction_fields(text: str) -> list[str]:
    """The contents of the prediction fields that come before the end of the model's turn."""
    markers = list(_MARKER.finditer(text))
    ends = [*(marker.start() for marker in markers), len(text)][1:]
    found: list[str] = []
    for marker, end in zip(markers, ends, strict=True):
        name = (marker["name"] or marker["heading"] or "").lower()
        if name == "completed" and found:
            break
        if name == "prediction":
            found.append(text[marker.end() : end].strip())
    return found


def _of_fields(fields: list[str]) -> bool | None:
    if not names_answer(fields[-1]):
        return None
    # A field that names no answer is a mention of the marker in the reasoning.
    return _sole(read_field(field) for field in fields if names_answer(field))


def _marked(text: str) -> list[tuple[int, str]]:
    """Start and text, to the end of the line, of each marked phrase that may be an answer."""
    phrases = []
    for mark in find_marks(text):
        phrase = text[mark.start :].split("\n", 1)[0]
        # "Answer: yes" is an answer, though none that was asked for; "the answer is clear" is none.
        if mark.opens_line or _STANCE.search(phrase):
            phrases.append((mark.start, phrase))
    return phrases


def _of_marked(marked: list[tuple[int, str]], text: str) -> bool | None:
    start, last = marked[-1]
    rest = text[start + len(last) :]
    if _is_bool(last) and _asks(text[:start]):
        return None
    if not rest.strip(CLOSING) and (_is_bool(last) or _ALONE.fullmatch(last)):
        return _alone(last)
    if retracted(rest):
        return None
    return _sole([*(_statement(phrase) for _, phrase in marked), *_own_lines(text)])


def _asks(before: str) -> bool:
    """Whether the line before the one in which `before` ends asks for another answer."""
    return _ASKS.search("\n".join(before.split("\n")[-2:-1])) is not None


def _unmarked(reply: Reply) -> bool | None:
    first, *others = lines = reply.text.split("\n")
    own = _own_lines(reply.text)
    ends = _is_bool(lines[-1]) or _ALONE.fullmatch(lines[-1]) is not None
    begins = not reply.cut and _LEADING.match(first) is not None
    if begins or ends or _ALONE.fullmatch(first):
        if retracted(reply.text):
            return None
        return _sole([*own, *([_statement(first)] if begins else [])])
    if own or reply.cut:
        return None
    *before, last = [part for part in _SENTENCE_END.split(reply.text) if part]
    if not before and not others and len(last) <= _SHORT and _COMPLETE.search(last):
        return _stance(last)
    if last.endswith((".", "!")) and _CONCLUSION.match(last):
        return _stance(last)
    return None


def _own_lines(text: str) -> list[bool | None]:
    """The answers that stand on lines of their own; None for one that may be the end of a sentence."""
    lines = text.split("\n")
    return [
        None if _goes_on(before, line) else _alone(line)
        for before, line in zip(["", *lines], lines, strict=False)
        if _is_bool(line) or _ALONE.fullmatch(line)
    ]


def _goes_on(before: str, line: str) -> bool:
    """Whether an answer on a line of its own may belong to the line before."""
    if not _is_bool(line):
        return _GOES_ON.search(before) is not None
    is_answer = _is_bool(before) or _ALONE.fullmatch(before) is not None
    if is_answer or not before:
        return False
    return not _CLOSED.search(before) or any(one.search(before) for one in (_GOES_ON, _ASKS))


def _is_bool(text: str) -> bool:
    return _BOOL.fullmatch(text) is not None


def _alone(text: str) -> bool | None:
    """The answer of a text that is nothing but an answer."""
    found = _BOOL.fullmatch(text)
    return found["true"] is not None if found else _stance(text)


def _statement(text: str) -> bool | None:
    """The stance of the first statement in `text` that names one; None when the rest disputes it."""
    if _is_bool(text):
        return _alone(text)
    begin = 0
    for end in [*(found.end() for found in _STATEMENT_END.finditer(text)), len(text)]:
        statement = text[begin:end]
        if _STANCE.search(statement):
            rest = text[end:]
            if retracted(rest):
                return None
            return _sole([_stance(statement), *_own_lines(rest)])
        begin = end
    return None


def _stance(text: str) -> bool | None:
    """The one stance that `text` takes; None for none, two, a negated or a doubtful one."""
    found = list(_STANCE.finditer(text))
    if not found or _CONDITION.search(text) or _DOUBT.search(text, 0, found[-1].start()):
        return None
    if any(negated(text, one.start()) for one in found):
        return None
    return _sole(one["no"] is None for one in found)


def _sole(values: Iterable[bool | None]) -> bool | None:
    """The one value that all share; an unclear one (None) spoils them all."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None
