"""Clones as they may be: another layout, missing files, other keys, records that cannot be scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.hugagent import human
from otherminds.dataset_builders.hugagent.human_people import is_private
from tests.helpers import fictional_hugagent as fictional

Record = dict[str, Any]

# The attributes of the release; none of them is a place, whatever it sounds like.
RELEASED = (
    *("housing_experience", "age", "moved_last_year", "rent_income_ratio", "housing_status"),
    *("transportation", "household_income", "occupation", "marital_status", "has_children"),
    *("children_age", "race_ethnicity", "financial_situation", "neighborhood_safety"),
    *("health_insurance", "education", "citizenship"),
)

OWN = ("item_id", "participant_id", "demographics")


def read(folder: Path) -> tuple[dict[str, pa.Table], human.Remarks]:
    remarks = human.Remarks()
    return human.convert(human.read_clone(folder, remarks), remarks), remarks


def said(remarks: human.Remarks) -> str:
    return "\n".join(remarks.lines())


def everything(tables: dict[str, pa.Table]) -> str:
    return json.dumps([table.to_pylist() for table in tables.values()], ensure_ascii=False)


@pytest.fixture
def selected(tmp_path: Path) -> Path:
    return fictional.write_selected(fictional.sample(), tmp_path / "clone")


def data_of(folder: Path) -> Path:
    return next(iter((folder / "Benchmark").iterdir()))


@pytest.mark.parametrize("inner", ["", "Benchmark", "Benchmark/54UsersQ"])
def test_the_other_layout_gives_the_same_items(selected: Path, inner: str) -> None:
    tables, remarks = read(selected / inner)
    release = human.convert(fictional.sample())
    # Items and people have other ids, and demographics one more attribute.
    for task, table in tables.items():
        mine, theirs = (
            sorted(
                json.dumps({k: v for k, v in row.items() if k not in OWN})
                for row in one.to_pylist()
            )
            for one in (table, release[task])
        )
        assert mine == theirs
    assert tables["bsi"]["source_shown"].to_pylist().count(True) == 4
    assert remarks.foreign
    assert "4 people have P-numbers that are not the release's" in said(remarks)


def test_ids_that_start_anew_in_each_file_are_told_apart(selected: Path) -> None:
    tables, _ = read(selected)
    ids = [name for table in tables.values() for name in table["item_id"].to_pylist()]
    assert len(set(ids)) == len(ids) == 67
    assert "belief_state_inference-zoning-qa_001" in ids
    assert "belief_dynamics_update-healthcare-qa_001" in ids


def test_p_numbers_are_those_of_the_sorted_ids_whatever_the_order(selected: Path) -> None:
    # 0c44d2 (P03), 5f0a9c (P01), b7713e (P02), e91b08 (P04)
    wanted = {"P03": "P01", "P01": "P02", "P02": "P03", "P04": "P04"}
    records = list(human.read_clone(selected))
    for found in (records, records[::-1]):
        bsi = human.convert(found, human.Remarks())["bsi"].to_pylist()
        # The text of each answer names its person by the number of the release.
        told = {
            (row["participant_id"], row["context"][0]["answer"][3:6])
            for row in bsi
            if row["context"]
        }
        assert told == {(wanted[theirs], theirs) for theirs in wanted}


def test_nothing_tells_who_people_are_or_where_they_live(selected: Path) -> None:
    tables, remarks = read(selected)
    text = everything(tables) + said(remarks)
    secrets = [*fictional.RECRUITED.values(), "99987", "zip", "Port Ellery", "9d3b7e61f02a4c85de"]
    assert [secret for secret in secrets if secret.casefold() in text.casefold()] == []
    attributes = {
        fact["attribute"] for row in tables["bsi"].to_pylist() for fact in row["demographics"]
    }
    assert {"neighborhood safety", "age", "trade"} <= attributes


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(user_answer={"of": r["prolific_id"]}),
        lambda r: r.update(demographics={r["prolific_id"]: {"zipcode": ["99987"]}}),
        lambda r: r.update(demographics=[["zipcode: 99987", r["prolific_id"]]]),
        lambda r: r.update(scale=[r["prolific_id"], 10]),
        lambda r: r.update(question_type=r["prolific_id"]),
        lambda r: r.update(task_type=f"{r['prolific_id']} at 99987"),
        lambda r: r.update(id=f"qa_{r['prolific_id']}", task_question=None),
        lambda r: r.update(context_qas=f"[{r['prolific_id']}"),
        lambda r: r.update(topic=r["prolific_id"]),
    ],
)
def test_no_message_names_anybody(selected: Path, change: Callable[[Record], None]) -> None:
    records = list(human.read_clone(selected))
    change(next(record for record in records if record["task_type"] == "belief_update"))
    remarks = human.Remarks()
    tables = human.convert(records, remarks)
    assert sum(table.num_rows for table in tables.values()) >= 66
    with pytest.raises(ValueError, match="item") as caught:
        human.convert([fictional.flattened(record) for record in records if "id" in record])
        raise ValueError("no item is bad")
    messages = f"{said(remarks)} {caught.value} {caught.value.__cause__} {everything(tables)}"
    assert [name for name in fictional.RECRUITED.values() if name in messages] == []
    assert "99987" not in said(remarks) + everything(tables)


def test_an_id_in_a_text_is_replaced_there_too() -> None:
    record = {**fictional.sample()[0], "participant_id": "5f0a9c"}
    whole = "5f0a9c112233445566778899"
    record["task_question"] = f"And user 5F0A9C, that is {whole}, or 00000000aaaaaaaabbbbbbbb?"
    row = human.convert([record])["bsi"].to_pylist()[0]
    assert row["participant_id"] == "P01"
    assert row["question"] == "And user P01, that is P01, or [id]?"


def test_the_hubs_form_loses_the_same(selected: Path) -> None:
    records = list(human.read_clone(selected))
    flat = [{**fictional.flattened(dict(r)), "task_type": r["task_type"]} for r in records]
    for record, located in zip(flat, records, strict=True):
        record["id"] = f"{located.topic}-{record['id']}"
    tables = human.convert(flat, human.Remarks())
    assert [table.num_rows for table in tables.values()] == [24, 43]
    text = everything(tables)
    assert [name for name in (*fictional.RECRUITED.values(), "99987") if name in text] == []


def test_the_attributes_of_the_release_stay_and_places_go() -> None:
    assert [name for name in RELEASED if is_private(name)] == []
    places = (
        "zipcode",
        "ZIP Code",
        "zipCode",
        "Home_Town",
        "current city",
        "state",
        "neighborhood",
    )
    asked = (
        *(
            "post_code",
            "Post Code",
            "PostCode",
            "POST-CODE",
            "postcodes",
            "What state do you live in?",
        ),
        *("neighborhood you live in", "Area (free text)", "area code", "geolocation"),
        *("geo-location", "residential area", "Where did you grow up?", "Where are you from?"),
        *("census tract", "state you were born in", "Where do you reside?", "WhereBorn"),
        *("What state are you from?", "country_state"),
    )
    people = ("prolific_id", "e-mail", "Full name", "phone number", "id", "where do you live")
    assert [name for name in (*places, *asked, *people) if not is_private(name)] == []
    others = (
        *("party id", "neighborhood safety", "area of study", "political state of the country"),
        *("post-secondary education", "state of health", "living situation", "cost of living"),
        *(
            "growing family",
            "Where do you get news from?",
            "Do you live alone?",
            "first-born child",
        ),
        *("text", "dress code", "free time", "country"),
    )
    assert [name for name in others if is_private(name)] == []


def test_p_numbers_of_the_release_stay_beside_others() -> None:
    records = fictional.sample()
    for record in records:
        if record["participant_id"] == "P02":
            record["participant_id"] = "someone"
    people = human.convert(records)["bsi"]["participant_id"].to_pylist()
    assert sorted(set(people)) == ["P01", "P03", "P04", "P05"]


def test_missing_files_are_named_and_the_others_load(tmp_path: Path) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path)
    for name in ("belief_state_inference_zoning", "belief_dynamics_update_healthcare"):
        (data_of(clone) / f"{name}.jsonl").unlink()
    tables, remarks = read(clone)
    assert [table.num_rows for table in tables.values()] == [24 - 8, 43 - 12]
    assert said(remarks).splitlines()[:2] == [
        "there is no file with the items of belief_state_inference on zoning",
        "there is no file with the items of belief_dynamics_update on healthcare",
    ]
    with pytest.raises(
        ValueError, match="no file with the items of belief_state_inference on zoning"
    ):
        list(human.read_clone(clone))


def test_of_several_files_the_released_selection_is_read(selected: Path) -> None:
    folder = data_of(selected)
    path = folder / "sample_belief_update_zoning_filtered_context_improves.jsonl"
    for other in ("", "_filtered_different_results"):
        (folder / f"sample_belief_update_zoning{other}.jsonl").write_bytes(path.read_bytes() * 2)
    (folder / "injected").mkdir()
    (folder / "injected" / path.name).write_bytes(path.read_bytes())
    tables, remarks = read(selected)
    assert tables["bdu"].num_rows == 43
    assert (
        "not read, because another file has the same task: sample_belief_update_zoning.jsonl, "
        "sample_belief_update_zoning_filtered_different_results.jsonl"
    ) in said(remarks)


@pytest.mark.parametrize("form", ["lines", "list", "pretty list", "with a byte order mark"])
def test_every_form_of_json_is_read(tmp_path: Path, form: str) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path)
    for path in sorted(data_of(clone).iterdir()):
        records = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
        texts = {
            "lines": "\n\n".join(map(json.dumps, records)),
            "list": json.dumps(records),
            "pretty list": json.dumps(records, indent=4),
            "with a byte order mark": "\ufeff" + "\r\n".join(map(json.dumps, records)),
        }
        path.unlink()
        name = path.with_suffix(".json" if "list" in form else ".jsonl")
        name.write_text(texts[form], encoding="utf-8", newline="")
    tables, remarks = read(clone)
    assert not remarks.foreign
    wanted = human.convert(fictional.sample())
    assert all(tables[task].equals(wanted[task]) for task in wanted)


def first(records: list[Record], question_id: str | None = None) -> Record:
    return next(r for r in records if question_id in (None, r.get("question_id")))


@pytest.mark.parametrize(
    ("change", "question_id", "finding"),
    [
        (
            lambda r: r.pop("task_question"),
            None,
            "left out, because field 'task_question': Field req",
        ),
        (lambda r: r.pop("participant_id"), None, "left out, because field 'participant_id'"),
        (lambda r: r.update(answer="C"), None, "left out, because field 'answer'"),
        (lambda r: r.update(topic="tides"), None, "left out, because field 'topic'"),
        (
            lambda r: r.update(user_answer=float("nan")),
            "1.1",
            "left out, because field 'user_answer'",
        ),
        (lambda r: r.update(user_answer=None), "1.1", "left out, because field 'user_answer'"),
        (lambda r: r.update(scale=[0, 100]), "1.1", "left out, because field 'scale'"),
    ],
)
def test_what_cannot_be_scored_is_left_out_and_counted(
    change: Callable[[Record], object], question_id: str | None, finding: str
) -> None:
    records = fictional.sample()
    change(first(records, question_id))
    remarks = human.Remarks()
    tables = human.convert(records, remarks)
    assert sum(table.num_rows for table in tables.values()) == 66
    [line] = [line for line in remarks.lines() if "left out" in line]
    assert finding in line
    assert ": 1 (at first record " in line


@pytest.mark.parametrize(
    ("change", "question_id", "finding"),
    [
        (lambda r: r.pop("context_qas"), None, "has no interview and is asked without one: 6"),
        (
            lambda r: r.update(context_qas=None),
            None,
            "has no interview and is asked without one: 6",
        ),
        (lambda r: r.pop("demographics"), None, "no demographics and is asked without them: 1"),
        (
            lambda r: r.pop("reason_text"),
            "1.2r_A",
            "text of a reason that is to be weighed is miss",
        ),
        (lambda r: r.update(reason_text=None), "1.2r_A", "text of a reason that is to be weighed"),
        (lambda r: r.update(task_question=r["reasoning"]), None, "quotes the reasoning behind"),
    ],
)
def test_what_can_be_scored_counts_and_is_stated(
    change: Callable[[Record], object], question_id: str | None, finding: str
) -> None:
    records = fictional.sample()
    change(first(records, question_id))
    remarks = human.Remarks()
    tables = human.convert(records, remarks)
    assert sum(table.num_rows for table in tables.values()) == 67
    assert finding in said(remarks)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.update(a_new_column={"of": "objects"}, context_length=None),
        lambda r: r.update(topic=None),
        lambda r: r.update(topic=" Zoning "),
        lambda r: r.pop("task_type"),
        lambda r: r.update(task_type="belief_dynamics_update"),
        lambda r: r.pop("question_type"),
        lambda r: r.pop("scale"),
        lambda r: r.pop("reason_code"),
        lambda r: r.update(user_answer="3"),
        lambda r: r["context_qas"][3].pop("question_number"),
    ],
)
def test_what_follows_from_elsewhere_may_be_missing(
    tmp_path: Path, change: Callable[[Record], object]
) -> None:
    records = fictional.sample()
    wanted = human.convert(records)
    clone = fictional.write_clone(records, tmp_path)
    path = data_of(clone) / "belief_dynamics_update_zoning.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    change(first(lines, "1.2r_A"))
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    tables, remarks = read(clone)
    assert "left out" not in said(remarks)
    assert all(tables[task].equals(wanted[task]) for task in wanted)


def test_a_record_given_twice_counts_once_and_a_shared_id_of_the_other_layout_is_numbered(
    selected: Path,
) -> None:
    records = list(human.read_clone(selected))
    zoning = [r for r in records if r.task == "belief_attribution" and r.topic == "zoning"]
    twice = human.Located(dict(zoning[0]), "here", task=zoning[0].task, topic="zoning")
    zoning[1]["id"] = zoning[0]["id"]
    remarks = human.Remarks()
    ids = human.convert([*records, twice], remarks)["bsi"]["item_id"].to_pylist()
    assert len(ids) == len(set(ids)) == 24
    assert "belief_state_inference-zoning-qa_001-2" in ids
    assert "a record that is given twice counts once: 1 (at first here)" in remarks.lines()
    assert "an id that items of one file share is followed by a number: 1" in said(remarks)


def test_two_records_that_give_one_row_are_one_item(tmp_path: Path) -> None:
    records = fictional.sample()
    wanted = human.convert(records)
    clone = fictional.write_clone(records, tmp_path)
    path = data_of(clone) / "belief_dynamics_update_zoning.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    # No row holds how long upstream says that the interview is.
    lines.append(lines[0] | {"context_length": 99})
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    tables, remarks = read(clone)
    assert all(tables[task].equals(wanted[task]) for task in wanted)
    assert "a record that is given twice counts once: 1" in said(remarks)
    lines[-1]["task_question"] = "Something else?"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(ValueError, match="which says something else"):
        read(clone)


def test_a_record_without_any_id_is_named_by_its_place(tmp_path: Path) -> None:
    records = fictional.sample()
    clone = fictional.write_clone(records, tmp_path)
    path = data_of(clone) / "belief_state_inference_zoning.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    for line in lines:
        del line["item_id"]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    tables, remarks = read(clone)
    ids = [name for name in tables["bsi"]["item_id"].to_pylist() if "zoning" in name]
    assert sorted(ids) == [f"belief_state_inference-zoning-at-{n}" for n in range(1, 9)]
    assert remarks.foreign


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        (b'{"item_id": "cut of', "it is not valid JSON"),
        (b"version https://git-lfs.github.com/spec/v1", "it is not valid JSON"),
        (b'{"item_id": "caf\xe9"}', "it is not UTF-8 text"),
        (b'{"a": ' * 100_000, "it is nested too deeply"),
        (b'"only text"', "what is not a JSON object is left out"),
    ],
)
def test_a_damaged_record_does_not_take_the_others_along(
    tmp_path: Path, damage: bytes, finding: str
) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path)
    path = data_of(clone) / "belief_state_inference_zoning.jsonl"
    good = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(good[0] + damage + b"\n" + b"".join(good[1:]))
    tables, remarks = read(clone)
    assert tables["bsi"].num_rows == 24
    assert finding in said(remarks)
    assert f"{path}, line 2" in said(remarks)


def test_a_damaged_object_over_several_lines_does_not_take_the_others_along(selected: Path) -> None:
    path = data_of(selected) / "sample_belief_attribution_zoning_filtered_different_results.jsonl"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"topic": "zoning",', '"topic": "zoning"', 1), encoding="utf-8")
    tables, remarks = read(selected)
    assert tables["bsi"].num_rows == 23
    assert [line for line in remarks.lines() if "left out" in line] == [
        "a record is left out, because it is not valid JSON (Expecting ',' delimiter): 1 "
        f"(at first {path}, line 1)"
    ]


def test_half_a_surrogate_pair_becomes_a_mark_and_not_an_error() -> None:
    record = fictional.sample()[0]
    record["context_qas"][0]["answer"] = "A smile \ud83d cut in two."
    for form in (record, fictional.flattened(record)):
        [row] = human.convert([form])["bsi"].to_pylist()
        assert row["context"][0]["answer"] == "A smile ? cut in two."


def test_people_without_a_topic_load(tmp_path: Path) -> None:
    records = [
        r for r in fictional.sample() if (r["participant_id"], r["topic"]) != ("P02", "zoning")
    ]
    tables, _ = read(fictional.write_clone(records, tmp_path))
    assert tables["bsi"].num_rows == 22


def test_other_names_of_keys_are_read_and_said() -> None:
    records = fictional.sample()
    wanted = human.convert(records)
    for record in records[:5]:
        record["question"] = record.pop("task_question")
        record["domain"] = record.pop("topic")
    remarks = human.Remarks()
    tables = human.convert(records, remarks)
    assert all(tables[task].equals(wanted[task]) for task in wanted)
    assert "the key 'question' is read as 'task_question': 5 (at first record 1)" in remarks.lines()


def test_no_record_whatever_it_says_ends_the_conversion() -> None:
    values = [
        None,
        "",
        0,
        -1,
        1.5,
        True,
        [],
        {},
        "x",
        ["a"],
        {"a": 1},
        "null",
        "[]",
        10**30,
        "\ud800",
    ]
    sample = fictional.sample()
    for original in (sample[0], sample[2], sample[3]):
        for key in (*original, "prolific_id", "id"):
            for value in values:
                changed = {**original, key: value}
                human.convert([changed, sample[5]], human.Remarks())
                changed.pop("item_id", None)
                human.convert([changed], human.Remarks())


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ("9" * 5_000, "it is not valid JSON (a number in it has thousands of digits)"),
        ('{"a": ' * 200 + "1" + "}" * 200, "it is nested too deeply"),
        ('{"a": ' * 50_000 + "1" + "}" * 50_000, "it is not valid JSON (it is nested too deeply)"),
    ],
    ids=["digits", "nested", "nested endlessly"],
)
def test_a_record_that_no_program_could_have_written_is_left_out(
    odd: str, reason: str, tmp_path: Path
) -> None:
    folder = fictional.write_clone(fictional.sample(), tmp_path / "clone")
    whole, _ = read(folder)
    path = next(folder.rglob("belief_dynamics_update_zoning.jsonl"))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[1] = lines[1].replace('"task_question": ', f'"odd": {odd}, "task_question": ')
    path.write_text("".join(lines), encoding="utf-8")
    tables, remarks = read(folder)
    assert tables["bdu"].num_rows == whole["bdu"].num_rows - 1
    assert tables["bsi"].equals(whole["bsi"])
    assert f"a record is left out, because {reason}: 1 (at first {path}, line 2)" in said(remarks)


@pytest.mark.parametrize("odd", ["9" * 5_000, "[" * 200 + "]" * 200], ids=["digits", "nested"])
def test_text_that_is_no_field_of_the_hub_leaves_its_record_out(odd: str) -> None:
    records = [fictional.flattened(record) for record in fictional.sample()]
    whole = human.convert(records)
    place = next(n for n, one in enumerate(records) if one["task_type"] == "belief_update")
    records[place]["scale"] = odd
    remarks = human.Remarks()
    tables = human.convert(records, remarks)
    assert tables["bdu"].num_rows == whole["bdu"].num_rows - 1
    assert "a record is left out, because field 'scale'" in said(remarks)


@pytest.mark.parametrize(
    ("gold", "is_kept"), [(11, True), (-1, True), (1_001, False), (10**30, False)]
)
def test_a_gold_beyond_its_scale_counts_unless_it_is_no_answer_at_all(
    gold: int, is_kept: bool
) -> None:
    record = next(one for one in fictional.sample() if one["task_type"] == "belief_update")
    remarks = human.Remarks()
    tables = human.convert([{**record, "user_answer": gold}], remarks)
    assert tables["bdu"]["answer"].to_pylist() == ([str(gold)] if is_kept else [])
    assert ("field 'user_answer': Input should be less than" in said(remarks)) is not is_kept
