"""The samples of a run, written as they come.

Until the run is over they lie, packed, in a file without a name in the folder of its results: a run that
is killed leaves nothing there that looks like samples. In memory, the scored records stay.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from otherminds import credentials, files, harness
from otherminds.errors import OtherMindsError
from otherminds.running import finish, results, truncation
from otherminds.samples import packed
from otherminds.scoring.base import records_of

Sample = dict[str, Any]


class SampleLogs:
    """The samples of all tasks of an evaluation, in the order in which `add` takes them.

    folder  a folder on the disk that the samples will be written to
    change  changes a sample of a task before it is written
    hold    keep the samples in memory too, in `held`

    `records` has the scored records of each task, and `truncated` the shares of truncated replies beside
    them (`truncation.share`).
    """

    def __init__(
        self,
        folder: Path,
        *,
        change: Callable[[str, Sample], None] | None = None,
        hold: bool = False,
    ) -> None:
        self.records: dict[str, list[Any]] = {}
        self.n_escaped: dict[str, int] = {}
        self.truncated: dict[str, list[float]] = {}
        self.held: dict[str, list[Sample]] = {}
        self._folder = folder
        self._change = change
        self._hold = hold
        self._logs: dict[str, _Log] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()

    def add(self, task: str, samples: Sequence[Sample]) -> None:
        """Write the next samples of a task. Raises OtherMindsError where the disk is full."""
        try:
            log = self._log(task)
            for sample in samples:
                if self._change is not None:
                    self._change(task, sample)
                log.write(credentials.known_in(_line(sample)))
        except OSError as error:
            raise OtherMindsError(
                f"Cannot write samples in {self._folder}: {error.strerror or error}. Free some space, "
                "and run the same command again: answers that are in a journal are kept."
            ) from error
        self.records.setdefault(task, []).extend(records_of(samples))
        self.truncated.setdefault(task, []).extend(
            truncation.share(finish.listed(finish.reasons(one["resps"]))) for one in samples
        )
        self.n_escaped[task] = self.n_escaped.get(task, 0) + results.n_escaped(samples)
        if self._hold:
            self.held.setdefault(task, []).extend(samples)

    def save(self, folder: Path, date: str) -> dict[str, Path]:
        """Give the samples of each task their file in a folder, whole or not at all."""
        return {
            task: log.save(folder / f"samples_{task}_{date}{packed.ENDING}")
            for task, log in self._logs.items()
        }

    def _log(self, task: str) -> _Log:
        if task not in self._logs:
            self._folder.mkdir(parents=True, exist_ok=True)
            unnamed = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  (closed by `_open`)
            raw = self._open.enter_context(unnamed)
            self._logs[task] = _Log(raw)
        return self._logs[task]


def _line(sample: Sample) -> Sample:
    """A sample as lm-eval writes it, with the reasons why its replies ended where any is known."""
    found = harness.plain_sample(sample)
    reasons = finish.reasons(sample["resps"])
    return found if reasons is None else {**found, "finish_reasons": reasons}


class _Log:
    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._packed = files.packing(raw)

    def write(self, line: Sample) -> None:
        self._packed.write(results.as_json(line) + b"\n")

    def save(self, path: Path) -> Path:
        with files.atomic_file(path) as partial, partial.open("wb") as file:
            self._packed.close()
            self._raw.seek(0)
            shutil.copyfileobj(self._raw, file, 1 << 20)
        return path
