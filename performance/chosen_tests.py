"""A plugin of pytest: runs the tests that a file lists, in its order, and names one that fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

LISTED, FAILED = "OTHERMINDS_CHOSEN_TESTS", "OTHERMINDS_FAILED_TESTS"
"""Variables that name the file of tests to run, and the file for the first that fails."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = Path(os.environ[LISTED]).read_text(encoding="utf-8").splitlines()
    found = {item.nodeid: item for item in items}
    chosen = [found[name] for name in wanted if name in found]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        Path(os.environ[FAILED]).write_text(report.nodeid, encoding="utf-8")
