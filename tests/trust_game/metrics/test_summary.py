from __future__ import annotations

import math
from typing import Any

import pytest

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.trust_game import (
    STRATEGIES,
    consistency,
    gain,
    summarize_conditioned,
    summarize_population,
)


def test_population(make: Any) -> None:
    played = make.population(40, runs=2, unread=0.1)
    stated = {name: make.true_ranking(runs=2) for name in STRATEGIES}
    found = summarize_population(played, stated, draws=50)
    assert sorted(found.estimates) == sorted(
        [
            *(
                f"{metric}_{name}"
                for metric in ("rho", "delta_eta2", "rho_mean", "mae_eta2")
                for name in ("ranking", "ranking_in_context", "dollar_ranking", "dollars")
            ),
            *("mae_contrast_ranking", "mae_contrast_ranking_in_context"),
            "mae_contrast_dollar_ranking",
            *("send", "parse_rate", "parse_rate_elicited"),
        ]
    )
    expected = consistency(played, stated["dollars"], draws=50)
    assert found.by_strategy["dollars"] == expected
    assert found["rho_dollars"] == expected.rho
    assert found["delta_eta2_dollars"] == expected.delta_eta_squared
    assert found.counts["n_personas"] == 40
    assert found.counts["n_attributes_ranking"] == found.counts["n_attributes_delta_ranking"] == 2
    assert (found.runs, found.draws) == (2, 50)


def test_sends_and_parse_rates_by_hand(make: Any) -> None:
    played = [
        make.played("p", 2, None, trait="a"),
        make.played("q", 4, 8, trait="b"),
    ]
    stated = {
        "ranking": [make.stated("trait", "ab", (0, 1), None)],
        "dollars": [make.stated("trait", "ab", (0, 1), (0, 1))],
    }
    found = summarize_population(played, stated, draws=20)
    assert found["send"].value == pytest.approx((3 + 8) / 2)  # runs: 2 and 4; 8
    assert (found["send"].n, found["send"].n_clusters) == (1.5, 2)
    assert found["parse_rate"].value == pytest.approx(3 / 4)
    assert found["parse_rate_elicited"].value == pytest.approx(3 / 4)
    assert (found["parse_rate_elicited"].n, found["parse_rate_elicited"].n_clusters) == (2, 1)
    # A strategy that was not asked has nothing, and does not count in the parse rate.
    assert math.isnan(found["rho_ranking_in_context"].value)
    assert found["rho_ranking_in_context"].n == 0
    assert found.counts["n_attributes_ranking_in_context"] == 0
    assert "ranking_in_context" not in found.by_strategy


def test_nothing_could_be_read(make: Any) -> None:
    played = [make.played("p", None, trait="a"), make.played("q", None, trait="b")]
    found = summarize_population(played, {"ranking": [make.stated("trait", "ab", None)]}, draws=20)
    assert found["parse_rate"].value == found["parse_rate_elicited"].value == 0
    for name in ("send", "rho_ranking", "delta_eta2_ranking", "rho_dollars"):
        assert math.isnan(found[name].value)
        assert found[name].n == 0
    assert math.isnan(summarize_population(played, {}, draws=20)["parse_rate_elicited"].value)


def test_an_attribute_of_which_nobody_has_a_level_is_asked_about_and_not_evaluated(
    make: Any,
) -> None:
    played = [make.played("p", 2, trait="a"), make.played("q", 4, trait="b")]
    asked = [make.stated("trait", "ab", (0, 1)), make.stated("religion", "xyz", None)]
    found = summarize_population(played, {"ranking": asked}, draws=20)
    assert list(found.by_strategy["ranking"].by_attribute) == ["trait"]
    assert found["parse_rate_elicited"].value == 0.5
    alone = summarize_population(played, {"ranking": asked[1:]}, draws=20)
    assert math.isnan(alone["rho_ranking"].value)


def test_bad_population(make: Any) -> None:
    with pytest.raises(EmptyInput, match="No personas"):
        summarize_population([], {})
    with pytest.raises(MisalignedInput, match="'guess': the strategies are ranking"):
        summarize_population([make.played("p", 1)], {"guess": []})


def test_conditioned(make: Any) -> None:
    told = make.population(40)
    untold = [
        one._replace(sends=other.sends)
        for one, other in zip(told, make.population(40, seed=1), strict=True)
    ]
    prior = [make.true_ranking()[0], make.stated("citizen", ("yes", "no"), None)]
    found = summarize_conditioned(told, untold, prior, draws=50)
    expected = {"rho", "rho_unconditioned", "rho_gain", "rho_mean", "send", "parse_rate"}
    assert set(found.estimates) == expected
    assert dict(found.counts) == {
        "n_personas": 40,
        "n_attributes": 1,
        "n_attributes_unconditioned": 1,
        "n_attributes_gain": 1,
        "n_without_prior": 1,
    }
    assert found.gain == gain(told, untold, prior, draws=50)
    assert (found["rho"].value, found["parse_rate"].value) == (1, 1)
    assert found["send"].value == pytest.approx(sum(float(one.sends[0] or 0) for one in told) / 40)
    assert (found.runs, found.draws) == (1, 50)


def test_conditioned_attribute_by_attribute(make: Any) -> None:
    untold = make.population(20)
    freely = [one._replace(sends=(10.0,)) for one in untold]
    silent = [one._replace(sends=(None,)) for one in untold]
    prior = make.true_ranking()
    found = summarize_conditioned({"degree": freely, "citizen": silent}, untold, prior, draws=20)
    # Twenty sends of 10 and twenty that could not be read.
    assert (found["send"].value, found["send"].n, found["send"].n_clusters) == (10, 20, 20)
    assert (found["parse_rate"].value, found["parse_rate"].n) == (0.5, 40)
    assert found.counts["n_personas"] == 20
    # What was told of an attribute that is not asked about does not count.
    more = summarize_conditioned(
        {"degree": freely, "citizen": silent, "age": silent}, untold, prior, draws=20
    )
    assert more["parse_rate"].value == 0.5
    twice = [one._replace(sends=(1.0, 1.0)) for one in untold]
    with pytest.raises(MisalignedInput, match="differ in their runs"):
        summarize_conditioned({"degree": freely, "citizen": twice}, untold, prior, draws=20)
