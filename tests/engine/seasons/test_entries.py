"""Entries of an open season: what is accepted, what is refused, and on which day they were received."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.board.reading import accepted
from otherminds.leaderboard.hub import Board
from otherminds.leaderboard.judging.held import Seasons
from otherminds.leaderboard.judging.verify import Outcome, verify
from otherminds.leaderboard.records import answers, intake
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.record import ANSWERS, RECORD, VERIFICATION, Verification
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.seasons.checking import check
from otherminds.leaderboard.sending.build import build
from otherminds.leaderboard.sending.submit import submit, verify_pull_request
from tests.engine.seasons.conftest import CLOSES, OPENED, Made, copied, told
from tests.minihub import MiniHub
from tests.minihub.boards import empty_board

TASK = "debate_both_synthetic"
DAY = timedelta(days=1)


@pytest.fixture
def entry(debate: Made) -> Path:
    """An entry that was not accepted yet, in a season without others."""
    first, second = debate.entries
    (first / VERIFICATION).unlink()
    second.rename(debate.root / second.name)
    return first


def verified(entry: Path, made: Made, day: date | None = OPENED) -> Outcome:
    """What verifying an entry finds that was received on a day."""
    return verify(entry, submissions=entry.parent, seasons=Seasons([made.folder], day))


def codes(outcome: Outcome) -> list[str]:
    """Why an entry is refused; one task's reason may be another's too."""
    return sorted({reason.code for reason in outcome.reasons})


def test_an_entry_is_accepted_while_the_season_is_open(entry: Path, debate: Made) -> None:
    for day in (OPENED, CLOSES):
        outcome = verified(entry, debate, day)
        assert (outcome.level, outcome.reasons, outcome.recomputed) == ("sealed", [], {})


@pytest.mark.attack(
    "an entry before the season opens, after its last day, or of no known day",
    outcome="refused: `season-not-open`, `season-day-unknown`",
    against="seasons",
)
@pytest.mark.parametrize("day", [OPENED - DAY, CLOSES + DAY])
def test_an_entry_counts_by_the_day_on_which_it_was_received(
    day: date, entry: Path, debate: Made
) -> None:
    # The record says that it was made on the day of opening: that is never looked at.
    assert codes(verified(entry, debate, day)) == ["season-not-open"]


@pytest.mark.attack(
    "an entry before the season opens, after its last day, or of no known day",
    outcome="refused: `season-not-open`, `season-day-unknown`",
    against="seasons",
)
def test_an_entry_counts_only_if_its_day_is_known(entry: Path, debate: Made) -> None:
    assert codes(verified(entry, debate, None)) == ["season-day-unknown"]


@pytest.mark.attack(
    "an entry once the golds are known",
    outcome="refused: `season-closed`",
    against="seasons",
)
def test_no_entry_is_taken_after_closing(closed: Made) -> None:
    entry = closed.entries[0]
    (entry / VERIFICATION).unlink()
    # Nor one that was received in time: the results are written, and would not list it.
    for day in (CLOSES, CLOSES + DAY):
        assert codes(verified(entry, closed, day)) == ["season-closed"]


@pytest.mark.attack(
    "an entry of a season that the verifier does not know",
    outcome="refused: `season-unknown`; a pass leaves it for one that does",
    against="seasons",
)
def test_an_entry_of_an_unknown_season(entry: Path, debate: Made) -> None:
    assert codes(verify(entry)) == ["season-unknown"]
    assert codes(verify(entry, seasons=Seasons([], OPENED))) == ["season-unknown"]


def test_folders_must_be_those_of_seasons(debate: Made) -> None:
    with pytest.raises(OtherMindsError, match=r"holds no season: cannot read season\.yaml"):
        Seasons([debate.folder, debate.root / "typo"], OPENED)
    with pytest.raises(OtherMindsError, match="are both season winter: name one"):
        Seasons([debate.folder, debate.folder], OPENED)


@pytest.mark.attack(
    "a second entry of the same model",
    outcome="refused: `season-entry-twice`",
    against="seasons",
)
def test_one_entry_counts_for_each_submitter_and_model(debate: Made) -> None:
    other = build(
        [debate.results / "random-1"],
        told("tests/random-0"),
        debate.submissions,
        season=debate.folder,
    )
    assert codes(verified(other, debate)) == ["season-entry-twice"]


@pytest.mark.attack(
    "another entry's answers, the same or nearly",
    outcome="refused: `duplicate-answers`; held: `near-duplicate`",
    against="seasons",
)
def test_the_same_answers_under_another_name(debate: Made) -> None:
    other = build(
        [debate.results / "random-1"],
        told("tests/new", "bob"),
        debate.submissions,
        season=debate.folder,
    )
    assert codes(verified(other, debate)) == ["duplicate-answers"]


Change = Callable[[dict[str, Any]], object]


@pytest.mark.attack(
    "claimed scores, or other data, prompts, counts or ids than the season's",
    outcome="refused: `record-invalid`, `content-hash`, `prompt-hash`, `n-items`",
    against="seasons",
)
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda one: one.update(season=None), "record-invalid"),
        (lambda one: one.update(season="Winter"), "name-unsafe"),
        (lambda one: one.update(season="../winter"), "name-unsafe"),
        (lambda one: one.update(season="summer"), "season-unknown"),
        (lambda one: one["tasks"].pop(), "unexpected-file"),
        (lambda one: one["tasks"][0].update(data_version="1.0"), "data-version"),
        (lambda one: one["tasks"][0].update(content_hash={"beliefs": "0" * 64}), "content-hash"),
        (lambda one: one["tasks"][0].update(prompt_sha256="0" * 64), "prompt-hash"),
        (lambda one: one["tasks"][0].update(n_items=1), "n-items"),
        (lambda one: one["tasks"][0].update(subset=100), "subset-unknown"),
        (
            lambda one: one["tasks"][0].update(
                metrics={
                    "acc": {
                        **dict.fromkeys(("stderr", "low", "high")),
                        **{"value": 1.0, "n": 1.0, "n_clusters": 1},
                    }
                }
            ),
            "record-invalid",
        ),
    ],
)
def test_records_that_are_refused(change: Change, code: str, entry: Path, debate: Made) -> None:
    found = json.loads((entry / RECORD).read_bytes())
    change(found)
    (entry / RECORD).write_text(json.dumps(found), encoding="utf-8")
    assert codes(verified(entry, debate)) == [code]


@pytest.mark.attack(
    "some tasks or documents left out, answered twice, or not of the season",
    outcome="refused: `coverage`, `row-duplicate`, `season-task`",
    against="seasons",
)
def test_all_tasks_of_the_season_must_be_answered(entry: Path, debate: Made) -> None:
    found = json.loads((entry / RECORD).read_bytes())
    dropped = found["tasks"].pop()
    (entry / dropped["answers"]).unlink()
    (entry / RECORD).write_text(json.dumps(found), encoding="utf-8")
    assert codes(verified(entry, debate)) == ["coverage"]


@pytest.mark.attack(
    "answers that state which are right, or to other documents",
    outcome="refused: `column-not-allowed`, `doc-hash`, `item-unknown`",
    against="seasons",
)
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"correct": True}, "column-not-allowed"),
        ({"doc_hash": "0" * 64}, "doc-hash"),
        ({"doc_hash": None}, "doc-hash"),
        ({"item_id": "other"}, "item-unknown"),
        ({"parsed": "perhaps", "raw": "perhaps"}, "answer-invalid"),
        ({"raw": "nothing"}, "raw-mismatch"),
    ],
)
def test_answers_that_are_refused(
    change: dict[str, Any], code: str, entry: Path, debate: Made
) -> None:
    _rewrite(entry, lambda rows: [rows[0]._replace(**change), *rows[1:]])
    assert codes(verified(entry, debate)) == [code]


@pytest.mark.attack(
    "some tasks or documents left out, answered twice, or not of the season",
    outcome="refused: `coverage`, `row-duplicate`, `season-task`",
    against="seasons",
)
def test_answers_must_be_there_once_for_each_document(entry: Path, debate: Made) -> None:
    path = entry / ANSWERS / f"{TASK}.parquet"
    rows = answers.read(path)
    _rewrite(entry, lambda _: rows[:-1])
    assert codes(verified(entry, debate)) == ["coverage"]
    _rewrite(entry, lambda _: [*rows[:-1], rows[0]])
    assert codes(verified(entry, debate)) == ["row-duplicate"]


def _rewrite(entry: Path, change: Callable[[list[Row]], list[Row]]) -> None:
    path = entry / ANSWERS / f"{TASK}.parquet"
    rows = change(answers.read(path))
    answers.write(path, rows)
    found = json.loads((entry / RECORD).read_bytes())
    run = next(one for one in found["tasks"] if one["task"] == TASK)
    run["answers_sha256"] = answers.digest(rows)
    (entry / RECORD).write_text(json.dumps(found), encoding="utf-8")


def _as_copy(debate: Made, *, repeats: int) -> Path:
    """Bob's entry, which was Alice's first: one answer is another, or its first run is random."""
    theirs, ours = debate.entries
    (ours / VERIFICATION).unlink()
    found = json.loads((ours / RECORD).read_bytes())
    found.update(submitter="bob", model={**found["model"], "name": "bob/best"})
    for run in found["tasks"]:
        rows = answers.read(theirs / run["answers"])
        if run["task"] == TASK and repeats == 2:
            copied_rows = [row._replace(run=1) for row in rows]
            rows = [*answers.read(ours / run["answers"]), *copied_rows]
            run["repeats"] = 2
        elif run["task"] == TASK:
            turned = {"agree": "disagree", "disagree": "agree"}[str(rows[0].parsed)]
            rows[0] = rows[0]._replace(parsed=turned, raw=turned)
        else:
            rows = answers.read(ours / run["answers"])
        answers.write(ours / run["answers"], rows)
        run["answers_sha256"] = answers.digest(rows)
    written = json.dumps(found).encode()
    (ours / RECORD).write_bytes(written)
    return ours.rename(ours.with_name(intake.id_of("bob/best", written)))


@pytest.mark.attack(
    "another entry's answers, the same or nearly",
    outcome="refused: `duplicate-answers`; held: `near-duplicate`",
    against="seasons",
)
@pytest.mark.parametrize("repeats", [1, 2])
def test_copied_answers_are_flagged(repeats: int, debate: Made) -> None:
    entry = _as_copy(debate, repeats=repeats)
    outcome = verified(entry, debate)
    assert outcome.level == "sealed"
    [flag] = [one for one in outcome.flags if one.code == "near-duplicate"]
    [theirs] = (one for one in debate.entries if one != entry)
    assert f"tests/random-0 in {theirs.name} by alice" in flag.detail


@pytest.mark.attack(
    "another entry's answers, the same or nearly",
    outcome="refused: `duplicate-answers`; held: `near-duplicate`",
    against="seasons",
)
def test_copied_answers_are_flagged_once_more_when_the_season_closes(debate: Made) -> None:
    entry = _as_copy(debate, repeats=1)
    unflagged = Verification(level="sealed", checked=OPENED)
    (entry / VERIFICATION).write_text(unflagged.model_dump_json(), encoding="utf-8")
    # Both are flagged: which of them copied, nobody can tell by answers.
    for one in debate.close().entries:
        assert [flag.code for flag in one.verification.flags] == ["near-duplicate"]
    debate.change("results.json", lambda told: told["entries"][0]["verification"].update(flags=[]))
    [fault] = check(debate.folder, submissions=debate.submissions)
    assert fault.how == "its flags are ['near-duplicate'], and [] are stated"


@pytest.mark.attack(
    "one answer to everything",
    outcome="shown with `constant-answers`",
    against="seasons",
)
def test_the_same_answer_to_everything_is_flagged(entry: Path, debate: Made) -> None:
    _rewrite(entry, lambda rows: [row._replace(parsed="agree", raw="agree") for row in rows])
    outcome = verified(entry, debate)
    assert [flag.code for flag in outcome.flags] == ["constant-answers"]


def test_other_prompts_are_not_submitted(debate: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("otherminds.leaderboard.judging.held.Held.asks", lambda *told: False)
    with pytest.raises(OtherMindsError, match="was asked with another prompt"):
        build([debate.results / "random-0"], told("a"), debate.root, season=debate.folder)


@pytest.mark.attack(
    "some tasks or documents left out, answered twice, or not of the season",
    outcome="refused: `coverage`, `row-duplicate`, `season-task`",
    against="seasons",
)
def test_runs_on_other_data_are_no_entry(
    debate: Made, all_made: Callable[[str], Made], tmp_path: Path
) -> None:
    """Of a season in which another task is played."""
    other = copied(all_made("debate-beliefs-synthetic"), tmp_path / "other")
    season = record.read(other.folder).model_copy(
        update={"id": "summer", "tasks": ["debate_blind_synthetic"]}
    )
    record.write(other.folder, season)
    with pytest.raises(OtherMindsError, match=r"season-task"):
        build([debate.results / "random-0"], told("a"), debate.root, season=other.folder)


def test_entries_of_seasons_are_not_on_the_open_board(debate: Made) -> None:
    said: list[str] = []
    assert list(accepted(debate.submissions, [TASK], say=said.append)) == []
    assert said == []


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    """A Hub with an empty board, that this process is logged in to as Alice, who may not write."""
    with empty_board(monkeypatch, tmp_path / "home") as running:
        yield running


@pytest.mark.attack(
    "a pull request that comes after the last day",
    outcome="refused: `season-not-open`, by the day that the Hub states",
    against="seasons",
)
def test_an_entry_is_a_pull_request_whose_day_the_hub_states(
    local: MiniHub, debate: Made, tmp_path: Path
) -> None:
    today = datetime.now(UTC).date()
    season = debate.season.model_copy(update={"opened": today - DAY, "closes": today + DAY})
    record.write(debate.folder, season)
    said: list[str] = []
    sender = replace(told("tests/random-0"), date=today)
    done = submit(
        [debate.results / "random-0"], sender, out=tmp_path, season=debate.folder, say=said.append
    )
    assert said[0] == "Accepted: sealed"
    assert done.url is not None
    assert Board.open().received(1) in (today, today + DAY)
    assert verify_pull_request(1, seasons=[debate.folder]).level == "sealed"
    assert codes(verify_pull_request(1)) == ["season-unknown"]

    over = season.model_copy(update={"opened": OPENED, "closes": CLOSES})
    record.write(debate.folder, over)
    assert codes(verify_pull_request(1, seasons=[debate.folder])) == ["season-not-open"]
    with pytest.raises(OtherMindsError, match="Cannot find when pull request 7"):
        verify_pull_request(7, seasons=[debate.folder])
