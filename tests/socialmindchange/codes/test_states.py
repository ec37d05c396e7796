from __future__ import annotations

import pytest

from otherminds.dataset_builders.socialmindchange.codes.states import (
    CIRCUMSTANCES,
    KINDS,
    LEVELS,
    Belief,
    Intention,
    act_of,
    action,
    emotion,
    intention,
)

ALL = [Belief(level, *kind, 2) for level in LEVELS for kind in KINDS]


def test_a_belief_leads_to_one_emotion_and_each_emotion_comes_from_one_belief() -> None:
    # 2 levels x 4 matters x 2 agencies = 16 beliefs about one person.
    assert len(ALL) == len({emotion(belief).name for belief in ALL}) == 16


def test_troubled_beliefs_are_felt_as_bad_and_sound_ones_as_good() -> None:
    for belief in ALL:
        assert (emotion(belief).valence > 0) == (belief.level == "sound")


def test_those_who_can_act_are_more_aroused_than_those_who_cannot() -> None:
    for belief in ALL:
        if belief.agency == "active":
            passive = Belief(belief.level, belief.matter, "passive", belief.about)
            assert emotion(belief).arousal > emotion(passive).arousal


def test_an_intention_is_toward_whom_the_belief_is_about() -> None:
    belief = Belief("troubled", "goodwill", "active", 3)
    assert intention(belief, emotion(belief)) == Intention("confront", 3)


def test_circumstances_decide_the_way_of_an_act_and_not_what_it_is() -> None:
    belief = Belief("sound", "fairness", "passive", 1)
    acts = [act_of(belief, circumstance) for circumstance in CIRCUMSTANCES]
    assert {act.name for act in acts} == {"keep to the split"}
    assert [act.way for act in acts] == ["in writing", "aside", "by deed", "aloud"]


def test_an_act_does_not_follow_from_a_feeling_or_intention_that_the_belief_does_not_lead_to() -> (
    None
):
    belief = Belief("troubled", "ability", "passive", 2)
    other = Belief("troubled", "goodwill", "active", 2)
    right = intention(belief, emotion(belief))
    with pytest.raises(ValueError, match="anger and 'hide one's work' do not follow"):
        action(belief, emotion(other), right, "noise")
    with pytest.raises(ValueError, match="shame and 'confront' do not follow"):
        action(belief, emotion(belief), intention(other, emotion(other)), "noise")
