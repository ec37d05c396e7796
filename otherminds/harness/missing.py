"""Errors of lm-eval about packages that are not installed, as one line that says how to install them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from otherminds import extras
from otherminds.errors import OtherMindsError

_API = "api"
"""The extra of lm-eval whose packages it goes on without."""

_SAID = re.compile(r"pip install '?lm[-_]eval\[([\w-]+)\]")


@contextlib.contextmanager
def installed(model: str) -> Iterator[None]:
    """Say, where the block lacks a package that a model needs, how to install it."""
    try:
        yield
    except (ImportError, NameError) as error:
        if (how := _missing(error)) is None:
            raise
        raise OtherMindsError(f"The model '{model}' needs {how}") from error


def _missing(error: ImportError | NameError) -> str | None:
    """The packages that an error is for want of, and the command that installs them; None for others.

    lm-eval names packages in an error of its own, or goes on without them until a name is not defined.
    """
    if isinstance(error, ImportError):
        module = (error.name or "").partition(".")[0]
        if module and not extras.is_installed(module):
            return f"{module}, which is not installed: {extras.command_for(module)}."
    said = _SAID.search(str(error))
    extra = said[1] if said else _API
    absent = extras.absent(extra)
    if not absent or (said is None and isinstance(error, ImportError)):
        return None
    verb = "is" if len(absent) == 1 else "are"
    return f"{', '.join(absent)}, which {verb} not installed: {extras.command_of(extra)}."
