"""Every task is asked and scored the same in windows as all at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from otherminds.harness import windows
from otherminds.running import stages
from otherminds.weightless.lm import make
from tests.golden import scores, texts
from tests.golden.test_scores import collected, compare


@pytest.mark.slow
def test_every_model_scores_the_same_in_small_windows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "DOCUMENTS", 11)
    now = collected(folder / "windows", scores.QUICK)
    known = texts.committed(scores.NAME)
    before = {
        model: {task: one for task, one in known[model].items() if task in tasks}
        for model, tasks in now.items()
    }
    compare(before, now)


@pytest.mark.slow
def test_every_task_is_the_same_in_windows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manager = harness.task_manager()
    arguments = harness.parse_arguments(["--limit", "9"], default_model="x", default_output="o")
    names = [one.name for one in harness.entries(manager) if one.kind == "task"]
    # Its texts are those of a corpus that has to be handed over.
    names.remove("debate_title_filter")
    # They ask for what waits in a construction.
    names = [one for one in names if not one.startswith("construct_")]
    assert len(names) > 100
    other = []
    for name in names:
        task = stages.load(manager, name)

        def found(size: int, task: Any = task) -> str:
            monkeypatch.setattr(windows, "DOCUMENTS", size)
            results = harness.evaluate(make("random", {}), manager, [task], arguments)
            told = {key: one for key, one in results.items() if key not in ("date", "configs")}
            return json.dumps(told, default=str)

        if found(2) != found(windows.DOCUMENTS * 1_000):
            other.append(name)
    assert other == []
