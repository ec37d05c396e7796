"""Students that know the frame: they read its variables line by line, and look the answer up."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from otherminds.students.siblings import Offered
from otherminds.students.view import Clue, Clues, Item, Place
from otherminds.students.vocabulary import Words
from otherminds.types import FloatArray

_LEAST_LINES = 8
_MOST_LINES = 40_000
_LEAST_ODDS = 1e-3
_LOOSE = 30.0
_YES, _NO = "yes", "no"


class FrameReader:
    """Reads the frame's variables from lines, and takes the option whose claims are likeliest.

    For each variable, logistic regression on word n-grams tells from one line which value the line
    shows, if any. A value's log-odds are summed over the lines of a slot, and an option's over its
    claims. With `offered`, the log-odds of what siblings offer are added.
    """

    def __init__(self, places: Collection[Place], *, offered: bool = False) -> None:
        self._places = places
        self._offered = Offered() if offered else None

    def fit(self, items: Sequence[Item], clues: Clues) -> None:
        """Learn from the lines of these groups, whose values are known."""
        of_variable: defaultdict[str, list[Clue]] = defaultdict(list)
        for clue in self._lines(clues):
            if clue.value is not None:
                of_variable[clue.variable].append(clue)
        self._readers = {name: _Reader(lines) for name, lines in of_variable.items()}
        if self._offered is not None:
            self._offered.fit(items)

    def scores(self, items: Sequence[Item], clues: Clues) -> list[FloatArray]:
        """Log-odds of each option."""
        odds = {
            group: self._odds(self._lines({group: clues.get(group, ())}))
            for group in dict.fromkeys(item.group for item in items)
        }
        found = [_claimed(item, odds[item.group]) for item in items]
        if self._offered is None:
            return found
        offered = self._offered.scores(items)
        return [one + other for one, other in zip(found, offered, strict=True)]

    def _lines(self, clues: Clues) -> Iterable[Clue]:
        return (clue for some in clues.values() for clue in some if clue.place in self._places)

    def _odds(self, clues: Iterable[Clue]) -> dict[str, dict[str, float]]:
        """The log-odds of each value of each slot of a group, against what is usual."""
        of_variable: defaultdict[str, list[Clue]] = defaultdict(list)
        for clue in clues:
            of_variable[clue.variable].append(clue)
        found: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        for name, lines in of_variable.items():
            reader = self._readers.get(name)
            if reader is None:
                continue
            for clue, odds in zip(lines, reader.odds(lines), strict=True):
                if clue.candidate is not None:
                    found[clue.slot][clue.candidate] += odds.get(_YES, 0.0) - odds.get(_NO, 0.0)
                else:
                    for value, amount in odds.items():
                        found[clue.slot][value] += amount
        return {slot: dict(values) for slot, values in found.items()}


def _claimed(item: Item, odds: Mapping[str, Mapping[str, float]]) -> FloatArray:
    """For each option, the summed log-odds of its claims; a value that was never seen has the lowest."""
    found = np.zeros(len(item.options))
    for place, claims in enumerate(item.claims):
        for slot, value in claims.items():
            known = odds.get(slot)
            if known:
                found[place] += known.get(value, min(known.values()))
    return found


class _Reader:
    """Tells from a line which value a slot has, or that the line says nothing of it."""

    def __init__(self, clues: Sequence[Clue]) -> None:
        from sklearn.linear_model import LogisticRegression

        # Evenly over all groups, where there are more than can be learned from in time.
        step = -(-len(clues) // _MOST_LINES)
        clues = clues[::step]
        labels = [_label(clue) for clue in clues]
        self._model: Any = None
        if len(clues) < _LEAST_LINES or len(set(labels)) < 2:
            return
        self._words = Words(words=3, least=2).fit(clue.text for clue in clues)
        features = self._words([clue.text for clue in clues])
        if not features.shape[1]:
            return
        self._model = LogisticRegression(C=_LOOSE, max_iter=1_000).fit(features, labels)
        counts = Counter(label for label in labels if label)
        self._usual = {value: count / counts.total() for value, count in counts.items()}

    def odds(self, clues: Sequence[Clue]) -> list[dict[str, float]]:
        """For each line, by value v: log( p(v | line) / p(v) + p(nothing | line) ).

        It is the logarithm of how much likelier the line makes the value: 0 for a line that says
        nothing.
        """
        if self._model is None:
            return [{} for _ in clues]
        found = self._model.predict_proba(self._words([clue.text for clue in clues]))
        column = {str(value): place for place, value in enumerate(self._model.classes_)}
        nothing = found[:, column[""]] if "" in column else np.zeros(len(clues))
        odds = {
            value: np.log(np.maximum(found[:, column[value]] / usual + nothing, _LEAST_ODDS))
            for value, usual in self._usual.items()
        }
        return [{value: float(one[n]) for value, one in odds.items()} for n in range(len(clues))]


def _label(clue: Clue) -> str:
    if clue.candidate is None or not clue.value:
        return str(clue.value)
    return _YES if clue.value == clue.candidate else _NO
