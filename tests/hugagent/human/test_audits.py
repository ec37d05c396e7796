"""The audits of the human track: each holds for the known release, and each can fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from otherminds.dataset_builders.hugagent import human
from tests.helpers import fictional_hugagent as fictional

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
    # `fictional.SHOWN`
    source_shown={"healthcare": 1, "surveillance": 2, "zoning": 1},
    people_source_shown=4,
)


def failed(records: list[Record], expected: human.Facts = SAMPLE) -> dict[str, human.Audit]:
    audits = human.audit(human.convert(records), expected)
    return {audit.name: audit for audit in audits if not audit.passed}


def test_the_release_at_full_size_passes(shared_data: Path) -> None:
    records = fictional.full_release(shared_data / "hugagent" / "golds.csv")
    audits = human.audit(human.convert(records), human.facts(RELEASE))
    assert {audit.name: audit.detail for audit in audits if not audit.passed} == {}
    found = {audit.name: audit.value for audit in audits}
    assert found["counts_bsi"] == "healthcare 108, surveillance 122, zoning 126"
    assert found["counts_bdu"] == "healthcare 472, surveillance 364, zoning 550"
    assert found["scenario_answers_paired"] == "healthcare 47, surveillance 24, zoning 21"
    assert found["golds_outside_scale"] == 54
    assert found["context_turns"] == "16 to 44"
    assert found["source_shown"] == "healthcare 13, surveillance 10, zoning 25"
    assert found["people_source_shown"] == 15


def test_the_sample_passes_with_its_own_facts() -> None:
    assert failed(fictional.sample()) == {}


def test_only_ids_that_are_not_unique_are_refused() -> None:
    audits = human.audit(human.convert([]), SAMPLE)
    assert [audit.name for audit in audits if audit.kind == "fatal"] == ["ids_unique"]
    assert len(audits) == 13


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
        ({"source_shown": {"healthcare": 1, "zoning": 1}}, "source_shown"),
        ({"people_source_shown": 3}, "people_source_shown"),
    ],
)
def test_other_facts_than_the_datas_fail(wrong: dict[str, Any], audit: str) -> None:
    assert list(failed(fictional.sample(), replace(SAMPLE, **wrong))) == [audit]


def test_a_gold_outside_its_scale_that_is_not_0_fails() -> None:
    records = fictional.sample()
    next(r for r in records if r.get("user_answer") == 0)["user_answer"] = 6
    found = failed(records)
    assert list(found) == ["golds_outside_scale"]
    assert not found["golds_outside_scale"].refused
    assert "1 times 6 in 1.4r_G" in found["golds_outside_scale"].detail


def test_a_reason_without_text_fails() -> None:
    records = fictional.sample()
    next(r for r in records if "reason_text" in r)["reason_text"] = " "
    assert list(failed(records)) == ["reason_texts"]


def test_an_id_in_both_tables_fails() -> None:
    tables = human.convert(fictional.sample())
    row = {**tables["bdu"].to_pylist()[0], "item_id": tables["bsi"]["item_id"][0].as_py()}
    others = tables["bdu"].to_pylist()[1:]
    tables["bdu"] = pa.Table.from_pylist([row, *others], schema=human.HUMAN_ITEM)
    assert [a.name for a in human.audit(tables, SAMPLE) if not a.passed] == ["ids_unique"]


def test_facts_must_be_the_known_ones() -> None:
    assert human.facts(RELEASE).context_turns == (16, 44)
    with pytest.raises(ValueError, match="The facts of a release are"):
        human.facts({"people": 54})


def test_an_empty_release_fails_without_an_exception() -> None:
    names = list(failed([]))
    assert {"counts_bsi", "counts_bdu", "counts_people", "either_answers"} <= set(names)
