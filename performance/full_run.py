"""A whole run through `otherminds run`: its peak memory, and its sample log with zstd and with gzip.

The model `random` answers SocialMindChange, so that what is measured is ours and lm-eval's, of the first
8,000 of its 96,000 items; `--whole` takes all. Each run is a process of its own,
which writes its journal, results and samples as any run does. Of its samples, the first 100 MB are
packed and unpacked again, line by line, in both ways: sizes, and processor time of this process.
Run: python -m performance.full_run [--limit N | --whole]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherminds import files
from otherminds.data.cache import cached
from otherminds.samples import packed
from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

TASK, ITEMS, LIMIT = "socialmindchange", 96_000, 8_000
FIRST, TIMES = 100_000_000, 3

Opened = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Run:
    """What a run took: memory at its peak in MB, its sample log in bytes, packed and plain; and the
    first FIRST bytes of its lines."""

    peak_mb: float
    packed: int
    plain: int
    lines: Sequence[bytes]


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
    """Memory and samples of a run of the first items; of half as many too, for what an item adds."""
    cached(TASK)
    half, full = _run(limit // 2), _run(limit)
    items = f"{limit:,} of {ITEMS:,} items" if limit < ITEMS else f"all {ITEMS:,} items"
    each = (full.peak_mb - half.peak_mb) / (limit - limit // 2)
    grown = f"; of {limit // 2:,}, {half.peak_mb:,.0f} MB"
    if limit < ITEMS:
        grown += f"; all {ITEMS:,} would take {full.peak_mb + each * (ITEMS - limit):,.0f} MB so"
    memory = f"peak memory of a run of {TASK} with the model random"
    log = f"sample log of {TASK}"
    return [
        Ratio.alone(memory, full.peak_mb, "MB", note=items + grown),
        Ratio.of(
            f"{log}, packed, against plain lines",
            full.packed / 1e6,
            full.plain / 1e6,
            "MB",
            note=items,
        ),
        *packing(full.lines),
    ]


def packing(lines: Sequence[bytes]) -> list[Ratio]:
    """Lines packed and unpacked with zstd, as a run writes them, against gzip at level 3."""
    plain = sum(map(len, lines))
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "lines.zst", Path(folder) / "lines.gz"
        written = _seconds(lambda: _pack(lambda: files.packed_file(ours), lines))
        reference = _seconds(
            lambda: _pack(lambda: gzip.GzipFile(theirs, "wb", compresslevel=3), lines)
        )
        read = _seconds(lambda: _unpack(lambda: files.zstd().open(ours)) == plain)
        read_reference = _seconds(lambda: _unpack(lambda: gzip.GzipFile(theirs)) == plain)
        sizes = ours.stat().st_size / 1e6, theirs.stat().st_size / 1e6
    note = f"{len(lines):,} samples of {TASK}, {plain / 1e6:.0f} MB, processor time"
    return [
        Ratio.of("samples with zstd against gzip, size", *sizes, "MB", target="<= 0.25", note=note),
        Ratio.of("samples with zstd against gzip, packing", written, reference, "s", note=note),
        Ratio.of("samples with zstd against gzip, unpacking", read, read_reference, "s", note=note),
    ]


def _pack(opened: Opened, lines: Sequence[bytes]) -> bool:
    with opened() as file:
        for line in lines:
            file.write(line)
    return True


def _unpack(opened: Opened) -> int:
    with opened() as file:
        return sum(map(len, file))


def _seconds(work: Callable[[], bool]) -> float:
    """Processor time of the fastest of a few calls, which must do what they are to."""
    times = []
    for _ in range(TIMES):
        start = time.process_time()
        assert work()
        times.append(time.process_time() - start)
    return min(times)


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
        plain, first = 0, []
        for _, line in packed.lines(samples):
            plain += len(line)
            if plain <= FIRST:
                first.append(line)
        peak = float(json.loads(done.stdout.splitlines()[-1]))
        return Run(peak, samples.stat().st_size, plain, first)


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
