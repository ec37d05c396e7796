"""What tasks ask, under which version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden import data, prompts, texts, versions


@pytest.mark.slow
def test_no_task_asks_something_else_under_its_old_version(folder: Path) -> None:
    now = json.loads(texts.as_json(prompts.collect(folder)))
    before = texts.committed(prompts.NAME)
    releases = texts.committed(data.NAME)["releases"]
    excused = versions.of_new_data(now, releases, data.releases())
    if found := versions.tasks(before, now, excused):
        raise AssertionError(versions.told(found, prompts.CHANGED))
    texts.check_json(prompts.NAME, now, "What tasks ask is not what the golden file says.")
