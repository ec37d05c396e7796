"""A log of Inspect is submitted to the board of the whole task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherminds.leaderboard.judging import verify
from otherminds.leaderboard.sending.build import build
from tests.engine.leaderboard.conftest import TOLD
from tests.engine.on_inspect import inspecting

TASK = "hugagent_synthetic_core"


def test_a_log_becomes_a_submission_that_is_scored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OTHERMINDS_DATA")
    model = inspecting.scripted(lambda asked: "B" if "A, " in asked or "A or" in asked else "8")
    log = inspecting.evaluated(TASK, model, tmp_path / "logs")
    assert log.status == "success", log.error
    made = build([inspecting.path_of(log)], TOLD, tmp_path / "submission")
    outcome = verify.verify(made)
    assert (outcome.level, list(outcome.reasons)) == ("re-scored", [])
    record = json.loads((made / "record.json").read_text(encoding="utf-8"))
    assert [task["task"] for task in record["tasks"]] == [TASK]
    shown = inspecting.numbers(log)
    for name in ("composite", "bsi_acc", "bdu_acc", "bdu_mae"):
        assert outcome.recomputed[TASK][name].value == shown[name]
    assert 0 < shown["bdu_acc"] < 1
