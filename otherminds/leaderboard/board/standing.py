"""The rank of a model among others that it may not be told apart from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from otherminds.metrics.multiplicity import group_letters

Bools = NDArray[np.bool_]


def rank_ranges(means: Sequence[float], apart: Bools, *, higher_is_better: bool) -> list[range]:
    """The ranks that each model may have: from 1 + the models that are better and told apart from it,
    to M - those that are worse and told apart.

    means  shape (M,); apart  shape (M, M), symmetric
    """
    values = np.asarray(means) * (1 if higher_is_better else -1)
    better = (values[None, :] > values[:, None]) & apart
    worse = (values[None, :] < values[:, None]) & apart
    return [
        range(1 + int(up), len(values) - int(down) + 1)
        for up, down in zip(better.sum(axis=1), worse.sum(axis=1), strict=True)
    ]


def bands(apart: Bools) -> list[range]:
    """Maximal runs of neighbours of which no two are told apart; models in order of their means.

    Two models in a band are not told apart. The converse can fail: two that are not told apart share
    no band when some two of the models from one to the other are told apart. The maximal cliques of
    `otherminds.metrics.multiplicity` have both directions, but of 500 models there may be millions.
    """
    count = len(apart)
    ends = [0] * count
    end = count
    for start in range(count - 1, -1, -1):
        stopping = np.flatnonzero(apart[start, start + 1 : end])
        end = start + 1 + int(stopping[0]) if len(stopping) else end
        ends[start] = end
    return [
        range(start, end) for start, end in enumerate(ends) if start == 0 or end > ends[start - 1]
    ]


def band_letters(found: Sequence[range], count: int) -> list[str]:
    """Each model's bands as letters: "b", or "b–d" for bands b, c and d; "a" is the best band.

    A model's bands follow each other, because both ends of bands rise together.
    """
    letter = group_letters([[str(number)] for number in range(len(found))])
    texts = []
    for place in range(count):
        own = [number for number, band in enumerate(found) if place in band]
        first, last = letter[str(own[0])], letter[str(own[-1])]
        texts.append(first if first == last else f"{first}–{last}")
    return texts
