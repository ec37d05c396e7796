"""Floors: random, one constant answer, majority, and no change."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import ClassVar

from otherminds.benchmark import person_of
from otherminds.tasks.trust_game.weightless import random_reply
from otherminds.weightless.questions import (
    Doc,
    Untaught,
    answer_space,
    answers_of,
    draw,
    gold_index,
    has_two_answers,
    kinds,
)


class Random(Untaught):
    """Uniform over the answer space; each document and repeat has its own seeded draw."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, doc: Doc, run: int) -> int:
        """A uniform draw that depends on seed, item and run alone."""
        return draw(self._seed, doc, run, "choice") % len(answer_space(doc))

    def write(self, doc: Doc, run: int) -> str:
        """An amount or a ranking drawn uniformly; nothing where another kind of text is asked for."""
        return random_reply(doc, run, self._seed) or ""


class Constant(Untaught):
    """The first answer of the answer space, whatever is asked: A of letters, the low end of a scale.

    On HugAgent this is the paper's "Global Majority" (A, and 1). It learns nothing from anybody; the
    answer that most people gave to each question is `majority`, which scores more.
    """

    def choose(self, doc: Doc, run: int) -> int:
        """Always 0."""
        return 0


class Majority:
    """The most frequent gold answer that *other* people gave to the same kind of question.

    The kind is the question id (for BSI, which has none, the topic); where no other person answered
    it, the topic, task and scale (or the category). A tie goes to the lowest index. Two answers also
    count as tied, where a person gave several of this kind, unless one leads by more than chance
    would give: where the letters are balanced, whatever a person adds to one side is missing on the
    other people's, and the mode of these would be right less often than a coin. With no other people
    at all the answer is the middle of the space.
    """

    learns: ClassVar[bool] = True

    def __init__(self) -> None:
        self._counts: dict[Hashable, Counter[int]] = defaultdict(Counter)

    def fit(self, docs: Iterable[Doc]) -> None:
        """Count answers by kind of question, and by kind and person; those shown of people too."""
        for person, asked in answers_of(docs):
            for kind in kinds(asked):
                self._counts[kind][gold_index(asked)] += 1
                self._counts[kind, person][gold_index(asked)] += 1

    def choose(self, doc: Doc, run: int) -> int:
        """The mode among other people's answers to this kind of question."""
        return self._mode(doc, person_of(doc))

    def _mode(self, doc: Doc, participant: str) -> int:
        for kind in kinds(doc):
            own = self._counts[kind, participant]
            others = self._counts[kind] - own
            if others and has_two_answers(doc) and own.total() > 1 and _is_balanced(others):
                return 0
            if others:
                return min(others, key=lambda index: (-others[index], index))
        return (len(answer_space(doc)) - 1) // 2


class Persistence(Majority):
    """No change: a scenario is answered as the topic's baseline is, which is the majority's answer.

    Never sees a gold answer of the person. Other questions get the majority's answer.
    """

    def __init__(self) -> None:
        super().__init__()
        self._baselines: dict[str, Doc] = {}

    def fit(self, docs: Iterable[Doc]) -> None:
        """Learn the majority, and each topic's baseline: its opinion question of lowest id."""
        seen = list(docs)
        super().fit(seen)
        opinions = [doc for doc in seen if doc.get("question_type") == "opinion"]
        for doc in sorted(opinions, key=lambda doc: _question_order(doc["question_id"])):
            self._baselines.setdefault(doc["topic"], doc)

    def choose(self, doc: Doc, run: int) -> int:
        """The majority's answer, to the baseline when the question is an opinion."""
        asked = self._baselines[doc["topic"]] if doc.get("question_type") == "opinion" else doc
        return self._mode(asked, person_of(doc))


def _is_balanced(counts: Counter[int]) -> bool:
    """Whether the lead of the first of two answers is within two standard errors of none."""
    lead = abs(counts[0] - counts[1])
    return lead <= 2 * math.sqrt(counts.total())


def _question_order(question_id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in question_id.split("."))
