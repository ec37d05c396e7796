"""Options as full crossings: sixteen assignments of values to the factors of a question.

Each factor has the true value and others drawn from its pool at random, whatever the truth of other
factors is; the options are all combinations. A value then occurs in as many options as any other of its
factor, and which of them is true cannot be told from the options: the true values were drawn from the
same pools. No option is nearer to the others than another.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.cells import LETTERS

OPTIONS: Final = 16


@dataclass(frozen=True)
class Factor:
    """One thing that differs between options.

    name   as in the claims
    truth  the value that holds
    pool   the values it is drawn from
    size   how many of them are on offer
    """

    name: str
    truth: Hashable
    pool: Sequence[Hashable]
    size: int

    def offered(self, rng: np.random.Generator) -> list[Hashable]:
        """The truth and as many others as are wanted, drawn evenly.

        Raises ValueError when the truth is not of the pool, or the pool is too small.
        """
        others = [value for value in self.pool if value != self.truth]
        if len(others) == len(self.pool) or len(others) < self.size - 1:
            raise ValueError(f"Factor {self.name}: {self.truth} and {self.size - 1} of {others}.")
        return [self.truth, *shuffled(rng, others)[: self.size - 1]]


def crossed(rng: np.random.Generator, factors: Sequence[Factor]) -> list[dict[str, Any]]:
    """All sixteen combinations of the factors' values, the true one first.

    Raises ValueError when the factors do not make sixteen.
    """
    if prod(factor.size for factor in factors) != OPTIONS:
        raise ValueError(f"{[factor.size for factor in factors]} do not make {OPTIONS} options.")
    offered = [factor.offered(rng) for factor in factors]
    names = [factor.name for factor in factors]
    return [dict(zip(names, values, strict=True)) for values in product(*offered)]


def placed(rng: np.random.Generator, count: int, options: int = OPTIONS) -> list[str]:
    """Letters for the right options of `count` questions, each as often as others, give or take one."""
    known = LETTERS[:options]
    letters = [known[number % options] for number in range(count)]
    if spare := count % options:
        letters[-spare:] = shuffled(rng, known)[:spare]
    return shuffled(rng, letters)
