"""Each audit fails for the fault that it is for, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from otherminds.dataset_builders.debate.audits import audit_built
from otherminds.dataset_builders.debate.schema import BELIEF, Built, Private
from otherminds.dataset_builders.sources import Step
from tests.helpers.fictional_debates import hashed

Row = dict[str, Any]


def belief(text: str) -> Row:
    return {"proposition": text, "category": "Society", "agrees": True}


def rows() -> list[Row]:
    """Two people with two test beliefs and three known ones each."""
    return [
        {
            "item_id": f"ddo-00000{2 * person + item + 1}",
            "user_id": f"U{person}",
            "category": "Politics",
            "proposition": ("Zoos are cruel", "Tea is good")[item],
            "agrees": bool(item),
            "background": [{"attribute": "age", "value": "30"}],
            "known_beliefs": [belief("Kites fly"), belief("Moss grows"), belief("Trams hum")],
            "n_known": 3,
        }
        for person in range(2)
        for item in range(2)
    ]


def built(changed: list[Row] | None = None, **parts: Any) -> Built:
    found = rows() if changed is None else changed
    dates = pa.table(
        {
            "item_id": [row["item_id"] for row in found],
            "day": pa.array([20] * len(found), pa.int32()),
            "newest_known_day": pa.array([20] * len(found), pa.int32()),
        }
    )
    return Built(
        pa.Table.from_pylist(found, schema=BELIEF),
        parts.get("funnel", [Step("split", {"users": 2, "test": 4})]),
        parts.get("private", Private(frozenset({"Ada", "cy_77"}), dates)),
    )


def failed(one: Built, **options: Any) -> set[str]:
    return {a.name for a in audit_built(one, source="ddo", **options) if not a.passed}


def test_a_sound_table_passes() -> None:
    assert failed(built(), embed=hashed, max_cosine=0.8, min_beliefs=5) == set()


def _set(place: int, **values: Any) -> Callable[[list[Row]], None]:
    return lambda found: found[place].update(values)


def _all_of_u0(**values: Any) -> Callable[[list[Row]], None]:
    def change(found: list[Row]) -> None:
        for row in found[:2]:
            row.update(values)

    return change


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (_set(1, item_id="ddo-000001"), {"ids_unique", "order"}),
        (_set(0, item_id="issues-000001"), {"ids_form", "order"}),
        (_all_of_u0(user_id="Ada"), {"ids_form", "no_names"}),
        (_set(3, user_id="U0"), {"order", "enough_beliefs"}),
        (_set(0, category="Gardening"), {"categories"}),
        (_set(0, proposition="Kites FLY!"), {"known_and_test_apart"}),
        (_set(1, proposition="Zoos are cruel"), {"propositions_once"}),
        (_set(1, proposition="Tea is good."), {"propositions_plain"}),
        (_set(1, proposition="Tea &amp; cake are good"), {"propositions_plain"}),
        (_set(1, proposition="Cy_77 is good"), {"no_names"}),
        (_set(1, known_beliefs=[belief("Kites fly")] * 3), {"people_consistent"}),
        (_set(1, background=[]), {"people_consistent"}),
        (_all_of_u0(known_beliefs=[belief("Kites fly")] * 3), {"propositions_once"}),
        (_all_of_u0(n_known=4), {"n_known"}),
        (_all_of_u0(known_beliefs=[belief("Kites fly")], n_known=1), {"enough_beliefs"}),
        (_all_of_u0(background=[{"attribute": "email", "value": "a"}]), {"attributes"}),
        (_all_of_u0(background=[{"attribute": "age", "value": "cy_77"}]), {"no_names"}),
        (
            _all_of_u0(known_beliefs=[belief("Zoos are rather cruel"), *map(belief, "abc")][:3]),
            {"cosine"},
        ),
    ],
)
def test_each_fault_has_its_audit(change: Callable[[list[Row]], None], names: set[str]) -> None:
    found = rows()
    change(found)
    assert failed(built(found), embed=hashed, max_cosine=0.8, min_beliefs=5) == names


def test_a_known_belief_of_a_later_day_fails() -> None:
    one = built()
    assert one.private.dates is not None
    days = pa.array([20, 21, 20, None], pa.int32())
    dates = one.private.dates.set_column(2, "newest_known_day", days)
    assert failed(replace(one, private=Private(dates=dates))) == {"chronology"}
    assert failed(replace(one, private=Private(dates=dates.slice(1)))) >= {"dates_complete"}


def test_the_funnel_must_end_with_the_table_and_never_rise() -> None:
    steps = [Step("a", {"users": 1}), Step("b", {"users": 2, "test": 4})]
    assert failed(built(funnel=steps)) == {"funnel_falls"}
    assert failed(built(funnel=[Step("b", {"users": 2, "test": 5})])) == {"counts"}
    assert failed(built(funnel=[])) == set()


def test_an_empty_table_and_one_of_other_types_fail_without_an_exception() -> None:
    assert failed(built([], funnel=[])) == {"rows"}
    one = built()
    wider = one.table.set_column(7, "n_known", one.table["n_known"].cast(pa.int64()))
    assert failed(replace(one, table=wider)) == {"schema"}


def test_without_embedder_dates_or_names_what_they_show_is_not_audited() -> None:
    names = {a.name for a in audit_built(built(private=Private()), source="ddo")}
    assert not names & {"cosine", "chronology", "no_names", "enough_beliefs"}


def test_no_audit_tells_a_name() -> None:
    found = rows()
    _set(1, proposition="Cy_77 is good")(found)
    audits = audit_built(built(found), source="ddo")
    assert not any("cy_77" in f"{a.value}{a.detail}".casefold() for a in audits)


def test_vectors_of_zero_are_close_to_nothing() -> None:
    def embed(texts: Any) -> Any:
        return np.zeros((len(texts), 2), dtype=np.float32)

    assert failed(built(), embed=embed, max_cosine=0.0) == set()
