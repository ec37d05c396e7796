"""Docstrings as the site shows them: their aligned columns of names and meanings become lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from griffe import Extension

# A name, two spaces or more, a meaning; lines that go on are indented below it.
_ROW = re.compile(r"^(\w[\w, /.|-]*?)  +(\S.*)$")


class Columns(Extension):
    """A griffe extension, named in `mkdocs.yml`."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Rewrite the docstring of whatever has one."""
        if obj.docstring is not None:
            obj.docstring.value = listed(obj.docstring.value)


def listed(text: str) -> str:
    """A docstring where each paragraph of aligned rows is a list."""
    return "\n\n".join(_paragraph(part) for part in text.split("\n\n"))


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if not _ROW.match(lines[0]) or not all(_ROW.match(line) or line[:1] == " " for line in lines):
        return text
    return "\n".join(_rows(lines))


def _rows(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if match := _ROW.match(line):
            names = ", ".join(f"`{one.strip()}`" for one in match[1].split(","))
            yield f"- {names}: {match[2]}"
        else:
            yield f"    {line.strip()}"
