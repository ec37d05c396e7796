"""The key of a study: which rows are which stages and questions. It stays with the study's leader."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from otherminds.errors import OtherMindsError
from otherminds.files import write_json
from otherminds.metrics.socialmindchange import LETTERS
from otherminds.tasks.socialmindchange.benchmark import BENCHMARK

NAME = "key.json"


def known(dataset: str) -> str:
    """The name of a dataset of this benchmark, as it is; raises ValueError for any other."""
    if dataset not in BENCHMARK.datasets:
        raise ValueError(f"it must be one of {', '.join(BENCHMARK.datasets)}")
    return dataset


Dataset = Annotated[str, AfterValidator(known)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class KeyPlan(_Strict):
    """`sampling.Plan`, as the key keeps it."""

    part: str
    stages: int
    items: int
    raters: int
    overlap: int
    seed: int


class KeyQuestion(_Strict):
    """A question: its row in the sheets, its id and gold, and a hash of it as shown (`asked`).

    options  how many there are
    """

    row: str
    item_id: str
    type: str
    mental_state: str
    answer: str = Field(pattern="^[a-p]$")
    options: int = Field(ge=2, le=len(LETTERS))
    asked: str


class KeyStage(_Strict):
    """A stage: the prefix of its rows in the sheets, its id, and a hash of it as shown (`told`)."""

    row: str
    stage_id: str
    variant: str
    place_kind: str
    in_lite: bool
    told: str
    questions: list[KeyQuestion]


class KeyPages(_Strict):
    """One stage in a sheet: its row, and its questions' rows in this person's order."""

    stage: str
    questions: list[str]


class Key(_Strict):
    """Everything that is needed to read returned sheets.

    dataset  what its stages were drawn from
    data     version and content hashes of the data, as `otherminds.data.loading.provenance` gives them
    sheets   by annotator, their stages and questions, in order
    sha256   of the rest, so that a key that was edited is noticed
    """

    format: Literal["otherminds human study 1"] = "otherminds human study 1"
    study: str
    dataset: Dataset
    plan: KeyPlan
    data: dict[str, Any]
    stages: list[KeyStage]
    sheets: dict[str, list[KeyPages]]
    sha256: str = ""

    def sealed(self) -> Key:
        """The same with its digest."""
        return self.model_copy(update={"sha256": self._digest()})

    @property
    def is_sealed(self) -> bool:
        """Whether the digest is that of the rest."""
        return self.sha256 == self._digest()

    def _digest(self) -> str:
        return digest(self.model_dump(mode="json", exclude={"sha256"}))


def write(key: Key, folder: Path) -> None:
    """Write the key into a folder."""
    write_json(folder / NAME, key.model_dump(mode="json"))


def read(folder: Path) -> Key:
    """The key of the study in a folder.

    Raises OtherMindsError where there is none, where it is another kind of file, or was edited.
    """
    path = folder / NAME
    try:
        key = Key.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise OtherMindsError(
            f"{folder} has no {NAME}: give the folder that `otherminds annotate {BENCHMARK.name} "
            "export` wrote."
        ) from error
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise OtherMindsError(
            f"{path} is not the key of a study ({_first(error)}): restore the exported file."
        ) from error
    if not key.is_sealed:
        raise OtherMindsError(
            f"{path} was changed after the export: its digest is not that of its content. Restore it; "
            "the same export with the same seed and data version writes it again."
        )
    return key


def told(stage: Mapping[str, Any]) -> str:
    """A hash of a stage as it is shown: equal where a model's samples show it just the same.

    A document without one of these fields has a hash too, which is that of no stage.
    """
    return digest([stage.get(name) for name in ("profile", "background", "scenes")])


def asked(question: Mapping[str, Any]) -> str:
    """A hash of a question's text and options: equal for the same question in a model's samples."""
    return digest([question["question"], list(question["options"])])


def row(study: str, kind: str, name: str) -> str:
    """The name of a row in the sheets, the same in every export of the study.

    It does not show the id, whose parts tell the type and the state of mind of a question. It keeps no
    secret: anybody with the data can compute it, and would know the question by its text anyway.

    The letter and the dash keep spreadsheets from reading a hexadecimal number as a number.
    """
    return f"{kind}-{hashlib.sha256(f'{study}/{name}'.encode()).hexdigest()[:10]}"


def digest(content: Mapping[str, Any] | Sequence[Any]) -> str:
    """The SHA-256 of some JSON; the order of keys does not matter."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _first(error: ValidationError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"]) or "the top"
    return f"at '{where}': {found['msg']}"
