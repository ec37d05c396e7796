"""When the follow-ups end (§A6)."""

from __future__ import annotations

from typing import Final

from otherminds.interview import pool
from otherminds.interview.session import Session, Step, StopReason

_ESSENTIAL: Final = (1, 2, 3)


def reason(session: Session) -> StopReason | None:
    """Why no more questions come; None while they do.

    (1) no new anchor, (2) no new edge on a path into the stance in the last answers, (3) too little
    information gained: these only while no question of priority 1–3 is pending, and never before
    `min_qas` answers. (4) `max_qas` are answered. Where nothing is left to ask, that is the reason.
    """
    parameters = session.config.parameters
    if session.answered >= parameters.max_qas:
        return "max_qas"
    if session.unread or session.current is not None:
        return None
    is_essential_left = any(one.priority in _ESSENTIAL for one in session.pending)
    if session.answered >= parameters.min_qas and not is_essential_left:
        steps = _steps(session)
        if _none_in(steps, parameters.stop_no_new_anchor, "anchors"):
            return "no_new_anchor"
        if _none_in(steps, parameters.stop_no_new_path, "path_edges"):
            return "no_new_path"
        if mean_gain(steps, parameters.gain_window) < parameters.stop_gain:
            return "no_gain"
    return "nothing_to_ask" if pool.select(session) is None else None


def mean_gain(steps: tuple[Step, ...], window: int) -> float:
    """The mean information gain of the last answers, in bits; infinite if there are fewer."""
    if len(steps) < window:
        return float("inf")
    return sum(step.gain for step in steps[-window:]) / window


def _steps(session: Session) -> tuple[Step, ...]:
    tutorial = {qa.id for qa in session.qas if qa.kind == "tutorial"}
    return tuple(step for step in session.state.steps if step.qa_id not in tutorial)


def _none_in(steps: tuple[Step, ...], window: int, field: str) -> bool:
    return len(steps) >= window and not any(getattr(step, field) for step in steps[-window:])
