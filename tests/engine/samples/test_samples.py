"""Sample files as runs leave them, and as accidents leave them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.metrics.hugagent import Item
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.samples import read as samples
from otherminds.tasks.debate import scoring as debate
from otherminds.tasks.hugagent import scoring as hugagent
from otherminds.tasks.hugagent.samples import combine
from otherminds.weightless.lm import make
from tests.helpers.packed import opened, packed

SUBSET = ("--metadata", '{"data_subset": 50}')
DATE = "2026-01-02T03-04-05.678"


def record(item: str = "i1", *replies: Any, **changes: Any) -> dict[str, Any]:
    """A sample of an opinion question with the gold 7."""
    doc = {
        "item_id": item,
        "participant_id": "P1",
        "track": "synthetic",
        "topic": "zoning",
        "task": "bdu",
        "question_id": "1.1",
        "question_type": "opinion",
        "options": [],
        "scale": [1, 10],
        "context": [{"question": "q", "answer": "a"}],
        "answer": "7",
    }
    made = {"doc": doc | changes, "filtered_resps": [list(replies)], "prompt_hash": f"hash-{item}"}
    return json.loads(json.dumps(made))  # type: ignore[no-any-return]


def written(folder: Path, *records: Any, task: str = "hugagent_bdu_synthetic") -> Path:
    path = folder / f"samples_{task}_{DATE}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def items(path: Path, notes: list[str] | None = None) -> list[Item]:
    note = notes.append if notes is not None else pytest.fail
    return [sample.record.item for sample in samples.read(path, note=note)]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["hugagent_synthetic", "hugagent_synthetic_logprob"])
def test_our_files_and_lm_evals_own_hold_the_same_answers(
    task: str, cache: Path, tmp_path: Path
) -> None:
    flags = ("--model", "random", *SUBSET, "--limit", "40", "--output_path", str(tmp_path))
    [ours] = run([task], flags, Options()).sample_paths
    arguments = harness.parse_arguments(flags, default_model="x")
    manager = harness.task_manager(arguments.metadata)
    found = harness.evaluate(make("random", {}), manager, [task], arguments)
    tracker = harness.tracker(arguments, None, output_path=arguments.output_path)
    tracker.date_id = DATE
    tracker.save_results_samples(task_name=task, samples=found["samples"][task])
    [theirs] = tmp_path.rglob(f"samples_{task}_{DATE}.jsonl")
    read = items(ours)
    assert read == items(theirs)
    assert len(read) == 40
    assert all(item.answers != (None,) for item in read)
    # The answers are those that the run scored.
    with opened(ours) as lines:
        scored = [json.loads(line) for line in lines]
    bsi = [(item, one) for item, one in zip(read, scored, strict=True) if item.task == "bsi"]
    assert bsi
    for item, one in bsi:
        assert [float(item.answers[0] == item.gold)] == one["bsi_acc"]


def test_all_repeats_are_read_and_unread_ones_are_none(tmp_path: Path) -> None:
    path = written(tmp_path, record("i1", "7", "Answer: 3", "6 or 7", ""))
    assert items(path)[0].answers == (7, 3, None, None)


def test_replies_are_parsed_as_their_task_parses_them(tmp_path: Path) -> None:
    cut_off = "First, the person mentioned 4 reasons. Then they said that\nI would put this near"
    records = [record("i1", cut_off), record("i2", "Some reasons.\nAnswer: 6")]
    reasoning = written(tmp_path, *records, task="hugagent_cot_synthetic")
    assert [item.answers for item in items(reasoning)] == [(None,), (6,)]


def test_a_task_that_is_not_ours_is_read_by_the_plain_parser_and_noted(tmp_path: Path) -> None:
    notes: list[str] = []
    path = written(tmp_path, record("i1", "7"), task="somebodys")
    assert items(path, notes)[0].answers == (7,)
    assert "states no task of ours" in notes[0]


@pytest.mark.attack(
    "a sample file that is cut off",
    outcome="the rest is used, and it is said",
    against="answers",
)
def test_a_cut_off_last_line_is_noted_and_the_rest_is_used(tmp_path: Path) -> None:
    path = written(tmp_path, record("i1", "7"), record("i2", "8"))
    path.write_bytes(path.read_bytes()[:-20])
    notes: list[str] = []
    assert [item.item_id for item in items(path, notes)] == ["i1"]
    assert "line 2 is cut off" in notes[0]


@pytest.mark.attack(
    "a sample file that is cut off",
    outcome="the rest is used, and it is said",
    against="answers",
)
@pytest.mark.parametrize("ending", ["jsonl.gz", "jsonl.zst"])
def test_a_cut_off_compressed_file_is_noted_and_the_rest_is_used(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"samples_hugagent_bdu_synthetic_{DATE}.{ending}"
    # Ids that do not repeat each other, so that the file is of several blocks.
    ids = (hashlib.sha256(str(n).encode()).hexdigest() for n in range(5_000))
    lines = "".join(json.dumps(record(name, "7")) + "\n" for name in ids)
    path.write_bytes(packed(lines.encode(), ending)[:-2_000])
    notes: list[str] = []
    read = items(path, notes)
    assert 0 < len(read) < 5_000
    assert "cut off" in notes[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no samples"),
        (b'{"doc": \n{}\n', "line 1 is not JSON"),
        (b"\xff\xfe\n", "line 1 is not JSON"),
        (b"[" * 100_000 + b"\n", "line 1 is not JSON"),
        (b'{"doc": ' + b"9" * 5_000 + b"}\n", "line 1 is not JSON: a number in it has thousands"),
        (b"[1]\n", "line 1 is not a sample of 'hugagent_bdu_synthetic': the line"),
        (b"{}\n", "line 1 is not a sample of 'hugagent_bdu_synthetic': doc: Field required"),
    ],
    ids=["empty", "broken", "bytes", "nested", "digits", "list", "object"],
)
def test_what_is_no_sample_is_named_by_file_and_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = written(tmp_path)
    path.write_bytes(content)
    with pytest.raises(OtherMindsError, match=message) as raised:
        items(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": "seven"}, "is not an integer"),
        ({"scale": [1, 7]}, "neither 1-5 nor 1-10"),
        ({"scale": []}, "neither 1-5 nor 1-10"),
        ({"scale": None}, "doc.scale"),
        ({"task": "bsi"}, "has options"),
        ({"task": "trust"}, "doc.task"),
        ({"track": "another"}, "doc.track"),
    ],
)
def test_documents_that_cannot_be_scored_are_named(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = written(tmp_path, record("i1", "7"), record("i2", "7", **changes))
    with pytest.raises(OtherMindsError, match=rf"line 2.*{message}"):
        items(path)


def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="Cannot read"):
        items(tmp_path / f"samples_hugagent_bdu_synthetic_{DATE}.jsonl")
    fake = tmp_path / f"samples_hugagent_bdu_synthetic_{DATE}.jsonl.zst"
    fake.write_text("plain")
    with pytest.raises(OtherMindsError, match="Cannot read"):
        items(fake)


def runs(tmp_path: Path, *files: list[dict[str, Any]]) -> list[samples.Sample]:
    found = []
    for number, records in enumerate(files):
        folder = tmp_path / str(number)
        folder.mkdir()
        found += list(samples.read(written(folder, *records), note=pytest.fail))
    return found


def test_further_runs_add_answers_and_further_tasks_add_items(tmp_path: Path) -> None:
    first, second = [record("i1", "7")], [record("i2", "3")]
    again = [[record("i1", "8")], [record("i2", "4")]]
    together = combine(runs(tmp_path, first, second, *again), note=pytest.fail)
    assert [(item.item_id, item.answers) for item in together] == [("i1", (7, 8)), ("i2", (3, 4))]


def test_items_without_all_runs_are_left_out_and_counted(tmp_path: Path) -> None:
    files = [record("i1", "7"), record("i2", "7")], [record("i1", "8")]
    notes: list[str] = []
    [item] = combine(runs(tmp_path, *files), note=notes.append)
    assert item.item_id == "i1"
    assert "1 of 2 items" in notes[0]


def test_runs_of_different_tasks_or_data_are_refused(tmp_path: Path) -> None:
    other_gold = [record("i1", "7")], [record("i1", "7", answer="8")]
    with pytest.raises(OtherMindsError, match="another gold answer"):
        combine(runs(tmp_path, *other_gold), note=pytest.fail)
    other_prompt = record("i1", "7") | {"prompt_hash": "another"}
    folder = tmp_path / "more"
    folder.mkdir()
    with pytest.raises(OtherMindsError, match="another prompt"):
        combine(runs(folder, [record("i1", "7")], [other_prompt]), note=pytest.fail)
    with pytest.raises(OtherMindsError, match="no complete sample"):
        combine([], note=pytest.fail)


def test_each_document_is_read_by_the_benchmark_that_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beliefs = replace(debate.SCORER, called="a debate task")
    monkeypatch.setattr(samples, "_fallbacks", lambda: [hugagent.ALL, beliefs])
    belief = {
        **{"item_id": "b1", "user_id": "U1", "category": "Cars", "proposition": "Cars stink."},
        **{"agrees": True, "background": [], "known_beliefs": [], "n_known": 0},
    }
    lines = [
        record("i1", "7"),
        {"doc": belief, "filtered_resps": [["agree"]]},
        {"doc": belief | {"agrees": None}, "filtered_resps": [["agree"]]},
        {"doc": {"item_id": "x", "topic": "t"}, "filtered_resps": [["agree"]]},
    ]
    faults: list[str] = []
    path = written(tmp_path, *lines, task="ours_no_more")
    read = list(samples.read(path, note=lambda _: None, fault=faults.append))
    assert [type(sample.record) for sample in read] == [hugagent.Scored, debate.Scored]
    assert [sample.record.view().answers for sample in read] == [(7,), ("agree",)]
    sealed, unknown = faults
    assert (
        "line 3 is not a sample of a HugAgent task or a debate task: its gold answer is" in sealed
    )
    assert (
        "line 4 is not a sample of a HugAgent task or a debate task: doc.participant_id" in unknown
    )
    with_sealed = list(samples.read(path, note=lambda _: None, fault=lambda _: None, sealed=True))
    assert [sample.doc["item_id"] for sample in with_sealed] == ["i1", "b1", "b1"]


def test_an_item_without_any_answer_is_no_sample(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match=r"line 1 .*has an entry without an answer"):
        items(written(tmp_path, record("i1")))
