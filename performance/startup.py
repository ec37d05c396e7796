"""Time from the start of the command to the first request: `otherminds run` against `lm_eval`.

Both run the same task on lm-eval's `dummy` model, which prints each request when it gets it; lm_eval
finds the task by --include_path, which costs what `otherminds link` costs. lm_eval imports PyTorch
whatever the model, `otherminds run` only with a model that needs it: as such a model would, PyTorch is
imported by both in a second comparison. A real model's own start comes on top. The last lines are what
`otherminds --help` and `list` take, less what Python takes to start. Run: python -m performance.startup
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from otherminds import paths
from otherminds.data.cache import cached
from performance.ratio import Ratio, print_table

TASK = "hugagent_bdu_synthetic"
FLAGS = ["--model", "dummy", "--model_args", "write_out=True", "--limit", "1"]
FIRST_WORDS = "You predict what one particular person thinks."
ROOT = Path(__file__).resolve().parent.parent
TIMES = 3
_WITH_TORCH = """
import runpy, sys
import torch
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
_STARTS = {
    "a model that needs no PyTorch": ["-m"],
    "PyTorch imported by both": ["-c", _WITH_TORCH],
}
_ALONE = {"--help": "< 0.3", "list": "< 1.3"}


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    """The best of several times each, in turns, so that a busy moment hits both."""
    cached("hugagent-synthetic")
    commands = {
        "lm_eval": ["lm_eval", "--include_path", str(paths.tasks()), "--tasks", TASK, *FLAGS],
        "ours": ["otherminds", "run", TASK, *FLAGS, "--fresh"],
    }
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    alone: dict[str, list[float]] = defaultdict(list)
    python = []
    for _ in range(TIMES):
        for kind, start in _STARTS.items():
            for name, words in commands.items():
                took[kind, name].append(seconds_to_first_request([*start, *words]))
        for words in _ALONE:
            alone[words].append(seconds(["-m", "otherminds", *words.split()]))
        python.append(seconds(["-c", "pass"]))
    note = f"best of {TIMES}"
    return [
        *(
            Ratio.of(
                f"start to first request of lm-eval's dummy model, {kind}, against lm_eval",
                min(took[kind, "ours"]),
                min(took[kind, "lm_eval"]),
                "s",
                target="<= 0.25",
                note=f"{TASK}; {note}",
            )
            for kind in _STARTS
        ),
        *(
            Ratio.alone(
                f"otherminds {words}, beyond Python's own start",
                min(alone[words]) - min(python),
                "s",
                target=target,
                note=note,
            )
            for words, target in _ALONE.items()
        ),
    ]


def seconds_to_first_request(words: list[str]) -> float:
    """Of a command of Python, until it is killed at its first request."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *words],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            for line in process.stdout or []:
                if line.startswith(FIRST_WORDS):
                    break
            else:
                raise RuntimeError(f"{' '.join(words)} never asked anything; run it by hand.")
            found = time.perf_counter() - start
            process.kill()
    return found


def seconds(words: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def environment() -> dict[str, str]:
    """This process's environment, unbuffered and offline, with this checkout's package."""
    return {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(ROOT),
    }


if __name__ == "__main__":
    main()
