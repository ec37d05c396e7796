"""What hangs on what others say: how often questions ask for it, and that it does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from otherminds.dataset_builders.socialmindchange.asking import outcomes
from otherminds.dataset_builders.socialmindchange.asking.question import Question, exchanged
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage, stage
from otherminds.dataset_builders.socialmindchange.world import draw
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


def test_what_is_supposed_earlier_does_not_tell_how_it_is_best_put(stages: list[Stage]) -> None:
    for made in stages:
        earlier = [one.words[min(one.words)] for one in asked(made) if len(one.words) == 2]
        fitting = [
            word
            for word in earlier
            if word is not None
            and (word.tone, word.setting)
            == (made.frame.people[word.to].ear, made.frame.people[word.to].face)
        ]
        assert len(fitting) < len(earlier)
