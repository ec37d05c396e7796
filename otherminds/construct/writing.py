"""`otherminds construct write`: a model answers what waits, in rounds of run and import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from otherminds.construct import blind, importing, pipelines
from otherminds.construct.folder import Folder
from otherminds.construct.importing import Imported
from otherminds.construct.pipeline import MARKING, READING, Role
from otherminds.construct.replies import Who
from otherminds.errors import OtherMindsError, UsageError, unknown
from otherminds.keys import CONSTRUCTION
from otherminds.running import run
from otherminds.running.models import Options

RUNS: Final = "runs"
"""The folder in which results, samples and journal of its rounds lie."""

_LAST = (READING, MARKING)
_OURS = ("--metadata", "--output_path", "--tasks")


def rounds(
    folder: Folder, stages: Sequence[str], flags: Sequence[str], *, family: str | None = None
) -> Iterator[Imported]:
    """Ask a model the sheets of some stages that wait, and import its replies, until none waits.

    stages  those of authors by default
    flags   of `lm_eval run`, which name the model

    What came of each round is yielded. It ends where a round brings nothing new: a model that gives the
    same refused reply to the same reasons would do so for ever, and one that must not answer.
    """
    for flag in flags:
        if flag.partition("=")[0] in _OURS:
            raise UsageError(f"{flag} is set by this command: leave it out.")
    wanted = _wanted(folder, stages)
    while waiting := _waiting(folder, wanted):
        done = _round(folder, waiting[0], flags, family)
        if done is None:
            return
        yield done
        if not done.accepted and not done.refused:
            raise OtherMindsError(
                f"No reply to the stage '{waiting[0]}' was looked at, so that asking again would bring "
                "nothing. The reasons stand above."
            )


def _wanted(folder: Folder, stages: Sequence[str]) -> list[str]:
    known = {stage.name: stage.role for stage in folder.pipeline.stages}
    for name in stages:
        if name not in known and name not in _LAST:
            raise unknown("stage", name, [*known, *_LAST], listing="otherminds construct pipelines")
    return list(stages) or [name for name, role in known.items() if role is Role.AUTHOR]


def _waiting(folder: Folder, wanted: Sequence[str]) -> list[str]:
    now = folder.state()
    found = {one.stage for one in now.open()}
    found |= {one.stage for one in blind.asked(folder, now).values()}
    return [name for name in wanted if name in found]


def _round(folder: Folder, stage: str, flags: Sequence[str], family: str | None) -> Imported | None:
    task = f"construct_{pipelines.named(folder.facts.pipeline).name}_{stage}"
    words = [*flags, "--metadata", f"{CONSTRUCTION}={folder.path.resolve()}"]
    words += ["--output_path", str(folder.path / RUNS)]
    finished = run.run([task], words, Options())
    if finished is None:
        return None
    who = None if family is None else Who("", "model", family)
    paths: list[Path] = finished.sample_paths
    return importing.import_(folder, paths, who)
