"""Runs of several stages and several models: what is run, by whom, and what the manifest says of it."""

from __future__ import annotations

import gc
import hashlib
import json
import math
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, paths
from otherminds.errors import OtherMindsError
from otherminds.running import models, stages
from otherminds.running.run import Finished, run
from otherminds.tasks.trust_game.weightless import TitForTat
from tests.conftest import Command
from tests.engine.running.test_stages import lines, only
from tests.trust_game.tasks.test_trust_game import (
    FORECAST,
    IMPOSED,
    LAST,
    POPULATION,
    ROUNDS,
    SELF,
    details,
    evaluations,
    numbers,
    play,
)

GROUP, INDIVIDUAL = "trust_game", "trust_game_individual"
FEW = ("--limit", "6")


@pytest.fixture(autouse=True, scope="module")
def _data(cache: Path) -> None:
    harness.quiet(debug=False)


def manifest(finished: Finished) -> dict[str, Any]:
    assert finished.stages_path is not None
    return dict(json.loads(finished.stages_path.read_text()))


def loads(patch: pytest.MonkeyPatch) -> list[str]:
    """The names of models as they are loaded from now on."""
    found: list[str] = []
    loaded = models.loaded

    def watched(arguments: Any, *rest: Any) -> Any:
        found.append(arguments.model)
        return loaded(arguments, *rest)

    patch.setattr(models, "loaded", watched)
    return found


# Every stage, once


@pytest.fixture(scope="module")
def wordless(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Finished, list[str]]:
    """Everything that the trust game asks, of a model that answers nothing; and the models loaded."""
    with pytest.MonkeyPatch.context() as patch:
        found = loads(patch)
        return play([GROUP], "majority", tmp_path_factory.mktemp("wordless")), found


ORDER = [*ROUNDS, POPULATION, FORECAST, SELF, IMPOSED[0.8], IMPOSED[0.2], LAST]
NEEDED: dict[str, set[str]] = {
    **{name: set(ROUNDS[:place]) for place, name in enumerate(ROUNDS)},
    **{name: {POPULATION} for name in (SELF, *IMPOSED.values())},
    **{POPULATION: set(), FORECAST: set(ROUNDS), LAST: {FORECAST, *ROUNDS}},
}


def test_a_group_runs_every_stage_once_by_a_model_that_is_loaded_once(
    wordless: tuple[Finished, list[str]],
) -> None:
    finished, loaded = wordless
    assert loaded == ["majority"]
    record = manifest(finished)
    assert record["complete"] is True
    assert record["missing"] == []
    tasks = [stage["task"] for stage in record["stages"]]
    # The last four are one evaluation.
    assert tasks[:7] == ORDER[:7]
    assert sorted(tasks) == sorted(ORDER)
    assert {stage["model"]["name"] for stage in record["stages"]} == {"majority"}
    # Stages that were not asked for by name are marked, so that they are not printed.
    asked_for = {task for task, one in evaluations(finished).items() if one.asked_for}
    assert asked_for == set(ORDER) - set(ROUNDS)


def test_the_manifest_says_what_was_made_from_what_and_its_folder_can_move(
    wordless: tuple[Finished, list[str]], tmp_path: Path
) -> None:
    finished = wordless[0]
    record = manifest(finished)
    assert finished.stages_path is not None
    folder = finished.stages_path.parent.rename(tmp_path / "elsewhere")
    of: dict[str, Any] = {}
    for stage in record["stages"]:
        task = stage["task"]
        # What a stage was made from stands before it.
        assert NEEDED[task] <= set(of)
        of[task] = stage
        assert stage["inputs"] == {name: of[name]["samples"] for name in NEEDED[task]}
        for kind in ("results", "samples"):
            assert not Path(stage[kind]["path"]).is_absolute()
            content = (folder / stage[kind]["path"]).read_bytes()
            assert hashlib.sha256(content).hexdigest() == stage[kind]["sha256"]
    folder.rename(finished.stages_path.parent)


def test_a_model_that_answers_nothing_ends_without_a_single_value(
    wordless: tuple[Finished, list[str]],
) -> None:
    finished = wordless[0]
    text = finished.stages_path.read_text() if finished.stages_path else ""
    assert "NaN" not in text
    for stage in json.loads(text)["stages"]:
        task, scores = stage["task"], stage["scores"]
        assert scores["parse_rate"] == 0.0
        counted = {name for name in scores if name.startswith(("n_", "parse_rate"))}
        assert all(scores[name] is None for name in set(scores) - counted)
        assert scores["n_personas"] == 50
        assert all(
            math.isnan(number)
            for name, number in numbers(finished, task).items()
            if name not in counted and not name.startswith(("n_", "parse_rate"))
        )
    for task, what in ((POPULATION, "ρ"), (SELF, "ρ"), *((name, "ρ") for name in IMPOSED.values())):
        notes = details(finished, task)["notes"]
        assert any(what in note and "send that could be read" in note for note in notes)
    assert numbers(finished, SELF)["n_without_prior"] == 9
    assert numbers(finished, LAST)["n_pairs"] == 0


# Several models


def test_forecasts_of_another_model_are_scored_against_the_game(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        loaded = loads(patch)
        stage_models = {FORECAST: "memoryless"}
        finished = play([INDIVIDUAL], "tit-for-tat", tmp_path, *FEW, stage_models=stage_models)
    assert loaded == ["tit-for-tat", "memoryless", "tit-for-tat"]
    assert {stage["task"]: stage["model"]["name"] for stage in manifest(finished)["stages"]} == {
        FORECAST: "memoryless",
        **dict.fromkeys([*ROUNDS, LAST], "tit-for-tat"),
    }
    told = {
        line["doc"]["persona_id"]: float(line["filtered_resps"][0][0].split()[-2])
        for line in lines(evaluations(finished)[FORECAST].samples[FORECAST])
    }
    assert len(told) == 2
    assert set(told.values()) != {5.0}
    found = numbers(finished, LAST)
    # Foretold is m in every round, sent are 5 and then five times the k that came back.
    for name, k in (("M1", 1), ("M3", 3), ("M5", 5)):
        errors = [(abs(m - 5) + 5 * abs(m - k)) / 6 for m in told.values()]
        assert found[f"mae_{name}"] == pytest.approx(sum(errors) / 2)


def test_a_model_is_loaded_once_for_stages_that_follow_each_other(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        loaded = loads(patch)
        stage_models = {ROUNDS[2]: "memoryless", ROUNDS[3]: "memoryless"}
        play([LAST], "tit-for-tat", tmp_path, *FEW, stage_models=stage_models)
    assert loaded == ["tit-for-tat", "memoryless", "tit-for-tat"]


@pytest.mark.parametrize(
    ("role", "stage_models", "judge"),
    [
        ("judge", {"judge": "memoryless"}, "memoryless"),
        ("judge", {"judged": "memoryless"}, "memoryless"),
        ("judge", {"judge": "linear-trust", "judged": "memoryless"}, "memoryless"),
        ("critic", {"critic": "memoryless"}, "memoryless"),
        ("critic", {}, "tit-for-tat"),
    ],
    ids=["role", "task", "both", "another role", "neither"],
)
def test_a_stage_is_named_by_its_role_or_by_its_task_which_goes_first(
    tmp_path: Path, role: str, stage_models: Mapping[str, str], judge: str
) -> None:
    base = only(paths.tasks(), f"{ROUNDS[1]}.yaml")
    (tmp_path / "judged.yaml").write_text(
        f"include: {base}\ntask: judged\n"
        f"metadata: {{version: 1.0, role: {role}, stages: [{ROUNDS[0]}]}}\n"
    )
    flags = (*FEW, "--include_path", str(tmp_path))
    out = tmp_path / "out"
    finished = play(["judged"], "tit-for-tat", out, *flags, stage_models=stage_models)
    by = {stage["task"]: stage["model"]["name"] for stage in manifest(finished)["stages"]}
    assert by == {ROUNDS[0]: "tit-for-tat", "judged": judge}
    answers = {
        (line["doc"]["persona_id"], line["filtered_resps"][0][0])
        for line in lines(finished.samples["judged"])
    }
    # Of two personas, tit for tat answers each of three trustees otherwise; the memoryless do not.
    assert len(answers) == (6 if judge == "tit-for-tat" else 2)


def test_arguments_of_a_stage_model_are_its_own(tmp_path: Path) -> None:
    chosen = {FORECAST: "random,seed=7"}
    finished = play([INDIVIDUAL], "memoryless", tmp_path, *FEW, stage_models=chosen)
    of = {stage["task"]: stage["model"] for stage in manifest(finished)["stages"]}
    assert of[FORECAST] == {"name": "random", "args": {"seed": 7}}
    assert of[LAST] == {"name": "memoryless", "args": {}}


@pytest.mark.parametrize(
    ("stage_models", "words"),
    [
        ({"judge": "memoryless"}, ["'judge'", *ROUNDS, FORECAST, LAST]),
        ({"trust_game_round9": "memoryless"}, ["'trust_game_round9'", FORECAST, ROUNDS[4]]),
        ({SELF: "memoryless"}, [f"'{SELF}'", FORECAST]),
        ({FORECAST: "memorylss"}, ["'memorylss'", "memoryless"]),
        ({ROUNDS[0]: "memoryless,seed"}, ["memoryless"]),
    ],
    ids=["role that no task has", "no task", "task of another run", "no model", "no argument"],
)
def test_a_stage_or_model_that_does_not_exist_is_an_error_before_anything_is_asked(
    tmp_path: Path, stage_models: Mapping[str, str], words: list[str]
) -> None:
    with pytest.raises(OtherMindsError) as caught:
        play([INDIVIDUAL], "tit-for-tat", tmp_path, *FEW, stage_models=stage_models)
    said = str(caught.value)
    assert "\n" not in said
    assert all(word in said for word in words)
    assert not list(tmp_path.rglob("samples_*"))


@pytest.mark.parametrize(
    "flags",
    [
        ("--stage-model", "judge"),
        ("--stage-model", "=memoryless"),
        ("--stage-model", f"{FORECAST}="),
        ("--stage-model", f"{FORECAST}=random", "--stage-model", f"{FORECAST}=memoryless"),
        ("--stage-model", "judge=memoryless"),
    ],
    ids=["no model", "no stage", "empty model", "two models", "no such stage"],
)
def test_a_malformed_choice_on_the_command_line_is_one_line(
    command: Command, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    done = command("otherminds", "run", *flags, LAST, *FEW, cwd=tmp_path, code=1)
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr.splitlines()) == 1
    assert flags[1].partition("=")[0] in done.stderr


def test_a_choice_on_the_command_line_is_used_and_printed(command: Command, tmp_path: Path) -> None:
    choice = ("--stage-model", f"{ROUNDS[0]}=memoryless")
    flags = ("--model", "tit-for-tat", *FEW, "--output_path", "out")
    done = command("otherminds", "run", *choice, *ROUNDS[:2], *flags, cwd=tmp_path)
    assert "Model: memoryless" in done.stdout
    assert "Model: tit-for-tat" in done.stdout
    record = json.loads(only(tmp_path, "stages_*.json").read_text())
    assert {stage["model"]["name"] for stage in record["stages"]} == {"memoryless", "tit-for-tat"}


# Runs that fail


class Broken(TitForTat):
    """Breaks down in round 3."""

    def reply(self, doc: Mapping[str, Any], run: int) -> str:
        if "history" in doc and doc["round"] == 3:
            raise RuntimeError("out of memory")
        return super().reply(doc, run)


def test_a_run_that_fails_leaves_a_manifest_that_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="out of memory"):
        play([INDIVIDUAL], Broken, tmp_path, *FEW)
    record = json.loads(only(tmp_path, "stages_*.json").read_text())
    assert record["complete"] is False
    assert [stage["task"] for stage in record["stages"]] == ROUNDS[:2]
    assert record["missing"] == [*ROUNDS[2:], FORECAST, LAST]
    # What was done can be used: the folder's samples, for the stages that are missing.
    samples = str(only(tmp_path, f"samples_{ROUNDS[1]}_*").parent)
    finished = play([LAST], "tit-for-tat", tmp_path / "again", *FEW, samples=samples, stage_limit=6)
    assert list(evaluations(finished)) == [*ROUNDS[2:], FORECAST, LAST]
    whole = play([LAST], "tit-for-tat", tmp_path / "whole", *FEW)
    assert numbers(finished, LAST) == numbers(whole, LAST)


def test_before_names_every_stage_of_a_group_once() -> None:
    assert stages.before(harness.task_manager(), [GROUP]) == ORDER[:7]


class Silent(harness.LM):
    """A model that answers nothing."""

    def generate_until(self, requests: list[harness.Instance]) -> list[str]:
        return [""] * len(requests)

    def loglikelihood(self, requests: list[harness.Instance]) -> list[tuple[float, bool]]:
        raise AssertionError

    def loglikelihood_rolling(self, requests: list[harness.Instance]) -> list[float]:
        raise AssertionError


def test_a_model_is_gone_from_memory_before_the_next_one_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "gc", gc)
    made: list[weakref.ref[Silent]] = []

    def make(arguments: Any) -> Silent:
        assert all(one() is None for one in made)
        model = Silent()
        made.append(weakref.ref(model))
        return model

    monkeypatch.setattr(harness, "make_model", make)
    flags = ("--model", "dummy", *FEW, "--output_path", str(tmp_path))
    others = {ROUNDS[1]: "dummy,second=1", ROUNDS[3]: "dummy,third=1"}
    run([LAST], flags, models.Options(stage_models=others))
    assert len(made) == 5  # the first, the second, the first again, the third, the first again


def test_several_processes_are_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(OtherMindsError, match="takes one process"):
        play([LAST], "random", tmp_path)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ("here", "There is no sample file of"),
        ("here/nothing.jsonl", "There is no sample file "),
        ({POPULATION: "here"}, "There is no sample file of"),
        ({POPULATION: "here/nothing.jsonl"}, "There is no sample file "),
    ],
)
def test_samples_that_are_not_there_are_refused_before_anything_is_asked(
    samples: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    with pytest.raises(OtherMindsError, match=message):
        play([SELF], "random", tmp_path / "out", samples=samples)
    assert not list((tmp_path / "out").rglob("samples_*"))


@pytest.mark.slow
def test_a_stage_that_is_given_is_not_asked_again_because_its_group_is(tmp_path: Path) -> None:
    first = play([FORECAST], "memoryless", tmp_path)
    folder = str(first.samples[FORECAST].parent)
    finished = play([INDIVIDUAL], "memoryless", tmp_path, samples=folder)
    # The rounds that the forecasts were made from lie there as well.
    assert list(evaluations(finished)) == [LAST]
