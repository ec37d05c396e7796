"""SocialMindChange: parameters, build, audits.

Built are `stages` and `questions`, and with variants `stages_variants` and `questions_variants`. The
questions of a stage are adjacent.
"""

from __future__ import annotations

from typing import Any, Final

import pyarrow as pa

from otherminds.dataset_builders.builder import Generated
from otherminds.dataset_builders.hashing import content_hash
from otherminds.dataset_builders.parts import Part, Plan
from otherminds.dataset_builders.socialmindchange import families
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
from otherminds.dataset_builders.socialmindchange.codes.spec import Purpose, stream
from otherminds.dataset_builders.socialmindchange.families import Task, head, scaled, trial
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec
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

_PREFIX: Final = "SM"
_SCHEMAS: Final = {"stages": STAGES, "questions": QUESTIONS}


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
    content.load()  # so that a fault in the content shows here and not in a worker
    return families.plan(spec, _build_part, _SCHEMAS)


def sliced(spec: SocialMindSpec, name: str) -> Plan:
    """How the slice `lite` is built alone: the base's rows that are marked so.

    Raises ValueError for another name.
    """
    families.check_slice(name)
    content.load()
    return families.plan(spec, _build_part, _SCHEMAS, only_lite=True)


_GENERATED: Final = Generated(SocialMindSpec, plan)
spec, build = _GENERATED.spec, _GENERATED.build


def _build_part(task: Task) -> Part:
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
        stage_id = families.stage_id(_PREFIX, task.name, number)
        marks = (stage_id, task.name, number in task.lite)
        stages.append(stage_row(vocabulary, *marks, told))
        questions += question_rows(*marks, told, made)
    ending = families.suffix(task.name)
    return {
        f"stages{ending}": pa.Table.from_pylist(stages, schema=STAGES),
        f"questions{ending}": pa.Table.from_pylist(questions, schema=QUESTIONS),
    }
