"""Checking the parameters in a manifest's `generator` against the fields of a specification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
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
