"""What each step of a build left, beside what the paper reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Step:
    """One step: its name, the counts after it, why it dropped what it dropped, and the paper's counts.

    counts    unit ("debates", "users", "beliefs", "known", "test", …) to how many are left
    dropped   reason to how many went for it
    paper     unit to the number in the paper, for those that it gives
    """

    name: str
    counts: Mapping[str, int]
    dropped: Mapping[str, int] = field(default_factory=dict)
    paper: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The step as plain data, reasons by falling count."""
        reasons = sorted(self.dropped.items(), key=lambda pair: (-pair[1], pair[0]))
        return {
            "name": self.name,
            "counts": dict(self.counts),
            "dropped": {reason: count for reason, count in reasons if count},
            "paper": dict(self.paper),
        }


def lines(funnel: list[Step]) -> list[str]:
    """The funnel for people: one line per step, one more per reason."""
    found = []
    for step in funnel:
        record = step.as_json()
        counts = ", ".join(
            f"{count:,} {unit}" + (f" (paper {step.paper[unit]:,})" if unit in step.paper else "")
            for unit, count in record["counts"].items()
        )
        found.append(f"{step.name}: {counts}")
        found += [f"  − {count:,} {reason}" for reason, count in record["dropped"].items()]
    return found
