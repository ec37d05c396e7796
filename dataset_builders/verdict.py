"""The outcome of one check of built data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["fatal", "release", "stated"]


@dataclass(frozen=True)
class Audit:
    """What was checked, whether it holds, what was found, and what that means.

    kind  what follows where it does not hold:
          fatal    scores on the data would be wrong; the data are refused
          release  the data are not the release that the manifest describes, and are called so
          stated   nothing but that readers are told
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
