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
# Any possessive quantifier, in source code: few files are worth parsing.
POSSESSIVE = re.compile(r"[*+?}]\+")


def _strings(source: str) -> list[str]:
    """Strings of a module that may have one, put together where it does so with `+`."""
    if not POSSESSIVE.search(source):
        return []
    texts = (ast.Constant, ast.JoinedStr, ast.BinOp)
    return [_text(node) for node in ast.walk(ast.parse(source)) if isinstance(node, texts)]


def _text(node: ast.expr) -> str:
    """What is only known when it runs counts as a group."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(_text, parts))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left) + _text(right)
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
    [
        '"(ab)" "*+"',
        '"(ab)" + "*+"',
        'WORD + "*+"',
        '"(ab)*+"',
        '"(?:ab)?+"',
        'rf"(ab){{0,24}}+"',
        '"(ab){2}+"',
        '"(ab)++"',
        'rf"x{WORD}*+"',
    ],
)
def test_it_is_found(source: str) -> None:
    assert any(map(POSSESSIVE_GROUP.search, _strings(source)))


@pytest.mark.parametrize(
    "source", [r'r"\d++"', r'r"[\s(]*+"', r'r"\)++"', '"(?>(?:ab)*)"', 'f"{x} + {y}"', "3"]
)
def test_what_is_alike_everywhere_is_not(source: str) -> None:
    assert not any(map(POSSESSIVE_GROUP.search, _strings(source)))
