"""The first commands on a fresh machine: `otherminds doctor` and `otherminds list`, by the clock.

Home and cache are empty folders, so no data are built yet and none are built: the doctor tries tasks on
a handful of generated people. A second doctor finds what the first one left, which is nothing.
Run: python -m performance.doctor
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from performance.ratio import Ratio, print_table
from performance.startup import ROOT, environment

DATA = "generated"
TIMES = 3


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    return [
        Ratio.alone(
            "otherminds doctor in a fresh home with an empty cache",
            min(seconds(["doctor"]) for _ in range(TIMES)),
            "s",
            target="< 20",
            note=f"best of {TIMES}",
        ),
        Ratio.alone(
            "otherminds list",
            min(seconds(["list"]) for _ in range(TIMES)),
            "s",
            target="< 2.6",
            note=f"best of {TIMES}",
            data="none",
        ),
    ]


def seconds(words: Sequence[str]) -> float:
    """The time of a command in a home of its own; RuntimeError where it fails or builds data."""
    with tempfile.TemporaryDirectory() as home:
        cache = Path(home) / "cache"
        fresh = {**environment(), "HOME": home, "OTHERMINDS_CACHE": str(cache)}
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "otherminds", *words],
            cwd=ROOT,
            env=fresh,
            capture_output=True,
            text=True,
            check=False,
        )
        took = time.perf_counter() - start
        if done.returncode or any(cache.rglob("*.parquet")):
            raise RuntimeError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return took


if __name__ == "__main__":
    main()
