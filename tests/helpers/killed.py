"""Runs that are killed in the middle, at the same answer on every machine, however busy it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# SIGKILL cannot be caught: for what is on disk it makes no difference who sends it.
_SCRIPT = """
import os, signal, sys
from otherminds.cli import main as cli
from otherminds.running.journal import Journal

enough = int(sys.argv.pop(1))
add = Journal.add

def add_and_die(self, answers):
    add(self, answers)
    if len(self) >= enough:
        os.kill(os.getpid(), signal.SIGKILL)

Journal.add = add_and_die
cli.main()
"""


def run_until(answers: int, words: Sequence[str | Path], cwd: Path) -> None:
    """Run `otherminds WORDS` in a process that is killed once its journal holds so many answers."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(answers), *map(str, words)],
        cwd=cwd,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, f"{words}\n{done.stdout}\n{done.stderr}"
