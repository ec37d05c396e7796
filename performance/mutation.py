"""How many one-line faults the fast tests catch.

Draws lines that the tests run, puts one fault into each (`performance.faults`), and runs the tests that
execute the line, fastest first, in a copy of the tree. The first run makes the map of which test runs
which line: the whole suite once, under coverage.py, which takes about twice as long as without. The map
is kept and read by later runs; files that have changed since then are left out until a new one is made.

A line outside of functions runs when its module is imported, in whichever test that happens first: the
tests that run any line of a function of its module are run for it. Of many tests, those that fit into
--cap seconds are run. A test that fails is run once more without the fault, which it must then pass.

Run: python -m performance.mutation --seed 1 --n 100 --map mutation-map --out mutation.jsonl
It resumes: what is in --out is not run again. Faults that change nothing (equivalent ones) are named by
their numbers with --equivalent, and others are drawn for them.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from rich.console import Console
from rich.progress import track
from rich.table import Table

from performance.chosen_tests import FAILED, LISTED
from performance.coverage_map import TESTS, CoverageMap, digest, measure
from performance.faults import Fault, draw, faults, in_functions

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("otherminds", "tasks", "metrics", "dataset_builders")
CAUGHT, SURVIVED, TIMED_OUT = "caught", "survived", "timed out"
UNSOUND = "fails without it"
"""The test that failed fails without the fault too: it says nothing of the fault."""
_LEFT_BEHIND = (".git", "*.egg-info", "__pycache__", ".hypothesis", ".*_cache", ".venv*")
_START = 60.0
"""Seconds that the start of pytest, and what its tests share, may take beside the tests themselves."""


@dataclass(frozen=True)
class Drawn:
    """A fault of a file, and its number in the order of drawing, from 1."""

    number: int
    path: str
    fault: Fault
    tests: tuple[str, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes it this fault and no other."""
        return (self.path, self.fault.line, self.fault.column, self.fault.kind)


@dataclass(frozen=True)
class Verdict:
    """What became of a fault: `ran` of `of` tests that run its line; `by` is the test that failed."""

    number: int
    path: str
    line: int
    column: int
    kind: str
    before: str
    after: str
    status: str
    ran: int
    of: int
    by: str
    seconds: float

    @property
    def key(self) -> tuple[Any, ...]:
        """The key of the fault."""
        return (self.path, self.line, self.column, self.kind)


def main(words: Sequence[str] | None = None, *, console: Console | None = None) -> int:
    """Draw, run and print; gives 1 when there is nothing to draw from."""
    told = _arguments().parse_args(words)
    console = console or Console()
    root, folder = told.root.resolve(), told.map.resolve()
    if not (folder / TESTS).is_file():
        console.print(f"No map in {folder}: running the whole suite once, under coverage.")
        _make_map(folder, root, told.sources, shlex.split(told.tests))
    known = CoverageMap.read(folder)
    drawn = sample(known, root, told.seed, told.n, told.equivalent)
    if not drawn:
        console.print("No line to put a fault into: no test ran a line of files as they are now.")
        return 1
    done = {one.key: one for one in _read(told.out)}
    left = [one for one in drawn if one.key not in done]
    if left:
        with Copies(root, told.workers) as copies, told.out.open("a", encoding="utf-8") as out:
            for one in track(
                copies.verdicts(left, known, told.cap), "faults", len(left), console=console
            ):
                done[one.key] = one
                out.write(json.dumps(asdict(one)) + "\n")
                out.flush()
    show([done[one.key] for one in drawn], told.seed, told.equivalent, console)
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="performance.mutation", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--n", type=int, default=100, help="faults")
    parser.add_argument("--out", type=Path, required=True, help="JSONL file of verdicts; resumed")
    parser.add_argument("--map", type=Path, default=Path("mutation-map"), help="made if absent")
    parser.add_argument("--cap", type=float, default=60.0, help="seconds of tests per fault")
    parser.add_argument("--workers", type=int, default=1, help="faults at the same time")
    parser.add_argument(
        "--equivalent", type=int, nargs="*", default=[], help="numbers of faults to draw others for"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    parser.add_argument("--sources", nargs="+", default=SOURCES, help="folders, of the root")
    parser.add_argument(
        "--tests",
        default="-n 2",
        help="what pytest is called with for the map; --tests='-n 0 FILE'",
    )
    return parser


def sample(
    known: CoverageMap, root: Path, seed: int, n: int, equivalent: Collection[int] = ()
) -> list[Drawn]:
    """Draw `n` faults, each in another line: lines are drawn evenly, then a fault of the line.

    A larger `n` begins with the same faults, and numbers in `equivalent` are passed over.
    """
    found = []
    for path in sorted(known.hashes):
        if digest(root / path) != known.hashes[path]:
            continue
        found += _of_file(known, root, path, random.Random(f"{seed} {path}"))
    random.Random(seed).shuffle(found)
    numbered = [
        Drawn(number, path, fault, tests) for number, (path, fault, tests) in enumerate(found, 1)
    ]
    return [one for one in numbered if one.number not in set(equivalent)][:n]


def _of_file(
    known: CoverageMap, root: Path, path: str, rng: random.Random
) -> list[tuple[str, Fault, tuple[str, ...]]]:
    by_line = known.lines(path)
    if not any(by_line.values()):
        return []
    source = (root / path).read_text(encoding="utf-8")
    chosen = draw([one for one in faults(source) if one.line in by_line], rng)
    inside = in_functions(source)
    of_module = set().union(*(tests for line, tests in by_line.items() if line in inside))
    # A module without functions that run: whoever happened to import it first.
    of_module = of_module or set().union(*by_line.values())
    return [
        (path, fault, tuple(known.fastest_first((line in inside and by_line[line]) or of_module)))
        for line, fault in chosen.items()
    ]


class Copies:
    """Copies of the tree, one for each worker, in which faults are put and tests run."""

    def __init__(self, root: Path, workers: int) -> None:
        self._root = root
        self._workers = workers
        self._temporary = tempfile.TemporaryDirectory(prefix="faults-")
        self._free: queue.Queue[Path] = queue.Queue()
        self._processes: set[int] = set()
        self._lock = threading.Lock()
        self._stopped = False
        self._written = 0

    def __enter__(self) -> Self:
        for number in range(self._workers):
            place = Path(self._temporary.name) / str(number) / self._root.name
            self._free.put(copied(self._root, place))
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped = True
        with self._lock:
            for process in self._processes:
                os.killpg(process, signal.SIGKILL)
        self._temporary.cleanup()

    def verdicts(self, drawn: Sequence[Drawn], known: CoverageMap, cap: float) -> Any:
        """The verdict of each fault, in order, as soon as it is known."""
        with ThreadPoolExecutor(self._workers) as pool:
            yield from pool.map(lambda one: self._verdict(one, known, cap), drawn)

    def _verdict(self, one: Drawn, known: CoverageMap, cap: float) -> Verdict:
        place = self._free.get()
        path = place / one.path
        source = path.read_text(encoding="utf-8")
        chosen = _within(one.tests, known.seconds, cap)
        start = time.monotonic()
        try:
            self._write(path, one.fault.apply(source))
            code, by = self._run(place, chosen, 2 * cap + _START)
            status = {None: TIMED_OUT, 0: SURVIVED}.get(code, CAUGHT)
            self._write(path, source)
            if by and self._run(place, [by], 2 * cap + _START)[0] != 0:
                status = UNSOUND
        finally:
            self._write(path, source)
            self._free.put(place)
        line = one.fault.line - 1
        return Verdict(
            number=one.number,
            path=one.path,
            line=one.fault.line,
            column=one.fault.column,
            kind=one.fault.kind,
            before=source.splitlines()[line].strip(),
            after=one.fault.apply(source).splitlines()[line].strip(),
            status=status,
            ran=len(chosen),
            of=len(one.tests),
            by=by,
            seconds=round(time.monotonic() - start, 1),
        )

    def _write(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        # Compiled files are told from their sources by whole seconds and size.
        with self._lock:
            self._written += 1
            at = path.stat().st_mtime + 2 * self._written
        os.utime(path, (at, at))

    def _run(self, place: Path, tests: Sequence[str], seconds: float) -> tuple[int | None, str]:
        """The exit code, None after so many seconds, and the test that failed.

        Raises RuntimeError when pytest did not run the tests.
        """
        listed, failed = place.parent / "listed.txt", place.parent / "failed.txt"
        listed.write_text("\n".join(tests), encoding="utf-8")
        failed.write_text("", encoding="utf-8")
        files = list(dict.fromkeys(one.split("::")[0] for one in tests))
        command = [
            *(sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"),
            *("-p", "performance.chosen_tests", f"--basetemp={place.parent / 'tests'}", *files),
        ]
        environment = environment_of(place) | {LISTED: str(listed), FAILED: str(failed)}
        with (place.parent / "run.log").open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, cwd=place, env=environment, stdout=log, stderr=log, start_new_session=True
            )
            with self._lock:
                self._processes.add(process.pid)
            try:
                code: int | None = process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = None
            finally:
                with self._lock:
                    self._processes.discard(process.pid)
        # 2: the fault is met while tests are imported; 3, 4: pytest or its plugins fell over it, as
        # they do over an error in a conftest.
        if code == 5 and not self._stopped:
            raise RuntimeError(f"None of these tests is there any more: make a new map. {files}")
        return code, failed.read_text(encoding="utf-8").strip()


def copied(root: Path, place: Path) -> Path:
    """A copy of the tree without what is built in it."""
    anywhere = shutil.ignore_patterns(*_LEFT_BEHIND)

    def ignored(folder: str, names: list[str]) -> set[str]:
        # The package has folders of these names, too.
        return anywhere(folder, names) | ({"build", "dist"} if Path(folder) == root else set())

    return Path(shutil.copytree(root, place, ignore=ignored))


def environment_of(place: Path) -> dict[str, str]:
    """The environment in which Python finds the package in a copy of the tree, in its children too."""
    told = {**os.environ, "PYTHONPATH": os.pathsep.join((str(place), str(ROOT)))}
    told.pop("PYTHONDONTWRITEBYTECODE", None)
    told["OTHERMINDS_CACHE"] = str(place.parent / "cache")
    data = ROOT.parent / "shared" / "data"
    if data.is_dir():
        told.setdefault("OTHERMINDS_SHARED_DATA", str(data))
    return told


def _make_map(folder: Path, root: Path, sources: Sequence[str], words: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="map-") as temporary:
        place = copied(root, Path(temporary) / root.name)
        measure(folder, place, environment_of(place), [place / one for one in sources], words)


def _within(tests: Sequence[str], seconds: Mapping[str, float], cap: float) -> list[str]:
    """As many as take `cap` seconds together; one at least."""
    chosen, spent = list(tests[:1]), seconds[tests[0]]
    for one in tests[1:]:
        spent += seconds[one]
        if spent > cap:
            break
        chosen.append(one)
    return chosen


def _read(path: Path) -> list[Verdict]:
    if not path.is_file():
        return []
    return [Verdict(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def show(
    verdicts: Sequence[Verdict], seed: int, equivalent: Collection[int], console: Console
) -> None:
    """Print how many faults were caught, by package, and those that were not, one by one."""
    statuses = (CAUGHT, TIMED_OUT, SURVIVED, UNSOUND)
    table = Table(title=f"{len(verdicts)} faults, seed {seed}")
    for column in ("package", *statuses):
        table.add_column(column, justify="left" if column == "package" else "right")
    groups: list[tuple[str, Callable[[Verdict], bool]]] = [
        (name, lambda one, name=name: one.path.startswith(f"{name}/"))  # type: ignore[misc]
        for name in sorted({one.path.split("/")[0] for one in verdicts})
    ]
    for name, belongs in (*groups, ("all", lambda one: True)):
        counts = Counter(one.status for one in verdicts if belongs(one))
        table.add_row(name, *(str(counts[status]) for status in statuses))
    console.print(table)
    for one in verdicts:
        if one.status == SURVIVED:
            tests = f"{one.ran} of {one.of} tests"
            console.print(f"{one.number}. {one.path}:{one.line}, {one.kind}, survived {tests}")
            console.print(f"    {one.before}\n    {one.after}", markup=False, highlight=False)
    if equivalent:
        console.print(f"Passed over as equivalent: {', '.join(map(str, sorted(equivalent)))}")


if __name__ == "__main__":
    sys.exit(main())
