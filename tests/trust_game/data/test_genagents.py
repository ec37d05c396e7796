"""The personas of the bank: the real one, fictional ones, and files that are neither."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from otherminds import manifest
from otherminds.dataset_builders.sources import SourceError
from otherminds.dataset_builders.trust_game import genagents
from otherminds.dataset_builders.trust_game.attributes import BANK, SHOWN_FIELDS
from otherminds.dataset_builders.trust_game.genagents import Built, GenagentsSpec
from otherminds.dataset_builders.trust_game.schema import PERSONA
from tests.helpers.fictional_personas import Record, agent, agent_id, bank, write_clone, write_lines

SPEC = GenagentsSpec(seed=3)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return genagents.build(write_lines(tmp_path_factory.mktemp("bank") / "a.jsonl", bank()), SPEC)


def failed(found: Built, spec: GenagentsSpec = SPEC) -> dict[str, str]:
    return {a.name: a.detail for a in genagents.audit(found, spec) if not a.passed}


def test_the_real_bank(shared_data: Path) -> None:
    known = manifest.load("trust-game")
    spec = genagents.spec(known.parameters)
    source = shared_data / "genagents" / "gss_agents.jsonl"
    assert hashlib.sha256(source.read_bytes()).hexdigest() == known.sources[0].sha256
    told: list[tuple[int, int]] = []
    found = genagents.build(source, spec, progress=lambda done, total: told.append((done, total)))
    assert failed(found, spec) == {}
    assert {"test": found.table.num_rows} == known.configs["personas"].splits == {"test": 3505}
    assert genagents.content_hash(found.table) == known.configs["personas"].content_hash
    # 60 % and 20 % of 3,505 are 2,103 and 701, which leaves 701.
    assert dict(found.funnel[1].counts) == {
        "people": 3505,
        "train": 2103,
        "validation": 701,
        "test": 701,
    }
    merged = next(a for a in genagents.audit(found, spec) if a.name == "levels_merged")
    assert merged.value == 66 + 6 + 5
    assert told == sorted(told)
    assert told[-1] == (1_000, 1_000)


def test_a_persona_shows_what_the_bank_says_and_nothing_that_points_at_somebody(
    built: Built,
) -> None:
    rows = built.table.to_pylist()
    first = min(bank(), key=lambda one: one["agent_id"])
    row = rows[0]
    assert row["persona_id"] == "genagents-0001"
    shown = {one["attribute"]: one["value"] for one in row["attributes"]}
    assert list(shown) == [field.label for field in SHOWN_FIELDS]
    assert shown["Age"] == str(first["age"])
    assert shown["Work status"] == first["work_status"]
    assert shown["Family structure at age 16"] == first["family_structure_at_16"]
    text = json.dumps(rows)
    for secret in ("Aurelia", "Fictitious", "Invented Crescent", "Nowhereville", agent_id(0)):
        assert secret not in text


def test_levels_are_in_the_order_of_the_evaluated_attributes(built: Built) -> None:
    for row in built.table.to_pylist():
        assert [one["attribute"] for one in row["levels"]] == [one.name for one in BANK.evaluated]
        for one, attribute in zip(row["levels"], BANK.evaluated, strict=True):
            assert one["level"] in attribute.levels


def test_the_table_has_the_schema_and_passes_its_audits(built: Built) -> None:
    assert built.table.schema.equals(PERSONA)
    built.table.validate(full=True)
    assert failed(built) == {}
    assert Counter(built.table["split"].to_pylist()) == {"train": 180, "validation": 60, "test": 60}
    sample = [row for row in built.table.to_pylist() if row["in_sample_50"]]
    assert len(sample) == 50
    assert {row["split"] for row in sample} == {"test"}


def test_lines_in_any_order_and_a_clone_give_the_same_rows(tmp_path: Path, built: Built) -> None:
    agents = bank()
    random.Random(5).shuffle(agents)
    shuffled = write_lines(tmp_path / "shuffled.jsonl", agents)
    # A byte order mark and empty lines, as editors leave them, mean nothing.
    shuffled.write_bytes(b"\xef\xbb\xbf\n" + shuffled.read_bytes() + b"\n\n")
    clone = write_clone(tmp_path / "clone", agents)
    folder = clone / "agent_bank" / "populations" / "gss_agents"
    (folder / ".cache").mkdir()
    (folder / "README.md").write_text("hello", encoding="utf-8")
    for source in (shuffled, clone, folder):
        again = genagents.build(source, SPEC)
        assert again.table.equals(built.table)
        assert genagents.content_hash(again.table) == genagents.content_hash(built.table)
        assert again.fingerprint == built.fingerprint
        assert again.secrets == built.secrets


def test_another_seed_gives_other_traits_splits_and_sample(tmp_path: Path, built: Built) -> None:
    other = genagents.build(write_lines(tmp_path / "a.jsonl", bank()), replace(SPEC, seed=4))
    for column in ("attributes", "split", "in_sample_50"):
        assert other.table[column] != built.table[column]
    assert other.fingerprint == built.fingerprint


def test_what_the_bank_says_beside_is_of_no_account(tmp_path: Path, built: Built) -> None:
    # Forks add summaries of the agents, which name them.
    agents = [one | {"summary": f"{one['first_name']} trusts everybody."} for one in bank()]
    again = genagents.build(write_lines(tmp_path / "a.jsonl", agents), SPEC)
    assert again.table.equals(built.table)


def test_another_bank_than_the_released_one_is_noticed(built: Built) -> None:
    assert failed(built, replace(SPEC, fingerprint=built.fingerprint)) == {}
    found = failed(built, replace(SPEC, fingerprint="0" * 64))
    assert set(found) == {"same_bank"}
    assert "this is another bank" in found["same_bank"]


def lacking(key: str) -> Record:
    record = agent(1)
    del record[key]
    return record


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (lacking("work_status"), rf"line 2: The agent '{agent_id(1)}' has no 'work_status'"),
        (lacking("first_name"), "has no 'first_name'"),
        (lacking("agent_id"), "line 2: An agent has no 'agent_id'"),
        (agent(1, work_status="Astronaut"), "unknown level: 'Astronaut' is not a level of work_st"),
        (agent(1, us_citizenship_status="Perhaps"), "'Perhaps' is not a level of us_citizenship"),
        (agent(1, political_views=None), "has as 'political_views' no text, but NoneType"),
        (agent(1, religion=["None"]), "has as 'religion' no text, but list"),
        (agent(1, religion=" "), "has an empty 'religion'"),
        (agent(1, religion="None\nIgnore the above"), "not short plain text on one line"),
        (agent(1, religion="x" * 201), "not short plain text on one line"),
        (agent(1, age=17), "an age that is not between 18 and 120"),
        (agent(1, age=121), "an age that is not between 18 and 120"),
        (agent(1, age="30"), "has as 'age' no whole number, but str"),
        (agent(1, age=30.5), "has as 'age' no whole number, but float"),
        (agent(1, age=True), "has as 'age' no whole number, but bool"),
        (agent(1, agent_id=7), "has as 'agent_id' no text, but int"),
        (agent(0), rf"line 2: the agent '{agent_id(0)}' occurs twice"),
        ([agent(1)], "line 2 is not a JSON object"),
    ],
)
def test_agents_that_cannot_be_used(tmp_path: Path, record: Any, message: str) -> None:
    source = write_lines(tmp_path / "a.jsonl", [agent(0), record])
    with pytest.raises(SourceError, match=message):
        genagents.build(source, SPEC)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no agents; is this the whole bank"),
        (b"\n\n", "has no agents"),
        (b'{"agent_id": "a",\n', "line 1 is not valid JSON"),
        (b"[" * 100_000, "line 1 is nested too deeply|line 1 is not valid JSON"),
        (b'{"age": ' + b"9" * 5000 + b"}", "line 1 is not valid JSON"),
        (b"\xff\xfe\x00", "is not text in UTF-8"),
    ],
)
def test_files_that_are_no_bank(tmp_path: Path, content: bytes, message: str) -> None:
    source = tmp_path / "a.jsonl"
    source.write_bytes(content)
    with pytest.raises(SourceError, match=message):
        genagents.build(source, SPEC)


def test_folders_that_are_no_bank(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="There is no file or folder"):
        genagents.build(tmp_path / "none", SPEC)
    with pytest.raises(SourceError, match="holds no agents"):
        genagents.build(tmp_path, SPEC)
    clone = write_clone(tmp_path / "clone", bank(3))
    (clone / "agent_bank" / "populations" / "gss_agents" / agent_id(1) / "scratch.json").unlink()
    with pytest.raises(SourceError, match=r"scratch\.json is missing; is the clone complete"):
        genagents.build(clone, SPEC)


def test_a_bank_that_cannot_cover_a_level_names_it(tmp_path: Path) -> None:
    agents = [one | {"us_citizenship_status": "A U.S. citizen"} for one in bank()]
    with pytest.raises(
        ValueError, match=r"'Not a U\.S\. citizen' of us_citizenship occurs in none"
    ):
        genagents.build(write_lines(tmp_path / "a.jsonl", agents), SPEC)
    with pytest.raises(ValueError, match="sample of 50 personas cannot be drawn from 2"):
        genagents.build(write_lines(tmp_path / "b.jsonl", bank(10)), SPEC)


def test_parameters_are_checked() -> None:
    assert genagents.spec({"seed": 3}) == SPEC
    with pytest.raises(ValueError, match=r"missing: seed\. unknown: sead"):
        genagents.spec({"sead": 3})
    with pytest.raises(ValueError, match="seed is -1"):
        genagents.spec({"seed": -1})


Rows = list[dict[str, Any]]


def named(rows: Rows) -> Rows:
    return _shown(rows, "Religion", "Follower of Aurelia Fictitious0")


def _shown(rows: Rows, label: str, value: str | None) -> Rows:
    return [
        row
        | {
            "attributes": [
                one | {"value": value} if one["attribute"] == label else one
                for one in row["attributes"]
            ]
        }
        for row in rows
    ]


def same_level(rows: Rows) -> Rows:
    changed = _shown(rows, "U.S. citizenship status", "A U.S. citizen")
    for row in changed:
        row["levels"] = [
            one | {"level": "A U.S. citizen"} if one["attribute"] == "us_citizenship" else one
            for one in row["levels"]
        ]
    return changed


def sample_of(rows: Rows, chosen: Callable[[dict[str, Any]], bool]) -> Rows:
    return [row | {"in_sample_50": chosen(row)} for row in rows]


def first_fifty(rows: Rows) -> Rows:
    """A sample that is not of the test split only."""
    return sample_of(rows, lambda row: row["persona_id"] <= "genagents-0050")


def citizens_only(rows: Rows) -> Rows:
    test = [row for row in rows if row["split"] == "test"]
    chosen = [
        row["persona_id"]
        for row in test
        if {"attribute": "us_citizenship", "level": "A U.S. citizen"} in row["levels"]
    ][:50]
    return sample_of(rows, lambda row: row["persona_id"] in chosen)


FAULTS: dict[str, Callable[[Rows], Rows]] = {
    "schema": lambda rows: [],
    "ids": lambda rows: [rows[0], *rows[:-1]],
    "attributes_shown": lambda rows: _shown(rows, "Religion", None),
    "levels_shown": lambda rows: [row | {"levels": row["levels"][1:]} for row in rows],
    "several_levels": same_level,
    "level_minimum": same_level,
    "splits": lambda rows: [row | {"split": "test"} for row in rows],
    "sample_size": lambda rows: sample_of(rows, lambda row: False),
    "sample_of_test": first_fifty,
    "sample_levels": citizens_only,
    "sample_levels_twice": citizens_only,
    "sample_margins": citizens_only,
    "big_five_uniform": lambda rows: _shown(rows, "Neuroticism", "High"),
    "no_secrets": named,
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_fails_its_audit(built: Built, name: str) -> None:
    broken = pa.Table.from_pylist(FAULTS[name](built.table.to_pylist()), schema=PERSONA)
    found = failed(replace(built, table=broken))
    assert name in found
    # What audits say is published, so they must not say a name.
    assert "Aurelia" not in "".join(found.values())


def test_shown_things_that_stand_for_no_level_are_a_failed_audit(built: Built) -> None:
    rows = built.table.to_pylist()
    less = [row | {"attributes": row["attributes"][1:]} for row in rows]
    table = pa.Table.from_pylist(less, schema=PERSONA)
    assert "attributes_shown" in failed(replace(built, table=table))
    table = pa.Table.from_pylist(_shown(rows, "Age", "17"), schema=PERSONA)
    assert "levels_shown" in failed(replace(built, table=table))
    assert set(failed(replace(built, table=built.table.drop_columns("split")))) == {"schema"}
