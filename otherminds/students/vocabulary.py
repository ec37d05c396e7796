"""Texts as words, and as points in a space in which like texts lie close together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from otherminds.types import FloatArray

DIMENSIONS = 96
_MOST = 60_000
_NOTHING = 1e-9


class Words:
    """Weighted counts of words and of n-grams (tf-idf), learned from the texts that are trained on.

    words       the longest sequence of words that counts as one feature
    characters  whether sequences of 3 to 5 characters within words count too
    least       texts that a feature must occur in
    most        the most features of either kind; the commonest are kept
    """

    def __init__(
        self, *, words: int = 2, characters: bool = False, least: int = 2, most: int = _MOST
    ) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        shared = {"min_df": least, "max_features": most, "sublinear_tf": True}
        pattern = r"(?u)[\w'’]+"
        self._parts = [
            TfidfVectorizer(ngram_range=(1, words), token_pattern=pattern, **shared)  # nosec B106
        ]
        if characters:
            self._parts.append(TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), **shared))
        self._known: list[Any] = []

    def fit(self, texts: Iterable[str]) -> Words:
        """Learn the features of these texts; texts without any leave nothing to count."""
        texts = list(texts)
        self._known = []
        for part in self._parts:
            try:
                self._known.append(part.fit(texts))
            except ValueError:  # no feature occurs often enough
                continue
        return self

    def __call__(self, texts: Sequence[str]) -> Any:
        """The texts as a sparse matrix, a row each; like texts are counted once."""
        from scipy.sparse import csr_matrix, hstack

        if not self._known:
            return csr_matrix((len(texts), 0))
        distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        found = hstack([part.transform(list(distinct)) for part in self._known], format="csr")
        return found[[distinct[text] for text in texts]]


class Space:
    """Latent semantic analysis: tf-idf, and the directions in which the texts trained on vary most.

    It needs no download, and gives the same points on any machine but for rounding.
    """

    def __init__(self, seed: int, dimensions: int = DIMENSIONS) -> None:
        self._seed = seed
        self._dimensions = dimensions
        self._words = Words(words=1)
        self._basis: Any = None

    def fit(self, texts: Iterable[str]) -> Space:
        """Learn the directions from these texts."""
        from sklearn.decomposition import TruncatedSVD

        distinct = list(dict.fromkeys(texts))
        counts = self._words.fit(distinct)(distinct)
        most = min(counts.shape) - 1
        if most >= 1:
            size = min(self._dimensions, most)
            self._basis = TruncatedSVD(n_components=size, random_state=self._seed).fit(counts)
        return self

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        """The texts as points of length 1, or 0 where nothing is known of them; a row each."""
        if self._basis is None:
            return np.zeros((len(texts), 1))
        found = np.asarray(self._basis.transform(self._words(texts)))
        length = np.linalg.norm(found, axis=1, keepdims=True)
        return np.asarray(found / np.where(length > _NOTHING, length, 1.0))


def most_like(question: str, lines: Sequence[str]) -> str:
    """The line that shares the rarest words with the question, as rare as words are in these lines.

    Of equals, the first; the empty text where there is no line.
    """
    if not lines:
        return ""
    wanted = _bag(question)
    bags = [_bag(line) for line in lines]
    counts: dict[str, int] = {}
    for bag in bags:
        for word in bag & wanted:
            counts[word] = counts.get(word, 0) + 1
    # An exact sum: words of a set come in another order in every process.
    scores = [
        math.fsum(math.log((1 + len(lines)) / counts[word]) for word in bag & wanted)
        for bag in bags
    ]
    return lines[int(np.argmax(scores))]


def _bag(text: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in text.lower()).split())
