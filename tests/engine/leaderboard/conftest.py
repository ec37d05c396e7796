"""One honest submission, made once, and what tests need to change copies of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi

from otherminds.leaderboard.judging import bounded, rescore, verify
from otherminds.leaderboard.judging.beside import Beside
from otherminds.leaderboard.judging.bounded import Judged
from otherminds.leaderboard.judging.expected import expected
from otherminds.leaderboard.operating import template
from otherminds.leaderboard.records import answers, intake
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.sending.build import Stated, build
from tests.engine.analysis.conftest import SUBSET, evaluated
from tests.minihub import MiniHub, User
from tests.minihub.client import at_once

TASK = "hugagent_bsi_synthetic"
TOLD = Stated(
    name="tests/random",
    submitter="alice",
    date=date(2026, 1, 2),
    revision="seed-1",
    reference=True,
)

REPO, SPACE = "otherminds/leaderboard", "otherminds/board"
USERS = {
    "hf_owner": User("owner", orgs=("otherminds",)),
    "hf_alice": User("alice", orgs=("tests",)),
    "hf_bob": User("bob"),
}
TODAY = date(2026, 1, 3)

Record = dict[str, Any]


@dataclass
class Forged:
    """A copy of a submission, to be changed. Its folder keeps its name until it is `named` anew."""

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

    def named(self) -> Path:
        """The folder, under the id that belongs to the record as it is now."""
        written = (self.folder / "record.json").read_bytes()
        right = intake.id_of(self.read()["model"]["name"], written)
        self.folder = self.folder.rename(self.folder.with_name(right))
        return self.folder

    def answered(self, change: Callable[[list[Row]], list[Row]]) -> Path:
        """Replace the answers, with the scores that belong to them; the folder is named anew."""
        self.rows(change)
        found = rescore.rescore(answers.read(self.answers), 1, expected(TASK, 50))
        self.task(metrics={name: one.model_dump() for name, one in found.metrics.items()})
        return self.named()


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


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    """A Hub with a board as `init` writes it, that this process is logged in to as its owner."""
    with MiniHub(users=USERS) as running:
        at_once(monkeypatch, running, home=tmp_path / "home", token="hf_owner")
        template.push(say=lambda text: None)
        HfApi().update_repo_settings(REPO, private=False, repo_type="dataset")
        yield running


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verify without another process for each submission, which is seconds."""

    def judged(folder: Path, submissions: Path, **named: Any) -> Judged:
        author = named["author"]
        beside = Beside.read(named["beside"])
        outcome = verify.verify(folder, submissions=submissions, author=author, beside=beside)
        accepted = outcome.verification(named["checked"]) if outcome.is_accepted else None
        return Judged(accepted, outcome.reasons, outcome.flags)

    monkeypatch.setattr(bounded, "verify", judged)


@pytest.fixture(scope="session")
def look_alike(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another model's honest submission, under a name that is read as the first one's."""
    out = tmp_path_factory.mktemp("second")
    evaluated(out, "--model", "random", "--model_args", "seed=2", *SUBSET, task=TASK)
    told = replace(TOLD, name="tests/rand0m", revision="seed-2")
    return build([out], told, tmp_path_factory.mktemp("built-second"))


@pytest.fixture
def wrong(honest: Path, tmp_path: Path) -> Path:
    """A submission that claims another number of documents."""
    folder = tmp_path / "wrong" / "tests-wrong"
    shutil.copytree(honest, folder)
    Forged(folder).task(n_items=1)
    return folder
