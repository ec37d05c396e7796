"""The rules of the trust game: rounds worked by hand, and what holds for any round."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.trust_game.game import (
    ARCHETYPES,
    ENDOWMENT,
    MOST,
    MULTIPLIER,
    ROUNDS,
    Archetype,
    archetype,
    check_endowment,
    payoffs,
    returned,
)


def test_the_papers_numbers() -> None:
    assert (MULTIPLIER, ENDOWMENT, ROUNDS) == (3, 10.0, 6)
    assert [(one.name, one.dollars) for one in ARCHETYPES] == [("M1", 1), ("M3", 3), ("M5", 5)]


@pytest.mark.parametrize(
    ("endowment", "sent", "trustee", "back", "trustor_has", "trustee_has"),
    [
        # Sends 4 of 10; the trustee receives 12 and returns 3: 10 − 4 + 3 = 9 and 12 − 3 = 9.
        (10, 4, "M3", 3, 9, 9),
        # Sends 1; the trustee receives 3, M5 would return 5 but has 3: 10 − 1 + 3 = 12 and 0.
        (10, 1, "M5", 3, 12, 0),
        # Sends nothing: nothing comes back.
        (10, 0, "M5", 0, 10, 0),
        # Sends everything; receives 30, returns 1: 0 + 1 = 1 and 29.
        (10, 10, "M1", 1, 1, 29),
        # A quarter of a dollar: receives 0.75, returns all of it: 10 − 0.25 + 0.75 = 10.5 and 0.
        (10, 0.25, "M1", 0.75, 10.5, 0),
        # The larger endowments: 44 − 22 + 5 = 27 and 66 − 5 = 61; 100 − 99.5 + 3 = 3.5, 298.5 − 3.
        (44, 22, "M5", 5, 27, 61),
        (100, 99.5, "M3", 3, 3.5, 295.5),
    ],
)
def test_rounds_worked_by_hand(
    endowment: float,
    sent: float,
    trustee: str,
    back: float,
    trustor_has: float,
    trustee_has: float,
) -> None:
    assert returned(sent, archetype(trustee)) == back
    assert payoffs(sent, back, endowment) == (trustor_has, trustee_has)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[float, float]:
    """An endowment and what is sent of it."""
    endowment = draw(st.floats(0.01, MOST))
    return endowment, draw(st.floats(0.0, endowment))


@given(rounds(), st.sampled_from(ARCHETYPES))
def test_nothing_is_lost_but_what_the_bank_adds(
    played: tuple[float, float], trustee: Archetype
) -> None:
    endowment, sent = played
    back = returned(sent, trustee)
    trustor_has, trustee_has = payoffs(sent, back, endowment)
    assert 0 <= back <= min(trustee.dollars, 3 * sent)
    assert trustor_has >= 0
    assert trustee_has >= 0
    # E dollars are there, and each dollar sent becomes three.
    assert trustor_has + trustee_has == pytest.approx(endowment + 2 * sent)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_who_sends_more_gets_no_less_and_a_generous_trustee_returns_no_less(
    one: float, other: float
) -> None:
    for trustee in ARCHETYPES:
        assert returned(min(one, other), trustee) <= returned(max(one, other), trustee)
    assert sorted(returned(one, trustee) for trustee in ARCHETYPES) == [
        returned(one, trustee) for trustee in ARCHETYPES
    ]


@pytest.mark.parametrize("value", [10, 44, 100, 0.5, 1e6, Fraction(1, 2), np.float64(3.5)])
def test_endowments(value: float) -> None:
    found = check_endowment(value)
    assert found == value
    assert type(found) is float


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (0, "is 0 dollars, but must be above 0"),
        (-3, "is -3 dollars, but must be above 0"),
        (float("nan"), "is nan dollars"),
        (float("inf"), "is huge, but must be above 0 and at most 1,000,000"),
        (float("-inf"), "is huge"),
        (1e6 + 1, "is huge"),
        pytest.param(10**5000, "is huge", id="digits"),
        pytest.param(-(10**5000), "is huge", id="minus-digits"),
        (True, "is True, but must be a number"),
        ("10", "is '10', but must be a number"),
        (None, "is None, but must be a number"),
        (1j, "but must be a number"),
    ],
)
def test_what_is_no_endowment(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_endowment(value)


@pytest.mark.parametrize("sent", [-0.01, float("nan"), float("inf")])
def test_amounts_that_cannot_be_sent(sent: float) -> None:
    with pytest.raises(ValueError, match="amount sent is"):
        returned(sent, ARCHETYPES[0])


def test_payoffs_of_impossible_rounds() -> None:
    with pytest.raises(ValueError, match=r"sent is 10\.5 dollars, but must lie between 0 and 10"):
        payoffs(10.5, 0)
    with pytest.raises(ValueError, match="returned is 7 dollars, but must lie between 0 and 6"):
        payoffs(2, 7)
    with pytest.raises(ValueError, match="The endowment is 0"):
        payoffs(0, 0, 0)


def test_an_unknown_trustee() -> None:
    with pytest.raises(ValueError, match="no trustee 'M2'; there are: M1, M3, M5"):
        archetype("M2")
