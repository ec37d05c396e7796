"""What machine a benchmark ran on, enough to judge its numbers, and what a process took of it."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGES = (
    "otherminds",
    "lm-eval",
    "datasets",
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "torch",
    "transformers",
    "vllm",
    "inspect-ai",
    "ray",
)

_TELLER = """
import json, os, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(child, 0)
took = time.perf_counter() - start
with open(sys.argv[1], "w") as told:
    json.dump([used.ru_utime + used.ru_stime, took, used.ru_maxrss * 1024 / 1e6], told)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
"""
"""Starts a program and writes what it used. It is a small process of its own, because the kernel counts
the peak of the process that starts a program as the program's."""


@dataclass(frozen=True)
class Used:
    """What a program and the processes that it waited for used.

    cpu      seconds of a processor, in the program and in the system for it: the clock for machines
             whose cores others use too
    clock    seconds by the clock
    peak_mb  resident memory of the largest process at its peak
    """

    cpu: float
    clock: float
    peak_mb: float


def used_by(
    words: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Used:
    """Run a program to its end; its output goes nowhere.

    `words` begin with the program's path. Raises RuntimeError with the end of its standard error where
    it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "used.json"
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _TELLER, str(told), *words],
            env=None if env is None else dict(env),
            cwd=cwd,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            end = "\n".join(done.stderr.strip().splitlines()[-20:])
            raise RuntimeError(f"{' '.join(words)} ended with {done.returncode}: {end}")
        return Used(*json.loads(told.read_text()))


def described() -> dict[str, Any]:
    """Date, processor, cores this process may use, memory in GB, versions of what is installed."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "packages": {name: version for name in PACKAGES if (version := _version(name))},
    }


def peak_mb() -> float:
    """The most memory that this process has had resident since its program started, in MB.

    `resource.getrusage` will not do: what it tells begins with the peak of the process that started
    this one.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
