"""Hostile and broken submissions: each is refused, for the reason that it is refused for."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from otherminds.leaderboard.judging.verify import verify
from otherminds.leaderboard.records import answers, answers_reader, limits
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.reasons import FLAGS, REASONS, RefusedError, finding
from tests.engine.leaderboard.conftest import TASK, Forged
from tests.engine.leaderboard.hostile_cases import (
    CASES,
    LARGE_DICTIONARY,
    SCRIPT,
    TURNED_ROUND,
    better_answers,
    placed,
    record,
    repeated,
    table,
)


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_submission_is_refused_for_its_reason(name: str, forged: Forged) -> None:
    code, change = CASES[name]
    made = change(forged)
    folder = made if isinstance(made, Path) else forged.folder
    outcome = verify(folder)
    assert [one.code for one in outcome.reasons] == [code], outcome.reasons
    assert outcome.level is None
    assert not outcome.is_accepted
    said = outcome.as_json()
    assert "<" not in said
    assert said.isascii()


@pytest.mark.attack(
    "a folder that is not there",
    outcome="refused: `folder-missing`",
    against="submissions",
)
def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert [one.code for one in verify(tmp_path / "nothing").reasons] == ["folder-missing"]


@pytest.mark.attack(
    "answers to a task that is unknown, judged, made in stages, or on other data",
    outcome="refused: `task-unknown`, `task-unsupported`, `dataset-mismatch`",
    against="submissions",
)
@pytest.mark.parametrize(
    ("task", "code"),
    [
        ("no_such_task", "task-unknown"),
        ("debate", "task-unknown"),  # a group
        ("hugagent_bsi", "dataset-mismatch"),  # on data that are not at hand
        ("synchtom_vanilla_judge", "task-unsupported"),
        ("hugagent_reflections_synthetic", "task-unsupported"),
    ],
)
def test_tasks_that_cannot_be_scored_again_are_refused(
    forged: Forged, task: str, code: str
) -> None:
    forged.answers.rename(forged.answers.with_name(f"{task}.parquet"))
    forged.task(task=task, answers=f"answers/{task}.parquet")
    assert [one.code for one in verify(forged.folder).reasons] == [code]


@pytest.mark.attack(
    "a Parquet file of some kB that unpacks to 1.6 GB",
    outcome="refused: `parquet-too-costly`, in bounded memory",
    against="submissions",
)
def test_a_parquet_bomb_is_refused_in_bounded_memory(
    forged: Forged, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One text of 4 MB that a dictionary repeats for 390 rows: 1.6 GB from a file of some kB.
    monkeypatch.setitem(answers.LIMITS, "reader_memory", 1024 * limits.MIB)
    table(repeated("a" * 4 * limits.MIB), store_schema=False, **LARGE_DICTIONARY)(forged)
    assert forged.answers.stat().st_size < limits.MIB
    assert [one.code for one in verify(forged.folder).reasons] == ["parquet-too-costly"]


@pytest.mark.attack(
    "a file that its reader never finishes, or crashes on",
    outcome="refused: `parquet-too-costly`; the reader is a process of its own",
    against="submissions",
)
def test_a_reader_that_does_not_end_is_ended(
    forged: Forged, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A reader without limits of its own stands for one that a file has brought to hang.
    endless = tmp_path / "endless.py"
    endless.write_text("import threading\nthreading.Event().wait()\n")
    monkeypatch.setattr(answers_reader, "__file__", str(endless))
    monkeypatch.setattr(limits, "READER_SECONDS", 0.2)
    assert [one.code for one in verify(forged.folder).reasons] == ["parquet-too-costly"]


@pytest.mark.attack(
    "a file that takes its reader over",
    outcome="the reader's environment has no token",
    against="submissions",
)
def test_a_reader_is_told_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # In the reader's place, one that says what its environment is.
    telling = tmp_path / "telling.py"
    telling.write_text(
        "import json, os\n"
        "print(json.dumps({'reason': 'parquet-invalid', 'detail': ' '.join(os.environ)}))\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(answers_reader, "__file__", str(telling))
    for name in ("HF_TOKEN", "HF_HOME", "HOME", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "secret")
    with pytest.raises(RefusedError) as caught:
        answers.read(tmp_path / "x.parquet")
    told = set(caught.value.finding.detail.split())
    assert "PATH" in told
    assert not told & {"HF_TOKEN", "HF_HOME", "HOME", "OPENAI_API_KEY"}


@pytest.mark.attack(
    "a file that its reader never finishes, or crashes on",
    outcome="refused: `parquet-too-costly`; the reader is a process of its own",
    against="submissions",
)
def test_a_reader_that_crashes_refuses_the_file(
    forged: Forged, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    crashing = tmp_path / "crashing.py"
    crashing.write_text("import os\nos.abort()\n")
    monkeypatch.setattr(answers_reader, "__file__", str(crashing))
    assert [one.code for one in verify(forged.folder).reasons] == ["parquet-too-costly"]


@pytest.mark.attack(
    "an accepted submission's answers under another name",
    outcome="refused: `duplicate-answers`",
    against="board",
)
def test_a_duplicate_under_another_name_is_refused(forged: Forged, tmp_path: Path) -> None:
    record("model", "name", value="tests/other")(forged)
    copied = forged.named()
    earlier = copied.parent
    original = tmp_path / "original"
    # Among its own kind it is no duplicate of itself.
    assert verify(copied, submissions=earlier).is_accepted
    original.mkdir()
    (original / "tests-random").mkdir()
    (original / "tests-random" / "record.json").write_bytes((copied / "record.json").read_bytes())
    outcome = verify(copied, submissions=original)
    assert [one.code for one in outcome.reasons] == ["duplicate-answers"]


def as_scored(forged: Forged, change: Callable[[Sequence[Row]], list[Row]]) -> list[str]:
    """The flags of other answers, with the scores that belong to them."""
    outcome = verify(forged.answered(change))
    assert outcome.is_accepted, outcome.reasons
    return [one.code for one in outcome.flags]


@pytest.mark.attack(
    "the id of somebody else's submission",
    outcome="refused: `id-mismatch`; the right id is named",
    against="submissions",
)
def test_an_id_that_is_not_the_records_is_refused_and_the_right_one_is_named(
    forged: Forged,
) -> None:
    # Somebody who takes the id of another's submission, which waits, would keep it from the board.
    record("declarations", "notes", value="Mine.")(forged)
    [reason] = verify(forged.folder).reasons
    assert reason.code == "id-mismatch"
    before = forged.folder.name
    assert forged.named().name in reason.detail
    assert forged.folder.name != before
    assert verify(forged.folder).is_accepted
    # On main there are ids of before.
    forged.folder = forged.folder.rename(forged.folder.with_name("old-id"))
    assert verify(forged.folder, is_merged=True).is_accepted


@pytest.mark.attack(
    "the golds sent as answers, or with a few wrong among them",
    outcome="held: `gold-perfect`, `above-known-ceiling`",
    against="board",
)
def test_gold_perfect_answers_are_flagged(forged: Forged) -> None:
    assert as_scored(forged, better_answers) == ["gold-perfect", "above-known-ceiling"]


def test_answers_forged_from_open_golds_raise_no_flag(forged: Forged) -> None:
    # A limit, and told as one: nothing in such answers tells them from those of a good model.
    from otherminds.leaderboard.judging.expected import expected

    known = expected(TASK, 50).documents
    wrong = set(random.Random(7).sample(sorted(known), len(known) // 10))
    turned = {"A": "B", "B": "A"}

    def forge(found: Sequence[Row]) -> list[Row]:
        made = []
        for row in found:
            gold = str(known[row.item_id].view.gold)
            answer = turned[gold] if row.item_id in wrong else gold
            made.append(row._replace(parsed=answer, raw=answer, correct=answer == gold))
        return made

    assert as_scored(forged, forge) == []
    score = forged.read()["tasks"][0]["metrics"]["bsi_acc"]["value"]
    assert score == pytest.approx(0.9, abs=0.005)


@pytest.mark.attack(
    "one answer to everything",
    outcome="shown with `constant-answers`",
    against="board",
)
def test_constant_answers_are_flagged_and_no_duplicates(forged: Forged) -> None:
    from otherminds.leaderboard.judging.expected import expected

    known = expected(TASK, 50).documents

    def always(found: Sequence[Row]) -> list[Row]:
        return [
            row._replace(parsed="A", raw="A", correct=known[row.item_id].view.gold == "A")
            for row in found
        ]

    assert as_scored(forged, always) == ["constant-answers"]
    other = Forged(forged.folder.with_name("other-1"))
    other.folder.mkdir()
    (other.folder / "record.json").write_bytes((forged.folder / "record.json").read_bytes())
    assert verify(forged.folder, submissions=forged.folder.parent).is_accepted


@pytest.mark.attack(
    "replies left out, so that nobody can read them",
    outcome="shown with `no-raw-answers`",
    against="board",
)
def test_answers_without_texts_are_accepted_and_flagged(forged: Forged) -> None:
    def silent(found: Sequence[Row]) -> list[Row]:
        return [row._replace(raw=None) for row in found]

    assert as_scored(forged, silent) == ["no-raw-answers"]


@pytest.mark.attack(
    "a name that reads like an earlier model's",
    outcome="held: `look-alike-name`",
    against="board",
)
@pytest.mark.attack(
    "a model that is declared to be fitted to the data",
    outcome="shown with `trained-on-data`, without a rank",
    against="board",
)
def test_declarations_and_names_are_flagged(forged: Forged) -> None:
    record("declarations", "trained_on_data", value=True)(forged)
    other = forged.folder.with_name("other-1")
    other.mkdir()
    (other / "record.json").write_bytes((forged.folder / "record.json").read_bytes())
    Forged(other).record(
        lambda found: (
            found["model"].update(name="tests/rand0m"),
            found["tasks"][0].update(answers_sha256="0" * 64),
        )
    )
    flagged = verify(forged.folder, submissions=forged.folder.parent).flags
    assert [one.code for one in flagged] == ["look-alike-name", "trained-on-data"]


def test_an_accepted_submission_may_hold_its_verification(forged: Forged) -> None:
    placed("verification.json")(forged)
    assert verify(forged.folder, is_merged=True).is_accepted


@pytest.mark.attack(
    "hostile text where a reason quotes it",
    outcome="at most 500 printable ASCII characters without HTML",
    against="submissions",
)
def test_every_reason_is_known_and_details_are_harmless() -> None:
    assert {code for code, _ in CASES.values()} <= REASONS.keys()
    assert not REASONS.keys() & FLAGS.keys()
    shown = finding("item-unknown", f"{SCRIPT}\x1b[2J{TURNED_ROUND}" * 100).detail
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= 500
    assert not set("<>&") & set(shown)
    with pytest.raises(KeyError):
        finding("no-such-code", "")
