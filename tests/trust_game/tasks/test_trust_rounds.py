"""Six rounds of the trust game: players whose errors are known, stages, a model that is killed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, paths
from otherminds.errors import OtherMindsError
from otherminds.running.run import Finished
from otherminds.tasks.trust_game.weightless import TitForTat
from otherminds.types import Doc
from tests.conftest import Command
from tests.engine.running.test_stages import count, lines, model_flags, only
from tests.helpers import killed
from tests.helpers.packed import packed, unpacked
from tests.helpers.tiny_model import make as make_model
from tests.trust_game.tasks.test_trust_game import (
    FORECAST,
    LAST,
    POPULATION,
    ROUNDS,
    SELF,
    details,
    evaluations,
    load,
    numbers,
    play,
    silent,
    value,
)

INDIVIDUAL = "trust_game_individual"
RETURNED = {"M1": 1, "M3": 3, "M5": 5}
LIMIT = 5


@pytest.fixture(autouse=True, scope="module")
def _data(cache: Path) -> None:
    harness.quiet(debug=False)


def sent(finished: Finished, task: str) -> dict[tuple[str, str, int], float]:
    """What was sent, or forecast, by persona, trustee and round, as the documents and replies say."""
    found = {}
    for line in lines(evaluations(finished)[task].samples[task]):
        doc, [[reply]] = line["doc"], line["filtered_resps"]
        amount = float(reply.removeprefix("Finally, I will give ").removesuffix(" dollars."))
        found[doc["persona_id"], doc["archetype"], doc["round"]] = amount
    return found


# Players whose errors are known


@pytest.mark.slow
def test_a_memoryless_player_foresees_every_round(tmp_path: Path) -> None:
    finished = play([INDIVIDUAL], "memoryless", tmp_path)
    found = numbers(finished, LAST)
    assert {name for name in found if name.startswith("mae")} >= {
        *("mae", "mae_slope", "mae_M1", "mae_M3", "mae_M5"),
        *(f"mae_round{number}" for number in range(1, 7)),
    }
    assert all(v == 0.0 for name, v in found.items() if name.startswith("mae"))
    assert found["parse_rate"] == found["parse_rate_forecast"] == 1.0
    # 50 personas, three trustees, six rounds.
    assert (found["n_pairs"], found["n_personas"]) == (900, 50)
    assert len(set(sent(finished, FORECAST).values())) > 5


@pytest.fixture(scope="module", params=[10, 44], ids=lambda e: f"E={e}")
def reciprocal(
    request: pytest.FixtureRequest, cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Finished, dict[str, float]]:
    """Tit for tat, and by trustee how far from its forecast it is after the first round."""
    endowment = request.param
    out = tmp_path_factory.mktemp("tit-for-tat")
    finished = play([INDIVIDUAL], "tit-for-tat", out, "--limit", "12", endowment=endowment)
    # It opens with half, forecasts half for ever, and from round 2 on sends the k that came back.
    return finished, {name: endowment / 2 - back for name, back in RETURNED.items()}


def test_tit_for_tat_errs_as_its_trustees_return(
    reciprocal: tuple[Finished, dict[str, float]],
) -> None:
    finished, distance = reciprocal
    found = numbers(finished, LAST)
    # The errors of six rounds are 0, d, d, d, d, d; with E = 10, d is 4, 2 and 0 for k = 1, 3 and 5.
    for name, d in distance.items():
        assert found[f"mae_{name}"] == pytest.approx(5 * d / 6)
    mean = sum(distance.values()) / 3
    assert found["mae"] == pytest.approx(5 * mean / 6)
    assert found["mae_round1"] == 0.0
    assert all(found[f"mae_round{n}"] == pytest.approx(mean) for n in range(2, 7))
    # Least squares over x = 1 … 6, of mean 3.5: Σ (x - 3.5)² = 17.5, and Σ (x - 3.5) y is
    # (-1.5 - 0.5 + 0.5 + 1.5 + 2.5) d = 2.5 d, so that the slope is 2.5 d / 17.5 = d / 7.
    assert found["mae_slope"] == pytest.approx(mean / 7)


def test_every_trustee_has_a_curve_over_the_rounds(
    reciprocal: tuple[Finished, dict[str, float]],
) -> None:
    finished, distance = reciprocal
    parts = details(finished, LAST)
    assert {name: value(own, "mae") for name, own in parts["by_trustee"].items()} == pytest.approx(
        {name: 5 * d / 6 for name, d in distance.items()}
    )
    found = {(point["metric"][-2:], point["x"]): point for point in parts["curves"]}
    assert set(found) == {(name, number) for name in RETURNED for number in range(1, 7)}
    for (name, number), point in found.items():
        assert point["axis"] == "round"
        assert point["value"] == pytest.approx(distance[name] if number > 1 else 0.0)
        # Twelve games: four personas with each trustee.
        assert point["n"] == 4


def test_what_one_round_answers_is_what_the_next_one_shows(tmp_path: Path) -> None:
    finished = play([LAST], "random", tmp_path, "--limit", "30", endowment=7)
    # Each forecast knows the rounds before as they were played, and no more.
    for line in lines(evaluations(finished)[FORECAST].samples[FORECAST]):
        doc, game = line["doc"], (line["doc"]["persona_id"], line["doc"]["archetype"])
        known = [(one["round"], one["sent"]) for one in doc["history"]]
        own = sent(finished, ROUNDS[0])
        assert len(known) == doc["round"] - 1
        if known:
            assert known[0] == (1, own[*game, 1])
    amounts = {
        key: amount for task in (*ROUNDS, LAST) for key, amount in sent(finished, task).items()
    }
    foretold = sent(finished, FORECAST)
    docs = [line["doc"] for line in lines(finished.samples[LAST])]
    assert len(docs) == 30
    for doc in docs:
        game = doc["persona_id"], doc["archetype"]
        assert [played["round"] for played in doc["history"]] == [1, 2, 3, 4, 5]
        for played in doc["history"]:
            assert played["sent"] == amounts[*game, played["round"]]
            back = min(RETURNED[doc["archetype"]], 3 * played["sent"])
            assert played["returned"] == back
            # Both balances begin anew: seven dollars, whatever was earned before.
            assert played["earned"] == 7 - played["sent"] + back
        assert doc["forecasts"] == [foretold[*game, number] for number in range(1, 7)]
    assert len(set(amounts.values())) > 5
    errors = [abs(amounts[key] - foretold[key]) for key in amounts]
    assert numbers(finished, LAST)["mae"] == pytest.approx(sum(errors) / len(errors))


def test_a_round_shows_each_round_before_it(tmp_path: Path) -> None:
    finished = play([LAST], "tit-for-tat", tmp_path, "--limit", "3")
    [first, *_] = lines(finished.samples[LAST])
    text = first["arguments"]["gen_args_0"]["arg_0"]
    assert first["doc"]["archetype"] == "M1"
    # Five of ten are sent and one comes back: 10 - 5 + 1. Then one is sent, and one comes back.
    one, two = "you gave $5. Observation: $1 came back", "you gave $1. Observation: $1 came back"
    assert f"Round 1. Action: {one}, and you ended the round with $6." in text
    for number in (2, 3, 4, 5):
        assert f"Round {number}. Action: {two}, and you ended the round with $10." in text
    assert "Round 6" not in text


def test_a_forecast_is_made_from_a_summary_of_the_state(tmp_path: Path) -> None:
    finished = play([LAST], "tit-for-tat", tmp_path, "--limit", "1")
    texts = {
        line["doc"]["round"]: line["arguments"]["gen_args_0"]["arg_0"]
        for line in lines(evaluations(finished)[FORECAST].samples[FORECAST])
    }
    assert "The state of the game so far: no round has been played." in texts[1]
    # Five of ten are sent to M1 and one comes back: 10 - 5 + 1. Then one is sent, and one comes back.
    assert (
        "3 of 6 rounds have been played. You gave $5, $1, $1. Back came $1, $1, $1. You ended the "
        "rounds with $6, $10, $10." in texts[4]
    )
    assert all("somebody who, in every round, gives back $1," in text for text in texts.values())


def test_a_forecast_from_the_rule_alone_sees_no_round(tmp_path: Path) -> None:
    flags = ("--limit", "6")
    finished = play([LAST], "tit-for-tat", tmp_path, *flags, forecast_form="rule")
    for line in lines(evaluations(finished)[FORECAST].samples[FORECAST]):
        assert line["doc"]["history"] == []
        text = line["arguments"]["gen_args_0"]["arg_0"]
        assert "You would not know this beforehand" in text
        assert "played." not in text
    # It forecasts half in either form, and errs by 4, 2 and 0 in five of six rounds.
    assert numbers(finished, LAST)["mae"] == pytest.approx(5 * 2 / 6)


class Mumbling(TitForTat):
    """Says nothing clear in round 2 against M3, and makes no forecast for M5."""

    def reply(self, doc: Doc, run: int) -> str:
        trustee = doc.get("archetype")
        if "forecasts" in doc and doc["round"] == 2 and trustee == "M3":
            return "Between 3 and 4 dollars, perhaps."
        if "dollars_returned" in doc and trustee == "M5":
            return "I cannot say."
        return super().reply(doc, run)


def test_an_answer_that_cannot_be_read_is_no_send_and_is_left_out(tmp_path: Path) -> None:
    finished = play([LAST], Mumbling, tmp_path, "--limit", "6")
    docs = [line["doc"] for line in lines(finished.samples[LAST])]
    for doc in docs:
        second = doc["history"][1]
        if doc["archetype"] == "M3":
            assert second == {"round": 2, "sent": None, "returned": 0.0, "earned": 10.0}
        assert doc["forecasts"] == [None if doc["archetype"] == "M5" else 5.0] * 6
    task = load(ROUNDS[2], samples=str(finished.samples[LAST].parent), stage_limit=6)
    shown = next(task.doc_to_text(doc) for doc in task.eval_docs if doc["archetype"] == "M3")
    assert "Round 2. Action: no amount could be read from your answer, so you gave nothing" in shown
    found = numbers(finished, LAST)
    # Two personas: 36 pairs, less 2 sends and 12 forecasts.
    assert found["n_pairs"] == 22
    assert found["parse_rate_forecast"] == pytest.approx(24 / 36)
    assert math.isnan(found["mae_M5"])
    # Against M3 it sends 5, mumbles, gives back the nothing that came, and so on: errors 0, 5, 5, 5, 5.
    assert found["mae_M3"] == pytest.approx(4.0)
    assert numbers(finished, ROUNDS[1])["parse_rate"] == pytest.approx(4 / 6)


# Given samples


@pytest.fixture(scope="module")
def earlier(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sample files of a run of every stage."""
    out = tmp_path_factory.mktemp("earlier")
    finished = play([LAST, SELF], "memoryless", out)
    return {
        task: path for one in (*finished.earlier, finished) for task, path in one.samples.items()
    }


Samples = Callable[[Mapping[str, Path]], Any]
FORMS: dict[str, Samples] = {
    "folder": lambda earlier: str(earlier[LAST].parent),
    "mapping": lambda earlier: {task: str(earlier[task]) for task in (FORECAST, *ROUNDS)},
}


@pytest.mark.parametrize("form", FORMS)
def test_with_given_samples_nothing_earlier_is_run(
    earlier: Mapping[str, Path], tmp_path: Path, form: str
) -> None:
    finished = play([LAST], "memoryless", tmp_path, samples=FORMS[form](earlier))
    assert not finished.earlier
    assert list(finished.samples) == [LAST]
    assert numbers(finished, LAST)["mae"] == 0.0
    assert numbers(finished, LAST)["n_pairs"] == 900
    made_from = finished.results["otherminds"]["made_from"]
    assert {task: Path(made_from[task]["path"]) for task in made_from} == {
        task: earlier[task] for task in (FORECAST, *ROUNDS)
    }


def test_the_one_file_of_the_stage_before_is_enough_for_it(
    earlier: Mapping[str, Path], tmp_path: Path
) -> None:
    for stage, task in ((POPULATION, SELF), (ROUNDS[0], ROUNDS[1])):
        finished = play([task], "memoryless", tmp_path / task, samples=str(earlier[stage]))
        assert not finished.earlier
        assert list(finished.results["otherminds"]["made_from"]) == [stage]
        assert numbers(finished, task)["n_personas"] == 50


def test_stages_that_are_not_given_are_run(earlier: Mapping[str, Path], tmp_path: Path) -> None:
    given = {task: str(earlier[task]) for task in (ROUNDS[0], FORECAST)}
    finished = play([ROUNDS[2]], "memoryless", tmp_path, samples=given)
    assert list(evaluations(finished)) == [ROUNDS[1], ROUNDS[2]]
    assert list(finished.results["otherminds"]["made_from"]) == ROUNDS[:2]


def first(files: Mapping[str, Path]) -> str:
    return str(files[ROUNDS[0]])


def population(files: Mapping[str, Path]) -> str:
    return str(files[POPULATION])


REFUSED: dict[str, tuple[str, Samples, dict[str, Any], str]] = {
    "another endowment": (ROUNDS[1], first, {"endowment": 44}, "another document"),
    "a dollar more": (SELF, population, {"endowment": 11}, "another document"),
    "fractions": (SELF, population, {"fractions": True}, "another document"),
    "another order of levels": (SELF, population, {"order_seed": 1}, "another document"),
    "another form": (SELF, population, {"ranking_form": "ascending"}, "another document"),
    "another forecast": (
        *(LAST, lambda files: str(files[LAST].parent)),
        *({"forecast_form": "rule"}, "another document"),
    ),
    "another split": (ROUNDS[1], first, {"personas": "validation"}, "lacks 600 documents"),
    "a split with the sample": (SELF, population, {"personas": "test"}, "lacks 150 documents"),
    "another limit": (ROUNDS[1], first, {"stage_limit": 3}, "do not belong"),
    "another round": (
        *(ROUNDS[2], lambda files: dict.fromkeys(ROUNDS, str(files[ROUNDS[1]]))),
        *({}, "another document"),
    ),
    "another stage": (SELF, first, {}, "lacks 89 documents"),
    "nothing": (ROUNDS[1], lambda files: None, {}, "made from the answers"),
    "too few": (ROUNDS[2], lambda files: {ROUNDS[0]: first(files)}, {}, ROUNDS[1]),
    "no such file": (ROUNDS[1], lambda files: first(files) + "x", {}, "There is no sample file"),
    "an empty folder": (ROUNDS[1], lambda files: str(files["empty"]), {}, "no sample file of"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_later_stage_refuses_what_is_not_its_own(
    earlier: Mapping[str, Path], tmp_path: Path, case: str
) -> None:
    task, samples, metadata, message = REFUSED[case]
    with pytest.raises(OtherMindsError, match=message) as caught:
        load(task, samples=samples({**earlier, "empty": tmp_path}), **metadata)
    said = str(caught.value)
    assert "\n" not in said
    stages = harness.task_metadata(harness.task_manager(), task)["stages"]
    assert any(f"'{stage}'" in said for stage in stages)
    assert any(words in said for words in ("again", "Run ", "run --tasks", "Give the one"))


@pytest.mark.parametrize("name", ["samples.jsonl", "samples.jsonl.gz", "samples.jsonl.zst"])
def test_samples_that_were_cut_off_are_refused(
    earlier: Mapping[str, Path], tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(packed(unpacked(earlier[ROUNDS[0]]), name)[:-20])
    with pytest.raises(OtherMindsError, match="cannot be read to its end") as caught:
        load(ROUNDS[1], samples=str(path))
    assert f"Run '{ROUNDS[0]}' again" in str(caught.value)


def test_games_past_the_limit_cannot_be_played_by_mistake() -> None:
    for name, n_docs in ((LAST, 150), (SELF, 50)):
        task = silent(name, stage_limit=3)
        docs = list(task.eval_docs)
        # They are counted, so that results say how few of all were run.
        assert len(docs) == n_docs
        task.doc_to_text(docs[2])
        with pytest.raises(OtherMindsError, match="--limit"):
            task.doc_to_text(docs[3])


# A real model, as a user runs it


@pytest.fixture(scope="module")
def untrained(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real model with random weights."""
    task = load(FORECAST, stage_limit=30, forecast_form="rule")
    texts = [task.doc_to_text(doc) for doc in task.eval_docs]
    return make_model(tmp_path_factory.mktemp("model"), texts)


def finished_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of the one run in a folder that came to its end."""
    found = [json.loads(path.read_text()) for path in folder.rglob("stages_*.json")]
    [complete] = [one for one in found if one["complete"]]
    return dict(complete)


def results_of(folder: Path, stage: Mapping[str, Any]) -> dict[str, Any]:
    return dict(json.loads((folder / stage["results"]["path"]).read_text()))


def words(task: str, model: Path, limit: int) -> tuple[str, ...]:
    flags = (*model_flags(model), "--limit", str(limit), "--output_path", "out")
    return ("otherminds", "run", task, *flags)


@pytest.fixture(scope="module")
def uninterrupted(
    untrained: Path, command: Command, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The output of a game that was played to its end, and what the run printed."""
    folder = tmp_path_factory.mktemp("whole")
    done = command(*words(INDIVIDUAL, untrained, LIMIT), cwd=folder)
    return folder / "out", done.stdout


def check_that_nothing_is_invented(folder: Path, printed: str, unmeasured: list[str]) -> None:
    assert "None of the answers to " in printed
    found = finished_manifest(folder)["stages"]
    for stage in found:
        answers = lines(folder / stage["samples"]["path"])
        assert any(line["filtered_resps"][0][0] for line in answers)
        assert stage["scores"]["parse_rate"] < 0.2
        if stage["scores"]["parse_rate"] == 0.0:
            assert stage["scores"]["send"] is None
    assert [found[-1]["scores"][name] for name in unmeasured] == [None] * len(unmeasured)


def test_an_untrained_model_plays_to_the_end_and_nothing_is_invented(
    uninterrupted: tuple[Path, str],
) -> None:
    folder, printed = uninterrupted
    stages = finished_manifest(folder)["stages"]
    assert [stage["task"] for stage in stages] == [*ROUNDS, FORECAST, LAST]
    check_that_nothing_is_invented(folder, printed, ["mae", "mae_slope", "mae_M1", "mae_round6"])


def test_an_untrained_model_that_stated_nothing_is_told_nothing(
    untrained: Path, command: Command, tmp_path: Path
) -> None:
    done = command(*words(SELF, untrained, 2), cwd=tmp_path)
    stages = finished_manifest(tmp_path / "out")["stages"]
    assert [stage["task"] for stage in stages] == [POPULATION, SELF]
    unmeasured = ["rho", "rho_unconditioned", "rho_gain"]
    check_that_nothing_is_invented(tmp_path / "out", done.stdout, unmeasured)
    assert stages[0]["scores"]["parse_rate_elicited"] == 0.0
    assert stages[1]["scores"]["n_without_prior"] == 9


@pytest.mark.slow
def test_a_game_that_is_killed_in_round_four_is_taken_up_there_and_ends_the_same(
    untrained: Path, uninterrupted: tuple[Path, str], command: Command, tmp_path: Path
) -> None:
    whole, broken = uninterrupted[0], tmp_path / "out"
    # Six forecasts a game, and six rounds.
    before, total = LIMIT * 3, LIMIT * (6 + 6)
    assert count(whole / "journal.sqlite") == total

    journal = broken / "journal.sqlite"
    name, *rest = words(INDIVIDUAL, untrained, LIMIT)
    killed.run_until(before + 1, rest, tmp_path)
    kept = count(journal)
    assert kept == before + 1
    [left] = [json.loads(path.read_text()) for path in broken.rglob("stages_*.json")]
    assert not left["complete"]
    assert left["missing"] == [*ROUNDS[3:], FORECAST, LAST]

    command(name, *rest, cwd=tmp_path)
    assert count(journal) == total
    first, second = (finished_manifest(folder)["stages"] for folder in (whole, broken))
    assert [stage["task"] for stage in second] == [*ROUNDS, FORECAST, LAST]
    facts = [results_of(broken, stage)["otherminds"]["journal"] for stage in second]
    # Cumulative: nothing of rounds 1 to 3; of round 4 what was missing; then round 5, the forecasts, six
    # each, and the last round.
    rest_asked = [before + LIMIT * number - kept for number in (1, 2, 8, 9)]
    assert [one["asked"] for one in facts] == [0, 0, 0, *rest_asked]
    assert facts[-1]["reused"] == kept
    for one, other in zip(first, second, strict=True):
        assert one["scores"] == other["scores"]
        assert one["samples"]["sha256"] == other["samples"]["sha256"]
        assert results_of(whole, one)["results"] == results_of(broken, other)["results"]


@pytest.mark.slow
def test_a_round_runs_alone_in_plain_lm_eval(command: Command, tmp_path: Path) -> None:
    # lm-eval's own stand-in for a model, which answers "lol".
    common = ("lm_eval", "--include_path", str(paths.tasks()), "--model", "dummy")
    out = ("--log_samples", "--output_path", "out")

    def told(**metadata: Any) -> tuple[str, str]:
        return "--metadata", json.dumps({"stage_limit": 3, "endowment": 44, **metadata})

    command(*common, "--tasks", ROUNDS[0], *out, *told(), cwd=tmp_path)
    samples = only(tmp_path / "out", f"samples_{ROUNDS[0]}_*.jsonl")
    assert len(lines(samples)) == 3
    done = command(*common, "--tasks", ROUNDS[1], *out, *told(samples=str(samples)), cwd=tmp_path)
    assert "parse_rate" in done.stdout
    second = lines(only(tmp_path / "out", f"samples_{ROUNDS[1]}_*.jsonl"))
    assert len(second) == 3
    for line in second:
        text = line["arguments"]["gen_args_0"]["arg_0"]
        assert "Round 1. Action: no amount could be read from your answer" in text
        assert "The first person has $44" in text
