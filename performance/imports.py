"""What commands import: seconds of `python -X importtime`, and packages that a command has no use for.

Run: python -m performance.imports
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence

from performance.ratio import Ratio, print_table
from performance.startup import ROOT, environment

DATA = "none"
CLAIM = "commands load no heavy package without use"
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
_LOADED_BY = """
import json, os, sys
from otherminds.cli.main import main

told = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for command in sys.argv[1:]:
    if child := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code:
            sys.exit(f"otherminds {command}: {code}")
        continue
    sys.argv = ["otherminds", *command.split()]
    code = 0
    try:
        main()
    except SystemExit as done:
        code = done.code
    if not code:
        with open(told, "w") as lines:
            print(json.dumps(sorted(sys.modules)), file=lines)
    os._exit(1 if code else 0)
"""


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    beyond = unneeded(loaded_by(NEEDED))
    return [
        Ratio.alone(
            "otherminds --help, all imports beyond Python's own",
            seconds(["-m", "otherminds", "--help"]) - seconds(["-c", "pass"]),
            "s",
            note="sum of python -X importtime",
        ),
        *(
            Ratio.alone(
                f"{name}: heavy packages without use",
                len(found),
                "packages",
                target="<= 0",
                note=", ".join(found),
                claim=CLAIM,
            )
            for name, found in beyond.items()
        ),
    ]


def unneeded(found: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    """By command, the heavy packages among the modules that it loads, but for those that it needs."""
    return {
        name: [one for one in HEAVY if one in found[name] and one not in needed]
        for name, needed in NEEDED.items()
    }


def loaded_by(commands: Iterable[str], **more: str) -> dict[str, frozenset[str]]:
    """All modules that are loaded when a command is done, by command.

    Each runs in a fork of one process that has imported what all of them do, with `more` in its
    environment.
    """
    named = list(commands)
    done = _python(["-c", _LOADED_BY, *named], **more)
    lines = done.stdout.splitlines()
    return {name: frozenset(json.loads(line)) for name, line in zip(named, lines, strict=True)}


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
