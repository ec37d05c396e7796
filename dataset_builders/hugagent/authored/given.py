"""What a unit's frame gives the author of an interview, and the proofs: things, claims, exchanges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from otherminds.dataset_builders.constructed import Unit
from otherminds.dataset_builders.hugagent import content
from otherminds.dataset_builders.hugagent.authored.exchanges import Exchange
from otherminds.dataset_builders.hugagent.schema import Topic
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE, Claim, claim_of

POLICY: Final = "policy"
"""What an author calls the policy among the things."""

EFFECTS: Final = ("effect", "others_effect", "first_view")
"""Kinds of claims that say which way one thing moves another."""


@dataclass(frozen=True)
class Given:
    """One person on one topic.

    A thing is what an interview may name: a factor by its name, or POLICY.
    """

    topic: Topic
    demographics: Mapping[str, str]
    voice: Mapping[str, Any]
    frame: Mapping[str, Any]

    @classmethod
    def of(cls, unit: Unit, topic: str) -> Given:
        """What a unit's frame gives on a topic."""
        frame = unit.frame
        return cls(
            content.load().topics[topic],
            frame["demographics"],
            frame["voice"],
            frame["topics"][topic],
        )

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        """The claims by id."""
        return {one["claim_id"]: claim_of(one) for one in self.frame["claims"]}

    @cached_property
    def exchanges(self) -> list[Exchange]:
        """The interviewer's plan."""
        return [
            Exchange(**{**one, "claims": tuple(one["claims"])}) for one in self.frame["exchanges"]
        ]

    @cached_property
    def things(self) -> Mapping[str, str]:
        """The policy and the person's factors, with what each is."""
        nodes = [one["name"] for one in self.frame["mind"]["graph"]["nodes"]]
        found = {name: self.topic.by_name[name].noun for name in nodes if name != ABOUT_STANCE}
        return {POLICY: self.topic.policy, **found}

    @cached_property
    def asked(self) -> list[tuple[str, str]]:
        """The things whose link an item asks about."""
        return [(thing(one), thing(other)) for one, other in self.frame["asked"]]

    @property
    def items(self) -> list[Mapping[str, Any]]:
        """The items of both tasks."""
        return [*self.frame["bsi"], *self.frame["bdu"]]

    def of_claim(self, claim: Claim) -> list[str]:
        """The things that a claim is about; of a value none."""
        if claim.kind == "value":
            return []
        if claim.kind in ("stance", "firmness"):
            return [POLICY]
        return [thing(one) for one in (claim.source, claim.target, claim.on) if one]


def thing(name: str) -> str:
    """What an author calls a factor or the stance."""
    return POLICY if name == ABOUT_STANCE else name
