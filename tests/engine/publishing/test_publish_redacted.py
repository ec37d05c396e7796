"""Samples without golds: nothing is left that tells them, and the data put everything back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, manifest
from otherminds.analysis import read_runs, score
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.publishing import redact
from otherminds.running import results
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from tests.helpers import fictional_hugagent, small_builds
from tests.helpers.packed import opened

# Tasks that answer by text and by log-probabilities.
TASKS = {
    "hugagent_bdu_synthetic": "hugagent-synthetic",
    "debate_both_synthetic_logprob": "debate-beliefs-synthetic",
    "socialmindchange_codes": "socialmindchange-codes",
}
DATE = "2026-01-02T03-04-05.678"


def small(dataset: str, folder: Path) -> Path:
    """A small build that does not call itself the release."""
    source = small_builds.write(dataset, folder)
    named = repository.manifest_of(source).model_copy(update={"version": "small"})
    (source / repository.MANIFEST).write_text(manifest.dump(named), encoding="utf-8")
    return source


def finished(task: str, source: Path, out: Path) -> Finished:
    harness.quiet(debug=False)
    metadata = json.dumps({"data_source": str(source)})
    flags = ("--model", "corrupted-oracle", "--metadata", metadata, "--output_path", str(out))
    found = run([task], flags, Options())
    assert found is not None
    return found


def lines(path: Path) -> list[dict[str, Any]]:
    with opened(path) as file:
        return [json.loads(line) for line in file]


@pytest.mark.attack(
    "golds told by samples that are shown",
    outcome="`redact` leaves none",
    against="data",
)
@pytest.mark.parametrize("task", TASKS)
def test_nothing_tells_the_golds_and_the_data_put_them_back(task: str, tmp_path: Path) -> None:
    source = small(TASKS[task], tmp_path / "small")
    [original] = finished(task, source, tmp_path / "run").sample_paths
    hidden, restored = tmp_path / "hidden", tmp_path / "restored"

    [path] = redact.redact(tmp_path / "run", hidden, note=pytest.fail)
    kept = {"doc_id", "filter", "resps", "filtered_resps", "prompt_hash", "arguments", "doc"}
    before, after = lines(original), lines(path)
    assert [one["doc"] for one in after] == [{"item_id": one["doc"]["item_id"]} for one in before]
    assert all(set(one) == kept for one in after)
    assert [one["filtered_resps"] for one in after] == [one["filtered_resps"] for one in before]
    assert path.parent == hidden / original.parent.name
    assert list(path.parent.glob("results_*.json"))

    redact.restore(hidden, restored, source=str(source), note=pytest.fail)
    [theirs], [ours] = (
        score(read_runs([folder])).scored for folder in (tmp_path / "run", restored)
    )
    assert ours.details == theirs.details
    assert not [check for check in ours.checks if check.passed is False]


def test_prompts_of_data_that_may_not_be_passed_on_are_left_out(tmp_path: Path) -> None:
    clone = fictional_hugagent.write_clone(fictional_hugagent.sample(), tmp_path / "clone")
    finished("hugagent_bdu", clone, tmp_path / "run")
    notes: list[str] = []
    [path] = redact.redact(tmp_path / "run", tmp_path / "hidden", note=notes.append)
    assert len(notes) == 1
    assert "prompts are left out too" in notes[0]
    assert not any("arguments" in one for one in lines(path))
    # The texts of people's interviews are in no field.
    record = fictional_hugagent.sample()[0]
    answer = record["context_qas"][0]["answer"]
    assert not any(answer in json.dumps(one) for one in lines(path))


def test_a_part_of_a_file_is_not_written_as_if_it_were_whole(tmp_path: Path) -> None:
    path = sample_file(tmp_path, "hugagent_bdu_synthetic", *[{"doc": {"item_id": "a"}}] * 9)
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(OtherMindsError, match=r"is cut off after line 9: .* Give a whole file"):
        redact.redact(tmp_path, tmp_path.parent / "out", note=pytest.fail)
    assert not list((tmp_path.parent / "out").rglob("samples_*"))


def sample_file(folder: Path, task: str, *records: Any) -> Path:
    path = folder / f"samples_{task}_{DATE}.jsonl.zst"
    return results.write_lines(path, records)


@pytest.mark.parametrize(
    ("task", "record", "count", "message"),
    [
        ("synchtom_10turn_judge", {"doc": {"item_id": "a"}}, 5, "show the criteria"),
        ("gsm8k", {"doc": {"item_id": "a"}}, 5, "none of ours"),
        ("hugagent_bdu_synthetic", {"doc": "a"}, 5, "no item_id"),
        (
            "hugagent_bdu_synthetic",
            {"doc": {"item_id": "a"}},
            4,
            "4 documents, whose score reveals",
        ),
        ("hugagent_cot", {"doc": {"item_id": "a"}, "resps": [["She said: " * 5]]}, 5, "may quote"),
        # They may be passed on, to those who accept the terms.
        ("debate_both_issues", {"doc": {"item_id": "a"}, "resps": [["x" * 41]]}, 5, "may quote"),
    ],
)
def test_what_cannot_be_redacted_is_refused(
    task: str, record: Any, count: int, message: str, tmp_path: Path
) -> None:
    path = sample_file(tmp_path, task, *[record] * count)
    with pytest.raises(OtherMindsError, match=message):
        redact.redact(path, tmp_path / "out", note=pytest.fail)
    assert not list(tmp_path.glob("out/*"))


def test_in_a_folder_judgements_are_passed_over(tmp_path: Path) -> None:
    record = {"doc": {"item_id": "a"}, "resps": [["b"]], "filtered_resps": [["b"]]}
    sample_file(tmp_path / "in", "synchtom_10turn_judge", *[record] * 5)
    shown = sample_file(tmp_path / "in", "synchtom_10turn", *[record] * 5)
    notes: list[str] = []
    [path] = redact.redact(tmp_path / "in", tmp_path / "out", note=notes.append)
    assert path.name == shown.name
    assert [("_judge" in one, "passed over" in one) for one in notes[:-1]] == [(True, True)]
    assert notes[-1] == "1 of 2 files written."


def test_what_is_shown_tells_nothing_of_the_machine_or_of_one_document(tmp_path: Path) -> None:
    source = small("hugagent-synthetic", tmp_path / "small")
    original = finished("hugagent_bdu_synthetic", source, tmp_path / "run")
    found = json.loads(original.results_path.read_text(encoding="utf-8"))
    found["config"]["model_args"] = {
        "pretrained": "/home/ada/models/mine",
        "url": "https://a.b/c/d",
    }
    found["pretty_env_info"] = "a machine"
    original.results_path.write_text(json.dumps(found), encoding="utf-8")
    [path] = redact.redact(tmp_path / "run", tmp_path / "hidden", note=pytest.fail)
    text = next(path.parent.glob("results_*.json")).read_text(encoding="utf-8")
    shown = json.loads(text)
    assert str(tmp_path) not in text
    assert shown["config"]["model_args"] == {"pretrained": "mine", "url": "https://a.b/c/d"}
    assert "pretty_env_info" not in shown
    [scores] = shown["otherminds"]["scores"].values()
    assert set(scores) == {"estimates", "counts"}


def test_data_behind_a_gate_are_not_shown(tmp_path: Path) -> None:
    record = {
        "doc": {"item_id": "a"},
        "arguments": {"gen_args_0": {"arg_0": "Party: Green"}},
        "resps": [["True"]],
        "filtered_resps": [["True"]],
    }
    sample_file(tmp_path / "in", "debate_both_issues", *[record] * 5)
    notes: list[str] = []
    [path] = redact.redact(tmp_path / "in", tmp_path / "out", note=notes.append)
    assert "prompts are left out too" in notes[0]
    assert not any("arguments" in one for one in lines(path))


def test_a_folder_is_not_redacted_into_itself(tmp_path: Path) -> None:
    record = {"doc": {"item_id": "a"}}
    path = sample_file(tmp_path / "in", "hugagent_bdu_synthetic", *[record] * 5)
    with pytest.raises(OtherMindsError, match="would be read the next time"):
        redact.redact(tmp_path / "in", tmp_path / "in" / "out", note=pytest.fail)
    path.with_suffix("").write_text("{}", encoding="utf-8")
    with pytest.raises(OtherMindsError, match="packed and not"):
        redact.redact(tmp_path / "in", tmp_path / "out", note=pytest.fail)


def test_originals_are_not_written_over(tmp_path: Path) -> None:
    path = sample_file(tmp_path, "hugagent_bdu_synthetic", *[{"doc": {"item_id": "a"}}] * 5)
    with pytest.raises(OtherMindsError, match="would hold both"):
        redact.redact(tmp_path, tmp_path, note=pytest.fail)
    with pytest.raises(OtherMindsError, match="would hold both"):
        redact.redact(path, tmp_path, note=pytest.fail)


def test_a_folder_without_samples_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="holds none"):
        redact.redact(tmp_path, tmp_path.with_name("out"), note=pytest.fail)


def test_golds_that_the_data_do_not_have_cannot_be_put_back(tmp_path: Path) -> None:
    source = small("hugagent-synthetic", tmp_path / "small")
    [original] = finished("hugagent_bdu_synthetic", source, tmp_path / "run").sample_paths
    [path] = redact.redact(original, tmp_path / "hidden", note=pytest.fail)
    results.write_lines(path, [one | {"doc": {"item_id": "x"}} for one in lines(path)])
    with pytest.raises(OtherMindsError, match="have no document 'x'"):
        redact.restore(path, tmp_path / "restored", source=str(source), note=pytest.fail)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is damaged: Expecting property name"),
        ("[]", "not of the form that lm-eval writes"),
        ('{"otherminds": 3}', "not of the form that lm-eval writes"),
        ('{"configs": {"hugagent_bdu": " "}}', "not of the form that lm-eval writes"),
        ('{"a": "\\ud83d"}', "not of the form that lm-eval writes"),
        ('{"a": ' * 900 + "1" + "}" * 900, "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "thousands of digits"),
    ],
    ids=["broken", "list", "ours", "configs", "half", "nested", "digits"],
)
def test_beside_a_damaged_results_file_nothing_is_written(
    content: str, message: str, tmp_path: Path
) -> None:
    record = {"doc": {"item_id": "a"}, "resps": [["b"]], "filtered_resps": [["b"]]}
    path = sample_file(tmp_path / "in", "hugagent_bdu_synthetic", *[record] * 5)
    (tmp_path / "in" / f"results_{DATE}.json").write_text(content, encoding="utf-8")
    with pytest.raises(OtherMindsError, match=rf"results_.* is damaged: .*{message[-20:]}") as told:
        redact.redact(path, tmp_path / "out", note=lambda text: None)
    assert message in str(told.value)
    assert not list(tmp_path.glob("out/*"))
