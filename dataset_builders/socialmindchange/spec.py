"""What to build of an edition: how many stages of which sizes, from which seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from otherminds.dataset_builders.builder import check_seed, check_whole

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
        check_seed(self.seed)
        for name, variant in self.families().items():
            check_whole(f"stages of {name}", variant.stages, 1, 99_999_999)
            check_whole(f"group_size of {name}", variant.group_size, *GROUP_SIZES)
            check_whole(f"scenarios of {name}", variant.scenarios, *SCENARIOS)
        check_whole("lite", self.lite, 0, self.stages)

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
