"""Whether a transcript contradicts itself, in the terms of its claims: every pair is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from otherminds.dataset_builders.hugagent.world.claims import (
    STANCE_BANDS,
    STANCE_BUCKETS,
    Claim,
    InterviewPlan,
    ToldTurn,
)

_ONCE: Final = ("stance", "firmness", "weight", "value")
"""Kinds of which two claims on one subject have to say the same."""


@dataclass(frozen=True)
class _Held:
    """What somebody holds in the end about an effect, and the claim that settles it."""

    who: str
    source: str
    target: str
    sign: int
    by: str


def contradictions(plan: InterviewPlan, turns: Sequence[ToldTurn]) -> list[str]:
    """One line for each claim that is not told once and in time, and for each pair that clashes."""
    claims = {claim.claim_id: claim for block in plan.blocks for claim in block.claims}
    told = [(place, name) for place, turn in enumerate(turns) for name in turn.claims]
    when = {name: place for place, name in told}
    found = [f"claim {name} is told, and the plan has none" for name in when if name not in claims]
    for name in claims:
        times = sum(other == name for _, other in told)
        if times != 1:
            found.append(f"claim {name} is told {times} times")
    known = [claims[name] for name in when if name in claims]
    return [*found, *_out_of_order(known, when), *clashes(known)]


def clashes(claims: Sequence[Claim]) -> list[str]:
    """One line for each pair of claims that cannot both be so."""
    found = [line for one, other in combinations(claims, 2) for line in _clash(one, other)]
    for held, other in combinations(_held(claims), 2):
        same = (held.who, held.source, held.target) == (other.who, other.source, other.target)
        if same and held.sign != other.sign:
            found.append(f"claims {held.by} and {other.by} clash on {held.source} → {held.target}")
    return found


def _out_of_order(claims: Sequence[Claim], when: Mapping[str, int]) -> Iterator[str]:
    for claim in claims:
        if claim.about and when.get(claim.about, -1) >= when[claim.claim_id]:
            yield f"claim {claim.claim_id} takes up {claim.about}, which is told no earlier"


def _held(claims: Sequence[Claim]) -> list[_Held]:
    """What is held at the end: a first view as it was only where nothing revises it."""
    by_id = {claim.claim_id: claim for claim in claims}
    revised = {claim.about for claim in claims if claim.kind == "revision"}
    found = []
    for claim in claims:
        kept = claim.kind == "first_view" and claim.claim_id not in revised
        if kept or claim.kind in ("effect", "others_effect"):
            about, sign = claim, claim.sign
        elif claim.kind in ("revision", "accord") and claim.about in by_id:
            about = by_id[claim.about]
            sign = about.sign * claim.sign
        else:
            continue
        found.append(_Held(claim.holder if claim.kind == "others_effect" else "", about.source,
                           about.target, sign, claim.claim_id))  # fmt: skip
    return found


def _clash(one: Claim, other: Claim) -> Iterator[str]:
    if one.kind != other.kind:
        return
    pair = f"claims {one.claim_id} and {other.claim_id}"
    if one.kind in _ONCE and one.source == other.source and not _agree(one, other):
        yield f"{pair} give two values of {one.kind} {one.source}".rstrip()
    turned = (one.on, one.source, one.target) == (other.on, other.target, other.source)
    if one.kind == "weighing" and turned:
        yield f"{pair} weigh {one.source} and {one.target} both ways"


def _agree(one: Claim, other: Claim) -> bool:
    """Whether two claims of a kind can both be so; hints are coarser than statements."""
    if one.told == other.told or one.kind not in ("stance", "weight"):
        return one.level == other.level
    if one.kind == "weight":
        return abs(one.level - other.level) <= 1
    stated, hinted = (one, other) if one.told == "stated" else (other, one)
    side = stated.level - (STANCE_BANDS + 1) / 2
    return side * (hinted.level - (STANCE_BUCKETS + 1) / 2) >= 0
