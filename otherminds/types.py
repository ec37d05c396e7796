"""Names of types that many modules share. Importing them imports no library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FloatArray: TypeAlias = "NDArray[np.float64]"
BoolArray: TypeAlias = "NDArray[np.bool_]"
IntArray: TypeAlias = "NDArray[np.intp]"
"""Indices and counts."""

Doc: TypeAlias = Mapping[str, Any]
"""A document of lm-eval: one row of a dataset, as a task's templates and functions see it."""

Say: TypeAlias = Callable[[str], None]
"""Takes one line for the person who waits: the step done, or the one that comes next."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


class Thousandths(int):
    """The second number of a `Progress` that counts thousandths of the work, and not things."""
