"""Known beliefs that all but state a test belief."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from otherminds.dataset_builders.debate.embedding import Vectors

_ROWS_AT_ONCE = 1_024


def closest(known: Vectors, test: Vectors) -> NDArray[np.float32]:
    """For each known belief, its highest cosine with a test belief; shape (number of known beliefs,).

    Both are arrays of vectors of length 1, one per row. Memory is bounded: known beliefs are taken
    about a thousand at a time. Raises ValueError where there is no test belief.
    """
    if not len(test):
        raise ValueError("There is no test belief to compare with.")
    found = np.empty(len(known), dtype=np.float32)
    for start in range(0, len(known), _ROWS_AT_ONCE):
        block = known[start : start + _ROWS_AT_ONCE]
        found[start : start + len(block)] = (block @ test.T).max(axis=1)
    return found


def dissimilar(
    known: Sequence[str],
    test: Sequence[str],
    vectors: Callable[[Sequence[str]], Vectors],
    threshold: float,
) -> list[int]:
    """The places of the known propositions whose cosine with no test one is above `threshold`.

    `vectors` gives unit vectors of texts. One person's beliefs are compared at a time.
    """
    if not known:
        return []
    # A rounding error above the threshold is no similarity above it.
    slack = np.float32(1e-6)
    highest = closest(vectors(known), vectors(test))
    return [place for place, cosine in enumerate(highest) if cosine <= threshold + slack]
