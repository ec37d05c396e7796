"""Baselines of debate beliefs: hand-derived votes, and that nobody's own answer is used for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.tasks.debate.questions import QUESTIONS
from otherminds.tasks.debate.weightless import DemographicLogistic, Neighbours
from otherminds.weightless import Majority, Strategy, about
from otherminds.weightless.lm import make

Doc = dict[str, Any]

AGREE, DISAGREE = 0, 1


def belief(proposition: str, agrees: bool, category: str = "Society") -> Doc:
    return {"proposition": proposition, "category": category, "agrees": agrees}


def doc(
    user: str,
    proposition: str,
    agrees: bool,
    known: Mapping[str, bool] | None = None,
    category: str = "Society",
    **background: str,
) -> Doc:
    told = known or {}
    return {
        "item_id": f"{user}-{proposition}",
        "user_id": user,
        **belief(proposition, agrees, category),
        "background": [{"attribute": name, "value": value} for name, value in background.items()],
        "known_beliefs": [belief(*one) for one in told.items()],
        "n_known": len(told),
    }


def fitted(strategy: Strategy, docs: Sequence[Doc]) -> Strategy:
    strategy.fit([QUESTIONS.asked(one) for one in docs])
    return strategy


def choice(strategy: Strategy, of: Doc, run: int = 0) -> int:
    return strategy.choose(QUESTIONS.asked(of), run)


def answers(strategy: Strategy, docs: Sequence[Doc]) -> dict[str, int]:
    fitted(strategy, docs)
    return {one["item_id"]: choice(strategy, one) for one in docs}


# Majority


def test_the_answers_are_agree_and_disagree() -> None:
    assert QUESTIONS.answers(doc("U1", "p", True)) == ["agree", "disagree"]
    assert QUESTIONS.gold(doc("U1", "p", True)) == AGREE
    assert QUESTIONS.gold(doc("U1", "p", False)) == DISAGREE


def test_majority_counts_the_other_peoples_answers_to_the_proposition() -> None:
    docs = [doc("U1", "p", True), doc("U2", "p", True), doc("U3", "p", False)]
    # Without U1 it is one to one, and a tie is agree; without U3 it is two to none.
    assert answers(Majority(), docs) == {"U1-p": AGREE, "U2-p": AGREE, "U3-p": AGREE}
    docs.append(doc("U4", "p", False))
    # Two to two: without the person, it is always the other side that leads.
    assert answers(Majority(), docs) == {
        "U1-p": DISAGREE,
        "U2-p": DISAGREE,
        "U3-p": AGREE,
        "U4-p": AGREE,
    }


def test_majority_learns_from_known_beliefs_too_and_counts_each_once() -> None:
    # U2 disagrees with p in what is known, shown with both of U2's items; U3 agrees, U4 disagrees.
    docs = [doc("U2", name, True, {"p": False}) for name in ("x", "y")]
    docs += [doc("U3", "p", True), doc("U4", "p", False)]
    strategy = fitted(Majority(), docs)
    # Of one who has said nothing: one agrees, two disagree. U2 counted twice would not change that,
    # so without U4 it must be a tie of one to one, which is agree.
    assert choice(strategy, doc("U9", "p", True)) == DISAGREE
    assert choice(strategy, docs[-1]) == AGREE


def test_a_proposition_that_nobody_else_answered_falls_back_to_its_category() -> None:
    docs = [doc("U1", "p", True), doc("U2", "q", False), doc("U3", "r", False, category="Arts")]
    strategy = fitted(Majority(), docs)
    assert choice(strategy, docs[0]) == DISAGREE
    # Nobody else said anything of Arts: the middle of two answers is the first.
    assert choice(strategy, docs[2]) == AGREE


# Neighbours


def test_neighbours_vote_with_their_similarity() -> None:
    docs = [
        doc("U1", "p", True, {"a": True, "b": True}),
        *(doc(f"V{n}", "p", True, {"a": True, "b": True}) for n in range(4)),
        *(doc(f"W{n}", "p", False, {"a": False, "b": False}) for n in range(8)),
    ]
    # V are like U1: each has the stances a, b, p, all +1: the cosine is 2 / (√2 · √3) = 0.816.
    # W are unlike U1, so they do not vote. All 12 together: 5 · (4 - 8) / 12 = -1.67.
    # 4 · 0.816 - 1.67 = 1.6 > 0, though the majority disagrees.
    assert choice(fitted(Neighbours(), docs), docs[0]) == AGREE
    assert choice(fitted(Majority(), docs), docs[0]) == DISAGREE
    # With two V, and so 10 voters: 2 · 0.816 + 5 · (2 - 8) / 10 = -1.4.
    assert choice(fitted(Neighbours(), [*docs[:3], *docs[5:]]), docs[0]) == DISAGREE


def test_only_the_nearest_vote() -> None:
    asked = doc("U1", "p", True, {"a": True, "b": True})
    # Seven share a and b (cosine 2 / (√2 · √3) = 0.816), 21 share a alone (1 / (√2 · √2) = 0.5).
    near = [doc(f"V{n}", "p", True, {"a": True, "b": True}) for n in range(7)]
    far = [doc(f"W{n}", "p", False, {"a": True}) for n in range(21)]
    docs = [asked, *near, *far]
    # All vote: 7 · 0.816 - 21 · 0.5 + 5 · (7 - 21) / 28 = -7.3. The seven: 5.7 - 2.5 = 3.2.
    assert choice(fitted(Neighbours(), docs), asked) == DISAGREE
    assert choice(fitted(Neighbours(k=7), docs), asked) == AGREE
    # Whoever is as near as the last of them votes too.
    assert choice(fitted(Neighbours(k=5), docs), asked) == AGREE
    assert choice(fitted(Neighbours(k=8), docs), asked) == DISAGREE


def test_items_of_one_person_that_show_different_beliefs_have_different_neighbours() -> None:
    # V think like U1 about a, W like U1 about b, and they disagree on p and q.
    docs = [
        *(doc(f"V{n}", name, True, {"a": True}) for n in range(6) for name in ("p", "q")),
        *(doc(f"W{n}", name, False, {"b": True}) for n in range(6) for name in ("p", "q")),
    ]
    by_a, by_b = doc("U1", "p", True, {"a": True}), doc("U1", "q", True, {"b": True})
    strategy = fitted(Neighbours(), docs)
    assert [choice(strategy, one) for one in (by_a, by_b)] == [AGREE, DISAGREE]
    assert [choice(strategy, one) for one in (by_b, by_a)] == [DISAGREE, AGREE]


# Logistic regression


def people(n: int, rule: Callable[[int], bool]) -> list[Doc]:
    """n people of two parties, every other one in each, whose stances follow a rule."""
    return [
        doc(f"U{k:03d}", "p", rule(k), party="left" if k % 2 else "right", age=str(20 + k % 5))
        for k in range(n)
    ]


def test_a_stance_that_follows_from_demographics_is_found() -> None:
    docs = people(60, lambda k: k % 2 == 1)
    found = answers(DemographicLogistic(), docs)
    assert [found[one["item_id"]] for one in docs] == [DISAGREE, AGREE] * 30


def test_known_beliefs_of_others_are_learned_from() -> None:
    # Nobody else is asked about p: their stances are known beliefs.
    others = people(60, lambda k: k % 2 == 1)
    others = [
        one | belief("x", True) | {"known_beliefs": [belief("p", one["agrees"])]} for one in others
    ]
    asked = [doc("A", "p", True, party="left"), doc("B", "p", True, party="right")]
    assert list(answers(DemographicLogistic(), [*others, *asked]).values())[-2:] == [
        AGREE,
        DISAGREE,
    ]


def test_few_answers_are_no_regression() -> None:
    docs = people(49, lambda k: k % 2 == 1)
    assert answers(DemographicLogistic(), docs) == answers(Majority(), docs)
    assert answers(DemographicLogistic(least=49), docs) != answers(Majority(), docs)


def test_a_proposition_that_all_agree_with_needs_no_regression() -> None:
    assert set(answers(DemographicLogistic(), people(60, lambda k: True)).values()) == {AGREE}
    assert set(answers(DemographicLogistic(), people(60, lambda k: False)).values()) == {DISAGREE}


# What none of them may know, and what none may depend on

PROPOSITIONS = ("p", "q", "r", "s", "t", "u")

STRATEGIES: Mapping[str, Callable[[], Strategy]] = {
    "majority": Majority,
    "neighbours": lambda: Neighbours(k=3),
    "demographic-logistic": lambda: DemographicLogistic(least=5),
}


def population(seed: int, n: int = 14) -> list[Doc]:
    """People with random parties and stances; some propositions known, the others asked for."""
    rng = np.random.default_rng(seed)
    docs = []
    for user in range(n):
        stances = {name: bool(rng.integers(2)) for name in PROPOSITIONS}
        order = [PROPOSITIONS[place] for place in rng.permutation(6)[: rng.integers(1, 7)]]
        asked = rng.integers(1, len(order) + 1)
        known = {name: stances[name] for name in order[asked:]}
        party = {"party": str(rng.choice(["left", "right", "none"]))} if rng.integers(4) else {}
        category = "Society" if user % 2 else "Arts"
        docs += [
            doc(f"U{user:02d}", name, stances[name], known, category, **party)
            for name in order[:asked]
        ]
    return docs


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_a_persons_own_golds_change_nothing_of_what_is_predicted_of_them(
    name: str, seed: int
) -> None:
    docs = population(seed)
    before = answers(STRATEGIES[name](), docs)
    for user in sorted({one["user_id"] for one in docs})[:2]:
        mine = {one["item_id"] for one in docs if one["user_id"] == user}
        flipped = [
            one | {"agrees": not one["agrees"]} if one["item_id"] in mine else one for one in docs
        ]
        after = answers(STRATEGIES[name](), flipped)
        assert {item: after[item] for item in mine} == {item: before[item] for item in mine}


@pytest.mark.parametrize("name", STRATEGIES)
def test_other_peoples_golds_do_change_it(name: str) -> None:
    docs = population(1, n=30)
    before = answers(STRATEGIES[name](), docs)
    user = docs[0]["user_id"]
    flipped = [
        one if one["user_id"] == user else one | {"agrees": not one["agrees"]} for one in docs
    ]
    after = answers(STRATEGIES[name](), flipped)
    mine = [one["item_id"] for one in docs if one["user_id"] == user]
    assert any(after[item] != before[item] for item in mine)


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), order=st.randoms(use_true_random=False))
def test_the_order_of_the_documents_does_not_matter(name: str, seed: int, order: Any) -> None:
    docs = population(seed)
    shuffled = list(docs)
    order.shuffle(shuffled)
    assert answers(STRATEGIES[name](), docs) == answers(STRATEGIES[name](), shuffled)
    # Nor does which documents are asked first, of a model that has seen them all.
    strategy = fitted(STRATEGIES[name](), docs)
    first = {one["item_id"]: choice(strategy, one) for one in shuffled}
    assert first == {one["item_id"]: choice(strategy, one) for one in docs}


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_without_what_they_read_they_are_the_majority(seed: int) -> None:
    docs = population(seed)
    expected = answers(Majority(), docs)
    bare = [one | {"known_beliefs": [], "background": []} for one in docs]
    for name in ("neighbours", "demographic-logistic"):
        # They have learned from everything, and are then shown nothing of the person.
        strategy = fitted(STRATEGIES[name](), docs)
        assert {one["item_id"]: choice(strategy, one) for one in bare} == expected
        # Nor do they fail where nobody tells anything of themselves.
        assert answers(STRATEGIES[name](), bare) == answers(Majority(), bare)


def test_repeats_get_the_same_answer() -> None:
    docs = population(3)
    for make_one in STRATEGIES.values():
        strategy = fitted(make_one(), docs)
        runs = [[choice(strategy, one, run) for one in docs] for run in range(3)]
        assert all(first == second for first, second in pairwise(runs))


# Arguments


@pytest.mark.parametrize(
    ("model", "arguments", "message"),
    [
        ("neighbours", {"k": 0}, "0 neighbours: give a whole number from 1"),
        ("neighbours", {"k": 2.5}, "2.5 neighbours"),
        ("neighbours", {"kk": 3}, "kk"),
        ("demographic-logistic", {"C": 0}, "C must be a positive number, not 0"),
        ("demographic-logistic", {"C": float("nan")}, "C must be a positive number"),
        ("demographic-logistic", {"C": "much"}, "does not take these --model_args"),
        ("demographic-logistic", {"least": 4}, "least must be a whole number from 5, not 4"),
    ],
)
def test_wrong_arguments_are_one_clear_error(
    model: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(OtherMindsError, match=message) as raised:
        make(model, arguments)
    assert "\n" not in str(raised.value)


def test_what_they_do_is_said_in_a_sentence() -> None:
    assert about(Neighbours()).startswith("What the other people say")
    assert about(DemographicLogistic).startswith("Logistic regression")
