"""Ablations of any benchmark: names and parameters are checked before anything is shown."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders import ablation
from otherminds.dataset_builders.ablation import Ablation, emptied

TABLE = pa.table({"name": ["a", "b", "c"], "told": pa.array([["x"], [], ["y", "z"]])})


def _first(table: pa.Table, _pool: pa.Table, *, n: int, skip: int = 0) -> pa.Table:
    return table.slice(skip, n)


REGISTRY = {
    "all": Ablation("everything", lambda table, _pool: table),
    "pool": Ablation("the pool instead", lambda _table, pool: pool),
    "first": Ablation(
        "the first n", _first, required=frozenset({"n"}), optional=frozenset({"skip"})
    ),
}


def names(table: pa.Table) -> list[str]:
    return list(table["name"].to_pylist())


def applied(name: str, **parameters: Any) -> pa.Table:
    return ablation.apply(REGISTRY, name, TABLE, pool=TABLE.slice(2), **parameters)


def test_an_ablation_gets_the_table_the_pool_and_its_parameters() -> None:
    assert applied("all") is TABLE
    assert names(applied("pool")) == ["c"]
    assert names(applied("first", n=1)) == ["a"]
    assert names(applied("first", n=2, skip=1)) == ["b", "c"]
    assert REGISTRY["first"].parameters == {"n", "skip"}


def test_a_parameter_that_is_none_was_not_given() -> None:
    assert names(applied("first", n=1, skip=None)) == ["a"]
    assert applied("all", n=None) is TABLE
    with pytest.raises(ValueError, match="needs the parameter n"):
        applied("first", n=None)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("al", {}, "no ablation 'al'; there are: all, pool, first"),
        ("all", {"n": 1}, "'all' has no parameter n; it has: none"),
        ("first", {"n": 1, "k": 2, "j": 3}, "no parameter j, k; it has: n, skip"),
        ("first", {"skip": 1}, "'first' needs the parameter n"),
    ],
)
def test_wrong_names_and_parameters_are_refused(
    name: str, parameters: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        applied(name, **parameters)


PAIR = pa.struct([("attribute", pa.string()), ("value", pa.string())])
FIELD = pa.field("told", pa.list_(PAIR), nullable=False)


@given(
    st.lists(st.lists(st.fixed_dictionaries({"attribute": st.text(), "value": st.text()}))),
    st.integers(1, 3),
)
def test_emptying_a_column_leaves_rows_types_and_the_other_columns(
    told: list[list[dict[str, str]]], pieces: int
) -> None:
    schema = pa.schema([pa.field("place", pa.int64()), FIELD, pa.field("last", pa.int64())])
    places = list(range(len(told)))
    whole = pa.table([places, pa.array(told, FIELD.type), places], schema=schema)
    step = max(len(told) // pieces, 1)
    table = pa.concat_tables([whole.slice(n, step) for n in range(0, max(len(told), 1), step)])
    found = emptied(table, "told")
    assert found.schema == table.schema
    assert found["told"].to_pylist() == [[] for _ in told]
    assert found.drop_columns("told").equals(table.drop_columns("told"))
    assert table["told"].to_pylist() == told
    found.validate(full=True)
