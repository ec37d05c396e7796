"""One measured ratio: ours, what it is set against, and the target it is held to."""

from __future__ import annotations

import dataclasses
import json
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from rich.console import Console
from rich.table import Table

from performance import machine

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_TARGET = re.compile(r"(<=|>=|<|>) *(\d+(?:\.\d+)?)")


@dataclasses.dataclass(frozen=True)
class Ratio:
    """Ours set against a reference: `of` divides, `alone` is a number without one.

    is_met  whether the target is met, which is for the ratio, or without a reference for `ours`;
            None without a target
    """

    name: str
    ours: float
    reference: float
    unit: str
    ratio: float
    target: str
    is_met: bool | None
    note: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        ours: float,
        reference: float,
        unit: str,
        *,
        target: str = "",
        inverse: bool = False,
        note: str = "",
    ) -> Self:
        """Ours / reference held to `target`, such as "<= 0.25" or ">= 5"; no target, no verdict.

        `inverse` takes reference / ours: how many times faster ours is when both are seconds.
        Raises ValueError when the target cannot be read, or the divisor is not above 0.
        """
        above, below = (reference, ours) if inverse else (ours, reference)
        if not below > 0:
            raise ValueError(f"{name}: cannot divide {above} by {below}; measure something longer.")
        ratio = above / below
        return cls(name, ours, reference, unit, ratio, target, meets(ratio, target), note)

    @classmethod
    def alone(cls, name: str, ours: float, unit: str, *, target: str = "", note: str = "") -> Self:
        """A number with no reference, held to `target` itself; `ratio` is NaN."""
        return cls(name, ours, math.nan, unit, math.nan, target, meets(ours, target), note)

    @classmethod
    def left_out(cls, name: str, why: str, *, target: str = "") -> Self:
        """What could not be measured here: no number, and no verdict."""
        return cls(name, math.nan, math.nan, "", math.nan, target, None, f"left out: {why}")


def meets(value: float, target: str) -> bool | None:
    """Whether the value is as the target says; None without a target."""
    if not target:
        return None
    found = _TARGET.fullmatch(target)
    if found is None:
        raise ValueError(f"Target '{target}' is not like '<= 0.25' or '>= 5'.")
    return _COMPARISONS[found[1]](value, float(found[2]))


def print_table(ratios: Sequence[Ratio], *, console: Console | None = None) -> None:
    """Print one line per ratio."""
    table = Table()
    for column in ("benchmark", "ours", "reference", "unit", "ratio", "target", "met", "note"):
        is_number = column in ("ours", "reference", "ratio")
        table.add_column(column, justify="right" if is_number else "left", overflow="fold")
    for one in ratios:
        table.add_row(
            one.name,
            number(one.ours),
            number(one.reference),
            one.unit,
            number(one.ratio),
            one.target,
            {None: "", True: "yes", False: "NO"}[one.is_met],
            one.note,
        )
    (console or Console()).print(table)


def write_json(
    path: Path, ratios: Mapping[str, Sequence[Ratio]], *, failed: Sequence[str] = ()
) -> None:
    """Write the ratios of each benchmark, those that failed, and the machine they were measured on.

    What is not a number (no reference) is written as null.
    """
    found = {
        "machine": machine.described(),
        "ratios": [
            {"benchmark": name, **as_json(one)} for name, of in ratios.items() for one in of
        ],
        "failed": list(failed),
    }
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def as_json(one: Ratio) -> dict[str, Any]:
    """The fields of one ratio, NaN as null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in dataclasses.asdict(one).items()
    }


def from_json(found: dict[str, Any]) -> Ratio:
    """What `as_json` wrote."""
    numbers = {
        name: math.nan if found[name] is None else float(found[name])
        for name in ("ours", "reference", "ratio")
    }
    return Ratio(**{**found, **numbers})


def number(value: float) -> str:
    """A number as tables show it; a dash for one that is not there."""
    if not math.isfinite(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"
