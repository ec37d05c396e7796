"""The interviewer that ours is compared with: the same questions, in an order fixed beforehand.

It goes through the concepts in the order in which they were first named, and asks of each the same
three questions, then about every link. What the network lacks does not matter to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from otherminds.interview import wording
from otherminds.interview.needs import Need, group, target_of
from otherminds.interview.session import STANCE, Question, Session, Target

_ORDER: Final = ("more", "upstream", "connection")


def needs(session: Session) -> list[Need]:
    """All questions that are not asked yet, each once."""
    asked = {(group(qa.template), *qa.target.key) for qa in session.qas}
    wanted = [need for need in _all(session) if need.key not in asked]
    return wanted or [Need(4, ("general",))]


def rank(session: Session, question: Question) -> tuple[int, int, int, int]:
    """The place of a question in the fixed order."""
    number = int(question.id[1:])
    if question.kind in ("tutorial", "guiding"):
        return (0, 0, 0, number)
    if question.priority == 4:
        return (3, 0, 0, number)
    if group(question.template) == "link":
        return (2, 0, 0, number)
    node = session.state.nodes[question.target.source or question.target.node or STANCE]
    return (1, node.order, _ORDER.index(question.template), number)


def _all(session: Session) -> Iterator[Need]:
    for key in session.state.nodes:
        if key == STANCE:
            continue
        yield Need(2, ("more",), Target(node=key))
        yield Need(2, ("upstream",), Target(node=key))
        yield Need(1, ("connection",), Target(source=key, node=STANCE))
    for edge in session.state.edges.values():
        yield Need(3, wording.LINK_FAMILIES, target_of(edge))
