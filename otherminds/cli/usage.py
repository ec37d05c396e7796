"""What the command line says of words that it does not understand, and of interruptions: one line."""

from __future__ import annotations

import codecs
import io
import re
import sys
from typing import Any

import typer

from otherminds.errors import OtherMindsError, StoppedError, UnknownFlagError, UsageError, unknown

# Of typer or of click, whose copy is private: the class of all errors in words.
_TyperUsageError: Any = typer.BadParameter.__base__
_HELP_INSTEAD = "NoArgsIsHelpError"
_NO_COMMAND = re.compile(r"No such command '(.+?)'")

BEGIN_ANEW = "Files are written whole or not at all: the same command begins anew."
"""What holds of every command that does not know better."""

_UNSAID = {
    "run": (
        "No answer of a model was waiting to be kept, and weightless ones take no time: the same "
        "command begins anew."
    )
}

_PLAIN = str.maketrans(
    {
        **{"±": "+/-", "–": "-", "—": "-", "−": "-", "…": "...", "•": "*", "·": "*", "×": "x"},
        **{"≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "→": "->", "←": "<-", "↑": "^", "↓": "v"},
        **{"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "✓": "+", "✗": "x", "█": "#"},
        **{"Δ": "Delta", "α": "alpha", "κ": "kappa", "ρ": "rho", "τ": "tau", "²": "^2"},
    }
)
"""How characters that our tables and notes have are written where a terminal has no such."""


def stopped(error: KeyboardInterrupt, command: str | None) -> StoppedError:
    """The error of ours for an interruption, in the words of whoever knows what is kept."""
    return StoppedError(
        str(error.args[0]) if error.args else _UNSAID.get(command or "", BEGIN_ANEW)
    )


def is_misuse(error: Exception) -> bool:
    """Whether typer did not understand the words; a group without any shows its help instead."""
    return isinstance(error, _TyperUsageError) and type(error).__name__ != _HELP_INSTEAD


def told(error: Any) -> UsageError:
    """The error of ours for one of typer's."""
    context = error.ctx
    if (param := getattr(error, "param", None)) is not None and param.metavar is None:
        # As the help names it.
        param.metavar = param.name.upper()
    message = error.format_message()
    if context is None:
        return UsageError(message)
    listing = f"{context.command_path} --help"
    if (option := getattr(error, "option_name", None)) and hasattr(error, "possibilities"):
        return UnknownFlagError(option, flags_of(context), listing=listing)
    if found := _NO_COMMAND.match(message):
        known = list(context.command.commands)
        return UsageError(str(unknown("command", found[1], known, listing=listing)))
    end = "" if message.endswith((".", "?", "!")) else "."
    return UsageError(f"{message}{end} `{listing}` says what it takes.")


def flags_of(context: Any) -> list[str]:
    """The flags of the command that a context is of."""
    return [
        name
        for one in context.command.get_params(context)
        for name in (*one.opts, *one.secondary_opts)
        if name.startswith("-")
    ]


def print_error(error: OtherMindsError) -> None:
    """Print an error, or an interruption, on standard error."""
    from otherminds import console

    said = "Interrupted." if isinstance(error, StoppedError) else "Error:"
    console.ERR.print(f"{said} {error}", markup=False, highlight=False)


def make_legible() -> None:
    """Let nothing that is printed fail where standard output is not in Unicode."""
    codecs.register_error("otherminds.plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not _is_unicode(stream.encoding):
            stream.reconfigure(errors="otherminds.plain")


def _is_unicode(encoding: str) -> bool:
    return codecs.lookup(encoding).name.startswith("utf")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].translate(_PLAIN)
    return "".join(one if one.isascii() else "?" for one in found), error.end
