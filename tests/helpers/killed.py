"""Runs that are killed in the middle, at the same answer on every machine, however busy it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# SIGKILL cannot be caught: for what is on disk it makes no difference who sends it.
_SCRIPT = """
import os, signal, sys
from otherminds import harness
from otherminds.cli.main import main
from otherminds.harness import windows
from otherminds.running.journal import Journal
from tests.helpers import hashed_model

enough = int(sys.argv.pop(1))
windows.DOCUMENTS = int(sys.argv.pop(1)) or windows.DOCUMENTS
if hashed_model.NAME in sys.argv:
    harness.model_names = lambda: [hashed_model.NAME]
    harness.make_model = hashed_model.make
add = Journal.add

def add_and_die(self, answers):
    add(self, answers)
    if len(self) >= enough:
        os.kill(os.getpid(), signal.SIGKILL)

Journal.add = add_and_die
main()
"""


def run_until(answers: int, words: Sequence[str | Path], cwd: Path, *, documents: int = 0) -> None:
    """Run `otherminds WORDS` in a process that is killed once its journal holds so many answers.

    `documents` is how many the windows hold, if not so many as ever.
    """
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(answers), str(documents), *map(str, words)],
        cwd=cwd,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, f"{words}\n{done.stdout}\n{done.stderr}"
