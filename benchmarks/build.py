"""Building the generated datasets: time and peak memory at three sizes, and with two workers.

Each measurement is made in a process of its own. Time is processor time, audits included, of all
processes together; what the ratios say is

    linear    time per unit (person, persona, stage) of the largest size against the smallest
    memory    peak growth of memory per unit, of the second step of size against the first
    workers   wall time with one worker against two, without audits; needs two idle cores, and the note
              has what processor time alone would allow, which does not

Run: python -m benchmarks.build [DATASET …]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

from benchmarks.ratio import Ratio, print_table

SIZES = {
    "hugagent-synthetic": (100, 200, 400),
    "debate-beliefs-synthetic": (500, 1_000, 2_000),
    "trust-game-synthetic": (1_000, 2_000, 4_000),
    "socialmindchange": (40, 80, 160),
}
WORKERS = {"hugagent-synthetic": 500, "socialmindchange": 160}
"""The datasets that use workers at such sizes; the others are drawn in a second or two."""


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
    each = [one["cpu"] / size * 1e3 for one, size in zip(found, sizes, strict=True)]
    growth = [
        (found[n + 1]["peak_mb"] - found[n]["peak_mb"]) / (sizes[n + 1] - sizes[n]) for n in (0, 1)
    ]
    rows = f"{large['rows'] / large['cpu']:,.0f} rows/s of {large['rows']:,.0f}"
    peaks = ", ".join(f"{one['peak_mb']:,.0f}" for one in found)
    return [
        Ratio.of(
            f"build {dataset}, time per unit, {sizes[-1]:,} against {sizes[0]:,} units",
            each[-1],
            each[0],
            "ms",
            target="<= 1.15",
            note=f"{rows}; of the smallest build, {small['audit'] / small['cpu']:.0%} are audits",
        ),
        Ratio.of(
            f"build {dataset}, memory per further unit, above {sizes[1]:,} against below",
            growth[1],
            max(growth[0], 1e-3),
            "MB",
            target="<= 1.25",
            note=f"peak {peaks} MB",
        ),
    ]


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
        note=f"processor time {least[1]:.1f} s against {least[0]:.1f} s would allow "
        f"{2 * least[0] / least[1]:.2f}; load {os.getloadavg()[0]:.1f} on "
        f"{len(os.sched_getaffinity(0))} cores",
    )


def in_a_process(dataset: str, size: int, workers: int) -> dict[str, float]:
    """One build in a process of its own, with one thread; with `workers`, without audits."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.build", dataset),
            *("--size", str(size), "--workers", str(workers)),
        ],
        env={**os.environ, "OMP_NUM_THREADS": "1", "ARROW_NUM_THREADS": "1"},
        capture_output=True,
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
    import resource

    from otherminds import build, manifest

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
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
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
        "socialmindchange": {"stages": size, "lite": size // 5, "variants": {}},
    }
    return builder.spec({**generator, **changes[dataset]})


if __name__ == "__main__":
    main()
