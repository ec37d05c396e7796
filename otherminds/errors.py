"""Errors that a user can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class OtherMindsError(Exception):
    """An error whose message, on one line, names the fault and the way to mend it.

    The command line prints the message alone; `--debug` adds the trace.
    """


class AccessNeededError(OtherMindsError):
    """The data are not here, and getting them takes somebody's consent to upstream's terms."""


def unknown(kind: str, name: str, known: Iterable[str], *, listing: str) -> OtherMindsError:
    """The error for a name that does not exist, with the nearest one that does.

    `listing` is the command that prints all the names.
    """
    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    return OtherMindsError(f"Unknown {kind} '{name}'. {hint}`{listing}` prints them all.")
