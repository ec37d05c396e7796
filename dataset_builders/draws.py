"""Random streams, small draws that generators share, and orders that need no generator."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

_Item = TypeVar("_Item")

_LEAST_SECRET = 2**128
"""Seeds of releases are smaller; one in 2^128 secrets would be, too."""


def stream(entropy: Sequence[int], spawn_key: Sequence[int]) -> np.random.Generator:
    """The random stream of these numbers alone: seed and place (a person, a stage), then purpose.

    Neither the number of workers nor what is drawn from other streams moves what is drawn from it.

    NumPy's SeedSequence can be inverted: who worked back to the state of one stream would have the seed,
    and with it all streams. Where the seed is the secret of a season, which are numbers of 256 bits, a
    stream is seeded by its HMAC instead, which leads to no other stream and not to the secret.
    """
    seed, *place = map(int, entropy)
    key = tuple(map(int, spawn_key))
    if seed < _LEAST_SECRET:
        sequence = np.random.SeedSequence([seed, *place], spawn_key=key)
    else:
        secret = seed.to_bytes((seed.bit_length() + 7) // 8, "big")
        told = repr((tuple(place), key)).encode()
        sequence = np.random.SeedSequence(
            int.from_bytes(hmac.digest(secret, told, "sha256"), "big")
        )
    return np.random.Generator(np.random.PCG64(sequence))


def rank(seed: int, *parts: str) -> bytes:
    """Where `parts` stand in the random order of `seed`: sort by it.

    The same on every machine and with every version of every library.
    """
    return hashlib.sha256("\x00".join((str(seed), *parts)).encode()).digest()


def pick(rng: np.random.Generator, items: Sequence[_Item]) -> _Item:
    """One of the items, each equally likely."""
    return items[int(rng.integers(len(items)))]


def pick_weighted(
    rng: np.random.Generator, items: Sequence[_Item], weights: Sequence[float]
) -> _Item:
    """One of the items, with probability in proportion to its weight."""
    cumulative = np.cumsum(np.asarray(weights, dtype=np.float64))
    threshold = float(rng.random()) * float(cumulative[-1])
    index = int(np.searchsorted(cumulative, threshold, side="right"))
    return items[min(index, len(items) - 1)]


def shuffled(rng: np.random.Generator, items: Sequence[_Item]) -> list[_Item]:
    """The items in random order."""
    return [items[index] for index in rng.permutation(len(items)).tolist()]


def chance(rng: np.random.Generator, probability: float) -> bool:
    """True with the given probability."""
    return float(rng.random()) < probability
