"""Reading runs: what belongs together, and what is left out, named by file and line."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from otherminds import analysis, harness
from otherminds.analysis import words
from otherminds.errors import OtherMindsError
from otherminds.running.run import Finished
from otherminds.samples.read import rules_of
from tests.engine.analysis.made import (
    BDU,
    BSI,
    BSI_LOGPROB,
    DATE,
    DATES,
    chosen,
    letter,
    opinion,
    run_of,
    written,
)
from tests.helpers.packed import opened, packed

_RULES = rules_of(BDU)
assert _RULES is not None
VERSION = _RULES.version
GOOD = [opinion("i1", "7", "7"), opinion("i2", "5", "5", participant_id="P2")]


def names(runs: analysis.Runs) -> list[str]:
    return [run.name for run in runs]


def items(runs: analysis.Runs) -> list[str]:
    [run] = runs.runs
    return [record.view().item_id for record in run.answered]


def test_folders_are_searched_and_a_file_counts_once(tmp_path: Path) -> None:
    path = run_of(tmp_path / "deep" / "down", GOOD)
    for paths in ([tmp_path], [str(path)], [path, tmp_path, path.parent]):
        runs = analysis.read_runs(paths)
        assert names(runs) == ["some-model"]
        assert runs.runs[0].files == (path,)
        assert not runs.notes


def test_compressed_files_are_read_too(tmp_path: Path) -> None:
    written(tmp_path / "m", GOOD, ending=".jsonl.gz")
    runs = analysis.read_runs([tmp_path])
    # Without a results file the folder stands for the model.
    assert names(runs) == ["m"]
    assert items(runs) == ["i1", "i2"]
    assert f"no results_{DATE}.json lies beside it" in runs.notes[0]


def test_what_is_run_in_another_way_is_another_run(tmp_path: Path) -> None:
    ways: list[dict[str, Any]] = [
        {},
        {"chat_template_applied": True},
        {"generation": {"temperature": 1}},
        {"version": 0.5},
        {"model": "other"},
    ]
    for date, way in zip(DATES, ways, strict=False):
        run_of(tmp_path, GOOD, date=date, **way)
    runs = analysis.read_runs([tmp_path])
    assert sorted(names(runs)) == ["other", *(f"some-model #{place}" for place in (1, 2, 3, 4))]
    dates = {run.name: run.files[0].name.removesuffix(".jsonl")[-len(DATE) :] for run in runs}
    assert [dates[f"some-model #{place}"] for place in (1, 2, 3, 4)] == sorted(DATES[:4])
    [note] = runs.notes
    assert f"#1 {min(DATES[:4])} and #2" in note


def test_limited_runs_are_named_after_their_size(tmp_path: Path) -> None:
    run_of(tmp_path, GOOD, date=DATES[0])
    path = run_of(tmp_path, GOOD[:1], date=DATES[1])
    beside = path.with_name(f"results_{DATES[1]}.json")
    results = json.loads(beside.read_text())
    [counts] = results["n-samples"].values()
    counts["original"] = len(GOOD)
    beside.write_text(json.dumps(results))
    assert sorted(names(analysis.read_runs([tmp_path]))) == [
        "some-model",
        "some-model, 1 document",
    ]


def test_files_of_one_date_are_numbered_too(tmp_path: Path) -> None:
    for number, folder in enumerate("ab"):
        run_of(tmp_path / folder, GOOD, generation={"temperature": number})
    assert sorted(names(analysis.read_runs([tmp_path]))) == ["some-model #1", "some-model #2"]


def test_other_documents_are_another_run_and_other_folders_other_models(tmp_path: Path) -> None:
    run_of(tmp_path / "a", GOOD, date=DATES[0])
    run_of(tmp_path / "a", GOOD[:1], date=DATES[1])
    assert len(analysis.read_runs([tmp_path])) == 2
    for folder in ("b", "c"):
        written(tmp_path / "unknown" / folder, GOOD)
    assert names(analysis.read_runs([tmp_path / "unknown"])) == ["b", "c"]


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"model": "random", "model_args": {}}, "random"),
        ({"model": "random", "model_args": {"seed": 2}}, "random (seed=2)"),
        ({"model": "hf", "model_args": {"pretrained": "org/Name-7B", "device": "cpu"}}, "Name-7B"),
        (
            {"model": "hf", "model_args": "pretrained=org/Name-7B,dtype=float32,batch_size=4"},
            "Name-7B (dtype=float32)",
        ),
        ({"model": "vllm", "model_args": None}, "vllm"),
    ],
)
def test_a_run_is_named_after_its_model_and_what_matters_to_its_answers(
    config: dict[str, Any], name: str, tmp_path: Path
) -> None:
    path = run_of(tmp_path, GOOD)
    edit(path, config=config)
    assert names(analysis.read_runs([path])) == [name]


def edit(path: Path, **changes: Any) -> None:
    """Change entries of the results file beside a sample file."""
    beside = path.with_name(f"results_{DATE}.json")
    beside.write_text(json.dumps(json.loads(beside.read_text()) | changes), encoding="utf-8")


@pytest.mark.parametrize(
    "changes",
    [
        {"config": []},
        {"config": {"model": "m", "model_args": 3}},
        {"results": []},
        {"results": {BDU: 3}},
        {"versions": None},
        {"configs": []},
        {"configs": {BDU: {"metadata": 3}}},
        {"otherminds": 3},
        {"otherminds": {"window": 3}},
        {"otherminds": {"data": []}},
        {"otherminds": {"data": {BDU: "x"}}},
        {"otherminds": {"data": {BDU: {"version": "1.0.0"}}}},
        {"otherminds": {"data": {BDU: {"dataset": "another", "version": "1", "content_hash": {}}}}},
    ],
    ids=str,
)
def test_a_results_file_of_another_shape_is_said_to_be_unreadable(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    path = run_of(tmp_path / "folder", GOOD)
    edit(path, **changes)
    runs = analysis.read_runs([path])
    assert names(runs) == ["folder"]
    assert items(runs) == ["i1", "i2"]
    [note] = runs.notes
    assert note.startswith(f"{path.with_name(f'results_{DATE}.json')} is damaged (")
    assert "\n" not in note
    # And all that follows works without it.
    [scored] = analysis.score(runs, check=False).scored
    assert [one.name for one in scored.checks if one.passed is False] == ["results file"]


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1]", b"[" * 100_000])
def test_a_broken_results_file_is_said_to_be_unreadable(content: bytes, tmp_path: Path) -> None:
    path = run_of(tmp_path, GOOD)
    path.with_name(f"results_{DATE}.json").write_bytes(content)
    runs = analysis.read_runs([path])
    assert items(runs) == ["i1", "i2"]
    [note] = runs.notes
    assert " is damaged (" in note


@pytest.mark.parametrize("version", [9.0, "9.1", "next"])
def test_samples_of_a_newer_task_are_left_out(version: Any, tmp_path: Path) -> None:
    newer = run_of(tmp_path / "new", GOOD, model="new", version=version)
    run_of(tmp_path / "old", GOOD, model="old", version=0.9)
    runs = analysis.read_runs([tmp_path])
    assert names(runs) == ["old"]
    [note] = runs.notes
    assert note == (
        f"{newer} was left out: it is of version {version} of '{BDU}', and this installation knows "
        f"version {VERSION}. Update otherminds."
    )
    # An older version is scored, and the check says by which rules.
    [check] = [c for c in analysis.score(runs).scored[0].checks if c.name == "task version"]
    assert check.passed is False
    assert check.detail == f"0.9, and these numbers are by the rules of version {VERSION}"


def left_out(runs: analysis.Runs, path: Path) -> list[str]:
    return [note for note in runs.notes if note.startswith(str(path))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (letter("x", "A", "A") | {"doc": None}, "line 2 is not a sample of .*: doc: "),
        ({"filtered_resps": [["7"]]}, "line 2 is not a sample of .*: doc: Field required"),
        ({"doc": {}, "filtered_resps": [["7"]]}, "line 2 is not a sample of .*: doc.item_id"),
        (opinion("x", "lots", "7"), "line 2 is not a sample of .*: .*is not an integer"),
        (opinion("x", "7", "7") | {"filtered_resps": []}, "line 2 .*has 0 entries"),
        (opinion("x", "7", "7") | {"filtered_resps": 7}, "line 2 .*filtered_resps"),
        (opinion("x", "7", "7") | {"doc_hash": 7}, "line 2 .*doc_hash"),
        (opinion("i1", "7", "8"), "line 2 repeats the document 'i1' and was left out"),
        (opinion("x", "7", "7", "7", participant_id="P9"), "has 2 answers to the document 'x'"),
        (opinion("x", "7", participant_id="P9"), "filtered_resps has an entry without an answer"),
        ([], "line 2 is not a sample"),
        ("text", "line 2 is not a sample"),
    ],
    ids=str,
)
def test_a_line_that_is_no_sample_is_left_out_and_the_rest_is_used(
    line: Any, message: str, tmp_path: Path
) -> None:
    third = opinion("i3", "2", "2", participant_id="P3")
    path = run_of(tmp_path, [GOOD[0], line, GOOD[1], third])
    runs = analysis.read_runs([path])
    assert items(runs) == ["i1", "i2", "i3"]
    [note] = runs.notes
    assert note.startswith(str(path))
    assert re.search(message, note), note
    assert len(analysis.score(runs, check=False).scored) == 1


@pytest.mark.parametrize(
    ("pair", "kept"),
    [
        (("nan", "nan"), True),
        ((float("nan"), -2.0), True),
        (("-inf", "-inf"), True),
        (("good", "bad"), False),
        ((None, -1.0), False),
        (([1], -1.0), False),
        ((-1.0,), False),
    ],
)
def test_log_likelihoods_that_are_no_numbers_are_unread_or_left_out(
    pair: tuple[Any, ...], kept: bool, tmp_path: Path
) -> None:
    lines = [chosen("i1", "A", -1.0, -2.0), chosen("i2", "A", *pair)]
    path = run_of(tmp_path, lines, task=BSI_LOGPROB)
    runs = analysis.read_runs([path])
    if kept:
        # The run itself scores such an answer as unread.
        assert items(runs) == ["i1", "i2"]
        assert runs.runs[0].answered[1].view().answers == (None,)
    else:
        assert items(runs) == ["i1"]
        [note] = left_out(runs, path)
        assert "line 2 is not a sample" in note


def test_many_wrong_lines_are_counted_and_not_all_shown(tmp_path: Path) -> None:
    path = run_of(tmp_path, [GOOD[0], *[{}] * 20])
    notes = left_out(analysis.read_runs([path]), path)
    assert len(notes) == 6
    assert notes[-1] == f"{path}: 15 more lines were left out."


def test_a_cut_off_last_line_is_left_out_and_said(tmp_path: Path) -> None:
    path = run_of(tmp_path, GOOD)
    path.write_bytes(path.read_bytes()[:-30])
    runs = analysis.read_runs([path])
    assert items(runs) == ["i1"]
    assert left_out(runs, path) == [
        f"{path}, line 2 is cut off and was left out: the run did not end."
    ]


def test_samples_of_other_benchmarks_in_the_folder_are_left_out(tmp_path: Path) -> None:
    run_of(tmp_path, GOOD)
    run_of(tmp_path, [letter("i1", "A", "A")], task=BSI)
    foreign = written(tmp_path, [{"doc": {"q": 1}, "filtered_resps": ["4"]}], task="gsm8k")
    runs = analysis.read_runs([tmp_path])
    assert {run.task for run in runs} == {BDU, BSI}
    assert left_out(runs, foreign) == [
        f"{foreign} was left out: 'gsm8k' is not a task of OtherMinds."
    ]
    assert set(runs.by_task()) == {BDU, BSI}
    assert names(runs.named_by_task()) == [f"some-model on {run.task}" for run in runs]


def test_a_file_under_another_tasks_name_is_left_out(tmp_path: Path) -> None:
    run_of(tmp_path / "a", GOOD)
    other = written(tmp_path / "b", GOOD, task=BSI_LOGPROB)
    runs = analysis.read_runs([tmp_path])
    assert len(runs) == 1
    assert "line 1 is not a sample of 'hugagent_bsi_synthetic_logprob'" in " ".join(
        left_out(runs, other)
    )


def test_a_renamed_file_is_left_out_when_named_and_not_found_when_not(tmp_path: Path) -> None:
    run_of(tmp_path / "a", GOOD)
    other = (tmp_path / "a" / "mine.jsonl").resolve()
    written(tmp_path / "b", GOOD).rename(other)
    assert not analysis.read_runs([tmp_path]).notes
    [note] = analysis.read_runs([tmp_path, other]).notes
    assert note.startswith(f"{other} was left out: its name is not that of a sample file")


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        ([], "Give at least one sample file"),
        (["nowhere"], "There is no file or folder .*nowhere"),
        (["empty"], r"empty has no sample files .*--log_samples"),
    ],
)
def test_without_anything_to_read_it_is_said_what_to_give(
    paths: list[str], message: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(OtherMindsError, match=message):
        analysis.read_runs([tmp_path / path for path in paths])


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "jsonl.zst"])
@pytest.mark.parametrize("content", [b"", bytes(range(256)) * 40])
def test_files_without_a_sample_are_named(content: bytes, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"samples_{BDU}_{DATE}.{ending}"
    path.write_bytes(content)
    with pytest.raises(OtherMindsError, match="None of these files has a sample") as raised:
        analysis.read_runs([path])
    assert str(path) in str(raised.value)
    # Beside a good file it is a note.
    run_of(tmp_path / "good", GOOD)
    runs = analysis.read_runs([tmp_path])
    assert items(runs) == ["i1", "i2"]
    assert left_out(runs, path)


def test_a_visitor_sees_every_sample(tmp_path: Path) -> None:
    path = run_of(tmp_path, [*GOOD, {}])
    seen: list[tuple[Path, str]] = []
    analysis.read_runs(
        [path], visit=lambda where, sample: seen.append((where, sample.record.item.item_id))
    )
    assert seen == [(path, "i1"), (path, "i2")]


@pytest.fixture
def edited(models: Mapping[str, Finished], tmp_path: Path) -> Any:
    """Scores a copy of a real run whose lines were changed by `change(line, number)`."""

    def score(change: Any) -> dict[str, analysis.Check]:
        run = models["random"]
        [path] = run.sample_paths
        shutil.copy(run.results_path, tmp_path)
        with opened(path) as lines:
            read = [json.loads(line) for line in lines]
        kept = [line for number, line in enumerate(read) if change(line, number) is not False]
        text = "".join(json.dumps(line) + "\n" for line in kept)
        (tmp_path / path.name).write_bytes(packed(text.encode(), path.suffix))
        [scored] = analysis.score(analysis.read_runs([tmp_path])).scored
        return {check.name: check for check in scored.checks}

    return score


@pytest.mark.attack(
    "a sample file with edited golds, prompts or documents",
    outcome="its checks fail, and say which",
    against="answers",
)
def test_samples_with_an_edited_gold_are_found(edited: Any) -> None:
    def change(line: Any, number: int) -> None:
        if line["doc"]["task"] == "bsi":
            line["doc"]["answer"] = "A" if line["doc"]["answer"] == "B" else "B"

    checks = edited(change)
    assert checks["documents"].passed is False
    assert "390 have another person, topic or gold" in checks["documents"].detail
    assert checks["numbers that the run printed"].passed is False
    assert "bsi_acc" in checks["numbers that the run printed"].detail


@pytest.mark.attack(
    "a sample file with edited golds, prompts or documents",
    outcome="its checks fail, and say which",
    against="answers",
)
def test_samples_with_edited_prompts_are_found(edited: Any) -> None:
    def change(line: Any, number: int) -> None:
        line["arguments"]["gen_args_0"]["arg_0"] += "\nThe answer is A."
        line["arguments"]["gen_args_0"]["arg_0"] = line["arguments"]["gen_args_0"]["arg_0"].replace(
            "Answer", "Reply"
        )

    checks = edited(change)
    assert checks["documents"].passed is True
    assert checks["prompts"].passed is False
    assert "are not what this version asks" in checks["prompts"].detail


@pytest.mark.attack(
    "a sample file with edited golds, prompts or documents",
    outcome="its checks fail, and say which",
    against="answers",
)
def test_samples_with_edited_interviews_are_found(edited: Any) -> None:
    def change(line: Any, number: int) -> None:
        line["doc"]["context"] = line["doc"]["context"][:1]
        line["doc_hash"] = line["doc_hash"][:2] + "0" * 62

    checks = edited(change)
    assert checks["document hashes"].passed is False


def test_samples_that_lack_documents_are_found(edited: Any) -> None:
    checks = edited(lambda line, number: number % 2 == 0)
    assert checks["coverage"].passed is False
    assert checks["coverage"].detail == "713 of the task's 1,426 documents"


def test_samples_without_hashes_and_prompts_are_said_to_be_unchecked(edited: Any) -> None:
    def change(line: Any, number: int) -> None:
        for name in ("arguments", "doc_hash", "prompt_hash", "target_hash"):
            line.pop(name)

    checks = edited(change)
    assert checks["documents"].passed is True
    assert checks["document hashes"].passed is None
    assert checks["prompts"].passed is None


def test_output_of_other_tools_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    foreign = tmp_path / "others" / f"samples_{BDU}_{DATE}.jsonl"
    foreign.write_text('{"id": 1, "text": "x"}\n' * 300)
    other = tmp_path / "others" / f"samples_arc_easy_{DATE}.jsonl"
    other.with_name(f"samples_arc_hard_{DATE}.jsonl").write_text("{}\n")
    other.write_text('{"doc_id": 0, "doc": {"question": "x"}}\n')
    with pytest.raises(OtherMindsError) as raised:
        analysis.read_runs([tmp_path])
    said = str(raised.value)
    # One file is named, with its first reason; neither 300 lines nor the lack of a results file.
    assert "\n" not in said
    assert said.count("samples_") == 1
    assert "'arc_easy' is not a task of OtherMinds" in said
    # The other task has another name, and the other file another fault.
    assert "2 more have other faults." in said
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / other.name).write_text("{}\n")
    with pytest.raises(OtherMindsError, match=r"So it is with 1 more of them\. 2 more have"):
        analysis.read_runs([tmp_path])
    with pytest.raises(OtherMindsError, match="line 1 is not a sample of"):
        analysis.read_runs([foreign])


def test_a_task_without_golds_is_said_to_be_one_and_no_stage(tmp_path: Path) -> None:
    assert "trust_game_self_conditioned" in harness.built_on("trust_game_population")
    assert harness.built_on(BDU) == ()
    said = words.no_golds(["trust_game_population"])
    assert "`otherminds score` prints what it measures" in said
    assert "a stage" not in said
    assert said.endswith("trust_game_self_conditioned.")


def test_redacted_samples_are_said_to_be(tmp_path: Path) -> None:
    written(tmp_path, [{"doc": {"item_id": "i1"}, "filtered_resps": [["7"]]}])
    with pytest.raises(OtherMindsError, match=r"line 1 .* it was redacted.*--restore`\.$"):
        analysis.read_runs([tmp_path])


def test_runs_of_one_chain_are_numbered_as_they_were_walked(tmp_path: Path) -> None:
    # Whose settings differ is not pooled; the second run was written first.
    run_of(tmp_path / "a", GOOD, model="m", generation={"do_sample": True}, run=2)
    run_of(tmp_path / "b", GOOD, model="m", date=DATES[3], run=1)
    runs = analysis.read_runs([tmp_path])
    assert {run.name: run.facts.run for run in runs} == {"m #1": 1, "m #2": 2}
    assert runs.notes == [f"m: {BDU} were answered in 2 runs (--runs), of which #1 is the first."]
