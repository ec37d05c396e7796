"""The reader of claims, and students that see less."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from otherminds.dataset_builders.hugagent.asking import reader
from otherminds.dataset_builders.hugagent.asking.measure import (
    Measured,
    lookup,
    reader_of,
)
from otherminds.dataset_builders.hugagent.world.claims import ABOUT_STANCE, Claim
from otherminds.types import FloatArray

_NOBODY: list[dict[str, str]] = []


def _effect(source: str, target: str, sign: int, told: str = "stated") -> Claim:
    return Claim(f"{source}-{target}", "effect", told, source, target, sign)  # type: ignore[arg-type]


def test_two_beliefs_are_multiplied() -> None:
    claims = [
        _effect("noise", "property_values", -1),
        _effect("property_values", "tax_revenue", 1),
    ]
    portrait = reader_of("zoning").portrait(claims, _NOBODY)
    assert portrait.positive("noise", "tax_revenue") == 0.0
    # A hint is right in 85 of 100 cases: (1 − 0.7) / 2 for the product with a certain minus.
    hinted = [claims[0], _effect("property_values", "tax_revenue", 1, "hinted")]
    portrait = reader_of("zoning").portrait(hinted, _NOBODY)
    assert portrait.positive("noise", "tax_revenue") == pytest.approx(0.15)


def test_of_two_contrary_ways_the_weightier_decides() -> None:
    claims = [
        _effect("noise", "walkability", 1),
        _effect("walkability", "tax_revenue", 1),
        _effect("noise", "property_values", -1),
        _effect("property_values", "tax_revenue", 1),
    ]
    portrait = reader_of("zoning").portrait(claims, _NOBODY)
    assert portrait.positive("noise", "tax_revenue") == pytest.approx(0.5)
    weighing = Claim("w", "weighing", "stated", "property_values", "walkability", on="tax_revenue")
    portrait = reader_of("zoning").portrait([*claims, weighing], _NOBODY)
    assert portrait.positive("noise", "tax_revenue") == 0.0


def test_what_is_taken_back_counts_only_with_what_it_takes_back() -> None:
    first = Claim("c1", "first_view", "stated", "noise", "property_values", 1)
    again = Claim("c2", "revision", "stated", "noise", "property_values", -1, about="c1")
    alone = reader_of("zoning").portrait([again], _NOBODY)
    assert 0.0 < alone.positive("noise", "property_values") < 1.0
    both = reader_of("zoning").portrait([first, again], _NOBODY)
    assert both.positive("noise", "property_values") == 0.0


def test_nobody_elses_belief_is_the_persons() -> None:
    others = Claim("c1", "others_effect", "stated", "noise", "property_values", 1, holder="aunt")
    portrait = reader_of("zoning").portrait([others], _NOBODY)
    nothing = reader_of("zoning").portrait([], _NOBODY)
    ends = ("noise", "property_values")
    assert portrait.positive(*ends) == nothing.positive(*ends)


def test_a_stance_after_a_scenario_by_hand() -> None:
    claims = [
        Claim("s", "stance", "stated", level=3),
        Claim("f", "firmness", "stated", level=1),
        _effect("noise", ABOUT_STANCE, -1),
        Claim("w", "weight", "stated", "noise", level=5),
    ]
    portrait = reader_of("zoning").portrait(claims, _NOBODY)
    before = portrait.stance_before()
    assert before[:4].sum() == 0.0
    assert before[6:].sum() == 0.0
    # Sharply more noise pushes by −1: a persuadable person comes down by three points.
    after = portrait.stance_after({"noise": 3})
    np.testing.assert_allclose(after[1:3], before[4:6])
    # Moved slightly down it pushes by + 1/3, two points up.
    np.testing.assert_allclose(portrait.stance_after({"noise": -1})[6:8], before[4:6])


def test_a_push_goes_through_what_a_factor_acts_on() -> None:
    claims = [
        Claim("s", "stance", "stated", level=1),
        Claim("f", "firmness", "stated", level=2),
        _effect("noise", "property_values", -1),
        _effect("property_values", ABOUT_STANCE, -1),
        Claim("w", "weight", "stated", "property_values", level=5),
    ]
    after = reader_of("zoning").portrait(claims, _NOBODY).stance_after({"noise": 3})
    # (−1) · (−1) · 1: nine points up for the easily moved.
    assert after[9] == pytest.approx(1.0)


def test_a_rating_after_a_scenario_by_hand() -> None:
    claims = [
        Claim("w", "weight", "stated", "noise", level=2),
        _effect("noise", ABOUT_STANCE, -1),
        _effect("car_traffic", "noise", 1),
    ]
    portrait = reader_of("zoning").portrait(claims, _NOBODY)
    # Traffic sharply up reaches noise with 3 − 1 points: 2 + 2 = 4.
    assert portrait.rating_after("noise", {"car_traffic": 3})[3] == pytest.approx(1.0)


def test_an_untold_weight_is_guessed_from_the_others() -> None:
    def rated(level: int) -> FloatArray:
        claims = [
            Claim(name, "weight", "stated", name, level=level) for name in ("noise", "sunlight")
        ]
        return reader_of("zoning").portrait(claims, _NOBODY).rating_after("rent_levels", {})

    assert rated(1)[0] > rated(5)[0]
    assert rated(1)[4] < rated(5)[4]


def test_another_topics_interview_tells_of_values_alone() -> None:
    foreign = [
        Claim("s", "stance", "stated", level=1),
        Claim("v", "value", "stated", "care", level=1),
        _effect("wait_times", ABOUT_STANCE, 1),
    ]
    seen = reader_of("zoning").portrait(foreign, _NOBODY).stance_before()
    value = reader_of("zoning").portrait(foreign[1:2], _NOBODY).stance_before()
    np.testing.assert_allclose(seen, value)


def test_the_best_answer_is_the_one_most_likely_within_tolerance() -> None:
    chances = np.array([0.3, 0.0, 0.0, 0.0, 0.25, 0.0, 0.2, 0.0, 0.0, 0.25])
    # 3 has 1 and 5 within two points, more than any other answer; it is itself impossible.
    assert reader._best(chances, 2) == 3
    # Of answers that are as good, the likeliest itself.
    assert reader._best(np.array([0.0, 0.4, 0.6, 0.0, 0.0]), 1) == 3


def test_stated_items_are_all_read(measured: Sequence[Measured]) -> None:
    stated = [one for one in measured if one.grade == "stated"]
    assert stated
    wrong = [one for one in stated if not one.right["reader"]]
    assert not wrong


def test_readers_that_see_less_get_less_right(measured: Sequence[Measured]) -> None:
    composed = [one for one in measured if one.kind == "bsi" and one.steps > 1]
    changed = [one for one in measured if one.changed]

    def right(items: Sequence[Measured], who: str) -> float:
        return float(np.mean([one.right[who] for one in items]))

    looked, count = lookup(measured)
    assert count == len(composed)
    assert looked < right(composed, "reader") - 0.2
    assert right(composed, "compose") < right(composed, "reader") - 0.05
    assert right(changed, "off") < right(changed, "reader") - 0.15
    for kind in ("bsi", "baseline", "scenario", "reason"):
        own = [one for one in measured if one.kind == kind]
        assert right(own, "other") < right(own, "reader")


def test_a_student_of_one_claim_finds_a_giveaway(measured: Sequence[Measured]) -> None:
    """The student is no straw man: where one claim tells the answer, it has it."""
    told = [
        Measured(**{**one.__dict__, "looks": {"out": 1 if one.answer == "A" else -1}})
        for one in measured
    ]
    assert lookup(told)[0] == 1.0
