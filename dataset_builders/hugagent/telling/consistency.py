"""Whether a transcript contradicts itself, in the terms of its claims: every pair of them is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from otherminds.dataset_builders.hugagent.world.claims import (
    Claim,
    InterviewPlan,
    ToldTurn,
)

_ONCE: Final = ("stance", "firmness", "weight", "value")
"""Kinds of which two claims on one subject have to say the same."""

_HALF_OF_STANCES: Final = 3
"""The middle of the stated stances; hinted ones have none."""


@dataclass(frozen=True)
class _Held:
    """What somebody holds in the end about an effect, and the claim that settles it."""

    who: str
    source: str
    target: str
    sign: int
    by: str


def contradictions(plan: InterviewPlan, turns: Sequence[ToldTurn]) -> list[str]:
    """One line for each claim that is not conveyed once, in its place, and for each pair that clashes."""
    claims = {claim.claim_id: claim for block in plan.blocks for claim in block.claims}
    told = [(place, name) for place, turn in enumerate(turns) for name in turn.claims]
    when = {name: place for place, name in told}
    found = [f"claim {name} is told, and is none of the plan's" for name in when if name not in claims]
    for name in claims:
        times = sum(other == name for _, other in told)
        if times != 1:
            found.append(f"claim {name} is told {times} times")
    known = [claims[name] for name in when if name in claims]
    found += _out_of_order(known, when)
    for one, other in combinations(known, 2):
        found += _clash(one, other)
    for held, besides in combinations(_held(known, claims), 2):
        if (held.who, held.source, held.target) == (besides.who, besides.source, besides.target):
            if held.sign != besides.sign:
                found.append(f"claims {held.by} and {besides.by} clash on {held.source} → {held.target}")
    return found


def _out_of_order(known: Sequence[Claim], when: dict[str, int]) -> Iterator[str]:
    for claim in known:
        if claim.about and when.get(claim.about, -1) >= when[claim.claim_id]:
            yield f"claim {claim.claim_id} takes up {claim.about}, which is told no earlier"


def _held(known: Sequence[Claim], claims: dict[str, Claim]) -> list[_Held]:
    """What is held at the end: a first view only as far as nothing revises it."""
    revised = {claim.about for claim in known if claim.kind == "revision"}
    found = []
    for claim in known:
        if claim.kind == "effect" or (claim.kind == "first_view" and claim.claim_id not in revised):
            found.append(_Held("", claim.source, claim.target, claim.sign, claim.claim_id))
        elif claim.kind == "others_effect":
            held = _Held(claim.holder, claim.source, claim.target, claim.sign, claim.claim_id)
            found.append(held)
        elif claim.kind in ("revision", "accord") and claim.about in claims:
            of = claims[claim.about]
            found.append(_Held("", of.source, of.target, of.sign * claim.sign, claim.claim_id))
    return found


def _clash(one: Claim, other: Claim) -> Iterator[str]:
    pair = f"claims {one.claim_id} and {other.claim_id}"
    if one.kind == other.kind and one.kind in _ONCE and one.source == other.source:
        if not _agree(one, other):
            yield f"{pair} give two values of {one.kind} {one.source}".rstrip()
    if one.kind == other.kind == "weighing" and one.on == other.on:
        if (one.source, one.target) == (other.target, other.source):
            yield f"{pair} weigh {one.source} and {one.target} both ways"


def _agree(one: Claim, other: Claim) -> bool:
    """Whether two claims of a kind can both be so; hints are coarser than statements."""
    if one.told == other.told or one.kind == "value":
        return one.level == other.level
    if one.kind == "stance":
        stated, hinted = (one, other) if one.told == "stated" else (other, one)
        return (stated.level - _HALF_OF_STANCES) * (hinted.level - 2.5) >= 0
    return abs(one.level - other.level) <= 1
