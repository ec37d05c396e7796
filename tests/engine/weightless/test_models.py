"""Weightless models: what each may know, and what it may not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from otherminds.errors import OtherMindsError
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.tasks.hugagent.weightless import Persistence
from otherminds.weightless import (
    Constant,
    CorruptedOracle,
    Majority,
    Oracle,
    Random,
    Strategy,
)
from otherminds.weightless.lm import make


def doc(person: str, answer: str, question: str = "1.1", **changes: Any) -> dict[str, Any]:
    base = {
        "item_id": f"{person}-{question}",
        "participant_id": person,
        "topic": "zoning",
        "task": "bdu",
        "question_id": question,
        "question_type": "opinion",
        "options": [],
        "scale": [1, 10],
        "answer": answer,
    }
    return base | changes


def bsi(person: str, answer: str, number: int = 0) -> dict[str, Any]:
    return doc(
        person,
        answer,
        item_id=f"{person}-bsi-{number}",
        task="bsi",
        question_id=None,
        question_type=None,
        options=["POSITIVE effect", "NEGATIVE effect"],
        scale=[],
    )


def fit(strategy: Strategy, docs: Iterable[dict[str, Any]]) -> None:
    strategy.fit([QUESTIONS.asked(one) for one in docs])


def answer(strategy: Strategy, of: dict[str, Any], run: int = 0) -> str:
    asked = QUESTIONS.asked(of)
    return asked.answers[strategy.choose(asked, run)]


def test_constant_says_a_and_one_whatever_people_say() -> None:
    asked = [doc("P1", "9"), doc("P2", "9"), bsi("P1", "B"), bsi("P2", "B")]
    strategy = Constant()
    fit(strategy, asked)
    assert [answer(strategy, one) for one in asked] == ["1", "1", "A", "A"]


def test_majority_never_counts_the_person_it_predicts() -> None:
    # P1 alone says 9, twice as often as the others say 2: predicting P1 from the others gives 2.
    docs = [doc("P1", "9", q) for q in ("1.2", "1.3", "1.4")]
    docs += [doc("P2", "2", "1.2"), doc("P3", "2", "1.3")]
    strategy = Majority()
    fit(strategy, docs)
    assert [answer(strategy, one) for one in docs[:3]] == ["2", "2", "2"]


def test_majority_prefers_the_same_question_and_falls_back_to_its_kind() -> None:
    docs = [
        doc("P1", "5", "1.2"),
        doc("P2", "8", "1.2"),
        doc("P3", "3", "1.3"),
        doc("P4", "3", "1.3"),
    ]
    strategy = Majority()
    fit(strategy, docs)
    assert answer(strategy, docs[0]) == "8"
    assert answer(strategy, doc("P9", "1", "1.4")) == "3"


def test_majority_breaks_ties_to_the_lowest_and_says_the_middle_when_alone() -> None:
    strategy = Majority()
    fit(strategy, [bsi("P1", "B"), bsi("P2", "A"), bsi("P3", "B", 1), bsi("P3", "A", 2)])
    assert answer(strategy, bsi("P9", "B")) == "A"
    alone = Majority()
    fit(alone, [doc("P1", "10")])
    assert answer(alone, doc("P1", "10")) == "5"


@pytest.mark.parametrize(("b_people", "expected"), [(54, "A"), (75, "B")])
def test_balanced_letters_are_a_tie_and_a_clear_lead_is_not(b_people: int, expected: str) -> None:
    # 54 of 100 lead by 8 < 2·√100, which is what chance gives; 75 of 100 lead by 50.
    strategy = Majority()
    others = [bsi(f"P{n}", "B" if n < b_people else "A") for n in range(100)]
    fit(strategy, [*others, bsi("P200", "A", 1), bsi("P200", "A", 2)])
    assert answer(strategy, bsi("P200", "A", 1)) == expected


def test_balanced_letters_do_not_push_the_majority_below_chance() -> None:
    # Ten people with ten letters each, one half of them all A, the others all B: the mode of the
    # *other* people is always wrong.
    docs = [bsi(f"P{p}", "AB"[p % 2], q) for p in range(10) for q in range(10)]
    strategy = Majority()
    fit(strategy, docs)
    assert sum(answer(strategy, one) == one["answer"] for one in docs) == 50


def test_an_item_that_two_tasks_share_counts_once() -> None:
    strategy = Majority()
    fit(strategy, [doc("P1", "9"), doc("P1", "9"), doc("P2", "4"), doc("P3", "4")])
    assert answer(strategy, doc("P4", "1")) == "4"


def test_persistence_predicts_no_change_from_a_baseline_that_is_not_the_persons_own() -> None:
    docs = [doc(p, "3", "1.1") for p in ("P2", "P3")]
    docs += [doc(p, "8", "1.2") for p in ("P2", "P3")]
    docs += [doc("P1", "10", "1.1"), doc("P1", "9", "1.2")]
    strategy = Persistence()
    fit(strategy, docs)
    assert answer(strategy, docs[-2]) == answer(strategy, docs[-1]) == "3"


@pytest.mark.parametrize(("gold", "index"), [("1", 0), ("10", 9), ("0", 0), ("12", 9)])
def test_a_gold_outside_the_scale_is_answered_by_its_nearest_end(gold: str, index: int) -> None:
    assert QUESTIONS.gold(doc("P1", gold)) == index


def test_the_oracle_takes_the_first_of_two_right_letters() -> None:
    assert answer(Oracle(), bsi("P1", "A/B")) == "A"
    assert answer(Oracle(), bsi("P1", "B")) == "B"


def test_the_corrupted_oracle_errs_at_its_rate_and_never_by_the_gold() -> None:
    docs = [doc(f"P{n}", str(1 + n % 10)) for n in range(2_000)]
    wrong = [answer(CorruptedOracle(rate=0.3), one) != one["answer"] for one in docs]
    # Four binomial standard errors around 0.3: 4 · sqrt(0.3 · 0.7 / 2000) = 0.041.
    assert abs(sum(wrong) / 2_000 - 0.3) < 0.041
    assert all(answer(CorruptedOracle(rate=1.0), one) != one["answer"] for one in docs)
    assert all(answer(CorruptedOracle(rate=0.0), one) == one["answer"] for one in docs)


def test_random_draws_depend_on_seed_item_and_run_alone() -> None:
    docs = [QUESTIONS.asked(doc(f"P{n}", "1")) for n in range(200)]
    forward = [Random(seed=1).choose(one, 0) for one in docs]
    backward = [Random(seed=1).choose(one, 0) for one in reversed(docs)][::-1]
    assert forward == backward
    assert forward != [Random(seed=2).choose(one, 0) for one in docs]
    assert forward != [Random(seed=1).choose(one, 1) for one in docs]
    assert set(forward) == set(range(10))


def test_wrong_model_arguments_are_one_clear_error() -> None:
    with pytest.raises(OtherMindsError, match="'random' does not take these --model_args"):
        make("random", {"sed": 1})
    with pytest.raises(OtherMindsError, match="must lie between 0 and 1"):
        make("corrupted-oracle", {"rate": 2})
