"""Bayes-optimal predictions against independent integration, and the scores made from them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from otherminds.dataset_builders.debate import synthetic
from otherminds.dataset_builders.debate import synthetic_ceilings as ceilings
from otherminds.dataset_builders.debate.schema import CONFIG
from otherminds.dataset_builders.debate.synthetic import SyntheticSpec
from otherminds.dataset_builders.debate.synthetic_evidence import (
    CONDITIONS,
    Evidence,
    Items,
    evidence_of,
    items_of,
    shown,
)
from otherminds.dataset_builders.debate.synthetic_mode import peak
from otherminds.dataset_builders.debate.synthetic_model import AttributeModel, Model, released
from otherminds.dataset_builders.debate.synthetic_people import draw_person
from otherminds.dataset_builders.debate.synthetic_posterior import log_joint, marginal, predict
from otherminds.types import FloatArray

SPEC = SyntheticSpec(users=80, seed=3, subset=8)


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return synthetic.build(SPEC)[CONFIG]


def logistic(x: FloatArray) -> FloatArray:
    return 1.0 / (1.0 + np.exp(-x))


# One factor, two age groups, three propositions, and one attribute whose second value only the
# older group can have: small enough to integrate on a grid.
TOY = Model(
    categories=("Religion",) * 3,
    texts=("One", "Two", "Three"),
    interest=np.ones(3),
    lean=np.array([0.5, -1.0, 0.2]),
    slope=np.array([[2.0], [-3.0], [1.0]]),
    ages=((18, 30), (31, 60)),
    log_share=np.log([0.7, 0.3]),
    means=np.array([[-0.6], [1.4]]),
    covariance=np.array([[1.0]]),
    attributes=(
        AttributeModel(
            name="status",
            values=("young", "old", "any"),
            slope=np.array([[0.0], [1.0], [-0.5]]),
            offset=np.log(np.array([[0.5, 1e-300, 0.5], [0.2, 0.5, 0.3]])),
            shown=1.0,
        ),
    ),
    age_shown=1.0,
    silent=0.0,
)


def grid_answer(evidence: Evidence, person: int) -> FloatArray:
    """P(agrees | evidence) of the three propositions, by a fine grid over the factor."""
    theta = np.linspace(-9.0, 9.0, 20_001)
    density = np.zeros_like(theta)
    attribute = TOY.attributes[0]
    for group in (0, 1):
        if evidence.age_group[person] not in (-1, group):
            continue
        part = np.exp(TOY.log_share[group] - 0.5 * (theta - TOY.means[group, 0]) ** 2)
        value = evidence.attributes[0][person]
        if value >= 0:
            odds = np.exp(attribute.offset[group] + np.outer(theta, attribute.slope[:, 0]))
            part = part * odds[:, value] / odds.sum(axis=1)
        density += part
    for place, sign in enumerate(evidence.beliefs[person]):
        if sign:
            density *= logistic(sign * (TOY.lean[place] + TOY.slope[place, 0] * theta))
    chances = logistic(TOY.lean + np.outer(theta, TOY.slope[:, 0]))
    answer: FloatArray = density @ chances / density.sum()
    return answer


def toy_items(people: int) -> Items:
    return Items(
        people=tuple(f"U{number}" for number in range(people)),
        person=np.repeat(np.arange(people), 3),
        proposition=np.tile(np.arange(3), people),
        agrees=np.zeros(3 * people, dtype=np.bool_),
    )


def test_predictions_agree_with_integration_on_a_grid() -> None:
    evidence = Evidence(
        beliefs=np.array(
            [[0, 0, 0], [1, 0, 0], [0, -1, 1], [-1, 1, 0], [1, 1, 1], [0, 0, 0]], dtype=np.int8
        ),
        age_group=np.array([-1, -1, 0, 1, -1, 0]),
        attributes=(np.array([2, -1, 0, 1, 1, -1]),),
    )
    found = predict(TOY, evidence, toy_items(6), samples=40_000)
    expected = np.concatenate([grid_answer(evidence, person) for person in range(6)])
    assert found.probability == pytest.approx(expected, abs=0.005)
    assert np.all(np.abs(found.probability - expected) < 5.0 * found.error + 1e-4)


def test_without_evidence_predictions_are_shares_of_the_population() -> None:
    nothing = Evidence(
        beliefs=np.zeros((1, 3), dtype=np.int8),
        age_group=np.array([-1]),
        attributes=(np.array([-1]),),
    )
    found = predict(TOY, nothing, toy_items(1))
    assert found.probability == pytest.approx(grid_answer(nothing, 0), abs=1e-7)
    assert np.all(found.error == 0.0)


def test_the_marginal_is_what_people_drawn_from_the_model_do() -> None:
    model = released()
    drawn = [draw_person(model, 9, number) for number in range(2000)]
    share = marginal(model)
    residuals = [person.agrees - share[person.propositions] for person in drawn]
    sums = np.array([part.sum() for part in residuals])
    # A sum over people in units of its standard error; 4 is exceeded once in 16,000 seeds.
    assert abs(sums.sum()) < 4.0 * np.sqrt(sums @ sums)


def test_the_released_model_is_integrated_rightly() -> None:
    """Against plain Monte Carlo: people drawn from the prior, weighted by their likelihood."""
    model = released()
    table = synthetic.build(SyntheticSpec(users=40, seed=21, subset=0))[CONFIG]
    items = items_of(table, model)
    evidence = shown(evidence_of(table, items, model), "both")
    few = int(np.argmin(np.count_nonzero(evidence.beliefs, axis=1)))
    rng = np.random.default_rng(4)
    group = rng.choice(len(model.ages), size=200_000, p=np.exp(model.log_share))
    noise = rng.multivariate_normal(np.zeros(12), model.covariance, size=len(group))
    theta = model.means[group] + noise
    weight = np.ones(len(group))
    if evidence.age_group[few] >= 0:
        weight *= group == evidence.age_group[few]
    for attribute, values in zip(model.attributes, evidence.attributes, strict=True):
        if values[few] >= 0:
            odds = np.exp(attribute.offset[group] + theta @ attribute.slope.T)
            weight *= odds[:, values[few]] / odds.sum(axis=1)
    for place in np.flatnonzero(evidence.beliefs[few]):
        log_odds = model.lean[place] + theta @ model.slope[place]
        weight *= logistic(evidence.beliefs[few, place] * log_odds)
    asked = items.proposition[items.person == few]
    expected = weight @ logistic(model.lean[asked] + theta @ model.slope[asked].T) / weight.sum()
    found = predict(model, evidence, items).probability[items.person == few]
    assert found == pytest.approx(expected, abs=0.03)


def test_the_mode_is_a_maximum(table: pa.Table) -> None:
    model = released()
    evidence = evidence_of(table, items_of(table, model), model)
    found = peak(model, evidence)
    rng = np.random.default_rng(0)
    for person in range(10):
        steps = 0.05 * rng.standard_normal((50, 12))
        at = log_joint(model, evidence, person, found.mode[person : person + 1])[0]
        around = log_joint(model, evidence, person, found.mode[person] + steps)
        # Averaging over open age groups leaves the mode right only to second order.
        assert np.all(around < at + 0.01)


def test_an_odd_number_of_samples_is_an_error() -> None:
    nothing = Evidence(np.zeros((1, 3), dtype=np.int8), np.array([0]), (np.array([-1]),))
    with pytest.raises(ValueError, match="samples is 3"):
        predict(TOY, nothing, toy_items(1), samples=3)


def test_an_unknown_condition_is_an_error(table: pa.Table) -> None:
    model = released()
    evidence = evidence_of(table, items_of(table, model), model)
    with pytest.raises(ValueError, match="'everything' is not a condition; there are blind"):
        shown(evidence, "everything")


def test_conditions_show_their_part_only(table: pa.Table) -> None:
    model = released()
    evidence = evidence_of(table, items_of(table, model), model)
    facts = {
        name: (
            bool(shown(evidence, name).beliefs.any()),
            any((values >= 0).any() for values in shown(evidence, name).attributes),
            bool((shown(evidence, name).age_group >= 0).any()),
        )
        for name in CONDITIONS
    }
    assert facts == {
        "blind": (False, False, False),
        "demographics": (False, True, True),
        "beliefs": (True, False, False),
        "both": (True, True, True),
    }


def test_expected_scores_by_hand() -> None:
    # Says agrees to 0.9 and 0.6, disagrees to 0.2. acc = (0.9 + 0.6 + 0.8) / 3.
    # agrees:    TP 1.5, predicted 2, expected golds 1.7: F1 = 2·1.5 / 3.7
    # disagrees: TP 0.8, predicted 1, expected golds 1.3: F1 = 2·0.8 / 2.3
    scores = ceilings.expected_scores(np.array([0.9, 0.6, 0.2]))
    assert scores["acc"] == pytest.approx(2.3 / 3)
    assert scores["macro_f1"] == pytest.approx((3.0 / 3.7 + 1.6 / 2.3) / 2)


def test_an_answer_that_is_neither_given_nor_expected_has_no_f1() -> None:
    assert ceilings.expected_scores(np.ones(4)) == {"acc": 1.0, "macro_f1": 1.0}


def test_no_items_have_no_scores() -> None:
    with pytest.raises(ValueError, match="no items"):
        ceilings.expected_scores(np.empty(0))


@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(0.0, 1.0)))
def test_no_answers_are_expected_to_be_right_more_often(probability: FloatArray) -> None:
    best = ceilings.expected_scores(probability)["acc"]
    assert best >= max(probability.mean(), 1.0 - probability.mean()) - 1e-12
    assert best >= 0.5


def test_ceilings_have_every_condition_and_part(table: pa.Table) -> None:
    found = synthetic.ceilings({CONFIG: table}, SPEC)
    categories = set(table.column("category").to_pylist())
    assert list(found) == list(CONDITIONS)
    for by_part in found.values():
        assert set(by_part) == {"all", "subset_100"} | categories
        assert all(set(scores) == {"acc", "macro_f1"} for scores in by_part.values())
    accuracy = [found[name]["all"]["acc"] for name in ("blind", "demographics", "both")]
    assert accuracy == sorted(accuracy)
    # Computed again from the rows, whatever their order.
    backwards = table.take(list(range(table.num_rows))[::-1])
    again = synthetic.ceilings({CONFIG: backwards}, SPEC)
    assert again["blind"]["all"] == pytest.approx(found["blind"]["all"])


def test_the_reader_reaches_its_ceiling_up_to_chance(table: pa.Table) -> None:
    predictions = ceilings.predictions(table)
    expected = ceilings.ceilings_of(table, predictions)
    reached = ceilings.reached_of(table, predictions)
    for condition in CONDITIONS:
        # About 600 items: the standard error of a share is at most 0.02 (0.5 / √600).
        gap = reached[condition]["all"]["acc"] - expected[condition]["all"]["acc"]
        assert abs(gap) < 4 * 0.5 / np.sqrt(table.num_rows)
