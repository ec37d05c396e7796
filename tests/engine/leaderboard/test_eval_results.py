"""`.eval_results/*.yaml`: which scores stand there, and that the Hub's own classes read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml
from huggingface_hub import EvalResultEntry
from huggingface_hub.utils import logging as hub_logging

from otherminds import manifest
from otherminds.data.repository import eval_yaml
from otherminds.leaderboard.exports import eval_results
from otherminds.leaderboard.records.record import Metric, Submission
from tests.engine.leaderboard import board_entries as made

DATA = {
    "hugagent_bsi_synthetic": "hugagent-synthetic",
    "hugagent_synthetic": "hugagent-synthetic",
    "hugagent_bdu_synthetic": "hugagent-synthetic",
    "debate_both_issues": "debate-beliefs-issues",
    "debate_blind_issues": "debate-beliefs-issues",
    "hugagent": "hugagent",
    "trust_game_rounds": "trust-game-synthetic",
}
METRICS = {
    "acc": Metric(value=0.75, stderr=0.01, low=0.73, high=0.77, n=100, n_clusters=40),
    "bsi_acc": Metric(value=0.6, stderr=None, low=None, high=None, n=100, n_clusters=1),
}


def submission(*tasks: str, subset: int | None = None) -> Submission:
    """One submission of some tasks."""
    answers = made.scores(np.ones(4).tolist(), people=2)
    runs = [made.run(task, answers, dataset=DATA[task], subset=subset) for task in tasks]
    known = made.entry("maker/model", {"humans": answers}).record
    return known.model_copy(update={"tasks": runs})


def written(told: Submission, out: Path) -> eval_results.Written:
    return eval_results.write(told, {run.task: METRICS for run in told.tasks}, "maker-model-1", out)


def entries(path: Path) -> list[EvalResultEntry]:
    """Read as the Hub's client reads them."""
    from huggingface_hub import parse_eval_result_entries

    found: list[EvalResultEntry] = parse_eval_result_entries(yaml.safe_load(path.read_text()))
    return found


def test_each_dataset_has_one_file_with_its_tasks(tmp_path: Path) -> None:
    hub_logging.set_verbosity_error()
    found = written(
        submission("debate_both_issues", "hugagent_bsi_synthetic", "debate_blind_issues"), tmp_path
    )
    assert [path.relative_to(tmp_path).as_posix() for path in found.files] == [
        ".eval_results/debate-beliefs-issues.yaml",
        ".eval_results/hugagent-synthetic.yaml",
    ]
    assert not found.left_out
    debate, hugagent = (entries(path) for path in found.files)
    assert [(one.dataset_id, one.task_id, one.value) for one in debate] == [
        ("otherminds/debate-beliefs-issues", "blind", 0.75),
        ("otherminds/debate-beliefs-issues", "both", 0.75),
    ]
    [one] = hugagent
    assert (one.dataset_id, one.task_id, one.value) == ("otherminds/hugagent-synthetic", "bsi", 0.6)
    assert one.date == "2026-11-20"
    assert one.source_user == "someone"
    assert one.source_url == (
        "https://huggingface.co/datasets/otherminds/leaderboard/blob/main/"
        "submissions/maker-model-1/record.json"
    )
    assert one.notes is not None
    assert one.notes.startswith("bsi_acc (mean of the topics' accuracies), of lm-eval's task ")
    assert debate[0].notes is not None
    assert "95% interval over people 0.73 to 0.77" in debate[0].notes


def test_the_same_submission_gives_the_same_bytes(tmp_path: Path) -> None:
    told = submission("debate_both_issues")
    [one], [other] = (written(told, tmp_path / name).files for name in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ("hugagent_bdu_synthetic", "eval.yaml names no such task"),
        ("trust_game_rounds", "eval.yaml names no such task"),
        # The repository of these data is their authors', who have no eval.yaml.
        ("hugagent", "eval.yaml names no such task"),
    ],
)
def test_what_no_eval_yaml_names_is_left_out(tmp_path: Path, task: str, reason: str) -> None:
    found = written(submission(task), tmp_path)
    assert found.files == []
    assert reason in found.left_out[task]
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_the_people_is_left_out(tmp_path: Path) -> None:
    found = written(submission("debate_both_issues", subset=50), tmp_path)
    assert "subset of 50 people" in found.left_out["debate_both_issues"]


def test_a_score_that_nobody_recomputed_is_left_out(tmp_path: Path) -> None:
    found = eval_results.write(submission("debate_both_issues"), {}, "maker-model-1", tmp_path)
    assert "not recomputed" in found.left_out["debate_both_issues"]


def test_two_tasks_that_ask_the_same_have_one_entry(tmp_path: Path) -> None:
    found = written(submission("hugagent_synthetic", "hugagent_bsi_synthetic"), tmp_path)
    [path] = found.files
    assert len(entries(path)) == 1
    assert found.left_out == {
        "hugagent_bsi_synthetic": "another task of this submission is bsi already"
    }


def test_every_task_of_our_eval_yaml_can_have_an_entry(tmp_path: Path) -> None:
    conditions = ("blind", "demographics", "beliefs", "both")
    tasks = {
        "debate-beliefs-synthetic": [f"debate_{name}_synthetic" for name in conditions],
        "hugagent-synthetic": ["hugagent_bsi_synthetic"],
    }
    for dataset, names in tasks.items():
        text = eval_yaml.text(manifest.load(dataset))
        assert text is not None
        DATA.update(dict.fromkeys(names, dataset))
        [path] = written(submission(*names), tmp_path / dataset).files
        known = {task["id"] for task in yaml.safe_load(text)["tasks"]}
        assert {one.task_id for one in entries(path)} == known
