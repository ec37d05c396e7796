"""Errors of lm-eval about packages and arguments that a model lacks, on one line with the remedy."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from otherminds import extras
from otherminds.errors import OtherMindsError

_API = "api"
"""The extra of lm-eval whose packages it goes on without."""

_ARGUMENT = re.compile(r"__init__\(\) missing \d+ required .*?argument.*?: '(\w+)'")
_OF_ARGUMENT = {"pretrained": "OWNER/NAME"}

_SAID = re.compile(r"pip install '?lm[-_]eval\[([\w-]+)\]")


@contextlib.contextmanager
def installed(model: str) -> Iterator[None]:
    """Say, where the block lacks a package that a model needs, how to install it."""
    try:
        yield
    except (ImportError, NameError) as error:
        if (how := _missing(error, model)) is None:
            raise
        raise OtherMindsError(f"The model '{model}' needs {how}") from error


@contextlib.contextmanager
def given(model: str) -> Iterator[None]:
    """Say, where the block lacks an argument that a model needs, how to give it."""
    try:
        yield
    except TypeError as error:
        if (found := _ARGUMENT.search(str(error))) is None:
            raise
        example = _OF_ARGUMENT.get(found[1], "…")
        raise OtherMindsError(
            f"The model '{model}' needs an argument: give `--model_args {found[1]}={example}`."
        ) from error
    except AttributeError as error:
        # What lm-eval does with a name that is None.
        raise OtherMindsError(
            f"The model '{model}' cannot be made with these --model_args ({error}). It may need "
            "`model=NAME` or `pretrained=OWNER/NAME`."
        ) from error


def _missing(error: ImportError | NameError, model: str) -> str | None:
    """The packages that an error is for want of, and the command that installs them; None for others.

    lm-eval names packages in an error of its own, or goes on without them until a name is not defined.
    """
    engine = re.split(r"[-_]", model)[0]
    if engine in extras.absent(engine) and _is_of_package(error):
        # The package brings others, of which the error may name one.
        return f"{engine}, which is not installed: {extras.command_of(engine)}."
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


def _is_of_package(error: ImportError | NameError) -> bool:
    module = (getattr(error, "name", "") or "").partition(".")[0]
    return isinstance(error, NameError) or bool(module and not extras.is_installed(module))
