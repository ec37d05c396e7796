"""What the editions of SocialMindChange share: stages of families, built in parts.

A family is the base or a variant: stages of one size, counted from 1. No stage depends on another, so
a part is a few stages of one family. Each edition has the configurations `stages` and `questions`, and
with variants `stages_variants` and `questions_variants`; the questions of a stage are adjacent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherminds.dataset_builders import draws
from otherminds.dataset_builders.builder import whole_parts
from otherminds.dataset_builders.parts import Part, Plan, Read
from otherminds.dataset_builders.socialmindchange.spec import BASE, SocialMindSpec, Variant

_STAGES_PER_PART: Final = 20

LITE: Final = "lite"
"""The slice that tasks ask for in their YAML, by this name."""

LITE_PURPOSE: Final = 5
"""The purpose of the stream that marks it; no edition's own purposes have this number."""


@dataclass(frozen=True)
class Task:
    """Some stages of one family."""

    seed: int
    family: int
    name: str
    variant: Variant
    numbers: tuple[int, ...]
    lite: frozenset[int]


def plan(
    spec: SocialMindSpec,
    build: Callable[[Task], Part],
    schemas: Mapping[str, pa.Schema],
    *,
    only_lite: bool = False,
) -> Plan:
    """How an edition is built in parts of 20 stages of one family.

    schemas    of the configurations `stages` and `questions`
    only_lite  the base's rows that are marked so, and nothing else
    """
    if only_lite:
        spec = replace(spec, variants={})
    lite = frozenset(_order(spec)[: spec.lite].tolist())
    starts = [
        (family, first)
        for family, variant in enumerate(spec.families().values())
        for first in range(0, variant.stages, _STAGES_PER_PART)
    ]
    families = list(spec.families().items())

    def numbers(part: int) -> Sequence[int]:
        family, first = starts[part]
        found = range(first, min(first + _STAGES_PER_PART, families[family][1].stages))
        return [number for number in found if number in lite] if only_lite else found

    def holds(part: int) -> frozenset[str]:
        ending = suffix(families[starts[part][0]][0])
        return frozenset(f"{config}{ending}" for config in schemas)

    def task(part: int) -> Task:
        family = starts[part][0]
        name, variant = families[family]
        marked = lite.intersection(numbers(part)) if name == BASE else frozenset()
        return Task(spec.seed, family, name, variant, tuple(numbers(part)), marked)

    def assembled(read: Read) -> dict[str, Iterator[pa.Table]]:
        # Variants come after the base, and have tables of their own.
        return {
            config + ending: _cast(read(config + ending), schema)
            for ending in (("", "_variants") if spec.variants else ("",))
            for config, schema in schemas.items()
        }

    return Plan(len(starts), lambda part: len(numbers(part)), task, build, assembled, holds)


def check_slice(name: str) -> None:
    """Raise ValueError for the name of a slice that is not `lite`."""
    if name != LITE:
        raise ValueError(f"There is no slice '{name}', only '{LITE}'.")


def scaled(spec: SocialMindSpec, stages: int) -> SocialMindSpec:
    """The same for another number of stages; the lite subset is as large as far as there are stages.

    Of fewer stages than these, variants have fewer in proportion, and one at least.
    """
    share = min(1.0, stages / spec.stages)
    variants = {
        name: {**one, "stages": max(1, round(one["stages"] * share))}
        for name, one in spec.variants.items()
    }
    return replace(spec, stages=stages, lite=min(spec.lite, stages), variants=variants)


def head(spec: SocialMindSpec, stages: int) -> tuple[SocialMindSpec, int]:
    """The first `stages` stages, or a few more, as a dataset of their own; and how many parts they are.

    It has no variants, and the marks of the whole.
    """
    parts, number = whole_parts(stages, spec.stages, _STAGES_PER_PART)
    lite = int((_order(spec)[: spec.lite] < number).sum())
    return replace(spec, stages=number, lite=lite, variants={}), parts


def trial(spec: SocialMindSpec) -> SocialMindSpec:
    """Something of everything, built in a second: two lite stages, and one of each variant."""
    variants = {name: {**one, "stages": 1} for name, one in spec.variants.items()}
    return replace(spec, stages=2, lite=2, variants=variants)


def suffix(name: str) -> str:
    """The end of the names of the configurations that a family is in."""
    return "" if name == BASE else "_variants"


def stage_id(prefix: str, name: str, number: int) -> str:
    """The id of a stage of a family by its number from 0; variants are named in it."""
    return f"{prefix}{number + 1:04d}" if name == BASE else f"{prefix}-{name}-{number + 1:04d}"


def _order(spec: SocialMindSpec) -> NDArray[np.int64]:
    """The base's stages in the order in which they are marked as lite."""
    return draws.stream((spec.seed, 0, 0), (LITE_PURPOSE,)).permutation(spec.stages)


def _cast(tables: Iterator[pa.Table], schema: pa.Schema) -> Iterator[pa.Table]:
    """What was read from a file may have other names for the entries of lists."""
    return (table.cast(schema) for table in tables)
