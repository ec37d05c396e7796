"""The conversion of upstream records to rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent import human
from tests.helpers import fictional_hugagent as fictional

Record = dict[str, Any]


@pytest.fixture(scope="module")
def tables() -> dict[str, pa.Table]:
    return human.convert(fictional.sample())


def rows(table: pa.Table, **wanted: str) -> list[Record]:
    return [row for row in table.to_pylist() if all(row[k] == v for k, v in wanted.items())]


def test_the_tables_keep_the_contract_of_both_tracks(tables: dict[str, pa.Table]) -> None:
    assert list(tables) == ["bsi", "bdu"]
    for task, table in tables.items():
        assert table.schema.equals(human.HUMAN_ITEM, check_metadata=True)
        assert set(table["task"].to_pylist()) == {task}
        assert set(table["track"].to_pylist()) == {"human"}
        assert set(table["evidence"].to_pylist()) == {None}
        assert set(table["in_subset_50"].to_pylist()) == {False}
    # 4 people, 3 topics: 2 BSI items each; scenario, reason and baseline each but for one baseline,
    # and one more question on zoning and on surveillance each: 36 - 1 + 8.
    assert (tables["bsi"].num_rows, tables["bdu"].num_rows) == (24, 43)


def test_a_belief_state_item(tables: dict[str, pa.Table]) -> None:
    row = rows(tables["bsi"], participant_id="P01", topic="zoning")[0]
    # The fifth of 17 turns is what the item asks about.
    assert len(row["context"]) == 16
    assert row["context"][4] == {
        "question": "Item 6 on the flats above the bakery: what do you make of it?",
        "answer": "As P01 I hold that point 6 of the flats above the bakery is 6 shillings.",
    }
    assert row["question"] == "What does the flats above the bakery do to matter 5?"
    assert row["options"] == ["POSITIVE effect", "NEGATIVE effect"]
    assert row["answer"] == "A"
    assert (row["scale"], row["scale_labels"]) == ([], [])
    assert {row[name] for name in ("reason_code", "question_id", "question_type")} == {None}


def test_the_scale_labels_follow_the_question(tables: dict[str, pa.Table]) -> None:
    def ends(question_id: str) -> tuple[list[int], list[str]]:
        row = rows(tables["bdu"], participant_id="P01", question_id=question_id)[0]
        return row["scale"], row["scale_labels"]

    assert ends("1.1") == ([1, 10], ["Strongly oppose", "Strongly support"])
    assert ends("1.2") == ([1, 10], ["Much less supportive", "Much more supportive"])
    assert ends("1.4r_G") == ([1, 5], ["Not at all", "Very strongly"])
    assert ends("2.2") == ([1, 10], ["lowest", "highest"])


def test_reasons_keep_their_code_and_text_and_opinions_have_none(
    tables: dict[str, pa.Table],
) -> None:
    reason = rows(tables["bdu"], question_type="reason_evaluation", question_id="1.2r_A")[0]
    assert (reason["reason_code"], reason["reason_text"]) == ("A", "the gulls of reason A")
    opinion = rows(tables["bdu"], question_type="opinion")[0]
    assert (opinion["reason_code"], opinion["reason_text"]) == (None, None)


def test_a_gold_outside_its_scale_and_a_gold_of_two_letters_are_kept(
    tables: dict[str, pa.Table],
) -> None:
    assert [row["answer"] for row in rows(tables["bdu"], question_id="1.4r_G")] == ["0"] * 4
    assert tables["bsi"]["answer"].to_pylist().count("A/B") == 1


@pytest.mark.parametrize("written", ["A/B", "B/A", " a / b "])
def test_two_gold_letters_are_written_one_way(written: str) -> None:
    table = human.convert([{**fictional.sample()[0], "answer": written}])["bsi"]
    assert table["answer"].to_pylist() == ["A/B"]


def test_demographics_come_as_an_object_or_as_texts(tables: dict[str, pa.Table]) -> None:
    def facts(person: str) -> list[tuple[str, str]]:
        found = rows(tables["bsi"], participant_id=person)[0]["demographics"]
        return [(fact["attribute"], fact["value"]) for fact in found]

    # An attribute without a value says nothing, and a home town tells where somebody lives.
    assert facts("P01") == [("age", "34"), ("trade", "sail mender")]
    # The first colon splits; a text without one describes the background.
    assert facts("P02") == [
        ("age", "51"),
        ("hours", "9:00 to 5:00"),
        ("background", "keeps bees"),
    ]


def test_a_missing_context_is_empty_and_long_or_foreign_text_is_whole(
    tables: dict[str, pa.Table],
) -> None:
    silent = rows(tables["bdu"], participant_id="P04", topic="healthcare")
    assert [row["context"] for row in silent] == [[], [], []]
    answer = rows(tables["bdu"], participant_id="P03")[0]["context"][2]["answer"]
    assert answer == f"Ποτέ. 决不, naïvely \u2028 speaking 🙂, {fictional.LONG}"


def test_what_gives_the_answer_away_is_in_no_column(tables: dict[str, pa.Table]) -> None:
    for table in tables.values():
        assert not {"source_qa", "reasoning"} & set(table.column_names)
    for record in fictional.sample():
        if record["task_type"] == "belief_attribution":
            text = json.dumps(rows(tables["bsi"], item_id=record["item_id"]))
            assert record["reasoning"] not in text
            if not rows(tables["bsi"], item_id=record["item_id"])[0]["source_shown"]:
                assert record["source_qa"]["answer"] not in text


def test_rows_are_ordered_by_participant_topic_and_item(tables: dict[str, pa.Table]) -> None:
    backwards = human.convert(reversed(fictional.sample()))
    for task, table in tables.items():
        keys = [(r["participant_id"], r["topic"], r["item_id"]) for r in table.to_pylist()]
        assert keys == sorted(keys)
        assert backwards[task].equals(table)


@pytest.mark.parametrize("inner", [False, True], ids=["clone", "data folder"])
def test_a_clone_gives_the_same_rows(
    tmp_path: Path, tables: dict[str, pa.Table], inner: bool
) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path / "clone")
    found = human.convert(human.read_clone(clone / "Benchmark" / "data" if inner else clone))
    assert all(found[task].equals(tables[task]) for task in tables)


def test_the_hubs_parquet_gives_the_same_rows(tmp_path: Path, tables: dict[str, pa.Table]) -> None:
    files = fictional.write_parquet(fictional.sample(), tmp_path)
    records = [row for file in files for row in pq.read_table(file).to_pylist()]
    assert isinstance(records[0]["context_qas"], str)
    found = human.convert(records)
    assert all(found[task].equals(tables[task]) for task in tables)


def test_no_records_give_empty_tables() -> None:
    assert [table.num_rows for table in human.convert([]).values()] == [0, 0]


def changed(change: Callable[[Record], object], question_id: str | None = None) -> list[Record]:
    """The sample with a change of the first record, or of the first of a question."""
    records = fictional.sample()
    change(next(r for r in records if question_id in (None, r.get("question_id"))))
    return records


@pytest.mark.parametrize(
    ("change", "question_id", "said"),
    [
        (lambda r: r.pop("item_id"), None, "item without an id): field 'item_id': Field required"),
        (lambda r: r.pop("participant_id"), None, "field 'participant_id': Field required"),
        (lambda r: r.pop("task_question"), None, "field 'task_question': Field required"),
        (lambda r: r.update(topic="tides"), None, "field 'topic': Input should be 'healthcare'"),
        (lambda r: r.update(task_type="belief"), None, "field 'task_type' is none of"),
        (lambda r: r.update(answer="C"), None, "field 'answer': Input should be 'A', 'B' or 'A/B'"),
        (lambda r: r.update(answer_options={"A": "yes"}), None, "field 'answer_options.B'"),
        (lambda r: r.update(context_qas="[{"), None, "field 'context_qas': is text, but not valid"),
        (lambda r: r["context_qas"][3].update(answer=[]), None, "field 'context_qas.3.answer'"),
        (lambda r: r.update(demographics="34"), None, "field 'demographics': is neither"),
        (lambda r: r.update(demographics=[34]), None, "holds a value of the kind int where a text"),
        (lambda r: r["answer_options"].update(C="NO effect"), None, "field 'answer_options.C'"),
        (lambda r: r.update(demographics={"age": [3]}), None, "the value of 'age' is nested"),
        (lambda r: r.update(user_answer=None), "1.1", "field 'user_answer'"),
        (lambda r: r.update(user_answer=True), "1.1", "field 'user_answer': is True, not a number"),
        (lambda r: r.update(user_answer=6.5), "1.1", "field 'user_answer'"),
        (lambda r: r.update(scale=[1, 7]), "1.1", "field 'scale': is neither [1, 5] nor"),
        (lambda r: r.update(question_type="mood"), "1.1", "field 'question_type'"),
        (lambda r: r.update(reason_text=5.5j), "1.2r_A", "field 'reason_text'"),
    ],
)
def test_a_bad_record_is_named_with_its_field(
    change: Callable[[Record], object], question_id: str | None, said: str
) -> None:
    with pytest.raises(ValueError, match=r"^record ") as caught:
        human.convert(changed(change, question_id))
    assert said in str(caught.value)


def test_errors_of_a_clone_name_file_and_line(tmp_path: Path) -> None:
    records = changed(lambda r: r.pop("user_answer"), "2.7")
    clone = fictional.write_clone(records, tmp_path)
    # Of surveillance's BDU items the first is P01's scenario.
    with pytest.raises(
        ValueError, match=r"belief_dynamics_update_surveillance\.jsonl, line 1 .item"
    ):
        human.convert(human.read_clone(clone))


def test_a_repeated_id_names_both_places(tmp_path: Path) -> None:
    records = fictional.sample()
    zoning = [r for r in records if r["topic"] == "zoning" and "source_qa" in r]
    zoning[1]["item_id"] = zoning[0]["item_id"]
    clone = fictional.write_clone(records, tmp_path)
    with pytest.raises(ValueError, match=r"zoning\.jsonl, line 2: the item id .* line 1, which"):
        human.convert(human.read_clone(clone))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"item_id": \n', "it is not valid JSON"),
        (b"17\n", "what is not a JSON object is left out"),
        (b'{"item_id": "caf\xe9"}\n', "it is not UTF-8 text"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: bytes, said: str) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path)
    file = clone / "Benchmark" / "data" / "belief_state_inference_zoning.jsonl"
    good = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(good[0] + b"\n" + line + good[1])
    # A blank line counts as a line but is no record.
    with pytest.raises(ValueError, match=rf"{file.name}, line 3: .*{said}"):
        human.convert(human.read_clone(clone))


def test_a_folder_that_is_no_clone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a clone of the HugAgent repository"):
        list(human.read_clone(tmp_path))


@given(st.text(min_size=1), st.text())
def test_any_text_of_an_interview_survives_either_form(question: str, answer: str) -> None:
    record = {**fictional.sample()[0], "context_qas": [{"question": question, "answer": answer}]}
    plain, flat = (human.convert([form]) for form in (record, fictional.flattened(record)))
    assert plain["bsi"]["context"].to_pylist() == [[{"question": question, "answer": answer}]]
    assert flat["bsi"].equals(plain["bsi"])
