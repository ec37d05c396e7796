from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.trust_game import Consistency, Played, Stated, consistency, eta_squared
from otherminds.metrics.trust_game.behaviour import behaviour, levels_read, tabulate
from otherminds.metrics.uncertainty import clustered_mean, partition

ABC = ("a", "b", "c")


def six(make: Any) -> list[Played]:
    """Means a 2, b 5, c 4, overall 11/3.

    SS_between = 2·(25/9 + 16/9 + 1/9) = 84/9, SS_within = 3·(1² + 1²) = 6.
    """
    pairs = [("a", 1.0), ("a", 3.0), ("b", 4.0), ("b", 6.0), ("c", 3.0), ("c", 5.0)]
    return [make.played(f"p{i}", send, trait=level) for i, (level, send) in enumerate(pairs)]


def test_by_hand(make: Any) -> None:
    found = consistency(six(make), [make.stated("trait", ABC, (1, 2, 3), eta=0.1)])
    trait = found.by_attribute["trait"]
    # Ranks of the means 1 3 2 against 1 2 3: Σd² = 2, ρ = 1 - 12/24.
    assert trait.rho.value == pytest.approx(0.5)
    eta = (84 / 9) / (84 / 9 + 6)
    assert trait.simulated_eta_squared.value == pytest.approx(eta)
    assert trait.stated_eta_squared == pytest.approx(0.1)
    assert trait.delta_eta_squared.value == pytest.approx(eta - 0.1)
    assert {level: mean.value for level, mean in trait.level_means.items()} == {
        "a": 2,
        "b": 5,
        "c": 4,
    }
    assert trait.level_means["a"].stderr == pytest.approx(1)  # 1 and 3: SD sqrt(2), over sqrt(2)
    assert (trait.n_levels, trait.levels_left_out, trait.n_personas) == (3, (), 6)
    assert (trait.rho_undefined, trait.delta_undefined) == (None, None)
    # A median of one, and a mean.
    assert (found.rho, found.delta_eta_squared) == (trait.rho, trait.delta_eta_squared)
    assert (found.rho_mean, found.mae_eta_squared) == (trait.rho, trait.delta_eta_squared)
    assert (found.n_attributes_rho, found.n_attributes_delta) == (1, 1)
    assert (trait.rho.n, trait.rho.n_clusters) == (6, 6)


def test_omega_and_contrast_by_hand(make: Any) -> None:
    stated = make.stated("trait", ABC, (1, 2, 3), eta=0.1)._replace(contrast=(0.5,))
    found = consistency(six(make), [stated])
    trait = found.by_attribute["trait"]
    # MS_w = 6/3 = 2: ω² = (84/9 - 2·2) / (84/9 + 6 + 2) = (48/9) / (156/9).
    assert trait.simulated_omega_squared.value == pytest.approx(48 / 156)
    # c = -1 0 1 over the means 2 5 4: (4 - 2)² / (1/2 + 1/2) = 4, of a total of 84/9 + 6 = 138/9.
    assert trait.simulated_contrast.value == pytest.approx(4 / (138 / 9))
    assert trait.delta_contrast.value == pytest.approx(0.5 - 4 / (138 / 9))
    assert found.mae_contrast == trait.delta_contrast
    # The order 2 4 5 explains all that lies between the levels of equal size but their uneven steps.
    ordered = make.stated("trait", ABC, (1, 3, 2))
    straight = consistency(six(make), [ordered]).by_attribute["trait"]
    # c = -1 1 0: (5 - 2)² / (1/2 + 1/2) = 9.
    assert straight.simulated_contrast.value == pytest.approx(9 / (138 / 9))
    assert math.isnan(straight.delta_contrast.value)


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_a_contrast_explains_no_more_than_its_attribute(make: Any, seed: int) -> None:
    played = make.population(40, seed=seed, effect=0.3)
    for one in consistency(played, make.true_ranking(), draws=2).by_attribute.values():
        assert 0 <= one.simulated_contrast.value <= one.simulated_eta_squared.value + 1e-12
        assert one.simulated_omega_squared.value < one.simulated_eta_squared.value
        if one.n_levels == 2:
            # One degree of freedom: the contrast is the effect.
            assert one.simulated_contrast.value == pytest.approx(one.simulated_eta_squared.value)


@given(st.integers(0, 10_000))
@settings(max_examples=25)
def test_against_scipy_with_ties(make: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels = [f"l{i}" for i in range(5)]
    played = [
        make.played(f"p{i}", float(rng.integers(0, 4)) * 1.1, trait=levels[i % 5])
        for i in range(20)
    ]
    scores = tuple(float(one) for one in rng.integers(0, 3, 5))
    trait = consistency(played, [make.stated("trait", levels, scores)], draws=2).by_attribute[
        "trait"
    ]
    sends = [float(one.sends[0] or 0) for one in played]
    # In tenths, so that sums and with them ties are exact here, too.
    means = [np.rint(np.array(sends[i::5]) * 10).sum() for i in range(5)]
    if trait.rho_undefined is None:
        assert trait.rho.value == pytest.approx(spearmanr(means, scores).statistic)
    else:
        assert np.ptp(means) == 0 or np.ptp(scores) == 0
    groups = [one.levels["trait"] for one in played]
    assert trait.simulated_eta_squared.value == pytest.approx(eta_squared(sends, groups))


def test_a_consistent_and_a_reversed_model(make: Any) -> None:
    played = make.population(60)
    first = consistency(played, make.true_ranking(), draws=2)
    stated, turned = [], []
    for name, one in first.by_attribute.items():
        levels = tuple(one.level_means)
        means = tuple(mean.value for mean in one.level_means.values())
        eta = one.simulated_eta_squared.value
        stated.append(make.stated(name, levels, means, eta=eta))
        turned.append(make.stated(name, levels, [-mean for mean in means], eta=eta))
    found = consistency(played, stated)
    assert (found.rho.value, found.delta_eta_squared.value) == (1, 0)
    assert all(one.rho.value == 1 for one in found.by_attribute.values())
    assert consistency(played, turned).rho.value == -1


def test_medians_over_attributes(make: Any) -> None:
    # The same trait four times, with statements of ρ 1, 0.5, -1 and none: the median of three.
    played = [one._replace(levels=dict.fromkeys("wxyz", one.levels["trait"])) for one in six(make)]
    found = consistency(
        played,
        [
            make.stated("w", ABC, (1, 3, 2), eta=0.5),
            make.stated("x", ABC, (1, 2, 3)),
            make.stated("y", ABC, (3, 1, 2), eta=0.2),
            make.stated("z", ABC, None),
        ],
    )
    assert found.rho.value == pytest.approx(0.5)
    assert (found.n_attributes_rho, found.n_attributes_delta) == (3, 2)
    eta = (84 / 9) / (84 / 9 + 6)
    assert found.delta_eta_squared.value == pytest.approx((eta - 0.5 + eta - 0.2) / 2)
    assert found.rho_mean.value == pytest.approx((1 + 0.5 - 1) / 3)
    assert found.mae_eta_squared.value == found.delta_eta_squared.value
    assert list(found.by_attribute) == ["w", "x", "y", "z"]


@pytest.mark.parametrize(
    ("sends", "scores", "eta", "rho_says", "delta_says"),
    [
        ((1, 2, 3, 5), (0, 1), 0.1, None, None),
        ((1, 2, 3, 5), None, None, "nothing that could be read was stated", "no effect size"),
        ((1, 2, 3, 5), (0, 1), None, None, "no effect size"),
        ((1, 2, 3, 5), (1, 1), 0.1, "the same was stated of all levels", None),
        ((3, 3, 3, 3), (0, 1), 0.1, "all sends are equal", "all sends are equal"),
        ((1, 2, 2, 1), (0, 1), 0.1, "the mean sends of all levels are equal", None),
        ((1, 2, None, None), (0, 1), 0.1, "only one level", "only one level"),
        ((None,) * 4, (0, 1), 0.1, "no level has a send", "no level has a send"),
    ],
)
def test_undefined_has_a_reason_and_is_not_zero(
    make: Any,
    sends: tuple[float | None, ...],
    scores: tuple[float, ...] | None,
    eta: float | None,
    rho_says: str | None,
    delta_says: str | None,
) -> None:
    played = [make.played(f"p{i}", send, trait="aabb"[i]) for i, send in enumerate(sends)]
    found = consistency(played, [make.stated("trait", "ab", scores, eta=eta)], draws=50)
    trait = found.by_attribute["trait"]
    for value, reason, says in (
        (trait.rho, trait.rho_undefined, rho_says),
        (trait.delta_eta_squared, trait.delta_undefined, delta_says),
    ):
        if says is None:
            assert reason is None
            assert not math.isnan(value.value)
        else:
            assert reason is not None
            assert says in reason
            assert math.isnan(value.value)
            assert (value.n, value.n_clusters) == (0, 0)
    assert math.isnan(found.rho.value) == (rho_says is not None)
    assert found.n_attributes_rho == (rho_says is None)


def test_a_level_that_nobody_has_is_left_out_and_named(make: Any) -> None:
    stated = make.stated("trait", ("none", *ABC), (0, 3, 2, 1))
    trait = consistency(six(make), [stated], draws=20).by_attribute["trait"]
    # Of a, b, c the means rank 1 3 2, the statement 3 2 1: Σd² = 4 + 1 + 1, ρ = 1 - 36/24.
    assert trait.rho.value == pytest.approx(-0.5)
    assert (trait.n_levels, trait.levels_left_out) == (3, ("none",))
    assert (trait.level_means["none"].n, trait.level_means["a"].n) == (0, 2)


def test_runs_are_averaged(make: Any) -> None:
    # Run 2 exchanges the levels b and a: each run alone, then both.
    first = [
        make.played(f"p{i}", send, trait=level)
        for i, (level, send) in enumerate(zip("aabb", (1, 2, 3, 5), strict=True))
    ]
    second = [one._replace(sends=(send,)) for one, send in zip(first, (4, 4, 1, 1), strict=True)]
    both = [a._replace(sends=a.sends + b.sends) for a, b in zip(first, second, strict=True)]
    single = [make.stated("trait", "ab", (0, 1), eta=0.3)]
    twice = [make.stated("trait", "ab", (0, 1), (0, 1), eta=0.3)]

    def trait(played: list[Played], stated: list[Stated]) -> Any:
        return consistency(played, stated, draws=50).by_attribute["trait"]

    one, two, mixed = trait(first, single), trait(second, single), trait(both, twice)
    assert (one.rho.value, two.rho.value, mixed.rho.value) == (1, -1, 0)
    assert mixed.delta_eta_squared.value == pytest.approx(
        (one.delta_eta_squared.value + two.delta_eta_squared.value) / 2
    )
    # A single statement stands for every run.
    assert trait(both, single) == mixed
    # A run without a statement is left out.
    half = trait(both, [make.stated("trait", "ab", None, (0, 1), eta=0.3)])
    assert half.rho.value == -1
    assert half.stated_eta_squared == 0.3


def test_a_level_counts_if_it_was_read_in_every_run(make: Any) -> None:
    played = [
        make.played("p0", 1, 2, trait="a"),
        make.played("p1", 3, 4, trait="b"),
        make.played("p2", 9, None, trait="c"),
    ]
    trait = consistency(played, [make.stated("trait", ABC, (1, 2, 0))], draws=5).by_attribute[
        "trait"
    ]
    assert (trait.rho.value, trait.levels_left_out, trait.n_personas) == (1, ("c",), 2)
    assert trait.level_means["c"].value == 9


def test_reasons_of_several_runs_are_all_named(make: Any) -> None:
    played = [make.played("p0", 1, 2, trait="a"), make.played("p1", 1, 3, trait="b")]
    stated = make.stated("trait", "ab", (0, 1), None)
    trait = consistency(played, [stated], draws=5).by_attribute["trait"]
    assert trait.rho_undefined == "all sends are equal; nothing that could be read was stated"


def plain(found: Consistency) -> dict[str, Any]:
    """Without names: what relabelling must not change."""
    return {
        "rho": found.rho,
        "delta": found.delta_eta_squared,
        "by_attribute": [
            (one.rho, one.delta_eta_squared, one.n_levels, one.skipped_draws)
            for one in found.by_attribute.values()
        ],
    }


@settings(max_examples=10)
@given(st.randoms(use_true_random=False))
def test_order_of_personas_and_attributes_does_not_matter(
    make: Any, shuffler: random.Random
) -> None:
    played, stated = make.population(30, runs=2, unread=0.1), make.true_ranking()
    expected = consistency(played, stated, draws=50)
    shuffler.shuffle(played)
    shuffler.shuffle(stated)
    assert consistency(played, stated, draws=50) == expected


def test_names_of_attributes_and_levels_do_not_matter(make: Any) -> None:
    played, stated = make.population(30), make.true_ranking()
    renamed = [
        one._replace(levels={f"the {k}": f"{v}!" for k, v in one.levels.items()}) for one in played
    ]
    restated = [
        one._replace(
            attribute=f"the {one.attribute}", levels=tuple(f"{level}!" for level in one.levels)
        )
        for one in stated
    ]
    assert plain(consistency(renamed, restated, draws=50)) == plain(
        consistency(played, stated, draws=50)
    )


@given(st.integers(1, 3_000), st.integers(0, 50))
@settings(max_examples=20)
def test_shifting_all_sends_changes_no_score(make: Any, cents: int, seed: int) -> None:
    played, stated = make.population(25, seed=seed), make.true_ranking()
    shifted = [one._replace(sends=(float(one.sends[0] or 0) + cents / 100,)) for one in played]
    before, after = consistency(played, stated, draws=20), consistency(shifted, stated, draws=20)
    assert plain(before) == plain(after)


@given(st.integers(0, 50))
@settings(max_examples=20)
def test_the_reversed_statement_has_the_opposite_rho(make: Any, seed: int) -> None:
    played, stated = make.population(25, seed=seed, effect=0.2), make.true_ranking()
    turned = [
        one._replace(scores=tuple(s and tuple(-x for x in s) for s in one.scores)) for one in stated
    ]
    before, after = consistency(played, stated, draws=20), consistency(played, turned, draws=20)
    for name, one in before.by_attribute.items():
        assert after.by_attribute[name].rho.value == -one.rho.value
        assert after.by_attribute[name].delta_eta_squared == one.delta_eta_squared
        assert after.by_attribute[name].simulated_contrast.value == pytest.approx(
            one.simulated_contrast.value
        )


def test_level_means_have_the_clustered_error(make: Any) -> None:
    played = make.population(40)
    found = consistency(played, make.true_ranking(), draws=2).by_attribute["citizen"]
    citizens = [one for one in played if one.levels["citizen"] == "yes"]
    expected = clustered_mean(
        [one.sends[0] for one in citizens], partition([one.persona_id for one in citizens])
    )
    assert found.level_means["yes"].value == pytest.approx(expected.value)
    assert found.level_means["yes"].stderr == pytest.approx(expected.stderr)


def test_a_draw_is_the_population_drawn(make: Any) -> None:
    # Sums weighted by how often each persona was drawn give what playing the drawn personas gives.
    played = sorted(make.population(30, runs=2), key=lambda one: one.persona_id)
    weights = np.random.default_rng(0).integers(0, 4, len(played))
    drawn = [
        one._replace(persona_id=f"{one.persona_id}-{copy}")
        for one, weight in zip(played, weights, strict=True)
        for copy in range(weight)
    ]
    for stated in make.true_ranking():

        def measured(people: list[Played], factor: Any, one: Stated = stated) -> Any:
            sends = tabulate(people)
            codes = np.array([one.levels.index(p.levels[one.attribute]) for p in sends.played])
            kept = np.flatnonzero(levels_read(sends, codes, len(one.levels)))
            sums = behaviour(sends, codes, kept)
            found = sums.evaluate(np.asarray(factor, dtype=np.float64)[None] @ sums.sums)
            lowest = sends.dollars.min()
            return found.means[0] / 10_000 + lowest, found.eta[0]

        by_weight, by_copy = measured(played, weights), measured(drawn, np.ones(len(drawn)))
        np.testing.assert_allclose(by_weight[0], by_copy[0])
        np.testing.assert_allclose(by_weight[1], by_copy[1])


def test_draws_that_lose_a_level_are_skipped_and_counted(make: Any) -> None:
    # Level c has one of ten personas: a draw misses it with probability 0.9^10 = 34.9 %.
    levels = "aaaaabbbbc"
    played = [make.played(f"p{i}", i / 2, rare=levels[i], half="xy"[i % 2]) for i in range(10)]
    found = consistency(
        played, [make.stated("rare", ABC, (0, 1, 2)), make.stated("half", "xy", (0, 1))]
    )
    rare, half = found.by_attribute["rare"], found.by_attribute["half"]
    assert rare.skipped_draws == pytest.approx(0.9**10, abs=0.03)
    assert half.skipped_draws < 0.01
    assert not math.isnan(rare.rho.stderr)
    # The medians go on with the other attribute.
    assert not math.isnan(found.rho.stderr)


def test_no_interval_where_most_draws_are_lost(make: Any) -> None:
    # Every level has one persona: all draws but 10!/10^10 lose some.
    played = [make.played(f"p{i}", i, each=str(i)) for i in range(10)]
    found = consistency(played, [make.stated("each", "0123456789", range(10))])
    each = found.by_attribute["each"]
    assert each.rho.value == 1
    assert math.isnan(each.rho.stderr)
    assert math.isnan(each.rho.low)
    assert each.skipped_draws > 0.99
    assert (found.rho.value, found.rho.n) == (1, 10)
    assert math.isnan(found.rho.stderr)


def test_the_bootstrap_has_the_size_of_the_sampling_error(make: Any) -> None:
    # 150 populations of 120 personas: the spread of the estimates between them against the standard
    # error that each states, and how often its interval holds the truth (the mean of the estimates).
    found = [
        consistency(make.population(120, seed=seed), make.true_ranking(), draws=200)
        .by_attribute["degree"]
        .simulated_eta_squared
        for seed in range(150)
    ]
    point = np.array([one.value for one in found])
    assert np.mean([one.stderr for one in found]) == pytest.approx(point.std(ddof=1), rel=0.15)
    covered = np.mean([one.low <= point.mean() <= one.high for one in found])
    assert 0.9 <= covered <= 0.99


def test_same_seed_same_bytes(make: Any) -> None:
    played, stated = make.population(30), make.true_ranking()
    assert consistency(played, stated, seed=5) == consistency(played, stated, seed=5)
    other = consistency(played, stated, seed=6)
    assert other.rho.value == consistency(played, stated, seed=5).rho.value


@pytest.mark.parametrize(
    ("stated", "error", "says"),
    [
        ([], EmptyInput, "No attributes"),
        ([Stated("trait", (), ((),), (None,))], EmptyInput, "no levels"),
        ([Stated("trait", ABC, ((0, 1, 2),), (None,))] * 2, MisalignedInput, "given twice"),
        ([Stated("trait", ("a", "a"), ((0, 1),), (None,))], MisalignedInput, "a level twice"),
        ([Stated("trait", ABC, ((0, 1),), (None,))], MisalignedInput, "2 scores for 3 levels"),
        ([Stated("trait", ABC, ((0, 1, 2),) * 2, (None,) * 2)], MisalignedInput, "one run or for"),
        ([Stated("trait", ABC, ((0, 1, 2),), ())], MisalignedInput, "one run or for"),
        ([Stated("trait", ABC, ((0, 1, math.nan),), (None,))], MetricError, "NaN"),
        ([Stated("trait", ABC, ((0, 1, 2),), (1.5,))], MetricError, "outside 0..1"),
        ([Stated("trait", ABC, ((0, 1, 2),), (0.5,), (1.5,))], MetricError, "outside 0..1"),
        (
            [Stated("trait", ABC, ((0, 1, 2),), (0.5,), (None,) * 2)],
            MisalignedInput,
            "contrasts of 2",
        ),
        ([Stated("trait", ("a", "b"), ((0, 1),), (None,))], MisalignedInput, "'c' is not a level"),
        ([Stated("other", ABC, ((0, 1, 2),), (None,))], MisalignedInput, "has no level of 'other'"),
    ],
)
def test_bad_statements(make: Any, stated: list[Stated], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        consistency(six(make), stated)


@pytest.mark.parametrize(
    ("played", "error", "says"),
    [
        ([], EmptyInput, "No personas"),
        ([Played("p", {"trait": "a"}, (1,))] * 2, MisalignedInput, "given twice"),
        ([Played("p", {"trait": "a"}, ())], MisalignedInput, "one send"),
        (
            [Played("p", {"trait": "a"}, (1,)), Played("q", {"trait": "a"}, (1, 2))],
            MisalignedInput,
            "one send",
        ),
        ([Played("p", {"trait": "a"}, (-1,))], MetricError, "not an amount of dollars"),
        ([Played("p", {"trait": "a"}, (math.inf,))], MetricError, "not an amount of dollars"),
        ([Played("p", {"trait": "a"}, (10**20,))], MetricError, "not an amount of dollars"),
        ([Played("p", {"trait": "a"}, (True,))], MetricError, "not an amount of dollars"),
        ([Played("p", {"trait": "a"}, ("3",))], MetricError, "not an amount of dollars"),  # type: ignore[arg-type]  # what is refused
    ],
)
def test_bad_play(make: Any, played: list[Played], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        consistency(played, [make.stated("trait", ABC, (0, 1, 2))])
