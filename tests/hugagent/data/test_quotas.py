"""Item counts are exact, even, and refused when they cannot be met."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent import quotas, synthetic
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.quotas import SyntheticSpec

from .conftest import RELEASE


def test_release_quotas_are_exact_and_even() -> None:
    allocated = quotas.allocate(RELEASE)
    for (task, topic), quota in allocated.items():
        assert quota.sum() == RELEASE.items[task][topic]
        assert quota.max() - quota.min() <= 1


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 700), st.integers(0, 2**31))
def test_quotas_are_exact_for_any_number_of_people(agents: int, seed: int) -> None:
    spec = replace(synthetic.scaled(RELEASE, agents), seed=seed)
    allocated = quotas.allocate(spec)
    assert {key: int(quota.sum()) for key, quota in allocated.items()} == {
        (task, topic): spec.items[task][topic] for task in quotas.TASKS for topic in TOPICS
    }


def test_scaling_keeps_the_proportions() -> None:
    spec = synthetic.scaled(RELEASE, 100)
    # 1303 / 5 = 260.6, 3888 / 5 = 777.6, 50 / 5 = 10
    assert spec.items["bsi"]["healthcare"] == 261
    assert spec.items["bdu"]["healthcare"] == 778
    assert spec.subset == 10
    assert synthetic.scaled(RELEASE, 500) == RELEASE


def test_scaling_stays_within_what_people_can_be_asked() -> None:
    spec = synthetic.scaled(replace(RELEASE, items=_items(bdu=2000)), 1)
    # 2,000 / 500 = 4 questions, the baseline and the three scenarios of one person.
    assert spec.items["bdu"]["healthcare"] == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": 0}, "agents is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"subset": 501}, "subset is 501"),
        ({"items": {"bsi": RELEASE.items["bsi"]}}, "tasks bsi and bdu"),
        ({"items": {**RELEASE.items, "bsi": {"weather": 5}}}, "unknown topic weather"),
        ({"items": {**RELEASE.items, "bsi": {"zoning": 5}}}, "no count for topic healthcare"),
        # 500 people have six edges that can be asked about, and four opinions each.
        ({"items": {**RELEASE.items, "bsi": dict.fromkeys(TOPICS, 3001)}}, "from 0 to 3000"),
        ({"items": {**RELEASE.items, "bdu": dict.fromkeys(TOPICS, 1999)}}, "from 2000 to 8000"),
    ],
)
def test_impossible_parameters_are_one_clear_error(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        replace(RELEASE, **changes)  # type: ignore[arg-type]  # wrong on purpose


def test_scaling_to_nobody_is_an_error() -> None:
    with pytest.raises(ValueError, match="agents is 0"):
        synthetic.scaled(RELEASE, 0)


def test_the_subset_has_its_share_of_each_stratum() -> None:
    spec = replace(RELEASE, agents=90, subset=9, items=_items(bdu=90 * 5, bsi=90))
    strata = [(("left", "middle", "right")[agent % 3],) for agent in range(90)]
    marked = quotas.draw_subset(spec, strata)
    counts = [sum(marked[place::3]) for place in range(3)]
    # 30 of 90 people are in each stratum, so 3 of the 9 are, give or take one at the borders.
    assert sum(counts) == 9
    assert all(2 <= count <= 4 for count in counts)


@given(st.integers(1, 60), st.data())
def test_the_subset_has_its_size(agents: int, data: st.DataObject) -> None:
    subset = data.draw(st.integers(0, agents))
    spec = SyntheticSpec(agents, 1, subset, _items(bdu=agents * 5, bsi=0))
    strata = [(str(data.draw(st.integers(0, 3))),) for _ in range(agents)]
    assert int(np.sum(quotas.draw_subset(spec, strata))) == subset


def _items(*, bdu: int, bsi: int = 500) -> dict[str, dict[str, int]]:
    return {"bsi": dict.fromkeys(TOPICS, bsi), "bdu": dict.fromkeys(TOPICS, bdu)}
