"""The synthetic personas: same seed, same bytes; plausible people; audits and margins that bite."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml

from otherminds import manifest
from otherminds.dataset_builders.content_files import ContentError
from otherminds.dataset_builders.trust_game import synthetic
from otherminds.dataset_builders.trust_game.attributes import (
    BANK,
    LEVEL_SETS,
    PAPER,
    PERSONA_FIELDS,
    key_of,
)
from otherminds.dataset_builders.trust_game.margins import FILE, draw_values, tables
from otherminds.dataset_builders.trust_game.schema import CONFIG, PERSONA
from otherminds.dataset_builders.trust_game.synthetic import SyntheticSpec

SPEC = SyntheticSpec(personas=1_000, seed=11, levels="paper")
PEOPLE = [draw_values(tables("bank"), 5, f"person {number}") for number in range(4_000)]


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return synthetic.build(SPEC)[CONFIG]


def share(rows: list[dict[str, str]], **said: str) -> float:
    return sum(said.items() <= row.items() for row in rows) / len(rows)


def test_the_release_is_what_the_manifest_says() -> None:
    known = manifest.load("trust-game-synthetic")
    spec = synthetic.spec(known.generator or {})
    told: list[tuple[int, int]] = []
    built = synthetic.build(spec, num_proc=2, progress=lambda *done: told.append(done))
    assert synthetic.content_hash(built[CONFIG]) == known.configs[CONFIG].content_hash
    assert {"test": built[CONFIG].num_rows} == known.configs[CONFIG].splits
    assert [audit for audit in synthetic.audit(built, spec) if not audit.passed] == []
    assert told == [(1_000, 1_000)]


# The test levels of the paper's Table 5, as the specification lists them.
TABLE_5 = {
    "age": {"18-29", "30-44", "45-64", "65+"},
    "conscientiousness": {"High", "Moderate", "Low"},
    "openness": {"High", "Moderate", "Low"},
    "family_structure_at_16": {
        *("Both parents", "Foster care", "Grandparents", "Other guardian"),
        *("Single father", "Single mother"),
    },
    "highest_degree": {
        *("Associate/junior college", "Bachelor's", "Graduate", "High school"),
        "Less than high school",
    },
    "political_views": {
        *("Extremely liberal", "Slightly liberal"),
        *("Slightly conservative", "Extremely conservative"),
    },
    "same_residence_since_16": {
        *("Different state", "Same city", "Same state but different city"),
    },
    "us_citizenship": {"Yes", "No"},
    "work_status": {"In school", "Keeping house", "Retired", "Other"},
    "religion": {"Jewish", "Muslim", "None", "Orthodox Christian", "Protestant"},
}


def test_personas_have_the_levels_of_the_papers_table_5_and_no_others(table: pa.Table) -> None:
    assert {one.name: set(one.levels) for one in PAPER.ranked} == TABLE_5
    labels = {one.label: one.name for one in PAPER.ranked if one.name != "age"}
    found: dict[str, set[str]] = {}
    for row in table.to_pylist():
        for one in row["levels"]:
            found.setdefault(one["attribute"], set()).add(one["level"])
        for one in row["attributes"]:
            if one["attribute"] in labels:
                # What a prompt shows is the level itself, for religion too, which is not evaluated.
                found.setdefault(labels[one["attribute"]], set()).add(one["value"])
    assert found == TABLE_5


def test_the_banks_levels_can_be_drawn_as_well() -> None:
    spec = SyntheticSpec(personas=1_000, seed=11, levels="bank")
    built = synthetic.build(spec)
    assert [audit for audit in synthetic.audit(built, spec) if not audit.passed] == []
    seen = {one["level"] for row in built[CONFIG].to_pylist() for one in row["levels"]}
    assert seen == {level for one in BANK.evaluated for level in one.levels}
    # Under the other levels, the same rows are faulty.
    wrong = synthetic.audit(built, SPEC)
    assert "levels_shown" in {audit.name for audit in wrong if not audit.passed}


def test_only_what_the_paper_changes_is_drawn_otherwise() -> None:
    paper = [draw_values(tables("paper"), 5, f"person {number}") for number in range(300)]
    changed = {
        key
        for key in PEOPLE[0]
        if any(a[key] != b[key] for a, b in zip(PEOPLE, paper, strict=False))
    }
    told_apart = {key_of(one) for one in PAPER.ranked}
    assert changed <= told_apart | {"religion_at_16", "party_identification"}


def test_same_seed_same_rows_and_another_seed_others(table: pa.Table) -> None:
    assert table.schema.equals(PERSONA)
    assert synthetic.build(SPEC)[CONFIG].equals(table)
    other = synthetic.build(SyntheticSpec(personas=1_000, seed=12, levels="paper"))[CONFIG]
    assert other["attributes"] != table["attributes"]


def test_a_persona_is_the_same_whoever_else_is_drawn(table: pa.Table) -> None:
    fewer = synthetic.build(SyntheticSpec(personas=900, seed=11, levels="paper"))[CONFIG]
    for column in ("persona_id", "attributes", "levels"):
        assert fewer[column].to_pylist() == table[column].to_pylist()[:900]


def test_values_are_as_frequent_as_the_margins_say() -> None:
    # With 4,000 people the standard error of a share is at most 0.008; 0.03 is nearly four of them.
    assert share(PEOPLE, sex="Female") == pytest.approx(0.51, abs=0.03)
    assert share(PEOPLE, detailed_race="White") == pytest.approx(0.615, abs=0.03)
    asian = [one for one in PEOPLE if one["detailed_race"] == "Asian"]
    # About 250 people: a standard error of 0.03.
    assert share(asian, born_in_us="No") == pytest.approx(0.68, abs=0.12)
    young = [one for one in PEOPLE if 18 <= int(one["age"]) <= 21]
    # 70 of 974 parts are from 18 to 21, evenly spread over the four years.
    assert len(young) / len(PEOPLE) == pytest.approx(70 / 974, abs=0.02)
    assert set(Counter(one["age"] for one in young)) == {"18", "19", "20", "21"}


def test_what_people_are_hangs_together() -> None:
    old = [one for one in PEOPLE if int(one["age"]) >= 75]
    young = [one for one in PEOPLE if int(one["age"]) < 30]
    assert share(old, work_status="Retired") > 0.8
    assert share(young, work_status="Retired") == 0
    assert share(old, marital_status="Widowed") > 0.2
    assert share(young, marital_status="Widowed") == 0
    assert all(
        one["born_in_us"] == "No"
        for one in PEOPLE
        if one["us_citizenship_status"] == "Not a U.S. citizen"
    )
    educated = [
        one for one in PEOPLE if one["mothers_highest_degree"] in ("Bachelor's", "Graduate")
    ]
    assert share(educated, highest_degree_received="Graduate") > share(
        PEOPLE, highest_degree_received="Graduate"
    )


def test_who_stayed_in_the_state_lived_in_its_region() -> None:
    regions: dict[str, set[str]] = {}
    for one in PEOPLE:
        if one["same_residence_since_16"] != "Different state":
            regions.setdefault(one["state"], set()).add(one["residence_at_16"])
    assert all(len(found) == 1 for found in regions.values())
    assert len({region for found in regions.values() for region in found}) == 9
    assert regions["TX"] == {"West South Central"}


def test_every_table_names_its_source() -> None:
    for levels in LEVEL_SETS:
        listed = tables(levels)
        assert {table.attribute for table in listed} == {field.key for field in PERSONA_FIELDS}
        assert all(len(table.source) > 20 for table in listed)


def test_too_few_people_cannot_cover_every_level() -> None:
    with pytest.raises(ValueError, match="sample of 50 personas cannot be drawn from 20"):
        synthetic.build(SyntheticSpec(personas=100, seed=1, levels="paper"))


def test_a_fault_fails_its_audit(table: pa.Table) -> None:
    found = {a.name for a in synthetic.audit({CONFIG: table}, SPEC) if not a.passed}
    assert found == set()
    fewer = {CONFIG: table.slice(0, 900)}
    assert "personas_wanted" in {a.name for a in synthetic.audit(fewer, SPEC) if not a.passed}
    rows = table.to_pylist()
    for row in rows:
        shown = {one["attribute"]: one for one in row["attributes"]}
        shown["Marital status"]["value"] = "Widowed"
    widowed = {CONFIG: pa.Table.from_pylist(rows, schema=PERSONA)}
    (failed,) = (audit for audit in synthetic.audit(widowed, SPEC) if not audit.passed)
    assert failed.name == "plausible"
    assert "widowed before 35" in failed.detail


@pytest.mark.parametrize(
    ("generator", "message"),
    [
        ({"seed": 1}, "parameters levels, personas, seed; these are seed"),
        (
            {"personas": 0, "seed": 1, "levels": "paper"},
            "personas is 0, but must lie between 1 and 9,999",
        ),
        ({"personas": 10_000, "seed": 1, "levels": "paper"}, "must lie between 1 and 9,999"),
        (
            {"personas": "9", "seed": 1, "levels": "paper"},
            "personas is '9', but must be a whole number",
        ),
        ({"personas": 9, "seed": -1, "levels": "paper"}, "seed is -1"),
        (
            {"personas": 9, "seed": 1, "levels": "ours"},
            "levels is 'ours', but must be one of: paper",
        ),
    ],
)
def test_impossible_parameters_are_one_clear_error(
    generator: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        synthetic.spec(generator)


def test_no_process_is_an_error() -> None:
    with pytest.raises(ValueError, match="num_proc is 0"):
        synthetic.build(SPEC, num_proc=0)


def _table(content: dict[str, Any], attribute: str) -> dict[str, Any]:
    return next(one for one in content["tables"] if one["attribute"] == attribute)


def _edit(edited: str, **changes: Any) -> Any:
    def edit(content: dict[str, Any]) -> None:
        _table(content, edited).update(changes)

    return edit


EVERYBODY = [{"weights": {"Yes": 1}}]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (_edit("sex", source="hearsay"), "'sex' names the unknown source 'hearsay'"),
        (_edit("sex", attribute="shoe_size"), "'shoe_size' is not an attribute of personas"),
        (_edit("sex", attribute="age"), "'age' has two tables"),
        (_edit("sex", cases=[]), "at least 1 item"),
        (_edit("sex", cases=[{"weights": {"Male": 0}}]), "greater than 0"),
        (_edit("sex", cases=[{"weights": {"Male": 0.5}}]), "valid integer"),
        (_edit("sex", cases=[{"weights": {}}]), "at least 1 item"),
        (
            _edit("born_in_us", cases=[{"when": {"age": "18-24"}, "weights": {"Yes": 1}}]),
            "needs one case for everybody else",
        ),
        (_edit("born_in_us", cases=EVERYBODY * 2), "needs one case for everybody else"),
        (
            _edit("sex", cases=[{"when": {"state": "TX"}, "weights": {"Male": 1}}, *EVERYBODY]),
            "depends on 'state', which is not drawn before it",
        ),
        (
            _edit("state", cases=[{"when": {"sex": "X"}, "weights": {"TX": 1}}, *EVERYBODY]),
            "depends on values that sex never has: X",
        ),
        (
            _edit("state", cases=[{"when": {"age": "12-17"}, "weights": {"TX": 1}}, *EVERYBODY]),
            "impossible age: an age of 12 is not between",
        ),
        (
            _edit("state", cases=[{"when": {"age": "old"}, "weights": {"TX": 1}}, *EVERYBODY]),
            "impossible age: 'old' is not a range of ages",
        ),
        (
            _edit("state", cases=[{"when": {"age": ["18-24"]}, "weights": {"TX": 1}}, *EVERYBODY]),
            "gives ages as a list",
        ),
        (_edit("age", cases=[{"weights": {"40-20": 1}}]), "'40-20' is not a range of ages"),
        (
            _edit("work_status", cases=[{"weights": {"Astronaut": 1}}]),
            "unknown value: 'Astronaut' is not a level of work_status",
        ),
        (lambda content: content["tables"].pop(), "no table: total_wealth"),
    ],
)
def test_margins_that_cannot_be_used(tmp_path: Path, edit: Any, message: str) -> None:
    content = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    edit(content)
    path = tmp_path / "margins.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    with pytest.raises(ContentError, match=message):
        tables("bank", path)
