"""The interviewer's question plan: what each exchange asks about, how, and what its answer carries.

Claims of one block follow each other, one or two to an answer; blocks keep their order, so that what an
item puts together stays apart. A *polarity* question asks for one link, its sign and strength. It is
asked only where no item asks for that link, and where its strength is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import chance
from otherminds.dataset_builders.hugagent.world.claims import (
    ABOUT_STANCE,
    Block,
    Claim,
    InterviewPlan,
)

Kind: TypeAlias = Literal["background", "stance", "factor", "value", "digression", "closing"]

MOST: Final = 44
LEAST: Final = 16
"""Exchanges of an interview, as in the released data [A]."""

_TOGETHER: Final = {"terse": 0.15, "plain": 0.4, "talkative": 0.5}
"""How likely two claims of a block are told in one answer; the values of the scale edition."""

_POLARITY: Final = 0.6
"""How likely a link that may be asked for is asked for [O]."""

_BEFORE: Final = (1, 4)
_DIGRESSIONS: Final = (1, 5)
"""Exchanges from … to one less than … [O]."""


@dataclass(frozen=True)
class Exchange:
    """One question and its answer, before anybody has worded them.

    about   the factor that is asked about, ABOUT_STANCE for the policy, a value's name, or ""
    onto    of a polarity question, what `about` acts on
    claims  the ids of what the answer carries
    """

    number: int
    kind: Kind
    form: Literal["context", "polarity"]
    about: str
    onto: str
    claims: tuple[str, ...]


def draw(
    rng: np.random.Generator, plan: InterviewPlan, asked: Sequence[tuple[str, str]]
) -> list[Exchange]:
    """The exchanges of an interview; `asked` are the ends of the beliefs that items ask about."""
    talk = plan.manner.verbosity
    body = [
        exchange
        for block in plan.blocks
        for exchange in _of_block(rng, block, asked, _TOGETHER[talk])
    ]
    if len(body) + 2 > MOST:
        body = [one for block in plan.blocks for one in _of_block(rng, block, asked, 1.0)]
    spare = MOST - len(body) - 1
    before = min(int(rng.integers(*_BEFORE)), spare)
    strays = min(int(rng.integers(*_DIGRESSIONS)), spare - before)
    for _ in range(strays):
        body.insert(int(rng.integers(1, len(body) + 1)), _Part("digression"))
    parts = [*([_Part("background")] * before), *body, _Part("closing")]
    return [
        Exchange(number, one.kind, one.form, one.about, one.onto, one.claims)
        for number, one in enumerate(parts, start=1)
    ]


@dataclass(frozen=True)
class _Part:
    kind: Kind
    form: Literal["context", "polarity"] = "context"
    about: str = ""
    onto: str = ""
    claims: tuple[str, ...] = ()


def _of_block(
    rng: np.random.Generator, block: Block, asked: Sequence[tuple[str, str]], together: float
) -> list[_Part]:
    found: list[_Part] = []
    left = list(block.claims)
    while left:
        size = 2 if len(left) > 1 and chance(rng, together) else 1
        found.append(_part(rng, block, left[:size], asked))
        left = left[size:]
    return found


def _part(
    rng: np.random.Generator,
    block: Block,
    claims: Sequence[Claim],
    asked: Sequence[tuple[str, str]],
) -> _Part:
    ids = tuple(one.claim_id for one in claims)
    if claims[0].kind == "value":
        return _Part("value", about=claims[0].source, claims=ids)
    if block.factor == ABOUT_STANCE:
        return _Part("stance", about=ABOUT_STANCE, claims=ids)
    link = _link(claims, asked)
    if link is not None and chance(rng, _POLARITY):
        return _Part("factor", "polarity", link.source, link.target, ids)
    return _Part("factor", about=block.factor, claims=ids)


def _link(claims: Sequence[Claim], asked: Sequence[tuple[str, str]]) -> Claim | None:
    """The one link of an answer that may be asked for with its strength."""
    links = [one for one in claims if one.kind == "effect"]
    if len(links) != 1 or links[0].told != "stated":
        return None
    link = links[0]
    if (link.source, link.target) in asked:
        return None
    # How strongly a factor acts on the stance is how much it counts: told only where that is a claim.
    weighed = any(one.kind == "weight" and one.told == "stated" for one in claims)
    if link.target == ABOUT_STANCE and not weighed:
        return None
    return link
