"""What the guide can do, when it works, and what it does to everybody.

Each move has preconditions on the person in focus and on the group. Where all hold, the person's
matter is settled (or, where the belief is sound, strengthened). Each one that fails is a reason why
the move does not work, and has effects of its own on the group.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, get_args

from otherminds.dataset_builders.socialmindchange.codes.states import Belief, Kind, Matter

Setting: TypeAlias = Literal["aside", "open"]
Goal: TypeAlias = Literal["charge", "craft", "company", "time"]
Norm: TypeAlias = Literal["turns", "knowledge", "vote", "offer"]
Reason: TypeAlias = Literal[
    "alternative_state",
    "wrong_other_person",
    "contradicted_higher_order",
    "competing_value",
    "undermined_long_term_goal",
    "violated_group_constraint",
    "causal_link_elsewhere",
]

SETTINGS: Final[tuple[Setting, ...]] = get_args(Setting)
GOALS: Final[tuple[Goal, ...]] = get_args(Goal)
NORMS: Final[tuple[Norm, ...]] = get_args(Norm)
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)

_OPPOSED: Final[dict[Goal, Goal]] = {
    "charge": "time",
    "time": "charge",
    "craft": "company",
    "company": "craft",
}
_MOST: Final = 10


@dataclass(frozen=True)
class Disposition:
    """What does not change: what somebody is after, and how they can take a serious word."""

    goal: Goal
    face: Setting


@dataclass(frozen=True)
class Group:
    """The state of the group; each variable is from 0 to 10.

    tension, fairness, face and participation; and the norm by which jobs are given out.
    """

    norm: Norm
    tension: int = 7
    fairness: int = 4
    face: int = 5
    participation: int = 4

    def moved(
        self, *, tension: int = 0, fairness: int = 0, face: int = 0, participation: int = 0
    ) -> Group:
        """The group with variables moved, kept within their bounds."""
        return replace(
            self,
            tension=_bounded(self.tension + tension),
            fairness=_bounded(self.fairness + fairness),
            face=_bounded(self.face + face),
            participation=_bounded(self.participation + participation),
        )


@dataclass(frozen=True)
class Inform:
    """Tell the person how things stand between them and somebody (`about`) in a matter."""

    matter: Matter
    about: int
    setting: Setting


@dataclass(frozen=True)
class Acknowledge:
    """Name what the person feels; `kind` is that of the emotion, of the level of their belief."""

    kind: Kind
    setting: Setting


@dataclass(frozen=True)
class Propose:
    """Take up an intention (its `kind`) and offer something for it, for the sake of an aim."""

    kind: Kind
    goal: Goal


@dataclass(frozen=True)
class Ask:
    """Ask for another act instead of one of this `kind`, or in support of it, given out by a norm."""

    kind: Kind
    norm: Norm


Move: TypeAlias = Inform | Acknowledge | Propose | Ask


@dataclass(frozen=True)
class Response:
    """What a move does: why it fails (nothing where it works), and the group after it."""

    reasons: tuple[Reason, ...]
    group: Group

    @property
    def works(self) -> bool:
        """Whether the matter is settled, or the sound belief strengthened."""
        return not self.reasons


def respond(move: Move, belief: Belief, disposition: Disposition, group: Group) -> Response:
    """What a move does to a person with this belief, and to the group."""
    reasons = tuple(_failures(move, belief, disposition, group.norm))
    if not reasons:
        fairer = 1 if isinstance(move, Ask) or belief.matter == "fairness" else 0
        return Response((), group.moved(tension=-2, fairness=fairer, face=1, participation=1))
    after = group.moved(tension=1)
    if isinstance(move, Inform | Acknowledge) and move.setting != disposition.face:
        after = after.moved(tension=1, face=-2)
    if isinstance(move, Ask) and move.norm != group.norm:
        after = after.moved(tension=1, fairness=-2, participation=-1)
    if isinstance(move, Propose) and move.goal != disposition.goal:
        after = after.moved(participation=-1)
    return Response(reasons, after)


def goal_reason(goal: Goal, own: Goal) -> Reason:
    """Why an appeal to a goal fails with somebody who has another of their own."""
    return "undermined_long_term_goal" if _OPPOSED[own] == goal else "competing_value"


def _failures(move: Move, belief: Belief, disposition: Disposition, norm: Norm) -> Iterator[Reason]:
    if isinstance(move, Inform):
        if move.matter != belief.matter:
            yield "alternative_state"
        if move.about != belief.about:
            yield "contradicted_higher_order"
    elif move.kind != belief.kind:
        yield "alternative_state"
    if isinstance(move, Inform | Acknowledge) and move.setting != disposition.face:
        yield "violated_group_constraint"
    if isinstance(move, Propose) and move.goal != disposition.goal:
        yield goal_reason(move.goal, disposition.goal)
    if isinstance(move, Ask) and move.norm != norm:
        yield "violated_group_constraint"


def _bounded(value: int) -> int:
    return max(0, min(_MOST, value))
