"""The errors that metric functions raise."""

from __future__ import annotations


class MetricError(ValueError):
    """A metric cannot be computed from its arguments; the message says why and what to do."""


class EmptyInput(MetricError):  # noqa: N818 - the name says what is wrong; the base, that it is one
    """There is nothing to measure. A metric never answers 0.0 for "no data"."""


class MisalignedInput(MetricError):  # noqa: N818 - see EmptyInput
    """Inputs that belong together differ in length, are given twice, or contradict each other."""
