"""A whole season of each dataset: opened, played by two models, closed, scored, checked by anybody."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from otherminds.analysis import read_runs
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records.answers import read as answers_of
from otherminds.leaderboard.records.record import ANSWERS, Submission
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.seasons import results
from otherminds.leaderboard.seasons.checking import check
from otherminds.leaderboard.sending.build import build
from tests.engine.seasons.conftest import AFTER, SECRET, TASKS, Made, told
from tests.helpers.packed import opened


@pytest.mark.slow
def test_a_season_is_played_closed_and_checked(made: Made) -> None:
    season = made.season
    assert season.is_open
    assert check(made.folder, submissions=made.submissions) == []
    for entry in made.entries:
        submission = Submission.model_validate_json((entry / "record.json").read_bytes())
        assert submission.season == "winter"
        assert all(not run.metrics for run in submission.tasks)
        rows = answers_of(entry / ANSWERS / f"{season.tasks[0]}.parquet")
        assert {row.correct for row in rows} == {None}
        assert all(row.parsed is not None and row.raw is not None for row in rows)

    before = Path(shutil.copy(made.folder / record.NAME, made.root / record.NAME))
    found = made.close()
    assert [one.model for one in found.entries] == ["tests/random-0", "tests/random-1"]
    for one in found.entries:
        assert one.verification.level == "re-scored"
        assert set(one.verification.recomputed) == set(season.tasks)
        for metrics in one.verification.recomputed.values():
            # Random letters can always be read, and are seldom right.
            assert metrics["parse_rate"].value == 1
    assert results.read(made.folder) == found

    closed = made.season
    assert closed.closed == AFTER
    assert closed.secret == SECRET.hex()
    assert check(made.folder, submissions=made.submissions, before=before, num_proc=2) == []
    with pytest.raises(OtherMindsError, match="was closed on 2026-02-01"):
        made.close()


def test_scores_are_those_of_the_golds(closed: Made) -> None:
    """The accuracy of an entry, counted by hand from its answers and the operator's golds."""
    import pyarrow.parquet as pq

    golds = pq.read_table(closed.operator / "golds" / "beliefs.parquet").to_pylist()
    right = {row["item_id"]: "agree" if row["agrees"] else "disagree" for row in golds}
    for one in results.read(closed.folder).entries:
        for task in TASKS["debate-beliefs-synthetic"]:
            rows = answers_of(closed.submissions / one.id / ANSWERS / f"{task}.parquet")
            share = sum(row.parsed == right[row.item_id] for row in rows) / len(rows)
            assert one.verification.recomputed[task]["acc"].value == pytest.approx(share)


def test_samples_state_answers_and_results_state_no_score(made: Made) -> None:
    [results_path] = (made.results / "random-0").rglob("results_*.json")
    found = json.loads(results_path.read_bytes())
    assert found["otherminds"]["season"] == "winter"
    for task in made.season.tasks:
        assert not any("," in name for name in found["results"][task])  # "metric,filter"
    [samples] = (made.results / "random-0").rglob(f"samples_{made.season.tasks[0]}_2*.jsonl.zst")
    with opened(samples) as lines:
        for line in lines:
            sample = json.loads(line)
            [answer] = sample["parsed"]
            [[reply]] = sample["filtered_resps"]
            assert answer == reply


@pytest.mark.attack(
    "scores of an open season, by any command or plain `lm_eval`",
    outcome="one error; there are no golds to score with",
    against="seasons",
)
def test_nothing_can_be_scored_while_golds_are_sealed(made: Made) -> None:
    with pytest.raises(OtherMindsError, match="its gold answer is sealed until the season closes"):
        read_runs([made.results / "random-0"])
    with pytest.raises(OtherMindsError, match="sealed"):
        build([made.results / "random-0"], told("tests/random-0"), made.root / "elsewhere")


@pytest.mark.attack(
    "an error, or a published file, that tells the seed or the secret",
    outcome="neither stands in any; the operator's files are for nobody else",
    against="seasons",
)
def test_what_the_operator_keeps_is_for_nobody_else(made: Made) -> None:
    if os.name != "posix":
        pytest.skip("Files have no such modes here.")
    paths = [made.operator, *made.operator.rglob("*")]
    assert len(paths) > 3
    assert all(path.stat().st_mode & 0o077 == 0 for path in paths)
    text = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in made.folder.rglob("*")
        if path.is_file()
    )
    assert SECRET.hex() not in text
    season = made.season
    assert str(secrets.seed(SECRET, season.dataset, season.id)) not in text
