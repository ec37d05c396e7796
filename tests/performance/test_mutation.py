"""The tool that counts caught faults: its faults, its map, and a whole run on a tiny package."""

from __future__ import annotations

import ast
import json
import os
import random
from pathlib import Path

import pytest
from rich.console import Console

import performance.faults
from performance import mutation
from performance.faults import draw, faults, in_functions

CODE = '''\
"""Squares, and what is done once."""

LIMIT = 10


def squared(number: int | None) -> int:
    """Its square less the limit, from 1."""
    if number is None or number < 1:
        return 0
    return pow(number, 2) - LIMIT


def shared() -> list[int]:
    return [2, 3]


def printed(number: int) -> None:
    print(number + 1)


def never() -> int:
    return 1 + 1
'''
TESTS = """\
import pytest

from code_of import module


@pytest.fixture(scope="session")
def both():
    return module.shared()


def test_first(both):
    assert both


def test_sum(both):
    assert sum(both) == 5


@pytest.mark.parametrize(("given", "wanted"), [(None, 0), (-1, 0), (0, 0), (1, -9), (7, 39)])
def test_squared(given, wanted):
    assert module.squared(given) == wanted


def test_printed():
    module.printed(1)


def test_failed():
    assert module.shared() == []
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package and its tests, as a tree of its own."""
    root = tmp_path / "tiny"
    for path, text in {
        "code_of/__init__.py": "",
        "code_of/module.py": CODE,
        "tests/test_module.py": TESTS,
        "pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def kinds(source: str) -> dict[str, str]:
    """The line after each kind of fault of one line."""
    return {one.kind: one.apply(source).rstrip("\n") for one in faults(source)}


def test_faults_of_a_line() -> None:
    assert kinds("x = a - b\n") == {"operator swapped": "x = (a + b)"}
    assert kinds("x = a < b\n") == {"comparison flipped": "x = (a <= b)"}
    assert kinds("x = f(a, b, c=d)\n") == {"arguments swapped": "x = (f(b, a, c=d))"}
    assert kinds("x = a if b else c\n") == {"condition negated": "x = a if (not b) else c"}
    assert kinds("x = not b\n") == {"negation dropped": "x = (b)"}
    assert kinds("x = 5\n") == {"constant changed": "x = 6"}
    assert kinds("x = True\n") == {"constant changed": "x = False"}
    source = "def f(a):\n    return a\n"
    [one] = faults(source)
    assert one.apply(source) == "def f(a):\n    return None\n"


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring of 3."""\n',
        "x: Literal[3] | None\n",
        "def f(a: Literal[1] = b) -> Literal[2]:\n    return None\n",
        'x = f"{a + 1}"\n',
        'x = "a %s" % b\n',
        "x = zip(*a, strict=True)\n",
        "x = f(*a, b)\n",
        "x = (\n    a\n    + b\n)\n",
    ],
)
def test_what_is_left_alone(source: str) -> None:
    assert faults(source) == []


def test_places_count_bytes() -> None:
    source = "x = 'ü' if ä else 1\n"
    assert kinds(source)["condition negated"] == "x = 'ü' if (not ä) else 1"
    assert kinds(source)["constant changed"] == "x = 'ü' if ä else 2"


def test_every_fault_of_real_code_changes_one_line_and_parses() -> None:
    source = Path(performance.faults.__file__).read_text(encoding="utf-8")
    found = faults(source)
    assert len({one.kind for one in found}) >= 7
    before = source.splitlines()
    for one in found:
        after = one.apply(source)
        ast.parse(after)
        changed = [
            n
            for n, both in enumerate(zip(before, after.splitlines(), strict=True), 1)
            if both[0] != both[1]
        ]
        assert changed == [one.line]


def test_one_fault_a_line_the_same_for_a_seed() -> None:
    found = faults(CODE)
    first, again = draw(found, random.Random(1)), draw(found, random.Random(1))
    assert first == again
    assert set(first) == {one.line for one in found}
    assert any(draw(found, random.Random(seed)) != first for seed in range(2, 9))


def test_lines_of_functions_and_lines_that_run_at_import() -> None:
    function = "def f(\n    a=2,\n):\n    b = [\n        a,\n    ]\n    return b\n"
    assert in_functions(f"A = 1\n{function}class C:\n    D = 3\n") == {5, 6, 7, 8}


def run(project: Path, out: Path, *words: str) -> str:
    """What the tool prints."""
    console = Console(record=True, width=160, file=open(os.devnull, "w"))  # noqa: SIM115
    told = ["--root", str(project), "--sources", "code_of", "--out", str(out)]
    told += ["--map", str(out.parent / "map"), "--tests=-q"]
    assert mutation.main([*told, *words], console=console) == 0
    return console.export_text()


@pytest.mark.slow
def test_a_whole_run(project: Path, tmp_path: Path) -> None:
    before = (project / "code_of/module.py").read_bytes()
    out = tmp_path / "out.jsonl"
    shown = run(project, out, "--n", "3", "--cap", "5")
    first = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [one["number"] for one in first] == [1, 2, 3]

    # More of the same sample: what is there is not run again.
    shown = run(project, out, "--n", "100", "--cap", "5")
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert found[:3] == first
    by_line = {one["line"]: one for one in found}
    lines = CODE.splitlines()
    survivors = {
        lines[line - 1].strip() for line, one in by_line.items() if one["status"] == "survived"
    }
    # It runs, and no test looks at what it prints.
    assert survivors == {"print(number + 1)"}
    # Nothing runs it, or what runs it failed before any fault.
    assert lines.index("    return 1 + 1") + 1 not in by_line
    by_text = {lines[line - 1].strip(): one for line, one in by_line.items()}
    # What a fixture of the session runs counts for all that use it.
    assert by_text["return [2, 3]"]["of"] == 2
    # A line that runs at import has the tests of its module.
    assert by_text["LIMIT = 10"]["of"] == 8
    assert by_text["LIMIT = 10"]["by"].startswith("tests/test_module.py::test_squared[")
    assert f"{len(found)} faults, seed 1" in shown
    assert "print(number + 1)" in shown
    assert (project / "code_of/module.py").read_bytes() == before

    # Others are drawn for those that change nothing, and a file that changed has no lines any more.
    shown = run(project, out, "--n", "2", "--equivalent", "1")
    assert "Passed over as equivalent: 1" in shown
    (project / "code_of/module.py").write_text("# new\n" + CODE, encoding="utf-8")
    told = ["--root", str(project), "--out", str(out), "--map", str(tmp_path / "map")]
    assert mutation.main(told, console=Console(file=open(os.devnull, "w"))) == 1  # noqa: SIM115


@pytest.mark.slow
def test_a_fault_that_never_ends_is_stopped(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "code_of/module.py").write_text(
        "def last(number, week):\n    while number > 6:\n        number -= week\n    return number\n"
    )
    (project / "tests/test_module.py").write_text(
        "from code_of import module\n\n\ndef test_last():\n    assert module.last(14, 7) == 0\n"
    )
    out = tmp_path / "out.jsonl"
    monkeypatch.setattr(mutation, "_START", 5.0)
    run(project, out, "--cap", "0")
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    [endless] = [one for one in found if one["before"] == "number -= week"]
    assert endless["status"] == "timed out"


@pytest.mark.slow
def test_a_test_that_fails_anyway_catches_nothing(project: Path, tmp_path: Path) -> None:
    # It passes as long as the map is made, and never again.
    mark = tmp_path / "once"
    (project / "tests/test_module.py").write_text(
        "from pathlib import Path\n\nfrom code_of import module\n\n\ndef test_printed():\n"
        f"    module.printed(1)\n    Path({str(mark)!r}).mkdir()\n"
    )
    out = tmp_path / "out.jsonl"
    run(project, out, "--n", "1")
    [found] = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert found["status"] == "fails without it"
