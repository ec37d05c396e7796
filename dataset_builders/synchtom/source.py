"""The files of a clone of the authors' repository, checked one by one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from otherminds.dataset_builders.sources import SourceError
from otherminds.dataset_builders.synchtom.schema import TURNS
from otherminds.files import not_json

FILES: Final = {
    "preference": "pref-benchmark.json",
    "education": "education-benchmark.json",
    "culture": "culture-benchmark.json",
    "software_engineering": "swe-benchmark.json",
}
"""The file of each scenario, in the order of the dataset."""

TRAJECTORIES: Final = "trajectories"

_SHOWN: Final = 40
"""Characters of the longest id that a message shows."""

_Record = TypeVar("_Record", bound=BaseModel)
_Element = TypeVar("_Element")


def _written(text: str | None) -> str | None:
    # JSON may have half of a surrogate pair, which no file can.
    if text is not None and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("holds half of a character, which no text can")
    return text


def _said(text: str) -> str:
    _written(text)
    if not text.strip():
        raise ValueError("is empty")
    return text


def _some(criteria: list[_Element]) -> list[_Element]:
    if not criteria:
        raise ValueError("has no criteria, so that nothing could be judged")
    return criteria


Text = Annotated[str, AfterValidator(_said)]


class Criterion(BaseModel):
    """One thing that an answer must say."""

    model_config = ConfigDict(strict=True)

    criterion: Text


class Rubrics(BaseModel):
    """The criteria of each dimension."""

    model_config = ConfigDict(strict=True)

    latent_belief_explanation: Annotated[list[Criterion], AfterValidator(_some)]
    user_profile_modeling: Annotated[list[Criterion], AfterValidator(_some)]
    correct_resolution: Annotated[list[Criterion], AfterValidator(_some)]


class Instance(BaseModel):
    """An instance as the source has it; `trajectory` is a path in the clone."""

    model_config = ConfigDict(strict=True)

    id: Text
    true_latent_state: Text
    user_latent_belief: Text
    misconception_type: Text
    root_cause_of_misconception: Text
    observation: Text
    explicit_instruction: Text
    trajectory: Text
    user_profile: Text
    rubrics: Rubrics


class Turn(BaseModel):
    """A turn as the source has it; whatever else it says is in `model_extra`."""

    model_config = ConfigDict(strict=True, extra="allow")

    turn: int
    action: Text
    observation: Annotated[str | None, AfterValidator(_written)] = None


@dataclass(frozen=True)
class Case:
    """An instance with its scenario and its turns."""

    scenario: str
    instance: Instance
    turns: list[Turn]


@dataclass(frozen=True)
class Source:
    """What a clone holds.

    cases   by scenario, in the order of the files
    unused  trajectories that no instance names, as paths in the clone
    sha256  of the files that were read, see `_digest`
    """

    cases: list[Case]
    unused: list[str]
    sha256: str


def read(folder: Path) -> Source:
    """Read the four files of instances and the trajectories that these name.

    Raises SourceError for a file that is missing or no JSON, a field that is missing or no text, an id
    given twice, a rubric without criteria, and a trajectory without just TURNS turns in order.
    """
    if missing := [name for name in FILES.values() if not (folder / name).is_file()]:
        raise SourceError(
            f"{folder} lacks {', '.join(missing)}: give the folder of a clone of SynchToM's repository."
        )
    cases: list[Case] = []
    seen: dict[str, str] = {}
    for scenario, name in FILES.items():
        for instance in _instances(folder / name):
            if instance.id in seen:
                raise SourceError(
                    f"{folder / name}: the id '{instance.id}' is in {seen[instance.id]} already; ids "
                    "must be unique."
                )
            seen[instance.id] = name
            cases.append(Case(scenario, instance, _turns(folder, instance)))
    used = {PurePosixPath(case.instance.trajectory) for case in cases}
    present = {
        PurePosixPath(path.relative_to(folder).as_posix())
        for path in (folder / TRAJECTORIES).rglob("*.json")
    }
    return Source(
        cases=cases,
        unused=sorted(map(str, present - used)),
        sha256=_digest(folder, [*FILES.values(), *sorted(map(str, used))]),
    )


def _instances(path: Path) -> Iterator[Instance]:
    records = _json(path)
    if not isinstance(records, list):
        raise SourceError(f"{path} is not a list of instances.")
    for place, record in enumerate(records, start=1):
        name = record.get("id") if isinstance(record, dict) else None
        shown = name if isinstance(name, str) and len(name) <= _SHOWN else "unnamed"
        yield _checked(Instance, record, f"{path}, instance {place} ({shown})")


def _turns(folder: Path, instance: Instance) -> list[Turn]:
    relative = PurePosixPath(instance.trajectory)
    if relative.parts[0] != TRAJECTORIES or ".." in relative.parts:
        raise SourceError(
            f"Instance {instance.id} names the trajectory '{instance.trajectory}', which is not in the "
            f"folder {TRAJECTORIES}."
        )
    path = folder / relative
    if not path.is_file():
        raise SourceError(f"Instance {instance.id}: its trajectory {path} is missing.")
    record = _json(path)
    turns = record.get("trajectory") if isinstance(record, dict) else None
    if not isinstance(turns, list) or len(turns) != TURNS:
        found = f"{len(turns)} turns" if isinstance(turns, list) else "no list of turns"
        raise SourceError(f"{path} has {found}; it must have {TURNS}.")
    read_turns = [
        _checked(Turn, turn, f"{path}, turn {place}") for place, turn in enumerate(turns, start=1)
    ]
    numbers = [turn.turn for turn in read_turns]
    if numbers != list(range(1, TURNS + 1)):
        raise SourceError(f"{path}: its turns are numbered {numbers}, not 1 to {TURNS}.")
    return read_turns


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{path} is not JSON, or is damaged: {not_json(error)}. Get it again."
        ) from error
    except OSError as error:
        raise SourceError(f"Cannot read {path}: {error.strerror}.") from error


def _checked(kind: type[_Record], record: Any, where: str) -> _Record:
    try:
        return kind.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole"
        problem = first["msg"].removeprefix("Value error, ")
        raise SourceError(f"{where}: {field}: {problem}.") from error


def _digest(folder: Path, paths: list[str]) -> str:
    """SHA-256 over one line per file, "<SHA-256 of the file>  <path in the clone>"."""
    whole = hashlib.sha256()
    for path in paths:
        one = hashlib.sha256((folder / path).read_bytes()).hexdigest()
        whole.update(f"{one}  {path}\n".encode())
    return whole.hexdigest()
