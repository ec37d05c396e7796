"""The content hash sees every value and the order of rows, and nothing else."""

from __future__ import annotations

import hashlib

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.hashing import content_hash

ROWS = st.lists(
    st.fixed_dictionaries({"a": st.text(max_size=5), "b": st.lists(st.integers(0, 9), max_size=3)}),
    min_size=1,
    max_size=8,
)
SCHEMA = pa.schema([("a", pa.string()), ("b", pa.list_(pa.int32()))])


def table(rows: list[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def test_hash_of_one_row_by_hand() -> None:
    # One line of JSON per row: keys sorted, no spaces, ASCII only ("é" becomes \u00e9).
    line = b'{"a":"\\u00e9","b":[1,2]}\n'
    assert content_hash(table([{"b": [1, 2], "a": "é"}])) == hashlib.sha256(line).hexdigest()


@given(ROWS)
def test_chunks_and_column_order_do_not_matter(rows: list[dict[str, object]]) -> None:
    whole = table(rows)
    chunked = pa.concat_tables([whole.slice(place, 1) for place in range(len(rows))])
    assert content_hash(chunked) == content_hash(whole)
    assert content_hash(whole.select(["b", "a"])) == content_hash(whole)


@given(ROWS)
def test_order_of_rows_matters(rows: list[dict[str, object]]) -> None:
    turned = rows[::-1]
    assert (content_hash(table(turned)) == content_hash(table(rows))) == (turned == rows)


def test_one_changed_value_changes_the_hash() -> None:
    rows = [{"a": "x", "b": [1]}, {"a": "y", "b": [2]}]
    changed = [{"a": "x", "b": [1]}, {"a": "y", "b": [3]}]
    assert content_hash(table(rows)) != content_hash(table(changed))
