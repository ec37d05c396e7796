"""The attacks that tests stage, as tables of docs/explanation/security.md.

A test that stages an attack says so where it stands:

    @pytest.mark.attack("what is done", outcome="what comes of it", against="board")

Tests of one attack with one outcome share a row. The hostile submissions of `hostile_cases.CASES` say
it by their names and reasons. Sources are parsed and not imported, so that no marker is lost where a
test cannot run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from otherminds.publishing.doc_tables import texts
from tests.conftest import ROOT
from tests.engine.leaderboard.hostile_cases import CASES

PAGE = ROOT / "docs" / "explanation" / "security.md"
COMMAND = "python -m tests.security.write"

TARGETS = (
    *("submissions", "board", "seasons", "secrets", "answers", "judges", "data", "pages"),
    *("interviews", "supply chain"),
)
"""What an attack is directed against: a table of the page each."""

HOSTILE = "hostile"
"""The table of `CASES`."""

_MARKER = "attack"
_SLOW = "slow"
_FILLED = re.compile(r"(<!-- attacks (?P<table>[a-z_]+) -->\n).*?(<!-- /(?P=table) -->)", re.DOTALL)
# What means something to Markdown in a cell, outside of code.
_SIGNS = re.compile(r"([\\*_\[\]~|#!$])")


class Test(NamedTuple):
    """A test function that stages an attack.

    path     its file, below the root
    is_slow  whether it runs in the slow stage alone
    rest     the source of its file without these markers
    """

    path: str
    name: str
    is_slow: bool
    rest: str


class Attack(NamedTuple):
    """A row: what is done, what comes of it, and which tests show it."""

    what: str
    outcome: str
    tests: tuple[Test, ...]


class MarkerError(Exception):
    """A marker does not say what it must."""


def sources() -> dict[str, str]:
    """The source of every file of tests, by its path below the root."""
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def collect(found: Mapping[str, str]) -> dict[str, list[Attack]]:
    """The marked attacks of sources, by target, in the order of files and lines.

    Raises MarkerError for a marker that is not complete, has an unknown target, or stands on no test.
    """
    tests: dict[str, dict[tuple[str, str], list[Test]]] = {target: {} for target in TARGETS}
    for path, source in found.items():
        if f"mark.{_MARKER}" not in source:
            continue
        for test, call in _marked(path, ast.parse(source)):
            what, outcome, target = _read(f"{path}::{test.name}", call)
            tests[target].setdefault((what, outcome), []).append(test)
    return {
        target: [Attack(*said, tuple(shown)) for said, shown in rows.items()]
        for target, rows in tests.items()
    }


def _marked(path: str, tree: ast.Module) -> Iterator[tuple[Test, ast.expr]]:
    """Each marker of a file with its test. Raises MarkerError for one that stands elsewhere."""
    whole = {name for node in tree.body if _is_pytestmark(node) for name in _marks(node)}
    tests = [
        one
        for one in tree.body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")
    ]
    markers = {}
    for test in tests:
        markers[test] = [one for one in test.decorator_list if _MARKER in _marks(one)]
        test.decorator_list = [one for one in test.decorator_list if one not in markers[test]]
    if _MARKER in _marks(tree):
        raise MarkerError(f"{path}: a marker '{_MARKER}' stands on no test.")
    rest = ast.unparse(tree)
    for test, found in markers.items():
        is_slow = _SLOW in whole.union(*map(_marks, test.decorator_list))
        for marker in found:
            yield Test(path, test.name, is_slow, rest), marker


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and "pytestmark" in {
        target.id for target in node.targets if isinstance(target, ast.Name)
    }


def _marks(node: ast.AST) -> list[str]:
    """The markers that a piece of source names: `pytest.mark.<name>`, or `mark.<name>`."""
    return [
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and "mark" in {getattr(one.value, "attr", ""), getattr(one.value, "id", "")}
    ]


def _read(test: str, call: ast.expr) -> tuple[str, str, str]:
    """What a marker says: the attack, its outcome and its target."""
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        raise MarkerError(f"{test}: the marker '{_MARKER}' takes one text, outcome and against.")
    told = {"what": call.args[0]} | {str(one.arg): one.value for one in call.keywords}
    if told.keys() != {"what", "outcome", "against"}:
        raise MarkerError(f"{test}: the marker '{_MARKER}' has {', '.join(sorted(told))}.")
    said = {name: _text(test, name, value) for name, value in told.items()}
    if said["against"] not in TARGETS:
        raise MarkerError(f"{test}: '{said['against']}' is none of {', '.join(TARGETS)}.")
    return said["what"], said["outcome"], said["against"]


def _text(test: str, name: str, value: ast.expr) -> str:
    text = value.value if isinstance(value, ast.Constant) else None
    if not isinstance(text, str) or not text.strip() or not text.isprintable():
        raise MarkerError(f"{test}: {name} of the marker '{_MARKER}' is not a line of text.")
    if text.count("`") % 2:
        raise MarkerError(f"{test}: {name} of the marker '{_MARKER}' has half a code.")
    return text


def by_reason() -> dict[str, list[str]]:
    """The hostile submissions by the reason for which they are refused, as `CASES` has them."""
    found: dict[str, list[str]] = {}
    for what, (reason, _) in CASES.items():
        found.setdefault(reason, []).append(what)
    return found


def tables(attacks: Mapping[str, Iterable[Attack]]) -> dict[str, str]:
    """The tables of the page, by the name in their marks."""
    refused = [[f"`{reason}`", "; ".join(map(cell, sent))] for reason, sent in by_reason().items()]
    found = {HOSTILE: texts(["refused as", "what is sent"], refused)}
    for target, rows in attacks.items():
        written = [[cell(one.what), cell(one.outcome), _tested(one.tests)] for one in rows]
        found[target.replace(" ", "_")] = texts(["attack", "outcome", "tested in"], written)
    return found


def cell(text: str) -> str:
    """A text for a cell: only its code between backticks is markup."""
    parts = text.split("`")
    plain = [_escaped(part) for part in parts[::2]]
    code = [f"`{part.replace('|', chr(92) + '|')}`" for part in parts[1::2]]
    return "".join(one for pair in zip(plain, [*code, ""], strict=True) for one in pair)


def _escaped(text: str) -> str:
    entities = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SIGNS.sub(r"\\\1", entities)


def _tested(tests: Iterable[Test]) -> str:
    """The tests by file: a link to it, then their names."""
    by_file: dict[str, list[Test]] = {}
    for test in tests:
        by_file.setdefault(test.path, []).append(test)
    return "; ".join(
        f"[{Path(path).name}](../../{path})"
        + "".join(f" `::{one.name}`{' (slow)' if one.is_slow else ''}" for one in shown)
        for path, shown in by_file.items()
    )


def fill(page: str, found: Mapping[str, str]) -> str:
    """The page with these tables in their places. KeyError for a mark of an unknown table."""
    return _FILLED.sub(lambda one: f"{one[1]}{found[one['table']]}\n{one[3]}", page)


def marked_tables(page: str) -> list[str]:
    """The tables that the page has a place for, in its order."""
    return [one["table"] for one in _FILLED.finditer(page)]
