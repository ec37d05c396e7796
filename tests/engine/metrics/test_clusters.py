from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.uncertainty import partition


def test_codes_and_totals() -> None:
    people = partition(["b", "a", "b", "c"])
    assert people.count == 3
    assert people.labels == ("a", "b", "c")
    assert people.codes.tolist() == [1, 0, 1, 2]
    assert people.totals([1, 2, 3, 4]).tolist() == [2, 4, 4]


@given(
    st.lists(st.text(max_size=3), min_size=1).flatmap(
        lambda x: st.tuples(st.just(x), st.permutations(x))
    )
)
def test_a_code_depends_on_the_id_only(lists: tuple[list[str], list[str]]) -> None:
    first, second = (partition(ids) for ids in lists)
    assert first.labels == second.labels
    assert dict(zip(lists[0], first.codes.tolist(), strict=True)) == dict(
        zip(lists[1], second.codes.tolist(), strict=True)
    )


def test_ids_that_differ_by_a_trailing_nul_stay_apart() -> None:
    assert partition(["a", "a\0"]).count == 2


def test_nothing_to_partition() -> None:
    with pytest.raises(EmptyInput, match="No items"):
        partition([])


def test_totals_want_one_value_per_item() -> None:
    with pytest.raises(MisalignedInput, match="one number per item"):
        partition(["a", "b"]).totals(np.ones(3))
