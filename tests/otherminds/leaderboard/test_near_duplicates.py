"""Copies with a few answers changed are flagged; honest models that differ are not."""

from __future__ import annotations

import csv
import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.harness import doc_hash
from otherminds.leaderboard import answers, verifications, verify
from otherminds.leaderboard.doc_hashes import Hasher
from otherminds.leaderboard.near import agreement
from otherminds.leaderboard.record import Verification
from tests.otherminds.leaderboard.conftest import TOLD, Forged

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


def test_published_models_are_not(shared_data: Path) -> None:
    folder = shared_data / "hugagent"
    if not folder.is_dir():
        pytest.skip(f"No HugAgent data at {folder}.")

    def rows(name: str) -> list[dict[str, str]]:
        with (folder / name).open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    golds = {row["item_id"]: (row["scale_low"], row["gold"]) for row in rows("golds.csv")}
    answers_of = []
    for model in ("gpt-5.1", "claude-sonnet-4-5"):
        found = {row.pop("item_id"): list(row.values()) for row in rows(f"predictions/{model}.csv")}
        answers_of += list(zip(*(found[item] for item in golds), strict=True))[:2]
    strata = np.unique(["".join(gold) for gold in golds.values()], return_inverse=True)[1]
    every = {text: code for code, text in enumerate(sorted({t for one in answers_of for t in one}))}
    coded = [np.array([every[text] for text in one]) for one in answers_of]
    for one, other in itertools.product(coded[:2], coded[2:]):
        assert not agreement(one, other, strata).is_improbable


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


def test_an_earlier_submission_with_nearly_the_same_answers_is_flagged(forged: Forged) -> None:
    renamed(forged, "tests/copied", 0.02, id="copied-0")
    renamed(forged, "tests/other", 0.9, id="other-0")
    [detail] = flagged(forged)
    assert "tests/copied in copied-0" in detail


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
