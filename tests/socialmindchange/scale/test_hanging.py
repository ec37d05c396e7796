"""What hangs on what others say: how often questions ask for it, and that it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from otherminds.dataset_builders.socialmindchange.asking import outcomes
from otherminds.dataset_builders.socialmindchange.asking.question import Question, exchanged
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage, stage
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.minds import fits
from otherminds.dataset_builders.socialmindchange.world.roll import Roll
from otherminds.dataset_builders.socialmindchange.world.variables import World

TRANSITIONS = ("transition_state", "transition_reason")


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return [stage(11, 0, 0, 4, 5), stage(11, 0, 1, 4, 5), stage(11, 1, 0, 5, 5)]


def asked(made: Stage) -> Iterator[Question]:
    return (one.asked for one in made.items if one.asked.type in TRANSITIONS)


def hangs(roll: Roll, one: Question) -> bool:
    """Whether the right option would be wrong if others said what the story tells."""
    told = World(roll.as_told, exchanged(roll, one.words))
    return not all(told.holds(claim) for claim in one.options[0].claims)


@pytest.mark.parametrize(
    ("size", "scenes", "order", "share"),
    [
        (4, 5, 2, 0.25),
        (4, 5, 1, 0.25),  # no less for what takes no look into minds
        (4, 5, 3, 0.7),
        (6, 5, 2, 0.75),
        (4, 7, 3, 0.95),  # 1.2, but never all
        (4, 4, 2, 0.25),
    ],
)
def test_more_is_to_hang_on_others_in_larger_stages_and_deeper_beliefs(
    size: int, scenes: int, order: int, share: float
) -> None:
    frame = draw.frame(np.random.default_rng(1), ["A", "B", "C", "D", "E", "F"][:size], scenes)
    assert outcomes.hanging(frame, order) == pytest.approx(share)


def test_some_right_answers_hang_on_what_others_say_and_some_do_not(stages: list[Stage]) -> None:
    for made in stages:
        found = [hangs(made.roll, one) for one in asked(made)]
        assert 4 <= sum(found) <= len(found) - 4


def test_words_are_told_as_fitting_just_where_they_fit(stages: list[Stage]) -> None:
    for made in stages:
        for one in (item.asked for item in made.items):
            told = one.words if one.type != "transition_plan" else {}
            courses = [option.course for option in one.options if option.course]
            said = [told[scene] for scene in one.fitting & told.keys()]
            said += [course[scene] for scene in one.fitting for course in courses]
            for word in said:
                assert word is None or fits(made.frame, word, word.to)


def test_which_way_is_best_is_told_by_no_supposed_word(stages: list[Stage]) -> None:
    """But for the last word of reasons, which are told in all ways."""
    for made in stages:
        for one in asked(made):
            last = {max(one.words)} if one.type == "transition_reason" else set[int]()
            assert one.fitting == one.words.keys() - last
        ways = [
            (option.course[scene].tone, option.course[scene].setting)
            for item in made.items
            if item.asked.type == "transition_plan"
            for option in item.asked.options
            for scene in decided(item.asked)
        ]
        assert len(set(ways)) == 4
        assert len(set(Counter(ways).values())) == 1


def decided(one: Question) -> set[int]:
    """The scenes in which the courses of a plan differ in how a word is put."""
    columns = enumerate(zip(*(option.course for option in one.options), strict=True))
    return {scene for scene, some in columns if len(set(some)) > 1} - one.fitting
