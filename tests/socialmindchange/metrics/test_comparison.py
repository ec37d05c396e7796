"""Per-stage sums, and two models compared by them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from otherminds.metrics.comparison import compare_pair
from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.socialmindchange import COMPARED, GUIDANCE, sufficient, summarize


def test_by_hand(make: Any) -> None:
    items = [
        make.question("a", "P", "c", "d"),
        make.question("b", "P", "c", None, type="transition_plan"),
        make.question("c", "Q", "c", "c"),
    ]
    found = sufficient(items)
    assert found.clusters == ("P", "Q")
    # Per metric: questions, hits in run 1, hits in run 2.
    assert found.sums.reshape(2, 4, 3).tolist() == [
        [[2, 2, 0], [1, 1, 0], [1, 1, 0], [2, 2, 1]],
        [[1, 1, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1]],
    ]
    assert found.values() == {
        "acc": pytest.approx(2 / 3),
        "acc_guidance": 0.75,
        "acc_transition": 0.5,
        "parse_rate": pytest.approx(5 / 6),
    }


@pytest.mark.parametrize("runs", [1, 3])
def test_values_and_counts_are_those_of_the_summary(make: Any, runs: int) -> None:
    items = make.population(8, runs=runs, seed=2)
    found, summary = sufficient(items), summarize(items)
    assert found.values() == {name: pytest.approx(summary[name].value) for name in COMPARED}
    counts = found.counts()
    assert counts.sum(axis=0).tolist() == [summary[name].n for name in COMPARED]
    assert np.count_nonzero(counts, axis=0).tolist() == [summary[m].n_clusters for m in COMPARED]


def test_the_order_of_questions_does_not_matter(make: Any) -> None:
    items = make.population(5, runs=2, seed=5)
    shuffled = random.Random(0).sample(items, len(items))
    assert sufficient(items).sums.tobytes() == sufficient(shuffled).sums.tobytes()


def test_a_better_guide_is_found_where_it_is_better(make: Any) -> None:
    vanilla = make.population(40, seed=1, skill=0.4)
    better = [q._replace(answers=("c",)) if q.type == GUIDANCE else q for q in vanilla]
    found = compare_pair(sufficient(better), sufficient(vanilla), draws=200, swaps=199)
    assert found["acc_guidance"].a == 1.0
    assert found["acc_guidance"].p_value < 0.01
    assert found["acc_guidance"].difference.low > 0
    assert found["acc_transition"].difference.value == 0
    assert found["acc_transition"].p_value == 1.0


def test_a_metric_without_questions_is_undefined_and_not_zero(make: Any) -> None:
    assert np.isnan(sufficient([make.question("a", "P", "c")]).values()["acc_transition"])


def test_models_with_other_stages_or_runs_are_not_comparable(make: Any) -> None:
    items = make.population(3)
    with pytest.raises(MisalignedInput, match="number of runs"):
        compare_pair(sufficient(items), sufficient(make.population(3, runs=2)))
    with pytest.raises(MisalignedInput, match="in one of the two only"):
        compare_pair(sufficient(items), sufficient(make.population(4)))
    with pytest.raises(EmptyInput, match="No questions"):
        sufficient([])
