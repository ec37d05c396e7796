"""What a program used, as the benchmarks count it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from performance.machine import used_by

SPIN = "import time\nwhile time.process_time() < {seconds}: pass\n"
HOLD = "held = bytearray({bytes})\nheld[::1024] = b'x' * len(held[::1024])\n"


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", code]


def test_processor_time_is_of_the_program_and_of_what_it_started() -> None:
    both = f"import subprocess, sys\n{SPIN}subprocess.run([sys.executable, '-c', {SPIN!r}])"
    used = used_by(python(both.replace("{seconds}", "0.2")))
    assert used.cpu >= 0.4
    assert used.clock >= 0.4


def test_waiting_is_time_of_the_clock_alone() -> None:
    used = used_by(python("import threading; threading.Event().wait(0.05)"))
    assert used.clock >= 0.05
    assert used.cpu < used.clock


def test_memory_is_that_of_the_program_and_not_of_who_measures_it() -> None:
    held = bytearray(300_000_000)
    held[::1_024] = b"x" * len(held[::1_024])
    small = used_by(python("pass"))
    assert small.peak_mb < 100
    assert used_by(python(HOLD.replace("{bytes}", "200_000_000"))).peak_mb > 200


def test_variables_and_folder_are_the_programs(tmp_path: Path) -> None:
    code = "import os, pathlib; pathlib.Path('told').write_text(os.environ['TOLD'])"
    used_by(python(code), env={"TOLD": "this"}, cwd=tmp_path)
    assert (tmp_path / "told").read_text() == "this"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("import sys; sys.exit('no room on the disk')", "ended with 1: no room on the disk"),
        # 9, the signal, as the 247th of 256.
        ("import os; os.kill(os.getpid(), 9)", "ended with 247"),
    ],
)
def test_a_program_that_fails_has_no_numbers(code: str, status: str) -> None:
    with pytest.raises(RuntimeError, match=status):
        used_by(python(code))
