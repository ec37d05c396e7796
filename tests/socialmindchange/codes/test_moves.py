from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.codes.moves import (
    GOALS,
    Acknowledge,
    Ask,
    Disposition,
    Group,
    Inform,
    Move,
    Propose,
    Reason,
    goal_reason,
    respond,
)
from otherminds.dataset_builders.socialmindchange.codes.states import Belief

BELIEF = Belief("troubled", "goodwill", "passive", 2)
NATURE = Disposition(goal="craft", face="aside")
GROUP = Group("vote")


@pytest.mark.parametrize(
    "move",
    [
        Inform("goodwill", 2, "aside"),
        Acknowledge(("goodwill", "passive"), "aside"),
        Propose(("goodwill", "passive"), "craft"),
        Ask(("goodwill", "passive"), "vote"),
    ],
)
def test_a_move_that_meets_belief_person_and_group_works(move: Move) -> None:
    assert respond(move, BELIEF, NATURE, GROUP).works


@pytest.mark.parametrize(
    ("move", "reasons"),
    [
        (Inform("ability", 2, "aside"), ("alternative_state",)),
        (Inform("goodwill", 3, "aside"), ("contradicted_higher_order",)),
        (Inform("goodwill", 2, "open"), ("violated_group_constraint",)),
        (Acknowledge(("goodwill", "active"), "aside"), ("alternative_state",)),
        (Acknowledge(("goodwill", "passive"), "open"), ("violated_group_constraint",)),
        (Propose(("prospect", "passive"), "craft"), ("alternative_state",)),
        (Propose(("goodwill", "passive"), "time"), ("competing_value",)),
        (Propose(("goodwill", "passive"), "company"), ("undermined_long_term_goal",)),
        (Ask(("goodwill", "passive"), "turns"), ("violated_group_constraint",)),
        (
            Inform("ability", 1, "open"),
            ("alternative_state", "contradicted_higher_order", "violated_group_constraint"),
        ),
    ],
)
def test_each_condition_that_fails_is_a_reason(move: Move, reasons: tuple[Reason, ...]) -> None:
    assert respond(move, BELIEF, NATURE, GROUP).reasons == reasons


def test_each_goal_has_one_opposite_and_competes_with_two() -> None:
    for own in GOALS:
        others = [goal_reason(goal, own) for goal in GOALS if goal != own]
        assert sorted(others) == ["competing_value", "competing_value", "undermined_long_term_goal"]


def test_a_move_that_works_calms_the_group() -> None:
    # The group starts with tension 7, fairness 4, face 5, participation 4; what works takes 2 of
    # tension and gives 1 of face and participation; asking keeps to the norm, so 1 of fairness.
    after = respond(Ask(BELIEF.kind, "vote"), BELIEF, NATURE, GROUP).group
    assert (after.tension, after.fairness, after.face, after.participation) == (5, 5, 6, 5)


def test_a_word_in_the_wrong_setting_costs_face_and_one_against_the_norm_fairness() -> None:
    # Whatever fails adds 1 of tension; the wrong setting 1 more and -2 face; the wrong norm 1 more,
    # -2 fairness and -1 participation.
    open_word = respond(Inform("goodwill", 2, "open"), BELIEF, NATURE, GROUP).group
    assert (open_word.tension, open_word.face) == (9, 3)
    against = respond(Ask(BELIEF.kind, "turns"), BELIEF, NATURE, GROUP).group
    assert (against.tension, against.fairness, against.participation) == (9, 2, 3)


@given(st.lists(st.sampled_from(["aside", "open"]), max_size=30))
def test_group_variables_stay_within_their_bounds(settings: list[str]) -> None:
    group = GROUP
    for setting in settings:
        group = respond(Inform("goodwill", 2, setting), BELIEF, NATURE, group).group  # type: ignore[arg-type]  # drawn from both settings
    values = (group.tension, group.fairness, group.face, group.participation)
    assert all(0 <= value <= 10 for value in values)
