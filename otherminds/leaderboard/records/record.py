"""The parts of a submission: its record, its answers, and the findings on it.

    submissions/<id>/record.json               a `Submission`
    submissions/<id>/answers/<task>.parquet    one row per document and run; see `ANSWER_COLUMNS`
    submissions/<id>/verification.json         a `Verification`; written on acceptance, never sent

A record is written by strangers and shown on a page, so every text in it is short, and of characters
that can do no harm and cannot be mistaken for others: names are ASCII, and notes are plain text.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from otherminds.leaderboard.records import limits
from otherminds.leaderboard.records.fields import (
    ID,
    ContentHash,
    Level,
    Metric,
    Metrics,
    ModelName,
    Name,
    Notes,
    SeasonId,
    Setting,
    Sha256,
    Strict,
    TaskName,
    Version,
    metrics_of,
)
from otherminds.leaderboard.records.findings import (
    NOT_COMPARABLE,
    SCHEMA_VERSION,
    UNAFFILIATED,
    Finding,
    Rerun,
    Sums,
    Superseded,
    Verification,
)

__all__ = [
    "ANSWERS",
    "ANSWER_COLUMNS",
    "ID",
    "NOT_COMPARABLE",
    "RECORD",
    "SCHEMA_VERSION",
    "SUBMISSIONS",
    "UNAFFILIATED",
    "VERIFICATION",
    "Declarations",
    "Finding",
    "Harness",
    "Judge",
    "Level",
    "Metric",
    "Model",
    "ModelName",
    "Name",
    "Notes",
    "Rerun",
    "SeasonId",
    "Setting",
    "Sha256",
    "Submission",
    "Sums",
    "Superseded",
    "TaskName",
    "TaskRun",
    "Verification",
    "Version",
    "metrics_of",
]

RECORD = "record.json"
VERIFICATION = "verification.json"
ANSWERS = "answers"
SUBMISSIONS = "submissions"

ANSWER_COLUMNS = ("item_id", "doc_hash", "run", "parsed", "raw", "log_likelihoods", "correct")
"""The columns of a file of answers.

item_id          text
doc_hash         lm-eval's hash of the document; null where the data may not be shown, because a gold
                 could be found from it by trying
run              0, 1, …: which of the repeats
parsed           the answer as it was read, numbers as text; null where none could be
raw              the model's reply; null where the data may not be shown, and where the task
                 compares log-likelihoods
log_likelihoods  of the options, in order; null where answers were generated
correct          whether the answer is right; null where the data may not be shown
"""


class Model(Strict):
    """The model that answered. Its revision or the hash of its weights must be known.

    parameters  their number; None where it is not known, as of a model behind an API
    """

    name: ModelName
    revision: Version | None = None
    weights_sha256: Sha256 | None = None
    parameters: Annotated[int, Field(ge=1, le=10**15)] | None = None
    dtype: Version | None = None

    @model_validator(mode="after")
    def _is_one_model(self) -> Self:
        if self.revision is None and self.weights_sha256 is None:
            raise ValueError("revision or weights_sha256 must say which model it was")
        return self


class Harness(Strict):
    """Versions of the programs that asked and scored."""

    lm_eval: Version
    otherminds: Version


class Judge(Strict):
    """The model that judged, of tasks whose answers are judged."""

    name: ModelName
    revision: Version | None = None


class TaskRun(Strict):
    """One task, as it was run, with the scores that are claimed.

    data_version          the data's tag, without the v
    content_hash          of the rows, by configuration
    subset                the fixed subset of people that was run, such as 50; None for all of them
    prompt_sha256         of all prompts of the task, without a chat template; see `expected.prompts`
    chat_template_sha256  of the model's chat template; None where none was applied
    decoding              settings of the generation, by name, each as JSON
    seeds                 by name
    repeats               answers to each document
    n_items               documents
    metrics               the claims, by metric, over all documents; empty in a season
    answers               the file, `answers/<task>.parquet`
    answers_sha256        of the answers in it, however the file is written; see `answers.digest`
    """

    task: TaskName
    task_version: Version
    dataset: Name
    data_version: Version
    content_hash: Annotated[dict[Name, ContentHash], Field(min_length=1, max_length=16)]
    subset: Annotated[int, Field(ge=1, le=10**6)] | None = None
    prompt_sha256: Sha256
    chat_template_sha256: Sha256 | None = None
    decoding: Annotated[dict[Name, Setting], Field(max_length=32)]
    seeds: Annotated[dict[Name, int], Field(max_length=16)]
    repeats: Annotated[int, Field(ge=1, le=limits.REPEATS)]
    judge: Judge | None = None
    n_items: Annotated[int, Field(ge=1, le=limits.ROWS)]
    metrics: Metrics
    answers: Annotated[str, StringConstraints(max_length=200)]
    answers_sha256: Sha256

    @model_validator(mode="after")
    def _answers_lie_where_they_must(self) -> Self:
        if self.answers != f"{ANSWERS}/{self.task}.parquet":
            raise ValueError(f"answers must be {ANSWERS}/{self.task}.parquet")
        return self


class Declarations(Strict):
    """Declarations that only the submitter can make.

    trained_on_data  whether the model, or a prompt, was fitted to any of these data
    """

    trained_on_data: bool
    notes: Notes = ""


class Submission(Strict):
    """One model's runs. `date` is the day on which the record was made.

    season  the season that it is an entry of; its data have no golds, so nothing can be claimed
    """

    schema_version: Literal["1"]
    model: Model
    harness: Harness
    tasks: Annotated[list[TaskRun], Field(min_length=1, max_length=limits.TASKS)]
    date: date
    submitter: Name
    declarations: Declarations
    season: SeasonId | None = None

    @model_validator(mode="after")
    def _names_each_task_once(self) -> Self:
        names = [run.task for run in self.tasks]
        if len(set(names)) < len(names):
            raise ValueError("tasks name a task twice; repeated runs are one entry with repeats")
        return self

    @model_validator(mode="after")
    def _claims_what_can_be_known(self) -> Self:
        for run in self.tasks:
            if bool(run.metrics) == (self.season is not None):
                raise ValueError("each task claims metrics, but those of a season claim none")
        return self
