"""Baselines that learn from other people's beliefs: neighbours, and logistic regression."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherminds.tasks.debate.questions import QUESTIONS
from otherminds.types import Doc, FloatArray
from otherminds.weightless import ridge as demographic
from otherminds.weightless.questions import Asked, known_answers
from otherminds.weightless.strategies import Majority

# Answers by all others that are added to those by the neighbours, so that few neighbours do not decide.
_PRIOR = 5.0

_FOLDS = 5


class Neighbours(Majority):
    """What the other people say who agree most with the beliefs that a document shows.

    Everybody else who answered the proposition votes with a weight: the k people nearest to the
    person, by cosine over the propositions that the document shows of the person (agreement +1,
    disagreement -1), vote with their similarity; all of them together count as 5 votes more. Without
    known beliefs it is the majority. For debate beliefs.

    k  how many neighbours vote, and whoever is as near as the last of them
    """

    def __init__(self, k: int = 100) -> None:
        super().__init__()
        if not isinstance(k, int) or k < 1:
            raise ValueError(f"{k} neighbours: give a whole number from 1.")
        self._k = k
        self._people: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._by_person: Any = None
        self._by_proposition: Any = None
        self._norms: FloatArray = np.zeros(0)
        self._known: dict[tuple[tuple[str, bool], ...], FloatArray] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Collect everybody's stances in one sparse matrix, people by propositions."""
        from scipy.sparse import csr_array

        seen = list(asked)
        super().fit(seen)
        stances = {
            (person, one.doc["proposition"]): QUESTIONS.number(one.doc)
            for person, one in known_answers(_own(seen))
        }
        # Sorted, so that no tie among neighbours depends on the order of the documents.
        self._people = _places(person for person, _ in stances)
        self._columns = _places(proposition for _, proposition in stances)
        rows = [self._people[person] for person, _ in stances]
        columns = [self._columns[proposition] for _, proposition in stances]
        shape = (len(self._people), len(self._columns))
        self._by_person = csr_array((list(stances.values()), (rows, columns)), shape=shape)
        self._by_proposition = self._by_person.tocsc()
        self._norms = np.sqrt(np.maximum((self._by_person**2).sum(axis=1), 1.0))

    def choose(self, asked: Asked, run: int) -> int:
        """The weighted vote of the neighbours, or the majority where nothing is known."""
        if asked.questions is not QUESTIONS:
            return super().choose(asked, run)
        doc = asked.doc
        column = self._columns.get(doc["proposition"])
        if column is None or not doc["known_beliefs"]:
            return super().choose(asked, run)
        start, end = self._by_proposition.indptr[column : column + 2]
        voters = self._by_proposition.indices[start:end]
        stances = self._by_proposition.data[start:end]
        others = voters != self._people.get(asked.person, -1)
        voters, stances = voters[others], stances[others]
        if not len(voters):
            return super().choose(asked, run)
        similarity = self._similarity(doc)[voters]
        # All that are as near as the k-th: no choice among equals, and no sorting.
        cut = max(len(similarity) - self._k, 0)
        nearest = similarity >= np.partition(similarity, cut)[cut]
        weights = np.maximum(similarity[nearest], 0.0)
        vote = float(weights @ stances[nearest]) + _PRIOR * float(stances.mean())
        return 0 if vote >= 0 else 1

    def _similarity(self, doc: Doc) -> FloatArray:
        """Cosine between the shown stances of the person and everybody's stances."""
        # Not only the person: the evidence on one may differ from item to item.
        key = tuple((one["proposition"], one["agrees"]) for one in doc["known_beliefs"])
        if key not in self._known:
            shown = np.zeros(len(self._columns))
            for one in doc["known_beliefs"]:
                place = self._columns.get(one["proposition"])
                if place is not None:
                    shown[place] = 1.0 if one["agrees"] else -1.0
            norm = max(float(np.sqrt(np.abs(shown).sum())), 1.0)
            # Documents come person by person: the last one is all that is needed again.
            self._known = {key: self._by_person @ shown / (self._norms * norm)}
        return self._known[key]


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(sorted(set(names)))}


class DemographicLogistic(Majority):
    """Logistic regression from demographics on other people's answers to the same proposition.

    One regression for each proposition, fitted on the stances of the people outside the person's fold
    of five. Where fewer than `least` people with demographics answered, or nothing is shown of the
    person, it is the majority. For debate beliefs.

    C      the inverse strength of the L2 penalty
    least  the fewest answers to fit a regression on, at least 5
    """

    def __init__(self, C: float = 1.0, least: int = 50) -> None:  # noqa: N803  (scikit-learn's name)
        super().__init__()
        if not (math.isfinite(C) and C > 0):
            raise ValueError(f"C must be a positive number, not {C}.")
        if not isinstance(least, int) or least < _FOLDS:
            raise ValueError(f"least must be a whole number from {_FOLDS}, not {least}.")
        self._c, self._least = C, least
        self._chosen: dict[tuple[str, str], int] = {}

    def fit(self, asked: Iterable[Asked]) -> None:
        """Predict every proposition for every person from the people outside the person's fold."""
        seen = list(asked)
        super().fit(seen)
        own = _own(seen)
        backgrounds = {one.person: facts for one in own if (facts := QUESTIONS.facts(one.doc))}
        answers: dict[str, dict[str, bool]] = defaultdict(dict)
        for person, one in known_answers(own):
            if person in backgrounds:
                answers[one.doc["proposition"]][person] = one.doc["agrees"]
        people = sorted(backgrounds)
        matrix = demographic.design([backgrounds[person] for person in people])
        rows = {person: matrix[place] for place, person in enumerate(people)}
        for proposition, by_person in sorted(answers.items()):
            if len(by_person) >= self._least:
                self._fit_one(proposition, by_person, rows)

    def choose(self, asked: Asked, run: int) -> int:
        """The more likely stance, or the majority's."""
        if asked.questions is not QUESTIONS or not asked.doc["background"]:
            return super().choose(asked, run)
        known = self._chosen.get((asked.person, asked.doc["proposition"]))
        return super().choose(asked, run) if known is None else known

    def _fit_one(
        self,
        proposition: str,
        by_person: Mapping[str, bool],
        rows: Mapping[str, NDArray[np.float64]],
    ) -> None:
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import KFold
        from threadpoolctl import threadpool_limits

        people = sorted(by_person)
        x = np.stack([rows[person] for person in people])
        y = np.array([by_person[person] for person in people])
        # People are sorted by ids that say nothing of them; the shuffle guards against ids that do.
        for learn, predict in KFold(_FOLDS, shuffle=True, random_state=0).split(x):
            if y[learn].all() or not y[learn].any():
                agrees = np.full(len(predict), y[learn[0]])
            else:
                # So small a problem takes five times as long on several threads.
                with threadpool_limits(1):
                    model = LogisticRegression(C=self._c, max_iter=500).fit(x[learn], y[learn])
                agrees = model.predict(x[predict])
            for place, stance in zip(predict, agrees, strict=True):
                self._chosen[people[place], proposition] = 0 if stance else 1


def _own(asked: Iterable[Asked]) -> list[Asked]:
    return [one for one in asked if one.questions is QUESTIONS]
