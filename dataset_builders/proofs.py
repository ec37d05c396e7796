"""What is wrong with an author's reply, as the proofs of all pipelines say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, TypeAlias

from otherminds.dataset_builders.constructed import Content, Unit


class Fault(NamedTuple):
    """Where a text is wrong, and what to write instead."""

    where: str
    message: str


Find: TypeAlias = Callable[[Unit, Content], Iterable[Fault]]
"""From a unit, with the texts that were accepted before, and a reply to what is wrong with the reply."""


class Proof(NamedTuple):
    """A check of a stage's replies: its name, what it finds, and whether it is an audit (a text gives
    nothing away)."""

    name: str
    find: Find
    kind: Literal["proof", "audit"] = "proof"
