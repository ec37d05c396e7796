"""What `diagnose` finds in runs whose answers are known."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import diagnostics, files
from otherminds.diagnostics import Diagnosis
from otherminds.errors import OtherMindsError
from otherminds.metrics.estimate import Estimate
from otherminds.models import Options
from otherminds.run import run
from tests.otherminds.test_samples import record, written

TOPICS = ("healthcare", "surveillance", "zoning")
Found = Mapping[tuple[str, str, str], Estimate]


def samples_of(model: str, out: Path, *flags: str, task: str = "hugagent_synthetic") -> Path:
    words = ("--model", model, "--metadata", '{"data_subset": 50}', "--output_path", str(out))
    [path] = run([task], [*words, *flags], Options()).sample_paths
    return path


def rows(found: Diagnosis) -> Found:
    return {
        (title, row.part, row.metric): row.estimate
        for title, section in found.sections.items()
        for row in section
    }


@pytest.fixture(scope="module")
def oracle(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
    path = samples_of("oracle", tmp_path_factory.mktemp("oracle"))
    return diagnostics.diagnose([path])


def test_the_oracle_matches_the_people_in_everything(oracle: Diagnosis) -> None:
    found = rows(oracle)
    for topic in (*TOPICS, "all topics"):
        for metric in ("bdu_dir", "bdu_change", "bdu_direction"):
            assert found["Change and direction", topic, metric].value == 1
    title = "Answer distributions, model against people"
    for topic in TOPICS:
        for scale in ("1–5", "1–10"):
            part = f"{topic} {scale}"
            assert found[title, part, "Jensen–Shannon divergence (bits)"].value == 0
            assert found[title, part, "Pearson r of the shares"].value == pytest.approx(1)
            assert found[title, part, "variance, model / people"].value == 1
    assert found["Individuals", "all topics", "r within people, mean"].value == pytest.approx(1)
    for name in ("bsi_acc", "bdu_acc"):
        assert found[f"Context length: {name}", "all topics", "slope per exchange"].value == 0


def test_every_number_says_what_it_rests_on(oracle: Diagnosis) -> None:
    assert (oracle.runs, oracle.n_people) == (1, 50)
    for found in rows(oracle).values():
        assert found.n > 0
        assert 0 < found.n_clusters <= 50
    bins = [
        found.n
        for (title, part, _), found in rows(oracle).items()
        if title == "Context length: bdu_acc" and "below" in part
    ]
    everything = rows(oracle)["Context length: bdu_acc", "all topics", "slope per exchange"].n
    assert sum(bins) <= everything
    assert any("Direction rests on" in note for note in oracle.notes)


def test_the_numbers_are_those_of_the_run_itself(cache: Path, tmp_path: Path) -> None:
    flags = ["--model", "corrupted-oracle", "--metadata", '{"data_subset": 50}']
    finished = run(["hugagent_synthetic"], [*flags, "--output_path", str(tmp_path)], Options())
    results = finished.results["results"]["hugagent_synthetic"]
    found = rows(diagnostics.diagnose(finished.sample_paths))
    for metric in ("bdu_dir", "bdu_change", "bdu_direction"):
        estimate = found["Change and direction", "all topics", metric]
        assert estimate.value == pytest.approx(results[f"{metric},none"])
        assert estimate.stderr == pytest.approx(results[f"{metric}_stderr,none"])


def test_several_runs_give_a_spread_and_one_does_not(cache: Path, tmp_path: Path) -> None:
    task = "hugagent_bdu_synthetic"
    paths = [
        samples_of("random", tmp_path / str(seed), "--model_args", f"seed={seed}", task=task)
        for seed in (1, 2)
    ]
    spread = ("Run-to-run spread", "all topics", "SD over runs (5-point scale)")
    found = diagnostics.diagnose(paths)
    assert found.runs == 2
    # The SD of two uniform answers is |a - b|/sqrt(2): on 1-5 E|a - b| = 1.6, on 1-10 half of 3.3.
    low, high = 1.6 / math.sqrt(2), 1.65 / math.sqrt(2)
    estimate = rows(found)[spread]
    assert low - 4 * estimate.stderr < estimate.value < high + 4 * estimate.stderr
    assert spread not in rows(diagnostics.diagnose(paths[:1]))
    assert "Context length: bsi_acc" not in found.sections


def test_letters_alone_have_accuracy_against_length_and_nothing_else(
    cache: Path, tmp_path: Path
) -> None:
    path = samples_of("random", tmp_path, task="hugagent_bsi_synthetic")
    found = diagnostics.diagnose([path])
    assert list(found.sections) == ["Context length: bsi_acc"]


def test_the_slope_is_over_the_exchanges_that_the_prompt_showed(tmp_path: Path) -> None:
    turns = [{"question": "q", "answer": "a"}]
    made = []
    for person in range(20):
        # Right from 30 exchanges on, wrong before: with half of the people at 20 and half at 40, the
        # line goes from 0 to 1 over 20 exchanges.
        length, reply = ((20, "1"), (40, "7"))[person % 2]
        made.append(
            record(f"i{person}", reply, participant_id=f"P{person}", context=turns * length)
        )
    found = rows(diagnostics.diagnose([written(tmp_path, *made)]))
    title = "Context length: bdu_acc"
    assert found[title, "all topics", "slope per exchange"].value == pytest.approx(1 / 20)
    assert found[title, "20 to below 25", "bdu_acc"].value == 0
    assert found[title, "40 or more", "bdu_acc"].value == 1


def test_controversy_is_the_peoples_own(oracle: Diagnosis, cache: Path, tmp_path: Path) -> None:
    other = diagnostics.diagnose([samples_of("random", tmp_path)])
    title = "Controversy among the people"
    assert other.sections[title] == oracle.sections[title]


def test_tables_and_json_hold_the_same_numbers(
    oracle: Diagnosis, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    diagnostics.print_diagnosis(oracle)
    printed = capsys.readouterr().out
    for title in oracle.sections:
        assert title in printed
    assert "answers to each item: 1" in printed
    files.write_json(tmp_path / "found.json", diagnostics.as_json(oracle))
    stored = json.loads((tmp_path / "found.json").read_text())
    assert stored["n_people"] == 50
    assert {title: len(section) for title, section in stored["sections"].items()} == {
        title: len(section) for title, section in oracle.sections.items()
    }


def test_a_run_given_twice_is_refused_and_so_is_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, record("i1", "7"))
    with pytest.raises(OtherMindsError, match="given twice"):
        diagnostics.diagnose([path, tmp_path / "." / path.name])
    with pytest.raises(OtherMindsError, match="at least one sample file"):
        diagnostics.diagnose([])


def test_a_model_that_could_not_be_read_still_gets_its_tables(tmp_path: Path) -> None:
    made = [record(f"i{n}", "no idea", participant_id=f"P{n}") for n in range(5)]
    found = rows(diagnostics.diagnose([written(tmp_path, *made)]))
    divergence = ("Answer distributions, model against people", "zoning 1–10")
    assert math.isnan(found[*divergence, "Jensen–Shannon divergence (bits)"].value)
    assert found["Context length: bdu_acc", "0 to below 20", "bdu_acc"].value == 0


def test_published_runs_have_their_published_decomposition(
    shared_data: Path, tmp_path: Path
) -> None:
    # Real golds and answers without texts: the values of the paper's table, to two decimals.
    paths = published_runs(shared_data / "hugagent", "gpt-5.1", tmp_path)
    diagnosis = diagnostics.diagnose(paths)
    found = rows(diagnosis)
    expected = {"bdu_change": (54.47, 67.50, 59.05), "bdu_direction": (83.06, 88.26, 98.00)}
    for metric, values in expected.items():
        for topic, value in zip(TOPICS, values, strict=True):
            estimate = found["Change and direction", topic, metric]
            assert round(100 * estimate.value, 2) == value
    assert found["Change and direction", "healthcare", "bdu_change"].n == 47
    assert round(100 * found["Change and direction", "all topics", "bdu_dir"].value, 2) == 80.94
    assert (diagnosis.runs, diagnosis.n_items, diagnosis.n_people) == (5, 1742, 54)
    assert any("54 items with a gold outside the scale" in note for note in diagnosis.notes)


def published_runs(folder: Path, model: str, out: Path) -> list[Path]:
    """The published runs of a model as sample files."""
    if not folder.is_dir():
        pytest.skip(f"No HugAgent data at {folder}.")
    with (folder / "golds.csv").open(newline="") as file:
        golds = {row["item_id"]: row for row in csv.DictReader(file)}
    with (folder / "predictions" / f"{model}.csv").open(newline="") as file:
        answers = list(csv.DictReader(file))
    paths = []
    for run_name in ("run1", "run2", "run3", "run4", "run5"):
        (out / run_name).mkdir()
        made = [published_record(golds[row["item_id"]], row[run_name]) for row in answers]
        paths.append(written(out / run_name, *made, task="hugagent"))
    return paths


def published_record(gold: Mapping[str, str], reply: str) -> dict[str, Any]:
    letters = gold["task"] == "bsi"
    return record(
        gold["item_id"],
        reply,
        participant_id=gold["participant_id"],
        track="human",
        topic=gold["topic"],
        task=gold["task"],
        question_id=gold["question_id"] or None,
        question_type=gold["question_type"] or None,
        options=["POSITIVE effect", "NEGATIVE effect"] if letters else [],
        scale=[] if letters else [int(gold["scale_low"]), int(gold["scale_high"])],
        answer=gold["gold"],
    )
