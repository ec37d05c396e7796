"""A new user's first hour at the command line, as the terminal shows it, recorded at a width.

Each command of SESSION runs in a terminal of its own (a pseudo-terminal of WIDTH columns) with an empty
home, so that nothing is cached before the first. Written is what stands on the terminal when the command
has ended, as a person would scroll through it: a bar that is drawn a hundred times is one line. Beside
the transcript a table says, for each command, its exit code, seconds, lines, and the lines at which text
ran into the edge of the terminal and went on in the next one.

Run: python -m performance.first_hour --environment VENV --width 80 --out first_hour_80.txt
VENV is an environment in which the README's first command was run, without PyTorch.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pyte
from rich.progress import track

from otherminds import console

_ROWS = 50
_MOST_LINES = 20_000
_BAR = "━"
"""What bars are drawn of, and tables are not."""


@dataclass(frozen=True)
class Step:
    """One command of the hour.

    about         the reason why somebody types it
    command       as it is typed
    interrupt_at  text on the terminal at which Ctrl-C is pressed
    """

    about: str
    command: str
    interrupt_at: str | None = None


SESSION = (
    Step("What is there?", "otherminds"),
    Step("Which version?", "otherminds --version"),
    Step("The flags of a command", "otherminds run --help"),
    Step("Is the installation sound?", "otherminds doctor"),
    Step("What can be run?", "otherminds list"),
    Step("The rest of a benchmark", "otherminds list hugagent"),
    Step("What does a task ask?", "otherminds show hugagent_bdu_synthetic"),
    Step("And a name of the README's table?", "otherminds show trust_game"),
    Step("The README's command", "otherminds run hugagent_synthetic"),
    Step(
        "Another model, interrupted",
        "otherminds run socialmindchange_scale_lite --model random",
        interrupt_at=_BAR,
    ),
    Step("Taken up again", "otherminds run hugagent_synthetic --model random"),
    Step("A group with conditions", "otherminds run debate_synthetic"),
    Step(
        "A small part", "otherminds run hugagent_bdu_synthetic --metadata data_subset=50 --limit 20"
    ),
    Step("The same numbers again", "otherminds score otherminds-results"),
    Step("Who differs?", "otherminds compare otherminds-results"),
    Step("A page of it", "otherminds report otherminds-results -o report"),
    Step("How much does it gain?", "otherminds gain otherminds-results"),
    Step("The data as files", "otherminds build hugagent-synthetic hugagent-data"),
    Step("A typo in a command", "otherminds rnu hugagent_synthetic"),
    Step("A typo in a task", "otherminds run hugagent_bdu_synthetc"),
    Step("A typo in a flag", "otherminds run hugagent_bdu_synthetic --modle random"),
    Step(
        "A typo in a key",
        """otherminds run hugagent_bdu_synthetic --metadata '{"data_subst": 50}'""",
    ),
    Step("A flag without effect", "otherminds run hugagent_bdu_synthetic --num_fewshot 5"),
    Step(
        "A missing extra",
        "otherminds run hugagent_bdu_synthetic --model hf --model_args pretrained=gpt2",
    ),
    Step("Data that need access", "otherminds run hugagent_bdu"),
    Step("The same in plain lm-eval", "lm_eval run --tasks hugagent_bdu --model dummy"),
    Step("Not a model to submit", "otherminds submit otherminds-results --dry-run"),
    Step("A folder of something else", "otherminds score hugagent-data"),
)


@dataclass(frozen=True)
class Recorded:
    """A step as it went; `lines` are what stands on the terminal at the end."""

    step: Step
    code: int
    seconds: float
    lines: tuple[str, ...]
    wrapped: int


def main(words: Sequence[str] | None = None) -> None:
    passed = _arguments().parse_args(words)
    with tempfile.TemporaryDirectory(prefix="first-hour-") as temporary:
        place = Path(temporary)
        environment = _environment(passed.environment, place)
        if not passed.only:
            subprocess.run(["otherminds", "link"], env=environment, cwd=place, check=True)
        chosen = [one for one in SESSION if not passed.only or passed.only in one.command]
        found = [record(one, passed.width, environment, place) for one in track(chosen, "commands")]
    passed.out.write_text(transcript(found, passed.width), encoding="utf-8")
    _print(found, passed.out)


def record(step: Step, width: int, environment: dict[str, str], place: Path) -> Recorded:
    """Run one command in a terminal of `width` columns."""
    screen = _Screen(width)
    start = time.monotonic()
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, width, 0, 0))
    process = subprocess.Popen(
        ["setsid", "--ctty", "--wait", "bash", "-c", step.command],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=place,
        env=environment,
    )
    os.close(slave)
    interrupted = step.interrupt_at is None
    while True:
        try:
            ready = select.select([master], [], [], 1.0)[0]
            read = os.read(master, 65536) if ready else b""
        except OSError:  # the last process has closed the terminal
            break
        if not read and process.poll() is not None:
            break
        screen.feed(read)
        if not interrupted and step.interrupt_at is not None and screen.shows(step.interrupt_at):
            interrupted = True
            os.write(master, b"\x03")
    os.close(master)
    code = process.wait()
    seconds = time.monotonic() - start
    lines = screen.lines()
    return Recorded(step, code, seconds, tuple(lines), screen.wrapped())


class _Screen:
    """A terminal with its history."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._screen = pyte.HistoryScreen(width, _ROWS, history=_MOST_LINES, ratio=0.5)
        # As the line discipline of a terminal does.
        self._stream = pyte.ByteStream(self._screen)

    def feed(self, read: bytes) -> None:
        self._stream.feed(read)

    def shows(self, text: str) -> bool:
        return any(text in line for line in self._screen.display)

    def lines(self) -> list[str]:
        past = [
            "".join(line[place].data for place in range(self._width)).rstrip()
            for line in self._screen.history.top
        ]
        found = past + [line.rstrip() for line in self._screen.display]
        while found and not found[-1]:
            found.pop()
        return found

    def wrapped(self) -> int:
        """Lines whose text reaches the last column and goes on in the first of the next."""
        lines = self.lines()
        return sum(
            len(line) == self._width and line[-1].isalnum() and following[:1].isalnum()
            for line, following in pairwise(lines)
        )


def transcript(found: Sequence[Recorded], width: int) -> str:
    """The text of the whole hour."""
    parts = [f"The first hour in a terminal of {width} columns."]
    for one in found:
        head = f"# {one.step.about}\n$ {one.step.command}"
        end = f"[exit code {one.code}]" if one.code else ""
        parts.append("\n".join(filter(None, (head, "\n".join(one.lines), end))))
    return "\n\n".join(parts) + "\n"


def _environment(environment: Path, place: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    return {
        **kept,
        "PATH": f"{environment.resolve() / 'bin'}:/usr/bin:/bin",
        "HOME": str(place),
        "TERM": "xterm-256color",
        "LANG": kept.get("LANG", "C.UTF-8"),
    }


def _print(found: Sequence[Recorded], out: Path) -> None:
    rows = [
        [
            one.step.command,
            str(one.code),
            f"{one.seconds:.1f}",
            f"{len(one.lines):,}",
            str(one.wrapped),
        ]
        for one in found
    ]
    columns = [
        *console.texts("Command", fit="fold"),
        *console.numbers("exit", "seconds", "lines", "broken words"),
    ]
    console.OUT.print(console.table(columns, rows))
    total = sum(len(one.lines) for one in found)
    console.OUT.print(f"{total:,} lines in all: {out}", soft_wrap=True, highlight=False)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="performance.first_hour", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--environment", type=Path, required=True, help="the virtual environment")
    parser.add_argument("--width", type=int, default=80, help="columns of the terminal")
    parser.add_argument("--out", type=Path, required=True, help="the transcript")
    parser.add_argument("--only", help="only the commands that hold this text")
    return parser


if __name__ == "__main__":
    main()
