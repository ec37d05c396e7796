"""Honest runs become submissions that are accepted, at the level that they deserve."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from otherminds import manifest
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging import expected, flags, rescore, verify
from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import Metric, Submission, Verification
from otherminds.leaderboard.sending.build import build
from otherminds.samples.read import rules_of
from tests.engine.analysis.conftest import SUBSET, evaluated
from tests.engine.leaderboard.conftest import TASK, TOLD, Forged


def run_of(folder: Path) -> Any:
    written = (folder / "record.json").read_bytes()
    return Submission.model_validate_json(written).tasks[0]


def test_an_honest_submission_is_scored_again(honest: Path, results: Path) -> None:
    outcome = verify.verify(honest)
    assert (outcome.level, list(outcome.reasons), list(outcome.flags)) == ("re-scored", [], [])
    [path] = results.rglob("results_*.json")
    printed = json.loads(path.read_text(encoding="utf-8"))["results"][TASK]
    found = outcome.recomputed[TASK]["bsi_acc"]
    assert found.value == pytest.approx(printed["bsi_acc,none"])
    assert found.stderr == pytest.approx(printed["bsi_acc_stderr,none"])
    # 50 people were asked; interval and n belong to the score.
    assert found.n_clusters == 50
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high


def test_the_outcome_is_the_same_each_time_and_round_trips(honest: Path) -> None:
    first, second = verify.verify(honest), verify.verify(honest)
    assert first.as_json() == second.as_json()
    written = first.verification(date(2026, 1, 3)).model_dump_json()
    assert Verification.model_validate_json(written).level == "re-scored"


def test_the_same_run_makes_the_same_record(results: Path, honest: Path, tmp_path: Path) -> None:
    again = build([results], TOLD, tmp_path)
    assert again.name == honest.name
    assert (again / "record.json").read_bytes() == (honest / "record.json").read_bytes()
    # A dry run leaves a folder that the submission itself is then written into.
    assert build([results], TOLD, tmp_path) == again
    assert [path.name for path in tmp_path.iterdir()] == [again.name]


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", ["hugagent_bsi_synthetic_logprob", "hugagent_bsi_swapped_synthetic"]
)
def test_other_kinds_of_task_are_scored_again(cache: Path, tmp_path: Path, task: str) -> None:
    evaluated(tmp_path / "run", "--model", "random", *SUBSET, task=task)
    folder = build([tmp_path / "run"], TOLD, tmp_path / "built")
    assert verify.verify(folder).level == "re-scored"


def test_repeated_runs_are_one_entry(cache: Path, tmp_path: Path) -> None:
    evaluated(tmp_path / "run", "--model", "random", *SUBSET, task=TASK)
    [samples] = tmp_path.rglob("samples_*.jsonl.zst")
    [stated] = tmp_path.rglob("results_*.json")
    other = tmp_path / "other"
    evaluated(other, "--model", "random", "--model_args", "seed=2", *SUBSET, task=TASK)
    [second] = other.rglob("samples_*.jsonl.zst")
    date_of_second = second.name.removeprefix(f"samples_{TASK}_").removesuffix(".jsonl.zst")
    # The second run calls itself a run of the same model.
    shutil.copyfile(second, samples.parent / second.name)
    shutil.copyfile(stated, samples.parent / f"results_{date_of_second}.json")
    folder = build([samples.parent], TOLD, tmp_path / "built")
    assert run_of(folder).repeats == 2
    assert verify.verify(folder).level == "re-scored"


def test_data_that_may_not_be_shown_stay_hidden(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = dataclasses.replace(expected.expected(TASK, 50), is_open=False)
    for module in ("sending.build", "judging.verify"):
        monkeypatch.setattr(f"otherminds.leaderboard.{module}.expected", lambda *_: known)
    folder = build([results], TOLD, tmp_path)
    rows = answers.read(folder / "answers" / f"{TASK}.parquet")
    assert {(row.raw, row.doc_hash, row.correct) for row in rows} == {(None, None, None)}
    assert verify.verify(folder).level == "re-scored"


@pytest.mark.attack(
    "scores on data that are not at hand where it is verified",
    outcome="held: `data-unavailable`; self-reported, and never ranked",
    against="board",
)
def test_without_the_data_a_submission_is_self_reported(
    forged: Forged, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(task: str, subset: int | None) -> None:
        raise expected.UnavailableError("not here")

    monkeypatch.setattr("otherminds.leaderboard.judging.verify.expected", missing)
    outcome = verify.verify(forged.folder)
    assert outcome.level == "self-reported"
    assert [one.code for one in outcome.flags] == ["data-unavailable"]
    assert outcome.recomputed == {}


@pytest.mark.attack(
    "a run of a model that reads golds, or has no weights, under a model's name",
    outcome="`submit` sends nothing, and says why",
    against="board",
)
def test_runs_that_read_golds_are_not_submitted(cache: Path, tmp_path: Path) -> None:
    evaluated(tmp_path / "run", "--model", "oracle", *SUBSET, task=TASK)
    with pytest.raises(OtherMindsError, match="reads the gold"):
        build([tmp_path / "run"], TOLD, tmp_path / "built")


def changed_results(results: Path, target: Path, /, **changes: Any) -> Path:
    shutil.copytree(results, target)
    [path] = target.rglob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(found | changes), encoding="utf-8")
    return target


@pytest.mark.attack(
    "a run with few-shot examples, a system instruction, or scores that it did not print",
    outcome="`submit` sends nothing, and says why",
    against="board",
)
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"system_instruction": "Say A."}, "system instruction"),
        ({"n-shot": {TASK: 2}}, "few-shot examples"),
        ({"results": {TASK: {"bsi_acc,none": 0.99}}}, "numbers that the run printed"),
    ],
)
def test_runs_that_are_not_the_task_are_not_submitted(
    results: Path, tmp_path: Path, changes: Mapping[str, Any], message: str
) -> None:
    changed = changed_results(results, tmp_path / "run", **changes)
    with pytest.raises(OtherMindsError, match=message):
        build([changed], TOLD, tmp_path / "built")


def test_without_a_results_file_nothing_is_submitted(results: Path, tmp_path: Path) -> None:
    copied = changed_results(results, tmp_path / "run")
    [path] = copied.rglob("results_*.json")
    path.unlink()
    with pytest.raises(OtherMindsError, match="results file must lie beside"):
        build([copied], TOLD, tmp_path / "built")


def test_a_part_of_the_documents_is_not_submitted(cache: Path, tmp_path: Path) -> None:
    evaluated(tmp_path / "run", "--model", "random", "--limit", "20", *SUBSET, task=TASK)
    with pytest.raises(OtherMindsError, match="20 of 390 documents were answered"):
        build([tmp_path / "run"], TOLD, tmp_path / "built")


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"revision": None}, "--revision"),
        ({"name": "a/b/c"}, "model.name|name"),
        ({"notes": "<b>best</b>"}, "HTML"),
        ({"submitter": "Аlice"}, "submitter"),
    ],
)
def test_what_is_told_must_be_presentable(
    results: Path, tmp_path: Path, told: Mapping[str, Any], message: str
) -> None:
    with pytest.raises(OtherMindsError, match=message):
        build([results], dataclasses.replace(TOLD, **told), tmp_path)


def metric(value: float) -> Metric:
    return Metric(value=value, stderr=None, low=None, high=None, n=1, n_clusters=1)


@pytest.mark.attack(
    "a score better than people's",
    outcome="held: `above-human-ceiling`",
    against="board",
)
def test_better_than_people_is_flagged_in_the_direction_of_the_metric() -> None:
    rules = rules_of("hugagent_bdu_synthetic")
    assert rules is not None
    ceiling = MappingProxyType({"bdu_acc": (0.8, 0.9), "bdu_mae": (0.6, 0.7)})
    better = {"bdu_acc": metric(0.95), "bdu_mae": metric(0.5)}
    found = [one.code for one in flags.above(ceiling, better, "t", rules)]
    assert found == ["above-human-ceiling"] * 2
    # Worse than people, or within their interval, is nothing to look at.
    others = {"bdu_acc": metric(0.5), "bdu_mae": metric(0.65)}
    assert list(flags.above(ceiling, others, "t", rules)) == []


@pytest.mark.attack(
    "a score better than knowing how the data were made",
    outcome="held: `above-known-ceiling`",
    against="board",
)
def test_better_than_a_known_ceiling_is_flagged_by_the_whole_interval() -> None:
    rules = rules_of("hugagent_bdu_synthetic")
    assert rules is not None
    ceiling = {"bdu_acc": 0.95, "bdu_mae": 0.35, "bdu_change": 0.75}

    def found(acc: tuple[float, float], mae: tuple[float, float]) -> list[str]:
        metrics = {
            name: metric(sum(ends) / 2).model_copy(update={"low": ends[0], "high": ends[1]})
            for name, ends in (("bdu_acc", acc), ("bdu_mae", mae))
        }
        codes = flags.above_known("reader", ceiling, metrics, "t", rules)
        return [f"{one.code} {one.detail}" for one in codes]

    assert found((0.96, 0.98), (0.3, 0.34)) == [
        "above-known-ceiling t: bdu_acc 0.97, reader 0.95.",
        "above-known-ceiling t: bdu_mae 0.32, reader 0.35.",
    ]
    assert found((0.94, 0.98), (0.3, 0.36)) == []


@pytest.mark.parametrize(
    ("task", "most"), [("hugagent_synthetic", "composite"), ("debate_both_synthetic", "macro_f1")]
)
def test_generated_boards_have_a_known_ceiling(task: str, most: str) -> None:
    rules = rules_of(task)
    assert rules is not None
    references = manifest.load(rules.dataset).references
    [name] = flags.CEILINGS & references.keys()
    scores = references[name].scores
    assert most in scores.get(rules.evidence or "all", {})


@pytest.mark.attack(
    "a record of the day after tomorrow",
    outcome="refused: `record-date`",
    against="submissions",
)
def test_a_record_of_tomorrow_is_taken_and_one_of_the_day_after_is_not(honest: Path) -> None:
    before = {days: TOLD.date - timedelta(days=days) for days in (1, 2)}
    assert verify.verify(honest, today=before[1]).is_accepted
    [reason] = verify.verify(honest, today=before[2]).reasons
    assert reason.code == "record-date"


@pytest.mark.attack(
    "the golds sent as answers, or with a few wrong among them",
    outcome="held: `gold-perfect`, `above-known-ceiling`",
    against="board",
)
def test_one_wrong_answer_does_not_hide_that_all_others_are_gold(forged: Forged) -> None:
    known = expected.expected(TASK, 50)
    golds = [one.record.with_answers((one.view.gold,)) for one in known.documents.values()]
    [first, *_] = known.documents.values()
    wrong = next(answer for answer in first.answers.values() if answer != first.view.gold)
    records = [first.record.with_answers((wrong,)), *golds[1:]]
    for few, is_flagged in ((records, True), (records[: len(records) // 50], False)):
        codes = {one.code for one in flags.of_scores(few, {}, known)}
        assert ("gold-perfect" in codes) is is_flagged


@pytest.mark.attack(
    "the same letter to each question, whatever the order of its options",
    outcome="held: `same-answers-when-shuffled`",
    against="board",
)
@pytest.mark.parametrize(("share", "is_flagged"), [(1.0, True), (0.99, False)])
def test_one_letter_in_every_order_of_options_is_flagged(
    forged: Forged, share: float, is_flagged: bool
) -> None:
    known = expected.expected(TASK, 50)
    records = [one.record for one in known.documents.values()]
    found = flags.of_scores(records, {"same_letter": metric(share)}, known)
    assert ("same-answers-when-shuffled" in {one.code for one in found}) is is_flagged


@pytest.mark.attack(
    "a task that compares log-likelihoods, said to be run often",
    outcome="refused: `repeats-unsupported`",
    against="submissions",
)
def test_log_likelihoods_have_one_run(honest: Path) -> None:
    task = "hugagent_bsi_synthetic_logprob"
    rules = rules_of(task)
    assert rules is not None
    stated = run_of(honest).model_copy(update={"task": task, "task_version": rules.version})
    rescore.check_stated(stated, rules)
    with pytest.raises(RefusedError, match="repeats-unsupported"):
        rescore.check_stated(stated.model_copy(update={"repeats": 2}), rules)


@pytest.mark.attack(
    "answers of which no score can be computed, such as those to sealed golds",
    outcome="refused: `scoring-failed`",
    against="submissions",
)
def test_nothing_is_scored_by_golds_that_stand_for_sealed_ones(honest: Path) -> None:
    known = dataclasses.replace(expected.expected(TASK, 50), is_sealed=True)
    rows = answers.read(honest / "answers" / f"{TASK}.parquet")
    with pytest.raises(RefusedError, match="scoring-failed"):
        rescore.rescore(rows, 1, known)


@pytest.mark.attack(
    "a name that reads like an earlier model's",
    outcome="held: `look-alike-name`",
    against="board",
)
@pytest.mark.parametrize(
    ("one", "other"), [("Llama-3", "l1ama_3"), ("modern", "modem"), ("gpt-oss", "GPT-0SS")]
)
def test_names_that_are_read_alike_have_one_skeleton(one: str, other: str) -> None:
    assert flags.skeleton(one) == flags.skeleton(other)
    assert flags.skeleton(one) != flags.skeleton("qwen")
