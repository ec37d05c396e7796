"""Errors that a user can act on."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager


class OtherMindsError(Exception):
    """An error whose message, on one line, names the fault and the way to mend it.

    The command line prints the message alone; `--debug` adds the trace.

    exit_code  what the command line ends with
    """

    exit_code = 1


class AccessNeededError(OtherMindsError):
    """The data are not here, and getting them takes somebody's consent to upstream's terms."""


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


def unknown(kind: str, name: str, known: Iterable[str], *, listing: str) -> OtherMindsError:
    """The error for a name that does not exist, with the nearest one that does.

    `listing` is the command that prints all the names.
    """
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    return OtherMindsError(f"Unknown {kind} '{name}'. {hint}`{listing}` prints them all.")
