"""What an interview tells of a person's mind, as claims in blocks.

Claims that an item has to put together stand in different blocks, so that no one answer holds them:
a block has what acts from one factor; what is taken up again comes at least two blocks after what
it takes up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import pick, shuffled
from otherminds.dataset_builders.hugagent.population import STANCE
from otherminds.dataset_builders.hugagent.schema import AGE
from otherminds.dataset_builders.hugagent.world.claims import (
    HOLDERS,
    Block,
    Claim,
    InterviewPlan,
    Told,
)
from otherminds.dataset_builders.hugagent.world.minds import Mind
from otherminds.dataset_builders.hugagent.world.network import Edge
from otherminds.dataset_builders.hugagent.world.people import Person

_MOST_IN_A_BLOCK: Final = 3
_OLD: Final = 65
_ELDERS: Final = ("uncle", "aunt", "boss")
"""Whom those above 65 seldom have."""

_FOREIGN_VIEWS: Final = 2
"""Beliefs of others that the person takes no side on: nothing follows from them."""


def draw_plan(
    rng: np.random.Generator, person: Person, mind: Mind, familiar: set[str]
) -> InterviewPlan:
    """Draw the order in which everything comes up."""
    written = _Claims(rng, mind, int(person.demographics[AGE]))
    early, middle, late = written.early(), written.middle(), written.late()
    opening = written.opening()
    # Taken up again is what came at the start: at least two blocks lie between.
    blocks = [*opening, *shuffled(rng, early), *shuffled(rng, middle), *shuffled(rng, late)]
    return InterviewPlan(
        person.number,
        mind.topic,
        person.demographics,
        person.manner,
        tuple(blocks),
        familiar,
    )


@dataclass
class _Claims:
    """Writes the claims of one interview."""

    rng: np.random.Generator
    mind: Mind
    age: int
    _count: int = 0
    _again: list[Block] = field(default_factory=list)
    _holders: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        named = [name for name in HOLDERS if self.age <= _OLD or name not in _ELDERS]
        self._holders = shuffled(self.rng, named)

    def opening(self) -> list[Block]:
        """The opinion, where the interview tells it."""
        shown = self.mind.stance
        if shown.grade == "implied":
            return []
        return [Block(STANCE, (self._claim("stance", shown.grade, level=shown.told),))]

    def early(self) -> list[Block]:
        """What will be taken up again: first views, and what others think."""
        blocks = []
        for edge in self.mind.network.edges:
            if edge.form == "change":
                blocks.append(self._first_view(edge))
            elif edge.form == "others":
                blocks.append(self._of_another(edge))
        return blocks

    def middle(self) -> list[Block]:
        """Plain beliefs, by the factor that acts, with how much it counts; values; others' views."""
        by_factor: dict[str, list[Claim]] = {}
        for edge in self.mind.network.edges:
            if edge.form == "plain" and edge.told:
                by_factor.setdefault(edge.source, []).append(self._effect(edge))
        for name, reason in self.mind.network.reasons.items():
            if reason.grade != "implied":
                claim = self._claim("weight", reason.grade, source=name, level=reason.shown)
                by_factor.setdefault(name, []).append(claim)
        blocks = [
            Block(name, tuple(part))
            for name, claims in by_factor.items()
            for part in _parts(shuffled(self.rng, claims))
        ]
        blocks += [
            Block("", (self._claim("value", "stated", source=name, level=level),))
            for name, level in self.mind.values_told.items()
        ]
        return blocks + list(self._foreign_views())

    def late(self) -> list[Block]:
        """Firmness, the weighing of the fork, and what takes up earlier claims."""
        fork, shown = self.mind.network.fork, self.mind.firmness
        weighing = self._claim(
            "weighing", "stated", source=fork.winner, target=fork.loser, on=fork.target
        )
        blocks = [*self._again, Block(fork.target, (weighing,))]
        if shown.grade != "implied":
            blocks.append(
                Block(STANCE, (self._claim("firmness", shown.grade, level=shown.told - 1),))
            )
        return blocks

    def _effect(self, edge: Edge) -> Claim:
        told: Told = "hinted" if edge.grade == "hinted" else "stated"
        sign = edge.hint if told == "hinted" else edge.sign
        return self._claim("effect", told, source=edge.source, target=edge.target, sign=sign)

    def _first_view(self, edge: Edge) -> Block:
        stands = pick(self.rng, (1, -1))
        first = self._claim(
            "first_view", "stated", source=edge.source, target=edge.target, sign=edge.sign * stands
        )
        self._again.append(Block(edge.source, (self._again_on(first, "revision", stands),)))
        return Block(edge.source, (first,))

    def _of_another(self, edge: Edge) -> Block:
        agrees = pick(self.rng, (1, -1))
        theirs = self._claim(
            "others_effect",
            "stated",
            source=edge.source,
            target=edge.target,
            sign=edge.sign * agrees,
            holder=self._holders.pop(),
        )
        self._again.append(Block(edge.source, (self._again_on(theirs, "accord", agrees),)))
        return Block(edge.source, (theirs,))

    def _foreign_views(self) -> Iterator[Block]:
        """Somebody else's beliefs about pairs that the person's own beliefs join: to be told apart."""
        plain = [one for one in self.mind.network.edges if one.form == "plain" and one.sign]
        for edge in shuffled(self.rng, plain)[:_FOREIGN_VIEWS]:
            claim = self._claim(
                "others_effect",
                "stated",
                source=edge.source,
                target=edge.target,
                sign=pick(self.rng, (1, -1)),
                holder=self._holders.pop(),
            )
            yield Block(edge.source, (claim,))

    def _again_on(self, claim: Claim, kind: str, sign: int) -> Claim:
        return self._claim(
            kind,
            "stated",
            source=claim.source,
            target=claim.target,
            sign=sign,
            holder=claim.holder,
            about=claim.claim_id,
        )

    def _claim(self, kind: str, told: str, **fields: str | int) -> Claim:
        self._count += 1
        return Claim(f"c{self._count:02d}", kind, told, **fields)  # type: ignore[arg-type]


def _parts(claims: list[Claim]) -> list[list[Claim]]:
    count = -(-len(claims) // _MOST_IN_A_BLOCK)
    return [claims[place::count] for place in range(count)]


def all_claims(plan: InterviewPlan) -> Mapping[str, Claim]:
    """The claims of a plan by id."""
    return {claim.claim_id: claim for block in plan.blocks for claim in block.claims}
