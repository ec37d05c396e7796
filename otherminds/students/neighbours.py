"""The student that looks for the items most like the one at hand, and answers as they were answered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from otherminds.students import answers
from otherminds.students.halves import order
from otherminds.students.view import Item
from otherminds.students.vocabulary import Space
from otherminds.students.words import Shown
from otherminds.types import FloatArray

NEAREST = 15
MOST_POINTS = 8_000
MOST_PAIRS = 2_000
"""Of more points to compare with, so many are kept; a draw by the items' ids decides which. Pairs of
item and option are compared with all options of all items, and so fewer."""

_ROWS = 1_000
_RARE = 1e-3


class Neighbours:
    """Nearest neighbours on embeddings by latent semantic analysis.

    Where the options of a kind are the same throughout, an item is a point (question and what is
    shown), and an option's score is the share of the NEAREST items, by cosine, of which it is the gold
    answer. Where they differ, each option of an item is a point (question and what is shown, beside the
    option), and its score the share of right ones among the NEAREST points.
    """

    def __init__(self, shown: Shown, seed: int) -> None:
        self._shown = shown
        self._seed = seed

    def fit(self, items: Sequence[Item]) -> None:
        """Keep the points of these items."""
        texts = self._texts(items)
        self._space = Space(self._seed).fit([*texts, *(one for i in items for one in i.options)])
        of_kind: defaultdict[str, list[int]] = defaultdict(list)
        for place in self._drawn(items):
            of_kind[items[place].kind].append(place)
        self._closed: dict[tuple[str, tuple[str, ...]], tuple[FloatArray, Any]] = {}
        left: list[int] = []
        for kind, places in of_kind.items():
            options = items[places[0]].options
            if any(items[place].options != options for place in places):
                left += places
                continue
            golds = [items[place].gold for place in places]
            labels = np.eye(len(options))[golds]
            points = self._space([texts[place] for place in places])
            self._closed[kind, options] = (points, labels)
        kept = left[: MOST_PAIRS // max(len(items[0].options), 1)]
        self._pairs: tuple[FloatArray, FloatArray] | None = None
        if kept:
            some = [items[place] for place in kept]
            points = self._pair_points(some, [texts[place] for place in kept])
            self._pairs = points, np.concatenate([answers.right(item) for item in some])[:, None]

    def scores(self, items: Sequence[Item]) -> list[FloatArray]:
        """The logarithm of the share among the neighbours, one right one in as many added."""
        texts = self._texts(items)
        found: list[FloatArray] = [np.zeros(len(item.options)) for item in items]
        by_model: defaultdict[Any, list[int]] = defaultdict(list)
        for place, item in enumerate(items):
            key = (item.kind, item.options)
            by_model[key if key in self._closed else None].append(place)
        for key, places in by_model.items():
            some, told = [items[n] for n in places], [texts[n] for n in places]
            if key is not None:
                scores = list(_share(self._space(told), *self._closed[key]))
            elif self._pairs is not None:
                shares = _share(self._pair_points(some, told), *self._pairs)
                scores = answers.in_items(some, shares[:, 0])
            else:
                continue
            for place, one in zip(places, scores, strict=True):
                found[place] = one
        return found

    def _texts(self, items: Sequence[Item]) -> list[str]:
        shown = self._shown(items)
        return [f"{item.question} {told}" for item, told in zip(items, shown, strict=True)]

    def _drawn(self, items: Sequence[Item]) -> list[int]:
        """The places of the items in an order that their ids decide; MOST_POINTS of them."""
        places = {item.item_id: place for place, item in enumerate(items)}
        return [places[one] for one in order(places, self._seed)[:MOST_POINTS]]

    def _pair_points(self, items: Sequence[Item], texts: Sequence[str]) -> FloatArray:
        sizes = [len(item.options) for item in items]
        context = np.repeat(self._space(texts), sizes, axis=0)
        options = self._space([option for item in items for option in item.options])
        return np.asarray(np.hstack([context, options]) / np.sqrt(2.0))


def _share(asked: FloatArray, known: FloatArray, labels: FloatArray) -> FloatArray:
    """The logarithm of the smoothed mean of `labels` over the nearest known points of each point."""
    nearest = min(NEAREST, len(known))
    found = np.empty((len(asked), labels.shape[1]))
    for start in range(0, len(asked), _ROWS):
        # Rounded, so that the last bits do not decide which are nearest.
        close = np.round(asked[start : start + _ROWS] @ known.T, 6)
        last = -np.partition(-close, nearest - 1, axis=1)[:, nearest - 1, None]
        nearer, level = close > last, close == last
        # All that are as near as the last one share its place: which of them is found first differs
        # from one processor to another.
        places = nearest - nearer.sum(axis=1, keepdims=True)
        weights = nearer + level * (places / level.sum(axis=1, keepdims=True))
        found[start : start + len(close)] = weights @ labels
    return np.asarray(np.log((found + labels.mean(axis=0) + _RARE) / (nearest + 1)))
