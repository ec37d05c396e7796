"""Run all benchmarks, one after another, and print their ratios in one table.

Each runs in a process of its own, so that peak memory is its own and none disturbs another; one that
fails is named, and the others go on. `python -m performance.write_page FILE.json` makes
docs/reference/performance.md of what --out wrote.
Run: python -m performance.run [--only NAME …] [--out FILE.json]
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from performance.ratio import Ratio, as_json, from_json, print_table, write_json

NAMES = (
    "cpu",
    "full_run",
    "cost",
    "startup",
    "doctor",
    "imports",
    "prompts",
    "bootstrap",
    "graphs",
    "interviews",
    "study",
    "samples",
    "packing",
    "prefix",
    "logprob",
    "build",
    "debate",
    "leaderboard",
    "serving",
    "windows",
    "page",
    "soak",
)
_CHILD = "--child"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for; returns 1 where a benchmark failed, which is no missed target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, metavar="NAME")
    parser.add_argument("--out", type=Path, help="A .json file to write.")
    parser.add_argument(_CHILD, nargs=2, help=argparse.SUPPRESS)
    told = parser.parse_args(arguments)
    if told.child:
        name, path = told.child
        Path(path).write_text(json.dumps([as_json(one) for one in measured(name)]))
        return 0
    found, failed = run(told.only)
    print_table([one for ratios in found.values() for one in ratios])
    if told.out is not None:
        write_json(told.out, found, failed=failed)
        print(f"Written: {told.out}")
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def run(names: Sequence[str]) -> tuple[dict[str, list[Ratio]], list[str]]:
    """The ratios of some benchmarks, each's by its name, and the names of those that failed."""
    found: dict[str, list[Ratio]] = {}
    failed: list[str] = []
    for name in names:
        print(f"{name} …", file=sys.stderr)
        ratios = in_a_process(name)
        if ratios is None:
            failed.append(name)
        else:
            found[name] = ratios
    return found, failed


def in_a_process(name: str) -> list[Ratio] | None:
    """What one benchmark measures; None where it fails, which standard error says why."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratios.json"
        words = [sys.executable, "-m", "performance.run", _CHILD, name, str(path)]
        # What it prints meanwhile is no result, but says what goes on, and why something failed.
        done = subprocess.run(words, stdout=sys.stderr, check=False)
        if done.returncode or not path.exists():
            print(f"{name} failed.", file=sys.stderr)
            return None
        return [from_json(one) for one in json.loads(path.read_text())]


def measured(name: str) -> list[Ratio]:
    """Call a benchmark's `measure`; rows that name no data have those of the benchmark, its DATA."""
    benchmark = importlib.import_module(f"performance.{name}")
    measure: Callable[[], list[Ratio]] = benchmark.measure
    return [dataclasses.replace(one, data=one.data or benchmark.DATA) for one in measure()]


if __name__ == "__main__":
    sys.exit(main())
