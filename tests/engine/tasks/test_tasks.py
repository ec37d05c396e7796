"""Every task, through lm-eval, with models whose scores are known beforehand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, manifest
from otherminds.harness import LM, Instance
from otherminds.running.models import Options
from otherminds.running.run import run

# The human track has golds that no answer meets; test_human_track.py has its tasks. Experts' notes have
# no golds; test_stages.py has those. The debate tasks are in test_debate_runs.py.
TASKS = [
    entry.name
    for entry in harness.entries(harness.task_manager())
    if entry.kind == "task"
    and entry.name.startswith("hugagent")
    and "synthetic" in entry.name
    and "_notes_" not in entry.name
]
# One task of each form and kind of evidence; parts of these, and other evidence, are slow.
QUICK = {
    "hugagent_synthetic",
    "hugagent_bsi_synthetic",
    "hugagent_bdu_synthetic_zoning_logprob",
    "hugagent_cot_synthetic",
    "hugagent_no_context_synthetic",
    "hugagent_rag_synthetic",
    "hugagent_graph_given_nodes_synthetic",
    "hugagent_cross_person_synthetic",
    "hugagent_bsi_swapped_synthetic",
    "hugagent_bsi_synthetic_healthcare_logprob",
}
PARAMETERS = [
    task if task in QUICK else pytest.param(task, marks=pytest.mark.slow) for task in TASKS
]
OF_ITEMS = ("bsi_acc", "bdu_acc", "bdu_dir", "bdu_change", "bdu_direction")
ACCURACIES = (*OF_ITEMS, "edge_f1")


def scores(task: str, model: str, out: Path, *flags: str) -> dict[str, float]:
    """A task's numbers, by metric."""
    flags = ("--output_path", str(out), *flags)
    results = run([task], ["--model", model, *flags], Options()).results["results"][task]
    return {key.split(",")[0]: value for key, value in results.items() if "," in key}


@pytest.fixture(autouse=True, scope="module")
def _data(twelve_people: Path) -> None:
    harness.quiet(debug=False)


@pytest.mark.parametrize("task", PARAMETERS)
def test_the_oracle_is_perfect_and_a_corrupted_one_is_not(task: str, tmp_path: Path) -> None:
    perfect = scores(task, "oracle", tmp_path)
    corrupted = scores(task, "corrupted-oracle", tmp_path, "--model_args", "rate=0.5")
    asked = [name for name in ACCURACIES if name in perfect]
    assert asked
    for name in asked:
        assert perfect[name] == 1.0
        assert 0.2 < corrupted[name] < 0.95
    if "bdu_mae" in perfect:
        assert perfect["bdu_mae"] == 0.0 < corrupted["bdu_mae"]
    if "composite" in perfect:
        assert perfect["composite"] == pytest.approx(100.0)
    if "brier" in perfect:
        assert perfect["brier"] == perfect["ece"] == 0.0 < corrupted["brier"]
    assert perfect["parse_rate"] == corrupted["parse_rate"] == 1.0


@pytest.mark.parametrize("task", ["hugagent_synthetic", "hugagent_synthetic_logprob"])
def test_random_answers_score_what_the_manifest_says_of_chance(task: str, tmp_path: Path) -> None:
    found = scores(task, "random", tmp_path, "--model_args", "seed=3")
    chance = manifest.load("hugagent-synthetic").references["chance"].scores["all"]
    for name in ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_change", "bdu_dir"):
        # Four standard errors, and the subset's own golds differ a little from all golds.
        assert abs(found[name] - chance[name]) < 4 * found[f"{name}_stderr"] + 0.02


def test_persistence_never_predicts_a_change(tmp_path: Path) -> None:
    found = scores("hugagent_bdu_synthetic", "persistence", tmp_path)
    docs = harness.load_tasks(harness.task_manager(), ["hugagent_bdu_synthetic"])[
        "hugagent_bdu_synthetic"
    ].eval_docs
    opinions = [doc for doc in docs if doc["question_type"] == "opinion"]
    baselines = {
        (doc["participant_id"], doc["topic"]): doc["answer"]
        for doc in opinions
        if doc["question_id"] in ("1.1", "2.1", "3.1")
    }
    unchanged: dict[str, list[bool]] = {}
    for doc in opinions:
        if doc["question_id"] not in ("1.1", "2.1", "3.1"):
            same = doc["answer"] == baselines[doc["participant_id"], doc["topic"]]
            unchanged.setdefault(doc["topic"], []).append(same)
    expected = sum(sum(same) / len(same) for same in unchanged.values()) / len(unchanged)
    assert found["bdu_change"] == pytest.approx(expected)
    assert found["bdu_direction"] == 0.0
    assert found["n_both_changed"] == 0


def test_numbers_of_a_topic_are_the_same_alone_and_in_the_average(tmp_path: Path) -> None:
    topics = ("healthcare", "surveillance", "zoning")
    whole = scores("hugagent_synthetic", "corrupted-oracle", tmp_path)
    parts = [scores(f"hugagent_synthetic_{t}", "corrupted-oracle", tmp_path) for t in topics]
    for name in (*OF_ITEMS, "bdu_mae"):
        assert whole[name] == pytest.approx(sum(part[name] for part in parts) / 3)


class Rubbish(LM):
    """Answers every prompt with the same useless thing."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self._answer = answer

    def generate_until(self, requests: list[Instance]) -> list[Any]:
        return [self._answer for _ in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        return [(math.nan, False) for _ in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        return [math.nan for _ in requests]


def evaluated(model: LM, task: str, *flags: str) -> tuple[Mapping[str, Any], dict[str, float]]:
    arguments = harness.parse_arguments(flags, default_model="x", default_output="o")
    manager = harness.task_manager(arguments.metadata)
    results = harness.evaluate(model, manager, [task], arguments)
    numbers = results["results"][task]
    return results, {key.split(",")[0]: value for key, value in numbers.items() if "," in key}


@pytest.mark.parametrize(
    "answer",
    [
        *("", None, "lol", "A or B, 3 or 7", "x" * 1_000_000),
        pytest.param("x" * 10_000_000, marks=pytest.mark.slow),
    ],
    ids=lambda a: f"{str(a)[:12]} ({len(a or '')})",
)
def test_a_model_that_answers_rubbish_gets_a_complete_table(answer: str | None) -> None:
    results, found = evaluated(Rubbish(answer), "hugagent_synthetic", "--limit", "60")
    assert found["parse_rate"] == found["bsi_acc"] == found["bdu_acc"] == 0.0
    for unavailable in ("bdu_mae", "bdu_dir", "bdu_change", "bdu_direction", "composite"):
        assert math.isnan(found[unavailable])
    assert found["n_mae"] == found["n_pairs"] == found["n_both_changed"] == 0
    assert found["n_people"] > 1
    assert "bdu_direction" in harness.table(results)


def test_broken_log_likelihoods_are_parse_failures() -> None:
    _, found = evaluated(Rubbish(None), "hugagent_synthetic_logprob", "--limit", "60")
    assert found["parse_rate"] == found["bsi_acc"] == 0.0
    assert math.isnan(found["brier"])


def test_repeats_are_averaged_and_never_counted_as_people_or_items(tmp_path: Path) -> None:
    arguments = harness.parse_arguments([], default_model="x", default_output="o")
    manager = harness.task_manager(arguments.metadata)
    manager.task_index["hugagent_bdu_synthetic"].cfg["repeats"] = 4
    task = harness.load_tasks(manager, ["hugagent_bdu_synthetic"])["hugagent_bdu_synthetic"]
    task.set_config("repeats", 4)
    from otherminds.weightless.lm import make

    results = harness.evaluate(make("random", {}), manager, [task], arguments)
    found = results["results"]["hugagent_bdu_synthetic"]
    sample = results["samples"]["hugagent_bdu_synthetic"][0]
    assert len(sample["bdu_acc"]) == len(sample["filtered_resps"][0]) == 4
    assert len(set(sample["filtered_resps"][0])) > 1
    assert found["n_people,none"] == 12
    assert found["n_mae,none"] == len(task.eval_docs)
    once = scores("hugagent_bdu_synthetic", "random", tmp_path)
    # Averaging four independent runs leaves less noise than one run has.
    assert found["bdu_acc_stderr,none"] < once["bdu_acc_stderr"]


def test_standard_errors_stand_in_lm_evals_own_table() -> None:
    from otherminds.weightless.lm import make

    results, found = evaluated(make("random", {}), "hugagent_bsi_synthetic")
    line = next(line for line in harness.table(results).splitlines() if "bsi_acc" in line)
    assert float(line.split("|")[-2]) == pytest.approx(found["bsi_acc_stderr"], abs=1e-4)
    assert 0 < found["bsi_acc_stderr"] < 0.2


def test_no_prompt_shows_a_gold_field_or_a_grade(tmp_path: Path) -> None:
    manager = harness.task_manager()
    for name in ("hugagent_synthetic", "hugagent_synthetic_logprob"):
        task = harness.load_tasks(manager, [name])[name]
        doc = dict(task.eval_docs[0])
        shown = task.doc_to_text(doc)
        hidden = {"answer": "@@", "evidence": "@@", "item_id": "@@", "participant_id": "@@"}
        assert task.doc_to_text(doc | hidden) == shown


def test_items_of_one_person_and_topic_share_their_prompt_up_to_the_question() -> None:
    task = harness.load_tasks(harness.task_manager(), ["hugagent_synthetic"])["hugagent_synthetic"]
    heads: dict[tuple[str, str], set[str]] = {}
    for doc in task.eval_docs:
        head, mark, _ = task.doc_to_text(doc).partition("# The question")
        assert mark
        heads.setdefault((doc["participant_id"], doc["topic"]), set()).add(head)
    assert all(len(versions) == 1 for versions in heads.values())
