"""Building HugAgent synthetic, audits included: time and peak memory at three sizes, on one core.

Run: python benchmarks/build.py
"""

from __future__ import annotations

import os
import subprocess
import sys

SIZES = (500, 1_000, 2_000)

PROGRAM = """
import resource, sys, time
from otherminds import manifest
from otherminds.dataset_builders.hugagent import synthetic

agents = int(sys.argv[1])
released = synthetic.spec(manifest.load("hugagent-synthetic").generator)
spec = synthetic.scaled(released, agents)
start = time.perf_counter()
tables = synthetic.build(spec)
built = time.perf_counter()
audits = synthetic.audit(tables, spec)
audited = time.perf_counter()
assert all(audit.passed for audit in audits), [a for a in audits if not a.passed]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(built - start, audited - built, peak)
"""


def main() -> None:
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "ARROW_NUM_THREADS": "1"}
    per_agent = []
    for agents in SIZES:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(agents)],
            env=one_thread,
            capture_output=True,
            text=True,
            check=True,
        )
        build, audit, peak = map(float, done.stdout.split())
        per_agent.append((build + audit) / agents)
        print(f"{agents:,} people: build {build:.1f} s, audits {audit:.1f} s, peak {peak:.0f} MB")
    print("bound at 500: under 60 s and 1,024 MB")
    print(f"ratio of time per person, 2,000 to 500: {per_agent[-1] / per_agent[0]:.2f} (linear: 1)")


if __name__ == "__main__":
    main()
