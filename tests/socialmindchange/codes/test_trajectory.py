from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.codes.states import KINDS
from otherminds.dataset_builders.socialmindchange.codes.trajectory import TARGET, Trajectory, plan

trajectories = st.builds(
    lambda seed, size, scenes: plan(np.random.default_rng(seed), size, scenes),
    st.integers(0, 2**32),
    st.integers(4, 6),
    st.integers(5, 7),
)


@given(trajectories)
def test_a_trajectory_leads_from_a_troubled_start_to_a_sound_and_calmer_end(
    minds: Trajectory,
) -> None:
    assert minds.moments[0].belief.level == "troubled"
    assert minds.moments[-1].belief.level == "sound"
    assert minds.moments[-1].group.tension < minds.moments[0].group.tension


@given(trajectories)
def test_every_transition_changes_something_and_says_how_it_came_about(minds: Trajectory) -> None:
    assert minds.moments[0].before is None
    for last, moment in pairwise(minds.moments):
        assert moment.belief != last.belief
        assert moment.before is not None
        # Who settles a matter is neither the person in focus nor whom the matter is about.
        assert moment.before.agent not in (TARGET, last.belief.about)


@given(trajectories)
def test_there_is_at_most_one_setback_and_it_raises_the_tension(minds: Trajectory) -> None:
    worse = [
        (last, moment)
        for last, moment in pairwise(minds.moments)
        if moment.before is not None and not moment.before.helped
    ]
    assert len(worse) <= 1
    for last, moment in worse:
        assert last.belief.level == moment.belief.level == "troubled"
        assert moment.group.tension > last.group.tension


@given(trajectories)
def test_nobody_believes_something_about_themselves_or_guesses_about_somebody_present(
    minds: Trajectory,
) -> None:
    for moment in minds.moments:
        assert moment.belief.about != TARGET
        assert moment.other.about != moment.counterpart != TARGET
        if moment.guess is not None:
            assert moment.guess.by not in (TARGET, moment.guess.about, moment.belief.about)


@given(trajectories)
def test_people_keep_the_mind_they_were_last_seen_with(minds: Trajectory) -> None:
    last = len(minds.moments) - 1
    for person in range(1, minds.size):
        seen = [moment.other for moment in minds.moments if moment.counterpart == person]
        assert minds.held(person, last) == (seen[-1] if seen else minds.initial[person])


def test_four_people_have_one_aim_each() -> None:
    goals = [nature.goal for nature in plan(np.random.default_rng(1), 4, 5).dispositions]
    assert len(set(goals)) == 4


def test_matters_are_drawn_evenly() -> None:
    # 800 trajectories of 5 scenes: each of the 8 kinds is wanted 500 times; the standard deviation of
    # a count is sqrt(4000 * 1/8 * 7/8) = 21, so that 400 to 600 is nearly five of them.
    found = Counter(
        moment.belief.kind
        for seed in range(800)
        for moment in plan(np.random.default_rng(seed), 4, 5).moments
    )
    assert set(found) == set(KINDS)
    assert all(400 < count < 600 for count in found.values())


def test_the_same_seed_gives_the_same_trajectory() -> None:
    assert plan(np.random.default_rng(5), 5, 6) == plan(np.random.default_rng(5), 5, 6)
