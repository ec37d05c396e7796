"""Under which condition a metric is highest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.highest import highest
from otherminds.metrics.sufficient import Sufficient

PEOPLE = tuple(f"P{n:02}" for n in range(20))


def shares(hits: list[float], people: tuple[str, ...] = PEOPLE) -> Sufficient:
    """Accuracy of one answer per person."""
    sums = np.array([[hit, 1.0] for hit in hits])
    return Sufficient(people, sums, ("acc",), lambda rows: rows[:, :1] / rows[:, 1:])


def test_the_highest_value_its_lead_and_how_often_it_stays_so() -> None:
    conditions = {
        "blind": shares([1.0] * 8 + [0.0] * 12),
        "both": shares([1.0] * 18 + [0.0] * 2),
        "beliefs": shares([1.0] * 17 + [0.0] * 3),
    }
    found = highest(conditions, "acc")
    assert found.values == {"blind": 0.4, "both": 0.9, "beliefs": 0.85}
    assert (found.best, found.lead) == ("both", pytest.approx(0.05))
    # "both" is ahead by one person alone: it leads when that person is drawn, which in 20 draws of 20
    # happens with 1 - 0.95^20 = 0.6415. The people are the same in all conditions, else it would lead
    # in about two thirds for another reason. SD of a share of 2,000 draws: 0.011.
    assert found.share == pytest.approx(1 - 0.95**20, abs=0.04)
    assert highest(conditions, "acc") == found


def test_equal_values_are_a_tie_whatever_their_names() -> None:
    found = highest({"b": shares([1.0] * 20), "a": shares([1.0] * 20)}, "acc")
    assert (found.best, found.lead) == (None, 0.0)
    assert math.isnan(found.share)
    below = highest(
        {"b": shares([1.0] * 20), "a": shares([1.0] * 20), "c": shares([0.0] * 20)}, "acc"
    )
    assert below.best is None


def test_one_person_says_nothing_of_others() -> None:
    found = highest({"a": shares([1.0], ("P00",)), "b": shares([0.0], ("P00",))}, "acc")
    assert (found.best, found.lead) == ("a", 1.0)
    assert math.isnan(found.share)


def test_what_is_undefined_is_never_the_highest() -> None:
    nothing = Sufficient(PEOPLE, np.zeros((20, 2)), ("acc",), lambda rows: rows[:, :1] * math.nan)
    found = highest({"x": nothing, "y": shares([0.0] * 20)}, "acc")
    assert (found.best, found.share) == ("y", 1.0)
    assert math.isnan(found.lead)
    assert highest({"x": nothing}, "acc").best is None


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(EmptyInput):
        highest({}, "acc")
    with pytest.raises(MetricError, match="no 'f1' under 'a'"):
        highest({"a": shares([1.0] * 20)}, "f1")
    others = tuple(f"Q{n:02}" for n in range(20))
    with pytest.raises(MisalignedInput, match="different people"):
        highest({"a": shares([1.0] * 20), "b": shares([1.0] * 20, others)}, "acc")
