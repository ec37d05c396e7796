"""The conditions: each shows what it says and nothing else, of whatever people there are."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otherminds.dataset_builders import ablation
from otherminds.dataset_builders.debate.ablations import ABLATIONS
from otherminds.dataset_builders.debate.schema import BELIEF, belief_table

CATEGORIES = ("Arts", "Cars", "Music", "Politics")
PAPER = ("blind", "demographics", "beliefs", "both")

Row = dict[str, Any]


def belief(category: str, proposition: str = "p", *, agrees: bool = True) -> Row:
    return {"proposition": proposition, "category": category, "agrees": agrees}


def row(number: int, category: str, *known: Row, user: str = "U1", agrees: bool = True) -> Row:
    return {
        "item_id": f"issues-{number:06d}",
        "user_id": user,
        **belief(category, f"asked {number}", agrees=agrees),
        "background": [{"attribute": "religion", "value": "Jain"}],
        "known_beliefs": list(known),
        "n_known": len(known),
    }


def shown(name: str, table: pa.Table, **parameters: Any) -> pa.Table:
    return ablation.apply(ABLATIONS, name, table, pool=table, **parameters)


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A few people, each with the same known beliefs and background in all of their items."""
    rows = []
    for user in range(draw(st.integers(1, 4))):
        categories = draw(st.lists(st.sampled_from(CATEGORIES), max_size=6))
        known = [
            belief(category, f"{user} knows {place}", agrees=draw(st.booleans()))
            for place, category in enumerate(categories)
        ]
        background = draw(st.sampled_from([[], [{"attribute": "age", "value": "40"}]]))
        for category in draw(st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=3)):
            made = row(len(rows), category, *known, user=f"U{user}", agrees=draw(st.booleans()))
            rows.append(made | {"background": background})
    return belief_table(rows)


def test_the_papers_four_conditions_come_first() -> None:
    assert list(ABLATIONS) == [*PAPER, "cross_category"]


@given(tables())
def test_the_four_conditions_differ_in_background_and_known_beliefs_alone(table: pa.Table) -> None:
    evidence = ["background", "known_beliefs"]
    for name in PAPER:
        found = shown(name, table)
        assert found.schema == BELIEF
        assert found.drop_columns(evidence).equals(table.drop_columns(evidence))
        for column, names in zip(evidence, (("demographics",), ("beliefs",)), strict=True):
            full = name in (*names, "both")
            expected = table[column].to_pylist() if full else [[] for _ in range(len(table))]
            assert found[column].to_pylist() == expected


def categories_beside(one: Row) -> Counter[str]:
    return Counter(
        known["category"] for known in one["known_beliefs"] if known["category"] != one["category"]
    )


@given(tables())
def test_cross_category_shows_the_most_frequent_other_category(table: pa.Table) -> None:
    before = {one["item_id"]: one for one in table.to_pylist()}
    assume(any(categories_beside(one) for one in before.values()))
    after = shown("cross_category", table).to_pylist()
    # Items that are left out are those of whose person no belief of another category is known.
    assert [one["item_id"] for one in after] == [
        name for name, one in before.items() if categories_beside(one)
    ]
    for one in after:
        origin, category = before[one["item_id"]], one["shown_category"]
        counts = categories_beside(origin)
        assert category != one["category"]
        assert counts[category] == max(counts.values())
        assert all(counts[name] < counts[category] for name in counts if name < category)
        assert one["known_beliefs"] == [
            known for known in origin["known_beliefs"] if known["category"] == category
        ]
        assert one["n_known"] == len(one["known_beliefs"]) == counts[category] > 0
        assert one["background"] == []
        same = ("user_id", "category", "proposition", "agrees")
        assert [one[name] for name in same] == [origin[name] for name in same]


@given(tables(), st.sampled_from(CATEGORIES))
def test_a_chosen_category_is_shown_to_all_but_its_own_items(
    table: pa.Table, category: str
) -> None:
    kept = [
        one
        for one in table.to_pylist()
        if one["category"] != category and categories_beside(one)[category]
    ]
    if not kept:
        with pytest.raises(ValueError, match="known beliefs of the category"):
            shown("cross_category", table, shown_category=category)
        return
    found = shown("cross_category", table, shown_category=category)
    assert found["item_id"].to_pylist() == [one["item_id"] for one in kept]
    assert set(found["shown_category"].to_pylist()) == {category}
    beliefs = {one["category"] for known in found["known_beliefs"].to_pylist() for one in known}
    assert beliefs == {category}


@given(tables())
def test_what_is_shown_never_depends_on_the_gold(table: pa.Table) -> None:
    place = table.schema.get_field_index("agrees")
    flipped = pa.array([not gold for gold in table["agrees"].to_pylist()])
    other = table.set_column(place, table.schema.field(place), flipped)
    for name in PAPER:
        assert (
            shown(name, table)
            .drop_columns("agrees")
            .equals(shown(name, other).drop_columns("agrees"))
        )
    assume(any(categories_beside(one) for one in table.to_pylist()))
    first, second = (shown("cross_category", one) for one in (table, other))
    assert first.drop_columns("agrees").equals(second.drop_columns("agrees"))


def test_cross_category_by_hand() -> None:
    known = [
        belief("Music", "m1"),
        belief("Arts", "a1", agrees=False),
        belief("Music", "m2"),
        belief("Arts", "a2"),
        belief("Cars", "c1"),
    ]
    table = belief_table([row(1, "Politics", *known), row(2, "Arts", *known), row(3, "Cars")])
    found = shown("cross_category", table).to_pylist()
    # Of two arts and two pieces of music, Arts is the first by name; asked about Arts, it is Music.
    assert [one["shown_category"] for one in found] == ["Arts", "Music"]
    assert [known["proposition"] for known in found[0]["known_beliefs"]] == ["a1", "a2"]
    assert [known["proposition"] for known in found[1]["known_beliefs"]] == ["m1", "m2"]
    [cars] = shown("cross_category", table.slice(1, 1), shown_category="Cars").to_pylist()
    assert cars["known_beliefs"] == [belief("Cars", "c1")]
    assert cars["n_known"] == 1


def test_further_columns_are_kept() -> None:
    table = belief_table([row(1, "Arts", belief("Cars")), row(2, "Cars", belief("Cars"))])
    table = table.append_column("in_subset_100", pa.array([True, False]))
    assert shown("cross_category", table)["in_subset_100"].to_pylist() == [True]
    assert shown("blind", table)["in_subset_100"].to_pylist() == [True, False]


@pytest.mark.parametrize(
    ("category", "message"),
    [
        ("Pokitics", "nobody has known beliefs of the category 'Pokitics'; there are: Cars"),
        # Somebody is asked about Arts, but no belief about it is known of anybody.
        ("Arts", "nobody has known beliefs of the category 'Arts'; there are: Cars"),
        ("Cars", "no item has known beliefs of the category 'Cars' besides those of its own"),
        (None, "no item has known beliefs of any category besides those of its own"),
    ],
)
def test_a_category_that_nobody_can_be_shown_is_refused(category: str | None, message: str) -> None:
    table = belief_table([row(1, "Arts"), row(2, "Cars", belief("Cars"), user="U2")])
    with pytest.raises(ValueError, match=message):
        shown("cross_category", table, shown_category=category)


def test_only_cross_category_takes_a_category() -> None:
    table = belief_table([row(1, "Arts", belief("Cars"))])
    for name in PAPER:
        with pytest.raises(ValueError, match="has no parameter shown_category; it has: none"):
            shown(name, table, shown_category="Cars")
