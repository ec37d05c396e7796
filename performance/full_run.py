"""A run of SocialMindChange's 96,000 items through `otherminds run`, against one of its first 9,600.

The model `random` answers, so that what is measured is our work and lm-eval's, and no model's. Each run
is a process of its own, which writes its results and samples as any run does. Memory is that
of the process at its peak; processor time is of all that the command takes, its start included.
Run: python -m performance.full_run [--items N]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from otherminds.data.cache import cached
from performance.machine import Used, used_by
from performance.ratio import Ratio, print_table
from performance.startup import environment

DATA = "generated"
DATASET = "socialmindchange-codes"
TASK, ITEMS, SHARE = "socialmindchange_codes", 96_000, 10

GROWTH = "peak memory of a run, ten times the items"
PEAK = "peak memory of a run"
CPU = "processor time per item"
CLOCK = "a whole run by the clock"
DISK = "samples on disk"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=ITEMS)
    print_table(measure(parser.parse_args().items))


def measure(items: int = ITEMS) -> list[Ratio]:
    """A run of so many items against one of a tenth of them.

    Fewer than all items are told in the names; the targets are those for all of them.
    """
    cached(DATASET)
    few = items // SHARE
    (small, _), (large, disk_mb) = _run(few), _run(items)
    what = f"{items:,} items of {TASK}, model random"
    each = (large.cpu - small.cpu) / (items - few)
    starts = max(small.cpu - each * few, 0.0)
    return [
        Ratio.of(
            f"{GROWTH}, {items:,} against {few:,} items of {TASK}, model random",
            large.peak_mb,
            small.peak_mb,
            "MB",
            target="<= 1.3",
        ),
        Ratio.alone(f"{PEAK}, {what}", large.peak_mb, "MB", target="<= 900"),
        Ratio.alone(
            f"{CPU}, {what}",
            large.cpu / items * 1e3,
            "CPU ms",
            target="<= 0.8",
            note=f"{large.cpu:,.1f} s of a processor in all; of {few:,} items, {small.cpu:,.1f} s: "
            f"{each * 1e3:.2f} ms for each further item, and {starts:,.1f} s to start and end",
        ),
        Ratio.alone(f"{CLOCK}, {what}", large.clock, "s"),
        Ratio.alone(
            f"{DISK}, {what}", disk_mb, "MB", note="packed, as they are written by default"
        ),
    ]


def _run(limit: int) -> tuple[Used, float]:
    """What a run of the first documents uses, and the size of its samples in MB."""
    with tempfile.TemporaryDirectory() as folder:
        told = ["--model", "random", "--limit", str(limit), "--output_path", "out", "--fresh"]
        words = [sys.executable, "-m", "otherminds", "run", TASK, *told]
        used = used_by(words, env=environment(), cwd=Path(folder))
        return used, sum(one.stat().st_size for one in Path(folder).rglob("samples_*")) / 1e6


if __name__ == "__main__":
    main()
