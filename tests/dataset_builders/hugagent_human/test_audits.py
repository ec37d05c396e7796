"""The audits of the human track: each holds for the known release, and each can fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from otherminds.dataset_builders.hugagent import human
from otherminds.dataset_builders.hugagent.features import ITEM
from tests import fictional_hugagent as fictional

Record = dict[str, Any]

MANIFEST = Path(__file__).parents[3] / "cards" / "hugagent" / "manifest.yaml"
RELEASE: Mapping[str, Any] = yaml.safe_load(MANIFEST.read_text(encoding="utf-8"))["facts"]

# Of the sample: 4 people; on each topic 2 BSI items each, and a scenario, a reason and a baseline
# each, but for one baseline on zoning; one more item each on surveillance and on zoning (a gold of 0).
SAMPLE = human.Facts(
    people=4,
    items={
        "bsi": {"healthcare": 8, "surveillance": 8, "zoning": 8},
        "bdu": {"healthcare": 12, "surveillance": 16, "zoning": 15},
    },
    either_answers=1,
    golds_outside_scale=4,
    scenario_answers={"healthcare": 4, "surveillance": 4, "zoning": 4},
    scenario_answers_paired={"healthcare": 4, "surveillance": 4, "zoning": 3},
    people_paired={"healthcare": 4, "surveillance": 4, "zoning": 3},
    context_turns=(0, 20),
)


def failed(
    records: list[Record], expected: human.Facts = SAMPLE, *, raw: bool = True
) -> dict[str, human.Audit]:
    audits = human.audit(human.convert(records), expected, records if raw else None)
    return {audit.name: audit for audit in audits if not audit.passed}


def test_the_release_at_full_size_passes(shared_data: Path) -> None:
    records = fictional.full_release(shared_data / "hugagent" / "golds.csv")
    audits = human.audit(human.convert(records), human.facts(RELEASE), records)
    assert {audit.name: audit.detail for audit in audits if not audit.passed} == {}
    found = {audit.name: audit.value for audit in audits}
    assert found["counts_bsi"] == "healthcare 108, surveillance 122, zoning 126"
    assert found["counts_bdu"] == "healthcare 472, surveillance 364, zoning 550"
    assert found["scenario_answers_paired"] == "healthcare 47, surveillance 24, zoning 21"
    assert found["golds_outside_scale"] == 54
    assert found["context_turns"] == "16 to 44"


def test_the_sample_passes_with_its_own_facts() -> None:
    assert failed(fictional.sample()) == {}


def test_without_the_records_what_they_hide_is_not_audited() -> None:
    names = {audit.name for audit in human.audit(human.convert(fictional.sample()), SAMPLE)}
    assert "source_texts" not in names
    assert len(names) == 11


@pytest.mark.parametrize(
    ("wrong", "audit"),
    [
        ({"people": 5}, "counts_people"),
        ({"items": {**SAMPLE.items, "bsi": {"zoning": 24}}}, "counts_bsi"),
        ({"items": {**SAMPLE.items, "bdu": {**SAMPLE.items["bdu"], "zoning": 16}}}, "counts_bdu"),
        ({"either_answers": 0}, "either_answers"),
        ({"golds_outside_scale": 3}, "golds_outside_scale"),
        ({"scenario_answers": {"zoning": 4}}, "scenario_answers"),
        ({"scenario_answers_paired": SAMPLE.scenario_answers}, "scenario_answers_paired"),
        ({"people_paired": SAMPLE.scenario_answers}, "people_paired"),
        ({"context_turns": (1, 20)}, "context_turns"),
        ({"context_turns": (0, 19)}, "context_turns"),
    ],
)
def test_other_facts_than_the_datas_fail(wrong: dict[str, Any], audit: str) -> None:
    assert list(failed(fictional.sample(), replace(SAMPLE, **wrong))) == [audit]


def test_a_gold_outside_its_scale_that_is_not_0_fails() -> None:
    records = fictional.sample()
    next(r for r in records if r.get("user_answer") == 0)["user_answer"] = 6
    found = failed(records)
    assert list(found) == ["golds_outside_scale"]
    assert "1 times 6 in 1.4r_G" in found["golds_outside_scale"].detail


def test_a_reason_without_text_fails() -> None:
    records = fictional.sample()
    next(r for r in records if "reason_text" in r)["reason_text"] = " "
    assert list(failed(records)) == ["reason_texts"]


def test_an_id_in_both_tables_fails() -> None:
    tables = human.convert(fictional.sample())
    row = {**tables["bdu"].to_pylist()[0], "item_id": tables["bsi"]["item_id"][0].as_py()}
    tables["bdu"] = pa.Table.from_pylist([row, *tables["bdu"].to_pylist()[1:]], schema=ITEM)
    assert [a.name for a in human.audit(tables, SAMPLE) if not a.passed] == ["ids_unique"]


def _show_the_source(record: Record) -> None:
    record["context_qas"] += [record["source_qa"]]


def _quote_the_answer(record: Record) -> None:
    # Neither case nor spacing hides a quotation.
    said = record["source_qa"]["answer"].upper().replace(" ", "\n")
    record["task_question"] = f"You heard: {said}. And so?"


def _quote_the_reasoning(record: Record) -> None:
    record["demographics"]["note"] = record["reasoning"]


def _repeat_a_short_source(record: Record) -> None:
    record["source_qa"] = {"question": "Really?", "answer": "Yes."}
    record["context_qas"][0] = {"question": "  really? ", "answer": "yes."}


@pytest.mark.parametrize(
    "leak", [_show_the_source, _quote_the_answer, _quote_the_reasoning, _repeat_a_short_source]
)
@pytest.mark.parametrize("flat", [False, True], ids=["objects", "JSON text"])
def test_a_source_in_the_prompt_fails(leak: Callable[[Record], None], flat: bool) -> None:
    records = fictional.sample()
    leak(records[0])
    found = failed([fictional.flattened(r) for r in records] if flat else records)
    assert list(found) == ["source_texts"]
    assert records[0]["item_id"] in found["source_texts"].detail
    assert found["source_texts"].value == 1


def test_a_short_answer_that_others_give_too_is_no_leak() -> None:
    records = fictional.sample()
    records[0]["source_qa"] = {"question": "Is it so?", "answer": "Yes."}
    records[0]["context_qas"][0]["answer"] = "Yes. Quite."
    assert failed(records) == {}


@pytest.mark.parametrize("form", ["I hold that the ferry is far too slow.", json.dumps(None), None])
def test_a_source_of_another_form_is_read_too(form: str | None) -> None:
    records = fictional.sample()
    records[0]["source_qa"] = form
    assert failed(records) == {}
    records[0]["context_qas"][2]["answer"] = "Well. I hold that the ferry is far too slow. Done."
    assert list(failed(records)) == (["source_texts"] if form and "ferry" in form else [])


def test_a_record_that_the_tables_lack_fails() -> None:
    records = fictional.sample()
    tables = human.convert(records)
    foreign = {**records[0], "item_id": "belief_state_inference-zoning-9999"}
    audits = human.audit(tables, SAMPLE, [*records, foreign])
    assert [audit.name for audit in audits if not audit.passed] == ["source_texts"]


def test_facts_must_be_the_known_ones() -> None:
    assert human.facts(RELEASE).context_turns == (16, 44)
    with pytest.raises(ValueError, match="The facts of a release are"):
        human.facts({"people": 54})


def test_an_empty_release_fails_without_an_exception() -> None:
    names = list(failed([]))
    assert {"counts_bsi", "counts_bdu", "counts_people", "either_answers"} <= set(names)
