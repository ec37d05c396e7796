from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.permutation import mcnemar


def test_by_hand() -> None:
    # 1 item right by A alone, 5 by B alone: 2 · (C(6,0) + C(6,1)) / 2^6 = 14/64.
    found = mcnemar([1, 0, 0, 0, 0, 0, 1, 0], [0, 1, 1, 1, 1, 1, 1, 0])
    assert (found.only_a, found.only_b, found.n) == (1, 5, 8)
    assert found.p_value == pytest.approx(14 / 64)


def test_without_a_discordant_item_nothing_speaks_against_equality() -> None:
    assert mcnemar([True, False], [True, False]).p_value == 1


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_it_is_the_two_sided_binomial_test(items: list[tuple[bool, bool]]) -> None:
    a, b = zip(*items, strict=True)
    found, turned = mcnemar(a, b), mcnemar(b, a)
    discordant = found.only_a + found.only_b
    tail = sum(math.comb(discordant, k) for k in range(min(found.only_a, found.only_b) + 1))
    assert found.p_value == pytest.approx(min(1, 2 * tail / 2**discordant))
    assert turned.p_value == found.p_value
    assert (turned.only_a, turned.only_b) == (found.only_b, found.only_a)
    # Items on which both agree change nothing.
    assert mcnemar([*a, True], [*b, True]).p_value == found.p_value


def test_bad_input_is_refused() -> None:
    with pytest.raises(EmptyInput):
        mcnemar([], [])
    for a, b in [([1], [1, 0]), ([[1]], [[1]])]:
        with pytest.raises(MisalignedInput):
            mcnemar(a, b)
    for value in (math.nan, 0.5):
        with pytest.raises(MetricError, match="neither 0"):
            mcnemar([value], [1])
