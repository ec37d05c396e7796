"""A part of the interview: the first turns, random turns, none; or no demographics."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent import ablations
from tests.hugagent.ablations.rows import answers, item, people, table


def test_the_first_k_turns_in_order_and_a_shorter_context_whole() -> None:
    found = ablations.first_k(
        table(item("a", "P1", "zoning", ["x", "y", "z"]), item("b", "P2", "zoning", ["u"])), 2
    )
    assert answers(found) == {"a": ["x", "y"], "b": ["u"]}


def test_random_k_keeps_the_order_of_the_interview() -> None:
    whole = people()
    shown = answers(whole)
    for item_id, drawn in answers(ablations.random_k(whole, 3, seed=4)).items():
        assert len(drawn) == 3
        assert drawn == [said for said in shown[item_id] if said in drawn]


def test_random_k_is_a_matter_of_the_seed_the_person_and_the_topic() -> None:
    whole = people()
    found = answers(ablations.random_k(whole, 3, seed=4))
    assert answers(ablations.random_k(whole, 3, seed=4)) == found
    assert answers(ablations.random_k(whole, 3, seed=5)) != found
    drawn = {
        item_id: [said.rsplit(" ", 1)[1] for said in turns] for item_id, turns in found.items()
    }
    assert drawn["zoning-P01-1"] == drawn["zoning-P01-2"]
    # 9 interviews with 20 possible choices each are not all alike.
    assert len({tuple(turns) for turns in drawn.values()}) > 1


def test_random_k_does_not_depend_on_the_other_rows() -> None:
    whole = people()
    found = answers(ablations.random_k(whole, 2, seed=0))
    part = whole.take([17, 3, 8])
    assert answers(ablations.random_k(part, 2, seed=0)) == {
        item_id: found[item_id] for item_id in part["item_id"].to_pylist()
    }


def test_random_k_draws_the_same_turns_around_a_masked_one() -> None:
    said = [f"turn {n}" for n in range(12)]
    whole = item("whole", "P1", "zoning", said)
    for masked in range(12):
        lacking = {**whole, "item_id": "lacking"}
        lacking["context"] = [turn for n, turn in enumerate(whole["context"]) if n != masked]
        found = answers(ablations.random_k(table(whole, lacking), 4, seed=1))
        # Only where the masked turn was drawn is another one shown in its place.
        common = set(found["whole"]) & set(found["lacking"])
        assert len(common) == (3 if f"turn {masked}" in found["whole"] else 4)


def test_random_k_draws_every_turn_equally_often() -> None:
    one = table(item("a", "P1", "zoning", ["a", "b", "c", "d"]))
    draws = Counter(tuple(answers(ablations.random_k(one, 2, seed))["a"]) for seed in range(1200))
    # Each of the 6 pairs is drawn 200 times in expectation, with a standard deviation of
    # sqrt(1200 * 1/6 * 5/6) = 12.9; five of them are 65.
    assert len(draws) == 6
    assert all(abs(count - 200) < 65 for count in draws.values())


def test_random_k_tells_repeated_turns_apart() -> None:
    row = item("a", "P1", "zoning", ["same"] * 5)
    row["context"] = [{"question": "same?", "answer": "same"}] * 5
    assert answers(ablations.random_k(table(row), 3, seed=0)) == {"a": ["same"] * 3}


@given(st.integers(1, 8), st.integers(0, 2**63))
def test_random_k_shows_k_turns_or_all(k: int, seed: int) -> None:
    found = answers(ablations.random_k(people(), k, seed))
    assert {len(turns) for turns in found.values()} == {min(k, 6)}


def test_nothing_of_the_interview_or_of_the_demographics() -> None:
    whole = people()
    silent = ablations.no_context(whole)
    assert silent["context"].to_pylist() == [[]] * 18
    assert silent["demographics"].equals(whole["demographics"])
    faceless = ablations.no_demographics(whole)
    assert faceless["demographics"].to_pylist() == [[]] * 18
    assert faceless["context"].equals(whole["context"])


def test_items_without_a_context_are_counted() -> None:
    some = table(item("a", "P1", "zoning", []), item("b", "P1", "zoning", ["x"]))
    assert ablations.without_context(some) == 1
    assert ablations.without_context(ablations.no_context(some)) == 2


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "5", None])
def test_k_must_be_a_number_of_turns(k: object) -> None:
    for call in (
        lambda: ablations.first_k(people(), k),  # type: ignore[arg-type]  # the error under test
        lambda: ablations.random_k(people(), k, 0),  # type: ignore[arg-type]  # the error under test
        lambda: ablations.rag(people(), k),  # type: ignore[arg-type]  # the error under test
    ):
        with pytest.raises(ValueError, match="whole number of turns, at least 1"):
            call()


@pytest.mark.parametrize("seed", [-1, 1.0, "1", False, None])
def test_the_seed_must_be_a_whole_number(seed: object) -> None:
    for call in (
        lambda: ablations.random_k(people(), 1, seed),  # type: ignore[arg-type]  # the error under test
        lambda: ablations.derangement(people(), people(), seed),  # type: ignore[arg-type]  # ditto
    ):
        with pytest.raises(ValueError, match="must be a whole number, at least 0"):
            call()


def test_a_null_in_a_context_is_refused() -> None:
    rows = people().to_pylist()
    rows[0]["context"] = None
    with pytest.raises(ValueError, match="is null"):
        ablations.first_k(table(*rows), 1)
    rows[0]["context"] = [{"question": "why?", "answer": None}]
    with pytest.raises(ValueError, match="is null"):
        ablations.first_k(table(*rows), 1)


def test_chunks_and_slices_are_the_same_table() -> None:
    whole = people()
    pieces = pa.concat_tables([whole.slice(start, 5) for start in range(0, 18, 5)])
    assert pieces["context"].num_chunks == 4
    assert ablations.first_k(pieces, 2).equals(ablations.first_k(whole, 2))
    assert ablations.first_k(whole.slice(7, 4), 2).equals(ablations.first_k(whole, 2).slice(7, 4))
