"""What becomes of accepted scores when a task, its data or its rules change."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from otherminds import manifest
from otherminds.leaderboard.board import accepted, items
from otherminds.leaderboard.judging import expected as expecting
from otherminds.leaderboard.judging import rescore, verify
from otherminds.leaderboard.judging.expected import Expected, UnavailableError, expected
from otherminds.leaderboard.operating import regrade as regrading
from otherminds.leaderboard.operating.regrade import Regraded, regrade
from otherminds.leaderboard.records import answers, verifications
from otherminds.leaderboard.records.reasons import finding
from otherminds.leaderboard.records.record import Verification
from otherminds.samples.read import rules_of
from tests.engine.leaderboard.conftest import TASK, TOLD, Forged

_RULES = rules_of(TASK)
assert _RULES is not None
VERSION, NEWER = _RULES.version, "9.0"
DATA = manifest.load(_RULES.dataset).version


@pytest.fixture
def merged(forged: Forged) -> Forged:
    """An accepted submission, re-scored, with a flag of its own."""
    outcome = verify.verify(forged.folder)
    found = outcome.verification(TOLD.date)
    flag = finding("no-raw-answers", TASK)
    verifications.write(forged.folder, found.model_copy(update={"flags": [flag]}))
    return forged


def silent(text: str) -> None:
    raise AssertionError(text)


def done(forged: Forged) -> tuple[list[Regraded], Verification]:
    changed = regrade(forged.folder.parent, say=silent)
    return changed, verifications.read(forged.folder)


Install = Callable[[Expected], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Another version of the task, as if it were installed."""

    def change(known: Expected) -> None:
        monkeypatch.setattr(regrading, "check_supported", lambda task: known.rules)
        monkeypatch.setattr(regrading, "expected", lambda task, subset: known)
        monkeypatch.setattr(items, "expected", lambda *_: known)
        items.asked.cache_clear()

    yield change
    items.asked.cache_clear()


def newer(known: Expected, version: str = NEWER) -> Expected:
    return dataclasses.replace(known, rules=known.rules._replace(version=version))


def lenient(known: Expected) -> Expected:
    """Rules by which other answers are right: each gold is the next option."""
    documents = {}
    for item, document in known.documents.items():
        options = list(document.answers)
        gold = options[(options.index(document.view.gold) + 1) % len(options)]
        scored: Any = document.record
        record = dataclasses.replace(scored, item=scored.item._replace(gold=document.answers[gold]))
        documents[item] = dataclasses.replace(document, record=record)
    return dataclasses.replace(newer(known), documents=documents)


def test_nothing_has_changed(merged: Forged) -> None:
    before = (merged.folder / "verification.json").read_bytes()
    assert done(merged)[0] == []
    assert (merged.folder / "verification.json").read_bytes() == before


def test_other_scoring_of_the_same_answers(merged: Forged, install: Install) -> None:
    before = verifications.read(merged.folder)
    install(newer(expected(TASK, 50)))
    changed, after = done(merged)
    assert [(one.submission, one.task, one.action) for one in changed] == [
        (merged.folder.name, TASK, "rescored")
    ]
    # These rules are only called others, and so give what the old ones gave.
    assert after.recomputed == before.recomputed
    assert after.task_versions == {TASK: NEWER}
    [old] = after.superseded
    assert (old.task_version, old.metrics) == (VERSION, before.recomputed[TASK])
    assert (after.flags, after.level) == (before.flags, before.level)
    assert done(merged) == ([], after)
    # A board compares it with submissions of the new version.
    [entry] = accepted(merged.folder.parent, {TASK}, say=silent)
    assert TASK in entry.answers


@pytest.mark.attack(
    "answers to prompts or data that have changed since",
    outcome="shown with `not-comparable`, without a rank",
    against="board",
)
def test_other_prompts_or_data(merged: Forged, install: Install) -> None:
    known = expected(TASK, 50)
    install(dataclasses.replace(newer(known), prompts="0" * 64))
    changed, after = done(merged)
    assert [one.action for one in changed] == ["not-comparable"]
    assert [flag.code for flag in after.flags] == ["no-raw-answers", "not-comparable"]
    assert (
        after.not_comparable(TASK)
        == f"version {VERSION} on data {DATA}, now {NEWER} on {DATA} (prompt-hash)"
    )
    assert done(merged) == ([], after)
    # Other changes are other versions to be told of, once.
    install(dataclasses.replace(newer(known, "9.1"), content_hash={"other": "a" * 64}))
    _, later = done(merged)
    assert [flag.code for flag in later.flags] == ["no-raw-answers", "not-comparable"]
    assert "9.1" in later.not_comparable(TASK)


def test_what_is_comparable_again_loses_its_flag(merged: Forged, install: Install) -> None:
    install(dataclasses.replace(newer(expected(TASK, 50)), prompts="0" * 64))
    done(merged)
    install(expected(TASK, 50))
    changed, after = done(merged)
    assert [one.action for one in changed] == ["comparable"]
    assert after.not_comparable(TASK) == ""


def claimed(merged: Forged) -> None:
    """As it was accepted where its data were not at hand."""
    flag = finding("data-unavailable", TASK)
    found = verifications.read(merged.folder)
    update = {"level": "self-reported", "recomputed": {}, "flags": [*found.flags, flag]}
    verifications.write(merged.folder, found.model_copy(update=update))


def test_claimed_scores_are_computed_once_the_data_are_at_hand(merged: Forged) -> None:
    before = verifications.read(merged.folder)
    claimed(merged)
    changed, after = done(merged)
    assert [(one.task, one.action) for one in changed] == [(TASK, "rescored")]
    assert after == before
    assert done(merged) == ([], after)


@pytest.mark.attack(
    "invented scores, to be raised later by `regrade` or `rerun`",
    outcome="not raised: `score-mismatch`",
    against="board",
)
def test_invented_claims_stay_claims(merged: Forged) -> None:
    claimed(merged)
    merged.record(lambda found: found["tasks"][0]["metrics"]["bsi_acc"].update(value=0.999))
    before = verifications.read(merged.folder)
    said: list[str] = []
    assert regrade(merged.folder.parent, say=said.append) == []
    assert [text.partition("claimed: ")[2].split(":")[0] for text in said] == ["score-mismatch"]
    assert verifications.read(merged.folder) == before


def test_claims_by_older_rules_are_no_scores_that_were_superseded(
    merged: Forged, install: Install
) -> None:
    recomputed = verifications.read(merged.folder).recomputed
    claimed(merged)
    install(newer(expected(TASK, 50)))
    _, after = done(merged)
    assert (after.level, after.recomputed, after.superseded) == ("re-scored", recomputed, [])
    assert after.task_versions == {TASK: NEWER}


def test_a_task_that_is_no_more(merged: Forged, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(task: str) -> None:
        raise expecting.RefusedError("task-unknown", task)

    monkeypatch.setattr(regrading, "check_supported", gone)
    _, after = done(merged)
    assert after.not_comparable(TASK) == f"version {VERSION} on data {DATA}; now task-unknown"


def test_without_the_data_nothing_is_changed(
    merged: Forged, install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(task: str, subset: int | None) -> None:
        raise UnavailableError("not here")

    install(newer(expected(TASK, 50)))
    monkeypatch.setattr(regrading, "expected", missing)
    said: list[str] = []
    before = verifications.read(merged.folder)
    assert regrade(merged.folder.parent, say=said.append) == []
    assert (len(said), verifications.read(merged.folder)) == (1, before)


def test_a_broken_submission_does_not_stop_the_others(merged: Forged) -> None:
    other = merged.folder.parent / "broken-0"
    other.mkdir()
    (other / "verification.json").write_text("{}")
    said: list[str] = []
    assert regrade(merged.folder.parent, say=said.append) == []
    assert [text.split(":")[0] for text in said] == ["broken-0 is left as it is"]


def test_verifications_of_before_are_read(tmp_path: Path) -> None:
    (tmp_path / "verification.json").write_text(
        '{"schema_version": "1", "level": "re-scored", "checked": "2026-01-02"}'
    )
    found = verifications.read(tmp_path)
    assert (found.task_versions, found.superseded, found.rerun) == ({}, [], None)


def test_answers_that_were_right_and_are_no_more_are_scored_anew(
    merged: Forged, install: Install
) -> None:
    # Without replies, which are scored by the document itself.
    merged.rows(lambda rows: [row._replace(raw=None) for row in rows])
    install(lenient(expected(TASK, 50)))
    before = verifications.read(merged.folder).recomputed[TASK]["bsi_acc"].value
    _, after = done(merged)
    assert after.recomputed[TASK]["bsi_acc"].value != before
    with pytest.raises(rescore.RefusedError, match="correct-mismatch"):
        rescore.rescore(answers.read(merged.answers), 1, lenient(expected(TASK, 50)))
