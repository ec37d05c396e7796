"""What an option claims, and the simulator's verdict on it.

An option is an assignment of values to the factors of its question. `reasons` runs it against the
trajectory: a move through the simulator, a state, cause or link through the rules that lead to it. The
right option is the one that has no reason against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from otherminds.dataset_builders.socialmindchange.cells import MentalState, QuestionType
from otherminds.dataset_builders.socialmindchange.codes.moves import (
    Acknowledge,
    Ask,
    Inform,
    Move,
    Propose,
    Reason,
    respond,
)
from otherminds.dataset_builders.socialmindchange.codes.states import (
    Belief,
    Emotion,
    Intention,
    act_of,
    emotion,
    intention,
)
from otherminds.dataset_builders.socialmindchange.codes.trajectory import Moment, Trajectory

Values: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """What is asked: the type, the mental state, and the scenes (the same one twice for guidance).

    `guess` marks a question on a belief that also asks what somebody takes it to be.
    """

    type: QuestionType
    state: MentalState
    first: int
    second: int
    guess: bool = False


def reasons(asked: Asked, values: Values, minds: Trajectory) -> list[Reason]:
    """Everything that speaks against an option, each reason once; nothing for the right one."""
    found = (
        _plan(asked, values, minds)
        if asked.type in ("guidance_action", "transition_plan")
        else _CHECKS[asked.type, asked.state](asked, values, minds)
    )
    return list(dict.fromkeys(found))


def _plan(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    """Run the moves of a plan one after the other, each in its scene."""
    scenes = sorted({asked.first, asked.second})
    for scene, suffix in zip(scenes, ("_i", "_j"), strict=False):
        moment = minds.moments[scene]
        response = respond(
            _move(asked.state, values, suffix, moment.belief), moment.belief, minds.focus,
            moment.group,
        )  # fmt: skip
        for reason in response.reasons:
            yield _whose(reason, values, suffix, moment)


def _move(state: MentalState, values: Values, suffix: str, belief: Belief) -> Move:
    if state == "belief":
        about = values.get(f"about{suffix}", belief.about)
        return Inform(values[f"matter{suffix}"], about, values["setting"])
    kind = values[f"kind{suffix}"]
    if state == "emotion":
        return Acknowledge(kind, values["setting"])
    if state == "intention":
        return Propose(kind, values["goal"])
    return Ask(kind, values["norm"])


def _whose(reason: Reason, values: Values, suffix: str, moment: Moment) -> Reason:
    """A state that is not the person's own but that of the other one seen closely in the scene."""
    named = values.get(f"matter{suffix}", values.get(f"kind{suffix}"))
    if reason == "alternative_state" and named in (moment.other.matter, moment.other.kind):
        return "wrong_other_person"
    return reason


def _state_belief(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    if asked.guess:
        moment = minds.moments[asked.second]
        assert moment.guess is not None
        if (values["guess_matter"], values["guess_about"]) != (
            moment.guess.matter,
            moment.guess.about,
        ):
            yield "contradicted_higher_order"
        yield from _believed(values, "_j", moment)
        return
    for scene, suffix in ((asked.first, "_i"), (asked.second, "_j")):
        yield from _believed(values, suffix, minds.moments[scene])


def _believed(values: Values, suffix: str, moment: Moment) -> Iterator[Reason]:
    if values[f"matter{suffix}"] != moment.belief.matter:
        yield _whose("alternative_state", values, suffix, moment)
    if values[f"about{suffix}"] != moment.belief.about:
        yield "contradicted_higher_order"


def _state_emotion(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    yield from _felt(asked, values, minds)
    moment = minds.moments[asked.second]
    if _feeling(moment.other, values["kind_p"]) != emotion(moment.other):
        yield "wrong_other_person"


def _felt(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    for scene, suffix in ((asked.first, "_i"), (asked.second, "_j")):
        moment = minds.moments[scene]
        if _feeling(moment.belief, values[f"kind{suffix}"]) != emotion(moment.belief):
            yield _whose("alternative_state", values, suffix, moment)


def _state_intention(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    for scene, suffix in ((asked.first, "_i"), (asked.second, "_j")):
        moment = minds.moments[scene]
        meant = intention(moment.belief, emotion(moment.belief))
        if _meant(moment.belief, values[f"kind{suffix}"]) != meant:
            yield _whose("alternative_state", values, suffix, moment)


def _state_action(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    for scene, suffix in ((asked.first, "_i"), (asked.second, "_j")):
        moment = minds.moments[scene]
        done = act_of(moment.belief, moment.circumstance)
        claimed = act_of(_with(moment.belief, values[f"kind{suffix}"]), values[f"way{suffix}"])
        if claimed.name != done.name:
            yield _whose("alternative_state", values, suffix, moment)
        if claimed.way != done.way:
            yield "causal_link_elsewhere"


def _reason_belief(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    after = minds.moments[asked.first + 1].before
    assert after is not None
    if values["bridge"] != after.bridge:
        yield "causal_link_elsewhere"
    moment = minds.moments[asked.second]
    if values["matter_j"] != moment.belief.matter:
        yield _whose("alternative_state", values, "_j", moment)


def _reason_emotion(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    first, second = minds.moments[asked.first], minds.moments[asked.second]
    if values["matter_i"] != first.belief.matter:
        yield _whose("alternative_state", values, "_i", first)
    yield from _believed(values, "_j", second)
    claimed = _with(second.belief, (second.belief.matter, values["agency"]))
    if emotion(claimed) != emotion(second.belief):
        yield "causal_link_elsewhere"


def _reason_intention(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    yield from _felt(asked, values, minds)
    if values["about_j"] != minds.moments[asked.second].belief.about:
        yield "contradicted_higher_order"


def _reason_action(asked: Asked, values: Values, minds: Trajectory) -> Iterator[Reason]:
    yield from _state_intention(asked, values, minds)
    moment = minds.moments[asked.second]
    if act_of(moment.belief, values["circumstance"]) != act_of(moment.belief, moment.circumstance):
        yield "causal_link_elsewhere"


def _with(belief: Belief, kind: tuple[Any, Any]) -> Belief:
    return Belief(belief.level, *kind, belief.about)


def _feeling(belief: Belief, kind: tuple[Any, Any]) -> Emotion:
    return emotion(_with(belief, kind))


def _meant(belief: Belief, kind: tuple[Any, Any]) -> Intention:
    claimed = _with(belief, kind)
    return intention(claimed, emotion(claimed))


_CHECKS: Final = {
    ("transition_state", "belief"): _state_belief,
    ("transition_state", "emotion"): _state_emotion,
    ("transition_state", "intention"): _state_intention,
    ("transition_state", "action"): _state_action,
    ("transition_reason", "belief"): _reason_belief,
    ("transition_reason", "emotion"): _reason_emotion,
    ("transition_reason", "intention"): _reason_intention,
    ("transition_reason", "action"): _reason_action,
}
