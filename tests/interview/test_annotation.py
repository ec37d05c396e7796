"""People judge graphs: pages that say nothing of whose they are, and what comes back."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError, UsageError
from otherminds.interview import deletion
from otherminds.interview.annotation import sheets
from otherminds.interview.annotation.reading import read
from otherminds.interview.annotation.results import people_graph, results
from otherminds.interview.annotation.sheets import Interview
from otherminds.interview.annotation.writing import Wanted, write
from otherminds.interview.store import Store
from tests.interview import people

Value = Callable[[str, str], str]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "study", create=True) as opened:
        people.simulated(opened, [people.agent(f"P0{number}", seed=number) for number in (1, 2, 3)])
        yield opened


def annotation(store: Store, folder: Path, **more: int) -> list[Interview]:
    wanted = Wanted(**{"annotators": 2, "each": 2, **more})
    return write(store, store.summaries(status="submitted"), folder, wanted)


def sent_back(folder: Path, interviews: list[Interview], annotator: str, value: Value) -> Path:
    """The table that an annotator downloads; `value` by row and kind."""
    rows = []
    for one in interviews:
        if annotator not in one.annotators:
            continue
        for judged in one.judged:
            rows.append((judged.row, judged.kind))
            if judged.kind == "link":
                rows.append((f"{judged.row}.sign", "sign"))
        rows.append((f"{one.row}.missing", "missing"))
    path = folder / "returned" / f"annotate_{annotator}.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(sheets.COLUMNS)
        for row, kind in rows:
            study = interviews[0].study
            writer.writerow([study, annotator, "1", row, kind, "words", value(row, kind)])
    return path


def agreeing(interviews: list[Interview]) -> Value:
    """Somebody who finds the machine right everywhere."""
    signs = {1: "raises", -1: "lowers", 0: "no effect"}
    of_row = {
        f"{judged.row}.sign": signs[one.graph.edges[judged.id].polarity]
        for one in interviews
        for judged in one.judged
        if judged.kind == "link"
    }

    def value(row: str, kind: str) -> str:
        return "" if kind == "missing" else of_row.get(row, "1.0")

    return value


def test_pages_show_interviews_and_nobody(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "judging"
    made = annotation(store, out, annotators=3)
    assert sorted(path.name for path in out.iterdir()) == [
        "for_A1",
        "for_A2",
        "for_A3",
        "key.json",
        "returned",
    ]
    assert [len(one.annotators) for one in made] == [2, 2, 2]
    shown = [len(re.findall("<section ", path.read_text())) for path in sorted(out.rglob("*.html"))]
    assert shown == [2, 2, 2]
    for path in out.rglob("*.html"):
        text = path.read_text()
        assert not any(f"P0{number}" in text for number in (1, 2, 3))
        assert not re.search("https?:", text)


def test_whoever_agrees_with_the_machine_gives_its_graph_back(store: Store, tmp_path: Path) -> None:
    made = annotation(store, tmp_path / "j")
    for name in ("A1", "A2"):
        sent_back(tmp_path / "j", made, name, agreeing(made))
    labels = read(tmp_path / "j")
    found = {(one.part, one.metric): one.estimate.value for one in results(labels)}
    assert found["concepts", "mean soft label"] == 1
    assert found["links", "alpha of signs (nominal)"] == 1
    assert found["machine against people", "edge_f1"] == 1
    assert found["machine against people", "edit_distance"] == 0


def test_rejected_links_go_and_added_ones_come(store: Store, tmp_path: Path) -> None:
    made = annotation(store, tmp_path / "j")
    first = made[0]
    link = next(one for one in first.judged if one.kind == "link")
    edge = first.graph.edges[link.id]

    def value(row: str, kind: str) -> str:
        if row == link.row:
            return "0.2"
        if row == f"{first.row}.missing":
            return "street music -> sleep, lowers, 0,9\nbakers → street music; raises; 1"
        return agreeing(made)(row, kind)

    for name in ("A1", "A2"):
        sent_back(tmp_path / "j", made, name, value)
    labels = read(tmp_path / "j")
    graph = people_graph(labels, first)
    pairs = {(one.source, one.target) for one in graph.edges.values()}
    assert (edge.source, edge.target) not in pairs
    names = {key: node.label for key, node in graph.nodes.items()}
    assert ("street music", "sleep") in {(names[a], names[b]) for a, b in pairs}
    assert ("bakers", "street music") in {(names[a], names[b]) for a, b in pairs}
    scores = {one.metric: one.estimate.value for one in results(labels) if "machine" in one.part}
    assert scores["edge_f1"] < 1


@pytest.mark.parametrize(
    ("row", "value", "match"),
    [
        (".c1", "1.2", "is no number from 0 to 1"),
        (".c1", "-1", "is no number from 0 to 1"),
        (".l1.sign", "up", "is none of raises, lowers"),
        (".missing", "noise lowers sleep", "is not of the form"),
    ],
)
def test_what_cannot_be_read_is_named(
    store: Store, tmp_path: Path, row: str, value: str, match: str
) -> None:
    made = annotation(store, tmp_path / "j")
    wrong = made[0].row + row
    sent_back(tmp_path / "j", made, "A1", lambda one, _: value if one == wrong else "")
    with pytest.raises(OtherMindsError, match=match):
        read(tmp_path / "j")


def test_a_sheet_of_somebody_else_or_another_study_is_refused(store: Store, tmp_path: Path) -> None:
    made = annotation(store, tmp_path / "j")
    path = sent_back(tmp_path / "j", made, "A1", agreeing(made))
    path.write_text(path.read_text().replace(",A1,", ",A9,"))
    with pytest.raises(OtherMindsError, match="was not given to annotator"):
        read(tmp_path / "j")
    with pytest.raises(OtherMindsError, match="There is no annotation"):
        read(tmp_path)
    with pytest.raises(OtherMindsError, match="not empty"):
        annotation(store, tmp_path / "j")
    with pytest.raises(UsageError, match="--each 3"):
        annotation(store, tmp_path / "k", each=3)


@pytest.mark.attack(
    "what a withdrawn person said, looked for in pages for annotators and what they sent back",
    outcome="not a byte is left",
    against="interviews",
)
def test_a_deletion_reaches_pages_and_returned_tables(store: Store, tmp_path: Path) -> None:
    out = tmp_path / "j"
    made = annotation(store, out)
    one = next(each for each in made if each.participant_id == "P01")
    for name in ("A1", "A2"):
        sent_back(out, made, name, agreeing(made))
    said = next(iter(store.load(one.session_id).qas.values()))
    answer = re.search(r'"answer":"([^"]{20,60})', said)
    assert answer is not None
    assert people.files_with(out, answer[1])
    deletion.delete(store, "P01")
    for text in (answer[1], "P01", one.row):
        assert people.files_with(out, text) == []
    assert {each.participant_id for each in read(out).interviews} == {"P02", "P03"}
