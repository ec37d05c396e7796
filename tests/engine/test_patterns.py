"""Regular expressions that every Python we support reads alike."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

FOLDERS = ("dataset_builders", "hub_metrics", "metrics", "otherminds", "tasks")
# Up to Python 3.11.4 what a possessive quantifier repeats is not tried again in another way where it is
# a group, so that "fifty cents" was no amount there (python/cpython issue 106052). `(?>(…)*)` means the
# same and is right everywhere.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")


def _strings(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_group_is_repeated_possessively(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    found = [
        (str(path.relative_to(ROOT)), text)
        for path in files
        for text in _strings(path)
        if POSSESSIVE_GROUP.search(text)
    ]
    assert not found, "Write `(?>(…)*)` for `(…)*+`."


@pytest.mark.parametrize("text", ["(ab)*+", "(?:ab)?+", "(ab){0,24}+", "(ab){2}+", "(ab)++"])
def test_it_is_found(text: str) -> None:
    assert POSSESSIVE_GROUP.search(text)


@pytest.mark.parametrize("text", [r"\d++", r"[\s(]*+", r"\)++", "(?>(?:ab)*)", "f(x)+g(y)"])
def test_what_is_alike_everywhere_is_not(text: str) -> None:
    assert not POSSESSIVE_GROUP.search(text)
