"""The human ceiling: by hand, as the code that scores models sees it, and inside the ATI."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.metrics import EmptyInput, Estimate, MetricError, MisalignedInput
from otherminds.metrics.hugagent import (
    HUMAN,
    RANDOM,
    Retest,
    ati,
    ati_with_ceiling,
    ceiling_composite,
    human_ceiling,
    published_estimate,
    utility,
)
from otherminds.metrics.uncertainty import estimate


def opinion(person: str, question: str, test: int, retest: int | None) -> Retest:
    return Retest(person, "zoning", question, 1, 10, test, retest)


def reason(person: str, question: str, test: int, retest: int | None) -> Retest:
    return Retest(person, "zoning", question, 1, 5, test, retest)


def letter(person: str, question: str, test: str, retest: str | None) -> Retest:
    return Retest(person, "zoning", question, 0, 0, test, retest)


def population(people: int, *, seed: int = 0, letters: bool = True) -> list[Retest]:
    rng = np.random.default_rng(seed)
    rows: list[Retest] = []
    for p in range(people):
        for topic, questions in {"zoning": ("1.1", "1.2"), "healthcare": ("3.1", "3.6")}.items():
            for question in questions:
                test = int(rng.integers(1, 11))
                retest = int(np.clip(test + rng.integers(-4, 5), 1, 10))
                rows.append(Retest(f"P{p}", topic, question, 1, 10, test, retest))
            test = int(rng.integers(1, 6))
            retest = int(np.clip(test + rng.integers(-2, 3), 1, 5))
            rows.append(Retest(f"P{p}", topic, "r", 1, 5, test, retest))
            if letters:
                for k in range(3):
                    one = "AB"[rng.integers(2)]
                    two = one if rng.random() < 0.8 else "AB"[rng.integers(2)]
                    rows.append(Retest(f"P{p}", topic, f"b{k}", 0, 0, one, two))
    return rows


def test_by_hand() -> None:
    rows = [
        opinion("P", "1.1", 5, 6),
        opinion("P", "1.2", 8, 8),
        opinion("P", "1.3", 5, 7),
        opinion("Q", "1.1", 2, 5),
        reason("Q", "1.2r_A", 4, 2),
        letter("P", "b", "A", "A"),
        letter("Q", "b", "A", "B"),
    ]
    found = human_ceiling(rows)
    # Within 2 of 10, 1 of 5: yes yes yes no no. Errors on 5 points: 0.5, 0, 1, 1.5, 2.
    assert found.summary["bdu_acc"].value == pytest.approx(3 / 5)
    assert found.summary["bdu_mae"].value == pytest.approx(1.0)
    # Against P's baseline: +3 and +2 agree; 0 and +1 do not. Change ½, direction 1.
    assert found.summary["bdu_dir"].value == pytest.approx(0.3 * 0.5 + 0.7)
    assert found.summary["bsi_acc"].value == 0.5
    # Opinions: Σ(a - b)² = 1 + 0 + 4 + 9 = 14; Σa = 20, Σb = 26, Σa² = 118, Σb² = 174:
    # expected 292 - 2·520/4 = 32; κ = 1 - 14/32.
    assert found.kappa[1, 10].value == pytest.approx(1 - 14 / 32)
    # Row sums 11, 16, 12, 7, Σ² = 570; total 46, correction 46²/8 = 264.5. Targets 285 - 264.5 = 20.5;
    # occasions (400 + 676)/4 - 264.5 = 4.5; all 292 - 264.5 = 27.5, residual 2.5. MSR = 20.5/3,
    # MSC = 4.5, MSE = 2.5/3: (18/3) / (20.5/3 + 2.5/3 + 2·(4.5 - 2.5/3)/4) = 6 / (9.5).
    assert found.icc[1, 10].value == pytest.approx(6 / 9.5)
    assert (found.n_people, found.n_unanswered, found.n_outside_scale) == (2, 0, 0)
    assert math.isnan(found.icc[1, 5].value)
    assert found.icc[1, 5].n == 1


def test_everything_has_an_interval_over_people() -> None:
    found = human_ceiling(population(13))
    names = ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir", "composite")
    parts = [found.summary[name] for name in names] + [*found.icc.values(), *found.kappa.values()]
    assert len(parts) == 9
    for part in parts:
        assert part.low < part.value < part.high
        assert part.n_clusters == 13
    assert set(found.icc) == set(found.kappa) == {(1, 5), (1, 10)}
    assert set(found.summary.by_topic) == {"healthcare", "zoning"}


def test_people_who_repeat_themselves_are_at_one() -> None:
    found = human_ceiling([row._replace(retest=row.test) for row in population(8)])
    assert found.summary["bdu_acc"].value == found.summary["bdu_dir"].value == 1
    assert found.summary["bdu_mae"].value == 0
    assert found.icc[1, 5].value == pytest.approx(1)
    assert found.kappa[1, 10].value == 1


def test_silence_is_left_out_and_counted() -> None:
    rows = population(6)
    silent = [row._replace(retest=None, question_id=f"{row.question_id}'") for row in rows[:4]]
    found, without = human_ceiling([*rows, *silent], draws=20), human_ceiling(rows, draws=20)
    assert found.n_unanswered == 4
    assert repr(replace(found, n_unanswered=0)) == repr(without)


def test_answers_off_the_scale_count_in_the_scores_alone() -> None:
    rows = population(6)
    odd = [reason("P0", "1.4r_G", 0, 0), reason("P1", "1.4r_G", 0, 3)]
    found, without = human_ceiling([*rows, *odd], draws=20), human_ceiling(rows, draws=20)
    assert found.n_outside_scale == 2
    assert found.icc == without.icc
    assert found.kappa == without.kappa
    assert found.summary.counts["n_items"] == without.summary.counts["n_items"] + 2


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1_000))
def test_order_does_not_matter(seed: int) -> None:
    rows = population(5, seed=seed)
    shuffled = random.Random(seed).sample(rows, len(rows))
    assert repr(human_ceiling(rows, draws=20)) == repr(human_ceiling(shuffled, draws=20))


def test_people_whose_names_hold_separators_stay_apart() -> None:
    rows = [reason('P", "zoning', "x", 3, 3), Retest("P", 'zoning", "zoning', "x", 1, 5, 3, 3)]
    assert human_ceiling(rows, draws=2).n_people == 2


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([], EmptyInput, "Nobody answered"),
        ([reason("P", "a", 1, None)], EmptyInput, "Nobody answered"),
        ([reason("P", "a", 1, 2), reason("P", "a", 2, 2)], MisalignedInput, "twice"),
        ([Retest("P", "zoning", "a", 1, 7, 1, 1)], MetricError, "1-7"),
        ([Retest("P", "zoning", "a", 1, 5, "3", 3)], MisalignedInput, "not an integer"),
        ([Retest("P", "zoning", "a", 1, 5, True, 3)], MisalignedInput, "not an integer"),
        ([letter("P", "a", "A", "C")], MisalignedInput, "'A' or 'B'"),
        ([Retest("P", "zoning", "a", 0, 0, 1, 1)], MisalignedInput, "'A' or 'B'"),
    ],
)
def test_broken_tables_are_refused(rows: list[Retest], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        human_ceiling(rows)


def certain(value: float, stderr: float = 0.0, people: int = 13) -> Estimate:
    return estimate(value, stderr, n=people, n_clusters=people)


def test_a_published_interval_becomes_a_standard_error() -> None:
    # Half-width 0.06 over 1.959964 is 0.0306128; with 12 degrees of freedom t is 2.178813.
    found = published_estimate(0.85, 0.79, 0.91, people=13)
    assert found.stderr == pytest.approx(0.0306128, abs=1e-7)
    assert found.high == pytest.approx(0.85 + 2.178813 * 0.0306128, abs=1e-6)
    assert (found.n, found.n_clusters) == (13, 13)
    for value, low, high, people in [
        (0.9, 0.95, 1.0, 13),
        (0.9, 0.8, math.inf, 13),
        (math.nan, 0.8, 0.9, 13),
        (0.9, 0.8, 1.0, 1),
    ]:
        with pytest.raises(MetricError):
            published_estimate(value, low, high, people=people)


def test_the_composite_of_a_ceiling_by_hand() -> None:
    parts = [certain(x, s) for x, s in zip(HUMAN, (0.04, 0.02, 0.06, 0.04), strict=True)]
    found = ceiling_composite(*parts)
    assert found.value == pytest.approx(100 * utility(*HUMAN))
    # u = BSI/2 + acc/8 - MAE/32 + dir/4 + const: 0.02 + 0.0025 + 0.001875 + 0.01 = 0.034375.
    assert found.stderr == pytest.approx(3.4375)
    assert found.n_clusters == 13
    with pytest.raises(MetricError, match="not a ceiling"):
        ceiling_composite(parts[0], parts[1], certain(4.2), parts[3])


@given(st.lists(st.floats(-1, 1), min_size=16, max_size=16))
def test_the_bound_holds_for_every_correlation(entries: list[float]) -> None:
    root = np.array(entries).reshape(4, 4)
    covariance = root @ root.T
    errors = np.sqrt(np.diag(covariance))
    found = ceiling_composite(*(certain(0.5, float(e)) for e in errors))
    weights = np.array([1 / 2, 1 / 8, -1 / 32, 1 / 4])
    assert 100 * math.sqrt(max(weights @ covariance @ weights, 0)) <= found.stderr + 1e-9


def test_with_a_certain_ceiling_it_is_the_plain_ati() -> None:
    ceiling = ceiling_composite(*(certain(x) for x in HUMAN))
    model = estimate(65.0, 2.0, n=1_742, n_clusters=54)
    found = ati_with_ceiling(model, ceiling)
    assert found.value == pytest.approx(ati(0.65))
    # The same transformation of the ends of the model's interval, with its 53 degrees of freedom.
    assert found.low == pytest.approx(ati(model.low / 100))
    assert found.high == pytest.approx(ati(model.high / 100))
    assert (found.n, found.n_clusters) == (1_742, 54)


def test_propagation_by_hand() -> None:
    # Chance 49.645 (from RANDOM): ceiling 40 above, model 20 above: ATI 50. a = 100·1/40 = 2.5;
    # b = 50·2/40 = 2.5. SE = 2.5·sqrt 2. Degrees of freedom (2·6.25)²/(6.25²/24 + 6.25²/12) = 32.
    chance = 100 * utility(*RANDOM)
    assert chance == pytest.approx(49.645)
    found = ati_with_ceiling(certain(chance + 20, 1.0, 25), certain(chance + 40, 2.0, 13))
    assert found.value == pytest.approx(50)
    assert found.stderr == pytest.approx(2.5 * math.sqrt(2))
    # The 97.5 % point of t with 32 degrees of freedom is 2.036933.
    assert found.high - found.value == pytest.approx(2.036933 * found.stderr, abs=1e-5)


def test_the_delta_method_agrees_with_simulation_and_covers() -> None:
    rng = np.random.default_rng(4)
    chance, draws = 100 * utility(*RANDOM), 20_000
    u, h = chance + 22, chance + 37.0
    model, human = u + 1.5 * rng.normal(size=draws), h + 2.5 * rng.normal(size=draws)
    simulated = 100 * (model - chance) / (human - chance)
    exact = ati_with_ceiling(certain(u, 1.5, 54), certain(h, 2.5, 13))
    assert exact.stderr == pytest.approx(float(simulated.std()), rel=0.04)
    # Both standard errors estimated, from 54 and 13 people.
    errors = np.sqrt(rng.chisquare([53, 12], size=(2_000, 2)) / [53, 12]) * [1.5, 2.5]
    hits = 0
    for value, top, (first, second) in zip(model, human, errors.tolist(), strict=False):
        found = ati_with_ceiling(certain(value, first, 54), certain(top, second, 13))
        hits += found.low <= exact.value <= found.high
    # 2,000 intervals: 4 standard errors of a coverage of 0.95 are 0.02.
    assert hits / 2_000 == pytest.approx(0.95, abs=0.02)


@given(st.floats(0, 5), st.floats(0, 5), st.floats(-10, 130))
def test_an_uncertain_ceiling_never_narrows(first: float, second: float, value: float) -> None:
    model = certain(value, 1.0, 54)
    small, large = (ati_with_ceiling(model, certain(85, s)) for s in sorted((first, second)))
    assert small.stderr <= large.stderr * (1 + 1e-12)
    assert small.value == large.value


def test_at_chance_the_ceiling_does_not_matter() -> None:
    chance = 100 * utility(*RANDOM)
    found = ati_with_ceiling(certain(chance, 1.0), certain(chance + 40, 5.0))
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.stderr == pytest.approx(2.5)


def test_what_is_unknown_stays_unknown() -> None:
    ceiling = certain(85, 2.0)
    unknown = certain(85, math.nan)
    assert ati_with_ceiling(certain(math.nan), ceiling).n == 0
    for found in (
        ati_with_ceiling(certain(70, 1.0), unknown),
        ati_with_ceiling(certain(70, math.nan), ceiling),
        ati_with_ceiling(certain(70, 1.0, people=1), ceiling),
    ):
        assert found.value > 0
        assert math.isnan(found.stderr)
        assert math.isnan(found.high)
    assert ati_with_ceiling(certain(70), certain(85)).stderr == 0
    with pytest.raises(EmptyInput, match="needs one"):
        ati_with_ceiling(certain(70, 1.0), certain(math.nan))
    with pytest.raises(EmptyInput, match="all four"):
        ceiling_composite(certain(0.8), certain(0.8), certain(math.nan), certain(0.8))
    assert math.isnan(ceiling_composite(*[certain(0.8, 0.1)] * 3, certain(0.8, math.nan)).stderr)


@pytest.mark.parametrize(("value", "stderr"), [(40, 0.1), (60, 5.0), (47, math.nan)])
def test_a_ceiling_at_chance_is_no_denominator(value: float, stderr: float) -> None:
    with pytest.raises(MetricError, match="not clearly above"):
        ati_with_ceiling(certain(70, 1.0), certain(value, stderr))


def test_a_ceiling_from_a_table_can_anchor() -> None:
    found = human_ceiling(population(13)).summary["composite"]
    assert ati_with_ceiling(found, found).value == pytest.approx(100)
