"""The views of our datasets: what students are given of rows, and what the manifests tell of it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from otherminds import console, manifest
from otherminds.data.repository import student_tables
from otherminds.dataset_builders.socialmindchange.codes.claimed import OptionReader
from otherminds.dataset_builders.socialmindchange.codes.content import load
from otherminds.errors import OtherMindsError
from otherminds.manifest import Students
from otherminds.students import audit, rows
from tests.conftest import Command
from tests.helpers import small_builds

FIXED = 60
"""People or stages that CI trains and tests students on."""

STUDIED = [name for name in manifest.names() if manifest.load(name).students is not None]
GENERATED = [name for name in STUDIED if manifest.load(name).generated]


@pytest.mark.parametrize("dataset", ["trust-game", "trust-game-synthetic", "synchtom"])
def test_data_without_options_are_refused(dataset: str) -> None:
    with pytest.raises(OtherMindsError, match="no items with a gold answer among options"):
        rows.view_of(dataset)


def test_students_see_the_interview_and_never_the_answer(twelve_people: Path) -> None:
    given = rows.load("hugagent-synthetic")
    assert given.clues is not None
    assert {item.part for item in given.items} == {"bsi", "bdu"}
    one = next(item for item in given.items if item.part == "bdu")
    # Of a scale of 1 to 10 (1 to 5), answers 2 (1) away count as right.
    assert one.near == {10: 2, 5: 1}[len(one.options)]
    assert one.text
    slots = {clue.slot for some in given.clues.values() for clue in some}
    assert slots <= {item.item_id for item in given.items}


@pytest.mark.slow
def test_the_command_prints_and_writes_what_it_found(
    twelve_people: Path, command: Command, tmp_path: Path
) -> None:
    words = ("audit", "hugagent-synthetic", "--only", "options", "--out", tmp_path / "found.json")
    done = command("otherminds", *words, cwd=tmp_path)
    assert "students trained on 6 others" in done.stdout
    found = Students.model_validate(json.loads((tmp_path / "found.json").read_text()))
    assert set(found.parts) == {"bsi", "bdu"}
    again = command("otherminds", *words, "--shuffled", cwd=tmp_path)
    assert "gold answers shuffled" in again.stdout
    refused = command("otherminds", "audit", "synchtom", cwd=tmp_path, code=1)
    assert "nothing for students to learn" in refused.stderr


def test_options_of_a_stage_are_read_as_the_truth_says(tmp_path: Path) -> None:
    """What the right option claims, found from its text, is what the simulator holds."""
    folder = small_builds.write("socialmindchange-codes", tmp_path, "three")
    stages = pq.read_table(folder / "data" / "stages").to_pylist()
    questions = pq.read_table(folder / "data" / "questions").to_pylist()
    content = load()
    readers = {row["stage_id"]: OptionReader(content, row) for row in stages}
    by_name = {row["stage_id"]: row for row in stages}
    compared = 0
    for question in questions:
        stage = by_name[question["stage_id"]]
        claims = readers[question["stage_id"]].claims(question)
        truth = _truth(stage)
        for slot, value in claims["abcdefghijklmnop".index(question["answer"])].items():
            if slot in truth:
                assert value == truth[slot], (question["item_id"], slot)
                compared += 1
        # Every wrong option claims something else.
        assert len({tuple(sorted(one.items())) for one in claims}) == len(claims)
    assert compared > 5 * len(questions) // 2


def _truth(stage: dict[str, Any]) -> dict[str, str]:
    names = [one["given"] for one in stage["characters"]]
    truth = {"norm": stage["norm"], "goal": stage["characters"][0]["goal"]}
    truth["setting"] = stage["characters"][0]["face"]
    for state in stage["states"]:
        place = names.index(state["person"])
        mark = f"{place}:" if place else ""
        level, matter, agency = state["level"], state["matter"], state["agency"]
        truth[f"{mark}kind@{state['scene']}"] = f"{level} {matter} {agency}"
        truth[f"{mark}topic@{state['scene']}"] = matter
        if not place:
            truth[f"about@{state['scene']}"] = str(names.index(state["about"]))
            truth[f"agency@{state['scene']}"] = agency
    for change in stage["changes"]:
        truth[f"circumstance@{change['scene']}"] = change["circumstance"]
        if change["bridge"]:
            truth[f"bridge@{change['scene']}"] = change["bridge"]
        if change["guess_matter"]:
            truth[f"guess_topic@{change['scene']}"] = change["guess_matter"]
            truth[f"guess_about@{change['scene']}"] = str(names.index(change["guess_about"]))
    return truth


def test_an_option_of_no_pattern_is_named(tmp_path: Path) -> None:
    folder = small_builds.write("socialmindchange-codes", tmp_path, "three")
    stage = pq.read_table(folder / "data" / "stages").to_pylist()[0]
    question = pq.read_table(folder / "data" / "questions").to_pylist()[0]
    with pytest.raises(ValueError, match="No pattern of the generator makes the option 'Nonsense'"):
        OptionReader(load(), stage).claims({**question, "options": ["Nonsense"]})


@pytest.mark.parametrize("dataset", STUDIED)
def test_the_card_tells_what_breaks_a_bound(dataset: str) -> None:
    found = manifest.load(dataset).students
    assert found is not None
    table = student_tables.markdown(found)
    beyond = [found.parts[part].students[name] for part, name in student_tables.failures(found)]
    for student in beyond:
        assert f"**{student.sees}**" in table
    said = student_tables.failed(found)
    near = [one.bounded for one in found.parts.values() if one.bounded is not None]
    too_near = [one for one in near if one.verdict == "beyond"]
    for one in too_near:
        assert f"**{100 * (one.accuracy - one.below):.1f}**" in table
    repeated = found.repeats is not None and found.repeats.repeated > 0
    assert len(said) == len(beyond) + len(too_near) + repeated


@pytest.mark.parametrize("dataset", STUDIED)
def test_a_terminal_of_80_columns_shows_every_accuracy(dataset: str) -> None:
    """Tried: a long verdict beside blind readers took the room of all numbers."""
    found = manifest.load(dataset).students
    assert found is not None
    written = io.StringIO()
    Console(width=80, file=written).print(student_tables.printed(found))
    shown = written.getvalue()
    for studied in found.parts.values():
        for one in [*studied.students.values(), studied.blind, studied.harder]:
            assert one is None or f" {100 * one.accuracy:.1f} " in shown


@pytest.mark.parametrize("dataset", STUDIED)
def test_a_narrow_terminal_loses_neither_names_nor_numbers(
    dataset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tried: in 50 columns the names of the students went first, then digits."""
    found = manifest.load(dataset).students
    assert found is not None
    written = io.StringIO()
    monkeypatch.setattr(console, "OUT", Console(width=50, file=written))
    console.OUT.print(student_tables.printed(found))
    shown = written.getvalue()
    for part in found.parts:
        for line in student_tables.lines(found, part):
            cells = [line.who, line.accuracy, line.interval, line.above, line.verdict]
            assert all(cell in " ".join(shown.split()) for cell in cells)


@pytest.mark.slow
@pytest.mark.parametrize("dataset", GENERATED)
def test_the_fixed_subset_shows_no_leak_that_the_manifest_does_not_tell(dataset: str) -> None:
    """In CI, on the first people or stages by the release's draw: nothing is beyond a bound that the
    release keeps."""
    known = manifest.load(dataset).students
    assert known is not None
    given = rows.load(dataset)
    found = audit.study(
        given.items,
        given.clues,
        called=given.view.called,
        rows=given.told,
        edition=given.view.edition,
        groups=FIXED,
        only=["options", "siblings", "frame_siblings"],
    )
    assert set(student_tables.failures(found)) <= set(student_tables.failures(known))
