"""Records for Every Eval Ever: what they say, and that its own validator accepts them.

The validator needs a newer Python than this project, and so an environment of its own: the interpreter
of one that has `every-eval-ever` is named by OTHERMINDS_EEE_PYTHON.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from otherminds.leaderboard.exports import every_eval_ever
from otherminds.leaderboard.exports import write as records
from otherminds.leaderboard.judging.verify import Outcome, verify
from otherminds.leaderboard.records.record import Submission
from otherminds.leaderboard.sending.build import build
from tests.engine.analysis.conftest import SUBSET, evaluated
from tests.engine.analysis.made import BSI_LOGPROB
from tests.engine.leaderboard import board_entries as made
from tests.engine.leaderboard.conftest import TOLD, Forged

Json = dict[str, Any]


def written(folder: Path) -> Path:
    """The records of a submission."""
    out = records.write(folder, verify(folder), say=lambda line: None)
    assert out is not None
    return out


def loaded(out: Path) -> tuple[Json, list[Json], Path]:
    """The only record below a folder, its answers, and where it lies."""
    [path] = (out / "data").rglob("*.json")
    lines = path.with_name(f"{path.stem}_samples.jsonl").read_text().splitlines()
    return json.loads(path.read_text()), [json.loads(line) for line in lines], path


@pytest.fixture
def honest_records(forged: Forged) -> Path:
    """The records of the honest submission."""
    return written(forged.folder)


def test_a_record_says_what_the_submission_says(forged: Forged, honest_records: Path) -> None:
    submission = Submission.model_validate_json((forged.folder / "record.json").read_bytes())
    [run] = submission.tasks
    found, _, path = loaded(honest_records)
    assert path.relative_to(honest_records).parent.as_posix() == (
        "data/hugagent-synthetic/tests/random"
    )
    assert uuid.UUID(path.stem).version == 4
    # Seconds from 1970-01-01 to 2026-01-02: 56 years with 14 leap days, and one day.
    assert found["retrieved_timestamp"] == str((56 * 365 + 14 + 1) * 86_400)
    assert found["model_info"]["id"] == "tests/random"
    assert found["model_info"]["additional_details"]["revision"] == "seed-1"
    assert found["source_metadata"]["source_organization_name"] == "alice"
    # Nothing says whose model it is: the owner is "tests", and not the submitter.
    assert found["source_metadata"]["evaluator_relationship"] == "other"
    assert found["eval_library"]["version"] == submission.harness.lm_eval
    by_name = {
        one["metric_config"]["metric_name"]: one["score_details"]
        for one in found["evaluation_results"]
    }
    assert set(by_name) == {"bsi_acc", "parse_rate"}
    claimed = run.metrics["bsi_acc"]
    assert by_name["bsi_acc"]["score"] == claimed.value
    uncertainty = by_name["bsi_acc"]["uncertainty"]
    assert uncertainty["standard_error"]["value"] == claimed.stderr
    assert uncertainty["confidence_interval"]["lower"] == claimed.low
    assert uncertainty["confidence_interval"]["upper"] == claimed.high
    assert uncertainty["num_samples"] == claimed.n == run.n_items


def test_answers_of_open_data_are_there_one_by_one(forged: Forged, honest_records: Path) -> None:
    from otherminds.leaderboard.records import answers

    found, lines, path = loaded(honest_records)
    rows = answers.read(forged.answers)
    told = found["detailed_evaluation_results"]
    assert told["total_rows"] == len(lines) == len(rows)
    assert told["file_path"] == (
        path.with_name(f"{path.stem}_samples.jsonl").relative_to(honest_records).as_posix()
    )
    by_item = {row.item_id: row for row in rows}
    for line in lines:
        row = by_item[line["sample_id"]]
        assert line["output"]["raw"] == [row.raw]
        assert line["evaluation"]["is_correct"] is row.correct
        assert line["evaluation"]["score"] == float(bool(row.correct))
        assert [one["extracted_value"] for one in line["answer_attribution"]] == [row.parsed]
        # A question that the options end, asked with all that is known of the person.
        assert line["input"]["reference"][0] in line["input"]["choices"]
        assert len(line["input"]["raw"]) > 500
    # Right answers are those that equal the reference.
    for line in lines:
        [read] = line["answer_attribution"]
        assert line["evaluation"]["is_correct"] is (
            read["extracted_value"] == line["input"]["reference"][0]
        )


def test_the_same_submission_gives_the_same_files(forged: Forged, honest_records: Path) -> None:
    first = {
        path.relative_to(honest_records): path.read_bytes()
        for path in honest_records.rglob("*.json*")
    }
    shutil.rmtree(honest_records)
    again = written(forged.folder)
    assert first == {path.relative_to(again): path.read_bytes() for path in again.rglob("*.json*")}


def test_other_answers_have_another_name(forged: Forged, honest_records: Path) -> None:
    [one] = honest_records.rglob("*.json")
    forged.record(lambda found: found["model"].update(revision="seed-2"))
    [other] = (path for path in written(forged.named()).rglob("*.json") if path != one)
    assert other.stem != one.stem


def test_nothing_is_shown_item_by_item_of_data_behind_a_gate(tmp_path: Path) -> None:
    answers = made.scores([1.0, 0.0, 1.0, 0.0], people=2)
    run = made.run("debate_both_issues", answers, dataset="debate-beliefs-issues")
    known = made.entry("maker/gpt-x", {"humans": answers}).record.model_copy(
        update={"tasks": [run]}
    )
    metrics = {"debate_both_issues": run.metrics}
    # No file of answers is there, so that none can be read.
    [path] = every_eval_ever.write(known, metrics, "re-scored", tmp_path / "gpt-x-1", tmp_path)
    assert path.suffix == ".json"
    assert "detailed_evaluation_results" not in json.loads(path.read_text())
    assert path.parent.relative_to(tmp_path).as_posix() == "data/debate-beliefs-issues/maker/gpt-x"


def test_the_owner_of_a_model_is_its_first_party() -> None:
    answers = made.scores([1.0, 0.0], people=2)
    known = made.entry("someone/model", {"humans": answers}).record
    found = every_eval_ever.record(
        known,
        made.run("hugagent_bsi_synthetic", answers, dataset="hugagent-synthetic"),
        {},
        "re-scored",
        "someone-model-1",
    )
    assert found["source_metadata"]["evaluator_relationship"] == "first_party"


def test_tasks_without_recomputed_scores_have_no_record(forged: Forged, tmp_path: Path) -> None:
    found = verify(forged.folder)
    assert found.submission is not None
    assert (
        every_eval_ever.write(found.submission, {}, "self-reported", forged.folder, tmp_path) == []
    )


def test_a_model_without_an_owner_has_no_record(results: Path, tmp_path: Path) -> None:
    folder = build([results], replace(TOLD, name="random"), tmp_path)
    said: list[str] = []
    out = records.write(folder, verify(folder), say=said.append)
    assert out is not None
    assert list(out.rglob("*.json")) == []
    assert any("'random' has no owner" in line for line in said)


def test_an_entry_of_a_season_has_no_records(forged: Forged) -> None:
    found = verify(forged.folder)
    assert found.submission is not None
    entry = found.submission.model_copy(update={"season": "2027-spring"})
    assert records.write(forged.folder, replace(found, submission=entry), say=print) is None
    assert not forged.folder.with_name(f"{forged.folder.name}-records").exists()


def test_a_refused_submission_has_no_records(forged: Forged) -> None:
    with pytest.raises(ValueError, match="no records"):
        records.write(forged.folder, Outcome(None), say=lambda line: None)


# ---------------------------------------------------------------- Every Eval Ever's own validator


@pytest.fixture(scope="session")
def validator() -> Path:
    """The interpreter of an environment with Every Eval Ever."""
    named = os.environ.get("OTHERMINDS_EEE_PYTHON")
    if not named:
        pytest.skip(
            "OTHERMINDS_EEE_PYTHON names no interpreter (Python 3.12 with every-eval-ever 0.3.0)."
        )
    return Path(named)


def validated(validator: Path, out: Path) -> tuple[int, list[Json]]:
    """What it says of all files below a folder: its exit code, and a report for each."""
    paths = sorted(path.relative_to(out) for path in (out / "data").rglob("*.json*"))
    assert paths
    done = subprocess.run(
        [validator, "-m", "every_eval_ever", "validate", "--format", "json", *paths],
        cwd=out,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    reports: list[Json] = json.loads(done.stdout)
    return done.returncode, reports


def test_its_validator_accepts_our_records(validator: Path, honest_records: Path) -> None:
    code, reports = validated(validator, honest_records)
    assert (code, len(reports)) == (0, 2)
    for report in reports:
        assert (report["valid"], report["errors"], report["warnings"]) == (True, [], [])


def test_its_validator_accepts_records_of_log_likelihoods(
    validator: Path, cache: Path, tmp_path: Path
) -> None:
    evaluated(tmp_path / "run", "--model", "random", *SUBSET, task=BSI_LOGPROB)
    out = written(build([tmp_path / "run"], TOLD, tmp_path / "built"))
    found, lines, _ = loaded(out)
    assert found["evaluation_results"]
    assert all(json.loads(line["metadata"]["log_likelihoods"]) for line in lines)
    code, reports = validated(validator, out)
    assert (code, [report["errors"] for report in reports]) == (0, [[], []])


def test_its_validator_refuses_a_record_without_its_model(
    validator: Path, honest_records: Path
) -> None:
    [path] = honest_records.rglob("*.json")
    broken = json.loads(path.read_text())
    del broken["model_info"]
    path.write_text(json.dumps(broken))
    code, reports = validated(validator, honest_records)
    assert code != 0
    assert not all(report["valid"] for report in reports)
