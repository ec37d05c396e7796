"""The findings on a submission: `verification.json`, which lies beside each accepted record."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field, SerializerFunctionWrapHandler, StringConstraints, model_serializer

from otherminds.leaderboard.records.fields import (
    Level,
    Metric,
    Metrics,
    Name,
    Sha256,
    Strict,
    TaskName,
    Version,
    matching,
)

if TYPE_CHECKING:  # records name these classes too
    from otherminds.leaderboard.records.record import TaskRun

SCHEMA_VERSION: Final = "1"

NOT_COMPARABLE: Final = "not-comparable"
"""The flag of a task whose data or prompts have changed since; its detail begins with the task."""

UNAFFILIATED: Final = "unaffiliated"
"""The flag of a model whose name begins with an account that the submitter is not seen to belong to."""


class Finding(Strict):
    """A reason of a refusal, or a flag: its code in `reasons`, and its detail."""

    code: Annotated[str, matching(r"[a-z]+(?:-[a-z]+)*", 64)]
    detail: Annotated[str, StringConstraints(max_length=500)]


class Superseded(Strict):
    """Scores of a task by rules that hold no more."""

    task: TaskName
    task_version: Version
    metrics: Metrics


class Rerun(Strict):
    """An operator has run the model too.

    differences  by task and metric, submission - operator's run, on the same documents
    """

    by: Name
    date: date
    differences: dict[TaskName, dict[Name, Metric]]


class Sums(Strict):
    """The right answers to a task by person and part; see `otherminds.leaderboard.judging.sums`.

    answers_sha256  of the answers that were counted, as the record has it
    task_version    by whose rules they are right
    layout          a hash of which item belongs to whom and to which part
    right           the counts: 32-bit integers, compressed, in base64
    """

    answers_sha256: Sha256
    task_version: Version
    layout: Sha256
    right: Annotated[str, matching(r"[A-Za-z0-9+/]+={0,2}", 500_000)]


class Verification(Strict):
    """The findings on an accepted submission.

    checked        the day, as the caller states it
    flags          notes to readers, or for a person to look at
    recomputed     by task and metric, from the answers; empty of a submission that is self-reported
    task_versions  whose rules `recomputed` is by, of tasks that were scored again since: see `regrade`
    superseded     the findings by earlier rules, oldest first
    rerun          of the level `re-run`
    sums           by task, of data that may be shown: a board then need not read the answers
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    level: Level
    checked: date
    reasons: list[Finding] = Field(default_factory=list)
    flags: list[Finding] = Field(default_factory=list)
    recomputed: dict[TaskName, dict[Name, Metric]] = Field(default_factory=dict)
    task_versions: dict[TaskName, Version] = Field(default_factory=dict)
    superseded: list[Superseded] = Field(default_factory=list)
    rerun: Rerun | None = None
    sums: dict[TaskName, Sums] = Field(default_factory=dict)

    @model_serializer(mode="wrap")
    def _without_empty_sums(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Entries of seasons never have any.
        written: dict[str, Any] = write(self)
        return written if self.sums else {k: v for k, v in written.items() if k != "sums"}

    def scored(self, run: TaskRun) -> TaskRun:
        """A task of the submission, with the version by whose rules it is scored now."""
        version = self.task_versions.get(run.task)
        return run if version is None else run.model_copy(update={"task_version": version})

    def not_comparable(self, task: str) -> str:
        """Why a task's scores are not comparable with others' now; empty where they are."""
        for flag in self.flags:
            if flag.code == NOT_COMPARABLE and flag.detail.startswith(f"{task}: "):
                return flag.detail.removeprefix(f"{task}: ")
        return ""
