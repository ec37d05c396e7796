"""A plugin of pytest: names the context of coverage.py after the test, or the fixture, that runs.

What a fixture of a module or of the session runs counts for every test that uses it, not for the first.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

from performance.coverage_map import FOLDER

_Wrapper = Iterator[Any]


def _switch(context: str) -> None:
    running = coverage.Coverage.current()
    if running is not None:
        running.switch_context(context)


def _fixture(definition: Any) -> str:
    return f"fixture:{definition.baseid}:{definition.argname}"


class _Recorder:
    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._current = ""
        self._shared: dict[str, set[str]] = {}
        self._used: set[str] = set()
        self._seconds = 0.0
        self._passed = True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._current = item.nodeid
        self._used, self._seconds, self._passed = set(), 0.0, True
        _switch(item.nodeid)
        try:
            return (yield)
        finally:
            _switch("")
            line = {
                "test": item.nodeid,
                "seconds": round(self._seconds, 3),
                "passed": self._passed,
                "fixtures": sorted(self._used | self._of(item)),
            }
            self._file.write(json.dumps(line) + "\n")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[Any]:
        name = _fixture(fixturedef)
        self._used.add(name)
        if fixturedef.scope == "function":
            return (yield)
        before, self._current = self._current, name
        _switch(name)
        try:
            return (yield)
        finally:
            self._current = before
            _switch(before)

    def _of(self, item: pytest.Item) -> set[str]:
        """The fixtures that the test names, those that were set up for an earlier one included."""
        known = getattr(item, "_fixtureinfo", None)
        if known is None:
            return set()
        return {
            _fixture(one)
            for name in getattr(item, "fixturenames", ())
            for one in known.name2fixturedefs.get(name, ())
        }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds += report.duration
        self._passed &= report.passed or (report.skipped and hasattr(report, "wasxfail"))


def pytest_configure(config: pytest.Config) -> None:
    folder = os.environ.get(FOLDER)
    distributes = getattr(config.option, "numprocesses", None) and not hasattr(
        config, "workerinput"
    )
    if folder and not distributes:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        config.pluginmanager.register(_Recorder(Path(folder) / f"{worker}.jsonl"))
