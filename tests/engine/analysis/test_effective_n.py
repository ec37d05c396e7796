"""What `show` says of a task's numbers before it is run."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from otherminds import harness
from otherminds.analysis.effective_n import EffectiveN, effective_n
from otherminds.metrics.power import mde_of_two
from otherminds.running.models import Options
from otherminds.running.run import run
from tests.conftest import Command
from tests.helpers.fictional_hugagent import sample, write_clone

SUBSET = {"data_subset": 50}


def found(task: str, **metadata: object) -> dict[str, EffectiveN]:
    loaded = harness.load_tasks(harness.task_manager(metadata), [task])[task]
    names = ("composite", "bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir", "brier", "parse_rate")
    return {one.metric: one for one in effective_n(loaded, names)}


def test_n_is_that_of_a_run_and_the_difference_follows_from_its_standard_error(
    cache: Path, tmp_path: Path
) -> None:
    task = "hugagent_synthetic"
    flags = ["--model", "corrupted-oracle", "--model_args", "rate=0.4"]
    flags += ["--metadata", '{"data_subset": 50}', "--output_path", str(tmp_path)]
    finished = run([task], flags, Options())
    printed = finished.results["otherminds"]["scores"][task]["estimates"]
    for metric, one in found(task, **SUBSET).items():
        assert (one.n, one.n_people) == (printed[metric]["n"], printed[metric]["n_clusters"])
        assert one.mde_unrelated == pytest.approx(mde_of_two(printed[metric]["stderr"], 50))
        # SE_diff = SE·√(2(1 − ρ)), so half correlated is 1/√2 of unrelated.
        assert one.mde_related == pytest.approx(one.mde_unrelated / math.sqrt(2))


@pytest.mark.parametrize(
    ("task", "metrics"),
    [
        ("hugagent_bdu_synthetic_logprob", {"bdu_acc", "bdu_mae", "bdu_dir", "brier"}),
        ("hugagent_bsi_swapped_synthetic", {"bsi_acc"}),
        ("hugagent_cot_synthetic", {"composite", "bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir"}),
        ("hugagent_reflections_notes_synthetic", set()),
    ],
)
def test_every_form_of_a_task_has_its_metrics(task: str, metrics: set[str], cache: Path) -> None:
    assert set(found(task, **SUBSET)) == metrics


def test_show_warns_of_what_rests_on_few_pairs(
    cache: Path, tmp_path: Path, command: Command
) -> None:
    clone = write_clone(sample(), tmp_path)
    done = command(
        "otherminds",
        "show",
        "hugagent",
        "--metadata",
        f'{{"data_source": "{clone}"}}',
        cwd=tmp_path,
    )
    shown = " ".join(done.stdout.split())
    assert "What it rests on" in shown
    assert "Warning: bdu_dir rests on" in shown


def test_a_stage_without_golds_can_be_shown(cache: Path, tmp_path: Path, command: Command) -> None:
    done = command("otherminds", "show", "hugagent_reflections_notes_synthetic", cwd=tmp_path)
    assert "used by a later stage" in done.stdout
    assert "What it rests on" not in done.stdout


@pytest.mark.parametrize("metadata", ["{", "[1]"])
def test_metadata_must_be_a_json_object(metadata: str, command: Command, tmp_path: Path) -> None:
    done = command(
        "otherminds", "show", "hugagent_synthetic", "--metadata", metadata, cwd=tmp_path, code=1
    )
    assert "--metadata" in done.stderr
    assert "Traceback" not in done.stderr
