"""What the measured rows claim together: one verdict for each claim, however many rows it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from performance.ratio import Ratio, number


@dataclass(frozen=True)
class Claim:
    """One row that stands for itself, or all rows of one `claim`, in the order in which they ran."""

    name: str
    rows: tuple[Ratio, ...]

    @property
    def held(self) -> tuple[Ratio, ...]:
        """The rows that are held to a target."""
        return tuple(one for one in self.rows if one.target)

    @property
    def target(self) -> str:
        """The target of the rows; "" where none has one."""
        return ", ".join(dict.fromkeys(one.target for one in self.held))

    @property
    def is_met(self) -> bool | None:
        """Whether every row is within its target; None while one has no verdict or none a target."""
        verdicts = {one.is_met for one in self.held}
        if False in verdicts:
            return False
        return None if None in verdicts or not verdicts else True

    @property
    def within(self) -> str:
        """How many of the rows are within: "35 of 42", with those that were not measured."""
        held = self.held
        said = f"{sum(one.is_met is True for one in held)} of {len(held)}"
        unclear = sum(one.is_met is None for one in held)
        return f"{said}, {unclear} not measured" if unclear else said

    @property
    def worst(self) -> str:
        """The number farthest on the wrong side, of the ratios or, without references, of ours."""
        ratios = [one.ratio for one in self.held if math.isfinite(one.ratio)]
        numbers = ratios or [one.ours for one in self.held if math.isfinite(one.ours)]
        if not numbers:
            return number(math.nan)
        most = max if self.target.startswith("<") else min
        return f"{number(most(numbers))} at worst"

    @property
    def has_reference(self) -> bool:
        """Whether the target is for ratios."""
        return any(math.isfinite(one.ratio) for one in self.held)

    @property
    def data(self) -> str:
        """Whose data the rows took."""
        return ", ".join(dict.fromkeys(one.data for one in self.rows if one.data))


def claims(ratios: Sequence[Ratio]) -> list[Claim]:
    """The claims of a benchmark's rows, each where its first row stands."""
    found: dict[tuple[str, int], list[Ratio]] = {}
    for place, one in enumerate(ratios):
        found.setdefault((one.claim, -1) if one.claim else (one.name, place), []).append(one)
    return [Claim(name, tuple(rows)) for (name, _), rows in found.items()]
