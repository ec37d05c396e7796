"""Building the generated datasets, audits included: processor time and peak memory at three sizes.

The last column sets the time per unit of the largest size against that of the smallest: linear is 1.
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

SIZES = {
    "hugagent-synthetic": (500, 1_000, 2_000),
    "debate-beliefs-synthetic": (750, 1_500, 3_000),
    "trust-game-synthetic": (1_000, 2_000, 4_000),
    "socialmindchange": (300, 600, 1_200),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="*", default=list(SIZES), metavar="DATASET")
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.size is not None:
        print(json.dumps(measured(told.datasets[0], told.size)))
        return
    print(f"{'dataset':26}{'units':>8}{'build':>10}{'audits':>10}{'peak':>10}{'per unit':>10}")
    for dataset in told.datasets:
        first = None
        for size in SIZES[dataset]:
            found = in_a_process(dataset, size)
            each = (found["build"] + found["audit"]) / size
            first = first or each
            print(
                f"{dataset:26}{size:>8,}{found['build']:>8.1f} s{found['audit']:>8.1f} s"
                f"{found['peak_mb']:>7,.0f} MB{each / first:>10.2f}"
            )


def in_a_process(dataset: str, size: int) -> dict[str, float]:
    """One build in a process of its own, with one thread."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.build", dataset, "--size", str(size)],
        env={**os.environ, "OMP_NUM_THREADS": "1", "ARROW_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measured(dataset: str, size: int) -> dict[str, float]:
    """Build and audit so many units; seconds of processor time, and the peak of memory."""
    import resource

    from otherminds import build, manifest

    known = manifest.load(dataset)
    builder = build.builder_of(known)
    spec = scaled(dataset, builder, dict(known.generator or {}), size)
    start = time.process_time()
    tables = builder.build(spec, num_proc=1, progress=None)
    built = time.process_time()
    failed = [audit.name for audit in builder.audit(tables, spec) if not audit.passed]
    audited = time.process_time()
    if failed:
        print(f"{dataset}, {size:,}: audits that fail: {', '.join(failed)}", file=sys.stderr)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"build": built - start, "audit": audited - built, "peak_mb": peak}


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
