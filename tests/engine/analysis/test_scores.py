"""Scores recomputed from samples: the run's own numbers, and numbers derived by hand."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis, harness
from otherminds.analysis.scores import Scored
from otherminds.data import loading as data
from otherminds.running.run import Finished
from otherminds.weightless.lm import make as make_weightless
from tests.conftest import Command
from tests.engine.analysis.conftest import MODELS, SUBSET, evaluated
from tests.engine.analysis.made import BDU, BOTH, BSI, DATES, letter, opinion, run_of
from tests.helpers.packed import packed
from tests.helpers.tiny_model import make as make_model

LIMITED = ("--limit", "40")


def scored(*paths: Path, check: bool = True) -> Scored:
    [found] = analysis.score(analysis.read_runs(paths), check=check).scored
    return found


def values(found: Scored, breakdown: str = "all", part: str = "all") -> dict[str, float]:
    table = analysis.Scores([found], ()).table()
    rows = table[(table["breakdown"] == breakdown) & (table["part"] == part)]
    return dict(zip(rows["metric"], rows["value"], strict=True))


def passed(found: Scored) -> dict[str, bool | None]:
    return {check.name: check.passed for check in found.checks}


def assert_same_numbers(found: Scored, results: Mapping[str, Any], task: str) -> None:
    """Every number that lm-eval's table shows, and every one in our block of the results file."""
    estimates, counts = found.details["estimates"], found.details.get("counts", {})
    people = max(one["n_clusters"] for one in estimates.values())
    own: dict[str, float] = {"n_people": people} | counts
    for metric, one in estimates.items():
        own |= {metric: one["value"], f"{metric}_stderr": one["stderr"]}
    compared = 0
    for key, value in results["results"][task].items():
        name, _, kind = key.partition(",")
        # lm-eval adds an error of its own to every name, to those of our errors too.
        if kind == "none" and value != "N/A" and not name.endswith("_stderr_stderr"):
            # A metric with nothing to measure has no estimate; in our files it is null. A direction of
            # which no pair speaks counts as 0 in composite, and lm-eval prints that.
            nothing = 0.0 if name.startswith("bdu_direction") and value == 0 else math.nan
            number = math.nan if value is None else value
            assert own.get(name, nothing) == pytest.approx(number, nan_ok=True), name
            compared += 1
    assert compared > 4
    ours = results.get("otherminds")
    if ours:
        assert as_json(found.details) == as_json(ours["scores"][task])


def as_json(value: Any) -> Any:
    """What a results file holds of a value, without the numbers that JSON does not have."""
    return json.loads(
        json.dumps(value), parse_constant=lambda constant: None if constant == "NaN" else constant
    )


@pytest.mark.parametrize("name", ["random", "corrupted-oracle"])
def test_a_run_is_scored_as_it_was_printed(name: str, models: Mapping[str, Finished]) -> None:
    run = models[name]
    found = scored(*run.sample_paths)
    assert found.run.name == name
    assert_same_numbers(found, json.loads(run.results_path.read_text()), BOTH)
    assert passed(found) == dict.fromkeys(passed(found), True)
    assert set(passed(found)) >= {"task version", "documents", "document hashes", "prompts"}
    # So are the parts: topics as the run has them, and a category on its own.
    topics = run.results["otherminds"]["scores"][BOTH]["by_topic"]
    for topic in ("healthcare", "surveillance", "zoning"):
        expected = {metric: one["value"] for metric, one in topics[topic].items()}
        assert values(found, "topic", topic) == pytest.approx(expected)
    letters = values(found, "category", "bsi")
    assert letters == {
        "bsi_acc": pytest.approx(values(found)["bsi_acc"]),
        "parse_rate": 1.0,
    }


@pytest.mark.parametrize(
    "task",
    [
        "hugagent_synthetic_logprob",
        "hugagent_synthetic_zoning",
        "hugagent_cot_synthetic",
        "hugagent_bsi_swapped_synthetic",
        "hugagent_bsi_swapped_synthetic_logprob",
        "hugagent_context5_synthetic",
    ],
)
def test_every_kind_of_task_is_scored_as_it_was_printed(
    task: str, cache: Path, tmp_path: Path
) -> None:
    run = evaluated(tmp_path, *MODELS["random"], *LIMITED, task=task)
    found = scored(tmp_path)
    assert_same_numbers(found, json.loads(run.results_path.read_text()), task)
    wrong = {name for name, is_right in passed(found).items() if is_right is False}
    assert wrong == {"coverage"}


@pytest.mark.slow
def test_both_stages_of_a_staged_run_are_scored_as_they_were_printed(
    cache: Path, tmp_path: Path
) -> None:
    evaluated(tmp_path, *MODELS["random"], *LIMITED, task="hugagent_reflections_synthetic")
    found = analysis.score(analysis.read_runs([tmp_path]))
    assert not found.notes
    by_task = {one.run.task: one for one in found.scored}
    assert set(by_task) == {
        "hugagent_reflections_synthetic",
        "hugagent_reflections_notes_synthetic",
    }
    for task, one in by_task.items():
        assert_same_numbers(one, one.run.facts.results, task)
        assert passed(one)["numbers that the run printed"] is True
    # Notes have no gold answers: nothing that was answered, nothing to break down.
    assert by_task["hugagent_reflections_notes_synthetic"].n_answers == 0


@pytest.mark.slow
def test_a_real_models_run_is_scored_as_it_was_printed(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    rows = data.for_task(dataset="hugagent-synthetic", configs=["bdu"], data_subset=50)["test"]
    texts = [turn["answer"] for row in rows.select(range(40)) for turn in row["context"]]
    model = make_model(tmp_path / "parrot", [*texts, "1 2 3 4 5"], says="5")
    tasks = (BOTH, "hugagent_synthetic_logprob")
    command(
        *("otherminds", "run", *tasks, "--model", "hf", "--device", "cpu", "--batch_size", "4"),
        *("--model_args", f"pretrained={model},dtype=float32", "--limit", "10"),
        *("--output_path", "out"),
        cwd=tmp_path,
    )
    found = analysis.score(analysis.read_runs([tmp_path / "out"]))
    assert {one.run.task for one in found.scored} == set(tasks)
    for one in found.scored:
        assert one.run.name == "parrot (dtype=float32)"
        assert_same_numbers(one, one.run.facts.results, one.run.task)
        # The prompts stand inside a chat template, and are recognised there.
        wrong = {name for name, is_right in passed(one).items() if is_right is False}
        assert wrong == {"coverage"}
        facts = one.run.facts
        assert (facts.chat_template, facts.n_truncated, facts.weightless) == (True, 0, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", [BOTH, pytest.param("hugagent_synthetic_logprob", marks=pytest.mark.slow)]
)
def test_lm_evals_own_files_are_scored_as_they_were_printed(
    task: str, cache: Path, tmp_path: Path
) -> None:
    plain = tmp_path / "plain"
    flags = ("--model", "random", *SUBSET, "--output_path", str(plain))
    arguments = harness.parse_arguments(flags, default_model="x")
    manager = harness.task_manager(arguments.metadata)
    results = harness.evaluate(make_weightless("random", {}), manager, [task], arguments)
    samples = results.pop("samples")
    tracker = harness.tracker(arguments, None, output_path=arguments.output_path)
    tracker.save_results_aggregated(results=results, samples=samples)
    tracker.save_results_samples(task_name=task, samples=samples[task])

    found = scored(plain)
    assert_same_numbers(found, results, task)
    # The subset is known too, though lm-eval says so in another place than `otherminds run`.
    assert passed(found) == dict.fromkeys(passed(found), True)
    assert not analysis.read_runs([plain]).notes

    [lines] = plain.rglob("samples_*.jsonl")
    [facts] = plain.rglob("results_*.json")
    folders = [tmp_path / ending for ending in (".gz", ".zst")]
    for folder in folders:
        folder.mkdir()
        (folder / f"{lines.name}{folder.name}").write_bytes(packed(lines.read_bytes(), folder.name))
        shutil.copy(facts, folder)
        assert values(scored(folder)) == values(found)
    # The same answers in several files are one run.
    both = analysis.read_runs([plain, *folders])
    assert len(both) == 1
    assert " ".join(both.notes).count("counts once") == 2
    assert values(analysis.score_run(both.runs[0])) == values(found)


@pytest.mark.slow
def test_samples_without_scores_are_scored(cache: Path, tmp_path: Path) -> None:
    flags = (*MODELS["random"], *LIMITED)
    evaluated(tmp_path / "scored", *flags)
    evaluated(tmp_path / "bare", *flags, "--predict_only")
    bare = scored(tmp_path / "bare")
    assert values(bare) == values(scored(tmp_path / "scored"))
    assert passed(bare)["numbers that the run printed"] is None


# Opinions on the scale 1 to 10: right within 2, and an error of one point counts 0.5.
FIRST = [opinion("i1", "7", "7"), opinion("i2", "5", "5", participant_id="P2")]
SECOND = [opinion("i1", "7", "10"), opinion("i2", "5", "5", participant_id="P2")]


def test_runs_of_one_model_are_pooled_to_their_mean(tmp_path: Path) -> None:
    for date, lines in zip(DATES, (FIRST, SECOND), strict=False):
        run_of(tmp_path, lines, date=date)
    found = scored(tmp_path, check=False)
    assert found.run.n_runs == 2
    assert len(found.run.files) == 2
    # First run: both right, no error. Second: one of two right; errors 1.5 and 0, in the mean 0.75.
    assert values(found)["bdu_acc"] == (1 + 0.5) / 2
    assert values(found)["bdu_mae"] == (0 + 0.75) / 2
    assert found.n_answers == 4


def test_repeats_in_one_file_score_as_separate_runs_do(tmp_path: Path) -> None:
    for date, lines in zip(DATES, (FIRST, SECOND), strict=False):
        run_of(tmp_path / "runs", lines, date=date)
    lines = [opinion("i1", "7", "7", "10"), opinion("i2", "5", "5", "5", participant_id="P2")]
    run_of(tmp_path / "repeats", lines)
    apart, together = (scored(tmp_path / name, check=False) for name in ("runs", "repeats"))
    assert together.details == apart.details
    assert together.by_category == apart.by_category


def test_a_part_is_scored_on_its_documents_alone(tmp_path: Path) -> None:
    reason = {"question_type": "reason_evaluation", "scale": [1, 5], "question_id": "1.2r_A"}
    lines = [
        opinion("i1", "7", "8"),
        opinion("i2", "4", "1", participant_id="P2", **reason),
        opinion("i3", "5", "5", topic="healthcare", question_id="3.1"),
        letter("i4", "A", "B"),
        letter("i5", "B", "B", participant_id="P2"),
    ]
    run_of(tmp_path, lines, task=BOTH)
    found = scored(tmp_path, check=False)
    # Zoning: 1 of 2 numbers (7 and 8 are close enough), 1 of 2 letters. Healthcare: 1 of 1 number.
    assert values(found, "topic", "zoning")["bdu_acc"] == 0.5
    assert values(found, "topic", "healthcare")["bdu_acc"] == 1.0
    # All together is the average over topics.
    assert values(found)["bdu_acc"] == 0.75
    assert values(found)["bsi_acc"] == values(found, "topic", "zoning")["bsi_acc"] == 0.5
    assert "bsi_acc" not in values(found, "topic", "healthcare")
    # Opinions: 1 in each topic, both right. The one weight of a reason is 3 of 5 points off.
    assert values(found, "category", "opinion")["bdu_acc"] == 1.0
    assert values(found, "category", "reason_evaluation") == {
        "bdu_acc": 0.0,
        "bdu_mae": 3.0,
        "parse_rate": 1.0,
    }
    assert values(found, "category", "bsi") == {"bsi_acc": 0.5, "parse_rate": 1.0}
    table = analysis.Scores([found], ()).table()
    row = table[(table["breakdown"] == "all") & (table["metric"] == "bdu_acc")].iloc[0]
    assert (row["n"], row["n_people"], row["higher_is_better"]) == (3, 2, True)


def test_one_category_alone_is_no_breakdown(tmp_path: Path) -> None:
    run_of(tmp_path, [letter("i1", "A", "A")], task=BSI)
    found = scored(tmp_path, check=False)
    assert not found.by_category
    assert set(analysis.Scores([found], ()).table()["breakdown"]) == {"all", "topic"}


def test_answers_that_could_not_be_read_are_counted_and_shown(tmp_path: Path) -> None:
    said = "I cannot tell <script>"
    lines = [opinion("i1", "7", "7", said), opinion("i2", "5", "", "5", participant_id="P2")]
    path = run_of(tmp_path, lines)
    scores = analysis.score(analysis.read_runs([path]), check=False)
    assert (scores.scored[0].n_unread, scores.scored[0].n_answers) == (2, 4)
    unread = scores.unread()
    assert list(unread["raw"]) == [said, ""]
    assert list(unread["item_id"]) == ["i1", "i2"]
    assert list(unread["place"]) == [f"{path}, line 1", f"{path}, line 2"]
    assert values(scores.scored[0])["parse_rate"] == 0.5


def test_examples_of_unread_answers_are_few_however_many_there_are(tmp_path: Path) -> None:
    lines = [
        opinion(f"i{n}", "7", "lol", participant_id=f"P{n}", question_id="1.1") for n in range(99)
    ]
    found = scored(run_of(tmp_path, lines), check=False)
    assert found.n_unread == 99
    assert len(found.run.unread) == 20


@pytest.mark.attack(
    "a results file whose scores are not those of its samples",
    outcome="the numbers that differ are named",
    against="answers",
)
def test_printed_numbers_that_differ_are_named(tmp_path: Path) -> None:
    printed = {"bdu_acc": 1.0, "bdu_mae": 0.25}
    found = scored(run_of(tmp_path, FIRST, printed=printed), check=False)
    [check] = [check for check in found.checks if check.name == "numbers that the run printed"]
    assert check.passed is False
    assert check.detail == "bdu_mae 0, printed 0.25"


def test_records_that_contradict_each_other_do_not_keep_the_others_from_being_scored(
    tmp_path: Path,
) -> None:
    run_of(tmp_path / "a", [opinion("i1", "7", "7"), opinion("i2", "7", "7")], model="broken")
    run_of(tmp_path / "b", FIRST, model="sound")
    found = analysis.score(analysis.read_runs([tmp_path]), check=False)
    assert [one.run.name for one in found.scored] == ["sound"]
    [note] = found.notes
    assert "broken" in note
    assert BDU in note
    assert "'i1' and 'i2' put the same question to the same person" in note
