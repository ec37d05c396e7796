"""A journal that was damaged: one clear error, and no sound answer that was paid for is lost."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.running.journal import Journal
from otherminds.running.journal_mending import mend
from tests.conftest import Command

N = 2_000


def key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest() + ":0"


ANSWERS = {key(number): f"answer {number}, with some reasoning before it" for number in range(N)}
KEYS = list(ANSWERS)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    with Journal(path) as journal:
        journal.add(ANSWERS)
    return path.read_bytes()


@pytest.fixture
def path(sound: bytes, tmp_path: Path) -> Path:
    found = tmp_path / "journal.sqlite"
    found.write_bytes(sound)
    return found


def change(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement, values)
        database.commit()


def found(path: Path) -> dict[str, object]:
    with Journal(path) as journal:
        return journal.find(KEYS)


def zero_page(path: Path, number: int) -> None:
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[number * size : (number + 1) * size] = bytes(size)
    path.write_bytes(bytes(data))


def halve(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def edit_text(path: Path) -> None:
    """As an editor of bytes would: the answer is another one, and SQLite sees nothing wrong."""
    path.write_bytes(path.read_bytes().replace(b"answer 17,", b"answer 71,", 1))


DAMAGE: dict[str, Callable[[Path], None]] = {
    "an edited answer": edit_text,
    "an updated answer": lambda path: change(
        path, "UPDATE answers SET answer = ? WHERE key = ?", json.dumps("other"), KEYS[5]
    ),
    "an answer of another row": lambda path: change(
        path,
        "UPDATE answers SET (answer, digest) = (SELECT answer, digest FROM answers WHERE key = ?) "
        "WHERE key = ?",
        KEYS[6],
        KEYS[5],
    ),
    "a cut answer": lambda path: change(
        path,
        "UPDATE answers SET answer = substr(answer, 1, 5), digest = NULL WHERE key = ?",
        KEYS[5],
    ),
    "a blob": lambda path: change(
        path, "UPDATE answers SET answer = x'00ff', digest = NULL WHERE key = ?", KEYS[5]
    ),
    "an object": lambda path: change(
        path, "UPDATE answers SET answer = '{}', digest = NULL WHERE key = ?", KEYS[5]
    ),
    "a number in place of a digest": lambda path: change(
        path, "UPDATE answers SET digest = 3 WHERE key = ?", KEYS[5]
    ),
    "a page of zeros": lambda path: zero_page(path, 9),
    "half of the file": halve,
}


@pytest.mark.attack(
    "a stored answer changed, exchanged or cut; a page or half of the file lost",
    outcome="one error; `--mend-journal` keeps what is sound",
    against="answers",
)
@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_of_any_kind_is_one_clear_error_and_the_sound_answers_are_kept(
    kind: str, path: Path
) -> None:
    DAMAGE[kind](path)
    damaged = path.read_bytes()
    with pytest.raises(OtherMindsError, match=r"cannot be used: .*`--mend-journal`") as told:
        found(path)
    assert "\n" not in str(told.value)
    path.write_bytes(damaged)
    mended = mend(path)
    assert mended is not None
    assert mended.damaged.read_bytes() == damaged
    kept = found(path)
    assert kept.items() <= ANSWERS.items()
    assert len(kept) == mended.kept
    least = {"a page of zeros": N - 300, "half of the file": N // 4}.get(kind, N - 1)
    assert least <= len(kept) < N
    assert mended.changed == (0 if kind in {"a page of zeros", "half of the file"} else 1)
    # Asked again, all is there, and nothing lies about.
    with Journal(path) as journal:
        journal.add({one: ANSWERS[one] for one in KEYS if one not in kept})
    assert found(path) == ANSWERS
    assert {one.name for one in path.parent.iterdir()} == {path.name, mended.damaged.name}


@pytest.mark.attack(
    "other columns in a journal",
    outcome="one error; a journal of before, without digests, resumes with a notice",
    against="answers",
)
@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE answers RENAME COLUMN answer TO reply",
        "ALTER TABLE answers ADD COLUMN more TEXT",
        "ALTER TABLE answers DROP COLUMN digest",
    ],
)
def test_other_columns_are_an_error_but_for_a_journal_without_digests(
    statement: str, path: Path
) -> None:
    change(path, statement)
    if "DROP" in statement:
        with Journal(path) as journal:
            assert journal.find(KEYS) == ANSWERS
            assert journal.without_digest == N
            journal.add({KEYS[0]: "new"})
            journal.without_digest = 0
            assert journal.find(KEYS[:2]) == {KEYS[0]: "new", KEYS[1]: ANSWERS[KEYS[1]]}
            assert journal.without_digest == 1
    else:
        with pytest.raises(OtherMindsError, match="--mend-journal"):
            Journal(path)
        mended = mend(path)
        assert mended is not None
        assert mended.kept == (0 if "reply" in statement else N)


@pytest.mark.attack(
    "answers that only the log of a killed process has",
    outcome="kept",
    against="answers",
)
def test_what_a_killed_process_left_in_the_log_is_mended_too(path: Path) -> None:
    late = {key(number): "late" for number in range(N, N + 5)}
    with Journal(path) as journal:
        journal.add(late)
        # Nothing is closed: the answers lie in the log alone.
        copies = {one.name: one.read_bytes() for one in path.parent.iterdir()}
    for name, data in copies.items():
        (path.parent / name).write_bytes(data)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0
    mended = mend(path)
    assert mended is not None
    assert mended.kept == N + 5
    assert found(path) == ANSWERS


@pytest.mark.attack(
    "a journal mended while another process writes it",
    outcome="refused",
    against="answers",
)
def test_a_journal_that_another_process_uses_is_not_mended_under_it(path: Path) -> None:
    program = "import sys, pathlib; from otherminds.running import journal_mending as m; "
    program += "m.mend(pathlib.Path(sys.argv[1]))"
    with Journal(path) as journal:
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
        )
        assert "Another process uses the journal" in done.stderr
        journal.add({key(N): "paid for"})
    with Journal(path) as journal:
        assert journal.find([key(N)]) == {key(N): "paid for"}
    assert mend(path) is not None


@pytest.mark.attack(
    "a stored answer nested without end",
    outcome="one error; `--mend-journal` keeps what is sound",
    against="answers",
)
def test_an_answer_without_a_digest_that_is_nested_without_end_is_damage(path: Path) -> None:
    change(path, "UPDATE answers SET digest = NULL, answer = ? WHERE key = ?", "[" * 10**5, KEYS[0])
    with pytest.raises(OtherMindsError, match="an answer in it is no JSON"):
        found(path)
    mended = mend(path)
    assert mended is not None
    assert (mended.kept, mended.changed) == (N - 1, 1)


def test_there_is_nothing_to_mend_where_no_journal_is(tmp_path: Path) -> None:
    assert mend(tmp_path / "journal.sqlite") is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.attack(
    "any bytes of a journal changed",
    outcome="no other answer comes out",
    against="answers",
)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(place=st.floats(0, 1, exclude_max=True), data=st.binary(min_size=1, max_size=64))
def test_no_bytes_on_disk_make_another_answer(
    sound: bytes, tmp_path: Path, place: float, data: bytes
) -> None:
    path = tmp_path / "any.sqlite"
    for left in tmp_path.glob("any.sqlite*"):
        left.unlink()
    start = int(place * (len(sound) - len(data)))
    path.write_bytes(sound[:start] + data + sound[start + len(data) :])
    try:
        answers = found(path)
    except OtherMindsError:
        mended = mend(path)
        assert mended is not None
        answers = found(path)
    assert answers.items() <= ANSWERS.items()


@pytest.mark.attack(
    "a stored answer changed, exchanged or cut; a page or half of the file lost",
    outcome="one error; `--mend-journal` keeps what is sound",
    against="answers",
)
def test_a_run_stops_at_a_changed_answer_and_goes_on_with_the_others(
    command: Command, twelve_people: Path, tmp_path: Path
) -> None:
    words = ("otherminds", "run", "hugagent_bsi_synthetic", "--model", "dummy", "--limit", "6")
    words = (*words, "--metadata", f"data_source={twelve_people}")
    command(*words, cwd=tmp_path)
    [path] = tmp_path.rglob("journal.sqlite")
    change(
        path,
        "UPDATE answers SET answer = '\"A\"' WHERE key = (SELECT min(key) FROM answers)",
    )
    refused = command(*words, cwd=tmp_path, code=1).stderr
    assert "an answer in it is not the one that was written" in refused
    assert "Traceback" not in refused
    done = command(*words, "--mend-journal", cwd=tmp_path)
    assert "keeps 5 sound answers; 1 had changed on disk" in " ".join(done.stderr.split())
    assert "Requests asked: 1; taken from the journal: 5." in " ".join(done.stdout.split())
