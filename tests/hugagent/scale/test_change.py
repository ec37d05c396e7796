"""How stances and ratings move: values derived by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent.world import change
from otherminds.dataset_builders.hugagent.world.claims import EASILY_MOVED, PERSUADABLE, SETTLED


def test_a_push_adds_up_what_moved_factors_do() -> None:
    # 2/3 · 0.5 − 1/3 · 1 = 0; a factor without a pull adds nothing.
    assert change.push({"noise": 2, "rents": -1}, {"noise": 0.5, "rents": 1.0}) == 0.0
    assert change.push({"noise": 3, "light": 3}, {"noise": -0.5}) == -0.5


@pytest.mark.parametrize(
    ("pushed", "firmness", "points"),
    [
        (1.0, SETTLED, 0),
        (0.09, EASILY_MOVED, 0),
        (0.1, PERSUADABLE, 1),
        (-0.25, PERSUADABLE, -2),
        (0.8, PERSUADABLE, 3),
        (-0.1, EASILY_MOVED, -5),
        (0.8, EASILY_MOVED, 9),
    ],
)
def test_a_stance_moves_by_whole_points_of_the_person(
    pushed: float, firmness: int, points: int
) -> None:
    assert change.shift(pushed, firmness) == points


def test_nobody_leaves_the_scale() -> None:
    assert change.stance_after(9, 1.0, EASILY_MOVED) == 10
    assert change.stance_after(2, -1.0, PERSUADABLE) == 1


def test_a_reason_is_stirred_by_its_own_rise_and_by_what_acts_on_it() -> None:
    moves = {"noise": 2, "traffic": -3}
    # Noise itself + 2; traffic lowers by 3 − 1, and more of it raises noise: − 2.
    assert change.stirred("noise", moves, {"traffic": 1}) == 0
    assert change.stirred("noise", moves, {"traffic": -1}) == 4
    # What moves slightly reaches nothing else.
    assert change.stirred("noise", {"traffic": 1}, {"traffic": 1}) == 0
    assert change.rating_after("noise", 2, moves, {"traffic": -1}) == 5


@given(
    st.dictionaries(st.sampled_from("abc"), st.integers(-3, 3)),
    st.dictionaries(st.sampled_from("abc"), st.floats(-1, 1)),
    st.integers(1, 10),
    st.sampled_from((SETTLED, PERSUADABLE, EASILY_MOVED)),
)
def test_a_changed_stance_differs_by_a_point_or_more(
    moves: dict[str, int], pulls: dict[str, float], stance: int, firmness: int
) -> None:
    after = change.stance_after(stance, change.push(moves, pulls), firmness)
    assert 1 <= after <= 10
    assert isinstance(after, int)


@given(st.dictionaries(st.sampled_from("abc"), st.integers(-3, 3)), st.floats(-1, 1))
def test_turned_round_a_scenario_pushes_the_other_way(moves: dict[str, int], pull: float) -> None:
    pulls = dict.fromkeys("abc", pull)
    turned = {name: -step for name, step in moves.items()}
    assert change.push(turned, pulls) == -change.push(moves, pulls)
