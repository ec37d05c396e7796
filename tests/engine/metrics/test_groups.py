from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.multiplicity import group_letters, indistinguishable_groups

SCORES = {"low": 0.6, "high": 0.9, "mid": 0.8}
P = {("high", "mid"): 0.5, ("mid", "low"): 0.05, ("low", "high"): 0.01}


def test_a_model_between_two_others_belongs_with_both() -> None:
    # p = 0.05 is not below α = 0.05.
    groups = indistinguishable_groups(SCORES, P)
    assert groups == (("high", "mid"), ("mid", "low"))
    assert group_letters(groups) == {"high": "a", "mid": "ab", "low": "b"}
    assert indistinguishable_groups(SCORES, P, higher_is_better=False) == (
        ("low", "mid"),
        ("mid", "high"),
    )
    assert indistinguishable_groups(SCORES, P, alpha=0.005) == (("high", "mid", "low"),)
    assert indistinguishable_groups(SCORES, P, alpha=0.6) == (("high",), ("mid",), ("low",))


def test_a_comparison_that_could_not_be_made_tells_nothing_apart() -> None:
    scores = {"a": 0.5, "b": math.nan, "c": 0.9}
    p = {("a", "b"): math.nan, ("b", "c"): math.nan, ("a", "c"): 0.001}
    assert indistinguishable_groups(scores, p) == (("c", "b"), ("a", "b"))


def test_one_model_is_a_group() -> None:
    assert indistinguishable_groups({"a": 1.0}, {}) == (("a",),)
    assert group_letters([("a",)]) == {"a": "a"}


def test_letters_go_on_after_z() -> None:
    groups = [(f"m{i}", f"m{i + 1}") for i in range(28)]
    letters = group_letters(groups)
    assert (letters["m0"], letters["m1"], letters["m26"], letters["m28"]) == (
        "a",
        "a,b",
        "z,aa",
        "ab",
    )
    assert group_letters([("x",)] * 703)["x"].split(",")[-2:] == ["zz", "aaa"]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    names = [f"m{i}" for i in range(draw(st.integers(1, 6)))]
    scores = {name: draw(st.sampled_from([0.1, 0.2, 0.3])) for name in names}
    pairs = itertools.combinations(names, 2)
    return scores, {pair: draw(st.sampled_from([0.01, 0.5])) for pair in pairs}


@given(graphs(), st.randoms(use_true_random=False))
def test_models_share_a_group_exactly_when_they_are_not_told_apart(
    graph: tuple[dict[str, float], dict[tuple[str, str], float]], rng: random.Random
) -> None:
    scores, p = graph
    groups = indistinguishable_groups(scores, p)
    for (a, b), value in p.items():
        assert any({a, b} <= set(group) for group in groups) == (value >= 0.05)
    assert {model for group in groups for model in group} == set(scores)
    for one, other in itertools.permutations(groups, 2):
        assert not set(one) <= set(other)
    assert all(
        [scores[m] for m in g] == sorted((scores[m] for m in g), reverse=True) for g in groups
    )
    shuffled = {name: scores[name] for name in rng.sample(sorted(scores), len(scores))}
    turned = {(b, a): value for (a, b), value in reversed(p.items())}
    assert indistinguishable_groups(shuffled, turned) == groups


def test_bad_input_is_refused() -> None:
    two = {"a": 1.0, "b": 0.5}
    with pytest.raises(EmptyInput):
        indistinguishable_groups({}, {})
    for p, words in [
        ({}, "No p-value of a and b"),
        ({("a", "a"): 1.0}, "different ones"),
        ({("a", "z"): 1.0}, "must be models"),
        ({("a", "b"): 1.0, ("b", "a"): 1.0}, "given twice"),
    ]:
        with pytest.raises(MisalignedInput, match=words):
            indistinguishable_groups(two, p)
    with pytest.raises(MetricError, match="outside"):
        indistinguishable_groups(two, {("a", "b"): 1.5})
    with pytest.raises(MetricError, match="level"):
        indistinguishable_groups(two, {("a", "b"): 0.5}, alpha=5)
