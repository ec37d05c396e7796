"""Copies with a few answers changed are flagged; honest models that differ are not."""

from __future__ import annotations

import csv
import dataclasses
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.harness import doc_hash
from otherminds.leaderboard.judging import earlier, verify
from otherminds.leaderboard.judging.expected import expected
from otherminds.leaderboard.judging.near import Coded, agreement, flags, likeness
from otherminds.leaderboard.records import answers, intake, verifications
from otherminds.leaderboard.records.doc_hashes import Hasher
from otherminds.leaderboard.records.record import Verification
from tests.engine.leaderboard.conftest import TASK, TOLD, Forged

N = 2_000


def answered(rng: np.random.Generator, gold: Any, accuracy: float, options: int) -> Any:
    """Right with a probability, else one of the other options."""
    wrong = (gold + rng.integers(1, options, len(gold))) % options
    return np.where(rng.random(len(gold)) < accuracy, gold, wrong)


def test_agreement_by_hand() -> None:
    # Stratum 0: four items, answered 0 0 1 1 and 0 0 1 0: e = 1/2·3/4 + 1/2·1/4 = 1/2. Stratum 1: two
    # items, 2 2 and 2 2: e = 1. So M = 3 + 2, E = 4/2 + 2 = 4, kappa = (5 - 4)/(6 - 4), and the variance
    # is 4·1/2·1/2 = 1.
    found = agreement(
        np.array([0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 0, 2, 2]), np.array([0, 0, 0, 0, 1, 1])
    )
    assert (found.n, found.same, found.by_chance) == (6, 5, 4.0)
    assert (found.kappa, found.omega) == (0.5, 1.0)


def test_constant_answers_tell_nothing() -> None:
    same = np.zeros(N, dtype=int)
    assert not agreement(same, same, same).is_improbable


@pytest.mark.parametrize("options", [2, 4])
@pytest.mark.parametrize("accuracy", [0.3, 0.6, 0.9, 0.95])
def test_a_copy_with_two_percent_changed_is_found(options: int, accuracy: float) -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(0, options, N)
    one = answered(rng, gold, accuracy, options)
    copy = one.copy()
    changed = rng.choice(N, N // 50, replace=False)
    copy[changed] = (copy[changed] + 1) % options
    assert agreement(one, copy, gold).is_improbable


@pytest.mark.parametrize("options", [2, 4])
@pytest.mark.parametrize("accuracy", [0.3, 0.6, 0.9, 0.99])
def test_independent_models_are_not(options: int, accuracy: float) -> None:
    rng = np.random.default_rng(2)
    gold = rng.integers(0, options, N)
    pair = [answered(rng, gold, accuracy, options) for _ in range(2)]
    assert not agreement(*pair, gold).is_improbable


def test_models_that_find_the_same_items_hard_and_like_one_letter_are_not() -> None:
    # Both fail on four fifths of one half of the items and on a tenth of the other, and answer those on
    # which they fail with the letter 0 seven times in ten.
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 4, N)
    hard = np.where(rng.random(N) < 0.5, 0.8, 0.1)

    def model() -> Any:
        liked = np.where(rng.random(N) < 0.7, 0, rng.integers(0, 4, N))
        return np.where(rng.random(N) < hard, liked, gold)

    assert not agreement(model(), model(), gold).is_improbable


@pytest.mark.attack(
    "an accepted submission's answers with some changed, in all runs or some",
    outcome="held: `near-duplicate`",
    against="board",
)
@pytest.mark.parametrize("copied", [[0, 1, 2, 3], [4]])
def test_a_copy_in_some_runs_is_found(copied: list[int]) -> None:
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 4, N)
    theirs = np.stack([answered(rng, gold, 0.7, 4) for _ in range(2)])
    ours = rng.integers(0, 4, (5, N))
    ours[copied] = theirs[1]
    found = likeness(ours, theirs, gold, None)
    assert found is not None
    assert (found.agreement.same, found.is_improbable, found.is_same) == (N, True, True)


@pytest.mark.attack(
    "an accepted submission's answers with some changed, in all runs or some",
    outcome="held: `near-duplicate`",
    against="board",
)
def test_a_copy_that_is_spread_over_the_runs_is_found_by_what_most_of_them_answer() -> None:
    # Each run has three of ten copied answers replaced, at other places.
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 4, N)
    theirs = answered(rng, gold, 0.7, 4)
    ours = np.where(rng.random((7, N)) < 0.3, rng.integers(0, 4, (7, N)), theirs)
    single = max(agreement(run, theirs, gold).kappa for run in ours)
    found = likeness(ours, theirs[None], gold, None)
    assert found is not None
    assert single < 0.75 < found.agreement.kappa


def test_runs_of_independent_models_are_not() -> None:
    rng = np.random.default_rng(6)
    gold = rng.integers(0, 4, N)
    pair = [np.stack([answered(rng, gold, 0.8, 4) for _ in range(5)]) for _ in range(2)]
    found = likeness(*pair, gold, gold)
    assert found is not None
    assert not found.is_improbable
    assert not found.is_same


def test_nothing_in_common_is_no_agreement() -> None:
    nobody, zeros = np.full((1, 3), -1), np.zeros(3, dtype=int)
    assert likeness(nobody, zeros[None], zeros, zeros) is None


def test_published_models_are_not(shared_data: Path) -> None:
    folder = shared_data / "hugagent"
    if not folder.is_dir():
        pytest.skip(f"No HugAgent data at {folder}.")

    def rows(name: str) -> list[dict[str, str]]:
        with (folder / name).open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    kinds = {
        row["item_id"]: (row["task"], row["scale_low"], row["gold"]) for row in rows("golds.csv")
    }
    answers_of = []
    for model in ("gpt-5.1", "claude-sonnet-4-5"):
        found = {row.pop("item_id"): list(row.values()) for row in rows(f"predictions/{model}.csv")}
        answers_of.append(list(zip(*(found[item] for item in kinds), strict=True)))
    every = {"": 0} | {
        text: code
        for code, text in enumerate(sorted({t for runs in answers_of for t in runs[0]} - {""}), 1)
    }
    for task in ("bsi", "bdu"):
        where = np.array([kind[0] == task for kind in kinds.values()])
        strata = np.unique(["".join(kind) for kind in kinds.values()], return_inverse=True)[1][
            where
        ]
        golds = np.array([every.get(kind[-1], -2) for kind in kinds.values()])[where]
        ours, theirs = (
            np.array([[every.get(text, 0) for text in run] for run in runs])[:, where]
            for runs in answers_of
        )
        found_like = likeness(ours, theirs, strata, golds)
        assert found_like is not None
        assert not found_like.is_improbable
        # Honest models share mistakes far beyond chance: p alone would flag them.
        assert found_like.errors is not None
        assert found_like.errors.p < 1e-9
        # One model asked again is what is looked for.
        again = likeness(theirs[:1], theirs[1:2], strata, golds)
        assert again is not None
        assert again.is_improbable


def accept(folder: Path) -> None:
    verifications.write(folder, Verification(level="re-scored", checked=TOLD.date))


def renamed(forged: Forged, name: str, share: float, *, id: str) -> Forged:
    """An accepted copy under another model's name, with a share of its answers changed."""
    other = Forged(Path(shutil.copytree(forged.folder, forged.folder.parent / id)))
    other.record(lambda found: found["model"].update(name=name))
    rng = np.random.default_rng(0)
    values = sorted({str(row.parsed) for row in answers.read(other.answers)})

    def change(rows: list[answers.Row]) -> list[answers.Row]:
        return [
            row._replace(parsed=str(rng.choice([v for v in values if v != row.parsed])), raw=None)
            if rng.random() < share
            else row
            for row in rows
        ]

    other.rows(change)
    accept(other.folder)
    return other


def flagged(forged: Forged) -> list[str]:
    outcome = verify.verify(forged.folder, submissions=forged.folder.parent)
    assert outcome.is_accepted, outcome.reasons
    return [one.detail for one in outcome.flags if one.code == "near-duplicate"]


@pytest.mark.attack(
    "an accepted submission's answers with some changed, in all runs or some",
    outcome="held: `near-duplicate`",
    against="board",
)
def test_an_earlier_submission_with_nearly_the_same_answers_is_flagged(forged: Forged) -> None:
    renamed(forged, "tests/copied", 0.02, id="copied-0")
    renamed(forged, "tests/other", 0.9, id="other-0")
    [detail] = flagged(forged)
    assert "tests/copied in copied-0 by alice" in detail


@pytest.mark.attack(
    "an accepted submission's answers with some changed, in all runs or some",
    outcome="held: `near-duplicate`",
    against="board",
)
@pytest.mark.parametrize(("n_changed", "is_flagged"), [(18, True), (None, False)])
def test_eighteen_changed_answers_of_a_good_model_are_flagged_and_another_model_is_not(
    forged: Forged, n_changed: int | None, is_flagged: bool
) -> None:
    golds = {item: one.view.gold for item, one in expected(TASK, 50).documents.items()}
    turned = {"A": "B", "B": "A"}

    def stated(row: answers.Row, answer: str) -> answers.Row:
        return row._replace(parsed=answer, raw=answer, correct=answer == golds[row.item_id])

    def good(rows: list[answers.Row], *, seed: int) -> list[answers.Row]:
        wrong = set(
            np.random.default_rng(seed).permutation(len(rows))[:33].tolist()
        )  # 0.915 of 390
        return [
            stated(row, turned[golds[row.item_id]] if place in wrong else golds[row.item_id])
            for place, row in enumerate(rows)
        ]

    def copied(rows: list[answers.Row]) -> list[answers.Row]:
        if n_changed is None:
            return good(rows, seed=2)
        # Places by which kappa is 0.74, under its limit.
        changed = set(np.random.default_rng(4).permutation(len(rows))[:n_changed].tolist())
        return [
            stated(row, turned[str(row.parsed)]) if place in changed else row
            for place, row in enumerate(rows)
        ]

    accept(forged.answered(lambda rows: good(rows, seed=1)))
    copy = Forged(Path(shutil.copytree(forged.folder, forged.folder.parent / "copy")))
    (copy.folder / "verification.json").unlink()
    copy.record(lambda found: found["model"].update(name="tests/copy"))
    copy.answered(copied)
    found = flagged(copy)
    assert bool(found) is is_flagged
    if found:
        assert "wrong answers are those of tests/random" in found[0]


def test_what_a_task_asks_is_found_once(forged: Forged, monkeypatch: pytest.MonkeyPatch) -> None:
    renamed(forged, "tests/copied", 0.02, id="copied-0")
    asked: list[str] = []

    def counted(task: str, subset: int | None) -> Any:
        asked.append(task)
        return expected(task, subset)

    monkeypatch.setattr("otherminds.leaderboard.judging.verify.expected", counted)
    assert len(flagged(forged)) == 1
    assert asked == [TASK]


def test_the_same_model_by_another_submitter_is_compared(forged: Forged) -> None:
    other = renamed(forged, TOLD.name, 0.02, id="same-0")
    other.record(lambda found: found.update(submitter="victim"))
    [detail] = flagged(forged)
    assert f"{TOLD.name} in same-0 by victim" in detail


def test_items_with_options_of_their_own_are_pooled_by_how_many_there_are() -> None:
    documents: dict[str, Any] = {}
    for place in range(40):
        # Thirty questions with texts of their own, the gold first or second; then a shared scale.
        texts = tuple(f"{place} {end}" for end in "abc") if place < 30 else (1, 2, 3)
        gold = str(texts[place % 2])
        view = SimpleNamespace(options=texts, gold=gold)
        known = {str(text): text for text in texts}
        documents[str(place)] = SimpleNamespace(answers=known, view=view)
    coded = Coded(documents, with_golds=True)
    # Pooled: three options by the place of the gold. The scale has five items of each gold: pooled too.
    assert len(set(coded.strata.tolist())) == 2
    assert coded.golds is not None
    assert set(coded.golds.tolist()) == {1, 2}
    many = Coded(
        {f"{n} {i}": one for n in range(2) for i, one in documents.items()}, with_golds=True
    )
    assert len(set(many.strata.tolist())) == 4
    sealed = Coded(documents, with_golds=False)
    assert sealed.golds is None
    # The ten items of the scale are enough to stand alone.
    assert len(set(sealed.strata.tolist())) == 2


def test_sealed_answers_are_compared_without_golds(forged: Forged) -> None:
    renamed(forged, "tests/copied", 0.01, id="copied-0")
    sealed = dataclasses.replace(expected(TASK, 50), is_sealed=True)
    submission = intake.read(forged.folder)
    there = earlier.read(forged.folder.parent, besides=forged.folder)
    [run] = submission.tasks
    [found] = flags(forged.folder, submission, run, sealed, (forged.folder.parent, there))
    assert "copied-0" in found.detail
    coded = Coded(sealed.documents, with_golds=False)
    golds = Coded(sealed.documents, with_golds=True)
    assert coded.strata.max() < golds.strata.max()
    # Entries of a season are compared with entries of it alone.
    entry = submission.model_copy(update={"season": "spring"})
    assert list(flags(forged.folder, entry, run, sealed, (forged.folder.parent, there))) == []


def test_only_accepted_submissions_with_answers_of_other_models_are_compared(
    forged: Forged,
) -> None:
    own = renamed(forged, TOLD.name, 0.02, id="own-0")
    assert json.loads((own.folder / "record.json").read_text())["model"]["name"] == TOLD.name
    bare = renamed(forged, "tests/bare", 0.02, id="bare-0")
    bare.answers.unlink()
    waiting = renamed(forged, "tests/waiting", 0.02, id="waiting-0")
    (waiting.folder / "verification.json").unlink()
    assert flagged(forged) == []


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), max_size=3))
def test_documents_have_the_hashes_that_lm_eval_gives_them(docs: list[dict[str, Any]]) -> None:
    hasher = Hasher()
    assert [hasher.hash(doc) for doc in docs] == [doc_hash(doc) for doc in docs]


def test_values_that_are_not_of_json_have_lm_evals_hash_too() -> None:
    docs: list[dict[Any, Any]] = [{"a": np.int64(3)}, {"a": {1: "b"}}, {"a": (1, 2)}]
    assert [Hasher().hash(doc) for doc in docs] == [doc_hash(doc) for doc in docs]
