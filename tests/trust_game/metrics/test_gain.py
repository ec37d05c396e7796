from __future__ import annotations

import math
from typing import Any

import pytest

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.trust_game import Played, consistency, gain

ABC = ("a", "b", "c")


def play(make: Any, *sends: float | None) -> list[Played]:
    return [make.played(f"p{i}", send, trait="aabbcc"[i]) for i, send in enumerate(sends)]


def test_by_hand(make: Any) -> None:
    # Means told 1 3 5 (ρ = 1), untold 5 6 4 (ranks 2 3 1 against 1 2 3: Σd² = 6, ρ = -1/2).
    found = gain(
        play(make, 0, 2, 3, 3, 4, 6),
        play(make, 5, 5, 6, 6, 3, 5),
        [make.stated("trait", ABC, (0, 1, 2))],
    )
    trait = found.by_attribute["trait"]
    assert [trait.rho.value, trait.rho_unconditioned.value, trait.rho_gain.value] == [1, -0.5, 1.5]
    assert (found.rho, found.rho_gain) == (trait.rho, trait.rho_gain)
    assert (found.n_attributes, found.n_attributes_unconditioned, found.n_attributes_gain) == (
        1,
        1,
        1,
    )
    assert (trait.n_levels, trait.levels_left_out) == (3, ())
    assert (trait.rho_undefined, trait.unconditioned_undefined) == (None, None)


def test_the_same_play_gains_nothing_for_certain(make: Any) -> None:
    # Paired: each draw takes the same personas on both sides.
    played = make.population(40, effect=0.3)
    found = gain(played, played, make.true_ranking())
    assert (found.rho_gain.value, found.rho_gain.stderr) == (0, 0)
    assert found.rho.stderr > 0


def test_each_side_is_what_consistency_says(make: Any) -> None:
    told = make.population(60, seed=1)
    other = make.population(60, seed=2, effect=-0.3, runs=3)
    # The same personas, with other sends and other runs.
    untold = [one._replace(sends=two.sends) for one, two in zip(told, other, strict=True)]
    found = gain(told, untold, make.true_ranking())
    first, second = (consistency(one, make.true_ranking()) for one in (told, untold))
    for name, one in found.by_attribute.items():
        assert one.rho.value == first.by_attribute[name].rho.value
        assert one.rho_unconditioned.value == second.by_attribute[name].rho.value
        assert one.rho_gain.value == pytest.approx(one.rho.value - one.rho_unconditioned.value)
    assert found.rho == first.rho
    assert found.rho_unconditioned == second.rho


def test_levels_must_be_read_on_both_sides(make: Any) -> None:
    found = gain(
        play(make, 1, 1, 2, 2, 0, 0),
        play(make, 1, 1, 2, 2, None, None),
        [make.stated("trait", ABC, (0, 1, 2))],
        draws=50,
    )
    trait = found.by_attribute["trait"]
    # Without c, both sides send a 1 and b 2.
    assert (trait.rho.value, trait.rho_gain.value, trait.n_levels) == (1, 0, 2)
    assert trait.levels_left_out == ("c",)


def test_undefined_sides_say_why(make: Any) -> None:
    prior = [make.stated("trait", ABC, (0, 1, 2))]
    found = gain(play(make, 3, 3, 3, 3, 3, 3), play(make, 1, 1, 2, 2, 3, 3), prior, draws=50)
    trait = found.by_attribute["trait"]
    assert (trait.rho_undefined, trait.unconditioned_undefined) == ("all sends are equal", None)
    assert trait.rho_unconditioned.value == 1
    assert math.isnan(trait.rho.value)
    assert math.isnan(found.rho_gain.value)
    assert (found.n_attributes, found.n_attributes_unconditioned, found.n_attributes_gain) == (
        0,
        1,
        0,
    )

    nothing = gain(
        play(make, 1, 1, 2, 2, 3, 3),
        play(make, 1, 1, 2, 2, 3, 3),
        [make.stated("trait", ABC, None)],
        draws=50,
    ).by_attribute["trait"]
    assert nothing.rho_undefined == nothing.unconditioned_undefined
    assert nothing.rho_undefined is not None
    assert "stated" in nothing.rho_undefined


def test_the_median_gain_is_the_median_of_gains(make: Any) -> None:
    def both(told: list[Played]) -> list[Played]:
        return [p._replace(levels=dict.fromkeys("xyz", p.levels["trait"])) for p in told]

    told, untold = both(play(make, 1, 1, 2, 2, 3, 3)), both(play(make, 1, 1, 3, 3, 2, 2))
    # Told ranks 1 2 3, untold 1 3 2. With x (1 2 3): 1 and 1/2; y (1 3 2): 1/2 and 1; z (2 1 3): told
    # Σd² = 2, 1/2, untold Σd² = 1 + 4 + 1, -1/2. Gains 1/2, -1/2 and 1.
    found = gain(
        told,
        untold,
        [
            make.stated("x", ABC, (1, 2, 3)),
            make.stated("y", ABC, (1, 3, 2)),
            make.stated("z", ABC, (2, 1, 3)),
        ],
        draws=50,
    )
    assert [one.rho_gain.value for one in found.by_attribute.values()] == pytest.approx(
        [0.5, -0.5, 1]
    )
    assert found.rho_gain.value == pytest.approx(0.5)
    assert (found.rho.value, found.rho_unconditioned.value) == pytest.approx((0.5, 0.5))


def test_order_does_not_matter(make: Any) -> None:
    told, untold = make.population(30, seed=1), make.population(30, seed=1, effect=-1)
    expected = gain(told, untold, make.true_ranking(), draws=50)
    assert (
        gain(told[::-1], untold[3:] + untold[:3], make.true_ranking()[::-1], draws=50) == expected
    )


def test_each_attribute_told_alone(make: Any) -> None:
    untold = [
        one._replace(levels=dict.fromkeys("xy", one.levels["trait"]))
        for one in play(make, 1, 1, 2, 2, 3, 3)
    ]
    of_x = [one._replace(sends=(9 - float(one.sends[0] or 0),)) for one in untold]
    prior = [make.stated("x", ABC, (0, 1, 2)), make.stated("y", ABC, (0, 1, 2))]
    found = gain({"x": of_x, "y": untold}, untold, prior, draws=50)
    # Told of x, everyone turns round; told of y, nobody does.
    assert [one.rho.value for one in found.by_attribute.values()] == [-1, 1]
    assert [one.rho_gain.value for one in found.by_attribute.values()] == [-2, 0]
    # One role-play told of both is the same for each.
    assert gain(untold, untold, prior, draws=50) == gain(
        dict.fromkeys("xy", untold), untold, prior, draws=50
    )
    with pytest.raises(MisalignedInput, match="no role-play that was shown the ranking of 'y'"):
        gain({"x": of_x}, untold, prior)


def test_other_personas_are_refused(make: Any) -> None:
    told, prior = play(make, 1, 1, 2, 2, 3, 3), [make.stated("trait", ABC, (0, 1, 2))]
    with pytest.raises(MisalignedInput, match="1 personas are in one of the two conditions only"):
        gain(told, told[1:], prior)
    moved = [told[0]._replace(levels={"trait": "b"}), *told[1:]]
    with pytest.raises(MisalignedInput, match="'p0' has other levels"):
        gain(told, moved, prior)
