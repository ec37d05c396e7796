"""SocialMindChange, scale: parameters, build, audits."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.builder import Generated
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.parts import Part, Plan
from otherminds.dataset_builders.socialmindchange import families
from otherminds.dataset_builders.socialmindchange.codes import content
from otherminds.dataset_builders.socialmindchange.families import Task, head, scaled, trial
from otherminds.dataset_builders.socialmindchange.scale.audits import audit, audit_by
from otherminds.dataset_builders.socialmindchange.scale.rows import (
    QUESTIONS,
    STAGES,
    question_rows,
    stage_row,
)
from otherminds.dataset_builders.socialmindchange.scale.stage import stage
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec
from otherminds.dataset_builders.socialmindchange.telling import filled, story
from otherminds.dataset_builders.verdict import Audit

__all__ = [
    "Audit",
    "SocialMindSpec",
    "audit",
    "audit_by",
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

_PREFIX: Final = "SC"
_COLLECTED: Final = 1_000_000
"""Stages are many objects in few circles: looking for circles as often as Python does by itself took a
third of the time."""

_SCHEMAS: Final = {"stages": STAGES, "questions": QUESTIONS}


def plan(spec: SocialMindSpec) -> Plan:
    """How it is built in parts of a few stages of one family; no stage depends on another."""
    _load()
    return families.plan(spec, _build_part, _SCHEMAS)


def sliced(spec: SocialMindSpec, name: str) -> Plan:
    """How the slice `lite` is built alone: the base's rows that are marked so.

    Raises ValueError for another name.
    """
    families.check_slice(name)
    _load()
    return families.plan(spec, _build_part, _SCHEMAS, only_lite=True)


_GENERATED: Final = Generated(SocialMindSpec, plan)
spec, build = _GENERATED.spec, _GENERATED.build


def _load() -> None:
    """Read all content, so that a fault in it shows here and not in a worker."""
    content.load()
    filled.deeds()
    filled.phrases()
    story.load()


@contextmanager
def _seldom_collected() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(_COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@_seldom_collected()
def _build_part(task: Task) -> Part:
    stages: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    variant = task.variant
    for number in task.numbers:
        made = stage(task.seed, task.family, number, variant.group_size, variant.scenarios)
        stage_id = families.stage_id(_PREFIX, task.name, number)
        marks = (stage_id, task.name, number in task.lite)
        stages.append(stage_row(*marks, made))
        questions += question_rows(*marks, made)
    ending = families.suffix(task.name)
    return {
        f"stages{ending}": pa.Table.from_pylist(stages, schema=STAGES),
        f"questions{ending}": pa.Table.from_pylist(questions, schema=QUESTIONS),
    }
