"""Students that see texts: which words go with which right answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from otherminds.students import answers
from otherminds.students.halves import order
from otherminds.students.siblings import Shared
from otherminds.students.view import Item
from otherminds.students.vocabulary import Words, most_like
from otherminds.types import FloatArray, IntArray

Shown: TypeAlias = Callable[[Sequence[Item]], list[str]]
"""What a student sees of each item besides question and options; all items of a group are there."""

_LEAST_ITEMS = 100
_SMOOTHED = 1.0
_FIRM = 0.1
_HELD_OUT = 4
_MOST_WORDS = 4_000
_MOST_SEEN = 20_000
_ROWS = 2_000


class Student(Protocol):
    """Learns from some items, and answers others."""

    def fit(self, items: Sequence[Item]) -> None:
        """Learn from items with their gold answers."""

    def scores(self, items: Sequence[Item]) -> list[FloatArray]:
        """For each item, log-odds or their like for each option."""


class Majority:
    """The most frequent right answer to the same question with the same options.

    Else that to questions of the same kind with these options.
    """

    def fit(self, items: Sequence[Item]) -> None:
        """Count the right answers."""
        self._asked: defaultdict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
        for item in items:
            for key in _keys(item):
                self._asked[key][item.options[item.gold]] += 1

    def scores(self, items: Sequence[Item]) -> list[FloatArray]:
        """The logarithm of how often each option was right, one more than counted."""
        return [self._of(item) for item in items]

    def _of(self, item: Item) -> FloatArray:
        known = next((key for key in _keys(item) if self._asked[key]), None)
        counts = self._asked[known] if known is not None else Counter()
        return np.log([1.0 + counts[option] for option in item.options])


def _keys(item: Item) -> list[tuple[object, ...]]:
    # With other options a question has another most frequent answer: a word that marks right options
    # must not count as chance.
    return [(item.kind, item.asked or item.question, item.options), (item.kind, item.options)]


class FromText:
    """Answers from what `shown` gives; by a classifier for each kind with the same options throughout,
    small kinds together.

    Where options differ from item to item, one model of all items weighs each option: by its own words,
    by which of its words went with which shown words in right answers, and by the words that it shares
    with what is shown. Of siblings, it is weighed by how many of these offer its words.
    """

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._siblings = shown is siblings

    def fit(self, items: Sequence[Item]) -> None:
        """Learn from all items of each kind."""
        shown = self._shown(items)
        self._closed: dict[tuple[str, tuple[str, ...]], _Closed] = {}
        left: list[int] = []
        for key, places in _kinds(items).items():
            if key is None:
                left += places
                continue
            self._closed[key] = _Closed(
                [items[place] for place in places], [shown[place] for place in places]
            )
        self._open: _Open | None = None
        if left:
            some = [items[n] for n in left]
            self._open = _Open(some, [shown[n] for n in left], siblings=self._siblings)

    def scores(self, items: Sequence[Item]) -> list[FloatArray]:
        """Log-odds of each option."""
        shown = self._shown(items)
        found: list[FloatArray] = [np.zeros(len(item.options)) for item in items]
        by_model: defaultdict[Any, list[int]] = defaultdict(list)
        for place, item in enumerate(items):
            pooled = self._closed.get(("", item.options), self._open)
            by_model[self._closed.get((item.kind, item.options), pooled)].append(place)
        for model, places in by_model.items():
            if model is not None:
                some = model.scores([items[n] for n in places], [shown[n] for n in places])
                for place, scores in zip(places, some, strict=True):
                    found[place] = scores
        return found


def _kinds(items: Sequence[Item]) -> dict[tuple[str, tuple[str, ...]] | None, list[int]]:
    """The places of items that are learned together: of a kind with the same options throughout, and of
    all small kinds with these options; under None, those whose options differ."""
    of_kind: defaultdict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        of_kind[item.kind].append(place)
    found: defaultdict[tuple[str, tuple[str, ...]] | None, list[int]] = defaultdict(list)
    for kind, places in of_kind.items():
        options = items[places[0]].options
        if any(items[place].options != options for place in places):
            found[None] += places
        else:
            found[kind if len(places) >= _LEAST_ITEMS else "", options] += places
    return found


class _Closed:
    """Logistic regression from words to one of a few answers."""

    def __init__(self, items: Sequence[Item], shown: Sequence[str]) -> None:
        from sklearn.linear_model import LogisticRegression

        self._golds = Counter(item.gold for item in items)
        self._model: Any = None
        if len(self._golds) < 2:
            return
        self._asked = Words(characters=True, most=_MOST_SEEN).fit(item.question for item in items)
        self._seen = Words(most=_MOST_SEEN).fit(shown)
        features = self._features(items, shown)
        if features.shape[1]:
            self._model = LogisticRegression(C=1.0, max_iter=200, tol=3e-4)
            self._model.fit(features, [item.gold for item in items])

    def scores(self, items: Sequence[Item], shown: Sequence[str]) -> list[FloatArray]:
        if self._model is None:
            return [
                np.log([1.0 + self._golds[place] for place in range(len(item.options))])
                for item in items
            ]
        found = self._model.predict_log_proba(self._features(items, shown))
        scores = np.full((len(items), len(items[0].options)), -20.0)
        scores[:, self._model.classes_] = found
        return list(scores)

    def _features(self, items: Sequence[Item], shown: Sequence[str]) -> Any:
        from scipy.sparse import hstack

        asked = self._asked([item.question for item in items])
        return hstack([asked, self._seen(shown)], format="csr")


class _Open:
    """Weighs options that differ from item to item.

    Words are learned on most of the groups, and how much each kind of evidence counts on the others.
    """

    def __init__(self, items: Sequence[Item], shown: Sequence[str], *, siblings: bool) -> None:
        from sklearn.linear_model import LogisticRegression

        self._siblings = siblings
        held = set(order((item.group for item in items), 0)[::_HELD_OUT])
        first = [n for n, item in enumerate(items) if item.group not in held]
        rest = [n for n, item in enumerate(items) if item.group in held]
        self._learn([items[n] for n in first], [shown[n] for n in first])
        others = [items[n] for n in rest]
        evidence = self._evidence(others, [shown[n] for n in rest])
        labels = np.concatenate([answers.right(item) for item in others])
        self._scale = np.maximum(evidence.std(axis=0), 1e-9)
        self._weights = LogisticRegression(C=_FIRM).fit(evidence / self._scale, labels)

    def scores(self, items: Sequence[Item], shown: Sequence[str]) -> list[FloatArray]:
        found = self._weights.decision_function(self._evidence(items, shown) / self._scale)
        return answers.in_items(items, found)

    def _learn(self, items: Sequence[Item], shown: Sequence[str]) -> None:
        from sklearn.linear_model import LogisticRegression

        texts = _options(items)
        self._words = Words(words=2, least=3, most=_MOST_WORDS).fit(texts)
        options = self._words(texts)
        labels = np.concatenate([answers.right(item) for item in items])
        self._alone = LogisticRegression(C=_FIRM, solver="liblinear")
        self._alone.fit(options, labels)
        if self._siblings:
            self._shared = Shared(items)
            return
        # How often a word of a right option went with a word that was shown, beside how often a word
        # of any option of these items did.
        self._seen = Words(words=2, least=3, most=_MOST_WORDS).fit(shown)
        owner, marks, seen = _owners(items), options.sign(), self._seen(shown)
        went = (seen.T @ (owner.T @ marks.multiply(labels[:, None]).tocsr())).toarray()
        sizes = 1.0 / np.array([len(item.options) for item in items])
        might = (seen.T @ (owner.T @ marks).multiply(sizes[:, None]).tocsr()).toarray()
        self._goes = np.log((went + _SMOOTHED) / (might + _SMOOTHED)).astype(np.float32)

    def _evidence(self, items: Sequence[Item], shown: Sequence[str]) -> FloatArray:
        """Numbers for each option of each item, relative to the mean of the item's options."""
        texts = _options(items)
        options = self._words(texts)
        sizes = np.array([len(item.options) for item in items])
        place = np.repeat(np.arange(len(items)), sizes)
        columns = [self._alone.decision_function(options)]
        if self._siblings:
            columns.append(self._shared.of_options(items))
        else:
            columns += [
                self._together(options.sign(), shown, place),
                np.asarray(options.multiply(self._words(shown).sign()[place]).sum(axis=1)).ravel(),
            ]
        found = np.stack(columns, axis=1)
        return np.asarray(found - ((_owners(items).T @ found) / sizes[:, None])[place])

    def _together(self, marks: Any, shown: Sequence[str], place: IntArray) -> FloatArray:
        """For each option, the summed log-odds of its words with the words that are shown."""
        distinct = {text: n for n, text in enumerate(dict.fromkeys(shown))}
        seen = self._seen(list(distinct))
        which = np.array([distinct[text] for text in shown])[place]
        rows = np.repeat(np.arange(marks.shape[0]), np.diff(marks.indptr))
        found = np.zeros(marks.shape[0])
        # In pieces, because items times words would not fit into memory.
        for some in np.array_split(np.arange(len(distinct)), len(distinct) // _ROWS + 1):
            odds = np.asarray(seen[some] @ self._goes)
            here = (which[rows] >= some[0]) & (which[rows] <= some[-1])
            values = odds[which[rows[here]] - some[0], marks.indices[here]]
            found += np.bincount(rows[here], weights=values, minlength=len(found))
        return found


def _options(items: Sequence[Item]) -> list[str]:
    return [option for item in items for option in item.options]


def _owners(items: Sequence[Item]) -> Any:
    """Which item each option is of; shape (options, items)."""
    from scipy.sparse import csr_matrix

    sizes = [len(item.options) for item in items]
    places = np.repeat(np.arange(len(items)), sizes)
    shape = (len(places), len(items))
    return csr_matrix((np.ones(len(places)), (np.arange(len(places)), places)), shape=shape)


def nothing(items: Sequence[Item]) -> list[str]:
    """Question and options alone."""
    return [""] * len(items)


def demographics(items: Sequence[Item]) -> list[str]:
    """What is known of the person beforehand."""
    return [item.demographics for item in items]


def background(items: Sequence[Item]) -> list[str]:
    """What is told before the text, and what is known of the person."""
    return [f"{item.demographics} {item.background}".strip() for item in items]


def siblings(items: Sequence[Item]) -> list[str]:
    """Questions and options of the other items on the same person or stage."""
    of_group: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        # Answers that are the same throughout tell nothing.
        of_group[item.group].append(f"{item.question} {' '.join(item.options)}")
    found = []
    places: Counter[str] = Counter()
    for item in items:
        others = list(of_group[item.group])
        others.pop(places[item.group])
        places[item.group] += 1
        found.append(" ".join(others))
    return found


def line(items: Sequence[Item]) -> list[str]:
    """The line that tells most, or shares most words with the question."""
    return [
        item.line if item.line is not None else most_like(item.question, item.text)
        for item in items
    ]


def everything(items: Sequence[Item]) -> list[str]:
    """Demographics, background and all lines, as a bag of words."""
    return [" ".join((item.demographics, item.background, *item.text)).strip() for item in items]


SHOWN: Mapping[str, Shown] = {
    "options": nothing,
    "demographics": demographics,
    "background": background,
    "siblings": siblings,
    "line": line,
    "text": everything,
}
"""What students see, by name."""
