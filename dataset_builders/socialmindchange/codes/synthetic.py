"""SocialMindChange: parameters, build, audits.

Built are `stages` and `questions`, and with variants `stages_variants` and `questions_variants`. The
questions of a stage are adjacent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.builder import Generated, whole_parts
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.parts import Part, Plan, Read
from otherminds.dataset_builders.socialmindchange.codes import (
    cast,
    content,
    items,
    scenes,
    trajectory,
)
from otherminds.dataset_builders.socialmindchange.codes.audits import audit
from otherminds.dataset_builders.socialmindchange.codes.rows import (
    QUESTIONS,
    STAGES,
    question_rows,
    stage_row,
)
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.codes.spec import (
    BASE,
    Purpose,
    SocialMindSpec,
    Variant,
    stream,
)
from otherminds.dataset_builders.verdict import Audit

__all__ = [
    "Audit",
    "SocialMindSpec",
    "audit",
    "build",
    "content_hash",
    "head",
    "plan",
    "scaled",
    "sliced",
    "spec",
    "stage",
    "trial",
]

_STAGES_PER_PART: Final = 20

LITE: Final = "lite"
"""The slice that tasks ask for in their YAML, by this name."""


@dataclass(frozen=True)
class _Task:
    """Some stages of one family."""

    seed: int
    family: int
    name: str
    variant: Variant
    numbers: tuple[int, ...]
    lite: frozenset[int]


def stage(seed: int, family: int, number: int, size: int, scenarios: int) -> Stage:
    """One stage; it depends on these numbers and the content files only."""
    vocabulary = content.load()
    rng = stream(seed, family, number, Purpose.CAST)
    where = cast.setting(rng, vocabulary)
    people = cast.cast(rng, vocabulary, where.kind, size)
    minds = trajectory.plan(stream(seed, family, number, Purpose.TRAJECTORY), size, scenarios)
    texts = stream(seed, family, number, Purpose.TEXT)
    return scenes.tell(texts, vocabulary, where, people, minds)


def plan(spec: SocialMindSpec) -> Plan:
    """How it is built in parts of 20 stages of one family; no stage depends on another."""
    return _plan(spec)


def sliced(spec: SocialMindSpec, name: str) -> Plan:
    """How the slice `lite` is built alone: the base's rows that are marked so.

    Raises ValueError for another name.
    """
    if name != LITE:
        raise ValueError(f"There is no slice '{name}', only '{LITE}'.")
    return _plan(replace(spec, variants={}), only_lite=True)


def _plan(spec: SocialMindSpec, *, only_lite: bool = False) -> Plan:
    content.load()  # so that a fault in the content shows here and not in a worker
    order = stream(spec.seed, 0, 0, Purpose.LITE).permutation(spec.stages)
    lite = frozenset(order[: spec.lite].tolist())
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
        suffix = _suffix(families[starts[part][0]][0])
        return frozenset(f"{config}{suffix}" for config in ("stages", "questions"))

    def task(part: int) -> _Task:
        family = starts[part][0]
        name, variant = families[family]
        marked = lite.intersection(numbers(part)) if name == BASE else frozenset()
        return _Task(spec.seed, family, name, variant, tuple(numbers(part)), marked)

    def assembled(read: Read) -> dict[str, Iterator[pa.Table]]:
        # Variants come after the base, and have tables of their own.
        return {
            config + suffix: _cast(read(config + suffix), schema)
            for suffix in (("", "_variants") if spec.variants else ("",))
            for config, schema in (("stages", STAGES), ("questions", QUESTIONS))
        }

    return Plan(len(starts), lambda part: len(numbers(part)), task, _build_part, assembled, holds)


def scaled(spec: SocialMindSpec, stages: int) -> SocialMindSpec:
    """The same for another number of stages; the lite subset is as large as far as there are stages."""
    return replace(spec, stages=stages, lite=min(spec.lite, stages))


def head(spec: SocialMindSpec, stages: int) -> tuple[SocialMindSpec, int]:
    """The first `stages` stages, or a few more, as a dataset of their own; and how many parts they are.

    It has no variants, and the marks of the whole.
    """
    parts, number = whole_parts(stages, spec.stages, _STAGES_PER_PART)
    order = stream(spec.seed, 0, 0, Purpose.LITE).permutation(spec.stages)
    lite = int((order[: spec.lite] < number).sum())
    return replace(spec, stages=number, lite=lite, variants={}), parts


def trial(spec: SocialMindSpec) -> SocialMindSpec:
    """Something of everything, built in a second: two lite stages, and one of each variant."""
    variants = {name: {**one, "stages": 1} for name, one in spec.variants.items()}
    return replace(spec, stages=2, lite=2, variants=variants)


_GENERATED: Final = Generated(SocialMindSpec, plan)
spec, build = _GENERATED.spec, _GENERATED.build


def _cast(tables: Iterator[pa.Table], schema: pa.Schema) -> Iterator[pa.Table]:
    """What was read from a file may have other names for the entries of lists."""
    return (table.cast(schema) for table in tables)


def _build_part(task: _Task) -> Part:
    vocabulary = content.load()
    stages: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    for number in task.numbers:
        told = stage(
            task.seed, task.family, number, task.variant.group_size, task.variant.scenarios
        )
        made = items.questions(
            stream(task.seed, task.family, number, Purpose.QUESTIONS),
            stream(task.seed, task.family, number, Purpose.LETTERS),
            vocabulary,
            told,
        )
        stage_id = f"{_prefix(task.name)}{number + 1:04d}"
        marks = (stage_id, task.name, number in task.lite)
        stages.append(stage_row(vocabulary, *marks, told))
        questions += question_rows(*marks, told, made)
    suffix = _suffix(task.name)
    return {
        f"stages{suffix}": pa.Table.from_pylist(stages, schema=STAGES),
        f"questions{suffix}": pa.Table.from_pylist(questions, schema=QUESTIONS),
    }


def _suffix(name: str) -> str:
    """The end of the names of the configurations that a family is in."""
    return "" if name == BASE else "_variants"


def _prefix(name: str) -> str:
    """SM for the base, the variant's name for others."""
    return "SM" if name == BASE else f"SM-{name}-"
