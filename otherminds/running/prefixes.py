"""How much of a set of prompts an engine reads that keeps the prefixes it has read.

Prompts are arrays of units: tokens, or characters where there is no tokenizer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Prompt = NDArray[np.uint32]

# Big-endian numbers lie in the same order as their bytes.
_SORTED = ">u4"


def packed(prompt: Iterable[int] | Prompt) -> bytes:
    """A prompt in few bytes, which sort as the prompt does."""
    return np.asarray(prompt, dtype=_SORTED).tobytes()


def size(prompt: bytes) -> int:
    """How many units a packed prompt has."""
    return len(prompt) // 4


def shared(one: bytes, other: bytes) -> int:
    """The length of the common prefix of two packed prompts, in units."""
    first, second = _unpacked(one), _unpacked(other)
    n = min(len(first), len(second))
    differs = np.flatnonzero(first[:n] != second[:n])
    return int(differs[0]) if len(differs) else n


class Prefixes:
    """Counts what is read of prompts that come in sets, such as the windows of a run.

    A set is read in order of its prompts. What is kept is the set itself and the one before it: of more,
    neither the memory of this count nor a real cache holds all. Whole people lie in one window, so that
    hardly more than the system text is shared over more than two.

    block  how many units are kept together: of a common prefix, whole blocks alone are not read again
    """

    def __init__(self, block: int = 1) -> None:
        self._block = block
        self._before: list[bytes] = []

    def new(self, prompts: Iterable[bytes]) -> Iterator[tuple[int, int]]:
        """Of each packed prompt, in the order of reading: its place, and how many units are read."""
        ordered = sorted((prompt, place) for place, prompt in enumerate(prompts))
        last = b""
        for prompt, place in ordered:
            known = max(shared(prompt, other) for other in (last, *self._near(prompt)))
            # In lexicographic order no earlier prompt of the set shares more with it than the last.
            yield place, size(prompt) - known // self._block * self._block
            last = prompt
        self._before = [prompt for prompt, _ in ordered]

    def _near(self, prompt: bytes) -> list[bytes]:
        """The prompts of the set before between which a prompt lies: no other shares more with it."""
        place = bisect_left(self._before, prompt)
        return self._before[max(place - 1, 0) : place + 1]


def _unpacked(prompt: bytes) -> NDArray[Any]:
    return np.frombuffer(prompt, dtype=_SORTED)
