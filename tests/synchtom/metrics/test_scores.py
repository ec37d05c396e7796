"""Scores of judged answers: by hand, by definition, and whatever the order."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.synchtom import (
    FLOORS,
    METRICS,
    SCORES,
    Judged,
    Unscored,
    sufficient,
    summarize,
)
from otherminds.metrics.uncertainty import clustered_mean, partition

Make = Callable[..., list[Judged]]

NO_ANSWER, NO_JUDGEMENT = Unscored.NO_ANSWER, Unscored.NO_JUDGEMENT

counts = st.tuples(st.integers(1, 7), st.integers(1, 7), st.integers(1, 7))


@st.composite
def judged(draw: st.DrawFn) -> list[Judged]:
    runs = draw(st.integers(1, 3))
    items = []
    for number in range(draw(st.integers(1, 6))):
        criteria = draw(counts)
        mark = st.tuples(*(st.integers(0, most) for most in criteria))
        marks = [
            draw(st.one_of(mark, st.sampled_from(Unscored)), label="mark") for _ in range(runs)
        ]
        scenario = draw(st.sampled_from(["culture", "preference"]))
        items.append(Judged(f"i{number}", scenario, 5, criteria, tuple(marks)))
    return items


def slow_mean(items: list[Judged], metric: str) -> float:
    """From the items one by one, in fractions."""
    by_run = []
    for run in range(len(items[0].marks)):
        values: list[Fraction] = []
        for item in items:
            mark = item.marks[run]
            floor = metric in FLOORS
            if isinstance(mark, Unscored) and mark is not NO_ANSWER and not floor:
                continue
            parts = [Fraction(0)] * 3
            if not isinstance(mark, Unscored):
                parts = [Fraction(n, most) for n, most in zip(mark, item.criteria, strict=True)]
            points = [*parts, sum(parts, Fraction(0)) / 3]
            values.append(100 * points[(FLOORS if floor else SCORES).index(metric)])
        if values:
            by_run.append(sum(values, Fraction(0)) / len(values))
    return float(sum(by_run, Fraction(0)) / len(by_run)) if by_run else math.nan


def test_scores_by_hand() -> None:
    items = [
        Judged("a", "culture", 10, (3, 2, 5), ((2, 1, 3),)),
        Judged("b", "culture", 10, (4, 4, 4), ((4, 0, 1),), flagged=2, flagged_met=(1,)),
        Judged("c", "education", 10, (2, 2, 2), (NO_ANSWER,)),
        Judged("d", "education", 10, (2, 2, 2), (NO_JUDGEMENT,)),
    ]
    found = summarize(items)
    values = {name: found[name].value for name in METRICS}
    # a has 66.67, 50 and 60, mean 58.89; b 100, 0 and 25, mean 41.67; c 0. Means of the three, as the
    # judgement of d failed; with d as 0, of four.
    assert values == pytest.approx(
        {
            "belief": (200 / 3 + 100) / 3,
            "profile": 50 / 3,
            "solution": 85 / 3,
            "avg": (530 / 9 + 125 / 3) / 3,
            "belief_floor": (200 / 3 + 100) / 4,
            "profile_floor": 12.5,
            "solution_floor": 21.25,
            "avg_floor": (530 / 9 + 125 / 3) / 4,
            # The two criteria on the solution of b that are flagged are left out: 0 of 2, not 1 of 4.
            "solution_unflagged": 60 / 3,
            "avg_unflagged": (530 / 9 + 100 / 3) / 3,
            "parse_rate": 0.75,
            "judge_rate": 2 / 3,
        }
    )
    assert found.counts == {
        "n_items": 4,
        "n_instances": 4,
        "n_no_answer": 1,
        "n_cut_off": 0,
        "n_no_judgement": 1,
        "n_judge_cut_off": 0,
    }
    # Profile of a, b and c: 50, 0, 0 around 16.67: s² = (1111.1 + 277.8 + 277.8)/2 = 833.3.
    assert found["profile"].stderr == pytest.approx(math.sqrt(2500 / 3 / 3))
    assert (found["profile"].n, found["profile"].n_clusters) == (3, 3)
    assert (found["judge_rate"].n, found["avg_floor"].n) == (3, 4)
    assert list(found.by_scenario) == ["culture", "education"]
    assert found.by_scenario["education"]["avg"].value == 0
    assert found.by_scenario["culture"]["judge_rate"].value == 1


def test_nothing_judged_is_not_zero() -> None:
    items = [Judged(name, "culture", 0, (2, 2, 2), (NO_JUDGEMENT,)) for name in "ab"]
    found = summarize(items)
    for name in SCORES:
        assert math.isnan(found[name].value)
        assert found[name].n == 0
    assert found["avg_floor"].value == 0
    assert found["judge_rate"].value == 0
    unread = summarize([item._replace(marks=(NO_ANSWER,)) for item in items])
    assert unread["avg"].value == 0
    assert unread["parse_rate"].value == 0
    assert math.isnan(unread["judge_rate"].value)


def test_runs_are_averaged_and_are_no_further_items() -> None:
    items = [
        Judged("a", "culture", 0, (2, 2, 2), ((2, 2, 2), (0, 0, 0))),
        Judged("b", "culture", 0, (2, 2, 2), ((1, 1, 1), NO_JUDGEMENT)),
    ]
    found = summarize(items)
    # Run 1: (100 + 50)/2 = 75. Run 2: 0, as only a was judged. Mean 37.5.
    assert found["avg"].value == 37.5
    # z of a: ½·((100 - 75)/2 + 0) = 6.25, z of b: ½·(50 - 75)/2 = -6.25. SE = √(2·2·6.25²) = 12.5.
    assert found["avg"].stderr == pytest.approx(12.5)
    assert (found["avg"].n, found["avg"].n_clusters) == (1.5, 2)
    assert found.runs == 2


@given(judged())
def test_every_score_is_its_slow_definition(items: list[Judged]) -> None:
    found = summarize(items)
    for name in (*SCORES, *FLOORS):
        assert found[name].value == pytest.approx(slow_mean(items, name), nan_ok=True)
    assert sufficient(items).values() == pytest.approx(
        {name: found[name].value for name in METRICS}, nan_ok=True
    )
    # What is left out cannot be worse than 0.
    assert not found["avg_floor"].value > found["avg"].value + 1e-9
    shuffled = random.Random(3).sample(items, len(items))
    assert repr(summarize(shuffled)) == repr(found)


def test_one_run_has_the_clustered_standard_error(make: Make) -> None:
    items = make(30, turns=(0, 5, 10), failed=0.3)
    found = summarize(items)["belief"]
    kept = [item for item in items if item.marks[0] is not NO_JUDGEMENT]
    values = [
        0.0 if isinstance(item.marks[0], Unscored) else 100 * item.marks[0][0] / item.criteria[0]
        for item in kept
    ]
    wanted = clustered_mean(values, partition([item.instance_id for item in kept]))
    assert found.value == pytest.approx(wanted.value)
    assert found.stderr == pytest.approx(wanted.stderr)
    assert (found.n, found.n_clusters) == (wanted.n, wanted.n_clusters)
    assert found.low == pytest.approx(wanted.low)


def test_the_curve_and_its_scenarios(make: Make) -> None:
    items = [
        item for turns in (0, 5, 10) for item in make(30, turns=(turns,), skill=0.2 + turns / 20)
    ]
    found = summarize(items)
    assert list(found.by_turns) == [0, 5, 10]
    curve = [found.by_turns[n]["avg"].value for n in (0, 5, 10)]
    assert curve == sorted(curve)
    alone = summarize([item for item in items if item.turns == 5])
    assert repr(found.by_turns[5].estimates) == repr(alone.estimates)
    assert repr(found.by_turns[5].by_scenario) == repr(alone.by_scenario)
    # Three answers to an instance are one instance.
    assert found["avg"].n == 90
    assert found["avg"].n_clusters == 30


@pytest.mark.slow
@pytest.mark.parametrize("failed", [0.0, 0.4])
def test_intervals_cover(make: Make, failed: float) -> None:
    # Half of the criteria are fulfilled. Half of the failures are failed judgements and left out; the
    # other half are answers that count as 0.
    truth = 50 * (1 - (failed / 2) / (1 - failed / 2))
    hits = 0
    for seed in range(200):
        found = summarize(make(60, failed=failed, seed=seed))["avg"]
        hits += found.low <= truth <= found.high
    # 95 % of 200 is 190, with a standard deviation of 3.1.
    assert 178 <= hits <= 199


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"marks": ()}, MisalignedInput, "0 marks"),
        ({"instance_id": "i000"}, MisalignedInput, "given twice"),
        ({"instance_id": "i000", "turns": 3}, MisalignedInput, "another scenario"),
        ({"criteria": (3, 0, 2)}, MetricError, "every dimension needs some"),
        ({"criteria": (2, 2, 2), "marks": ((0, 3, 0),)}, MetricError, "cannot be fulfilled"),
        ({"criteria": (2, 2, 2), "marks": ((0, 0.5, 0),)}, MetricError, "cannot be fulfilled"),
        ({"criteria": (2, 2, 2), "marks": ((0, 1),)}, MetricError, "cannot be fulfilled"),
    ],
)
def test_items_that_cannot_be_scored(
    make: Make, change: dict[str, object], error: type[Exception], message: str
) -> None:
    items = make(3)
    items[1] = items[1]._replace(**change)
    with pytest.raises(error, match=message):
        summarize(items)


def test_no_items() -> None:
    with pytest.raises(EmptyInput):
        summarize([])


def test_a_mark_is_exact_for_up_to_ten_criteria() -> None:
    """Sums of shares do not depend on the order in which they are added."""
    items = [
        Judged(f"i{n}-{most}", "culture", 0, (most, most, most), ((n, n, n),))
        for most in range(1, 11)
        for n in range(most + 1)
    ]
    sums = sufficient(items).sums
    assert np.array_equal(sums, np.round(sums))


CUT_OFF, JUDGE_CUT_OFF = Unscored.CUT_OFF, Unscored.JUDGE_CUT_OFF


def test_what_was_cut_off_is_counted_by_itself_and_is_no_zero() -> None:
    items = [
        Judged("a", "culture", 0, (2, 2, 2), ((2, 1, 0),)),
        Judged("b", "culture", 0, (2, 2, 2), (CUT_OFF,)),
        Judged("c", "culture", 0, (2, 2, 2), (JUDGE_CUT_OFF,)),
    ]
    found = summarize(items)
    # Scores are those of a alone; floors have 0 for b and c.
    assert (found["avg"].value, found["avg"].n) == (50, 1)
    assert found["avg_floor"].value == pytest.approx(50 / 3)
    # Two answers of three could be read, and of these one judgement.
    assert found["parse_rate"].value == pytest.approx(2 / 3)
    assert found["judge_rate"].value == pytest.approx(1 / 2)
    assert found.counts == {
        "n_items": 3,
        "n_instances": 3,
        "n_no_answer": 0,
        "n_cut_off": 1,
        "n_no_judgement": 0,
        "n_judge_cut_off": 1,
    }


@pytest.mark.parametrize(
    ("mark", "flagged", "met"),
    [
        ((1, 1, 1), 2, (0,)),  # none would be left
        ((1, 1, 1), -1, (0,)),
        ((1, 1, 1), 1, ()),
        ((1, 1, 1), 1, (2,)),
        ((1, 1, 0), 1, (1,)),  # fulfilled in part, and not at all
        ((1, 1, 2), 1, (0,)),  # all are fulfilled
        (NO_ANSWER, 1, (1,)),
        ((1, 1, 1), 0, (1,)),
    ],
)
def test_flagged_criteria_must_fit(mark: object, flagged: int, met: tuple[int, ...]) -> None:
    item = Judged("a", "culture", 0, (2, 2, 2), (mark,), flagged, met)  # type: ignore[arg-type]
    with pytest.raises(MetricError, match="flagged"):
        summarize([item])


def test_without_flagged_criteria_both_scores_are_the_same(make: Make) -> None:
    found = summarize(make(30, failed=0.3))
    assert found["solution_unflagged"] == found["solution"]
    assert found["avg_unflagged"] == found["avg"]
