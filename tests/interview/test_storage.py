from __future__ import annotations

import dataclasses
import sqlite3
import stat
from pathlib import Path

import pytest

from otherminds.errors import OtherMindsError
from otherminds.interview import database, deletion, exporting, records, replaying
from otherminds.interview.conversation import Conversation
from otherminds.interview.database import FILE
from otherminds.interview.participation import Participants
from otherminds.interview.readers import RuleReader
from otherminds.interview.recruitment import KEY_FILE, VARIABLE, Recruitment
from otherminds.interview.store import Store, Survey
from tests.interview import people

SECRET = "My neighbour Hildegard snores through the zebra crossing"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two people, interviewed by rules."""
    place = tmp_path_factory.mktemp("study")
    with Store(place, create=True) as store:
        people.simulated(store, [people.agent("P01", 1), people.agent("P02", 2)])
    return place


def test_a_session_comes_back_as_it_was(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        conversation = people.talk(store, RuleReader(), ["Noise lowers my support.", "No."])
        assert people.session(store, "s1") == conversation.session
        [one] = store.summaries()
        assert (one.answers, one.status, one.nodes) == (2, "running", 1)
        assert store.summaries(topic="zoning") == []


def test_an_answer_is_one_transaction(tmp_path: Path) -> None:
    from sqlalchemy import event

    with Store(tmp_path, create=True) as store:
        conversation = people.talk(store, RuleReader(), ["Noise lowers my support."])
        commits: list[int] = []
        event.listen(store.database.engine, "commit", lambda _: commits.append(1))
        conversation.answer("Sleep raises my support.")
        assert len(commits) == 1
        # The next question is part of it: nothing is written to show it.
        assert conversation.question() is not None
        assert len(commits) == 1


def test_a_slow_reader_finds_the_answer_saved(tmp_path: Path) -> None:
    found = []

    class Slow(RuleReader):
        slow = True

        def read(self, session, qa):  # type: ignore[no-untyped-def]
            with Store(tmp_path) as other:
                found.append(people.session(other, "s1").qa(qa.id).answer)
            return super().read(session, qa)

    with Store(tmp_path, create=True) as store:
        people.talk(store, Slow(), ["Noise lowers my support."])
    assert found == ["Noise lowers my support."]


def test_two_processes_on_one_session_do_not_mix(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        conversation = people.talk(store, RuleReader(), ["Noise lowers my support."])
        with Store(tmp_path) as other:
            beside = Conversation.resume(other, "s1", RuleReader())
            assert beside.question() == conversation.question()
            beside.answer("Sleep raises my support.")
            with pytest.raises(OtherMindsError, match="changed by another process"):
                conversation.answer("Budget lowers my support.")
        kept = people.session(store, "s1")
        assert [qa.answer for qa in kept.qas][:2] == [
            "Noise lowers my support.",
            "Sleep raises my support.",
        ]


def test_a_config_that_changes_leaves_running_sessions_alone(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        before = people.config(max_qas=9)
        Conversation.begin(store, before, RuleReader(), session_id="a", participant_id="P01")
        after = people.config(max_qas=12)
        Conversation.begin(store, after, RuleReader(), session_id="b", participant_id="P01")
        assert before.hash != after.hash
        assert Conversation.resume(store, "a", RuleReader()).session.config == before
        assert Conversation.resume(store, "b", RuleReader()).session.config == after


def test_tables_of_another_version_are_refused_and_left_alone(tmp_path: Path) -> None:
    with Store(tmp_path, create=True):
        pass
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE meta SET value = '99' WHERE name = 'schema_version'")
    was = (tmp_path / FILE).read_bytes()
    with pytest.raises(OtherMindsError, match="version 99"):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == was


def test_a_study_of_version_1_gets_the_tables_that_it_lacks(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        conversation = people.talk(store, RuleReader(), ["Noise lowers my support."])
        before = conversation.session
    with sqlite3.connect(tmp_path / FILE) as database:
        for table in ("participants", "survey_again", "people_again"):
            database.execute(f"DROP TABLE {table}")
        database.execute("UPDATE meta SET value = '1' WHERE name = 'schema_version'")
    with Store(tmp_path) as store:
        assert people.session(store, "s1") == before
        assert Participants(store).all() == []
    with sqlite3.connect(tmp_path / FILE) as database:
        found = database.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchall()
    assert found == [("2",)]


def test_what_is_no_study_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="no interviews in"):
        Store(tmp_path / "nowhere")
    (tmp_path / FILE).write_bytes(b"this is no database, however long it is" * 100)
    with pytest.raises(OtherMindsError, match="cannot be used"):
        Store(tmp_path)
    with pytest.raises(OtherMindsError, match="postgresql://"):
        Store("nonsense://x", create=True)


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        conversation = people.talk(store, RuleReader(), ["Noise lowers my support."])
        before = conversation.session
        with store.database.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OtherMindsError, match="the disk is full"):
            # Long answers, until no page has room for one.
            for number in range(20):
                conversation.answer(f"{number} " + "Sleep raises my support. " * 150)
        assert conversation.session.qas[: len(before.qas) - 1] == before.qas[:-1]
        assert people.session(store, "s1") == conversation.session
        with store.database.writing() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        conversation.question()
        conversation.answer("Sleep raises my support.")
        assert people.session(store, "s1") == conversation.session


def test_nobody_else_can_read_the_files(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        Recruitment(store, create=True).add("P01", "5f3a")
        for path in tmp_path.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_recruitment_ids_are_encrypted_and_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with Store(tmp_path, create=True) as store:
        with pytest.raises(OtherMindsError, match=VARIABLE):
            Recruitment(store)
        kept = Recruitment(store, create=True)
        kept.add("P01", "5f3a9c0deadbeef012345678")
        kept.add("P01", " 5f3a9c0deadbeef012345678 ")
        assert kept.person("5f3a9c0deadbeef012345678") == "P01"
        assert kept.id_of("P01") == "5f3a9c0deadbeef012345678"
        assert kept.person("somebody else") is None
        assert kept.id_of("P02") is None
        for participant, other in (("P02", "5f3a9c0deadbeef012345678"), ("P01", "another")):
            with pytest.raises(OtherMindsError, match="another"):
                kept.add(participant, other)
        assert people.files_with(tmp_path, "5f3a9c0deadbeef012345678") == []
        from cryptography.fernet import Fernet

        monkeypatch.setenv(VARIABLE, Fernet.generate_key().decode())
        with pytest.raises(OtherMindsError, match="not the one"):
            Recruitment(store).id_of("P01")
        monkeypatch.setenv(VARIABLE, "short")
        with pytest.raises(OtherMindsError, match="44 letters"):
            Recruitment(store)
    assert (tmp_path / KEY_FILE).is_file()


def test_a_key_that_is_lost_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with Store(tmp_path, create=True) as store:
        Recruitment(store, create=True).add("P01", "5f3a")
        key = (tmp_path / KEY_FILE).read_bytes()
        (tmp_path / KEY_FILE).unlink()
        # Under a second key, the same id would come to a second person.
        with pytest.raises(OtherMindsError, match=VARIABLE):
            Recruitment(store, create=True)
        assert not (tmp_path / KEY_FILE).exists()
        from cryptography.fernet import Fernet

        (tmp_path / KEY_FILE).write_bytes(Fernet.generate_key())
        with pytest.raises(OtherMindsError, match="not the one"):
            Recruitment(store, create=True)
        (tmp_path / KEY_FILE).write_bytes(key)
        assert Recruitment(store, create=True).person("5f3a") == "P01"


def test_ids_of_nobody_and_of_those_who_were_deleted_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with Store(tmp_path, create=True) as store:
        people.talk(store, RuleReader(), ["Noise."])
        deletion.delete(store, "P01")
        with pytest.raises(OtherMindsError, match="was deleted"):
            Recruitment(store, create=True).add("P01", "5f3a")
        assert Recruitment(store).id_of("P01") is None


@pytest.mark.parametrize("name", ["", " ", "=cmd|x", "a\nb", "../x", "-1", "_", "a,b", "x" * 81])
def test_pseudonyms_that_no_table_holds_are_refused(tmp_path: Path, name: str) -> None:
    with Store(tmp_path, create=True) as store:
        with pytest.raises(OtherMindsError, match="no pseudonym"):
            Conversation.begin(
                store, people.config(), RuleReader(), session_id="s", participant_id=name
            )
        with pytest.raises(OtherMindsError, match="no pseudonym"):
            store.add_survey([Survey(name, "night_buses", "4.1", 1, {})])
        assert store.summaries() == []
        assert store.survey() == []


def test_a_missing_package_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "sqlalchemy" else find(name)
    )
    with pytest.raises(OtherMindsError, match=r"otherminds\[interview\]"):
        Store(tmp_path, create=True)


def test_deleting_somebody_leaves_no_byte_of_theirs(tmp_path: Path) -> None:
    place, out = tmp_path / "study", tmp_path / "out"
    with Store(place, create=True) as store:
        server = people.RulesBehindAServer()
        people.talk(
            store,
            people.reader(store, server),
            [f"{SECRET}. Noise lowers my support.", "Sleep raises stress."],
        )
        # Edited answers leave their earlier versions.
        conversation = Conversation.resume(store, "s1", people.reader(store, server))
        conversation.edit("q2", "Stress lowers my support.")
        assert conversation.question() is not None
        people.simulated(store, [people.agent("P02", 2)], people.config(**people.SHORT))
        store.add_survey(
            [Survey("P01", "night_buses", "4.1", 1, {"question": SECRET})],
            {"P01": {"says": SECRET}},
        )
        Recruitment(store, create=True).add("P01", "5f3a")
        names = exporting.NAMES
        exporting.export(store, store.summaries(), out, names)
        before = {name: (out / name).read_text() for name in names}
        assert len(people.files_with(tmp_path, SECRET)) >= 3

        done = deletion.delete(store, "P01")

        assert done.sessions == 1
        assert {path.name for path in done.changed} == {*names}
        assert people.files_with(tmp_path, SECRET) == []
        assert people.files_with(tmp_path, "Stress lowers") == []
        assert [*deletion.tombstones(store)] == ["P01"]
        # All else stays, to the byte.
        for name in names:
            rest = [line for line in before[name].splitlines() if "P01" not in line]
            assert (out / name).read_text().splitlines() == rest
        assert [one.participant_id for one in store.summaries()] == ["P02"]
        # They do not come back, and going on with their conversation is refused.
        with pytest.raises(OtherMindsError, match="was deleted"):
            people.talk(store, RuleReader(), [])
        with pytest.raises(OtherMindsError, match="another process"):
            conversation.answer("Noise lowers my support.")
        assert deletion.delete(store, "P01").sessions == 0
        with pytest.raises(OtherMindsError, match="nobody called"):
            deletion.delete(store, "P77")


def test_a_deletion_says_which_exports_are_gone(tmp_path: Path) -> None:
    with Store(tmp_path / "study", create=True) as store:
        people.talk(store, RuleReader(), ["Noise lowers my support."])
        exporting.export(store, store.summaries(), tmp_path / "out", [exporting.GRAPHS])
        (tmp_path / "out").rename(tmp_path / "moved")
        done = deletion.delete(store, "P01")
        assert done.missing == (tmp_path / "out",)


def test_a_deletion_that_another_process_hinders_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with Store(tmp_path, create=True) as store:
        people.talk(store, RuleReader(), [SECRET])
        reading = sqlite3.connect(tmp_path / FILE)
        reading.execute("BEGIN")
        reading.execute("SELECT * FROM qas").fetchall()
        with pytest.raises(OtherMindsError, match=r"another process"):
            deletion.delete(store, "P01")
        reading.close()
        deletion.delete(store, "P01")
        assert people.files_with(tmp_path, SECRET) == []


def test_exports_have_all_that_was_said_and_no_more(study: Path, tmp_path: Path) -> None:
    import csv
    import json

    with Store(study) as store:
        exporting.export(store, store.summaries(), tmp_path / "out", exporting.NAMES)
        sessions = [people.session(store, one.id) for one in store.summaries()]
    out = tmp_path / "out"
    with (out / exporting.TRANSCRIPTS_CSV).open(newline="") as file:
        rows = [*csv.DictReader(file)]
    said = [row["content"] for row in rows if row["speaker"] == "participant"]
    assert said == [qa.answer for one in sessions for qa in one.qas]
    graphs = [json.loads(line) for line in (out / exporting.GRAPHS).read_text().splitlines()]
    from otherminds.metrics.graphs import read_graph

    for line, one in zip(graphs, sessions, strict=True):
        own = {
            key: value for key, value in line.items() if key not in ("session_id", "participant_id")
        }
        found = read_graph(own)
        assert set(found.nodes) == set(one.state.nodes)
        assert set(found.edges) == set(one.state.edges)
    dynamic = [json.loads(line) for line in (out / exporting.DYNAMIC).read_text().splitlines()]
    assert len(dynamic) == sum(len(one.qas) for one in sessions)
    last = [line for line in dynamic if line["session_id"] == sessions[0].session_id][-1]
    assert last["edges"] == graphs[0]["edges"]
    assert people.files_with(out, "12345") == []


def test_a_sample_for_people_to_read_follows_from_the_ids(study: Path, tmp_path: Path) -> None:
    with Store(study) as store:
        sessions = [dataclasses.replace(store.summaries()[0], id=f"s{n}") for n in range(41)]
    found = exporting.sampled(sessions, 0.05)
    # 5 % of 41 are 2.05.
    assert len(found) == 3
    assert {one.id for one in exporting.sampled([*reversed(sessions)], 0.05)} == {
        one.id for one in found
    }
    assert exporting.sampled(sessions, 1) == sessions
    assert exporting.sampled([], 0.05) == []


def test_an_export_leaves_no_file_of_an_earlier_one(study: Path, tmp_path: Path) -> None:
    with Store(study) as store:
        exporting.export(store, store.summaries(), tmp_path, exporting.NAMES)
        (tmp_path / "mine.txt").touch()
        exporting.export(store, store.summaries(), tmp_path, [exporting.SESSIONS])
    assert {one.name for one in tmp_path.iterdir()} == {exporting.SESSIONS, "mine.txt"}


def test_formulas_in_answers_are_defused_in_tables_alone(tmp_path: Path) -> None:
    with Store(tmp_path / "study", create=True) as store:
        people.talk(store, RuleReader(), ["=HYPERLINK(1)"])
        exporting.export(store, store.summaries(), tmp_path / "out", exporting.NAMES)
    assert ",'=HYPERLINK(1)" in (tmp_path / "out" / exporting.TRANSCRIPTS_CSV).read_text()
    assert '"answer":"=HYPERLINK(1)"' in (tmp_path / "out" / exporting.TRANSCRIPTS).read_text()


def test_a_session_replays(study: Path) -> None:
    with Store(study) as store:
        for one in store.summaries():
            found = replaying.replay(store, one.id)
            assert found.differences == ()
            assert found.answers == one.answers


def test_a_replay_that_differs_is_seen(tmp_path: Path) -> None:
    with Store(tmp_path, create=True) as store:
        people.talk(store, RuleReader(), ["Noise lowers my support.", "Sleep raises stress."])
        record = store.load("s1")
        other = record.qas[1].replace("Noise lowers my support.", "Noise raises my support.")
        changed = records.session_of(
            type(record)(record.summary, record.state, record.graph, {**record.qas, 1: other}),
            store.config(record.summary.config_hash),
        )
        store.save(records.record_of(changed), record.summary.revision, before=record)
        assert "q1: its answer was read otherwise" in replaying.replay(store, "s1").differences


def test_an_earlier_export_is_replaced_and_other_folders_are_not(tmp_path: Path) -> None:
    with Store(tmp_path / "study", create=True) as store:
        people.talk(store, RuleReader(), ["Noise lowers my support."])
        for _ in range(2):
            exporting.export(store, store.summaries(), tmp_path / "out", [exporting.SESSIONS])
        text = (tmp_path / "out" / exporting.SESSIONS).read_text()
        assert text.startswith(exporting.HEADER)
        assert store.exports() == [(tmp_path / "out").resolve()]
