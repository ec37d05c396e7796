"""What one condition gains over another on the same instances."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.synchtom import FLOORS, METRICS, SCORES, Judged, Unscored, gain, summarize

Make = Callable[..., list[Judged]]

NO_JUDGEMENT = Unscored.NO_JUDGEMENT


def test_a_gain_by_hand() -> None:
    told = [
        Judged("a", "culture", 10, (2, 2, 2), ((2, 2, 2),)),
        Judged("b", "culture", 10, (2, 2, 2), ((1, 1, 1),)),
        Judged("c", "education", 10, (2, 2, 2), (NO_JUDGEMENT,)),
    ]
    baseline = [
        Judged("a", "culture", 0, (2, 2, 2), ((1, 0, 1),)),
        Judged("b", "culture", 0, (2, 2, 2), ((1, 1, 0),)),
        Judged("c", "education", 0, (2, 2, 2), ((2, 2, 2),)),
    ]
    found = gain(told, baseline, draws=200)
    # Only a and b were judged in both: 75 after and (33.3 + 33.3)/2 before.
    avg = found.overall["avg"]
    assert (avg.a, avg.b) == (75, pytest.approx(100 / 3))
    assert avg.difference.value == pytest.approx(75 - 100 / 3)
    assert (avg.difference.n, avg.difference.n_clusters) == (2, 2)
    # With c as 0 after, and as 100 before.
    assert found.overall["avg_floor"].difference.value == pytest.approx(50 - (200 / 3 + 100) / 3)
    assert found.overall["judge_rate"].difference.value == pytest.approx(-1 / 3)
    assert list(found.by_scenario) == ["culture", "education"]
    lost = found.by_scenario["education"]["avg"]
    assert math.isnan(lost.difference.value)
    assert lost.difference.n == 0


def test_a_gain_is_the_difference_of_scores_and_turns_its_sign(make: Make) -> None:
    told, baseline = make(60, skill=0.7, runs=2), make(60, skill=0.4, runs=2, seed=2)
    found, back = gain(told, baseline), gain(baseline, told)
    a, b = summarize(told), summarize(baseline)
    for name in (*SCORES, *FLOORS):
        difference = found.overall[name].difference
        assert difference.value == pytest.approx(a[name].value - b[name].value)
        assert back.overall[name].difference.value == pytest.approx(-difference.value)
        assert back.overall[name].difference.stderr == pytest.approx(difference.stderr)
    assert found.overall["avg"].difference.low > 0
    assert found.overall["avg"].p_value < 0.001
    assert set(found.overall) == set(METRICS)
    assert found == gain(told[::-1], baseline[::-1])


def test_the_same_answers_gain_nothing(make: Make) -> None:
    items = make(20, failed=0.3)
    for one in gain(items, items, draws=100, swaps=99).overall.values():
        assert one.difference.value == 0
        assert one.p_value == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instance_id": "zz"}, "2 instances are in one"),
        ({"scenario": "weather"}, "another scenario"),
        ({"criteria": (9, 9, 9)}, "other criteria"),
    ],
)
def test_conditions_must_match(make: Make, change: dict[str, object], message: str) -> None:
    told, baseline = make(6), make(6)
    told[2] = told[2]._replace(**change)
    with pytest.raises(MisalignedInput, match=message):
        gain(told, baseline)


def test_a_condition_has_one_number_of_turns_and_of_runs(make: Make) -> None:
    with pytest.raises(MisalignedInput, match="several numbers of turns"):
        gain(make(3, turns=(0, 5)), make(3))
    with pytest.raises(MisalignedInput, match="numbers of runs"):
        gain(make(3, runs=2), make(3))
