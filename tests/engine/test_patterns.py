"""Regular expressions that every Python we support reads alike."""

from __future__ import annotations

import ast
import re

import pytest

from tests.conftest import ROOT

FOLDERS = ("dataset_builders", "hub_metrics", "metrics", "otherminds", "tasks")
# Up to Python 3.11.4 what a possessive quantifier repeats is not tried again in another way where it is
# a group, so that "fifty cents" was no amount there (python/cpython issue 106052). `(?>(…)*)` means the
# same and is right everywhere.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")
# The same in source code, with braces as f-strings have them: few files are worth parsing.
PERHAPS = re.compile(r"[)}](?:[*+?]|\{{1,2}\d*,?\d*\}{1,2})\+")


def _strings(source: str) -> list[str]:
    """Strings of a module that may have one; what an f-string puts in counts as a group."""
    found: list[str] = []
    if not PERHAPS.search(source):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            found.append("".join(_text(part) for part in node.values))
        elif isinstance(node, ast.Constant):
            found.append(_text(node))
    return found


def _text(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return part.value if isinstance(part.value, str) else ""
    return "()"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_group_is_repeated_possessively(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    found = [
        (str(path.relative_to(ROOT)), text)
        for path in files
        for text in _strings(path.read_text(encoding="utf-8"))
        if POSSESSIVE_GROUP.search(text)
    ]
    assert not found, "Write `(?>(…)*)` for `(…)*+`."


@pytest.mark.parametrize(
    "source",
    ['"(ab)*+"', '"(?:ab)?+"', 'rf"(ab){{0,24}}+"', '"(ab){2}+"', '"(ab)++"', 'rf"x{WORD}*+"'],
)
def test_it_is_found(source: str) -> None:
    assert any(map(POSSESSIVE_GROUP.search, _strings(source)))


@pytest.mark.parametrize(
    "source", [r'r"\d++"', r'r"[\s(]*+"', r'r"\)++"', '"(?>(?:ab)*)"', 'f"{x} + {y}"', "3"]
)
def test_what_is_alike_everywhere_is_not(source: str) -> None:
    assert not any(map(POSSESSIVE_GROUP.search, _strings(source)))
