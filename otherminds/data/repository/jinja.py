"""The one way in which text for the Hub is rendered from templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def environment(
    folder: Path | Sequence[Path], *, autoescape: bool | Callable[[str | None], bool] = False
) -> Environment:
    """The templates in a folder, or in several, the first first; an undefined name is an error."""
    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=autoescape,
    )
