from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.multiplicity import holm

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, which may not fall: 0.06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.4]).tolist() == [0.4]
    assert holm([0.6, 0.7]).tolist() == [1, 1]


def test_ties_stay_ties() -> None:
    # 0.01 · 3 = 0.03 and 0.01 · 2 = 0.02, which may not fall; 0.5 · 1.
    assert holm([0.01, 0.5, 0.01]) == pytest.approx([0.03, 0.5, 0.03])


def test_an_undefined_comparison_is_not_counted() -> None:
    adjusted = holm([0.02, math.nan, 0.03])
    assert adjusted[[0, 2]] == pytest.approx([0.04, 0.04])
    assert math.isnan(adjusted[1])
    assert np.isnan(holm([math.nan, math.nan])).all()


@given(p_values, st.randoms(use_true_random=False))
def test_properties(p: list[float], rng: random.Random) -> None:
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(1, len(p) * np.array(p))).all()
    by_size = np.argsort(p)
    assert (np.diff(adjusted[by_size]) >= 0).all()
    order = rng.sample(range(len(p)), len(p))
    assert holm([p[i] for i in order]).tolist() == adjusted[order].tolist()


@given(p_values, st.floats(0.001, 0.999))
def test_it_rejects_what_the_step_down_procedure_rejects(p: list[float], alpha: float) -> None:
    rejected = set()
    for step, index in enumerate(np.argsort(p)):
        if (len(p) - step) * p[index] > alpha:
            break
        rejected.add(int(index))
    assert set(np.flatnonzero(holm(p) <= alpha).tolist()) == rejected


def test_bad_input_is_refused() -> None:
    with pytest.raises(EmptyInput):
        holm([])
    with pytest.raises(MisalignedInput):
        holm([[0.1]])
    for value in (-0.1, 1.1):
        with pytest.raises(MetricError, match=r"0\.\.1"):
            holm([0.5, value])
