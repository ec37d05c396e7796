"""What commands import: seconds of `python -X importtime`, and packages that a command has no use for.

Run: python -m performance.imports
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence

from performance.ratio import Ratio, print_table
from performance.startup import ROOT, environment

HEAVY = (
    "accelerate",
    "altair",
    "datasets",
    "lm_eval",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "scipy.stats",
    "sklearn",
    "torch",
    "transformers",
)
"""Packages that take a tenth of a second or more each."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "--help": (),
    "tasks-path": (),
    "list --datasets": (),
    # Whose parser knows the flags; its `__init__` is light.
    "run --help": ("lm_eval",),
    "score --help": (),
    "compare --help": (),
    "submit --help": (),
    "leaderboard --help": (),
    "season --help": (),
    "build --help": (),
    "doctor --help": (),
    "list": (),
}
"""Commands, and the heavy packages that each has a use for."""

_LINE = re.compile(r"import time: +(\d+) \| +\d+ \| +(\S+)")
_LOADED = """
import json, runpy, sys
sys.argv = ["otherminds", *sys.argv[1:]]
try:
    runpy.run_module("otherminds", run_name="__main__")
except SystemExit as done:
    if done.code:
        raise
print(json.dumps(sorted(sys.modules)))
"""


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    beyond = {name: unneeded(name.split(), needed) for name, needed in NEEDED.items()}
    return [
        Ratio.alone(
            "otherminds --help, all imports beyond Python's own",
            seconds(["-m", "otherminds", "--help"]) - seconds(["-c", "pass"]),
            "s",
            target="< 0.3",
            note="sum of python -X importtime",
        ),
        *(
            Ratio.alone(
                f"{name}: heavy packages without use",
                len(found),
                "packages",
                target="<= 0",
                note=", ".join(found),
            )
            for name, found in beyond.items()
        ),
    ]


def unneeded(words: Sequence[str], needed: Sequence[str]) -> list[str]:
    """The heavy packages that a command loads and has no use for."""
    found = loaded(words)
    return [name for name in HEAVY if name in found and name not in needed]


def loaded(words: Sequence[str], **more: str) -> frozenset[str]:
    """All modules that are loaded when a command is done, with `more` in its environment."""
    done = _python(["-c", _LOADED, *words], **more)
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def seconds(words: Sequence[str]) -> float:
    """The time that all imports of a Python command take, by Python's own count."""
    done = _python(["-X", "importtime", *words])
    return sum(int(found[1]) for found in map(_LINE.match, done.stderr.splitlines()) if found) / 1e6


def _python(words: Sequence[str], **more: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**environment(), **more},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stderr.strip()}")
    return done


if __name__ == "__main__":
    main()
