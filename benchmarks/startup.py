"""Time from the start of the command to the first request: `otherminds run` against `lm_eval`.

Both run the same task on lm-eval's `dummy` model, which prints each request when it gets it.
Run (after `otherminds link`): python benchmarks/startup.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TASK = "hugagent_bdu_synthetic"
FLAGS = ["--model", "dummy", "--model_args", "write_out=True", "--limit", "1"]
FIRST_WORDS = "You predict what one particular person thinks."
SCRIPTS = Path(sys.executable).parent


def main() -> None:
    commands = {
        "lm_eval": ["lm_eval", "--tasks", TASK, *FLAGS],
        "otherminds run": ["otherminds", "run", TASK, *FLAGS, "--fresh"],
    }
    best = {name: float("inf") for name in commands}
    for _ in range(3):
        for name, words in commands.items():
            best[name] = min(best[name], seconds_to_first_request(words))
    for name, seconds in best.items():
        print(f"{name}: {seconds:.2f} s to the first request")
    ratio = best["otherminds run"] / best["lm_eval"]
    print(f"ratio: {ratio:.2f} (bound: under 0.5)")


def seconds_to_first_request(words: list[str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        with subprocess.Popen(
            [SCRIPTS / words[0], *words[1:]],
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "HF_HUB_OFFLINE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            for line in process.stdout or []:
                if line.startswith(FIRST_WORDS):
                    break
            else:
                raise RuntimeError(f"{' '.join(words)} never asked anything; run it by hand.")
            seconds = time.perf_counter() - start
            process.kill()
    return seconds


if __name__ == "__main__":
    main()
