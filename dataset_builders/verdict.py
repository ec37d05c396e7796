"""The outcome of one check of built data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Audit:
    """What was checked, whether it holds, what was found, and what that means."""

    name: str
    passed: bool
    value: str | float
    detail: str


def verdict(name: str, passed: bool, value: str | float, detail: str) -> Audit:
    """An audit with plain Python values, whatever the check computed with."""
    return Audit(name, bool(passed), value if isinstance(value, str) else float(value), detail)
