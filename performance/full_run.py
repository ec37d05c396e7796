"""A whole run through `otherminds run`: peak memory, and the size of its sample log.

The model `random` answers SocialMindChange, so that what is measured is ours and lm-eval's, of the first
8,000 of its 96,000 items; `--whole` takes all. Each run is a process of its own,
which writes its journal, results and samples as any run does.
Run: python -m performance.full_run [--limit N | --whole]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from otherminds.data.cache import cached
from otherminds.samples import packed
from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

TASK, ITEMS, LIMIT = "socialmindchange", 96_000, 8_000


@dataclass(frozen=True)
class Run:
    """What a run took: memory at its peak in MB, and its sample log in bytes, packed and plain."""

    peak_mb: float
    packed: int
    plain: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--limit", type=int, default=LIMIT)
    size.add_argument("--whole", action="store_true")
    parser.add_argument("--child", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child:
        print(json.dumps(_peak_of(told.child)))
        return
    print_table(measure(ITEMS if told.whole else told.limit))


def measure(limit: int = LIMIT) -> list[Ratio]:
    """Memory and sample log of a run of the first items; of half as many too, for what an item adds."""
    cached(TASK)
    half, full = _run(limit // 2), _run(limit)
    items = f"{limit:,} of {ITEMS:,} items" if limit < ITEMS else f"all {ITEMS:,} items"
    each = (full.peak_mb - half.peak_mb) / (limit - limit // 2)
    grown = f"; of {limit // 2:,}, {half.peak_mb:,.0f} MB"
    if limit < ITEMS:
        grown += f"; all {ITEMS:,} would take {full.peak_mb + each * (ITEMS - limit):,.0f} MB so"
    memory = f"peak memory of a run of {TASK} with the model random"
    return [
        Ratio.alone(memory, full.peak_mb, "MB", note=items + grown),
        Ratio.of(
            f"sample log of {TASK}, packed against plain",
            full.packed / 1e6,
            full.plain / 1e6,
            "MB",
            note=items,
        ),
    ]


def _run(limit: int) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        told = ["--model", "random", "--limit", str(limit), "--output_path", folder]
        done = subprocess.run(
            [sys.executable, "-m", "performance.full_run", "--child", "run", TASK, *told],
            env={**os.environ, "HF_HUB_OFFLINE": "1"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        [samples] = Path(folder).rglob("samples_*.jsonl.zst")
        plain = sum(len(line) for _, line in packed.lines(samples))
        peak = float(json.loads(done.stdout.splitlines()[-1]))
        return Run(peak, samples.stat().st_size, plain)


def _peak_of(words: list[str]) -> float:
    """Run a command of `otherminds` in this process; returns its peak memory in MB."""
    from otherminds.cli.main import main as otherminds

    sys.argv = ["otherminds", *words]
    try:
        otherminds()
    except SystemExit as done:
        if done.code:
            raise
    return peak_mb()


if __name__ == "__main__":
    main()
