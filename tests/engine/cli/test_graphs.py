from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds.metrics.graphs import to_release
from tests.conftest import Command
from tests.helpers.belief_graphs import drawn

Graphs = Callable[..., subprocess.CompletedProcess[str]]


def study(folder: Path, *sizes: int) -> Path:
    """A file of graphs of as many people, each on the topics x and y, with so many edges."""
    made = [
        drawn(
            *(f"n{number} +.5 S" for number in range(size)),
            *(["a -1 n0"] if topic == "y" and place % 2 else []),
            agent_id=f"P{place}",
            topic=topic,
        )
        for place, size in enumerate(sizes)
        for topic in "xy"
    ]
    folder.mkdir()
    (folder / "graphs.jsonl").write_text("\n".join(graph.model_dump_json() for graph in made))
    return folder


def test_two_sets_are_compared_with_tables_and_plots(graphs: Graphs, tmp_path: Path) -> None:
    one = study(tmp_path / "one", 1, 2, 3, 4)
    other = study(tmp_path / "other", 3, 4, 5, 6)
    said = graphs("compare", str(one), str(other), "--out", str(tmp_path / "out"), "--draws", "50")
    assert said.returncode == 0, said.stderr
    assert "Edges of one: skewness" in said.stdout
    assert "stance_in_degree" in said.stdout
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {f"structure.{suffix}" for suffix in ("csv", "json", "svg", "png")}
    found = json.loads((tmp_path / "out/structure.json").read_text())
    (ks,) = (
        row
        for row in found["statistics"]
        if (row["statistic"], row["measure"]) == ("stance_in_degree", "ks")
    )
    # 1 1 2 2 3 3 4 4 against 3 3 4 4 5 5 6 6.
    assert (ks["value"], ks["set"], ks["n"]) == (0.5, "one / other", 16)
    again = graphs("compare", str(one), str(other), "--json", "--draws", "50")
    assert json.loads(again.stdout) == found


def test_people_with_like_graphs_are_correlated_with_their_scores(
    graphs: Graphs, tmp_path: Path
) -> None:
    where = study(tmp_path / "one", 1, 2, 3, 4)
    scores = tmp_path / "scores.csv"
    # People 0 and 2 have the same shape on both topics, and the higher scores.
    scores.write_text("person,acc\nP0,1\nP1,0\nP2,1\nP3,0.1\nP9,\n")
    words = ("correlate", str(where), str(scores), "--column", "acc", "--draws", "50")
    found = json.loads(graphs(*words, "--json").stdout)
    assert found["pearson"]["value"] > 0.8
    assert found["people"] == ["P0", "P1", "P2", "P3"]
    assert "Spearman" in graphs(*words).stdout


@pytest.fixture
def graphs(command: Command, tmp_path: Path) -> Graphs:
    """Run `otherminds graphs …`, whatever it ends with."""

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return command("otherminds", "graphs", *words, cwd=tmp_path, code=None)

    return run


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("person,acc\nP0,much\n", "'much' in the column 'acc' is no number"),
        ("person,acc\nP0,1\nP0,2\n", "'P0' stands in two rows"),
        ("who,acc\nP0,1\n", "no column 'person'"),
        ("person,score\nP0,1\n", "no column 'acc'"),
        ("person,acc\nP0,1\n", "1 people have both numbers"),
        ("", "cannot be read as CSV"),
    ],
)
def test_scores_that_cannot_be_used_are_refused(
    graphs: Graphs, tmp_path: Path, text: str, said: str
) -> None:
    where = study(tmp_path / "one", 1, 2)
    (tmp_path / "s.csv").write_text(text)
    found = graphs("correlate", str(where), str(tmp_path / "s.csv"), "--column", "acc")
    assert found.returncode == 1
    assert said in found.stderr


def test_faults_are_named_with_their_graph(graphs: Graphs, tmp_path: Path) -> None:
    ring = drawn("a +1 b", "b +1 a", "a +1 S", agent_id="P1", topic="x")
    path = tmp_path / "ring.json"
    path.write_text(ring.model_dump_json())
    found = graphs("check", str(path))
    assert found.returncode == 1
    assert "P1 on x: cycle at edges: a → b → a" in found.stdout
    assert "1 graphs, 1 with a fault." in found.stdout
    assert graphs("check", str(path), "--cycles").returncode == 0
    (tmp_path / "labels.txt").write_text("a\n")
    words = ("--cycles", "--vocabulary", str(tmp_path / "labels.txt"), "--most-edges", "2")
    found = graphs("check", str(path), *words)
    assert "coverage" in found.stdout
    assert "degree" in found.stdout


def test_records_of_the_release_schema_are_read(graphs: Graphs, tmp_path: Path) -> None:
    record = to_release(drawn("a +1 S", agent_id="P1", topic="x")).model_dump_json()
    (tmp_path / "one.json").write_text(record)
    assert "1 graphs, 0 with a fault." in graphs("check", str(tmp_path)).stdout


def _texts() -> list[tuple[str, Any, str]]:
    return [
        ("one.json", "Sure: {}", "not-json"),
        ("one.json", '{"nodes": {}} // none', "not-json"),
        ("one.json", '{"nodes": {}, "nodes": {}}', "duplicate-key"),
        ("one.json", '{"nodes": {}, "edges": {}, "stance_node": "s"}', "no-stance"),
        ("one.json", '{"graph": {}}', "missing"),
        ("one.json", '{"belief_graph": {}}', "release"),
        ("one.json", "[1]", "wrong-type"),
        ("many.jsonl", "\n{}\n", "line 2"),
        ("none.txt", "", "no .json or .jsonl file"),
    ]


@pytest.mark.parametrize(("name", "text", "said"), _texts())
def test_files_that_hold_no_graph_are_refused(
    graphs: Graphs, tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    found = graphs("check", str(tmp_path))
    assert found.returncode == 1
    assert str(tmp_path) in found.stderr
    assert said in found.stderr


def test_places_without_graphs_are_refused(graphs: Graphs, tmp_path: Path) -> None:
    found = graphs("compare", str(tmp_path / "none"), str(tmp_path))
    assert "does not exist: give a .json file" in found.stderr
    (tmp_path / "one.json").write_text(drawn("a +1 S").model_dump_json())
    found = graphs("compare", str(tmp_path), str(tmp_path))
    assert "no agent_id" in found.stderr


def test_graphs_of_a_dataset_are_read(graphs: Graphs, twelve_people: Path) -> None:
    found = graphs("check", "hugagent-synthetic/agents", "--cycles")
    assert found.returncode == 0, found.stdout
    assert "36 graphs, 0 with a fault." in found.stdout
    found = graphs("check", "hugagent-synthetic/bsi")
    assert "there is no column 'graph'" in found.stderr
