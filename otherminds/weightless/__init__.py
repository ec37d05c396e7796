"""Models without weights: the floors and ceilings that a real model is read against.

Each answers from the documents alone, by index into the answers of a document, and is the same for
every order of the documents. Those here answer any benchmark, through its `Questions`; a benchmark
names further ones that answer it alone (`Benchmark.models`). `oracle` and `corrupted-oracle` read the
gold answer: they exist to test tasks and metrics, and results are stamped so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from otherminds import benchmark
from otherminds.benchmark import Benchmark
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
    "faults",
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
    """The names of all weightless models: those for any benchmark, then each benchmark's own."""
    return [*GENERAL, *_of_benchmarks()]


def find(name: str) -> type[Strategy] | None:
    """The weightless model of a name, without importing any other benchmark's; None where none has it.

    Raises OtherMindsError for a model of a benchmark that cannot be imported.
    """
    if name in GENERAL:
        return GENERAL[name]
    owner = _of_benchmarks().get(name)
    return None if owner is None else _imported(name, owner)


def models() -> dict[str, type[Strategy]]:
    """All weightless models, in the order of `names`; those that cannot be imported are left out."""
    found = dict(GENERAL)
    for name, owner in _of_benchmarks().items():
        with contextlib.suppress(OtherMindsError):
            found[name] = _imported(name, owner)
    return found


def faults() -> list[benchmark.Fault]:
    """The models of benchmarks that are left out, because their names are taken."""
    owners = {**dict.fromkeys(GENERAL), **_of_benchmarks()}
    found = []
    for one in benchmark.every():
        for name in one.models:
            owner = owners[name]
            if owner is not one:
                taken = "otherminds itself" if owner is None else f"the benchmark '{owner.name}'"
                reason = (
                    f"The weightless model '{name}' of the benchmark '{one.name}' is left out, "
                )
                reason += f"because {taken} has one of that name; rename it."
                found.append(benchmark.Fault(name, reason))
    return found


def about(strategy: Strategy | type[Strategy]) -> str:
    """In one sentence or two, how a weightless model answers."""
    return " ".join((strategy.__doc__ or "").split("\n\n")[0].replace("*", "").split())


def _of_benchmarks() -> Mapping[str, Benchmark]:
    """By name, the benchmarks whose models answer them alone; of two of a name, the first has it."""
    found: dict[str, Benchmark] = {}
    for one in benchmark.every():
        for name in one.models:
            if name not in GENERAL:
                found.setdefault(name, one)
    return found


def _imported(name: str, owner: Benchmark) -> type[Strategy]:
    found: type[Strategy] = benchmark.look_up(owner, owner.models[name])
    return found
