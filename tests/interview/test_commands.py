from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from otherminds.interview.store import Store
from tests.conftest import Command
from tests.interview import people

pytestmark = pytest.mark.usefixtures("twelve_people")

SIMULATE = (
    *("otherminds", "interview", "simulate", "zoning", "--agents", "hugagent-synthetic"),
    *("--topic", "zoning", "--topic", "healthcare", "--n", "2"),
)


@pytest.fixture(scope="module")
def place(command: Command, tmp_path_factory: pytest.TempPathFactory, twelve_people: Path) -> Path:
    """A folder with a study of two simulated people on two topics."""
    folder = tmp_path_factory.mktemp("work")
    done = command(*SIMULATE, cwd=folder)
    assert "4 interviews were begun" in done.stdout
    return folder


def test_a_simulation_leaves_finished_interviews_alone(command: Command, place: Path) -> None:
    done = command(*SIMULATE, cwd=place)
    assert "0 interviews were begun, 0 gone on with, 4 were over before" in done.stdout


def test_the_same_seed_gives_the_same_bits(command: Command, place: Path, tmp_path: Path) -> None:
    command(*SIMULATE, "--parallel", "3", cwd=tmp_path)
    command("otherminds", "interview", "export", "out", cwd=tmp_path)
    command("otherminds", "interview", "export", "first", cwd=place)
    for path in (tmp_path / "out").iterdir():
        # Those that ran beside each other began in another order.
        same = (place / "first" / path.name).read_text().splitlines()
        assert sorted(path.read_text().splitlines()) == sorted(same), path.name


def test_a_study_becomes_items_that_the_tasks_run_on(command: Command, place: Path) -> None:
    made = command("otherminds", "interview", "items", "items", "--all", cwd=place)
    assert "items that show their source: 0" in made.stdout
    assert "--metadata" in made.stdout
    told = json.loads((place / "items" / "study.json").read_text())
    assert told["filter"] == "none"
    rows = pq.read_table(place / "items" / "bsi.parquet").to_pylist()
    assert len(rows) == told["items"]["bsi"] > 8
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        counts[row["participant_id"], row["topic"]] = (
            counts.get((row["participant_id"], row["topic"]), 0) + 1
        )
        assert row["source_shown"] is False
    assert max(counts.values()) <= 10
    # What tells where somebody lives is in no item.
    assert people.files_with(place / "items", '"region"') == []
    done = command(
        *("otherminds", "run", "hugagent", "--metadata", '{"data_source": "items"}'),
        *("--model", "random", "--output_path", "results"),
        cwd=place,
    )
    assert "is not release" in " ".join((done.stdout + done.stderr).split())
    again = command("otherminds", "interview", "items", "items", cwd=place)
    assert "handed-in interviews" in again.stdout


def test_all_sessions_replay_and_are_listed(command: Command, place: Path) -> None:
    assert (
        "4 of 4 sessions came out the same"
        in command("otherminds", "interview", "replay", cwd=place).stdout
    )
    found = json.loads(command("otherminds", "interview", "list", "--json", cwd=place).stdout)
    assert len(found) == 4
    assert "submitted" in command("otherminds", "interview", "list", cwd=place).stdout


def test_check_prints_a_funnel_and_writes_the_values(command: Command, place: Path) -> None:
    words = ("otherminds", "interview", "check", "--threshold", "nodes=90", "--out", "check.csv")
    done = command(*words, cwd=place)
    assert "sparse graph" in done.stdout
    text = (place / "check.csv").read_text()
    assert text.count("sparse_graph") + text.count("redundant,") >= 4
    wrong = command("otherminds", "interview", "check", "--threshold", "x=1", cwd=place, code=2)
    assert "thresholds are" in wrong.stderr


def test_whoever_is_deleted_is_in_no_table_of_check(command: Command, tmp_path: Path) -> None:
    with Store(tmp_path / "interviews", create=True) as store:
        people.simulated(store, [people.agent("P01", 1), people.agent("P02", 2)])
    for name in ("check.csv", "check.json"):
        command("otherminds", "interview", "check", "--out", name, cwd=tmp_path)
        assert "P01" in (tmp_path / name).read_text()
    command("otherminds", "interview", "delete", "P01", "--yes", cwd=tmp_path)
    for name in ("check.csv", "check.json"):
        text = (tmp_path / name).read_text()
        assert "P01" not in text
        assert "P02" in text


def test_items_that_no_task_reads_are_not_said_to_run(command: Command, tmp_path: Path) -> None:
    with Store(tmp_path / "interviews", create=True) as store:
        people.simulated(store, [people.agent("P01", 1)])
    done = command("otherminds", "interview", "items", "items", "--all", cwd=tmp_path)
    assert "can run on none of it" in done.stdout
    assert "To run them" not in done.stdout


@pytest.mark.parametrize("parallel", ["1", "3"])
def test_ctrl_c_keeps_a_simulation_and_the_same_command_goes_on(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, parallel: str
) -> None:
    from otherminds.interview import casting
    from otherminds.interview.session import Session
    from otherminds.interview.simulating import Answer

    answer = casting.ScriptedParticipant.answer
    answered = []

    def interrupted(self: casting.ScriptedParticipant, session: Session) -> Answer:
        answered.append(session.session_id)
        if len(answered) == 9:
            raise KeyboardInterrupt
        return answer(self, session)

    words = (*SIMULATE, "--parallel", parallel)
    with monkeypatch.context() as patched:
        patched.setattr(casting.ScriptedParticipant, "answer", interrupted)
        done = command(*words, cwd=tmp_path, code=130)
    assert "The same command goes on from here" in done.stderr
    # Nobody goes on to the end after it.
    assert len(answered) < 20
    again = command(*words, cwd=tmp_path)
    assert "0 were over before" in again.stdout
    with Store(tmp_path / "interviews") as store:
        assert {one.status for one in store.summaries()} == {"submitted"}
        assert len(store.summaries()) == 4


def test_a_person_is_deleted_from_items_and_database(command: Command, tmp_path: Path) -> None:
    command(*SIMULATE, cwd=tmp_path)
    command("otherminds", "interview", "items", "items", "--all", cwd=tmp_path)
    with Store(tmp_path / "interviews") as store:
        [first, second] = sorted({one.participant_id for one in store.summaries()})
        said = [qa.answer or "" for qa in people.session(store, f"{first}-zoning").qas]
    done = command("otherminds", "interview", "delete", first, "--yes", cwd=tmp_path)
    assert "2 sessions" in done.stdout
    long = [text for text in said if len(text) > 60]
    assert long
    assert all(people.files_with(tmp_path, text) == [] for text in long)
    # Whoever is deleted stays so, and the others' simulation goes on.
    again = command(*SIMULATE, cwd=tmp_path)
    assert "0 interviews were begun" in again.stdout
    with Store(tmp_path / "interviews") as store:
        assert {one.participant_id for one in store.summaries()} == {second}


def chat(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    cwd: Path,
    *lines: str,
    words: tuple[str, ...] = (),
) -> str:
    """A conversation in the terminal of these lines, to the end of the input."""
    given = iter(lines)

    def typed(_: str) -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)
    return command("otherminds", "interview", "chat", "night_buses", *words, cwd=cwd).stdout


def test_a_conversation_is_left_and_gone_on_with(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = chat(command, monkeypatch, tmp_path, "I like them.", "", "/nonsense", "/stop")
    assert "2. " in first
    assert "no command /nonsense" in first
    words = ("--person", "me", "--recruited-as", "5f3a9c")
    second = chat(
        command,
        monkeypatch,
        tmp_path,
        "//odd",
        "/edit 1",
        "I love them.",
        "/end",
        "submit",
        words=words,
    )
    assert "Welcome back" in second
    assert "1. Where do you stand" in second
    assert "Handed in" in second
    with Store(tmp_path / "interviews") as store:
        found = people.session(store, "me-night_buses")
        assert [qa.answer for qa in found.qas] == ["I love them.", "/odd"]
        assert [one.answer for one in found.qas[0].edited] == ["I like them."]
        assert found.status == "submitted"
    assert "handed in already" in chat(command, monkeypatch, tmp_path)
    assert people.files_with(tmp_path, "5f3a9c") == []


def test_topics_of_ones_own(command: Command, tmp_path: Path) -> None:
    command("otherminds", "interview", "new-topic", "bike_lanes", cwd=tmp_path)
    told = command(
        "otherminds", "interview", "check-topic", "bike_lanes.yaml", cwd=tmp_path, code=1
    )
    assert "not filled in" in told.stdout
    twice = command("otherminds", "interview", "new-topic", "bike_lanes", cwd=tmp_path, code=1)
    assert "is there already" in twice.stderr


def test_what_cannot_be_is_one_line(command: Command, tmp_path: Path) -> None:
    for words, says in (
        (("list",), "no interviews in"),
        (("chat", "nowhere.yaml"), "nowhere.yaml"),
        (("chat", "zoning", "--person", ""), "no pseudonym"),
        (("simulate", "zoning", "--agents", "trust-game-synthetic"), "takes items"),
        (("simulate", "night_buses", "--agents", "hugagent-synthetic", "--n", "1"), "topics are"),
        (("simulate", "zoning", "--agents", "hugagent-synthetic", "--n", "99"), "12 people"),
    ):
        done = command("otherminds", "interview", *words, cwd=tmp_path, code=1)
        assert says in " ".join(done.stderr.split()), done.stderr
        assert "Traceback" not in done.stderr
