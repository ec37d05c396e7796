"""Run-to-run spread, distributions and individuals: by hand, and on published runs of two models."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import pearsonr

from otherminds.metrics import EmptyInput, MetricError
from otherminds.metrics.hugagent import (
    Item,
    distribution_match,
    individual_correlation,
    run_deviation,
)

MODELS = ["gpt-5.1", "claude-sonnet-4-5"]
Load = Callable[[str], list[Item]]


def test_run_deviation_by_hand(make: Any) -> None:
    items = [
        make.reason("a", "P", 3, 1, 3, 5),  # SD 2
        make.opinion("b", "P", "1.1", 5, 4, 4, 6),  # SD sqrt(4/3), halved
        make.reason("c", "Q", 3, 2, None, 4),  # SD sqrt 2, of two
        make.reason("d", "Q", 3, 2, None, None),
        make.bsi("e", "R", "A", "A", "B", "A"),
    ]
    found = run_deviation(items)
    values = [2, math.sqrt(4 / 3) / 2, math.sqrt(2)]
    mean = sum(values) / 3
    assert found.deviation.value == pytest.approx(mean)
    # P's residuals add up to the opposite of Q's: SE = sqrt(2/1 · 2·r²)/3 with r = Q's.
    assert found.deviation.stderr == pytest.approx(2 * abs(values[2] - mean) / 3)
    assert (found.deviation.n, found.deviation.n_clusters, found.n_left_out) == (3, 2, 1)


def test_one_run_has_no_deviation(make: Any) -> None:
    found = run_deviation([make.reason("a", "P", 3, 3), make.reason("b", "Q", 3, 3)])
    assert math.isnan(found.deviation.value)
    assert (found.deviation.n, found.n_left_out) == (0, 2)


def test_distributions_by_hand(make: Any) -> None:
    # People: 1 1 2 5. Run 1: 1 1 2 5. Run 2: 3 3 3 3. In run 3 the last is unread: 1 1 1 against 1 1 2.
    golds, runs = (1, 1, 2, 5), ((1, 3, 1), (1, 3, 1), (2, 3, 1), (5, 3, None))
    items = [
        make.reason(f"i{k}", f"P{k}", gold, *answers)
        for k, (gold, answers) in enumerate(zip(golds, runs, strict=True))
    ]
    found = distribution_match(items)["zoning", 1, 5]
    # Divergences 0, 1 and of (1, 0) from (2/3, 1/3): m = (5/6, 1/6),
    # ½·log2(6/5) + ½·(2/3·log2(4/5) + 1/3·log2 2) = 0.1908745.
    assert found.jensen_shannon.value == pytest.approx((0 + 1 + 0.1908745) / 3, abs=1e-7)
    # Shares: r = 1; (2 1 0 0 1) and (0 0 4 0 0): deviations (1.2 .2 -.8 -.8 .2), (-.8 -.8 3.2 -.8 -.8):
    # -3.2 / sqrt(2.8 · 12.8) with Σ = -.96 -.16 -2.56 +.64 -.16; (3 0 0 0 0) and (2 1 0 0 0):
    # (2.4 -.6 -.6 -.6 -.6), (1.4 .4 -.6 -.6 -.6): 4.2 / sqrt(7.2 · 3.2).
    expected = (1 - 3.2 / math.sqrt(2.8 * 12.8) + 4.2 / math.sqrt(7.2 * 3.2)) / 3
    assert found.pearson.value == pytest.approx(expected)
    # Ratios 1, 0, 0.
    assert found.variance_ratio.value == pytest.approx(1 / 3)
    assert (found.n_outside, found.n_unread) == (0, pytest.approx(1 / 3))
    assert found.jensen_shannon.n == pytest.approx(11 / 3)
    assert found.jensen_shannon.n_clusters == 4


def test_mean_answers_by_hand(make: Any) -> None:
    # Question: golds; answers of two runs. Means of the people 2, 5, 9, 4.
    asked = {
        "1.1": [(1, 2, 9), (3, 4, 9)],
        "1.2": [(5, 6, 9)],
        "1.3": [(9, 7, 9), (9, 7, None)],
        "1.4": [(4, 2, None)],
    }
    items = [
        make.opinion(f"{question}-{k}", f"P{k}", question, *row)
        for question, rows in asked.items()
        for k, row in enumerate(rows)
    ]
    found = distribution_match(items)["zoning", 1, 10]
    # Run 1: means (3 6 7 2) against (2 5 9 4): deviations (-1.5 1.5 2.5 -2.5), (-3 0 4 -1):
    # 17 / sqrt(17 · 26). In run 2 the model's means are all 9: no r, so the mean is over run 1.
    assert found.pearson_means.value == pytest.approx(17 / math.sqrt(17 * 26))
    assert found.n_questions == 4
    # Each question counts once: asking 1.2 of others, answered alike, changes nothing.
    more = [make.opinion(f"more{k}", f"Q{k}", "1.2", 5, 6, 9) for k in range(5)]
    again = distribution_match([*items, *more])["zoning", 1, 10]
    assert again.pearson_means.value == pytest.approx(found.pearson_means.value)


def test_means_of_the_questions_of_another_run_have_no_part(make: Any) -> None:
    # 1.4 is read in run 2 alone, and with it r would be another one in run 1.
    rows = {"1.1": (2, 1, 2), "1.2": (5, 6, 5), "1.3": (8, 7, 8), "1.4": (10, None, 10)}
    items = [make.opinion(q, f"P{q}", q, *row) for q, row in rows.items()]
    found = distribution_match(items)["zoning", 1, 10]
    first = pearsonr([1, 6, 7], [2, 5, 8])[0]
    assert found.pearson_means.value == pytest.approx((first + 1) / 2)
    assert found.n_questions == 4


def test_the_interval_of_r_of_the_means_holds_the_true_r(make: Any) -> None:
    # 54 people who answer 4 of 10 times each of eight questions; true means, before rounding, 3 to 8 for
    # the people, and others for the model.
    rng = np.random.default_rng(1)
    people, model = np.linspace(3, 8, 8), np.array([4.5, 5, 4, 6.5, 5, 7, 6, 6.5])
    many = np.random.default_rng(2)
    r = pearsonr(*(answers(many, means, 50_000).mean(axis=0) for means in (people, model)))[0]
    held = 0
    for _ in range(60):
        golds, replies = (answers(rng, means, 54) for means in (people, model))
        asked = np.argwhere(rng.random((54, 8)) < 0.4).tolist()
        items = [
            make.opinion(f"{p}-{q}", f"P{p}", f"1.{q}", int(golds[p, q]), int(replies[p, q]))
            for p, q in asked
        ]
        found = distribution_match(items, draws=200)["zoning", 1, 10].pearson_means
        held += found.low <= r <= found.high
    # 95 % of 60 is 57; fewer than 50 would be four standard deviations (1.7) below.
    assert held >= 50


def answers(rng: np.random.Generator, means: Any, people: int) -> Any:
    """Whole answers on 1 to 10, shape (people, questions)."""
    return np.clip(np.rint(rng.normal(means, 2, (people, len(means)))), 1, 10)


def test_two_questions_have_no_correlation(make: Any) -> None:
    items = [make.opinion(q, "P", q, gold, gold) for q, gold in (("1.1", 2), ("1.2", 9))]
    found = distribution_match(items)["zoning", 1, 10]
    assert math.isnan(found.pearson_means.value)
    assert found.jensen_shannon.value == 0


def test_people_who_were_never_read_are_no_clusters(make: Any) -> None:
    items = [make.reason(f"i{k}", f"P{k}", 1 + k, 1 + k) for k in range(4)]
    found = distribution_match([*items, make.reason("z", "Z", 5, None)])["zoning", 1, 5]
    assert (found.jensen_shannon.n, found.jensen_shannon.n_clusters) == (4, 4)
    assert found.n_unread == 1


def test_cells_are_topics_and_scales(make: Any) -> None:
    items = [
        *make.population(5, runs=2),
        make.reason("x", "P0", 0, 1, 1, topic="surveillance"),
        make.reason("y", "P0", 3, None, None, topic="loud"),
    ]
    found = distribution_match(items, draws=20)
    assert list(found) == [
        ("healthcare", 1, 5),
        ("healthcare", 1, 10),
        ("loud", 1, 5),
        ("surveillance", 1, 5),
        ("zoning", 1, 5),
        ("zoning", 1, 10),
    ]
    outside, unread = found["surveillance", 1, 5], found["loud", 1, 5]
    assert (outside.n_outside, outside.jensen_shannon.n) == (1, 0)
    assert (unread.n_unread, unread.jensen_shannon.n) == (1, 0)
    assert math.isnan(unread.variance_ratio.value)


def test_people_who_agree_have_no_ratio(make: Any) -> None:
    items = [make.reason(f"i{k}", f"P{k}", 3, 1 + k) for k in range(5)]
    found = distribution_match(items)["zoning", 1, 5]
    assert math.isnan(found.variance_ratio.value)
    # The model is uniform: no correlation either.
    assert math.isnan(found.pearson.value)
    assert found.jensen_shannon.value > 0


def test_individual_correlation_by_hand(make: Any) -> None:
    rows = {
        "same": [(1, 2, 2), (2, 3, 4), (3, 4, 4)],  # run 1: r = 1; run 2: (2 4 4), r = sqrt(3)/2
        "against": [(1, 5, 5), (3, 3, 4), (5, 1, 3)],  # -1 twice
        "few": [(1, 1, 1), (5, 5, 5)],
        "unread": [(1, 1, None), (3, None, 3), (5, 5, 5)],  # two in either run
        "same_gold": [(3, 1, 2), (3, 2, 3), (3, 5, 1)],
        "same_model": [(1, 4, 3), (3, 4, 3), (5, 4, 3)],
        "off_scale": [(1, 1, 1), (0, 3, 3), (5, 5, 5)],  # a gold of 0: two are left
    }
    items = [
        make.reason(f"{person}{k}", person, *row)
        for person, answers in rows.items()
        for k, row in enumerate(answers)
    ]
    found = individual_correlation(items)
    first = (1 + math.sqrt(3) / 2) / 2
    assert found.correlation.value == pytest.approx((first - 1) / 2)
    # Two people: SE = |difference| / 2.
    assert found.correlation.stderr == pytest.approx((first + 1) / 2)
    assert (found.correlation.n, found.correlation.n_clusters) == (2, 2)
    assert (found.n_too_few, found.n_constant_gold, found.n_constant_model) == (3, 1, 1)


def test_two_scales_are_no_agreement(make: Any) -> None:
    # In raw numbers the opinions are high and the reasons low for both; as positions they go against
    # each other: gold 0 1 0 1, model 1 0 1 0.
    items = [
        make.opinion("a", "P", "1.1", 1, 10),
        make.opinion("b", "P", "1.2", 10, 1),
        make.reason("c", "P", 1, 5),
        make.reason("d", "P", 5, 1),
    ]
    assert individual_correlation(items).correlation.value == pytest.approx(-1)


def test_a_perfect_model_matches_in_everything(make: Any) -> None:
    items = [
        i if i.task == "bsi" else i._replace(answers=(int(i.gold),)) for i in make.population(30)
    ]
    assert individual_correlation(items).correlation.value == pytest.approx(1)
    for match in distribution_match(items, draws=20).values():
        assert match.jensen_shannon.value == 0
        assert match.pearson.value == pytest.approx(1)
        assert match.variance_ratio.value == 1


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1_000))
def test_order_does_not_matter(make: Any, seed: int) -> None:
    items = make.population(6, runs=2, seed=seed)
    shuffled = random.Random(seed).sample(items, len(items))
    assert repr(distribution_match(items, draws=20)) == repr(distribution_match(shuffled, draws=20))
    assert repr(run_deviation(items)) == repr(run_deviation(shuffled))
    assert repr(individual_correlation(items)) == repr(individual_correlation(shuffled))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1_000))
def test_repeating_every_run_changes_no_match(make: Any, seed: int) -> None:
    items = make.population(6, seed=seed)
    thrice = [item._replace(answers=item.answers * 3) for item in items]
    assert run_deviation(thrice).deviation.value == 0
    once, again = distribution_match(items, draws=20), distribution_match(thrice, draws=20)
    for cell, match in once.items():
        for name in ("jensen_shannon", "pearson", "pearson_means", "variance_ratio"):
            first, second = getattr(match, name), getattr(again[cell], name)
            assert second.value == pytest.approx(first.value, nan_ok=True)
            assert second.stderr == pytest.approx(first.stderr, nan_ok=True)
            assert second.n == first.n


def test_nothing_and_nonsense_are_refused(make: Any) -> None:
    for function in (run_deviation, distribution_match, individual_correlation):
        with pytest.raises(EmptyInput, match="No items"):
            function([])
        with pytest.raises(EmptyInput, match="No BDU"):
            function([make.bsi("a", "P", "A", "A")])
        with pytest.raises(MetricError, match="outside 1-5"):
            function([make.reason("a", "P", 3, 6)])


@pytest.mark.parametrize("model", MODELS)
def test_published_runs_against_slow_definitions(published: Load, model: str) -> None:
    items = [item for item in published(model) if item.task == "bdu"]
    # All golds outside their scale are 0, and there are 54 of them (DESIGN §3.1).
    inside = [item for item in items if item.low <= int(item.gold) <= item.high]
    assert len(items) - len(inside) == 54

    found = run_deviation(items)
    spreads = {}
    for item in items:
        read = [a for a in item.answers if a is not None]
        if len(read) > 1:
            mean = sum(read) / len(read)
            spread = math.sqrt(sum((a - mean) ** 2 for a in read) / (len(read) - 1))
            spreads[item.item_id] = spread / (2 if item.high == 10 else 1)
    mean = sum(spreads.values()) / len(spreads)
    residuals: dict[str, float] = defaultdict(float)
    for item in items:
        if item.item_id in spreads:
            residuals[item.participant_id] += spreads[item.item_id] - mean
    g = len(residuals)
    error = math.sqrt(g / (g - 1) * sum(r**2 for r in residuals.values())) / len(spreads)
    assert found.deviation.value == pytest.approx(mean)
    assert found.deviation.stderr == pytest.approx(error)
    assert found.n_left_out == len(items) - len(spreads)
    assert found.deviation.low > 0

    matches = distribution_match(items, draws=200)
    assert len(matches) == 6
    assert sum(match.n_outside for match in matches.values()) == 54
    for (topic, low, high), match in matches.items():
        here = [i for i in inside if (i.topic, i.low, i.high) == (topic, low, high)]
        slow = []
        for k in range(5):
            pairs = [(i.answers[k], int(i.gold)) for i in here if i.answers[k] is not None]
            answers, golds = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
            shares = [
                [float(np.mean(values == point)) for point in range(low, high + 1)]
                for values in (answers, golds)
            ]
            divergence = jensenshannon(*shares, base=2) ** 2
            by_question: dict[str, list[tuple[int, int]]] = defaultdict(list)
            for i in here:
                if i.answers[k] is not None:
                    by_question[i.question_id].append((i.answers[k], int(i.gold)))
            means = zip(*(np.mean(rows, axis=0) for rows in by_question.values()), strict=True)
            slow.append(
                (
                    divergence,
                    pearsonr(*shares)[0],
                    pearsonr(*means)[0],
                    answers.var() / golds.var(),
                )
            )
        expected = np.mean(slow, axis=0)
        values = (
            *(match.jensen_shannon, match.pearson, match.pearson_means),
            match.variance_ratio,
        )
        assert [v.value for v in values] == pytest.approx(expected.tolist())
        for value in values:
            assert value.low < value.value < value.high
            assert value.n_clusters == len({i.participant_id for i in here})

    people: dict[str, list[Item]] = defaultdict(list)
    for item in inside:
        people[item.participant_id].append(item)
    correlations = []
    for here in people.values():
        by_run = []
        for k in range(5):
            pairs = [
                (
                    (i.answers[k] - i.low) / (i.high - i.low),
                    (int(i.gold) - i.low) / (i.high - i.low),
                )
                for i in here
                if i.answers[k] is not None
            ]
            x, y = (np.array(column) for column in zip(*pairs, strict=True))
            if len(pairs) >= 3 and x.std() > 1e-9 and y.std() > 1e-9:
                by_run.append(np.corrcoef(x, y)[0, 1])
        if by_run:
            correlations.append(np.mean(by_run))
    individual = individual_correlation(items)
    assert individual.correlation.value == pytest.approx(np.mean(correlations))
    assert individual.correlation.stderr == pytest.approx(
        np.std(correlations, ddof=1) / math.sqrt(len(correlations))
    )
    left_out = individual.n_too_few + individual.n_constant_gold + individual.n_constant_model
    assert left_out == 54 - len(correlations)
