"""Commands that are killed at any of the moments at which they change something, one after the other.

A process imports what takes long once, and forks for each command. In a fork, every moment is counted at
which something that outlives the process may change: a file is opened to be written, renamed, removed, a
folder is made, a request is sent to a server, its answer has come. At the moment that is asked for, the
fork is killed (SIGKILL): before the change, or, where a file is to be written, after a part of it was.
Nothing in the product knows of it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

ROOT = Path(__file__).resolve().parents[2]

_PROCESS = """
import json, os, sys
from tests.helpers import killed_writes

setup = {}
exec(sys.argv[1], setup)
answers = os.fdopen(int(sys.argv[2]), "w")
for line in sys.stdin:
    order = json.loads(line)
    child = os.fork()
    if child == 0:
        killed_writes.obey(order, setup["act"])
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), file=answers, flush=True)
"""


class Outcome(NamedTuple):
    """How a command ended: its exit code (-9 if it was killed), its output, its moments in order."""

    code: int
    output: str
    moments: Sequence[str]


class Killed:
    """A process that runs commands in forks.

    setup  Python source that imports what takes long, and defines `act(*words)`, which runs a command
    folder where the forks leave their output; nothing else may write there
    """

    def __init__(self, setup: str, folder: Path, env: Mapping[str, str] | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        reading, writing = os.pipe()
        self._answers = os.fdopen(reading)
        self._errors = (folder / "errors").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROCESS, setup, str(writing)],
            stdin=subprocess.PIPE,
            stderr=self._errors,
            pass_fds=(writing,),
            text=True,
            env={**os.environ, "HF_HUB_OFFLINE": "1", **(env or {}), "PYTHONPATH": str(ROOT)},
        )
        os.close(writing)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._answers.close()
        self._errors.close()

    def run(
        self, words: Sequence[str | Path], *, at: int | None = None, torn: bool = False
    ) -> Outcome:
        """Run a command; with `at`, kill it at its moment of that number, from 0.

        torn  a file that was to be opened then is left half-written
        """
        output, moments = self._folder / "output", self._folder / "moments"
        order = {
            "words": [str(word) for word in words],
            "at": at,
            "torn": torn,
            "output": str(output),
            "moments": str(moments),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = self._answers.readline()
        assert answer, (self._folder / "errors").read_text(encoding="utf-8")
        said = output.read_text(encoding="utf-8", errors="replace")
        return Outcome(int(answer), said, moments.read_text(encoding="utf-8").splitlines())


class Kill(NamedTuple):
    """A moment to be killed at, its name, and whether a file is left half-written then."""

    at: int
    moment: str
    torn: bool


def kills(
    moments: Sequence[str], n: int, *, seed: int = 1, among: Collection[str] | None = None
) -> list[Kill]:
    """`n` moments, drawn by a seed: one of each name, then others; those that open files also torn.

    among  names; default: all
    """
    rng = random.Random(seed)
    known = [place for place, name in enumerate(moments) if among is None or name in among]
    order = rng.sample(known, len(known))
    first = {moments[place]: place for place in reversed(order)}
    chosen = [*first.values(), *(place for place in order if place not in first.values())][:n]
    return [
        Kill(place, moments[place], moments[place].startswith("open") and rng.random() < 0.5)
        for place in sorted(chosen)
    ]


# What follows runs in the forks.

_CHANGES = frozenset(
    {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"}
)
_OPENED_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HALF = b'PAR1 {"half": '


def obey(order: Mapping[str, Any], act: Any) -> None:
    """Run the ordered command in this process, and end it."""
    written = os.open(order["moments"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    _watch(written, order["at"], torn=order["torn"])
    code = 1
    try:
        act(*order["words"])
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _watch(written: int, at: int | None, *, torn: bool) -> None:
    count = 0
    is_busy = False

    def moment(name: str, path: object = None) -> None:
        nonlocal count, is_busy
        if is_busy:
            return
        is_busy = True
        os.write(written, f"{name}\n".encode())
        if count == at:
            if torn and isinstance(path, str | os.PathLike) and _is_written(Path(path)):
                Path(path).write_bytes(_HALF)
            os.kill(os.getpid(), signal.SIGKILL)
        count += 1
        is_busy = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _CHANGES:
            moment(event)
        elif event == "open" and isinstance(arguments[2], int):
            path, _, flags = arguments
            if flags & _OPENED_TO_WRITE and not str(path).startswith(("/dev/", "/proc/")):
                moment("open", path)
        elif event == "sqlite3.connect":
            moment(event)

    _watch_tables(moment)
    _watch_requests(moment)
    sys.addaudithook(hook)


def _is_written(path: Path) -> bool:
    """Not a file without a name in a folder, nor one that is only locked."""
    return not path.is_dir() and path.suffix != ".lock"


def _watch_tables(moment: Any) -> None:
    """Arrow opens files by itself."""
    import pyarrow.parquet as pq
    from pyarrow import feather

    opened, closed, write = pq.ParquetWriter.__init__, pq.ParquetWriter.close, feather.write_feather

    def opening(self: Any, where: Any, *told: Any, **named: Any) -> None:
        moment("open a table", where)
        opened(self, where, *told, **named)
        moment("a table is open")

    def closing(self: Any) -> None:
        if self.is_open:
            moment("close a table")
        closed(self)

    def writing(table: Any, where: Any, *told: Any, **named: Any) -> None:
        moment("open a feather", where)
        write(table, where, *told, **named)

    pq.ParquetWriter.__init__ = opening
    pq.ParquetWriter.close = closing
    feather.write_feather = writing


def _watch_requests(moment: Any) -> None:
    import socket

    known = {
        name: getattr(socket.socket, name) for name in ("send", "sendall", "recv", "recv_into")
    }
    # An answer comes in as many pieces as it happens to; it is one moment.
    asked: set[int] = set()

    def watched(name: str) -> Any:
        def call(self: Any, *told: Any) -> Any:
            if self.family == socket.AF_UNIX:
                return known[name](self, *told)
            if name.startswith("send"):
                moment("send")
                asked.add(id(self))
                return known[name](self, *told)
            found = known[name](self, *told)
            if id(self) in asked:
                asked.discard(id(self))
                # By now the server has carried it out, so that nothing goes on after the kill.
                moment("answered")
            return found

        return call

    for name in known:
        setattr(socket.socket, name, watched(name))
