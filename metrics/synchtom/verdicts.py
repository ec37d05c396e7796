"""Reading the verdicts of a judge, strictly: a reply that leaves any doubt is a failed judgement."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from otherminds.metrics.errors import EmptyInput, MetricError
from otherminds.metrics.lenient_json import LenientDecoder
from otherminds.metrics.reply import without_reasoning

LONGEST = 200_000
"""Of longer replies, only this many characters at the end are read."""

# Characters of text that may be read in vain, in all attempts together: bounds the time for replies made
# of thousands of beginnings of objects that never end.
_BUDGET = 2_000_000
_TOO_DEEP = 100_000

_START = re.compile(r'\{\s*"|^[ \t]*\[', re.MULTILINE)
# How a judge's reply begins, in either form of the rules.
_REPLY = re.compile(r'\{\s*"(?:audit|analysis)"')
# A judge that judges anew says so.
_WITHDRAWN = re.compile(
    r"\b(?:withdraw|take\s(?:it|that|this)\sback|correct(?:ion|ed|ing)|revis(?:e|ed|ion)|reconsider"
    r"|second\s(?:reading|thought|look)|on\sreflection|scratch\sthat|mistaken?|instead"
    r"|too\s(?:generous|lenient|harsh|strict)|wait|actually)",
    re.IGNORECASE,
)
# What may follow a judge's verdicts: the end of a fence, and tokens that end a turn.
_ENDING = re.compile(r"(?:\s|`|<\|[^|<>\n]{1,30}\|>|</s>)*")

Verdicts = Mapping[str, tuple[int, ...]]
"""By dimension, 0 or 1 for each criterion in the order of the rubric."""


class Failure(StrEnum):
    """Why a reply has no verdicts.

    NO_REPLY       nothing was said
    CUT_OFF        the reply ends within its reasoning, its analysis or its verdicts
    NO_JSON        no JSON that has verdicts on any of the dimensions
    BROKEN_JSON    an object of verdicts that is not JSON, inside which others may be quoted;
                   or more broken beginnings of objects than are looked at
    CONTRADICTION  verdicts in several places that differ, or a key twice in one object
    NO_AUDIT       verdicts without the word that marks them as the judge's own
    MORE_TEXT      text after the judge's own verdicts: they may have been written, and ended, by a
                   quotation from the answer, which the rest of the reply goes on from
    NO_DIMENSION   a dimension without a list of verdicts
    WRONG_COUNT    fewer or more verdicts than criteria
    BAD_CRITERION  criteria numbered otherwise than each from 1 to their number once
    BAD_VERDICT    a verdict that is not the number 0 or 1
    """

    NO_REPLY = "no_reply"
    CUT_OFF = "cut_off"
    NO_JSON = "no_json"
    BROKEN_JSON = "broken_json"
    CONTRADICTION = "contradiction"
    NO_AUDIT = "no_audit"
    MORE_TEXT = "more_text"
    NO_DIMENSION = "no_dimension"
    WRONG_COUNT = "wrong_count"
    BAD_CRITERION = "bad_criterion"
    BAD_VERDICT = "bad_verdict"


class _UnreadableError(Exception):
    """Part of a reply makes the whole of it unreadable."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def read_verdicts(
    reply: str | None, criteria: Mapping[str, int], *, audit: str | None = None
) -> Verdicts | Failure:
    """The verdicts in a judge's `reply`, or why there are none.

    criteria  number of criteria of each dimension that was judged
    audit     a word that was shown to the judge and that the answer does not contain. Only objects with
              it under the key "audit" count: verdicts that an answer brings along cannot have it.
              Nothing may follow the last of these objects

    The reply must hold one JSON object with a list for each dimension,
    {"correct_resolution": [{"criterion": 1, "reason": "…", "verdict": 0}, …], …}; for a single dimension
    a list that begins a line will do. Fences, prose around it (with `audit`, before it), further keys
    such as "analysis" and reasoning in `<think>` are passed over, with whatever scores they hold. Either
    all entries have a "criterion", and then their order does not matter, or none has, and then they are
    in order. Line breaks in texts and commas before a closing bracket do not matter.

    A verdict is the JSON number 0 or 1, as the prompt asks. `true`, "yes", "1" and 1.0 are refused
    although one could guess what they mean: a judge that does not keep to the scale may be using another
    one, on which 2 is possible, and then its 1 means less. One wrong list fails the whole reply, since
    its verdicts may have slipped from one dimension to the next. Verdicts in two places that differ
    fail, unless both have the word of `audit` and the text between them takes the first back: then the
    last count. So does an object of verdicts that is broken: an answer under judgement may hold verdicts
    of its own, which the judge repeats.

    Time is bounded for replies of any length. Raises EmptyInput without criteria, MetricError for a
    dimension with none.
    """
    if not criteria:
        raise EmptyInput("No criteria: say what was judged.")
    if min(criteria.values()) < 1:
        raise MetricError(f"A dimension without criteria cannot be judged: {dict(criteria)}.")
    visible = without_reasoning(reply or "")
    if visible is None:
        return Failure.CUT_OFF
    if not visible.strip():
        return Failure.NO_REPLY
    text = visible[-LONGEST:]
    try:
        candidates = list(_candidates(text, criteria, audit))
    except _UnreadableError as error:
        return error.failure
    own = [one for one in candidates if audit is None or one[0].get("audit") == audit]
    if not own:
        return Failure.NO_AUDIT if candidates else Failure.NO_JSON
    if audit is not None and not _ENDING.fullmatch(text, own[-1][1]):
        return Failure.MORE_TEXT
    if audit is not None and len(own) > 1:
        # The judge's words after its last but one verdicts; what stands in an object may be a quotation.
        between = text[own[-2][1] : text.find("{", own[-2][1])]
        own = own[-1:] if _WITHDRAWN.search(between) else own
    found = [_verdicts(lists, criteria) for lists, _ in own]
    return found[0] if all(one == found[0] for one in found) else Failure.CONTRADICTION


def _candidates(
    text: str, criteria: Mapping[str, int], audit: str | None
) -> Iterator[tuple[Mapping[str, Any], int]]:
    """What `text` holds on any of the dimensions, by dimension, and where each of these ends."""
    names = "|".join(map(re.escape, criteria))
    # What must not stand in a broken object: verdicts, or the word that says that they are the judge's.
    telling = f'"(?:{names})"' if audit is None else rf'"audit"\s*:\s*"{re.escape(audit)}"'
    for value, end in _values(text, re.compile(telling)):
        if isinstance(value, list) and len(criteria) == 1:
            yield dict.fromkeys(criteria, value), end
        elif isinstance(value, dict) and not criteria.keys().isdisjoint(value):
            yield value, end


def _values(text: str, telling: re.Pattern[str]) -> Iterator[tuple[Any, int]]:
    """The outermost JSON objects in `text`, the lists that begin a line, and where each ends."""
    decoder = LenientDecoder(_once)
    end, budget = 0, _BUDGET
    for start in _START.finditer(text):
        if start.start() < end:
            continue
        position = start.end() - 1 if start[0].endswith("[") else start.start()
        try:
            value, end = decoder.decode(text, position)
        except (ValueError, RecursionError) as error:
            # Else a number of thousands of digits, or lists within lists without end.
            known = error.pos if isinstance(error, json.JSONDecodeError) else None
            broken = position + _TOO_DEEP if known is None else known
            budget -= broken - position + 1
            is_told = telling.search(text, position, broken) is not None
            if (is_told or _REPLY.match(text, position)) and _is_cut_off(error, text):
                raise _UnreadableError(Failure.CUT_OFF) from error
            if budget < 0 or is_told:
                raise _UnreadableError(Failure.BROKEN_JSON) from error
        else:
            yield value, end


def _is_cut_off(error: Exception, text: str) -> bool:
    """Whether an object is not JSON because the text ends before it does."""
    return isinstance(error, json.JSONDecodeError) and (
        error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip())
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # The parser would silently take the last.
        raise _UnreadableError(Failure.CONTRADICTION)
    return found


def _verdicts(lists: Mapping[str, Any], criteria: Mapping[str, int]) -> Verdicts | Failure:
    found: dict[str, tuple[int, ...]] = {}
    for dimension, count in criteria.items():
        entries = lists.get(dimension)
        if not isinstance(entries, list):
            return Failure.NO_DIMENSION
        if len(entries) != count:
            return Failure.WRONG_COUNT
        read = _of_entries(entries)
        if isinstance(read, Failure):
            return read
        found[dimension] = read
    return found


def _of_entries(entries: list[Any]) -> tuple[int, ...] | Failure:
    verdicts: list[int] = []
    for entry in entries:
        verdict = entry.get("verdict") if isinstance(entry, dict) else None
        # A bool is an int, and 1.0 == 1: the type decides.
        if type(verdict) is not int or verdict not in (0, 1):
            return Failure.BAD_VERDICT
        verdicts.append(verdict)
    if not any("criterion" in entry for entry in entries):
        return tuple(verdicts)
    numbers = [entry.get("criterion") for entry in entries]
    if any(type(number) is not int for number in numbers):
        return Failure.BAD_CRITERION
    if sorted(numbers) != list(range(1, len(entries) + 1)):
        return Failure.BAD_CRITERION
    by_number = dict(zip(numbers, verdicts, strict=True))
    return tuple(by_number[number] for number in sorted(by_number))
