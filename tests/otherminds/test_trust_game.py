"""The trust game's documents and population level, with players whose numbers are known."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from otherminds import data, harness, stages, weightless
from otherminds.dataset_builders.trust.attributes import EVALUATED
from otherminds.dataset_builders.trust.schema import SPLITS
from otherminds.errors import OtherMindsError
from otherminds.metrics.trust import STRATEGIES
from otherminds.models import Options
from otherminds.run import Finished, run
from otherminds.weightless.trust import LinearTrust, Player
from tests.otherminds.test_stages import written

POPULATION, FORECAST = "trust_game_population", "trust_game_forecast"
SELF = "trust_game_self_conditioned"
IMPOSED = {0.8: "trust_game_imposed_08", 0.2: "trust_game_imposed_02"}
ROUNDS = [f"trust_game_round{number}" for number in range(1, 6)]
LAST = "trust_game_rounds"
LEVELS = {attribute.name: attribute.levels for attribute in EVALUATED}
REVERSED = {name: tuple(reversed(levels)) for name, levels in LEVELS.items()}


@pytest.fixture(autouse=True, scope="module")
def _data(cache: Path) -> None:
    harness.quiet(debug=False)


def load(task: str, **metadata: Any) -> Any:
    """A task as lm-eval loads it; where it needs earlier stages, `samples` are among the metadata."""
    return harness.load_tasks(harness.task_manager(metadata), [task])[task]


def silent(task: str, **metadata: Any) -> Any:
    """A task as if all earlier stages had been answered with nothing."""
    return stages.load(harness.task_manager(metadata), task)


def play(
    names: list[str],
    model: str | type[Player],
    out: Path,
    *flags: str,
    stage_models: Mapping[str, str] | None = None,
    **metadata: Any,
) -> Finished:
    """A finished run of a weightless model, or of a player that these tests made."""
    told = ("--metadata", json.dumps(metadata), "--output_path", str(out))
    with pytest.MonkeyPatch.context() as patch:
        if not isinstance(model, str):
            known = cast(dict[str, type[Player]], weightless.STRATEGIES)
            patch.setitem(known, model.__name__, model)
            model = model.__name__
        options = Options(stage_models=stage_models or {})
        found = run(names, ["--model", model, *told, *flags], options)
    assert found is not None
    return found


def evaluations(finished: Finished) -> dict[str, Finished]:
    """The evaluation of each task of a run, in order."""
    return {task: one for one in (*finished.earlier, finished) for task in one.samples}


def numbers(finished: Finished, task: str) -> dict[str, float]:
    found = evaluations(finished)[task].results["results"][task]
    named = {key.partition(",")[0]: value for key, value in found.items() if "," in key}
    return {name: value for name, value in named.items() if not isinstance(value, str)}


def details(finished: Finished, task: str) -> dict[str, Any]:
    found: dict[str, Any] = evaluations(finished)[task].results["otherminds"]["scores"][task]
    return found


def value(found: Mapping[str, Any], metric: str) -> float:
    return float(found[metric]["value"])


# Documents


def test_every_attribute_is_asked_about_in_three_ways_and_every_persona_plays_once() -> None:
    docs = list(load(POPULATION).eval_docs)
    kinds = Counter(doc["kind"] for doc in docs)
    assert kinds == {"ranking": 9, "ranking_in_context": 9, "dollars": 9, "role_play": 50}
    assert len({doc["item_id"] for doc in docs}) == len(docs)
    asked = {(doc["kind"], doc["attribute"]) for doc in docs if doc["kind"] != "role_play"}
    assert asked == {(kind, name) for kind in STRATEGIES for name in LEVELS}
    players = {doc["persona_id"] for doc in docs if doc["kind"] == "role_play"}
    assert len(players) == 50
    for name, levels in LEVELS.items():
        shown = {
            entry["level"] for doc in docs for entry in doc["levels"] if entry["attribute"] == name
        }
        assert shown == set(levels)


def test_statements_are_asked_of_all_levels_in_words_that_can_be_given_back() -> None:
    task = load(POPULATION)
    for doc in task.eval_docs:
        text = task.doc_to_text(doc)
        if doc["kind"] == "role_play":
            assert text.endswith("Finally, I will give ___ dollars.")
        else:
            assert all(f"\n- {level}\n" in text for level in LEVELS[doc["attribute"]])
            # Without the game, nothing is said of dollars or of what is given.
            assert ("$" in text) == (doc["kind"] != "ranking")


OTHER = {
    "levels": [{"attribute": name, "level": "OTHER"} for name in LEVELS],
    "persona_id": "OTHER",
}
OTHER_GAME = {**OTHER, "archetype": "OTHER"}
UNSEEN: dict[str, dict[str, Any]] = {
    POPULATION: OTHER,
    SELF: {**OTHER, "attribute": "OTHER", "unconditioned": 9.99, "spearman": -1.0},
    **dict.fromkeys((FORECAST, ROUNDS[0], ROUNDS[3]), OTHER_GAME),
    LAST: OTHER_GAME | {"forecasts": [1.0] * 6},
}


@pytest.mark.parametrize("task", UNSEEN)
def test_a_prompt_does_not_depend_on_what_nobody_is_told(task: str) -> None:
    loaded = silent(task, stage_limit=3)
    docs = list(loaded.eval_docs)
    # At the population level, the role-plays come last.
    for doc in docs[-1:] if task == POPULATION else docs[:3]:
        shown = {**doc, "prior": doc["attribute_levels"]} if "prior" in doc else doc
        for field, other in UNSEEN[task].items():
            assert doc[field] != other
            assert loaded.doc_to_text({**shown, field: other}) == loaded.doc_to_text(shown)


def test_the_trustees_rule_is_told_for_a_forecast_and_in_no_round() -> None:
    rule = "in every round, the second person gives back"
    forecast = load(FORECAST)
    for doc in list(forecast.eval_docs)[:18]:
        assert f"{rule} ${doc['dollars_returned']}," in forecast.doc_to_text(doc)
    for name in (*ROUNDS[::2], LAST):
        task = silent(name, stage_limit=3)
        for doc in list(task.eval_docs)[:3]:
            text = task.doc_to_text(doc)
            assert "in every round" not in text
            assert f"This is round {doc['round']} of 6." in text


def test_all_prompts_about_a_persona_begin_with_the_same_bytes() -> None:
    heads: dict[str, set[str]] = {}
    for name in (POPULATION, FORECAST, ROUNDS[0], ROUNDS[1], SELF):
        task = silent(name, stage_limit=30)
        docs = task.eval_docs if name != SELF else list(task.eval_docs)[:30]
        for doc in docs:
            if doc["persona_id"] is not None:
                head, _, rest = task.doc_to_text(doc).partition("# The game")
                assert rest
                heads.setdefault(doc["persona_id"], set()).add(head)
    # Three trustees each; the conditioned task asks the first four persons.
    assert len(heads) == 10
    assert all(len(versions) == 1 for versions in heads.values())
    assert len({text for versions in heads.values() for text in versions}) == 10


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_is_played_as_a_whole(split: str) -> None:
    rows = data.for_task(dataset="trust-game-synthetic", configs=["personas"])[data.SPLIT]
    expected = [row["persona_id"] for row in rows if row["split"] == split]
    docs = list(load(POPULATION, personas=split).eval_docs)
    assert [doc["persona_id"] for doc in docs if doc["kind"] == "role_play"] == expected


@pytest.mark.parametrize("task", [POPULATION, FORECAST, ROUNDS[0]])
@pytest.mark.parametrize("personas", ["everybody", "", 5])
def test_unknown_personas_are_an_error_that_names_the_choices(task: str, personas: Any) -> None:
    with pytest.raises(OtherMindsError, match="sample, train, validation or test") as caught:
        load(task, personas=personas)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("task", [POPULATION, FORECAST, ROUNDS[0]])
@pytest.mark.parametrize("endowment", [0, -1, "10", math.nan, math.inf, 1e9, True, None])
def test_an_endowment_that_cannot_be_is_refused_in_one_line(task: str, endowment: Any) -> None:
    with pytest.raises(OtherMindsError, match=r"endowment is .*--metadata") as caught:
        load(task, endowment=endowment)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("task", [POPULATION, FORECAST, ROUNDS[0], SELF])
@pytest.mark.parametrize("endowment", [44, 2.5])
def test_prompts_state_the_endowment(task: str, endowment: float) -> None:
    loaded = silent(task, endowment=endowment)
    for doc in list(loaded.eval_docs)[-2:]:
        text = loaded.doc_to_text(doc)
        assert f"The first person has ${endowment} and decides" in text
        assert f"an amount from 0 to {endowment} in place" in text


# Consistency of players who act as they say


@pytest.fixture(
    scope="module", params=[("consistent-trust", 1), ("inconsistent-trust", -1)], ids=lambda p: p[0]
)
def told(
    request: pytest.FixtureRequest, cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Finished, int]:
    """A player's run of the population level and of all conditioned tasks, and its known ρ."""
    model, sign = request.param
    out = tmp_path_factory.mktemp(model)
    return play([POPULATION, "trust_game_conditioned"], model, out), sign


def test_a_player_who_acts_as_it_says_scores_perfectly_on_every_strategy(
    told: tuple[Finished, int],
) -> None:
    finished, sign = told
    found = numbers(finished, POPULATION)
    parts = details(finished, POPULATION)
    # Behavior is measured in hundredths of a cent, which moves η² by some millionths.
    for strategy in STRATEGIES:
        assert found[f"rho_{strategy}"] == sign
        assert found[f"delta_eta2_{strategy}"] == pytest.approx(0.0, abs=1e-5)
        assert found[f"n_attributes_{strategy}"] == len(EVALUATED)
        for own in parts["by_attribute"].values():
            assert value(own, f"rho_{strategy}") == sign
            assert value(own, f"delta_eta2_{strategy}") == pytest.approx(0.0, abs=1e-5)
    assert found["parse_rate"] == found["parse_rate_elicited"] == 1.0
    assert parts["levels"] == {name: len(levels) for name, levels in LEVELS.items()}
    assert parts["notes"] == []


def test_a_player_who_acts_as_it_is_told_agrees_with_its_own_prior(
    told: tuple[Finished, int],
) -> None:
    finished, sign = told
    found = numbers(finished, SELF)
    # What it is told is what it said, and it did so (or the reverse) when it was told nothing.
    assert found["rho"] == found["rho_unconditioned"] == sign
    assert found["rho_gain"] == 0.0
    assert found["n_attributes"] == len(EVALUATED)
    assert found["n_without_prior"] == 0
    assert set(details(finished, SELF)["prior_spearman"].values()) == {1.0}


# ρ = 1 - 6 S / (L (L² - 1)), S = Σ d² even. Of L = 2 levels ρ is 1 or -1, of three ±1 or ±0.5. With
# four and five it is 1 - S/10 and 1 - S/20: both targets are met. With seven it is 1 - S/56: for 0.8,
# S = 12 is nearer than 10; for 0.2, 44 than 46. With eight it is 1 - S/84: 16 than 18, and 68 than 66.
CLOSEST = {
    0.8: {2: 1.0, 3: 1.0, 4: 0.8, 5: 0.8, 7: 1 - 12 / 56, 8: 1 - 16 / 84},
    0.2: {2: 1.0, 3: 0.5, 4: 0.2, 5: 0.2, 7: 1 - 44 / 56, 8: 1 - 68 / 84},
}


@pytest.mark.parametrize("target", CLOSEST)
def test_an_imposed_prior_is_as_near_to_its_target_as_can_be_and_says_so(
    told: tuple[Finished, int], target: float
) -> None:
    finished, sign = told
    task = IMPOSED[target]
    expected = {name: CLOSEST[target][len(levels)] for name, levels in LEVELS.items()}
    parts = details(finished, task)
    assert parts["prior_spearman"] == pytest.approx(expected)
    for name, rho in expected.items():
        own = parts["by_attribute"][name]
        assert value(own, "rho") == sign
        # Told nothing, it does what it said (or the reverse), to which the prior has this ρ.
        assert value(own, "rho_unconditioned") == pytest.approx(sign * rho)
        assert value(own, "rho_gain") == pytest.approx(sign * (1 - rho))
    # Five of nine attributes have four or five levels and meet the target; so does their median.
    found = numbers(finished, task)
    assert found["rho_unconditioned"] == pytest.approx(sign * target)
    assert found["rho_gain"] == pytest.approx(sign * (1 - target))
    assert any("us_citizenship 1.00" in note for note in parts["notes"])


def test_another_seed_imposes_other_rankings_of_the_same_distance(
    told: tuple[Finished, int],
) -> None:
    samples = {POPULATION: str(evaluations(told[0])[POPULATION].samples[POPULATION])}

    def priors(**metadata: Any) -> dict[str, tuple[tuple[str, ...], float]]:
        docs = load(IMPOSED[0.2], samples=samples, **metadata).eval_docs
        return {doc["attribute"]: (tuple(doc["prior"]), doc["spearman"]) for doc in docs}

    first, again, other = priors(), priors(perturbation_seed=0), priors(perturbation_seed=1)
    assert first == again
    assert {n: rho for n, (_, rho) in first.items()} == {n: rho for n, (_, rho) in other.items()}
    assert any(first[name][0] != other[name][0] for name in first)
    for ranking, _ in first.values():
        assert len(set(ranking)) == len(ranking)


# What is told


def as_stated(doc: Mapping[str, Any]) -> str:
    """Half of E; without the game the levels as they are listed, in its context the reverse."""
    if doc["kind"] == "role_play":
        return f"Finally, I will give {doc['endowment'] / 2} dollars."
    order = (LEVELS if doc["kind"] == "ranking" else REVERSED)[doc["attribute"]]
    return json.dumps({"ranking": order, "effect_size": "small"})


def test_the_prior_is_the_ranking_that_was_asked_for(tmp_path: Path) -> None:
    samples = str(written(tmp_path, list(load(POPULATION).eval_docs), as_stated))
    for metadata, expected in (
        ({}, REVERSED),
        ({"prior": "ranking_in_context"}, REVERSED),
        ({"prior": "ranking"}, LEVELS),
    ):
        task = load(SELF, samples=samples, **metadata)
        docs = list(task.eval_docs)
        assert len({doc["item_id"] for doc in docs}) == len(docs) == 50 * len(EVALUATED)
        assert {doc["attribute"]: tuple(doc["prior"]) for doc in docs} == expected
        assert {doc["unconditioned"] for doc in docs} == {5.0}
        shown = task.doc_to_text(docs[0])
        listed = [f"{n}. {level}" for n, level in enumerate(expected[docs[0]["attribute"]], 1)]
        assert "\n".join(listed) in shown
    with pytest.raises(OtherMindsError, match="ranking or ranking_in_context"):
        load(SELF, samples=samples, prior="dollars")


class SilentOnAge(LinearTrust):
    """Says nothing of age, and plays as linear trust does whatever it is told."""

    def _states(self, doc: Mapping[str, Any]) -> str:
        return "It depends." if doc["attribute"] == "age" else super()._states(doc)


def test_an_attribute_of_which_nothing_was_stated_is_asked_without_a_prior(tmp_path: Path) -> None:
    finished = play([SELF], SilentOnAge, tmp_path)
    found, parts = numbers(finished, SELF), details(finished, SELF)
    assert (found["n_without_prior"], found["n_attributes"]) == (1, 8)
    assert found["parse_rate"] == 1.0
    assert parts["prior_spearman"]["age"] is None
    assert any("age" in note and "nothing" in note for note in parts["notes"])
    # Nobody heeds what was said of the others: the same sends twice.
    assert found["rho"] == found["rho_unconditioned"]
    assert found["rho_gain"] == 0.0
    samples = finished.earlier[0].samples[POPULATION]
    task = load(SELF, samples=str(samples))
    for doc in list(task.eval_docs)[: len(EVALUATED)]:
        assert ("What is known" in task.doc_to_text(doc)) == (doc["attribute"] != "age")


# A player whose effects are known


def test_linear_trust_recovers_the_effects_that_it_was_made_with(tmp_path: Path) -> None:
    # A share 0.5 + 0.4 x + 0.2 z is sent, x and z independent and uniform over five even positions, of
    # variance v each. Between the levels of openness lies the variance of 0.4 x, so that
    # η² = 0.16 v / (0.16 v + 0.04 v) = 0.8, and 0.2 of conscientiousness.
    true = {"openness": 0.8, "conscientiousness": 0.2}
    # In dollars it states level means 0.4 x and within each level the SD of 0.2 z, for 100 people:
    # η² = 100·0.16 / (100·0.16 + 99·0.04), and 100·0.04 / (100·0.04 + 99·0.16).
    stated = {"openness": 16 / 19.96, "conscientiousness": 4 / 19.84}
    finished = play([POPULATION], "linear-trust", tmp_path, personas="test")
    parts = details(finished, POPULATION)["by_attribute"]
    for name, effect in true.items():
        own = parts[name]
        assert LinearTrust.true_eta_squared(name) == pytest.approx(effect)
        for strategy in STRATEGIES:
            assert value(own, f"rho_{strategy}") == 1.0
        simulated = value(own, "eta2")
        assert own["eta2"]["low"] <= effect <= own["eta2"]["high"]
        assert value(own, "delta_eta2_dollars") == pytest.approx(abs(stated[name] - simulated))
        # "Large" counts as the middle of 0.14 to 1.
        assert value(own, "delta_eta2_ranking") == pytest.approx(abs(0.57 - simulated))
    found = numbers(finished, POPULATION)
    assert found["n_personas"] == 200
    # It states the same dollars for all levels of the other seven: no order that could agree.
    assert found["n_attributes_dollars"] == 2
    assert found["rho_dollars"] == 1.0
    assert found["delta_eta2_dollars"] < 0.05


def test_the_endowment_scales_dollars_and_nothing_else(tmp_path: Path) -> None:
    ten, other = (
        numbers(play([POPULATION], "linear-trust", tmp_path / str(e), endowment=e), POPULATION)
        for e in (10, 44)
    )
    for name in ("send", "send_stderr"):
        assert other.pop(name) == pytest.approx(4.4 * ten.pop(name))
    assert other == pytest.approx(ten, nan_ok=True)


# Nothing to measure


class Equal(LinearTrust):
    """Sends half, whoever plays, and states that traits matter."""

    def _sends(self, doc: Mapping[str, Any]) -> float:
        return float(doc["endowment"]) / 2


def test_equal_sends_have_no_correlation_rather_than_one_of_zero(tmp_path: Path) -> None:
    finished = play([POPULATION], Equal, tmp_path)
    found, parts = numbers(finished, POPULATION), details(finished, POPULATION)
    for strategy in STRATEGIES:
        assert math.isnan(found[f"rho_{strategy}"])
        assert math.isnan(found[f"delta_eta2_{strategy}"])
        assert found[f"n_attributes_{strategy}"] == 0
        assert f"rho_{strategy}" not in parts["estimates"]
        assert any("all sends are equal" in n and f"{strategy}:" in n for n in parts["notes"])
    assert (found["send"], found["send_stderr"], found["parse_rate"]) == (5.0, 0.0, 1.0)


class Generous(Player):
    """Sends more than it has."""

    def _sends(self, doc: Mapping[str, Any]) -> float:
        return float(doc["endowment"]) + 0.01


def test_sends_beyond_the_endowment_are_failures_and_are_not_clipped(tmp_path: Path) -> None:
    found = numbers(play([POPULATION], Generous, tmp_path), POPULATION)
    assert found["parse_rate"] == 0.0
    assert math.isnan(found["send"])


def test_elicitations_alone_say_that_role_plays_are_missing(tmp_path: Path) -> None:
    finished = play([POPULATION], "linear-trust", tmp_path, "--limit", "27")
    assert numbers(finished, POPULATION)["n_personas"] == 0
    [note] = details(finished, POPULATION)["notes"]
    assert "--limit" in note


@pytest.mark.parametrize("limit", [2, 9, 11])
def test_a_limit_plays_as_many_personas_as_the_conditioned_task_needs(
    tmp_path: Path, limit: int
) -> None:
    finished = play([SELF], "linear-trust", tmp_path, "--limit", str(limit))
    # Nine documents are of one persona; all elicitations are needed for the first of them.
    personas = -(-limit // len(EVALUATED))
    assert numbers(finished, POPULATION)["n_personas"] == personas
    assert numbers(finished, SELF)["parse_rate"] == 1.0
    assert evaluations(finished)[SELF].results["n-samples"][SELF]["effective"] == limit
