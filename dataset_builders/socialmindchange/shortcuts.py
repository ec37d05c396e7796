"""How far one gets without understanding: rules and a classifier that see options or words only."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.types import FloatArray

Item: TypeAlias = Mapping[str, Any]

_WORD: Final = re.compile(r"[a-z]+")
_LEAST_COUNT: Final = 5


def accuracy(scores: FloatArray, gold: NDArray[np.int64]) -> float:
    """Expected accuracy of taking the option with the highest score, ties broken at random.

    `scores` has shape (items, options), -inf where an item has fewer options than others; `gold` holds
    the places of the right options. Scores that differ by less than 1e-9 are ties.
    """
    rounded = np.round(scores, 9)
    best = rounded == rounded.max(axis=1, keepdims=True)
    return float((best[np.arange(len(gold)), gold] / best.sum(axis=1)).mean())


def golds(items: Sequence[Item]) -> NDArray[np.int64]:
    """The places of the right options."""
    return np.array([LETTERS.index(item["answer"]) for item in items], dtype=np.int64)


def chance(items: Sequence[Item]) -> float:
    """The expected accuracy of taking any option of each item."""
    return sum(1 / len(item["options"]) for item in items) / len(items)


def by_length(items: Sequence[Item]) -> FloatArray:
    """The length of each option."""
    return _padded([len(option) for option in item["options"]] for item in items)


def by_shared_words(items: Sequence[Item], texts: Mapping[str, str]) -> FloatArray:
    """How many different words an option shares with the text of its stage (`texts`, by stage id)."""
    known = {stage: words(text) for stage, text in texts.items()}
    return _padded(
        [len(words(option) & known[item["stage_id"]]) for option in item["options"]]
        for item in items
    )


def by_word_model(items: Sequence[Item], folds: int = 2) -> FloatArray:
    """Scores of a bag-of-words classifier over options alone, trained on other stages.

    A logistic regression tells right from wrong options by their words. Stages are split into `folds`;
    the scores of each come from a model of the others. Raises ValueError for fewer stages than folds.
    """
    # It takes longer to import than many stages to build, and processes that build have no use for it.
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    stages = sorted({item["stage_id"] for item in items})
    if len(stages) < folds:
        raise ValueError(f"{len(stages)} stages cannot be split into {folds} folds.")
    fold = {stage: place % folds for place, stage in enumerate(stages)}
    of_item = np.array([fold[item["stage_id"]] for item in items])
    vectorizer = CountVectorizer(binary=True, token_pattern=r"[a-z]+", min_df=_LEAST_COUNT)  # nosec B106
    counts = vectorizer.fit_transform(option for item in items for option in item["options"])
    sizes = np.array([len(item["options"]) for item in items])
    starts = np.cumsum(sizes) - sizes
    right = np.zeros(sizes.sum(), dtype=np.int64)
    right[starts + golds(items)] = 1
    of_option = np.repeat(of_item, sizes)
    scores = np.zeros(len(right))
    for left_out in range(folds):
        model = LogisticRegression(C=0.1, solver="liblinear")
        model.fit(counts[of_option != left_out], right[of_option != left_out])
        scores[of_option == left_out] = model.decision_function(counts[of_option == left_out])
    return _padded(np.split(scores, starts[1:]))


def _padded(rows: Iterable[Sequence[float] | FloatArray]) -> FloatArray:
    """The rows as one array, with -inf after the end of those that are shorter."""
    found = list(rows)
    padded = np.full((len(found), max(map(len, found))), -np.inf)
    for place, row in enumerate(found):
        padded[place, : len(row)] = row
    return padded


def only_wrong(items: Sequence[Item], stages: int) -> list[str]:
    """Words that the wrong options of at least so many stages have, and no right option."""
    right: set[str] = set()
    wrong: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        for letter, option in zip(LETTERS, item["options"], strict=True):
            if letter == item["answer"]:
                right |= words(option)
            else:
                for word in words(option):
                    wrong[word].add(item["stage_id"])
    return sorted(word for word, seen in wrong.items() if len(seen) >= stages and word not in right)


def words(text: str) -> frozenset[str]:
    """The different words of a text."""
    return frozenset(_WORD.findall(text.lower()))


def stage_text(row: Mapping[str, Any]) -> str:
    """All that is shown of a stage."""
    turns = [turn["text"] for scene in row["scenes"] for turn in scene["turns"]]
    return " ".join([*row["profile"], row["background"], *turns])
