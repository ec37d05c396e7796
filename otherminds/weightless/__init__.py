"""Models without weights: the floors and ceilings that a real model is read against.

Each answers from the documents alone, by index into the answers of a document, and is the same for
every order of the documents. Those here answer any benchmark, through its `Questions`; a benchmark
names further ones that answer it alone (`Benchmark.models`). `oracle` and `corrupted-oracle` read the
gold answer: they exist to test tasks and metrics, and results are stamped so.
"""

from __future__ import annotations

from collections.abc import Mapping

from otherminds import benchmark
from otherminds.errors import OtherMindsError
from otherminds.weightless.floors import Constant, Majority, Random
from otherminds.weightless.linear import DemographicLinear
from otherminds.weightless.oracle import CorruptedOracle, Oracle
from otherminds.weightless.questions import LETTERS, Asked, Doc, Questions
from otherminds.weightless.strategy import Script, Strategy, Writer

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
    "find",
    "models",
    "names",
]

GENERAL: dict[str, type[Strategy]] = {
    "random": Random,
    "constant": Constant,
    "majority": Majority,
    "demographic-linear": DemographicLinear,
    "oracle": Oracle,
    "corrupted-oracle": CorruptedOracle,
}
"""The models that answer any benchmark."""


def names() -> list[str]:
    """The names of all weightless models: those for any benchmark, then each benchmark's own.

    Raises OtherMindsError for a name that two of them have.
    """
    return [*GENERAL, *_of_benchmarks()]


def find(name: str) -> type[Strategy] | None:
    """The weightless model of a name, without importing any other benchmark's; None where none has it.

    Raises OtherMindsError as `names`, but for a model that answers any benchmark.
    """
    if name in GENERAL:
        return GENERAL[name]
    found: type[Strategy] | None = benchmark.resolve(_of_benchmarks().get(name))
    return found


def models() -> dict[str, type[Strategy]]:
    """All weightless models, in the order of `names`; raises OtherMindsError as it does."""
    own = {name: benchmark.resolve(reference) for name, reference in _of_benchmarks().items()}
    return {**GENERAL, **own}


def about(strategy: Strategy | type[Strategy]) -> str:
    """In one sentence or two, how a weightless model answers."""
    return " ".join((strategy.__doc__ or "").split("\n\n")[0].replace("*", "").split())


def _of_benchmarks() -> Mapping[str, str]:
    """By name, the references to the models that answer one benchmark alone."""
    found: dict[str, str] = {}
    for one in benchmark.every():
        if twice := one.models.keys() & (found.keys() | GENERAL.keys()):
            raise OtherMindsError(
                f"The benchmark '{one.name}' calls a weightless model '{min(twice)}', and there is one "
                "of that name; rename one."
            )
        found |= one.models
    return found
