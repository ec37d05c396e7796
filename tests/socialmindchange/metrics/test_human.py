from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.krippendorff import ordinal_alpha
from otherminds.metrics.socialmindchange.human import (
    answer_agreement,
    compare_means,
    human_accuracy,
    item_means,
    rating_agreement,
    rating_means,
    retention,
)
from otherminds.metrics.socialmindchange.human_items import DIMENSIONS, HumanAnswer, Rating
from otherminds.metrics.uncertainty import partition

tables = st.lists(
    st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=1, max_size=10
).filter(lambda rows: any(sum(row) > 1 for row in rows))


def ratings(**stages: Sequence[tuple[str, int, int, int]]) -> list[Rating]:
    """By stage, people with their ratings of the three dimensions; 0 is none."""
    return [
        Rating(stage, person, name, value)
        for stage, rows in stages.items()
        for person, *values in rows
        for name, value in zip(DIMENSIONS, values, strict=True)
        if value
    ]


def answer(item: str, person: str, given: str, *, gold: str = "a", **other: str) -> HumanAnswer:
    facts = {"stage_id": item[:2], "type": "guidance_action", "mental_state": "belief", **other}
    return HumanAnswer(item, annotator=person, answer=gold, given=given, **facts)


def alpha(counts: ArrayLike) -> float:
    rows = len(np.asarray(counts))
    return ordinal_alpha(counts, partition([f"u{n:03}" for n in range(rows)]), draws=2).value


def slow_alpha(counts: Sequence[Sequence[int]]) -> float:
    """From the pairs of ratings one by one."""
    units = [[c for c, n in enumerate(row) for _ in range(n)] for row in counts if sum(row) > 1]
    everything = [one for unit in units for one in unit]
    n = len(everything)
    used = [everything.count(c) for c in range(len(counts[0]))]

    def apart(a: int, b: int) -> float:
        low, high = sorted((a, b))
        return (sum(used[low : high + 1]) - (used[low] + used[high]) / 2) ** 2 if a != b else 0.0

    observed = sum(
        apart(a, b) / (len(unit) - 1)
        for unit in units
        for i, a in enumerate(unit)
        for j, b in enumerate(unit)
        if i != j
    )
    expected = sum(apart(a, b) for a in everything for b in everything)
    return 1 - (n - 1) * observed / expected if expected else math.nan


def test_ordinal_alpha_by_hand() -> None:
    # Units 1 1, 2 2, 1 3 on a scale of three. n_1 = 3, n_2 = 2, n_3 = 1, n = 6.
    # δ(1,2) = 3 + 2 - 5/2 = 2.5, δ(2,3) = 2 + 1 - 3/2 = 1.5, δ(1,3) = 6 - 4/2 = 4.
    # o_13 = o_31 = 1: Σ o δ² = 2·16 = 32. Σ n n δ² = 2(3·2·6.25 + 2·1·2.25 + 3·1·16) = 2·90 = 180.
    # α = 1 - 5·32/180 = 1/9.
    assert alpha([[2, 0, 0], [0, 2, 0], [1, 0, 1]]) == pytest.approx(1 / 9)


@given(tables)
def test_ordinal_alpha_equals_its_slow_definition(counts: list[list[int]]) -> None:
    assert alpha(counts) == pytest.approx(slow_alpha(counts), abs=1e-9, nan_ok=True)


@given(tables)
def test_only_the_order_of_values_matters(counts: list[list[int]]) -> None:
    known = alpha(counts)
    turned = [row[::-1] for row in counts]
    wider = [[row[0], 0, *row[1:], 0] for row in counts]
    assert alpha(turned) == pytest.approx(known, abs=1e-9, nan_ok=True)
    assert alpha(wider) == pytest.approx(known, abs=1e-9, nan_ok=True)


def test_ordinal_alpha_is_the_published_one() -> None:
    # How often each of twelve units got a value from 1 to 5: the example of Krippendorff, "Computing
    # Krippendorff's Alpha-Reliability" (2011), whose ordinal alpha is 0.815.
    counts = [
        [3, 0, 0, 0, 0],
        [0, 3, 1, 0, 0],
        [0, 0, 4, 0, 0],
        [0, 0, 4, 0, 0],
        [0, 4, 0, 0, 0],
        [1, 1, 1, 1, 0],
        [0, 0, 0, 4, 0],
        [3, 1, 0, 0, 0],
        [0, 4, 0, 0, 0],
        [0, 0, 0, 0, 3],
        [2, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
    ]
    assert alpha(counts) == pytest.approx(0.815, abs=5e-4)


def test_the_bootstrap_of_ordinal_alpha_is_one_of_whole_clusters() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 5, size=120)
    table = np.stack([truth, np.clip(truth + rng.integers(-1, 2, size=120), 0, 4)], axis=1)
    counts = np.stack([(table == value).sum(axis=1) for value in range(5)], axis=1)
    found = ordinal_alpha(counts, partition([f"c{i // 4:02}" for i in range(120)]), draws=800)
    assert (found.n, found.n_clusters) == (120, 30)
    draws = []
    for _ in range(300):
        chosen = rng.integers(0, 30, size=30)
        rows = np.concatenate([np.arange(4 * c, 4 * c + 4) for c in chosen])
        draws.append(alpha(counts[rows]))
    assert found.stderr == pytest.approx(np.std(draws, ddof=1), rel=0.2)


def test_ordinal_alpha_refuses_what_it_cannot_measure() -> None:
    one = partition(["u"])
    with pytest.raises(EmptyInput):
        ordinal_alpha([[1, 0]], one)
    with pytest.raises(MisalignedInput):
        ordinal_alpha([[2], [2]], one)
    for wrong in (-1, 0.5, math.nan):
        with pytest.raises(MetricError, match="whole number"):
            ordinal_alpha([[2, wrong]], one)
    assert math.isnan(alpha([[0, 2], [0, 3]]))


def test_means_have_a_stage_clustered_interval() -> None:
    found = rating_means(ratings(s1=[("A", 5, 3, 0), ("B", 4, 3, 0)], s2=[("A", 3, 3, 0)]))
    coherence = found["coherence"]
    # 5, 4 in one stage and 3 in another: mean 4. Residuals by stage 1 and -1; G = 2:
    # SE = sqrt(2/1 · (1 + 1)) / 3 = 2/3; t(1, 0.975) = 12.706: 4 ± 8.47, cut to the scale.
    assert coherence.value == pytest.approx(4.0)
    assert coherence.stderr == pytest.approx(2 / 3)
    assert (coherence.low, coherence.high) == (1, 5)
    # Four stages with 4, 4, 4 and 2: mean 3.5, SE ½, t(3, 0.975) = 3.1824: 1.909 to 5.09.
    wide = ratings(**{f"s{n}": [("A", mark, 3, 0)] for n, mark in enumerate((4, 4, 4, 2))})
    found_wide = rating_means(wide)["coherence"]
    assert (found_wide.low, found_wide.high) == (pytest.approx(3.5 - 3.1824 / 2, abs=1e-3), 5)
    assert (coherence.n, coherence.n_clusters) == (3, 2)
    assert math.isnan(found["authenticity"].value)
    assert found["authenticity"].n == 0


def test_a_stage_is_retained_when_every_mean_is_at_least_four() -> None:
    found = retention(
        ratings(
            just=[("A", 5, 4, 4), ("B", 3, 4, 5)],  # means 4, 4, 4.5
            below=[("A", 5, 5, 4), ("B", 5, 5, 3)],  # means 5, 5, 3.5
            open=[("A", 5, 5, 0)],  # nobody rated its authenticity
        )
    )
    assert (found.retained, found.rejected, found.undecided) == (("just",), ("below",), ("open",))
    assert (found.share.value, found.share.n) == (0.5, 2)
    assert found.means["just"] == {"coherence": 4.0, "rationality": 4.0, "authenticity": 4.5}
    assert set(found.means["open"]) == {"coherence", "rationality"}


def test_a_share_of_no_decided_stage_is_no_number() -> None:
    found = retention(ratings(open=[("A", 1, 0, 0)]))
    assert math.isnan(found.share.value)
    assert found.share.n == 0


def test_agreement_of_ratings_is_that_of_their_counts() -> None:
    # The units of `test_ordinal_alpha_by_hand`; a stage that one person rated says nothing.
    rows = {
        "s1": [("A", 1, 4, 0), ("B", 1, 0, 0)],
        "s2": [("A", 2, 4, 0), ("B", 2, 0, 0)],
        "s3": [("A", 1, 4, 0), ("C", 3, 0, 0)],
        "s4": [("B", 5, 0, 0)],
    }
    found = rating_agreement(ratings(**rows), draws=20)
    assert found["coherence"].value == pytest.approx(1 / 9)
    assert found["coherence"].n == 3
    for name in ("rationality", "authenticity"):
        assert math.isnan(found[name].value)
        assert found[name].n == 0


def test_accuracy_overall_and_by_part() -> None:
    transition = {"type": "transition_plan", "mental_state": "emotion"}
    answers = [
        answer("s1q1", "A", "a"),
        answer("s1q1", "B", "b"),
        answer("s1q2", "A", "c", gold="c", **transition),
        answer("s2q1", "A", "a"),
    ]
    found = human_accuracy(answers)
    # Right: 2 of 3 in stage s1, 1 of 1 in s2. Mean 3/4; residuals by stage 2 - 9/4 = -1/4 and 1/4;
    # SE = sqrt(2 · 2/16) / 4 = 1/8.
    assert found.overall.value == pytest.approx(0.75)
    assert found.overall.stderr == pytest.approx(1 / 8)
    assert (found.overall.n, found.overall.n_clusters) == (4, 2)
    assert found.by_type["guidance_action"].value == pytest.approx(2 / 3)
    assert list(found.by_type) == ["guidance_action", "transition", "transition_plan"]
    assert found.by_state["emotion"].value == 1.0
    cells = {name: one.n for name, one in found.by_cell.items()}
    assert cells == {
        "guidance_action/belief": 3,
        "transition/emotion": 1,
        "transition_plan/emotion": 1,
    }
    assert item_means(answers) == {"s1q1": 0.5, "s1q2": 1.0, "s2q1": 1.0}


def test_agreement_of_answers_by_hand() -> None:
    # Four questions, answers a a, a a, b b, a b. Two ordered pairs of eight ratings differ: D_o = 2/8.
    # Five a and three b: D_e = 2·5·3/(8·7) = 30/56. α = 1 - (1/4)·(56/30) = 8/15.
    given = {"s1q1": "aa", "s1q2": "aa", "s2q1": "bb", "s2q2": "ab"}
    answers = [
        answer(item, person, letter)
        for item, letters in given.items()
        for person, letter in zip("AB", letters, strict=True)
    ]
    found = answer_agreement([*answers, answer("s3q1", "A", "p")], draws=20)
    assert found.value == pytest.approx(8 / 15)
    assert (found.n, found.n_clusters) == (4, 2)
    for few in (answers[:1], [answers[0], answers[2]]):
        assert answer_agreement(few, draws=5).n == 0


def test_people_and_a_model_are_paired_by_question() -> None:
    human = {"s1q1": 1.0, "s1q2": 0.5, "s2q1": 1.0, "s9q9": 0.0}
    model = {"s1q1": 0.0, "s1q2": 0.5, "s2q1": 1.0, "s8q8": 1.0}
    found = compare_means(human, model, {name: name[:2] for name in human | model})
    assert found.human.value == pytest.approx(2.5 / 3)
    assert found.model.value == pytest.approx(0.5)
    # Differences -1, 0 in s1 and 0 in s2: mean -1/3; residuals by stage -1/3 and 1/3;
    # SE = sqrt(2 · 2/9) / 3 = 2/9.
    assert found.difference.value == pytest.approx(-1 / 3)
    assert found.difference.stderr == pytest.approx(2 / 9)
    assert found.difference.n == 3
    with pytest.raises(EmptyInput, match="in common"):
        compare_means({"a": 1.0}, {"b": 1.0}, {})


def test_no_number_depends_on_the_order_in_which_sheets_come() -> None:
    rng = random.Random(1)
    answers = [
        answer(f"s{n % 7}q{n}", person, rng.choice("abcd"), gold=rng.choice("ab"))
        for n in range(20)
        for person in "A"
    ]
    given = [
        Rating(f"s{n}", person, name, rng.randint(1, 5))
        for n in range(9)
        for person in "ABC"
        for name in DIMENSIONS
    ]
    turned, other = answers[::-1], given[::-1]
    assert human_accuracy(answers) == human_accuracy(turned)
    assert rating_means(given) == rating_means(other)
    assert retention(given) == retention(other)
    assert rating_agreement(given, draws=20) == rating_agreement(other, draws=20)


def test_nothing_and_nonsense_are_refused() -> None:
    for measure in (rating_means, retention, rating_agreement):
        with pytest.raises(EmptyInput):
            measure([])
    for measured in (human_accuracy, answer_agreement, item_means):
        with pytest.raises(EmptyInput):
            measured([])
    with pytest.raises(MetricError, match="not 1, 2, 3, 4 or 5"):
        rating_means([Rating("s", "A", "coherence", 6)])
    with pytest.raises(MetricError, match="none of coherence"):
        rating_means([Rating("s", "A", "beauty", 5)])
    with pytest.raises(MisalignedInput, match="twice"):
        rating_means([Rating("s", "A", "coherence", 5), Rating("s", "A", "coherence", 4)])
    with pytest.raises(MetricError, match="not a letter"):
        human_accuracy([answer("s1q1", "A", "q")])
    with pytest.raises(MetricError, match="no type or mental state"):
        human_accuracy([answer("s1q1", "A", "a", type="riddle")])
    with pytest.raises(MisalignedInput, match="twice"):
        human_accuracy([answer("s1q1", "A", "a"), answer("s1q1", "A", "b")])
    with pytest.raises(MisalignedInput, match="another gold"):
        human_accuracy([answer("s1q1", "A", "a"), answer("s1q1", "B", "a", gold="b")])
