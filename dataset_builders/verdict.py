"""The outcome of one check of built data, and checks that all benchmarks make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import pyarrow as pa

Kind: TypeAlias = Literal["fatal", "release", "stated"]

_SHOWN = 3
"""How many faults the text of an audit names."""


@dataclass(frozen=True)
class Audit:
    """What was checked, whether it holds, what was found, and what that means.

    kind  what follows where it does not hold:
          fatal    scores on the data would be wrong; the data are refused
          release  the data are not the release that the manifest describes, and are called so
          stated   nothing; readers are informed
    """

    name: str
    passed: bool
    value: str | float
    detail: str
    kind: Kind = "fatal"

    @property
    def refused(self) -> bool:
        """Whether data of which this was found must not be used."""
        return self.kind == "fatal" and not self.passed


def verdict(
    name: str, passed: bool, value: str | float, detail: str, *, kind: Kind = "fatal"
) -> Audit:
    """An audit with plain Python values, whatever the check computed with."""
    return Audit(
        name, bool(passed), value if isinstance(value, str) else float(value), detail, kind
    )


def none(
    name: str, found: Sequence[str], what: str, *, kind: Kind = "fatal", mark: str = ":"
) -> Audit:
    """That nothing was found of what must not be; the first few that were are named, after `mark`."""
    shown = f"{mark} {', '.join(found[:_SHOWN])}" if found else ""
    return verdict(name, not found, len(found), what + shown, kind=kind)


def has_schema(table: pa.Table, wanted: pa.Schema, also: str = "") -> Audit:
    """That a table has the columns of `wanted`, of their types, in order."""
    return verdict(
        "schema",
        table.schema.equals(wanted),
        len(table.schema),
        f"columns, which must be {', '.join(wanted.names)}, of their types{also}",
    )
