"""The trust game's documents and population level, with players whose numbers are known."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis, benchmark, harness, keys, paths, weightless
from otherminds.analysis import printing
from otherminds.data import loading as data
from otherminds.dataset_builders.trust_game.attributes import BANK, PAPER
from otherminds.dataset_builders.trust_game.schema import SPLITS
from otherminds.errors import OtherMindsError
from otherminds.metrics.trust_game import RANKINGS, STRATEGIES, Forecast
from otherminds.running import stages
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.tasks.trust_game.summaries import Game, Sent
from otherminds.tasks.trust_game.weightless import LinearTrust, Player
from tests.engine.running.test_stages import lines, written
from tests.helpers import small_builds

POPULATION, FORECAST = "trust_game_population", "trust_game_forecast"
SELF = "trust_game_self_conditioned"
IMPOSED = {0.8: "trust_game_imposed_08", 0.2: "trust_game_imposed_02"}
ROUNDS = [f"trust_game_round{number}" for number in range(1, 6)]
LAST = "trust_game_rounds"
LEVELS = {attribute.name: attribute.levels for attribute in PAPER.evaluated}
RANKED = {attribute.name: attribute.levels for attribute in PAPER.ranked}
REVERSED = {name: tuple(reversed(levels)) for name, levels in RANKED.items()}


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
            patch.setitem(weightless.GENERAL, model.__name__, model)
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


def test_every_attribute_is_asked_about_in_four_ways_and_every_persona_plays_once() -> None:
    docs = list(load(POPULATION).eval_docs)
    kinds = Counter(doc["kind"] for doc in docs)
    # Religion is ranked, and not evaluated.
    assert kinds == {**dict.fromkeys(RANKINGS, 10), "dollars": 9, "role_play": 50}
    assert len({doc["item_id"] for doc in docs}) == len(docs)
    asked = {(doc["kind"], doc["attribute"]) for doc in docs if doc["kind"] != "role_play"}
    assert asked == {
        *((kind, name) for kind in RANKINGS for name in RANKED),
        *(("dollars", name) for name in LEVELS),
    }
    assert {doc["level_set"] for doc in docs} == {"paper"}
    players = {doc["persona_id"] for doc in docs if doc["kind"] == "role_play"}
    assert len(players) == 50
    for name, levels in LEVELS.items():
        shown = {
            entry["level"] for doc in docs for entry in doc["levels"] if entry["attribute"] == name
        }
        assert shown == set(levels)


@pytest.mark.parametrize("form", ["descending", "ascending"])
def test_statements_are_asked_of_all_levels_in_words_that_can_be_given_back(form: str) -> None:
    task = load(POPULATION, ranking_form=form)
    for doc in task.eval_docs:
        text = task.doc_to_text(doc)
        if doc["kind"] == "role_play":
            assert text.endswith("Finally, I will give ___ dollars.")
            continue
        assert all(f"\n- {level}\n" in text for level in RANKED[doc["attribute"]])
        # Without the game, nothing is said of dollars or of what is given.
        assert ("$" in text) == (doc["kind"] != "ranking")
        # With and without the game, it is trust that is ranked; by dollars, it is not.
        assert ("interpersonal trust" in text) == (doc["kind"] in RANKINGS[:2])
        if doc["kind"] in RANKINGS:
            ends = ("lowest", "highest") if form == "ascending" else ("highest", "lowest")
            assert "from the {} to the {}.".format(*ends) in text


def test_in_context_asks_the_same_question_after_the_rules() -> None:
    task = load(POPULATION)
    texts = {doc["item_id"]: task.doc_to_text(doc) for doc in task.eval_docs}
    for name in RANKED:
        alone, in_context = texts[f"ranking-{name}"], texts[f"ranking_in_context-{name}"]
        assert in_context.endswith(alone)
        assert in_context.startswith("# The game")


@pytest.mark.parametrize("form", ["descending", "ascending"])
def test_an_answer_that_copies_the_form_from_the_prompt_is_not_read(form: str) -> None:
    task = load(POPULATION, ranking_form=form)
    for doc in task.eval_docs:
        prompt = task.doc_to_text(doc).splitlines()
        [shown] = [line for line in prompt if line.startswith("{")] or [prompt[-1]]
        name = "parse_rate" if doc["kind"] == "role_play" else "parse_rate_elicited"
        for reply in (shown, task.doc_to_text(doc)):
            scores = task.process_results(doc, [[reply]])
            assert list(scores[name]) == [0.0], reply


def test_levels_are_listed_by_lot_so_that_copying_the_list_is_no_answer() -> None:
    def lists(**metadata: Any) -> dict[str, tuple[str, ...]]:
        docs = load(POPULATION, **metadata).eval_docs
        return {doc["item_id"]: tuple(doc["attribute_levels"]) for doc in docs}

    first, again, other = lists(), lists(order_seed=0), lists(order_seed=1)
    assert first == again
    assert first != other
    for doc in load(POPULATION).eval_docs:
        if doc["kind"] == "role_play":
            continue
        levels, own = RANKED[doc["attribute"]], tuple(doc["attribute_levels"])
        assert sorted(own) == sorted(levels)
        if len(levels) > 2:
            assert own not in (levels, levels[::-1])
    # Two levels stand in either order, by lot.
    pairs = {lists(order_seed=seed)["ranking-us_citizenship"] for seed in range(4)}
    assert pairs == {("Yes", "No"), ("No", "Yes")}


def test_games_are_in_whole_dollars_unless_fractions_are_allowed() -> None:
    for fractions in (False, True):
        task = load(POPULATION, fractions=fractions)
        doc = list(task.eval_docs)[-1]
        text = task.doc_to_text(doc)
        assert ("any whole number of dollars" in text) == (not fractions)
        assert ("fractions of a dollar are allowed" in text) == fractions
        scores = task.process_results(doc, [["Finally, I will give 2.5 dollars."]])
        assert list(scores["parse_rate"]) == [float(fractions)]


@pytest.mark.parametrize(
    ("task", "metadata", "message"),
    [
        (POPULATION, {"fractions": "no"}, "fractions is 'no': give true or false"),
        (POPULATION, {"endowment": 2.5}, '"fractions": true'),
        (POPULATION, {"ranking_form": "best first"}, "give descending or ascending"),
        (POPULATION, {"order_seed": "a"}, "order_seed is 'a'"),
        (POPULATION, {"prior_attributes": "some"}, "give all or single"),
        (FORECAST, {"forecast_form": "guess"}, "give summary or rule"),
        (LAST, {"forecast_form": "guess"}, "give summary or rule"),
    ],
)
def test_a_switch_with_another_value_is_an_error_that_names_the_choices(
    task: str, metadata: dict[str, Any], message: str
) -> None:
    with pytest.raises(OtherMindsError, match=message) as caught:
        load(task, **metadata)
    assert "\n" not in str(caught.value)
    assert "--metadata" in str(caught.value)


OTHER = {
    "levels": [{"attribute": name, "level": "OTHER"} for name in LEVELS],
    "persona_id": "OTHER",
}
OTHER_GAME = {**OTHER, "archetype": "OTHER"}
UNSEEN: dict[str, dict[str, Any]] = {
    POPULATION: OTHER,
    SELF: {**OTHER, "unconditioned": 9.99, "target_spearman": -1.0},
    **dict.fromkeys((FORECAST, ROUNDS[0], ROUNDS[3]), OTHER_GAME),
    LAST: OTHER_GAME | {"forecasts": [1.0] * 6},
}


@pytest.mark.parametrize("task", UNSEEN)
def test_a_prompt_does_not_depend_on_what_nobody_is_told(task: str) -> None:
    loaded = silent(task, stage_limit=3)
    docs = list(loaded.eval_docs)
    # At the population level, the role-plays come last.
    for doc in docs[-1:] if task == POPULATION else docs[:3]:
        for field, other in UNSEEN[task].items():
            assert doc[field] != other
            assert loaded.doc_to_text({**doc, field: other}) == loaded.doc_to_text(doc)


def test_the_trustees_rule_is_told_for_a_forecast_and_in_no_round() -> None:
    for form, rule in (("summary", "somebody who, in every round,"), ("rule", "the second person")):
        forecast = silent(FORECAST, stage_limit=3, forecast_form=form)
        for doc in list(forecast.eval_docs)[:18]:
            text = forecast.doc_to_text(doc)
            assert f"{rule} gives back ${doc['dollars_returned']}," in text
            assert ("The state of the game so far" in text) == (form == "summary")
    for name in (*ROUNDS[::2], LAST):
        task = silent(name, stage_limit=3)
        for doc in list(task.eval_docs)[:3]:
            text = task.doc_to_text(doc)
            assert "in every round" not in text
            assert f"This is round {doc['round']} of 6." in text


def test_all_prompts_about_a_persona_begin_with_the_same_bytes() -> None:
    heads: dict[str, set[str]] = {}
    for name in (POPULATION, FORECAST, ROUNDS[0], ROUNDS[1], SELF):
        # Thirty games are ten personas with three trustees each.
        limit = 10 if name in (POPULATION, SELF) else 30
        task = silent(name, stage_limit=limit)
        for doc in task.eval_docs if name != SELF else list(task.eval_docs)[:limit]:
            if doc["persona_id"] is not None:
                head, _, rest = task.doc_to_text(doc).partition("# The game")
                assert rest
                heads.setdefault(doc["persona_id"], set()).add(head)
    assert len(heads) == 10
    assert all(len(versions) == 1 for versions in heads.values())
    assert len({text for versions in heads.values() for text in versions}) == 10


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_is_played_as_a_whole(split: str) -> None:
    rows = data.for_task(dataset="trust-game-synthetic", configs=["personas"])[data.SPLIT]
    expected = [row["persona_id"] for row in rows if row["split"] == split]
    docs = list(load(POPULATION, personas=split).eval_docs)
    assert [doc["persona_id"] for doc in docs if doc["kind"] == "role_play"] == expected


def test_all_personas_are_the_split_at_the_population_level_and_the_sample_at_the_individual() -> (
    None
):
    rows = data.for_task(dataset="trust-game-synthetic", configs=["personas"])[data.SPLIT]
    split = {row["persona_id"] for row in rows if row["split"] == "test"}
    sample = {row["persona_id"] for row in rows if row["in_sample_50"]}
    for task, expected in ((POPULATION, split), (SELF, split), (ROUNDS[0], sample)):
        docs = silent(task, personas="all").eval_docs
        assert {doc["persona_id"] for doc in docs} - {None} == expected
    rule = load(FORECAST, personas="all", forecast_form="rule").eval_docs
    assert {doc["persona_id"] for doc in rule} == sample


@pytest.mark.parametrize("task", [POPULATION, FORECAST, ROUNDS[0]])
@pytest.mark.parametrize("personas", ["everybody", "", 5])
def test_unknown_personas_are_an_error_that_names_the_choices(task: str, personas: Any) -> None:
    with pytest.raises(OtherMindsError, match="sample, all, train, validation or test") as caught:
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
    loaded = silent(task, endowment=endowment, fractions=isinstance(endowment, float))
    for doc in list(loaded.eval_docs)[-2:]:
        text = loaded.doc_to_text(doc)
        assert f"The first person has ${endowment} and decides" in text
        amount = "an amount" if isinstance(endowment, float) else "a whole number"
        assert f"{amount} from 0 to {endowment} in place" in text


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


def check_perfect(finished: Finished, sign: int, *, tolerance: float) -> None:
    """ρ is ±1, stated effects are those of what was sent, up to the middles of classes."""
    found = numbers(finished, POPULATION)
    parts = details(finished, POPULATION)
    for strategy in STRATEGIES:
        # What is stated in dollars needs no class.
        allowed = tolerance if strategy in RANKINGS else 1e-5
        assert found[f"rho_{strategy}"] == found[f"rho_mean_{strategy}"] == sign
        assert found[f"delta_eta2_{strategy}"] == pytest.approx(0.0, abs=allowed)
        assert found[f"mae_eta2_{strategy}"] == pytest.approx(0.0, abs=allowed)
        assert found[f"n_attributes_{strategy}"] == len(LEVELS)
        for own in parts["by_attribute"].values():
            assert value(own, f"rho_{strategy}") == sign
            assert value(own, f"delta_eta2_{strategy}") == pytest.approx(0.0, abs=allowed)
    assert found["parse_rate"] == found["parse_rate_elicited"] == 1.0
    assert parts["levels"] == {name: len(levels) for name, levels in LEVELS.items()}


def test_a_player_who_acts_as_it_says_scores_perfectly_on_every_strategy(
    told: tuple[Finished, int],
) -> None:
    finished, sign = told
    # In whole dollars, effects come within a hundredth of the middles of their classes.
    check_perfect(finished, sign, tolerance=0.01)
    parts = details(finished, POPULATION)
    assert parts["setting"] == {"levels": "paper", "endowment": 10.0, "fractions": False}
    of_levels, of_noise = parts["notes"]
    counts = ", ".join(f"{name} {len(levels)}" for name, levels in LEVELS.items())
    assert of_levels == f"Levels of the set 'paper', by attribute: {counts}."
    assert of_noise.startswith("If no attribute had an effect")
    estimates = parts["estimates"]
    for strategy in STRATEGIES:
        for name in (f"rho_{strategy}", f"rho_mean_{strategy}"):
            # Once 0.716 to 1.284.
            assert -1 <= estimates[name]["low"] <= sign <= estimates[name]["high"] <= 1
        for name in (f"delta_eta2_{strategy}", f"mae_eta2_{strategy}"):
            assert 0 <= estimates[name]["low"] <= estimates[name]["high"] <= 1
    sends = {
        doc["persona_id"]: play["filtered_resps"][0][0]
        for play in lines(evaluations(finished)[POPULATION].samples[POPULATION])
        if (doc := play["doc"])["kind"] == "role_play"
    }
    assert all(reply.endswith(".0 dollars.") for reply in sends.values())


@pytest.mark.parametrize(("model", "sign"), [("consistent-trust", 1), ("inconsistent-trust", -1)])
def test_with_fractions_its_effects_are_the_middles_of_classes(
    tmp_path: Path, model: str, sign: int
) -> None:
    finished = play([POPULATION], model, tmp_path, fractions=True)
    # Behavior is measured in hundredths of a cent, which moves η² by some millionths.
    check_perfect(finished, sign, tolerance=1e-5)


def test_what_so_many_personas_can_show_is_said(told: tuple[Finished, int]) -> None:
    parts = details(told[0], POPULATION)
    for name, levels in LEVELS.items():
        limits = parts["detectable"][name]
        assert limits["noise_eta2"] == pytest.approx((len(levels) - 1) / 49)
        assert limits["noise_eta2"] < limits["detectable_eta2"] < 0.25
        own = parts["by_attribute"][name]
        assert value(own, "omega2") < value(own, "eta2")


def test_a_player_who_acts_as_it_is_told_agrees_with_its_own_prior(
    told: tuple[Finished, int],
) -> None:
    finished, sign = told
    found = numbers(finished, SELF)
    # What it is told is what it said, and it did so (or the reverse) when it was told nothing.
    assert found["rho"] == found["rho_unconditioned"] == sign
    assert found["rho_gain"] == 0.0
    assert found["n_attributes"] == len(LEVELS)
    assert found["n_without_prior"] == 0
    assert details(finished, SELF)["prior_spearman"] == dict.fromkeys(LEVELS, 1.0)
    assert details(finished, SELF)["told"] == "all"
    assert numbers(finished, SELF)["n_personas"] == 50


# ρ = 1 - 6 S / (L (L² - 1)), S = Σ d² even. Of L = 2 levels ρ is 1 or -1, of three ±1 or ±0.5. With
# four and five it is 1 - S/10 and 1 - S/20: both targets are met. With six it is 1 - S/35: 0.8 is as
# near to S = 6 as to 8, and the lower is taken; 0.2 is S = 28.
CLOSEST = {
    0.8: {2: 1.0, 3: 1.0, 4: 0.8, 5: 0.8, 6: 1 - 8 / 35},
    0.2: {2: 1.0, 3: 0.5, 4: 0.2, 5: 0.2, 6: 0.2},
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
    # Five of nine attributes have four to six levels and meet 0.2; so does the median. Of 0.8, the one
    # with six falls short, and four have more than they should: the median is still the target.
    found = numbers(finished, task)
    assert found["rho_unconditioned"] == pytest.approx(sign * target)
    assert found["rho_gain"] == pytest.approx(sign * (1 - target))
    assert found["rho_mean"] == sign
    assert any("us_citizenship 1.00" in note for note in parts["notes"])


def test_another_seed_imposes_other_rankings_of_the_same_distance(
    told: tuple[Finished, int],
) -> None:
    samples = {POPULATION: str(evaluations(told[0])[POPULATION].samples[POPULATION])}

    def priors(**metadata: Any) -> dict[str, tuple[tuple[str, ...], float]]:
        docs = load(IMPOSED[0.2], samples=samples, **metadata).eval_docs
        return {
            one["attribute"]: (tuple(one["order"]), one["spearman"])
            for doc in docs
            for one in doc["priors"]
        }

    first, again, other = priors(), priors(perturbation_seed=0), priors(perturbation_seed=1)
    assert first == again
    assert {n: rho for n, (_, rho) in first.items()} == {n: rho for n, (_, rho) in other.items()}
    assert any(first[name][0] != other[name][0] for name in first)
    for ranking, _ in first.values():
        assert len(set(ranking)) == len(ranking)


# What is told


def as_stated(doc: Mapping[str, Any]) -> str:
    """Half of E; in the game's context the levels in natural order, highest first; else the reverse."""
    if doc["kind"] == "role_play":
        return f"Finally, I will give {doc['endowment'] / 2} dollars."
    order = (RANKED if doc["kind"] == "ranking_in_context" else REVERSED)[doc["attribute"]]
    classes = {"omnibus_effect_size": "small", "contrast_effect_size": "small"}
    return json.dumps({"ranking": " > ".join(order), **classes})


def test_the_prior_is_the_ranking_that_was_asked_for(tmp_path: Path) -> None:
    samples = str(written(tmp_path, list(load(POPULATION).eval_docs), as_stated))
    for metadata, expected in (
        ({}, RANKED),
        ({"prior": "ranking_in_context"}, RANKED),
        ({"prior": "ranking"}, REVERSED),
        ({"prior": "dollar_ranking"}, REVERSED),
    ):
        task = load(SELF, samples=samples, **metadata)
        docs = list(task.eval_docs)
        assert len({doc["item_id"] for doc in docs}) == len(docs) == 50
        assert {doc["unconditioned"] for doc in docs} == {5.0}
        for doc in docs[:3]:
            given = {one["attribute"]: tuple(one["order"]) for one in doc["priors"]}
            assert given == expected
            shown = task.doc_to_text(doc)
            # All of them in one prompt, religion too, from the highest to the lowest.
            assert all(f": {' > '.join(order)}\n" in shown for order in expected.values())
            assert f"- Religion: {' > '.join(expected['religion'])}\n" in shown
            assert ("how much they give" in shown) == (metadata.get("prior") == "dollar_ranking")
    with pytest.raises(OtherMindsError, match="ranking, ranking_in_context, dollar_ranking"):
        load(SELF, samples=samples, prior="dollars")


def test_an_attribute_can_be_told_alone(tmp_path: Path) -> None:
    samples = str(written(tmp_path, list(load(POPULATION).eval_docs), as_stated))
    task = load(SELF, samples=samples, prior_attributes="single")
    docs = list(task.eval_docs)
    assert len({doc["item_id"] for doc in docs}) == len(docs) == 50 * len(LEVELS)
    for doc in docs[: len(LEVELS)]:
        [one] = doc["priors"]
        shown = task.doc_to_text(doc)
        assert f"- {one['label']}: {' > '.join(LEVELS[one['attribute']])}\n" in shown
        assert shown.count(" > ") == len(one["levels"]) - 1


def test_a_player_who_acts_on_one_order_at_a_time_agrees_with_each(tmp_path: Path) -> None:
    finished = play([SELF], "consistent-trust", tmp_path, prior_attributes="single")
    assert numbers(finished, SELF)["rho"] == numbers(finished, SELF)["rho_mean"] == 1.0
    assert details(finished, SELF)["told"] == "single"
    assert evaluations(finished)[SELF].results["n-samples"][SELF]["effective"] == 450


class SilentOnAge(LinearTrust):
    """Says nothing of age, and plays as linear trust does whatever it is told."""

    def _states(self, doc: Mapping[str, Any]) -> str:
        return "It depends." if doc["attribute"] == "age" else super()._states(doc)


def test_an_attribute_of_which_nothing_was_stated_is_left_out_and_counted(tmp_path: Path) -> None:
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
    shown = task.doc_to_text(next(iter(task.eval_docs))).split("Assume the following")[1]
    assert "- Age:" not in shown
    assert shown.count(" > ") == sum(len(RANKED[name]) - 1 for name in RANKED if name != "age")


# A player whose effects are known


@pytest.mark.parametrize("fractions", [False, True])
def test_linear_trust_recovers_the_effects_that_it_was_made_with(
    tmp_path: Path, fractions: bool
) -> None:
    # A share 0.5 + 0.4 x + 0.2 z is sent, x and z independent and uniform over three even positions, of
    # variance v each: of ten dollars 5, 2 more or less, and 1 more or less. Between the levels of
    # openness lies the variance of 0.4 x, so that η² = 0.16 v / (0.16 v + 0.04 v) = 0.8, and 0.2 of
    # conscientiousness.
    true = {"openness": 0.8, "conscientiousness": 0.2}
    # In dollars it states means 0.4 x, whose Σ (m - m̄)² is 0.16·0.5, and within each of three levels the
    # SD of 0.2 z, 0.2·√(1/6), for 100 people: η² = 8 / (8 + 99·3·0.04/6). The other way round it is
    # 2 / (2 + 99·3·0.16/6).
    stated = {"openness": 8 / 9.98, "conscientiousness": 2 / 9.92}
    finished = play([POPULATION], "linear-trust", tmp_path, personas="all", fractions=fractions)
    parts = details(finished, POPULATION)["by_attribute"]
    for name, effect in true.items():
        own = parts[name]
        assert LinearTrust.true_eta_squared(name) == pytest.approx(effect)
        for strategy in STRATEGIES:
            assert value(own, f"rho_{strategy}") == 1.0
        simulated = value(own, "eta2")
        assert own["eta2"]["low"] <= effect <= own["eta2"]["high"]
        assert value(own, "delta_eta2_dollars") == pytest.approx(abs(stated[name] - simulated))
        for strategy in RANKINGS:
            # "Large" counts as the middle of 0.14 to 1.
            assert value(own, f"delta_eta2_{strategy}") == pytest.approx(abs(0.57 - simulated))
    found = numbers(finished, POPULATION)
    assert found["n_personas"] == 200
    # It states the same dollars for all levels of the other seven: no order that could agree.
    assert found["n_attributes_dollars"] == 2
    assert found["rho_dollars"] == 1.0
    assert found["delta_eta2_dollars"] < 0.05


class Copying(LinearTrust):
    """Plays as linear trust does, and ranks levels as the prompt lists them."""

    def _states(self, doc: Mapping[str, Any]) -> str:
        classes = {"omnibus_effect_size": "small", "contrast_effect_size": "small"}
        return json.dumps({"ranking": " > ".join(doc["attribute_levels"]), **classes})


@pytest.mark.slow
def test_copying_the_list_agrees_with_nothing(tmp_path: Path) -> None:
    # High openness and conscientiousness send more. Listed in natural order or its reverse, their ρ
    # would be -1 or 1; with three levels, every other order has ±0.5.
    for seed in range(3):
        finished = play(
            [POPULATION], Copying, tmp_path / str(seed), personas="all", order_seed=seed
        )
        parts = details(finished, POPULATION)["by_attribute"]
        for name in ("openness", "conscientiousness"):
            for strategy in RANKINGS:
                assert abs(value(parts[name], f"rho_{strategy}")) == 0.5


def test_the_endowment_scales_dollars_and_nothing_else(tmp_path: Path) -> None:
    ten, other = (
        numbers(
            play([POPULATION], "linear-trust", tmp_path / str(e), endowment=e, fractions=True),
            POPULATION,
        )
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
        return float(doc["endowment"]) + 1


def test_sends_beyond_the_endowment_are_failures_and_are_not_clipped(tmp_path: Path) -> None:
    found = numbers(play([POPULATION], Generous, tmp_path), POPULATION)
    assert found["parse_rate"] == 0.0
    assert math.isnan(found["send"])


def test_elicitations_alone_say_that_role_plays_are_missing(tmp_path: Path) -> None:
    finished = play([POPULATION], "linear-trust", tmp_path, "--limit", "39")
    assert numbers(finished, POPULATION)["n_personas"] == 0
    [note] = details(finished, POPULATION)["notes"]
    assert "--limit" in note


@pytest.mark.parametrize(("limit", "attributes"), [(2, "all"), (2, "single"), (11, "single")])
def test_a_limit_plays_as_many_personas_as_the_conditioned_task_needs(
    tmp_path: Path, limit: int, attributes: str
) -> None:
    flags = ("--limit", str(limit))
    finished = play([SELF], "linear-trust", tmp_path, *flags, prior_attributes=attributes)
    # All elicitations are needed for the first document. Told one by one, nine are of one persona.
    personas = limit if attributes == "all" else -(-limit // len(LEVELS))
    assert numbers(finished, POPULATION)["n_personas"] == personas
    assert numbers(finished, SELF)["parse_rate"] == 1.0
    assert evaluations(finished)[SELF].results["n-samples"][SELF]["effective"] == limit


# Random play


def test_random_draws_another_stream_for_each_task_and_round(tmp_path: Path) -> None:
    flags = ("--limit", "30")
    finished = play([LAST, "trust_game_conditioned"], "random", tmp_path, *flags)
    drawn: dict[str, dict[str, str]] = {}
    for task in (*ROUNDS, LAST, SELF, *IMPOSED.values()):
        answers = lines(evaluations(finished)[task].samples[task])
        drawn[task] = {one["doc"]["item_id"]: one["filtered_resps"][0][0] for one in answers}
    for task, own in drawn.items():
        for other, theirs in drawn.items():
            if task != other and (shared := own.keys() & theirs.keys()):
                assert len(shared) == 30
                # Of eleven amounts, one in eleven agrees by chance: 2.7 of 30, with an SD of 1.6.
                assert sum(own[item] == theirs[item] for item in shared) < 11, (task, other)
    again = play([ROUNDS[0]], "random", tmp_path / "again", *flags)
    repeated = lines(evaluations(again)[ROUNDS[0]].samples[ROUNDS[0]])
    assert {one["doc"]["item_id"]: one["filtered_resps"][0][0] for one in repeated} == drawn[
        ROUNDS[0]
    ]


# The bank's levels


def test_the_banks_personas_keep_their_levels_and_results_say_so(
    bank_personas: Path, tmp_path: Path
) -> None:
    task = "trust_game_population_genagents"
    finished = play([task], "consistent-trust", tmp_path, data_source=str(bank_personas))
    parts = details(finished, task)
    assert parts["setting"]["levels"] == "bank"
    assert parts["levels"] == {one.name: len(one.levels) for one in BANK.evaluated}
    docs = [one["doc"] for one in lines(evaluations(finished)[task].samples[task])]
    asked = {one["attribute"]: sorted(one["attribute_levels"]) for one in docs if one["attribute"]}
    assert asked == {one.name: sorted(one.levels) for one in BANK.ranked}


@pytest.fixture(scope="module")
def bank_personas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of personas that were built from a fictional bank."""
    return small_builds.write("trust-game", tmp_path_factory.mktemp("bank"), version="0.1")


# What the documentation says


def test_the_page_names_every_switch_and_tasks_that_exist() -> None:
    text = (paths.cards().parent / "docs" / "benchmarks" / "trust_game.md").read_text(
        encoding="utf-8"
    )
    switches = text.partition("## Switches")[2].partition("\n## ")[0]
    assert (
        set(re.findall(r"^\| `(\w+)` \|", switches, re.MULTILINE)) - {*keys.DATA, *keys.STAGES}
        == benchmark.named("trust_game").keys.keys()
    )
    manager = harness.task_manager()
    named = set(re.findall(r"otherminds (?:run|show) (trust_game\w*)", text))
    assert named
    assert named <= set(manager.all_tasks)


def test_imposed_orders_are_said_to_be_no_norms() -> None:
    for task in IMPOSED.values():
        note = harness.task_metadata(harness.task_manager(), task)["note"]
        assert "no norms and no findings on people" in note
    page = (paths.cards().parent / "docs" / "benchmarks" / "trust_game.md").read_text(
        encoding="utf-8"
    )
    assert "An imposed ranking is no norm and no finding." in page


@pytest.mark.parametrize(("endowment", "high"), [(10.0, 10.0), (100.0, 1.5 + 12.7062 * 1.5)])
def test_no_interval_of_an_amount_goes_beyond_the_endowment(endowment: float, high: float) -> None:
    # Sends of 0 and 3: mean 1.5, SE 1.5, and t(1) = 12.7062 at 95 %.
    setting = (("endowment", endowment), ("fractions", False))
    sent = [Sent("P1", (0.0,), setting), Sent("P2", (3.0,), setting)]
    found = Sent.details(sent)["estimates"]["send"]
    assert (found["value"], found["low"]) == (1.5, 0.0)
    assert found["high"] == pytest.approx(high, rel=1e-5)
    # Errors of 0 and 3 dollars have the same mean and interval, everywhere that they are printed.
    games = [
        Game((Forecast(name, "M1", 1, (3.0,), (3.0 - error,)),), setting)
        for name, error in (("P1", 0.0), ("P2", 3.0))
    ]
    details = Game.details(games)
    highs = [details["estimates"][name]["high"] for name in ("mae", "mae_M1", "mae_round1")]
    highs += [details["by_trustee"]["M1"]["mae"]["high"], details["curves"][0]["high"]]
    assert highs == pytest.approx([high] * 5, rel=1e-5)


def test_score_prints_breakdowns_as_the_benchmark_lays_them_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play([POPULATION], "random", tmp_path, "--limit", "45")
    capsys.readouterr()
    printing.print_scores(analysis.score(analysis.read_runs([tmp_path])), details=True)
    said = capsys.readouterr().out
    assert "By attribute, values" in said
    assert "By attribute, ±" not in said
