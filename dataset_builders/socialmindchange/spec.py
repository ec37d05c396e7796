"""What to build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

GROUP_SIZES: Final = (4, 6)
SCENARIOS: Final = (5, 7)
"""The fewest and the most of each."""

BASE: Final = "base"


@dataclass(frozen=True)
class Variant:
    """How many stages, of how many people and scenes."""

    stages: int
    group_size: int
    scenarios: int


@dataclass(frozen=True)
class SocialMindSpec:
    """How many stages of which size, from which seed; `lite` of them are marked as the lite subset.

    `variants` are further stages of other sizes, by name; they make configurations of their own.

    Raises ValueError for a parameter that cannot be met, saying what can.
    """

    stages: int
    seed: int
    lite: int
    group_size: int
    scenarios: int
    variants: Mapping[str, Mapping[str, int]]

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}, but a seed is a whole number from 0.")
        for name, variant in self.families().items():
            _within(f"stages of {name}", variant.stages, (1, 99_999_999))
            _within(f"group_size of {name}", variant.group_size, GROUP_SIZES)
            _within(f"scenarios of {name}", variant.scenarios, SCENARIOS)
        _within("lite", self.lite, (0, self.stages))

    def families(self) -> dict[str, Variant]:
        """The stages to build by name, the base first. Raises ValueError for unknown parameters."""
        found = {BASE: Variant(self.stages, self.group_size, self.scenarios)}
        for name, parameters in self.variants.items():
            if sorted(parameters) != ["group_size", "scenarios", "stages"] or name == BASE:
                raise ValueError(
                    f"variant '{name}' has {', '.join(sorted(parameters)) or 'nothing'}; a variant has "
                    "stages, group_size and scenarios, and is not called base."
                )
            found[name] = Variant(**parameters)
        return found


def _within(name: str, value: int, bounds: tuple[int, int]) -> None:
    low, high = bounds
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}, but must lie between {low} and {high}.")
