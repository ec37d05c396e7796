"""Starting: the whole of a run of one request, and the time to that request, against `lm_eval`.

Both run the same task on lm-eval's `dummy` model, which prints each request when it gets it; lm_eval
finds the task by --include_path, which costs what `otherminds link` costs. Results are written in the
whole runs, samples too. lm_eval imports PyTorch whatever the model, `otherminds run` only with a model
that needs it: as such a model would, PyTorch is imported by both before the first request in a
comparison of its own, which stands before the other. A real model's own start comes on top. The last
lines are what `otherminds --help` and `list` take, less what Python takes to start.
Run: python -m performance.startup
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from otherminds import paths
from otherminds.data.cache import cached
from performance.machine import Used, used_by
from performance.ratio import Ratio, print_table

DATA = "generated"
TASK = "hugagent_bdu_synthetic"
FLAGS = ["--model", "dummy", "--model_args", "write_out=True", "--limit", "1"]
WHOLE = "whole run of one request, lm-eval's dummy model"
TARGET = "<= 0.25"
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
    "PyTorch imported by both": ["-c", _WITH_TORCH],
    "a model that needs no PyTorch": ["-m"],
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
    whole: dict[str, list[Used]] = defaultdict(list)
    took: dict[tuple[str, str], list[float]] = defaultdict(list)
    alone: dict[str, list[float]] = defaultdict(list)
    python = []
    for _ in range(TIMES):
        for name, words in commands.items():
            whole[name].append(to_the_end(words))
        for kind, start in _STARTS.items():
            for name, words in commands.items():
                took[kind, name].append(seconds_to_first_request([*start, *words]))
        for command in _ALONE:
            alone[command].append(seconds(["-m", "otherminds", *command.split()]))
        python.append(seconds(["-c", "pass"]))
    note = f"best of {TIMES}"
    return [
        *against_lm_eval(whole["ours"], whole["lm_eval"]),
        *(
            Ratio.of(
                f"start to first request of lm-eval's dummy model, {kind}, against lm_eval",
                min(took[kind, "ours"]),
                min(took[kind, "lm_eval"]),
                "s",
                target=TARGET,
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
                data="none",
            )
            for words, target in _ALONE.items()
        ),
    ]


def against_lm_eval(ours: Sequence[Used], lm_eval: Sequence[Used]) -> list[Ratio]:
    """Whole runs in seconds of a processor, which are held to the target, and of the clock."""
    note = f"{TASK}, results and samples written; best of {len(ours)}"
    return [
        Ratio.of(
            f"{WHOLE}, against lm_eval: processor time",
            min(one.cpu for one in ours),
            min(one.cpu for one in lm_eval),
            "CPU s",
            target=TARGET,
            note=note,
        ),
        Ratio.of(
            f"{WHOLE}, against lm_eval: by the clock",
            min(one.clock for one in ours),
            min(one.clock for one in lm_eval),
            "s",
        ),
    ]


def to_the_end(words: Sequence[str]) -> Used:
    """What a command of Python uses when it also writes its results and samples."""
    with tempfile.TemporaryDirectory() as folder:
        told = ["--output_path", folder, *(["--log_samples"] if words[0] == "lm_eval" else [])]
        whole = [sys.executable, "-m", *words, *told]
        return used_by(whole, env=environment(), cwd=Path(folder))


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
