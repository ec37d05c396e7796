"""Checking the parameters of a builder against the fields of its specification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

_Spec = TypeVar("_Spec")


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


def check_sizes(min_beliefs: int, known_share: float) -> None:
    """Raises ValueError where a person could be left without a known or a test belief."""
    if not 0 < known_share < 1:
        raise ValueError(f"known_share is {known_share}, but must lie between 0 and 1.")
    if min_beliefs < 2:
        raise ValueError(
            f"min_beliefs is {min_beliefs}, but one known and one test belief need two."
        )


def _list(what: str, names: set[str]) -> str:
    return f"{what}: {', '.join(sorted(names))}. " if names else ""
