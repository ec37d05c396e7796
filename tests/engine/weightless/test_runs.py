"""Which weightless models there are, and runs in which they meet several benchmarks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import benchmark, harness, weightless
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from otherminds.running import models as loading
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.weightless.lm import make
from tests.helpers import small_builds
from tests.helpers.packed import opened

BDU, DEBATE, SCENES = (
    "hugagent_bdu_synthetic",
    "debate_both_synthetic",
    "socialmindchange_codes_render",
)
QUIZ = "socialmindchange_codes_lite"
TRUST = "trust_game_round1"

_BLANK = {str([[""]])}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shelf")
    for dataset in (*small_builds.GENERATED, "trust-game"):
        small_builds.write(dataset, folder / "made" / dataset, version="0.1").rename(
            folder / dataset
        )
    return folder


@pytest.fixture(autouse=True)
def _data(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHERMINDS_DATA", str(shelf))
    harness.quiet(debug=False)


def lines(path: Path) -> list[dict[str, Any]]:
    with opened(path) as file:
        return [json.loads(line) for line in file]


def replies(names: list[str], model: str, out: Path, *flags: str) -> dict[str, dict[str, Any]]:
    """By task and item, what a model said."""
    finished = run(names, ["--model", model, "--output_path", str(out), *flags], Options())
    assert finished is not None
    return {
        task: {line["doc"]["item_id"]: line["filtered_resps"] for line in lines(path)}
        for one in finished.evaluations
        for task, path in one.samples.items()
    }


# Runs of several benchmarks


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "tasks"),
    [
        ("majority", [BDU, DEBATE, QUIZ]),
        ("random", [BDU, DEBATE, QUIZ, SCENES, TRUST]),
        ("oracle", [BDU, QUIZ, SCENES]),
        # Of one benchmark, and to the other it is the majority.
        ("neighbours", [BDU, DEBATE]),
        ("persistence", [BDU, DEBATE]),
    ],
)
def test_a_run_of_several_benchmarks_answers_each_as_a_run_of_it_alone(
    model: str, tasks: list[str], tmp_path: Path
) -> None:
    flags = ("--limit", "15")
    together = replies(tasks, model, tmp_path / "all", *flags)
    alone = [replies([task], model, tmp_path / task, *flags) for task in tasks]
    assert together == {task: said for one in alone for task, said in one.items()}
    assert set(together) == set(tasks)
    # Were nothing said, all of this would hold too; random draws no scenes.
    silent = {task for task in tasks if {str(said) for said in together[task].values()} == _BLANK}
    assert silent == ({SCENES} if model == "random" else set())


def test_the_command_line_runs_two_benchmarks_and_scores_both(tmp_path: Path) -> None:
    words = ["run", BDU, QUIZ, "--model", "oracle", "--limit", "10"]
    done = CliRunner().invoke(app, [*words, "--output_path", str(tmp_path)])
    assert done.exit_code == 0, done.output
    [path] = tmp_path.rglob("results_*.json")
    found = json.loads(path.read_text())
    assert found["results"][BDU]["bdu_acc,none"] == 1.0
    assert found["results"][QUIZ]["acc,none"] == 1.0
    assert found["otherminds"]["reads_gold"] is True


def test_a_script_answers_its_own_benchmark_and_says_nothing_to_others(tmp_path: Path) -> None:
    said = replies([SCENES, TRUST], "scene-copier", tmp_path, "--limit", "3")
    assert {str(reply) for reply in said[TRUST].values()} == _BLANK
    assert not {str(reply) for reply in said[SCENES].values()} & _BLANK


@pytest.mark.parametrize(
    ("model", "task", "message"),
    [
        ("memoryless", BDU, "the tasks of the trust game and no others"),
        ("reader", DEBATE, "HugAgent's questions and no others"),
        ("demographic-linear", QUIZ, "no demographics"),
    ],
)
def test_a_model_that_cannot_answer_says_so(
    model: str, task: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(OtherMindsError, match=message) as raised:
        replies([task], model, tmp_path, "--limit", "3")
    assert "\n" not in str(raised.value)


# Tasks of a user's own


def test_tasks_of_ones_own_are_read_by_their_dataset(tmp_path: Path) -> None:
    [base] = [
        entry.path for entry in harness.entries(harness.task_manager()) if entry.name == DEBATE
    ]
    (tmp_path / "mine.yaml").write_text(f"include: {base}\ntask: mine\n")
    (tmp_path / "ours.yaml").write_text(f"group: ours\ntask: [mine, {BDU}]\n")
    flags = ("--include_path", str(tmp_path), "--limit", "10")
    for model in ("random", "majority"):
        found = replies(["ours"], model, tmp_path / model, *flags)
        assert set(found) == {"mine", BDU}
        assert found["mine"] == replies([DEBATE], model, tmp_path / "our", "--limit", "10")[DEBATE]


def test_the_dataset_is_that_of_the_loaded_task_whatever_the_index_says() -> None:
    # In the index, the task is of another benchmark.
    manager = harness.task_manager()
    config = harness.task_config(DEBATE)
    assert config is not None
    manager.task_index[BDU].cfg["dataset_kwargs"] = {"dataset": "trust-game", "configs": []}
    task = harness.load_tasks(manager, [{**config, "task": BDU}])[BDU]
    arguments = harness.parse_arguments(["--limit", "5"], default_model="x")
    results = harness.evaluate(make("oracle", {}), manager, [task], arguments)
    said = {line["filtered_resps"][0][0] for line in results["samples"][BDU]}
    assert said
    assert said <= {"agree", "disagree"}


def test_documents_of_no_known_benchmark_are_one_clear_error() -> None:
    manager = harness.task_manager()
    config = harness.task_config(BDU)
    assert config is not None
    own = {**config, "task": "foreign", "custom_dataset": _rows, "dataset_kwargs": {}}
    task = harness.load_tasks(manager, [own])["foreign"]
    arguments = harness.parse_arguments(["--limit", "1"], default_model="x")
    with pytest.raises(OtherMindsError, match="cannot read those of 'foreign'"):
        harness.evaluate(make("random", {}), manager, [task], arguments)


def _rows(**others: Any) -> Mapping[str, Any]:
    config = harness.task_config(BDU)
    assert config is not None
    found: Mapping[str, Any] = config["custom_dataset"](**config["dataset_kwargs"])
    return found


# Which models there are


def test_every_name_finds_its_model_and_no_other_name_does() -> None:
    known = weightless.models()
    assert list(known) == weightless.names()
    for name, model in known.items():
        assert weightless.find(name) is model
        assert issubclass(model, weightless.Strategy)
        assert weightless.about(model)
    assert weightless.find("hf") is None
    with pytest.raises(OtherMindsError, match="Did you mean 'random'"):
        make("randm", {})


def test_those_that_read_golds_are_known_by_their_class() -> None:
    readers = {name for name, model in weightless.models().items() if model.reads_gold}
    assert readers == {"oracle", "corrupted-oracle", "graph-simulator-bound", "turn-learner"}


def test_of_two_models_of_one_name_the_first_is_used_and_the_other_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = weightless.names()
    late = replace(
        benchmark.named("debate"),
        name="late",
        models={"tit-for-tat": "nowhere:X", "random": "nowhere:Y", "broken": "nowhere:Z"},
    )
    every = (*benchmark.every(), late)
    monkeypatch.setattr(benchmark, "every", lambda: every)
    assert weightless.names() == [*known, "broken"]
    assert [fault.where for fault in weightless.faults()] == ["tit-for-tat", "random"]
    assert "the benchmark 'trust_game' has one" in weightless.faults()[0].reason
    assert weightless.find("random") is weightless.Random
    assert weightless.find("tit-for-tat") is not None
    with pytest.raises(OtherMindsError, match=r"'late' names nowhere:Z, which fails"):
        weightless.find("broken")
    assert [*weightless.models()] == known


def test_a_judge_is_that_of_the_tasks_benchmark() -> None:
    manager = harness.task_manager()
    arguments = harness.parse_arguments(["--model", "random"], default_model="x")
    chosen = loading._choice(manager, Options(), "synchtom_10turn_judge", arguments)
    assert chosen == benchmark.named("synchtom").judge == "lexical-judge"
    assert loading._choice(manager, Options(), "synchtom_10turn", arguments) is None
    manager.task_index[TRUST].cfg["metadata"] = {"role": loading.JUDGE_ROLE}
    assert loading._choice(manager, Options(), TRUST, arguments) is None
