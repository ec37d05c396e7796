"""The synthetic debate population as a whole: same seed, same bytes; exact shape; audits that bite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.debate import synthetic
from otherminds.dataset_builders.debate.schema import BELIEF, CATEGORIES, CONFIG
from otherminds.dataset_builders.debate.synthetic import SyntheticSpec
from otherminds.dataset_builders.debate.synthetic_content import load, propositions
from otherminds.dataset_builders.debate.synthetic_people import FEWEST_BELIEFS, MOST_BELIEFS

Rows = list[dict[str, Any]]
SPEC = SyntheticSpec(users=60, seed=11, subset=6)


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return synthetic.build(SPEC)[CONFIG]


@pytest.fixture(scope="module")
def rows(table: pa.Table) -> Rows:
    return list(table.to_pylist())


def first_rows(rows: Rows) -> Rows:
    return list({row["user_id"]: row for row in reversed(rows)}.values())[::-1]


def test_same_seed_same_bytes_with_any_number_of_processes(table: pa.Table) -> None:
    reports: list[tuple[int, int]] = []
    again = synthetic.build(SPEC, num_proc=3, progress=lambda *done: reports.append(done))[CONFIG]
    assert again.equals(table)
    assert synthetic.content_hash(again) == synthetic.content_hash(table)
    assert reports == [(60, 60)]


def test_another_seed_gives_other_people(table: pa.Table) -> None:
    other = synthetic.build(SyntheticSpec(users=60, seed=12, subset=6))[CONFIG]
    assert synthetic.content_hash(other) != synthetic.content_hash(table)


def test_a_person_is_the_same_whoever_else_is_drawn(rows: Rows) -> None:
    fewer = synthetic.build(SyntheticSpec(users=7, seed=11, subset=0))[CONFIG].to_pylist()
    for row in fewer:
        row["in_subset_100"] = None
    expected = [dict(row, in_subset_100=None) for row in rows if row["user_id"] <= "U00007"]
    assert fewer == expected


def test_the_table_has_the_shared_schema_and_the_subset_mark(table: pa.Table) -> None:
    assert table.schema.names == [*BELIEF.names, "in_subset_100"]
    assert pa.schema(list(table.schema)[:-1]) == BELIEF
    table.validate(full=True)


def test_rows_are_ordered_by_person_then_item(rows: Rows) -> None:
    keys = [(row["user_id"], row["item_id"]) for row in rows]
    assert keys == sorted(keys)
    assert [row["item_id"] for row in rows] == [
        f"synthetic-{place + 1:06d}" for place in range(len(rows))
    ]
    assert len({row["user_id"] for row in rows}) == 60


def test_the_oldest_four_fifths_are_known(rows: Rows) -> None:
    for row in first_rows(rows):
        tests = sum(other["user_id"] == row["user_id"] for other in rows)
        total = row["n_known"] + tests
        assert FEWEST_BELIEFS <= total <= MOST_BELIEFS
        assert row["n_known"] == len(row["known_beliefs"]) == int(0.8 * total)


def test_nobody_holds_two_beliefs_on_one_proposition(rows: Rows) -> None:
    for row in first_rows(rows):
        texts = [belief["proposition"] for belief in row["known_beliefs"]]
        texts += [other["proposition"] for other in rows if other["user_id"] == row["user_id"]]
        assert len(set(texts)) == len(texts)


def test_categories_are_those_of_the_content(rows: Rows) -> None:
    of = {text: name for name, text in propositions(load())}
    for row in rows:
        for belief in [row, *row["known_beliefs"]]:
            assert of[belief["proposition"]] == belief["category"] in CATEGORIES


def test_background_holds_what_the_content_lists_and_nothing_impossible(rows: Rows) -> None:
    known = {attribute.name: attribute for attribute in load().demographics.attributes}
    for row in first_rows(rows):
        facts = {fact["attribute"]: fact["value"] for fact in row["background"]}
        assert len(facts) == len(row["background"])
        age = int(facts.pop("age", "79"))
        assert 18 <= age <= 79
        for name, said in facts.items():
            value = next(value for value in known[name].values if value.value == said)
            assert age >= value.from_age


def test_people_leave_out_different_things(rows: Rows) -> None:
    lengths = {len(row["background"]) for row in first_rows(rows)}
    assert 0 in lengths
    assert len(lengths) > 4


def test_the_subset_is_whole_people(rows: Rows) -> None:
    marks: dict[str, set[bool]] = {}
    for row in rows:
        marks.setdefault(row["user_id"], set()).add(row["in_subset_100"])
    assert all(len(mark) == 1 for mark in marks.values())
    assert sum(mark == {True} for mark in marks.values()) == 6


@pytest.mark.parametrize("users", [1, 3, 60])
def test_builds_of_any_size_pass_their_audits(users: int) -> None:
    spec = SyntheticSpec(users=users, seed=5, subset=1)
    failed = [audit for audit in synthetic.audit(synthetic.build(spec), spec) if not audit.passed]
    assert failed == []


def change(row: dict[str, Any], **values: object) -> dict[str, Any]:
    return {**row, **values}


def known_is_tested(rows: Rows) -> Rows:
    belief = dict(rows[0]["known_beliefs"][0], proposition=rows[0]["proposition"])
    belief["category"] = rows[0]["category"]
    known = [belief, *rows[0]["known_beliefs"][1:]]
    own = rows[0]["user_id"]
    return [change(row, known_beliefs=known) if row["user_id"] == own else row for row in rows]


FAULTS: dict[str, Callable[[Rows], Rows]] = {
    "counts_users": lambda rows: [row for row in rows if row["user_id"] != "U00001"],
    "counts_subset": lambda rows: [change(row, in_subset_100=False) for row in rows],
    "ids_unique": lambda rows: [change(rows[0], item_id=rows[1]["item_id"]), *rows[1:]],
    "order": lambda rows: [*rows[1:], rows[0]],
    "split": lambda rows: [change(rows[0], n_known=rows[0]["n_known"] + 5), *rows[1:]],
    "one_evidence": lambda rows: [*rows[:1], change(rows[1], background=[]), *rows[2:]],
    "proposition_once": known_is_tested,
    "proposition_category": lambda rows: [change(row, category="Cars") for row in rows],
    "agree_share": lambda rows: [change(row, agrees=True) for row in rows],
    "calibration_both": lambda rows: [change(row, agrees=not row["agrees"]) for row in rows],
    "beliefs_per_person": lambda rows: [
        change(row, known_beliefs=row["known_beliefs"][:1], n_known=1)
        for row in {row["user_id"]: row for row in rows}.values()
    ],
    "of_this_population": lambda rows: [change(rows[0], proposition="Rain is wet"), *rows[1:]],
    "counts_items": lambda rows: [],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_fails_its_audit(table: pa.Table, rows: Rows, name: str) -> None:
    broken = pa.Table.from_pylist(FAULTS[name](rows), schema=table.schema)
    failed = {audit.name for audit in synthetic.audit({CONFIG: broken}, SPEC) if not audit.passed}
    assert name in failed


@pytest.mark.parametrize(
    ("background", "message"),
    [
        ([{"attribute": "age", "value": "12"}], "aged 12"),
        ([{"attribute": "religion", "value": "Stoic"}], "religion 'Stoic'"),
        ([{"attribute": "shoe size", "value": "44"}], "shoe size '44'"),
    ],
)
def test_people_of_another_population_are_named(
    table: pa.Table, rows: Rows, background: list[dict[str, str]], message: str
) -> None:
    foreign = pa.Table.from_pylist(
        [change(rows[0], background=background), *rows[1:]], schema=table.schema
    )
    (found,) = synthetic.audit({CONFIG: foreign}, SPEC)
    assert not found.passed
    assert message in found.detail


@pytest.mark.parametrize(
    ("generator", "message"),
    [
        ({"users": 5, "seed": 1}, "parameters seed, subset, users; these are seed, users"),
        ({"users": 5, "seed": 1, "subset": 1, "size": 2}, "these are seed, size, subset, users"),
        ({"users": 0, "seed": 1, "subset": 0}, "users is 0"),
        ({"users": 100_000_000, "seed": 1, "subset": 0}, "between 1 and 99,999,999"),
        ({"users": 5, "seed": -1, "subset": 0}, "seed is -1"),
        ({"users": 5, "seed": 1, "subset": 6}, "subset is 6"),
        ({"users": "5", "seed": 1, "subset": 0}, "users is '5', but must be a whole number"),
    ],
)
def test_impossible_parameters_are_one_clear_error(
    generator: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        synthetic.spec(generator)


def test_a_specification_is_read_from_a_manifest() -> None:
    assert synthetic.spec({"users": 60, "seed": 11, "subset": 6}) == SPEC


def test_no_process_is_an_error() -> None:
    with pytest.raises(ValueError, match="num_proc is 0"):
        synthetic.build(SPEC, num_proc=0)


def test_ceilings_refuse_the_table_of_another_specification(table: pa.Table) -> None:
    with pytest.raises(ValueError, match="60 users, but the specification 61"):
        synthetic.ceilings({CONFIG: table}, SyntheticSpec(users=61, seed=11, subset=6))
