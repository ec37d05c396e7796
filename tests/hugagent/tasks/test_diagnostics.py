"""What `diagnose` finds in runs whose answers are known."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import files
from otherminds.cli import main as cli
from otherminds.errors import OtherMindsError
from otherminds.metrics.uncertainty import Estimate
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.hugagent import diagnose as diagnostics
from otherminds.tasks.hugagent.diagnose import Diagnosis
from tests.engine.samples.test_samples import record, written

TOPICS = ("healthcare", "surveillance", "zoning")
SCALES = ("1–5", "1–10")
Found = Mapping[tuple[str, str, str], Estimate]


def samples_of(model: str, out: Path, *flags: str, task: str = "hugagent_synthetic") -> Path:
    words = ("--model", model, "--output_path", str(out))
    [path] = run([task], [*words, *flags], Options()).sample_paths
    return path


def rows(found: Diagnosis) -> Found:
    return {
        (title, row.part, row.metric): row.estimate
        for title, section in found.sections.items()
        for row in section
    }


@pytest.fixture(scope="module")
def oracle(twelve_people: Path, tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
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
            assert found[title, part, "Pearson r of the mean answers"].value == pytest.approx(1)
            assert found[title, part, "Pearson r of the shares"].value == pytest.approx(1)
            assert found[title, part, "variance, model / people"].value == 1
    assert found["Individuals", "all topics", "r within people, mean"].value == pytest.approx(1)
    for name in ("bsi_acc", "bdu_acc"):
        assert found[f"Context length: {name}", "all topics", "slope per exchange"].value == 0


def test_the_papers_flags_and_how_sure_they_are(
    oracle: Diagnosis, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [flag.part for flag in oracle.flags] == [f"{t} {s}" for t in TOPICS for s in SCALES]
    assert all(flag.is_alike and flag.is_correlated for flag in oracle.flags)
    # Three questions, 40 people each. The people's means are 2, 5 and 8, the model's 8, 5 and 2, with
    # one answer above each and one below: the same distribution of answers, and r = -1.
    made = [
        record(
            f"{question}-{person}",
            str(10 - gold),
            participant_id=f"P{person:02d}",
            question_id=question,
            answer=str(gold),
        )
        for question, mean in (("1.1", 2), ("1.2", 5), ("1.3", 8))
        for person in range(40)
        for gold in [mean + (1 if person % 2 else -1)]
    ]
    [flag] = diagnostics.diagnose([written(tmp_path, *made)]).flags
    assert (flag.part, flag.is_alike, flag.is_correlated) == ("zoning 1–10", True, False)
    assert flag.r.value == pytest.approx(-1)
    capsys.readouterr()
    diagnostics.print_diagnosis(diagnostics.diagnose([written(tmp_path, *made)]))
    [line] = [one for one in capsys.readouterr().out.splitlines() if one.split()[-1:] == ["no"]]
    assert line.split()[:3] == ["zoning", "1–10", "yes"]
    # With one question there is no r, and with one person no interval.
    [alone] = diagnostics.diagnose([written(tmp_path, record("i1", "7"))]).flags
    assert (alone.is_alike, alone.is_correlated) == (True, None)
    diagnostics.print_diagnosis(diagnostics.diagnose([written(tmp_path, record("i1", "7"))]))
    assert "yes ?" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(4))
def test_no_interval_leaves_what_is_possible(seed: int, tmp_path: Path) -> None:
    # Few people, answers at the ends: uncut intervals would leave the bounds.
    rng = random.Random(seed)
    made = [
        record(
            f"{question}-{person}",
            *(rng.choice(["1", gold]) for _ in range(2)),
            participant_id=f"P{person}",
            question_id=question,
            answer=gold,
        )
        for person in range(4)
        for question in ("1.1", "1.2", "1.3", "1.4")
        for gold in [rng.choice(["1", "10"])]
    ]
    bounds = {
        "variance, model / people": (0, math.inf),
        "SD over runs (5-point scale)": (0, math.inf),
        "slope per exchange": (-math.inf, math.inf),
        "controversy index": (0, 2),
    }
    n_intervals = n_at_bounds = 0
    for (_, _, metric), found in rows(diagnostics.diagnose([written(tmp_path, *made)])).items():
        low, high = bounds.get(metric, (-1 if " r " in f" {metric.lower()} " else 0, 1))
        if not math.isnan(found.low):
            n_intervals += 1
            n_at_bounds += found.low == low or found.high == high
            assert low <= found.low <= found.value + 1e-12
            assert found.value - 1e-12 <= found.high <= high
    assert n_intervals >= 8
    assert n_at_bounds


def test_every_number_says_what_it_rests_on(oracle: Diagnosis) -> None:
    assert (oracle.runs, oracle.n_people) == (1, 12)
    for found in rows(oracle).values():
        assert found.n > 0
        assert 0 < found.n_clusters <= 12
    bins = [
        found.n
        for (title, part, _), found in rows(oracle).items()
        if title == "Context length: bdu_acc" and "below" in part
    ]
    everything = rows(oracle)["Context length: bdu_acc", "all topics", "slope per exchange"].n
    assert sum(bins) <= everything
    assert any("Direction rests on" in note for note in oracle.notes)


def test_the_numbers_are_those_of_the_run_itself(twelve_people: Path, tmp_path: Path) -> None:
    flags = ["--model", "corrupted-oracle"]
    finished = run(["hugagent_synthetic"], [*flags, "--output_path", str(tmp_path)], Options())
    results = finished.results["results"]["hugagent_synthetic"]
    found = rows(diagnostics.diagnose(finished.sample_paths))
    for metric in ("bdu_dir", "bdu_change", "bdu_direction"):
        estimate = found["Change and direction", "all topics", metric]
        assert estimate.value == pytest.approx(results[f"{metric},none"])
        assert estimate.stderr == pytest.approx(results[f"{metric}_stderr,none"])


def test_several_runs_give_a_spread_and_one_does_not(twelve_people: Path, tmp_path: Path) -> None:
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
    twelve_people: Path, tmp_path: Path
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


def test_controversy_is_the_peoples_own(
    oracle: Diagnosis, twelve_people: Path, tmp_path: Path
) -> None:
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
    assert stored["n_people"] == 12
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


def diagnosed(*words: str | Path) -> str:
    """What the command prints."""
    done = CliRunner().invoke(cli.app, ["diagnose", *map(str, words)], env={"COLUMNS": "160"})
    if done.exception is not None:
        raise done.exception
    return done.output


def test_folders_are_sorted_into_models_and_tasks(twelve_people: Path, tmp_path: Path) -> None:
    task = "hugagent_bdu_synthetic"
    for model in ("random", "oracle"):
        samples_of(model, tmp_path / "all" / model, "--limit", "300", task=task)
    fixed = samples_of("majority", tmp_path / "all", task="hugagent_bsi_synthetic")
    out = tmp_path / "found.json"
    printed = diagnosed(tmp_path / "all", "--out", out)
    stored = {one["name"]: one for one in json.loads(out.read_text())}
    assert set(stored) == {
        f"random, {task}",
        f"oracle, {task}",
        "majority, hugagent_bsi_synthetic",
    }
    assert all(name in printed for name in stored)
    flags = {name: {f["jsd_below_bound"] for f in one["flags"]} for name, one in stored.items()}
    assert flags[f"oracle, {task}"] == {True}
    assert flags["majority, hugagent_bsi_synthetic"] == set()
    # A folder says what its files say.
    diagnosed(fixed, "--out", out)
    alone = json.loads(out.read_text())
    assert (
        alone | {"name": "majority, hugagent_bsi_synthetic"}
        == stored["majority, hugagent_bsi_synthetic"]
    )


def test_repeated_runs_in_a_folder_are_taken_together(tmp_path: Path) -> None:
    # Without results files, the folder is what tells one model from another.
    for day, replies in ((1, "345"), (2, "456")):
        made = [
            record(f"i{place}", reply, participant_id=f"P{place}")
            for place, reply in enumerate(replies)
        ]
        path = written(tmp_path, *made)
        path.rename(path.with_name(path.name.replace("2026-01-02", f"2026-02-0{day}")))
    [found] = diagnostics.diagnose_all([tmp_path]).found
    assert found.runs == 2
    [spread] = found.sections["Run-to-run spread"]
    # |3 - 4|/sqrt(2), halved, of each item.
    assert spread.estimate.value == pytest.approx(1 / math.sqrt(2) / 2)


def test_a_folder_of_others_is_one_clear_error_and_beside_ours_a_note(tmp_path: Path) -> None:
    belief = {
        **{"item_id": "d1", "user_id": "U1", "category": "Food", "proposition": "Soup is a meal."},
        **{"agrees": True, "background": [], "known_beliefs": [], "n_known": 0},
    }
    (tmp_path / "others").mkdir()
    line = {"doc": belief, "filtered_resps": [["agree"]]}
    path = written(tmp_path / "others", line, task="debate_both_synthetic")
    for given in (path, tmp_path):
        with pytest.raises(
            OtherMindsError, match=r"not (an answer|answers) to (one of )?HugAgent's items"
        ):
            diagnostics.diagnose_all([given])
    (tmp_path / "ours").mkdir()
    written(tmp_path / "ours", record("i1", "3"))
    found = diagnostics.diagnose_all([tmp_path])
    assert [one.name for one in found.found] == ["ours, hugagent_bdu_synthetic"]
    assert any("debate_both_synthetic was left out" in note for note in found.notes)
    (tmp_path / "empty").mkdir()
    with pytest.raises(OtherMindsError, match="has no sample files"):
        diagnostics.diagnose_all([tmp_path / "empty"])


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
