"""Small seasons, opened and played once for the session; tests change copies of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from otherminds.cli.run import played
from otherminds.leaderboard.judging.held import Seasons
from otherminds.leaderboard.judging.verify import verify
from otherminds.leaderboard.records.record import VERIFICATION
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing.record import Season
from otherminds.leaderboard.seasons import closing
from otherminds.leaderboard.seasons.opening import Plan, open_season, operator_folder
from otherminds.leaderboard.seasons.results import Results
from otherminds.leaderboard.sending.build import Stated, build
from otherminds.running.models import Options
from otherminds.running.run import run

OPENED, CLOSES, AFTER = date(2026, 1, 1), date(2026, 1, 31), date(2026, 2, 1)
SECRET = bytes(range(32))

SIZES = {"hugagent-synthetic": 6, "debate-beliefs-synthetic": 12, "socialmindchange-scale": 2}
DATASETS = tuple(SIZES)
TASKS = {
    "hugagent-synthetic": ["hugagent_synthetic", "hugagent_bsi_synthetic_logprob"],
    "debate-beliefs-synthetic": ["debate_both_synthetic", "debate_both_synthetic_logprob"],
    "socialmindchange-scale": [
        "socialmindchange_scale_lite",
        "socialmindchange_scale_lite_logprob",
    ],
}
"""The board's task, and one that compares log-likelihoods."""


def plan(dataset: str, **changes: Any) -> Plan:
    """A small season that opens and closes in January."""
    told = {
        "id": "winter",
        "dataset": dataset,
        "opened": OPENED,
        "closes": CLOSES,
        "size": SIZES[dataset],
        **changes,
    }
    return Plan(**told)


@dataclass(frozen=True)
class Made:
    """A season's folders: what participants get, the operator's, accepted submissions, results."""

    root: Path

    @property
    def folder(self) -> Path:
        """What participants get."""
        return self.root / "season"

    @property
    def operator(self) -> Path:
        """What nobody else may read."""
        return operator_folder(self.folder)

    @property
    def submissions(self) -> Path:
        """Accepted submissions."""
        return self.root / "submissions"

    @property
    def results(self) -> Path:
        """Output of runs, by model."""
        return self.root / "results"

    @property
    def season(self) -> Season:
        """The record as it is now."""
        return record.read(self.folder)

    @property
    def entries(self) -> list[Path]:
        """The folders of the submissions."""
        return sorted(self.submissions.iterdir())

    def close(self) -> Results:
        """Close it on the first day on which it can be."""
        return closing.close(
            self.folder,
            operator=self.operator,
            submissions=self.submissions,
            day=AFTER,
            say=print,
        )

    def change(self, name: str, change: Callable[[Any], object]) -> None:
        """Change a JSON file in the season's folder, in place."""
        path = self.folder / name
        found = json.loads(path.read_bytes())
        change(found)
        path.write_text(json.dumps(found), encoding="utf-8")


def told(model: str, submitter: str = "alice") -> Stated:
    """What a submitter says of a model."""
    return Stated(name=model, submitter=submitter, date=OPENED, revision="1", reference=True)


def accept(folder: Path, season: Path, submissions: Path) -> None:
    """Verify an entry as the board does, and write what that found beside it."""
    seasons = Seasons([season], OPENED)
    outcome = verify(folder, submissions=submissions, seasons=seasons)
    assert outcome.level == "sealed", outcome.reasons
    written = outcome.verification(OPENED).model_dump_json()
    (folder / VERIFICATION).write_text(written, encoding="utf-8")


def play(folder: Path, tasks: list[str], out: Path, *flags: str) -> Path:
    """Run a model on a season; returns where its output lies."""
    run(tasks, [*flags, "--output_path", str(out)], Options(season=played(folder)))
    return out


def _made(dataset: str, root: Path) -> Made:
    made = Made(root)
    tasks = TASKS[dataset]
    told_of = plan(dataset, tasks=tasks)
    open_season(told_of, made.folder, operator=made.operator, today=OPENED, secret=SECRET)
    for seed in ("0", "1"):
        out = made.results / f"random-{seed}"
        play(made.folder, tasks, out, "--model", "random", "--model_args", f"seed={seed}")
        entry = build([out], told(f"tests/random-{seed}"), made.submissions, season=made.folder)
        accept(entry, made.folder, made.submissions)
    return made


@pytest.fixture(scope="session")
def all_made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """A season of each dataset, open, with the entries of two models without weights."""
    found: dict[str, Made] = {}

    def get(dataset: str) -> Made:
        if dataset not in found:
            found[dataset] = _made(dataset, tmp_path_factory.mktemp(dataset))
        return found[dataset]

    return get


@pytest.fixture(
    params=[*DATASETS[:2], *(pytest.param(one, marks=pytest.mark.slow) for one in DATASETS[2:])]
)
def made(request: pytest.FixtureRequest, all_made: Callable[[str], Made], tmp_path: Path) -> Made:
    """A copy of an open season of each dataset, for the test to change."""
    return copied(all_made(request.param), tmp_path)


@pytest.fixture
def debate(all_made: Callable[[str], Made], tmp_path: Path) -> Made:
    """A copy of the open season that is the smallest."""
    return copied(all_made("debate-beliefs-synthetic"), tmp_path)


@pytest.fixture(scope="session")
def once_closed(all_made: Callable[[str], Made], tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A copy of the smallest season, closed."""
    made = copied(all_made("debate-beliefs-synthetic"), tmp_path_factory.mktemp("closed"))
    made.close()
    return made


@pytest.fixture
def closed(once_closed: Made, tmp_path: Path) -> Made:
    """A copy of the closed season, for the test to change."""
    return copied(once_closed, tmp_path)


def copied(made: Made, folder: Path) -> Made:
    """A copy of a season's folders."""
    return Made(Path(shutil.copytree(made.root, folder / "copy")))
