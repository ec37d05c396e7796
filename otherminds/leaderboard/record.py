"""What a submission is: its record, its answers, and what verifying it found.

    submissions/<id>/record.json               a `Submission`
    submissions/<id>/answers/<task>.parquet    one row per document and run; see `ANSWER_COLUMNS`
    submissions/<id>/verification.json         a `Verification`; written on acceptance, never sent

A record is written by strangers and shown on a page, so every text in it is short, and of characters
that can do no harm and cannot be mistaken for others: names are ASCII, and notes are plain text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from otherminds.leaderboard import limits

SCHEMA_VERSION: Final = "1"

RECORD = "record.json"
VERIFICATION = "verification.json"
ANSWERS = "answers"
SUBMISSIONS = "submissions"

NOT_COMPARABLE: Final = "not-comparable"
"""The flag of a task whose data or prompts have changed since; its detail begins with the task."""

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""The name of a submission's folder, of at most 100 characters."""

ANSWER_COLUMNS = ("item_id", "doc_hash", "run", "parsed", "raw", "log_likelihoods", "correct")
"""The columns of a file of answers.

item_id          text
doc_hash         lm-eval's hash of the document; null where the data may not be shown, because a gold
                 could be found from it by trying
run              0, 1, …: which of the repeats
parsed           the answer as it was read, numbers as text; null where none could be
raw              what the model returned; null where the data may not be shown, and where the task
                 compares log-likelihoods
log_likelihoods  of the options, in order; null where answers were generated
correct          whether the answer is right; null where the data may not be shown
"""


def _plain_text(text: str) -> str:
    """Text that shows as what it is, on a page and in a terminal."""
    if unicodedata.normalize("NFKC", text) != text:
        raise ValueError("has characters that look like others (it is not in the form NFKC)")
    if any(unicodedata.category(character)[0] == "C" for character in text):
        raise ValueError("has control characters or invisible ones")
    if any(unicodedata.category(character) in ("Zl", "Zp") for character in text):
        raise ValueError("has line or paragraph separators")
    if set("<>&") & set(text):
        raise ValueError("has one of the characters <, > and &, which are those of HTML")
    return text


def _no_climbing(text: str) -> str:
    if ".." in text:
        raise ValueError("has two dots in a row, as a path that climbs")
    return text


def _matching(pattern: str, longest: int) -> StringConstraints:
    return StringConstraints(pattern=rf"\A{pattern}\z", max_length=longest)


_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"

ModelName = Annotated[str, _matching(rf"{_PART}(?:/{_PART})?", 100), AfterValidator(_no_climbing)]
"""As on the Hub: `name` or `owner/name`, of ASCII letters, digits and `._-`."""

Name = Annotated[str, _matching(_PART, 100), AfterValidator(_no_climbing)]
Version = Annotated[str, _matching(r"[A-Za-z0-9][A-Za-z0-9.+_-]*", 64)]
TaskName = Annotated[str, _matching(r"[a-z][a-z0-9_]*", 100)]
SeasonId = Annotated[str, _matching(r"[a-z0-9]+(?:-[a-z0-9]+)*", 40)]
Sha256 = Annotated[str, _matching(r"[0-9a-f]{64}", 64)]
ContentHash = Annotated[str, _matching(r"[A-Za-z0-9:_-]+", 128)]
Setting = Annotated[str, StringConstraints(max_length=500), AfterValidator(_plain_text)]
Notes = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_plain_text)]

Level = Literal["sealed", "self-reported", "re-scored", "re-run"]
"""How far scores can be trusted. There are none of a sealed submission until its season closes."""


class _Strict(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, strict=True, protected_namespaces=()
    )


class Model(_Strict):
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


class Harness(_Strict):
    """Versions of the programs that asked and scored."""

    lm_eval: Version
    otherminds: Version


class Judge(_Strict):
    """The model that judged, of tasks whose answers are judged."""

    name: ModelName
    revision: Version | None = None


class Metric(_Strict):
    """A value with its uncertainty, as `otherminds.metrics.estimate.Estimate`; None where unknown."""

    value: float
    stderr: float | None
    low: float | None
    high: float | None
    n: Annotated[float, Field(gt=0)]
    n_clusters: Annotated[int, Field(ge=1)]


Metrics = Annotated[dict[Name, Metric], Field(max_length=64)]


class TaskRun(_Strict):
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
    metrics               what is claimed, by metric, over all documents; nothing in a season
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


class Declarations(_Strict):
    """What only the submitter can say.

    trained_on_data  whether the model, or a prompt, was fitted to any of these data
    """

    trained_on_data: bool
    notes: Notes = ""


class Submission(_Strict):
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


class Finding(_Strict):
    """A reason of a refusal, or a flag: its code in `reasons`, and what was found."""

    code: Annotated[str, _matching(r"[a-z]+(?:-[a-z]+)*", 64)]
    detail: Annotated[str, StringConstraints(max_length=500)]


class Superseded(_Strict):
    """Scores of a task by rules that hold no more."""

    task: TaskName
    task_version: Version
    metrics: Metrics


class Rerun(_Strict):
    """An operator has run the model too.

    differences  by task and metric, submission - operator's run, on the same documents
    """

    by: Name
    date: date
    differences: dict[TaskName, dict[Name, Metric]]


class Verification(_Strict):
    """What verifying an accepted submission found.

    checked        the day, as it was given
    flags          what a reader must know, or a person must look at
    recomputed     by task and metric, from the answers; empty of a submission that is self-reported
    task_versions  whose rules `recomputed` is by, of tasks that were scored again since: see `regrade`
    superseded     what was found by earlier rules, oldest first
    rerun          of the level `re-run`
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    level: Level
    checked: date
    reasons: list[Finding] = []
    flags: list[Finding] = []
    recomputed: dict[TaskName, dict[Name, Metric]] = {}
    task_versions: dict[TaskName, Version] = {}
    superseded: list[Superseded] = []
    rerun: Rerun | None = None

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


def metrics_of(estimates: Mapping[str, Mapping[str, float]]) -> dict[str, Metric]:
    """Estimates, as the details of a run have them, as a record states them: without NaN."""
    return {
        name: Metric(
            value=float(found["value"]),
            stderr=_known(found["stderr"]),
            low=_known(found["low"]),
            high=_known(found["high"]),
            n=float(found["n"]),
            n_clusters=int(found["n_clusters"]),
        )
        for name, found in estimates.items()
        if found["value"] == found["value"]
    }


def _known(number: float) -> float | None:
    return None if number != number else float(number)
