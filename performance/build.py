"""Building the generated datasets: time and peak memory at three sizes, and with two workers.

Each measurement is made in a process of its own. Time is processor time, audits included, of all
processes together; what the ratios say is

    linear    time per further unit (person, persona, stage): of the step from the second size to the
              third against the step from the first to the second, so that what every build takes once
              is in neither
    memory    peak growth of memory per further unit, likewise
    workers   wall time with one worker against two, without audits; needs two idle cores, and the note
              has what processor time alone would allow, which does not

Run: python -m performance.build [DATASET …]
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

DATA = "generated"
LINEAR = "building takes time in proportion to the units"
MEMORY = "building takes memory in proportion to the units"
TWO_WORKERS = "building with two workers against one"
SIZES = {
    "hugagent-synthetic": (300, 600, 900),
    "debate-beliefs-synthetic": (1_000, 2_000, 3_000),
    "trust-game-synthetic": (3_000, 6_000, 9_000),
    "socialmindchange-codes": (100, 200, 300),
}
"""In equal steps, so that both are measured equally well."""

WORKERS = {"hugagent-synthetic": 1_500, "socialmindchange-codes": 300}
"""The datasets that use workers; the others are drawn in a second or two. At twenty seconds each, what a
worker takes to start does not decide."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="*", default=list(SIZES), metavar="DATASET")
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=0, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.size is not None:
        print(json.dumps(measured(told.datasets[0], told.size, told.workers)))
        return
    print_table(measure(told.datasets))


def measure(datasets: list[str] | None = None) -> list[Ratio]:
    """The ratios of these datasets (default: all)."""
    ratios: list[Ratio] = []
    for dataset in datasets or list(SIZES):
        ratios += by_size(dataset)
        if dataset in WORKERS:
            ratios.append(by_workers(dataset, WORKERS[dataset]))
    return ratios


def by_size(dataset: str) -> list[Ratio]:
    """Whether time and memory are linear in the number of units."""
    sizes = SIZES[dataset]
    found = [in_a_process(dataset, size, 0) for size in sizes]
    small, _, large = found
    against = f"per further unit, {sizes[1]:,} to {sizes[2]:,} against {sizes[0]:,} to {sizes[1]:,}"
    times = ", ".join(f"{one['cpu']:,.1f}" for one in found)
    rows = f"{large['rows'] / large['cpu']:,.0f} rows/s of {large['rows']:,.0f}"
    peaks = ", ".join(f"{one['peak_mb']:,.0f}" for one in found)
    return [
        steps(
            f"build {dataset}, time {against}",
            [one["cpu"] * 1e3 for one in found],
            sizes,
            "CPU ms",
            target="<= 1.15",
            claim=LINEAR,
            note=f"{times} s, {rows}; of the smallest build, "
            f"{small['audit'] / small['cpu']:.0%} are audits",
        ),
        steps(
            f"build {dataset}, memory {against}",
            [one["peak_mb"] for one in found],
            sizes,
            "MB",
            target="<= 1.25",
            claim=MEMORY,
            note=f"peak {peaks} MB",
        ),
    ]


def steps(
    name: str,
    found: Sequence[float],
    sizes: Sequence[int],
    unit: str,
    *,
    target: str,
    note: str,
    claim: str = "",
) -> Ratio:
    """What a unit adds in the second step of size, against the first.

    Without a verdict where a step added nothing: whatever the ratio, it would say nothing of growth.
    """
    first, second = (
        (found[n + 1] - found[n]) / (sizes[n + 1] - sizes[n]) for n in range(len(sizes) - 1)
    )
    if first > 0 and second > 0:
        return Ratio.of(name, second, first, unit, target=target, note=note, claim=claim)
    said = f"{note}; no growth that could be measured, so no verdict"
    return Ratio(name, second, first, unit, math.nan, target, None, said, claim=claim)


def by_workers(dataset: str, size: int) -> Ratio:
    """How much faster two workers build than one; each the better of two runs, in turn."""
    runs = [(in_a_process(dataset, size, 1), in_a_process(dataset, size, 2)) for _ in range(2)]
    one, two = (min((run[n] for run in runs), key=lambda found: found["wall"]) for n in (0, 1))
    least = [min(run[n]["cpu"] for run in runs) for n in (0, 1)]
    return Ratio.of(
        f"build {dataset}, {size:,} units with two workers against one",
        two["wall"],
        one["wall"],
        "s",
        target=">= 1.7",
        inverse=True,
        claim=TWO_WORKERS,
        note=f"processor time {least[1]:.1f} s against {least[0]:.1f} s would allow "
        f"{2 * least[0] / least[1]:.2f}; load {os.getloadavg()[0]:.1f} on "
        f"{len(os.sched_getaffinity(0))} cores",
    )


def in_a_process(dataset: str, size: int, workers: int) -> dict[str, float]:
    """One build in a process of its own, with one thread; with `workers`, without audits."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "performance.build", dataset),
            *("--size", str(size), "--workers", str(workers)),
        ],
        env={**os.environ, "OMP_NUM_THREADS": "1", "ARROW_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measured(dataset: str, size: int, workers: int) -> dict[str, float]:
    """Build so many units, and audit them where no workers are told.

    wall, cpu, audit  seconds; cpu of all processes and audits, wall of the build alone
    peak_mb           of this process
    """
    from otherminds import manifest
    from otherminds.data.build import dataset as build

    known = manifest.load(dataset)
    builder = build.builder_of(known)
    spec = scaled(dataset, builder, dict(known.generator or {}), size)
    before, start = _cpu(), time.perf_counter()
    tables = builder.build(spec, num_proc=workers or 1, progress=None)
    wall, built = time.perf_counter() - start, _cpu()
    audits = [] if workers else builder.audit(tables, spec)
    audited = _cpu()
    if failed := [audit.name for audit in audits if not audit.passed]:
        print(f"{dataset}, {size:,}: audits that fail: {', '.join(failed)}", file=sys.stderr)
    return {
        "wall": wall,
        "cpu": audited - before,
        "audit": audited - built,
        "rows": sum(table.num_rows for table in tables.values()),
        "peak_mb": peak_mb(),
    }


def _cpu() -> float:
    """Processor seconds of this process and of those it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def scaled(dataset: str, builder: Any, generator: dict[str, Any], size: int) -> Any:
    """The release's parameters for another number of people, personas or stages."""
    if dataset == "hugagent-synthetic":
        return builder.scaled(builder.spec(generator), size)
    changes: dict[str, dict[str, Any]] = {
        "debate-beliefs-synthetic": {"users": size},
        "trust-game-synthetic": {"personas": size},
        "socialmindchange-codes": {"stages": size, "lite": size // 5, "variants": {}},
    }
    return builder.spec({**generator, **changes[dataset]})


if __name__ == "__main__":
    main()
