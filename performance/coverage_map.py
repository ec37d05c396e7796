"""Which tests run which lines: the suite once under coverage.py, kept in a folder.

`tests.json` has the seconds of each test that passed and the fixtures that it uses; `coverage.sqlite` is
coverage.py's own file, with the test, or the fixture that tests share, as the context of each line.
Processes that tests start are measured too. A map is of one tree: of a file that has changed since, its
lines mean nothing.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import coverage

DATA, TESTS, LOG = "coverage.sqlite", "tests.json", "run.log"
FOLDER = "OTHERMINDS_COVERAGE_MAP"
"""The variable that names the folder of the map that a run of the tests fills."""

_SETTINGS = """\
[run]
data_file = {data}
parallel = true
source = {source}
# What a test starts as a process of its own counts for that test.
context = ${{PYTEST_CURRENT_TEST-}}
"""


@dataclass(frozen=True)
class CoverageMap:
    """The tests that run a line, and how long they take."""

    seconds: dict[str, float]
    users: dict[str, list[str]]
    hashes: dict[str, str]
    data: coverage.CoverageData
    root: Path

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the map in a folder. Raises FileNotFoundError."""
        told = json.loads((folder / TESTS).read_text(encoding="utf-8"))
        data = coverage.CoverageData(str(folder / DATA))
        data.read()
        users = defaultdict(list)
        for test, fixtures in told["fixtures"].items():
            for fixture in fixtures:
                users[fixture].append(test)
        return cls(told["seconds"], dict(users), told["hashes"], data, Path(told["root"]))

    def lines(self, path: str) -> dict[int, set[str]]:
        """The tests that run each line of a file, none for what runs when it is imported alone."""
        found = self.data.contexts_by_lineno(str(self.root / path))
        return {line: self._tests(contexts) for line, contexts in found.items()}

    def _tests(self, contexts: Iterable[str]) -> set[str]:
        names = set()
        for context in contexts:
            # A test, a fixture that several tests share, or as a process has it: "a test (call)".
            name = context.rsplit(" (", 1)[0] if context.endswith(")") else context
            names |= {name} if name in self.seconds else set(self.users.get(context, ()))
        return names

    def fastest_first(self, tests: Iterable[str]) -> list[str]:
        """The tests in the order of their time."""
        return sorted(tests, key=lambda one: (self.seconds[one], one))


def measure(
    folder: Path, root: Path, environment: dict[str, str], sources: Sequence[Path], words: list[str]
) -> None:
    """Run `pytest WORDS` in `root` under coverage, and write the map of `sources` to `folder`.

    Raises RuntimeError when the tests could not be run; a failed test is left out of the map.
    """
    parts = folder / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True)
    settings = parts / "settings.ini"
    listed = "".join(f"\n    {one}" for one in sources)
    settings.write_text(_SETTINGS.format(data=parts / "coverage", source=listed), encoding="utf-8")
    told = {**environment, "COVERAGE_PROCESS_START": str(settings), FOLDER: str(parts)}
    # Of a test that makes a map.
    told.pop("PYTEST_CURRENT_TEST", None)
    command = [sys.executable, "-m", "pytest", "-p", "performance.mapping_plugin", *words]
    with (folder / LOG).open("w", encoding="utf-8") as log:
        code = subprocess.run(
            command, cwd=root, env=told, stdout=log, stderr=log, check=False
        ).returncode
    if code not in (0, 1):
        raise RuntimeError(f"The tests could not be run: see {folder / LOG}.")
    combined = coverage.Coverage(data_file=str(folder / DATA), config_file=False)
    combined.combine([str(one) for one in parts.glob("coverage.*")])
    combined.save()
    _write_tests(folder, parts, root, sources)


def _write_tests(folder: Path, parts: Path, root: Path, sources: Sequence[Path]) -> None:
    seconds: dict[str, float] = {}
    fixtures: dict[str, list[str]] = {}
    for path in sorted(parts.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            one: dict[str, Any] = json.loads(line)
            if one["passed"]:
                seconds[one["test"]] = one["seconds"]
                fixtures[one["test"]] = one["fixtures"]
    files = sorted(path for source in sources for path in source.rglob("*.py"))
    hashes = {str(path.relative_to(root)): digest(path) for path in files}
    found = {"root": str(root), "seconds": seconds, "fixtures": fixtures, "hashes": hashes}
    path = folder / TESTS
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(found, indent=0), encoding="utf-8")
    partial.replace(path)


def digest(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
