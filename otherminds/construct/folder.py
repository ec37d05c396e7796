"""The folder of a construction.

construct.json          what it is: pipeline, version, number of units, seed, hash of the frames
frames.jsonl            the frames; for nobody who writes or reads
ledger.jsonl            every reply that came, with what became of it (`ledger`)
sheets/<stage>.jsonl    the sheets that wait for a reply; made anew by every import. Beside it, for
                        people, a page and a table, or where a reply has parts within parts a text each
replies/                where replies may be put for `otherminds construct import DIR`
reading/                of blind reading: the key, which is for nobody who reads
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout
from pydantic import ValidationError

import otherminds
from otherminds import files
from otherminds.construct import ledger, pipelines
from otherminds.construct.pipeline import Pipeline, Plan
from otherminds.construct.sheets import Sheet
from otherminds.construct.state import State, replayed
from otherminds.dataset_builders.constructed import Unit, digest
from otherminds.errors import OtherMindsError
from otherminds.strict import Strict

NAME: Final = "construct.json"
FRAMES: Final = "frames.jsonl"
SHEETS: Final = "sheets"
REPLIES: Final = "replies"
_LOCK: Final = ".lock"

_UNIT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


class Facts(Strict):
    """What construct.json states.

    name           of this construction, from all that follows
    version        of the pipeline
    n              how many units were asked for; None for all
    material       the SHA-256 of the file with raw material, where one was given
    frames_sha256  of frames.jsonl
    otherminds     the version of the package that made it
    """

    name: str
    pipeline: str
    version: str
    n: int | None
    seed: int
    material: str | None
    frames_sha256: str
    otherminds: str


@dataclass(frozen=True)
class Folder:
    """An opened construction."""

    path: Path
    facts: Facts
    pipeline: Pipeline
    units: tuple[Unit, ...]

    def state(self) -> State:
        """Where its units stand."""
        entries = ledger.read(self.path)
        return replayed(self.facts.name, self.pipeline, self.units, entries)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder alone; raises OtherMindsError at once where somebody else does."""
        lock = FileLock(self.path / _LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise OtherMindsError(
                f"Another `otherminds construct` is at work in {self.path}. Nothing was read; run the "
                "command again when it has ended."
            ) from error
        except OSError as error:
            raise files.unwritable(self.path, error) from error
        try:
            yield
        finally:
            lock.release()

    @cached_property
    def sheets(self) -> Path:
        """Where the open sheets lie."""
        return self.path / SHEETS

    def open_sheets(self, now: State) -> dict[str, list[Sheet]]:
        """The sheets of authors, validators and raters that wait, by file."""
        found: dict[str, list[Sheet]] = {}
        for asked in now.open():
            stage = self.pipeline.stage(asked.stage)
            name = f"{asked.stage}_{asked.slot}" if stage.replies > 1 else asked.stage
            found.setdefault(name, []).append(now.sheet(asked))
        for name, sheets in found.items():
            if self._is_blind(sheets[0].stage):
                # By their ids, which nothing of a unit follows from.
                sheets.sort(key=lambda sheet: sheet.sheet_id)
            found[name] = sheets
        return found

    def put_sheets(self, found: dict[str, list[Sheet]]) -> dict[str, int]:
        """Write these sheets in place of all before, whole or not at all, and how many, by file."""
        from otherminds.construct import forms

        with files.atomic_folder(self.sheets) as folder:
            for name, sheets in found.items():
                text = "".join(json.dumps(sheet.as_json()) + "\n" for sheet in sheets)
                (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
                if forms.is_flat(sheets[0]):
                    forms.write_table(sheets, folder / f"{name}.csv")
                    forms.write_page(
                        sheets, folder / f"{name}.html", name=f"{self.facts.name} {name}"
                    )
                else:
                    (folder / name).mkdir()
                    for sheet in sheets:
                        text = sheet.as_text()
                        (folder / name / f"{sheet.sheet_id}.md").write_text(text, encoding="utf-8")
        return {name: len(sheets) for name, sheets in found.items()}

    def _is_blind(self, name: str) -> bool:
        return self.pipeline.stage(name).role.value == "rater"


def export(pipeline: Pipeline, plan: Plan, path: Path) -> Folder:
    """Make the frames of a pipeline and write its folder, all or nothing.

    Where the folder is already that of the same plan, nothing is changed but its sheets. Raises
    OtherMindsError for any other folder that is not empty, and for a plan that cannot be met.
    """
    if plan.n is not None and plan.n < 1:
        raise OtherMindsError(f"--n is {plan.n}: give at least 1 unit.")
    try:
        units = tuple(pipeline.frames(plan))
    except ValueError as error:
        raise OtherMindsError(f"Cannot make the frames of '{pipeline.name}': {error}") from error
    _check_units(pipeline, units)
    frames = "".join(_frame_line(unit) for unit in units)
    facts = _facts(pipeline, plan, frames)
    if (path / NAME).is_file():
        known = opened(path)
        if known.facts.name != facts.name:
            raise OtherMindsError(
                f"{path} is another construction: pipeline '{known.facts.pipeline}', version "
                f"{known.facts.version}, seed {known.facts.seed}, n {known.facts.n}. Replies may be in "
                "it; give a new folder."
            )
        return known
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise OtherMindsError(f"{path} is not an empty folder; give a new one.")
    files.check_folder(path.parent)
    with files.atomic_folder(path) as folder:
        (folder / FRAMES).write_text(frames, encoding="utf-8")
        (folder / REPLIES).mkdir()
        (folder / ledger.NAME).touch()
        made = Folder(folder, facts, pipeline, units)
        made.put_sheets(made.open_sheets(made.state()))
        # Last: a folder with it is whole.
        (folder / NAME).write_text(facts.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return opened(path)


def opened(path: Path, *, pipeline: Callable[[str], Pipeline] = pipelines.named) -> Folder:
    """Open a folder.

    Raises OtherMindsError for one that is none, for one of another version of its pipeline, and where
    a frame was changed: it would be another truth than the texts were written to.
    """
    try:
        facts = Facts.model_validate_json((path / NAME).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise OtherMindsError(
            f"{path} is no construction: {NAME} cannot be read. Begin one with `otherminds construct "
            "export PIPELINE --out DIR`."
        ) from error
    except ValidationError as error:
        raise OtherMindsError(
            f"{path / NAME} is damaged; put a copy of it in its place."
        ) from error
    known = pipeline(facts.pipeline)
    if known.version != facts.version:
        raise OtherMindsError(
            f"{path} was begun with version {facts.version} of the pipeline '{known.name}', and this is "
            f"version {known.version}: frames, sheets or checks differ. Finish it with the version that "
            "it was begun with, or begin another."
        )
    return Folder(path, facts, known, _frames(path, facts))


def _frames(path: Path, facts: Facts) -> tuple[Unit, ...]:
    try:
        text = (path / FRAMES).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OtherMindsError(
            f"{path / FRAMES} cannot be read: put a copy in its place."
        ) from error
    units = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            value = json.loads(line)
            unit = Unit(value["unit_id"], value["frame"], value["part"])
            is_same = unit.frame_hash == value["frame_hash"]
        except (ValueError, KeyError, TypeError) as error:
            raise _changed(path, f"line {number} is no frame") from error
        if not is_same:
            raise _changed(path, f"the frame of '{unit.unit_id}' is another one now")
        units.append(unit)
    if digest(text) != facts.frames_sha256:
        raise _changed(path, "it is not the file that was exported")
    return tuple(units)


def _changed(path: Path, what: str) -> OtherMindsError:
    return OtherMindsError(
        f"{path / FRAMES} was changed ({what}). The texts were written to the frames as they were: put "
        "the file back, or begin another construction. No reply was lost."
    )


def _frame_line(unit: Unit) -> str:
    value: dict[str, Any] = {
        "unit_id": unit.unit_id,
        "part": unit.part,
        "frame_hash": unit.frame_hash,
        "frame": unit.frame,
    }
    return json.dumps(value) + "\n"


def _facts(pipeline: Pipeline, plan: Plan, frames: str) -> Facts:
    material = files.sha256(plan.material) if plan.material is not None else None
    sha256 = digest(frames)
    name = digest([pipeline.name, pipeline.version, plan.n, plan.seed, material, sha256])[:10]
    return Facts(
        name=f"{pipeline.name}-{name}",
        pipeline=pipeline.name,
        version=pipeline.version,
        n=plan.n,
        seed=plan.seed,
        material=material,
        frames_sha256=sha256,
        otherminds=otherminds.__version__,
    )


def _check_units(pipeline: Pipeline, units: Sequence[Unit]) -> None:
    if not units:
        raise OtherMindsError(f"The pipeline '{pipeline.name}' has no material for any unit.")
    wrong = [unit.unit_id for unit in units if not _UNIT_ID.fullmatch(unit.unit_id)]
    if wrong:
        raise OtherMindsError(
            f"The pipeline '{pipeline.name}' names a unit {wrong[0]!r}: letters, digits, hyphens and "
            "underscores make a name."
        )
    if twice := _twice(unit.unit_id for unit in units):
        raise OtherMindsError(f"The pipeline '{pipeline.name}' names two units '{twice}'.")


def _twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
