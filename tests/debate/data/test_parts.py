"""Duplicates, split, similarity, categories, demographics and ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from otherminds.dataset_builders.debate import rows
from otherminds.dataset_builders.debate.demographics import background
from otherminds.dataset_builders.debate.duplicates import Belief, key_of, unique
from otherminds.dataset_builders.debate.embedding import closest, dissimilar
from otherminds.dataset_builders.debate.schema import (
    BELIEF,
    CATEGORIES,
    belief_table,
    category_of,
    in_order,
)
from otherminds.dataset_builders.debate.split import split
from otherminds.dataset_builders.sources import SourceError, Step, lines


def belief(text: str, day: int, agrees: bool = True, rank: bytes = b"") -> Belief:
    return Belief(text, "Society", agrees, date(2010, 1, day), rank)


def stored(**changes: object) -> dict[str, object]:
    return {
        "item_id": "x-000001",
        "user_id": "U1",
        "category": "TV",
        "proposition": "Soap operas are art",
        "agrees": True,
        "background": [],
        "known_beliefs": [{"proposition": "Tea is good", "category": "Health", "agrees": False}],
        "n_known": 1,
        **changes,
    }


def test_rows_are_ordered_by_user_and_item() -> None:
    given = [
        stored(user_id="U2"),
        stored(item_id="x-000003"),
        stored(item_id="x-000002", known_beliefs=[], n_known=0),
    ]
    table = belief_table(given)
    assert table.schema == BELIEF
    assert table["item_id"].to_pylist() == ["x-000002", "x-000003", "x-000001"]
    further = table.append_column("in_subset_100", pa.array([True, False, True]))
    assert in_order(further.slice(1)).column_names == [*BELIEF.names, "in_subset_100"]
    assert len(set(CATEGORIES)) == 23


def test_a_table_without_a_column_is_no_table_of_beliefs() -> None:
    with pytest.raises(ValueError, match="lacks the columns agrees"):
        in_order(belief_table([stored()]).drop_columns(["agrees"]))


def test_the_newest_stance_on_a_proposition_counts() -> None:
    dropped: Counter[str] = Counter()
    beliefs = [
        belief("Zoos are cruel", 3, agrees=False),
        belief("ZOOS are cruel!", 1),
        belief("Tea is good", 2),
        belief("Tea is good", 2, agrees=False),
        belief("Kites fly", 1, rank=b"b"),
        belief("Moss grows", 1, rank=b"a"),
    ]
    kept = unique(beliefs, dropped)
    assert [(one.proposition, one.agrees) for one in kept] == [
        ("Moss grows", True),
        ("Kites fly", True),
        ("Zoos are cruel", False),
    ]
    assert dropped == {
        "older or repeated stance on the same proposition": 1,
        "stances of one day that contradict each other": 2,
    }


def test_case_punctuation_and_apostrophes_make_no_other_proposition() -> None:
    assert key_of("Don't  ban «zoos», ever!") == key_of("dont ban zoos ever")
    assert key_of("Don't ban zoos") != key_of("Ban zoos")


@pytest.mark.parametrize(
    # Known beliefs are rounded down: 0.8 · 6 = 4.8 leaves 2 for the test.
    ("count", "known"),
    [(2, 1), (5, 4), (6, 4), (9, 7), (10, 8), (35, 28), (1_000, 800)],
)
def test_the_oldest_four_fifths_are_known(count: int, known: int) -> None:
    first, rest = split(range(count), 0.8)
    assert first == list(range(known))
    assert rest == list(range(known, count))


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5])
def test_a_share_is_between_0_and_1(share: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        split([1, 2], share)


def angles(texts: Sequence[str]) -> NDArray[np.float32]:
    """Texts are angles in degrees."""
    radians = np.radians([float(text) for text in texts])
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def test_a_known_belief_is_dropped_when_it_is_close_to_any_test_belief() -> None:
    # cos 30° = 0.866, cos 40° = 0.766; 0.8 lies between. 200° is 50° from 150°, 170° is 20° from it.
    assert dissimilar(["30", "40", "200", "170"], ["0", "150"], angles, 0.8) == [1, 2]
    # Exactly at the bound is not above it: cos 60° = 0.5.
    assert dissimilar(["60"], ["0"], angles, 0.5) == [0]
    assert dissimilar([], ["0"], angles, 0.8) == []
    with pytest.raises(ValueError, match="no test belief"):
        closest(angles(["1"]), angles([]).reshape(0, 2))


@given(st.integers(1, 3_000), st.integers(1, 4))
def test_blocks_change_nothing(known: int, test: int) -> None:
    rng = np.random.default_rng(known)
    left, right = (rng.normal(size=(n, 3)).astype(np.float32) for n in (known, test))
    np.testing.assert_allclose(
        closest(left, right), (left @ right.T).max(axis=1), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize(
    ("written", "category"),
    [
        ("Politics", "Politics"),
        ("places-travel", "Places-Travel"),
        ("Places / Travel", "Places-Travel"),
        ("tv", "TV"),
    ],
)
def test_categories_are_known_in_any_spelling(written: str, category: str) -> None:
    assert category_of(written) == (category, True)


@pytest.mark.parametrize("written", ["Gardening", "", "Politics2"])
def test_unknown_categories_are_miscellaneous(written: str) -> None:
    assert category_of(written) == ("Miscellaneous", False)


def test_only_the_papers_attributes_are_shown_and_only_where_given() -> None:
    fields = {
        "birthday": "Jun 13, 1990",
        "gender": "Female",
        "education": "Not Saying",
        "ethnicity": "- Private -",
        "income": "Prefer not to say",
        "political_ideology": "Green",
        "religious_ideology": "x" * 61,
        "relationship": "Married to ada_1",
        "email": "a@example.org",
        "party": "Green Party",
    }
    shown = background(fields, "Ada_1", date(2015, 6, 12))
    # The birthday is a day away: 24.
    assert [(one["attribute"], one["value"]) for one in shown] == [
        ("age", "24"),
        ("gender", "Female"),
        ("political ideology", "Green"),
    ]
    assert background({}, "Ada", date(2015, 1, 1)) == []


@pytest.mark.parametrize("birthday", ["1/1/1901", "1/1/2014", "3/3/2020", "long ago"])
def test_impossible_ages_are_left_out(birthday: str) -> None:
    assert background({"birthday": birthday}, "Ada", date(2015, 1, 1)) == []


def test_ids_hide_names_and_depend_on_the_salt() -> None:
    assert rows.user_id("Ada", "a") != rows.user_id("Ada", "b")
    assert rows.user_id("Ada", "a").startswith("U")
    assert "Ada" not in rows.user_id("Ada", "a")
    assert rows.item_id("ddo", 7) == "ddo-000007"


def test_two_people_with_one_id_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_DIGITS", 1)
    with pytest.raises(SourceError, match="stands for two people"):
        rows.user_ids([f"user{number}" for number in range(17)], "salt")


def test_the_funnel_is_told_with_reasons_and_the_papers_counts() -> None:
    steps = [
        Step("unique", {"beliefs": 1_200}, {"older": 3, "odd": 5, "never": 0}, {"beliefs": 1_000})
    ]
    assert lines(steps) == [
        "unique: 1,200 beliefs (paper 1,000)",
        "  − 5 odd",
        "  − 3 older",
    ]
    assert steps[0].as_json()["dropped"] == {"odd": 5, "older": 3}


def test_a_person_with_many_beliefs_is_laid_out_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_KNOWN_AT_ONCE", 10)
    known = [belief(f"Kite {number} flies", 1) for number in range(4)]
    test = [belief(f"Tram {number} hums", 2, agrees=False) for number in range(5)]
    ids_of = [f"ddo-{number:06d}" for number in range(5)]
    # Four known beliefs in each row: two rows fit into a batch.
    batches = list(rows.rows_of("U1", ids_of, test, known, []))
    assert [batch.num_rows for batch in batches] == [2, 2, 1]
    found = pa.Table.from_batches(batches).to_pylist()
    assert [one["item_id"] for one in found] == ids_of
    assert [one["proposition"] for one in found] == [one.proposition for one in test]
    assert {one["n_known"] for one in found} == {4}
    assert all(
        [shown["proposition"] for shown in one["known_beliefs"]]
        == [one.proposition for one in known]
        for one in found
    )
    (bare,) = rows.rows_of("U1", ids_of[:1], test[:1], [], [])
    assert bare.to_pylist()[0]["known_beliefs"] == []
