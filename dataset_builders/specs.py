"""Checking the parameters in a manifest against the fields of a builder's specification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

_Spec = TypeVar("_Spec")


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


def _list(what: str, names: set[str]) -> str:
    return f"{what}: {', '.join(sorted(names))}. " if names else ""
