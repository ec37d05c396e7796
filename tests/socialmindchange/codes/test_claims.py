"""Verdicts on options of a trajectory made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from otherminds.dataset_builders.socialmindchange.cells import MentalState, QuestionType
from otherminds.dataset_builders.socialmindchange.codes.claims import Asked, reasons
from otherminds.dataset_builders.socialmindchange.codes.moves import Disposition, Group
from otherminds.dataset_builders.socialmindchange.codes.states import Belief
from otherminds.dataset_builders.socialmindchange.codes.trajectory import (
    Guess,
    Moment,
    Trajectory,
    Transition,
)

SHAME = Belief("troubled", "ability", "passive", 2)
ANGER = Belief("troubled", "goodwill", "active", 3)
OTHER = Belief("troubled", "fairness", "active", 0)
MINDS = Trajectory(
    (Disposition("craft", "open"),) * 4,
    (),
    (
        Moment(SHAME, 3, OTHER, "noise", None, None, Group("turns")),
        Moment(
            ANGER, 3, OTHER, "table", Guess(1, "prospect", 2), Transition("shown", 1, True),
            Group("turns"),
        ),
    ),
)  # fmt: skip


def found(
    kind: QuestionType, state: MentalState, *, guess: bool = False, **values: Any
) -> list[str]:
    second = 0 if kind == "guidance_action" else 1
    return list(reasons(Asked(kind, state, 0, second, guess), values, MINDS))


def test_guidance_is_run_through_the_simulator() -> None:
    assert found("guidance_action", "belief", matter_i="ability", about_i=2, setting="open") == []
    assert found("guidance_action", "belief", matter_i="prospect", about_i=2, setting="aside") == [
        "alternative_state",
        "violated_group_constraint",
    ]


def test_a_state_of_the_other_person_is_told_from_any_other_state() -> None:
    wrong = {"about_i": 2, "setting": "open"}
    assert found("guidance_action", "belief", matter_i="fairness", **wrong) == [
        "wrong_other_person"
    ]
    assert found("guidance_action", "belief", matter_i="goodwill", **wrong) == ["alternative_state"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"about_i": 3}, "contradicted_higher_order"),
        ({"matter_i": "prospect"}, "alternative_state"),
        ({"matter_j": "fairness"}, "wrong_other_person"),
        ({"about_j": 1}, "contradicted_higher_order"),
    ],
)
def test_a_pair_of_beliefs_holds_in_both_scenes(change: dict[str, Any], reason: str | None) -> None:
    values = {"matter_i": "ability", "about_i": 2, "matter_j": "goodwill", "about_j": 3} | change
    assert found("transition_state", "belief", **values) == ([reason] if reason else [])


def test_what_somebody_supposes_is_held_against_what_they_said() -> None:
    values = {"matter_j": "goodwill", "about_j": 3, "guess_matter": "prospect", "guess_about": 2}
    assert found("transition_state", "belief", guess=True, **values) == []
    values["guess_about"] = 3
    assert found("transition_state", "belief", guess=True, **values) == [
        "contradicted_higher_order"
    ]


def test_emotions_are_of_the_person_in_focus_and_of_the_other() -> None:
    values: dict[str, Any] = {
        "kind_i": ("ability", "passive"),
        "kind_j": ("goodwill", "active"),
        "kind_p": ("fairness", "active"),
    }
    assert found("transition_state", "emotion", **values) == []
    values["kind_p"] = ("goodwill", "active")
    assert found("transition_state", "emotion", **values) == ["wrong_other_person"]


def test_an_act_has_a_kind_and_a_way() -> None:
    values: dict[str, Any] = {
        "kind_i": ("ability", "passive"),
        "way_i": "noise",
        "kind_j": ("goodwill", "active"),
        "way_j": "table",
    }
    assert found("transition_state", "action", **values) == []
    assert found("transition_state", "action", **values | {"way_j": "noise"}) == [
        "causal_link_elsewhere"
    ]
    assert found("transition_state", "action", **values | {"kind_i": ("ability", "active")}) == [
        "alternative_state"
    ]


def test_causes_are_what_was_done_in_between_and_what_came_up() -> None:
    assert found("transition_reason", "belief", bridge="shown", matter_j="goodwill") == []
    assert found("transition_reason", "belief", bridge="told", matter_j="ability") == [
        "causal_link_elsewhere",
        "alternative_state",
    ]


def test_a_feeling_is_explained_by_belief_and_agency() -> None:
    values = {"matter_i": "ability", "matter_j": "goodwill", "about_j": 3, "agency": "active"}
    assert found("transition_reason", "emotion", **values) == []
    assert found("transition_reason", "emotion", **values | {"agency": "passive"}) == [
        "causal_link_elsewhere"
    ]


def test_an_intention_is_explained_by_feelings_and_an_act_by_intentions_and_circumstance() -> None:
    kinds: dict[str, Any] = {"kind_i": ("ability", "passive"), "kind_j": ("goodwill", "active")}
    assert found("transition_reason", "intention", **kinds, about_j=3) == []
    assert found("transition_reason", "intention", **kinds, about_j=2) == [
        "contradicted_higher_order"
    ]
    assert found("transition_reason", "action", **kinds, circumstance="table") == []
    assert found("transition_reason", "action", **kinds, circumstance="noise") == [
        "causal_link_elsewhere"
    ]


def test_each_step_of_a_plan_has_to_work() -> None:
    assert found(
        "transition_plan", "belief", matter_i="ability", matter_j="goodwill", setting="open"
    ) == []  # fmt: skip
    kinds: dict[str, Any] = {"kind_i": ("ability", "passive"), "kind_j": ("fairness", "active")}
    assert found("transition_plan", "intention", **kinds, goal="company") == [
        "undermined_long_term_goal",
        "wrong_other_person",
    ]
    assert found("transition_plan", "action", **kinds, norm="vote") == [
        "violated_group_constraint",
        "wrong_other_person",
    ]
