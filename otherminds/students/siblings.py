"""What the options of the other items on the same person or stage give away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from otherminds.students import answers
from otherminds.students.view import Item
from otherminds.types import FloatArray


class Shared:
    """How often an option's words are among the options of its siblings, beside other groups' items."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._usual: Counter[str] = Counter()
        for item in items:
            self._usual.update(_grams_of(item))
        self._items = max(len(items), 1)

    def of_options(self, items: Sequence[Item]) -> FloatArray:
        """For each option, the mean over its words of the share of siblings that offer the word, less
        the share of all items that do."""
        in_group: defaultdict[str, Counter[str]] = defaultdict(Counter)
        sizes: Counter[str] = Counter()
        own = [_grams_of(item) for item in items]
        for item, grams in zip(items, own, strict=True):
            in_group[item.group].update(grams)
            sizes[item.group] += 1
        found = []
        for item, grams in zip(items, own, strict=True):
            counts, others = in_group[item.group], max(sizes[item.group] - 1, 1)
            lift = {
                gram: (counts[gram] - 1) / others - self._usual[gram] / self._items
                for gram in grams
            }
            found += [_mean([lift[gram] for gram in _grams(option)]) for option in item.options]
        return np.array(found)


class Offered:
    """Which values of the frame's slots recur in the options of siblings: learned from right options."""

    def fit(self, items: Sequence[Item]) -> None:
        """Learn how much it counts that siblings offer what an option claims, or do not."""
        from sklearn.linear_model import LogisticRegression

        evidence = self._evidence(items)
        labels = np.concatenate([answers.right(item) for item in items])
        self._model: Any = None
        if len(set(labels)) == 2:
            self._model = LogisticRegression(C=1.0, max_iter=300).fit(evidence, labels)

    def scores(self, items: Sequence[Item]) -> list[FloatArray]:
        """Log-odds of each option."""
        evidence = self._evidence(items)
        if self._model is None:
            return answers.in_items(items, np.zeros(len(evidence)))
        return answers.in_items(items, self._model.decision_function(evidence))

    def _evidence(self, items: Sequence[Item]) -> FloatArray:
        """For each option, relative to the item's best: siblings that leave out a claim, and shares."""
        slots, values = _offers(items)
        rows: list[FloatArray] = []
        for item in items:
            own = _own(item)
            found = np.zeros((len(item.options), 3))
            for place, claims in enumerate(item.claims):
                shares = []
                for slot, value in claims.items():
                    others = slots[item.group, slot] - 1
                    if others > 0:
                        offering = values[item.group, slot, value] - (value in own[slot])
                        found[place, 0] += min(others - offering, 5)
                        shares.append(offering / others)
                if shares:
                    found[place, 1:] = np.log(np.array(shares) + 0.05).sum(), min(shares)
            found[:, 0] -= found[:, 0].min()
            found[:, 1:] -= found[:, 1:].max(axis=0)
            rows.append(found)
        return np.concatenate(rows)


def _offers(items: Sequence[Item]) -> tuple[Counter[Hashable], Counter[Hashable]]:
    """In how many items of a group a slot is claimed about, and a value is offered for it."""
    slots: Counter[Hashable] = Counter()
    values: Counter[Hashable] = Counter()
    for item in items:
        for slot, offered in _own(item).items():
            slots[item.group, slot] += 1
            values.update((item.group, slot, value) for value in offered)
    return slots, values


def _own(item: Item) -> dict[str, set[str]]:
    own: dict[str, set[str]] = {}
    for claims in item.claims:
        for slot, value in claims.items():
            own.setdefault(slot, set()).add(value)
    return own


def _grams_of(item: Item) -> set[str]:
    return {gram for option in item.options for gram in _grams(option)}


def _grams(text: str) -> set[str]:
    words = text.lower().split()
    return {*words, *(f"{a} {b}" for a, b in pairwise(words))}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
