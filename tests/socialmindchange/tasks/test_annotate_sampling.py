"""The draw of a study: what it is balanced by, and what it depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.metrics.socialmindchange import STATES, TYPES
from otherminds.tasks.socialmindchange.study import Plan
from otherminds.tasks.socialmindchange.study.sampling import Question, Stage, draw

PLAN = Plan(part="lite", stages=4, items=3, raters=3, overlap=2, seed=5)
CELLS = [(kind, state) for kind in TYPES for state in STATES]


def world(stages: int, kinds: int = 3, variants: int = 1) -> dict[str, Any]:
    """Stages in places and variants by turns, each with five questions of every cell."""
    found = [
        Stage(f"S{n:03}", f"v{n % variants}", f"place{n // variants % kinds}")
        for n in range(stages)
    ]
    questions = {
        stage.stage_id: [
            Question(f"{stage.stage_id}-{kind}-{state}-{n}", kind, state)
            for kind, state in CELLS
            for n in range(5)
        ]
        for stage in found
    }
    return {"stages": found, "questions": questions}


@given(
    stages=st.integers(1, 40),
    items=st.integers(0, 80),
    raters=st.integers(1, 6),
    overlap=st.integers(1, 6),
    seed=st.integers(0, 99),
)
def test_a_draw_is_balanced(stages: int, items: int, raters: int, overlap: int, seed: int) -> None:
    overlap = min(overlap, raters)
    assume(stages * overlap >= raters)
    made = world(40, kinds=4, variants=2)
    drawn = draw(Plan("all", stages, items, raters, overlap, seed), **made)
    by_id = {stage.stage_id: stage for stage in made["stages"]}
    chosen = [by_id[name] for name in drawn.questions]
    assert len(set(chosen)) == stages
    for field in ("variant", "place_kind"):
        counts = Counter(getattr(one, field) for one in chosen)
        shares = [counts[name] for name in {getattr(one, field) for one in made["stages"]}]
        assert max(shares) - min(shares) <= 1
    cells: Counter[tuple[str, ...]] = Counter()
    for stage_id, own in drawn.questions.items():
        assert len(set(own)) == items
        found = Counter(tuple(item_id.split("-")[1:3]) for item_id in own)
        assert all(item_id.startswith(stage_id) for item_id in own)
        assert max(found.values(), default=0) <= -(-items // 16)
        cells += found
    counted = [cells[cell] for cell in CELLS]
    assert max(counted) - min(counted) <= 1
    loads = [len(pages) for pages in drawn.sheets.values()]
    assert max(loads) - min(loads) <= 1
    readers = Counter(one.stage_id for pages in drawn.sheets.values() for one in pages)
    assert set(readers.values()) == {overlap}
    for pages in drawn.sheets.values():
        for one in pages:
            assert sorted(one.item_ids) == sorted(drawn.questions[one.stage_id])


def test_a_draw_depends_on_the_seed_and_not_on_the_order_of_the_data() -> None:
    made, plan = world(40), Plan("all", 20, 4, 3, 2, 1)
    turned = {
        "stages": made["stages"][::-1],
        "questions": {name: own[::-1] for name, own in reversed(made["questions"].items())},
    }
    assert draw(plan, **made) == draw(plan, **turned)
    assert draw(plan, **made) != draw(replace(plan, seed=2), **made)


def test_everybody_has_an_order_of_their_own_and_shares_with_everybody() -> None:
    drawn = draw(Plan("all", 24, 4, 4, 2, 3), **world(40))
    orders = [[one.stage_id for one in pages] for pages in drawn.sheets.values()]
    assert all(order != sorted(order) for order in orders)
    shared = [len(set(a) & set(b)) for n, a in enumerate(orders) for b in orders[:n]]
    assert shared == [4] * 6  # 24 pairs over the 6 pairs of people
    whole = draw(Plan("all", 24, 4, 3, 3, 3), **world(40))
    assert len({tuple(one.stage_id for one in pages) for pages in whole.sheets.values()}) == 3
    questions = [{one.stage_id: one.item_ids for one in pages} for pages in whole.sheets.values()]
    assert questions[0] != questions[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"part": "most"}, "no part 'most'"),
        ({"stages": 0}, "--stages is 0"),
        ({"items": -1}, "--items is -1"),
        ({"seed": -1}, "--seed is -1"),
        ({"raters": 201}, "at most 200"),
        ({"overlap": 4}, "no more than the 3 raters"),
        ({"stages": 1}, "somebody would have nothing to read"),
    ],
)
def test_impossible_plans_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(OtherMindsError, match=message):
        replace(PLAN, **change)
