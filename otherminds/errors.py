"""Errors that a user can act on."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from otherminds import credentials

_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


class OtherMindsError(Exception):
    """An error whose message, on one line, names the fault and the way to mend it.

    The command line prints the message alone; `--debug` adds the trace.

    exit_code  what the command line ends with
    """

    exit_code = 1

    def __init__(self, *said: object) -> None:
        # Errors quote addresses and messages of servers, and whatever stands in files.
        super().__init__(
            *(_seen(credentials.text(one)) if isinstance(one, str) else one for one in said)
        )

    @property
    def reason(self) -> str:
        """The fault alone, on one line, for a sentence about it."""
        return str(self)


def _seen(text: str) -> str:
    """A text in which nothing moves the cursor, colours letters or turns the direction of reading."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


class AccessNeededError(OtherMindsError):
    """The data are not here, and the user has to get them: the one error of several lines.

    reason   why they are not here, on one line
    steps    what to do, in order
    terms    the terms that one accepts, with the licence first
    instead  a task of the same benchmark that runs without them
    """

    def __init__(
        self,
        reason: str,
        *,
        steps: Sequence[str] = (),
        terms: Sequence[str] = (),
        instead: str | None = None,
    ) -> None:
        super().__init__(reason)
        self._reason = reason
        self.lines = [
            reason,
            *(["To get them:"] if steps else []),
            *(f"  {number}. {step}" for number, step in enumerate(steps, start=1)),
            *(["Terms:"] if terms else []),
            *(f"  - {term}" for term in terms),
            *([f"Without them, run the task {instead}."] if instead else []),
        ]

    @property
    def reason(self) -> str:
        """Why they are not here, without the steps."""
        return self._reason

    def __str__(self) -> str:
        return "\n".join(self.lines)


def spare_traces_in_lm_eval() -> None:
    """Where plain `lm_eval` runs, let our errors end it as they end `otherminds`: without a trace.

    With `LMEVAL_LOG_LEVEL=DEBUG` the trace stays.
    """
    program = Path(sys.argv[0])
    name = program.parent.name if program.stem == "__main__" else program.stem
    is_debugged = os.environ.get("LMEVAL_LOG_LEVEL", "").upper() == "DEBUG"
    if name not in ("lm_eval", "lm-eval") or is_debugged:
        return
    others = sys.excepthook

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, OtherMindsError):
            print(f"Error: {error}", file=sys.stderr)
        else:
            others(kind, error, trace)

    sys.excepthook = show


class UsageError(OtherMindsError):
    """Words that a command does not understand."""

    exit_code = 2


class UnknownFlagError(UsageError):
    """A flag that does not exist, and those that do."""

    def __init__(self, flag: str, known: Iterable[str], *, listing: str) -> None:
        self.flag = flag
        self.known = tuple(known)
        super().__init__(str(unknown("flag", flag, self.known, listing=listing)))


class StoppedError(OtherMindsError):
    """Ctrl-C: the message says what is kept, and how to go on."""

    exit_code = 130


@contextmanager
def kept(said: Callable[[], str]) -> Iterator[None]:
    """Say, if the block is interrupted (Ctrl-C), what is kept and how to go on.

    `said` is asked then. Of nested blocks, the innermost knows best.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        if not error.args:
            error.args = (said(),)
        raise


def unknown(
    kind: str, name: str, known: Iterable[str], *, listing: str, printed: str = "them all"
) -> OtherMindsError:
    """The error for a name that does not exist, with the nearest one that does.

    `listing` is the command that prints the names, and `printed` which of them.
    """
    # The dashes of flags would make any two of them alike.
    bare = {one.lstrip("-"): one for one in known}
    near = difflib.get_close_matches(name.lstrip("-"), list(bare), n=1)
    hint = f"Did you mean '{bare[near[0]]}'? " if near else ""
    return OtherMindsError(f"Unknown {kind} '{name}'. {hint}`{listing}` prints {printed}.")


def unknown_task(name: str, known: Iterable[str], *, kind: str = "task") -> OtherMindsError:
    """The error for a task, group or stage that does not exist."""
    listing = "otherminds list BENCHMARK"
    return unknown(kind, name, known, listing=listing, printed="all of a benchmark")
