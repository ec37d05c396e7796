"""Models without weights: the floors and ceilings that a real model is read against.

Each answers from the documents alone, by index into the answers of a document, and is the same for
every order of the documents. Those here answer any benchmark, through its `Questions`; a benchmark
names further ones that answer it alone (`Benchmark.models`). `oracle` and `corrupted-oracle` read the
gold answer: they exist to test tasks and metrics, and results are stamped so.
"""

from __future__ import annotations

from otherminds.types import Doc
from otherminds.weightless.questions import LETTERS, Asked, Questions
from otherminds.weightless.strategies import (
    GENERAL,
    Constant,
    CorruptedOracle,
    DemographicLinear,
    Majority,
    Oracle,
    Random,
    Script,
    Strategy,
    Writer,
    about,
    faults,
    find,
    models,
    names,
)

__all__ = [
    "GENERAL",
    "LETTERS",
    "Asked",
    "Constant",
    "CorruptedOracle",
    "DemographicLinear",
    "Doc",
    "Majority",
    "Oracle",
    "Questions",
    "Random",
    "Script",
    "Strategy",
    "Writer",
    "about",
    "faults",
    "find",
    "models",
    "names",
]
