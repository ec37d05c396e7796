"""Contradictions in the terms of claims: each kind is found, and what may stand side by side is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherminds.dataset_builders.hugagent.telling import clashes, contradictions
from otherminds.dataset_builders.hugagent.telling.interviews import Told
from otherminds.dataset_builders.hugagent.world.claims import Claim

_UP = Claim("c1", "effect", "stated", "noise", "stance", 1)
_BELIEF = Claim("c1", "others_effect", "stated", "noise", "stance", 1, holder="aunt")
_FIRST = Claim("c1", "first_view", "stated", "noise", "stance", 1)


@pytest.mark.parametrize(
    "claims",
    [
        (_UP, Claim("c2", "effect", "hinted", "noise", "stance", -1)),
        (
            Claim("c1", "weight", "stated", "noise", level=5),
            Claim("c2", "weight", "stated", "noise", level=2),
        ),
        (
            Claim("c1", "weight", "stated", "noise", level=1),
            Claim("c2", "weight", "hinted", "noise", level=5),
        ),
        (Claim("c1", "stance", "stated", level=5), Claim("c2", "stance", "hinted", level=1)),
        (Claim("c1", "firmness", "stated", level=0), Claim("c2", "firmness", "hinted", level=2)),
        (
            Claim("c1", "weighing", "stated", "noise", "rent_levels", on="stance"),
            Claim("c2", "weighing", "stated", "rent_levels", "noise", on="stance"),
        ),
        (
            _BELIEF,
            Claim("c2", "accord", "stated", about="c1", sign=1),
            replace(_UP, claim_id="c3", sign=-1),
        ),
        (
            _FIRST,
            Claim("c2", "revision", "stated", about="c1", sign=-1),
            replace(_UP, claim_id="c3"),
        ),
        (_BELIEF, replace(_BELIEF, claim_id="c2", sign=-1)),
    ],
)
def test_clashes_are_found(claims: tuple[Claim, ...]) -> None:
    assert len(clashes(claims)) == 1


@pytest.mark.parametrize(
    "claims",
    [
        (_UP, Claim("c2", "effect", "stated", "noise", "rent_levels", -1)),
        (_BELIEF, replace(_UP, claim_id="c2", sign=-1)),
        (_BELIEF, replace(_BELIEF, claim_id="c2", sign=-1, holder="uncle")),
        (
            _FIRST,
            Claim("c2", "revision", "stated", about="c1", sign=-1),
            replace(_UP, claim_id="c3", sign=-1),
        ),
        (
            Claim("c1", "weight", "stated", "noise", level=4),
            Claim("c2", "weight", "hinted", "noise", level=5),
        ),
        (Claim("c1", "stance", "stated", level=4), Claim("c2", "stance", "hinted", level=4)),
        (
            Claim("c1", "weighing", "stated", "noise", "rent_levels", on="stance"),
            Claim("c2", "weighing", "stated", "rent_levels", "noise", on="sunlight"),
        ),
    ],
)
def test_what_goes_together_is_let_be(claims: tuple[Claim, ...]) -> None:
    assert clashes(claims) == []


def test_claims_that_are_dropped_doubled_or_out_of_order_are_named(twelve_told: list[Told]) -> None:
    plan, turns = twelve_told[0]
    places = [place for place, turn in enumerate(turns) if turn.claims]
    first, last = places[0], places[-1]
    name = turns[first].claims[0]
    dropped = [
        replace(turn, claims=()) if place == first else turn for place, turn in enumerate(turns)
    ]
    assert f"claim {name} is told 0 times" in contradictions(plan, dropped)
    doubled = [*turns, turns[first]]
    assert f"claim {name} is told 2 times" in contradictions(plan, doubled)
    stranger = [*turns[:last], replace(turns[last], claims=(*turns[last].claims, "c99"))]
    assert any("c99" in line for line in contradictions(plan, stranger))
    backward = contradictions(plan, list(reversed(turns)))
    assert any("told no earlier" in line for line in backward)
