from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.dataset_builders.socialmindchange.codes.grid import Factor, crossed, placed

FACTORS = [
    Factor("who", 3, range(1, 4), 2),
    Factor("what", "b", "abcdefgh", 4),
    Factor("where", "in", ("in", "out"), 2),
]


@given(st.integers(0, 2**32))
def test_options_are_all_combinations_with_the_truth_first(seed: int) -> None:
    options = crossed(np.random.default_rng(seed), FACTORS)
    assert options[0] == {"who": 3, "what": "b", "where": "in"}
    assert len({tuple(option.values()) for option in options}) == 16
    for factor in FACTORS:
        # A value of a factor of size s is in 16 / s options, whether it is true or not.
        counts = Counter(option[factor.name] for option in options)
        assert set(counts.values()) == {16 // factor.size}


def test_wrong_values_are_drawn_evenly_whatever_the_truth_is() -> None:
    found: Counter[object] = Counter()
    for seed in range(700):
        options = crossed(np.random.default_rng(seed), FACTORS)
        found.update({option["what"] for option in options})
    # Each of the seven wrong values is offered in 3 of 7 cases: 300 times, give or take 13.
    assert found["b"] == 700
    assert all(240 < count < 360 for value, count in found.items() if value != "b")


def test_factors_that_do_not_make_sixteen_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\[2, 4\] do not make 16"):
        crossed(np.random.default_rng(0), FACTORS[:2])


@pytest.mark.parametrize("factor", [Factor("who", 9, (1, 2, 3), 2), Factor("who", 1, (1, 2, 3), 4)])
def test_a_factor_needs_its_truth_and_enough_others_in_the_pool(factor: Factor) -> None:
    with pytest.raises(ValueError, match="Factor who"):
        factor.offered(np.random.default_rng(0))


@given(st.integers(0, 2**32), st.integers(0, 100))
def test_letters_are_used_equally_often_give_or_take_one(seed: int, count: int) -> None:
    letters = placed(np.random.default_rng(seed), count)
    counts = [letters.count(letter) for letter in LETTERS]
    assert len(letters) == count
    assert max(counts) - min(counts) <= 1
