"""Ten minutes of runs: all tasks again and again in one process, and long runs that are killed.

In the first two thirds of the time, memory must stay flat, no files be left, and results be the same. A
weightless model answers the first documents (`--limit`) of every task whose data need no download, all
tasks of a dataset in one run. Caches fill in the first half of the rounds; in the second, the slope of
memory in use over rounds (least squares) must stay below a bound.

Python and Arrow are made to take their memory from the C library (glibc), which can tell what is in use:
their own allocators keep what is partly used, so that resident memory says little of what is lost.

In the last third, runs of thousands of items are killed and resumed (performance/kills.py).
Run: python -m performance.soak [--seconds N] [--limit N]
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np

from otherminds import harness, manifest
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.samples import read
from performance import kills
from performance.ratio import Ratio, as_json, from_json, print_table

DATA = "generated"
SECONDS, LIMIT, MODEL = 600.0, 20, "random"
LEAST = 6
SLOPE = 0.5
"""Megabytes that memory in use may grow by in a round: after 2,000 rounds, 1 GB."""

_OF_THE_C_LIBRARY = {"PYTHONMALLOC": "malloc", "ARROW_DEFAULT_MEMORY_POOL": "system"}


@dataclass(frozen=True)
class Round:
    """What one round left behind.

    used     memory in use, in MB
    memory   resident, in MB
    left     files and folders under the temporary folder
    handles  open files
    hash     of all answers and scores
    """

    seconds: float
    used: float
    memory: float
    left: int
    handles: int
    hash: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--limit", type=int, default=LIMIT, help="Documents of each task.")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child:
        print(json.dumps([as_json(one) for one in measured(told.seconds, told.limit)]))
    else:
        print_table(measure(told.seconds, told.limit))


def measure(seconds: float = SECONDS, limit: int = LIMIT) -> list[Ratio]:
    """Two thirds of the time for rounds of all tasks, in a process of their own; then killed runs."""
    return [*in_rounds(seconds * 2 / 3, limit), *kills.measure(seconds / 3)]


def in_rounds(seconds: float, limit: int) -> list[Ratio]:
    told = ["--seconds", str(seconds), "--limit", str(limit), "--child"]
    done = subprocess.run(
        [sys.executable, "-m", "performance.soak", *told],
        env={**os.environ, **_OF_THE_C_LIBRARY},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [from_json(one) for one in json.loads(done.stdout.splitlines()[-1])]


def measured(seconds: float, limit: int) -> list[Ratio]:
    harness.quiet(debug=False)
    tasks = embedded()
    rounds: list[Round] = []
    start = time.perf_counter()
    # Never fewer than three rounds in the second half: a line through two points fits always.
    while time.perf_counter() - start < seconds or len(rounds) < LEAST:
        rounds.append(once(tasks, limit))
        print(f"round {len(rounds)}: {rounds[-1]}", file=sys.stderr)
    warm = rounds[len(rounds) // 2 :]
    slope = float(np.polyfit(range(len(warm)), [one.used for one in warm], 1)[0])
    n = sum(map(len, tasks.values()))
    note = (
        f"{len(rounds)} rounds of {n} tasks with {limit} documents each, "
        f"{time.perf_counter() - start:,.0f} s"
    )
    return [
        Ratio.alone(
            "soak: growth of memory in use", slope, "MB a round", target=f"<= {SLOPE}", note=note
        ),
        Ratio.of(
            "soak: resident memory of the last round against the first of the second half",
            warm[-1].memory,
            warm[0].memory,
            "MB",
            target="<= 1.02",
        ),
        Ratio.alone(
            "soak: temporary files and folders left",
            max(one.left for one in rounds),
            "files",
            target="<= 0",
        ),
        Ratio.alone(
            "soak: open files gained",
            warm[-1].handles - warm[0].handles,
            "files",
            target="<= 0",
        ),
        Ratio.alone(
            "soak: different results",
            len({one.hash for one in rounds}) - 1,
            "rounds",
            target="<= 0",
        ),
    ]


def embedded() -> Mapping[str, Sequence[str]]:
    """The tasks whose data are generated here, by dataset."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entry in harness.entries(harness.task_manager()):
        if entry.kind == "task" and entry.path is not None:
            wanted = harness.load_yaml(entry.path, resolve_functions=False)["dataset_kwargs"]
            # A task without configurations is made from samples or titles that only a user has.
            if manifest.load(wanted["dataset"]).generated and wanted.get("configs"):
                found[wanted["dataset"]].append(entry.name)
    return dict(found)


def once(tasks: Mapping[str, Sequence[str]], limit: int) -> Round:
    """Run all tasks into a folder that is then removed."""
    start = time.perf_counter()
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory() as own, mock.patch.object(tempfile, "tempdir", own):
        with tempfile.TemporaryDirectory() as out:
            for names in tasks.values():
                digest.update(results(names, limit, Path(out)))
        left = sum(len(folders) + len(files) for _, folders, files in os.walk(own))
    gc.collect()
    return Round(
        seconds=round(time.perf_counter() - start, 1),
        used=round(_in_use_mb(), 2),
        memory=round(_resident_mb(), 1),
        left=left,
        handles=len(list(Path("/proc/self/fd").iterdir())),
        hash=digest.hexdigest()[:12],
    )


def results(names: Sequence[str], limit: int, out: Path) -> bytes:
    """A hash of all answers and scores of one run."""
    flags = ["--model", MODEL, "--limit", str(limit), "--output_path", str(out)]
    finished = run(names, flags, Options())
    assert finished is not None
    digest = hashlib.sha256()
    for one in (*finished.earlier, finished):
        digest.update(json.dumps(one.results["results"], sort_keys=True, default=str).encode())
        for path in one.sample_paths:
            for sample in read.records(path, note=_refuse):
                digest.update(json.dumps([sample["doc"], sample["resps"]]).encode())
    return digest.digest()


def _refuse(said: str) -> None:
    raise AssertionError(said)


class _Mallinfo2(ctypes.Structure):
    """glibc's `struct mallinfo2`, see mallinfo(3)."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def _in_use_mb() -> float:
    """What the C library has given out, in blocks and mapped, in MB."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = _Mallinfo2
    found = mallinfo2()
    return (int(found.uordblks) + int(found.hblkhd)) / 1e6


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
