"""What the builders of all datasets share: reading and checking parameters, and building in parts.

A manifest names a module as its `builder`. The engine calls its `spec`, `build`, `audit` and
`content_hash` (see `otherminds.data.build.dataset`), and its `plan`, `scaled` and `head` where data are
made in parts; then `spec` and `build` are those of `Generated(Spec, plan)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, TypeVar

import pyarrow as pa

from otherminds.dataset_builders.parts import Plan, processes
from otherminds.types import Progress

_Spec = TypeVar("_Spec")


@dataclass(frozen=True)
class Generated(Generic[_Spec]):
    """`spec` and `build` of a dataset that is generated in parts.

    kind       the specification: a dataclass whose fields are the parameters in the manifest
    plan       how a specification is built in parts
    processes  how many processes are of use for a specification, at the most; None: any number
    """

    kind: type[_Spec]
    plan: Callable[[_Spec], Plan]
    processes: Callable[[_Spec], int] | None = None

    def spec(self, generator: Mapping[str, Any]) -> _Spec:
        """The checked parameters, from the `generator` part of a manifest.

        Raises ValueError for a missing, unknown or impossible parameter.
        """
        return exactly(self.kind, generator)

    def build(
        self, spec: _Spec, *, num_proc: int = 1, progress: Progress | None = None
    ) -> dict[str, pa.Table]:
        """Build all configurations.

        The result depends on `spec` and the content files only: not on `num_proc`, and not on the
        machine. Raises ValueError for num_proc < 1.
        """
        most = num_proc if self.processes is None else min(num_proc, self.processes(spec))
        return self.plan(spec).tables(processes(most), progress)


def exactly(kind: type[_Spec], generator: Mapping[str, Any]) -> _Spec:
    """`kind(**generator)`. Raises ValueError unless the parameters are just the fields of `kind`."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    if set(generator) != known:
        raise ValueError(
            f"A generator has the parameters {', '.join(sorted(known))}; "
            f"these are {', '.join(sorted(generator)) or 'none'}."
        )
    return kind(**generator)


def checked(kind: type[_Spec], generator: Mapping[str, Any]) -> _Spec:
    """`kind(**generator)`. Raises ValueError for a missing or unknown parameter."""
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    missing = {
        name
        for name, field in known.items()
        if field.default is MISSING and field.default_factory is MISSING and name not in generator
    }
    unknown = set(generator) - set(known)
    if missing or unknown:
        raise ValueError(
            f"A {kind.__name__} has the parameters {', '.join(known)}; "
            f"{_list('missing', missing)}{_list('unknown', unknown)}".strip()
        )
    return kind(**generator)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise ValueError unless `value` is a whole number from `low` to `high`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, but must be a whole number.")
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}, but must lie between {low} and {high:,}.")


def check_seed(seed: object) -> None:
    """Raise ValueError unless `seed` is a whole number from 0."""
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed is {seed!r}, but a seed is a whole number from 0.")


def whole_parts(wanted: int, there: int, size: int) -> tuple[int, int]:
    """How many parts of `size` people hold the first `wanted` of those there, and how many that are."""
    parts = -(-min(wanted, there) // size)
    return parts, min(parts * size, there)


def _list(what: str, names: set[str]) -> str:
    return f"{what}: {', '.join(sorted(names))}. " if names else ""
