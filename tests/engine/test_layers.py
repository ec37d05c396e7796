"""The house's order, beyond what import-linter checks: no cycles, no names of benchmarks."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence

import networkx as nx
import pytest

from otherminds import benchmark
from tests.conftest import ROOT

_PARTS = ("cards", "dataset_builders", "hub_metrics", "metrics", "tasks", "templates")
"""Folders of the checkout that the build maps into the package."""

_GRAPH = """
import grimp, json
graph = grimp.build_graph("otherminds", cache_dir=None)
print(json.dumps([
    [one, other]
    for one in sorted(graph.modules)
    for other in sorted(graph.find_modules_directly_imported_by(one))
]))
"""

Arrow = tuple[str, str]

NAMING = {
    "publishing/privacy_kinds.py": "finds addresses of people's profiles on the site that it names",
}
"""Files of the engine that name a benchmark, and why."""


@pytest.fixture(scope="module")
def arrows(tmp_path_factory: pytest.TempPathFactory) -> list[Arrow]:
    """Which module imports which, for type checking too."""
    # A copy in one folder, as in a wheel: in a checkout the parts lie beside the package.
    root = tmp_path_factory.mktemp("house")
    ignored = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(ROOT / "otherminds", root / "otherminds", ignore=ignored)
    for name in _PARTS:
        shutil.copytree(ROOT / name, package / name, ignore=ignored)
    done = subprocess.run(
        [sys.executable, "-c", _GRAPH],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = [(one, other) for one, other in json.loads(done.stdout)]
    # The parts are seen, or nothing here would be checked.
    assert any(one.startswith("otherminds.tasks.") for one, _ in found)
    return found


def cycles(arrows: Sequence[Arrow]) -> list[list[str]]:
    """Packages that import each other among those of one package, at every level.

    A module counts where it stands beside packages; two modules that import each other do not.
    """
    packages = {name.rpartition(".")[0] for arrow in arrows for name in arrow}
    levels: dict[str, nx.DiGraph] = {}
    for one, other in arrows:
        parts, others = one.split("."), other.split(".")
        pairs = zip(parts, others, strict=False)
        shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
        if shared < min(len(parts), len(others)):
            level = levels.setdefault(".".join(parts[:shared]), nx.DiGraph())
            level.add_edge(".".join(parts[: shared + 1]), ".".join(others[: shared + 1]))
    return [
        sorted(knot)
        for _, level in sorted(levels.items())
        for knot in nx.strongly_connected_components(level)
        if len(knot) > 1 and knot & packages
    ]


def test_no_packages_import_each_other(arrows: list[Arrow]) -> None:
    assert cycles(arrows) == []


def test_a_cycle_between_packages_would_be_seen() -> None:
    back = [("o.a.x", "o.b.y"), ("o.b.z", "o.c"), ("o.c", "o.a.w"), ("o.d.e.x", "o.d.f.y")]
    assert cycles(back) == [["o.a", "o.b", "o.c"]]
    assert cycles([*back, ("o.d.f.z", "o.d.e.x")])[1] == ["o.d.e", "o.d.f"]
    # A package that hands on what its modules define is not one.
    assert cycles([("o.a", "o.a.x"), ("o.a.x", "o.a.y"), ("o.a.y", "o.a.x")]) == []


@pytest.mark.parametrize("part", ["tasks", "metrics", "dataset_builders"])
def test_no_benchmark_imports_another_ones(part: str, arrows: list[Arrow]) -> None:
    places = {f"otherminds.{part}.{one.name}" for one in benchmark.every()}

    def place(name: str) -> str:
        return ".".join(name.split(".")[:3])

    found = [(one, other) for one, other in arrows if {place(one), place(other)} <= places]
    assert found
    assert [(one, other) for one, other in found if place(one) != place(other)] == []


def named_in(text: str, names: Sequence[str]) -> Iterator[str]:
    """The lines that hold one of the names as words, or as parts of one with underscores or dashes."""
    words = "|".join("[ _-]".join(map(re.escape, re.split("[_-]", name))) for name in names)
    pattern = re.compile(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", re.IGNORECASE)
    yield from (line.strip() for line in text.splitlines() if pattern.search(line))


def test_a_name_would_be_seen() -> None:
    text = (
        'debated\nHugAgent\n"debate_both"\nnames = hugagents\nfrom x.debate.y import z\n'
        "# the Trust game's personas\n.trust-game-row {"
    )
    assert [*named_in(text, ["debate", "hugagent", "trust_game"])] == [
        "HugAgent",
        '"debate_both"',
        "from x.debate.y import z",
        "# the Trust game's personas",
        ".trust-game-row {",
    ]


def test_no_file_of_the_engine_names_a_benchmark() -> None:
    names = [name for one in benchmark.every() for name in (one.name, *one.datasets)]
    folder = ROOT / "otherminds"
    found = {
        path.relative_to(folder).as_posix(): [*named_in(path.read_text(encoding="utf-8"), names)]
        for path in sorted(folder.rglob("*"))
        # Pages and their scripts as well as modules.
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {path: lines for path, lines in found.items() if lines and path not in NAMING} == {}
    # A file that names none any more needs no reason.
    assert all(found[path] for path in NAMING)
