"""Quality control (paper, §O, §H, §C): who is kept, who is not, and for which reason.

The reasons apply in this order, and each interview gets the first: repeats itself, challenges the
questions, too short, too few concepts. All measured values are kept, whatever the reason, and the count
of kept interviews is given for every threshold one step lower and higher.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from statistics import median
from typing import Any, Final

from otherminds.interview.database import needed

REASONS: Final = ("redundant", "meta_level", "too_short", "sparse_graph")
"""Why an interview is not kept, in the order in which this is asked."""

BEFORE: Final = (
    *("repeated_id", "consent_missing", "attention_check", "incomplete_questionnaire"),
    "id_mismatch",
)
"""Why a person is left out whatever they said; asked before those, of people who came over the pages."""

KEPT: Final = "kept"
UNFINISHED: Final = "unfinished"

_WORD: Final = re.compile(r"\w+(?:['’\-]\w+)*")
_CHALLENGE: Final = re.compile(
    r"\b(?:(?:this|that|the|your) question (?:makes|made) no sense"
    r"|(?:this|that|it|the question|your question) (?:does|did)(?:n['’]t| not) make (?:any )?sense"
    r"|what (?:kind of|sort of) (?:a )?question"
    r"|(?:stupid|silly|pointless|nonsensical|weird|ridiculous) question"
    r"|(?:you|i) (?:already|just|have already) (?:asked|answered|said|told you)"
    r"|i (?:do not|don['’]t) understand (?:the|this|your|that) question"
    r"|(?:are you|is this) (?:a )?(?:bot|robot|broken|machine))\b",
    re.IGNORECASE,
)
"""Words that challenge the question or the interview."""


@dataclass(frozen=True)
class Thresholds:
    """When an interview is not kept.

    similar         edit similarity from which an answer repeats an earlier one
    repeated_words  words that such an answer must have
    redundant       share of answers that repeat, above which the interview is redundant
    meta_level      share of answers that challenge the question, from which it is dominated by that
    turns           least number of answers
    median_words    least median of words per answer
    words           least number of words in all
    nodes           least number of concepts (the stance is none), fixed by the paper
    """

    similar: float = 0.9
    repeated_words: int = 4
    redundant: float = 0.3
    meta_level: float = 0.4
    turns: int = 8
    median_words: float = 5
    words: int = 120
    nodes: int = 5


STEPS: Final[Mapping[str, float]] = {
    "similar": 0.05,
    "repeated_words": 1,
    "redundant": 0.1,
    "meta_level": 0.1,
    "turns": 1,
    "median_words": 1,
    "words": 20,
    "nodes": 1,
}
"""One step of each threshold."""


@dataclass(frozen=True)
class Answers:
    """What quality control reads of an interview.

    answers     its answers in order, without the tutorial
    challenges  for each, whether whoever read it says that it challenges the question
    nodes       concepts in the graph, without the stance
    is_over     whether its questions are over
    left_out    one of `BEFORE`, where the person is left out for it
    """

    session_id: str
    participant_id: str
    topic: str
    answers: Sequence[str]
    challenges: Sequence[bool]
    nodes: int
    is_over: bool = True
    left_out: str | None = None


@dataclass(frozen=True)
class Measured:
    """The values of one interview, and the verdict."""

    session_id: str
    participant_id: str
    topic: str
    verdict: str
    redundant: float
    meta_level: float
    turns: int
    median_words: float
    words: int
    nodes: int


def check(
    interviews: Iterable[Answers], thresholds: Thresholds | None = None
) -> tuple[list[Measured], list[dict[str, Any]]]:
    """The values and verdicts of interviews, and how many are kept at one step of each threshold.

    Rows of the second table: threshold, value, kept there, and the change.
    """
    at = thresholds or Thresholds()
    steps = [(name, value) for name in STEPS for value in _beside(at, name)]
    kept: Counter[tuple[str, float]] = Counter()
    found = []
    for one in interviews:
        values = _Values(one)
        found.append(values.measured(at))
        for name, value in steps:
            step: dict[str, Any] = {name: value}
            verdict = values.verdict(replace(at, **step))
            kept[name, value] += verdict == KEPT
    now = sum(one.verdict == KEPT for one in found)
    table = [
        {
            "threshold": name,
            "now": getattr(at, name),
            "value": value,
            "kept": kept[name, value],
            "change": kept[name, value] - now,
        }
        for name, value in steps
    ]
    return found, table


def funnel(measured: Sequence[Measured]) -> list[tuple[str, int]]:
    """How many interviews there are, are left out for each reason, and are kept; in order."""
    counts = Counter(one.verdict for one in measured)
    stages = [("begun", len(measured)), *((name, counts[name]) for name in BEFORE if counts[name])]
    stages.append((UNFINISHED, counts[UNFINISHED]))
    return [*stages, *((name, counts[name]) for name in REASONS), (KEPT, counts[KEPT])]


def as_row(one: Measured) -> dict[str, Any]:
    """A row of a table."""
    return asdict(one)


def columns() -> list[str]:
    """The columns of such a table."""
    return [one.name for one in fields(Measured)]


def is_challenge(answer: str) -> bool:
    """Whether the words of an answer challenge the question, by a lexical rule."""
    return _CHALLENGE.search(answer) is not None


def _beside(at: Thresholds, name: str) -> list[float]:
    value, step = getattr(at, name), STEPS[name]
    whole = isinstance(value, int)
    near = [round(value - step, 10), round(value + step, 10)]
    return [int(one) if whole else one for one in near if one >= 0]


class _Values:
    """What is measured of one interview, once for all thresholds."""

    def __init__(self, given: Answers) -> None:
        self._given = given
        words = [_WORD.findall(answer.casefold()) for answer in given.answers]
        self._lengths = [len(one) for one in words]
        challenges = [
            flag or is_challenge(answer)
            for flag, answer in zip(given.challenges, given.answers, strict=True)
        ]
        self._meta = sum(challenges) / len(challenges) if challenges else 0.0
        # An answer counts where any value of `similar` that is looked at could find it.
        self._nearest = _nearest([" ".join(one) for one in words])

    def redundant(self, at: Thresholds) -> float:
        count = sum(
            near >= at.similar and length >= at.repeated_words
            for near, length in zip(self._nearest, self._lengths, strict=True)
        )
        return count / len(self._lengths) if self._lengths else 0.0

    def verdict(self, at: Thresholds) -> str:
        given = self._given
        if given.left_out is not None:
            return given.left_out
        if not given.is_over:
            return UNFINISHED
        if self.redundant(at) > at.redundant:
            return "redundant"
        if self._meta >= at.meta_level:
            return "meta_level"
        if (
            len(self._lengths) < at.turns
            or _median(self._lengths) < at.median_words
            or sum(self._lengths) < at.words
        ):
            return "too_short"
        return "sparse_graph" if given.nodes < at.nodes else KEPT

    def measured(self, at: Thresholds) -> Measured:
        return Measured(
            session_id=self._given.session_id,
            participant_id=self._given.participant_id,
            topic=self._given.topic,
            verdict=self.verdict(at),
            redundant=round(self.redundant(at), 4),
            meta_level=round(self._meta, 4),
            turns=len(self._lengths),
            median_words=_median(self._lengths),
            words=sum(self._lengths),
            nodes=self._given.nodes,
        )


def _median(lengths: Sequence[int]) -> float:
    return float(median(lengths)) if lengths else 0.0


_FLOOR = 0.8
"""Similarities below it are no repetition under any threshold that is looked at."""


def _nearest(texts: Sequence[str]) -> list[float]:
    """For each text, the greatest similarity to an earlier one; 0 where that is below `_FLOOR`.

    Similarity is 1 - d / n, of the Levenshtein distance d and the longer text's length n.
    """
    needed("rapidfuzz")
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import extractOne

    found = [0.0] if texts else []
    for place, text in enumerate(texts[1:], start=1):
        best = extractOne(
            text, texts[:place], scorer=Levenshtein.normalized_similarity, score_cutoff=_FLOOR
        )
        found.append(best[1] if best else 0.0)
    return found
