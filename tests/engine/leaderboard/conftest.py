"""One honest submission, made once, and what tests need to change copies of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.sending.build import Stated, build
from tests.engine.analysis.conftest import SUBSET, evaluated

TASK = "hugagent_bsi_synthetic"
TOLD = Stated(
    name="tests/random",
    submitter="alice",
    date=date(2026, 1, 2),
    revision="seed-1",
    reference=True,
)

Record = dict[str, Any]


@dataclass(frozen=True)
class Forged:
    """A copy of a submission, to be changed."""

    folder: Path

    @property
    def answers(self) -> Path:
        """The file of answers to the task that is changed."""
        return self.folder / "answers" / f"{TASK}.parquet"

    def read(self) -> Record:
        """The record."""
        found: Record = json.loads((self.folder / "record.json").read_bytes())
        return found

    def record(self, change: Callable[[Record], object]) -> None:
        """Change the record in place."""
        found = self.read()
        change(found)
        (self.folder / "record.json").write_text(json.dumps(found), encoding="utf-8")

    def task(self, **changes: Any) -> None:
        """Replace fields of the task."""
        self.record(lambda found: found["tasks"][0].update(changes))

    def rows(self, change: Callable[[list[Row]], list[Row]], *, honest_hash: bool = True) -> None:
        """Replace the answers; their hash in the record follows, unless it is told not to."""
        found = change(answers.read(self.answers))
        answers.write(self.answers, found)
        if honest_hash:
            self.task(answers_sha256=answers.digest(found))


@pytest.fixture(autouse=True)
def _own_organisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTHERMINDS_HUB_ORG", raising=False)


@pytest.fixture(scope="session")
def results(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a random model's run on 50 people: samples, and results beside them."""
    out = tmp_path_factory.mktemp("results")
    evaluated(out, "--model", "random", *SUBSET, task=TASK)
    return out


@pytest.fixture(scope="session")
def honest(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The submission of that run, as `otherminds submit` writes it."""
    return build([results], TOLD, tmp_path_factory.mktemp("built"))


@pytest.fixture
def forged(honest: Path, tmp_path: Path) -> Forged:
    """A copy of the honest submission, for this test to change."""
    return Forged(Path(shutil.copytree(honest, tmp_path / "submissions" / honest.name)))
