"""What differs between the options of each kind of question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.codes.claims import Asked
from otherminds.dataset_builders.socialmindchange.codes.grid import Factor
from otherminds.dataset_builders.socialmindchange.codes.moves import GOALS, NORMS, SETTINGS
from otherminds.dataset_builders.socialmindchange.codes.states import (
    AGENCIES,
    CIRCUMSTANCES,
    KINDS,
    MATTERS,
    Belief,
)
from otherminds.dataset_builders.socialmindchange.codes.trajectory import (
    BRIDGES,
    TARGET,
    Guess,
    Moment,
    Trajectory,
)


def factors(asked: Asked, minds: Trajectory) -> list[Factor]:
    """The factors of a question; their sizes multiply to sixteen."""
    first, second = minds.moments[asked.first], minds.moments[asked.second]
    if asked.guess:
        assert second.guess is not None
        return _guessed(second.belief, second.guess, minds)
    return _FACTORS[asked.type, asked.state](asked, first, second, minds)


def _matter(belief: Belief, suffix: str, size: int) -> Factor:
    return Factor(f"matter{suffix}", belief.matter, MATTERS, size)


def _about(belief: Belief, suffix: str, minds: Trajectory) -> Factor:
    others = [place for place in range(minds.size) if place != TARGET]
    return Factor(f"about{suffix}", belief.about, others, 2)


def _kind(belief: Belief, suffix: str, size: int) -> Factor:
    return Factor(f"kind{suffix}", belief.kind, KINDS, size)


def _setting(minds: Trajectory) -> Factor:
    return Factor("setting", minds.focus.face, SETTINGS, 2)


def _goal(minds: Trajectory) -> Factor:
    return Factor("goal", minds.focus.goal, GOALS, 4)


def _norm(minds: Trajectory) -> Factor:
    return Factor("norm", minds.moments[0].group.norm, NORMS, 4)


def _way(moment: Moment, suffix: str) -> Factor:
    return Factor(f"way{suffix}", moment.circumstance, CIRCUMSTANCES, 2)


def _guessed(belief: Belief, guess: Guess, minds: Trajectory) -> list[Factor]:
    others = [place for place in range(minds.size) if place not in (TARGET, guess.by)]
    return [
        _matter(belief, "_j", 2),
        _about(belief, "_j", minds),
        Factor("guess_matter", guess.matter, MATTERS, 2),
        Factor("guess_about", guess.about, others, 2),
    ]


def _bridge(asked: Asked, minds: Trajectory) -> Factor:
    before = minds.moments[asked.first + 1].before
    assert before is not None
    return Factor("bridge", before.bridge, BRIDGES, 4)


_Make: TypeAlias = Callable[[Asked, Moment, Moment, Trajectory], list[Factor]]

_FACTORS: Final[dict[tuple[str, str], _Make]] = {
    ("guidance_action", "belief"): lambda _, i, __, minds: [
        _matter(i.belief, "_i", 4),
        _about(i.belief, "_i", minds),
        _setting(minds),
    ],
    ("guidance_action", "emotion"): lambda _, i, __, minds: [
        _kind(i.belief, "_i", 8),
        _setting(minds),
    ],
    ("guidance_action", "intention"): lambda _, i, __, minds: [
        _kind(i.belief, "_i", 4),
        _goal(minds),
    ],
    ("guidance_action", "action"): lambda _, i, __, minds: [
        _kind(i.belief, "_i", 4),
        _norm(minds),
    ],
    ("transition_state", "belief"): lambda _, i, j, minds: [
        _matter(i.belief, "_i", 2),
        _about(i.belief, "_i", minds),
        _matter(j.belief, "_j", 2),
        _about(j.belief, "_j", minds),
    ],
    ("transition_state", "emotion"): lambda _, i, j, __: [
        _kind(i.belief, "_i", 2),
        _kind(j.belief, "_j", 4),
        Factor("kind_p", j.other.kind, KINDS, 2),
    ],
    ("transition_state", "intention"): lambda _, i, j, __: [
        _kind(i.belief, "_i", 4),
        _kind(j.belief, "_j", 4),
    ],
    ("transition_state", "action"): lambda _, i, j, __: [
        _kind(i.belief, "_i", 2),
        _way(i, "_i"),
        _kind(j.belief, "_j", 2),
        _way(j, "_j"),
    ],
    ("transition_reason", "belief"): lambda asked, _, j, minds: [
        _bridge(asked, minds),
        _matter(j.belief, "_j", 4),
    ],
    ("transition_reason", "emotion"): lambda _, i, j, minds: [
        _matter(i.belief, "_i", 2),
        _matter(j.belief, "_j", 2),
        _about(j.belief, "_j", minds),
        Factor("agency", j.belief.agency, AGENCIES, 2),
    ],
    ("transition_reason", "intention"): lambda _, i, j, minds: [
        _kind(i.belief, "_i", 2),
        _kind(j.belief, "_j", 4),
        _about(j.belief, "_j", minds),
    ],
    ("transition_reason", "action"): lambda _, i, j, __: [
        _kind(i.belief, "_i", 2),
        _kind(j.belief, "_j", 4),
        Factor("circumstance", j.circumstance, CIRCUMSTANCES, 2),
    ],
    ("transition_plan", "belief"): lambda _, i, j, minds: [
        _setting(minds),
        _matter(i.belief, "_i", 4),
        _matter(j.belief, "_j", 2),
    ],
    ("transition_plan", "emotion"): lambda _, i, j, minds: [
        _setting(minds),
        _kind(i.belief, "_i", 4),
        _kind(j.belief, "_j", 2),
    ],
    ("transition_plan", "intention"): lambda _, i, j, minds: [
        _kind(i.belief, "_i", 2),
        _kind(j.belief, "_j", 2),
        _goal(minds),
    ],
    ("transition_plan", "action"): lambda _, i, j, minds: [
        _kind(i.belief, "_i", 2),
        _kind(j.belief, "_j", 2),
        _norm(minds),
    ],
}
