"""Sums in verifications: what they are, when a board takes them, and how false ones are noticed."""

from __future__ import annotations

import base64
import shutil
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.leaderboard.board import Entry, ItemScores, accepted, reading
from otherminds.leaderboard.board.entries import Reduced
from otherminds.leaderboard.board.reducing import of_right_answers, reduce
from otherminds.leaderboard.judging import rescore, sums, verify
from otherminds.leaderboard.judging.expected import expected
from otherminds.leaderboard.operating import late, space
from otherminds.leaderboard.records import answers, moderation, verifications, vouching
from otherminds.leaderboard.records.moderation import LOG, Decision
from otherminds.leaderboard.records.record import Sums, Verification
from tests.engine.leaderboard.conftest import TASK, Forged
from tests.engine.leaderboard.test_reading import run_of

DAY = date(2026, 11, 20)
N_PEOPLE = 50


@pytest.fixture(autouse=True)
def never_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which sums are drawn to be counted again is chance; each test says whether they are."""
    monkeypatch.setattr(reading.secrets, "randbelow", lambda most: 1)


@pytest.fixture
def stated(forged: Forged) -> Verification:
    """The verification of the honest submission, which lies beside its record."""
    found = verify.verify(forged.folder).verification(DAY)
    verifications.write(forged.folder, found)
    return found


def board(forged: Forged, *, vouched: bool = True) -> tuple[Entry, list[str]]:
    said: list[str] = []
    [entry] = accepted(forged.folder.parent, {TASK}, vouched=vouched, say=said.append)
    return entry, said


def change(forged: Forged, found: Verification, **changes: Any) -> Sums:
    """Change the sums beside the record."""
    own = found.sums[TASK].model_copy(update=changes)
    verifications.write(forged.folder, found.model_copy(update={"sums": {TASK: own}}))
    return own


def packed(numbers: Sequence[int]) -> str:
    return base64.b64encode(zlib.compress(np.array(numbers, "<u4").tobytes())).decode()


def unpacked(text: str) -> list[int]:
    return list(np.frombuffer(zlib.decompress(base64.b64decode(text)), "<u4").tolist())


def assert_same(one: Any, other: Any) -> None:
    assert isinstance(one, Reduced)
    assert isinstance(other, Reduced)
    assert one.layout == other.layout
    assert one.sums.tolist() == other.sums.tolist()
    assert one.counts.tolist() == other.counts.tolist()
    assert (one.mean, one.parts) == (other.mean, other.parts)


def unreadable(*_: object) -> Any:
    raise AssertionError("a file of answers was read")


# ---------------------------------------------------------------- what they are


def test_of_two_people_and_parts_by_hand() -> None:
    # Ann has two items in x (one right in both of 2 runs, one in one) and one in y (never right);
    # Bob has one in y, right in one run. Cells: x/Ann, y/Ann, y/Bob.
    own = sums.cells(("1", "2", "3", "4"), ("Ann", "Ann", "Bob", "Ann"), ("x", "x", "y", "y"))
    right = own.totals(np.array([2, 1, 1, 0]))
    assert right.tolist() == [3, 0, 1]
    found = of_right_answers(own, right, 2)
    assert found.sums.tolist() == [1.5, 0.5]
    assert found.counts.tolist() == [3, 1]
    # Mean 2/4; residuals 1.5 - 3/2 = 0 and 0.5 - 1/2 = 0, so no standard error.
    assert (found.mean.value, found.mean.stderr, found.mean.n) == (0.5, 0.0, 4)
    assert found.parts["x"].value == 0.75
    assert found.parts["y"].value == 0.25
    # Residuals ±1/4, so SE = sqrt(2/1 · 2/16) / 2.
    assert found.parts["y"].stderr == pytest.approx((2 * 2 / 16) ** 0.5 / 2)
    assert found.parts["x"].n_clusters == 1


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.integers(0, 3)), min_size=1
    ),
    st.sampled_from([1, 2, 3]),
)
def test_they_say_the_same_as_the_scores_of_the_items(
    drawn: list[tuple[str, str, int]], repeats: int
) -> None:
    items = tuple(f"i{number}" for number in range(len(drawn)))
    people, parts, counts = zip(*drawn, strict=True)
    right = np.minimum(np.array(counts), repeats)
    own = sums.cells(items, people, parts)
    found = of_right_answers(own, own.totals(right), repeats)
    of_items = reduce(ItemScores(items, people, parts, right / repeats))
    if repeats < 3:
        # Halves are exact, and so is all that is made of their sums.
        assert_same(found, of_items)
    assert found.layout == of_items.layout
    assert found.sums == pytest.approx(of_items.sums)
    assert found.mean.value == pytest.approx(of_items.mean.value)
    assert found.mean.stderr == pytest.approx(of_items.mean.stderr, nan_ok=True, abs=1e-9)
    assert found.parts.keys() == of_items.parts.keys()


def test_data_that_may_not_be_shown_have_none(forged: Forged) -> None:
    # From the sums of many models, whose answers are known, golds could be worked out.
    known = expected(TASK, N_PEOPLE)
    records = rescore.rescore(answers.read(forged.answers), 1, known).records
    run = run_of(forged)
    assert sums.of_records(records, run, known) is not None
    for hidden in ({"is_open": False}, {"in_season": True}, {"is_sealed": True}):
        assert sums.of_records(records, run, replace(known, **hidden)) is None


def test_a_verification_without_sums_is_written_as_it_always_was(
    forged: Forged, stated: Verification
) -> None:
    bare = stated.model_copy(update={"sums": {}})
    assert "sums" not in bare.model_dump(mode="json")
    assert Verification.model_validate_json(bare.model_dump_json()) == bare
    assert Verification.model_validate_json(stated.model_dump_json()) == stated


# ---------------------------------------------------------------- when they are taken


def test_a_board_of_sums_is_that_of_the_answers_and_reads_none(
    forged: Forged, stated: Verification, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, _ = board(forged, vouched=False)
    monkeypatch.setattr(answers, "table", unreadable)
    entry, said = board(forged)
    assert_same(entry.answers[TASK], again.answers[TASK])
    assert said == []


def test_without_a_log_sums_are_nobodys_word(forged: Forged, stated: Verification) -> None:
    true, _ = board(forged)
    own = unpacked(stated.sums[TASK].right)
    change(forged, stated, right=packed([0] * len(own)))
    entry, said = board(forged, vouched=False)
    assert_same(entry.answers[TASK], true.answers[TASK])
    assert said == []


def _other_right(change_of: Callable[[list[int]], list[int]]) -> Callable[[Sums], dict[str, str]]:
    return lambda own: {"right": packed(change_of(unpacked(own.right)))}


@pytest.mark.parametrize(
    "changes",
    [
        lambda own: {"answers_sha256": "0" * 64},
        lambda own: {"task_version": "0.9"},
        lambda own: {"layout": "0" * 64},
        _other_right(lambda counts: counts[1:]),
        _other_right(lambda counts: [*counts, 0]),
        # More right answers than there are items.
        _other_right(lambda counts: [1_000, *counts[1:]]),
        lambda own: {"right": "AAAA"},
        lambda own: {"right": "A"},
        # A few bytes that stand for a hundred megabytes.
        lambda own: {"right": base64.b64encode(zlib.compress(bytes(10**8), 9)).decode()},
    ],
)
def test_sums_of_other_answers_are_not_taken(
    forged: Forged, stated: Verification, changes: Callable[[Sums], dict[str, str]]
) -> None:
    true, _ = board(forged, vouched=False)
    change(forged, stated, **changes(stated.sums[TASK]))
    entry, said = board(forged)
    assert_same(entry.answers[TASK], true.answers[TASK])
    assert len(said) == 1
    assert said[0].startswith("The answers of 1 submission")


def test_verifications_of_before_still_count_and_are_told_of_once(
    forged: Forged, stated: Verification, look_alike: Path
) -> None:
    other = shutil.copytree(look_alike, forged.folder.with_name(look_alike.name))
    for folder in (forged.folder, other):
        verifications.write(folder, Verification(level="re-scored", checked=DAY))
    said: list[str] = []
    entries = list(accepted(forged.folder.parent, {TASK}, vouched=True, say=said.append))
    assert all(TASK in entry.answers for entry in entries)
    assert len(entries) == 2
    assert len(said) == 1
    assert said[0].startswith("The answers of 2 submissions were read again, such as those of ")


# ---------------------------------------------------------------- how false ones are noticed


@pytest.mark.attack(
    "false sums of right answers in a verification that the log vouches for",
    outcome="one error: `sums-mismatch`; one submission in 50 is counted again in each build",
    against="board",
)
def test_false_sums_that_the_log_vouches_for_are_noticed_when_they_are_counted_again(
    forged: Forged, stated: Verification, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = unpacked(stated.sums[TASK].right)
    # One right answer goes from one person to another, so that the score stays what it was.
    giver = next(place for place, count in enumerate(own) if count > 0)
    own[giver] -= 1
    own[next(place for place, count in enumerate(own) if count == 0)] += 1
    change(forged, stated, right=packed(own))
    assert TASK in board(forged)[0].answers
    monkeypatch.setattr(reading.secrets, "randbelow", lambda most: 0)
    entry, said = board(forged)
    assert entry.answers == {}
    assert len(said) == 1
    assert "sums-mismatch" in said[0]
    verifications.write(forged.folder, stated)
    assert board(forged)[1] == []


def test_a_page_takes_the_sums_of_files_that_the_log_vouches_for_alone(
    forged: Forged,
    stated: Verification,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submissions = forged.folder.parent
    asked: list[bool] = []

    def entries(folder: Path, tasks: Any, *, vouched: bool, say: Any) -> list[Entry]:
        asked.append(vouched)
        return list(accepted(folder, {TASK}, vouched=vouched, say=say))

    monkeypatch.setattr(space.page, "accepted", entries)
    space.build(submissions, tmp_path / "page", say=lambda _: None)
    line = Decision(
        date=DAY,
        submission=forged.folder.name,
        action="accepted",
        by="operator",
        files_sha256=vouching.digest(forged.folder),
    )
    (submissions.parent / LOG).write_bytes(moderation.appended(b"", [line]))
    monkeypatch.setattr(answers, "table", unreadable)
    space.build(submissions, tmp_path / "page", say=lambda _: None)
    change(forged, stated, right=packed([0] * len(unpacked(stated.sums[TASK].right))))
    said: list[str] = []
    space.build(submissions, tmp_path / "page", say=said.append)
    assert asked == [False, True, True]
    # The log vouches for other files: nothing of it is shown, and nothing read.
    assert said[0].startswith(f"{forged.folder.name} is left out: its files are not those")


def test_answers_that_are_scored_again_have_their_own_sums(
    forged: Forged, stated: Verification
) -> None:
    known, run = expected(TASK, N_PEOPLE), run_of(forged)
    old = stated.sums[TASK].model_copy(update={"task_version": "0.9"})
    before = stated.model_copy(update={"sums": {TASK: old, "others": old}})
    found = late.scored(forged.folder, run, known, as_claimed=True)
    after = found.in_place(before, TASK)
    assert after.sums == {TASK: stated.sums[TASK], "others": old}
    # Where there are none, the old ones must not stand beside new scores.
    assert found._replace(sums=None).in_place(before, TASK).sums == {"others": old}
