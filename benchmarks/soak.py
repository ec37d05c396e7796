"""The embedded suite again and again in one process: memory flat, no files left, the same results.

A weightless model answers the first documents (`--limit`) of every task whose data need no download, all
tasks of a dataset in one run. After the first rounds, which fill caches, the slope of resident memory
over rounds (least squares) must stay below a bound.
Run: python -m benchmarks.soak [--seconds N] [--limit N]
"""

from __future__ import annotations

import argparse
import gc
import gzip
import hashlib
import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np

from benchmarks.ratio import Ratio, print_table
from otherminds import harness, manifest
from otherminds.models import Options
from otherminds.run import run

SECONDS, LIMIT, MODEL = 600.0, 20, "random"
WARM_UP = 2
SLOPE = 0.5
"""Megabytes that resident memory may grow by in a round: after 2,000 rounds, 1 GB."""


@dataclass(frozen=True)
class Round:
    """What one round left behind.

    memory   resident, in MB
    left     files and folders under the temporary folder
    handles  open files
    hash     of all answers and scores
    """

    seconds: float
    memory: float
    left: int
    handles: int
    hash: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--limit", type=int, default=LIMIT, help="Documents of each task.")
    told = parser.parse_args()
    print_table(measure(told.seconds, told.limit))


def measure(seconds: float = SECONDS, limit: int = LIMIT) -> list[Ratio]:
    harness.quiet(debug=False)
    tasks = embedded()
    rounds: list[Round] = []
    start = time.perf_counter()
    # Never fewer than three rounds after the warm-up: a line through two points fits always.
    while time.perf_counter() - start < seconds or len(rounds) < WARM_UP + 3:
        rounds.append(once(tasks, limit))
        print(f"round {len(rounds)}: {rounds[-1]}", flush=True)
    warm = rounds[WARM_UP:]
    slope = float(np.polyfit(range(len(warm)), [one.memory for one in warm], 1)[0])
    n = sum(map(len, tasks.values()))
    note = (
        f"{len(rounds)} rounds of {n} tasks with {limit} documents each, "
        f"{time.perf_counter() - start:,.0f} s"
    )
    return [
        Ratio.alone("soak: growth of memory", slope, "MB a round", target=f"<= {SLOPE}", note=note),
        Ratio.of(
            "soak: memory of the last round against the first warm one",
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
            with gzip.open(path) as lines:
                for line in lines:
                    sample = json.loads(line)
                    digest.update(json.dumps([sample["doc"], sample["resps"]]).encode())
    return digest.digest()


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
