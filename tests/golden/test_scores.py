"""What models without weights score."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.golden import data, pinned, prompts, scores, texts, versions
from tests.golden.conftest import rounds_alike


@pytest.mark.slow
def test_scores_of_every_model_are_the_same_to_the_bit(folder: Path) -> None:
    now = collected(folder / "quick", scores.QUICK)
    known = texts.committed(scores.NAME)
    before = {
        model: {task: one for task, one in known[model].items() if task in tasks}
        for model, tasks in now.items()
    }
    assert all(before.values())
    compare(before, now)


@pytest.mark.slow
def test_scores_are_the_same_to_the_bit(folder: Path) -> None:
    now = collected(folder, scores.RUNS)
    before = texts.committed(scores.NAME)
    compare(before, now)
    if rounds_alike():
        texts.check_json(scores.NAME, now, "Scores are not those of the golden file.")


def collected(folder: Path, runs: Mapping[str, tuple[str, ...]]) -> Any:
    return json.loads(texts.as_json(scores.collect(folder, runs)))


def compare(before: Any, now: Any) -> None:
    if not rounds_alike():
        near = [scores.rounded_otherwise(found) for found in (before, now)]
        texts.check(*near, "Scores differ, by more than another processor's rounding.", near=True)
        return
    asked = texts.committed(prompts.NAME)
    releases = texts.committed(data.NAME)["releases"]
    excused = versions.of_new_data(asked, releases, data.releases())
    if found := versions.scores(before, now, excused):
        raise AssertionError(versions.told(found, scores.CHANGED))
    texts.check(before, now, "Scores are not those of the golden file.")


def test_every_model_without_weights_has_scores(folder: Path) -> None:
    listed = re.findall(r"^  (\S+)  ", pinned.command("list", "--models").out, re.MULTILINE)
    # These have no task of their own: they judge the answers, or simulate the graphs, of others.
    others = {"lexical-judge", "graph-simulator", "graph-simulator-bound"}
    for runs in (scores.RUNS, scores.QUICK):
        assert set(listed) == {model.split()[0] for model in runs} | others
