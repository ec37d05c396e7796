"""Sample files with zstd, as `otherminds run` writes them, against gzip at level 3, as it did before.

The lines are those of a run: the model `random` answers the first 4,000 questions of SocialMindChange,
which are 100 MB. They are packed and unpacked line by line, as writers and readers do. Times are of the
processor. Run: python -m performance.packing
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from otherminds import files
from otherminds.data.cache import cached
from otherminds.samples import packed
from performance.ratio import Ratio, print_table
from performance.startup import environment

DATA = "generated"
DATASET = "socialmindchange-codes"
TASK, ITEMS, TIMES = "socialmindchange_codes", 4_000, 3
GZIP_LEVEL = 3

Opened = Callable[[], AbstractContextManager[Any]]


def main() -> None:
    print_table(measure())


def measure(items: int = ITEMS) -> list[Ratio]:
    cached(DATASET)
    return compared(samples(items))


def samples(items: int) -> list[bytes]:
    """The sample lines of a run of the first items."""
    with tempfile.TemporaryDirectory() as folder:
        told = ["--model", "random", "--limit", str(items), "--output_path", folder]
        subprocess.run(
            [sys.executable, "-m", "otherminds", "run", TASK, *told],
            env=environment(),
            stdout=subprocess.DEVNULL,
            check=True,
        )
        [path] = Path(folder).rglob("samples_*.jsonl.zst")
        return [line for _, line in packed.lines(path)]


def compared(lines: Sequence[bytes]) -> list[Ratio]:
    """Size, and time to pack and to unpack, of some lines in both ways."""
    size = sum(map(len, lines))
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "lines.zst", Path(folder) / "lines.gz"
        packing = (
            _seconds(lambda: _pack(lambda: files.packed_file(ours), lines)),
            _seconds(
                lambda: _pack(lambda: gzip.GzipFile(theirs, "wb", compresslevel=GZIP_LEVEL), lines)
            ),
        )
        unpacking = (
            _seconds(lambda: _unpack(lambda: files.zstd().open(ours)) == size),
            _seconds(lambda: _unpack(lambda: gzip.GzipFile(theirs)) == size),
        )
        sizes = ours.stat().st_size / 1e6, theirs.stat().st_size / 1e6
    name = f"samples with zstd against gzip at level {GZIP_LEVEL}"
    note = f"{len(lines):,} samples of {TASK}, {size / 1e6:,.0f} MB unpacked"
    return [
        Ratio.of(f"{name}: size", *sizes, "MB", target="<= 0.25", note=note),
        Ratio.of(f"{name}: time to pack", *packing, "CPU s", note=note),
        Ratio.of(f"{name}: time to unpack", *unpacking, "CPU s", note=note),
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


if __name__ == "__main__":
    main()
