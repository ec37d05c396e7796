"""Another transcript than the item's own: of another topic, or of another person."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.dataset_builders.hugagent import ablations
from tests.hugagent.ablations.rows import answers, item, people, table


def donors(found: pa.Table) -> dict[str, tuple[str, str]]:
    """Whose transcript on which topic each item shows: its answers begin with the two words."""
    shown = {}
    for item_id, turns in answers(found).items():
        person, topic, *_ = turns[0].split(" ")
        shown[item_id] = (person, topic)
    return shown


def test_cross_domain_shows_the_same_person_on_the_next_topic() -> None:
    found = donors(ablations.cross_domain(people(), people()))
    shown = {"healthcare": "surveillance", "surveillance": "zoning", "zoning": "healthcare"}
    assert found == {
        f"{topic}-{person}-{n}": (person, shown[topic])
        for topic in shown
        for person in ("P01", "P02", "P10")
        for n in (1, 2)
    }


def test_cross_person_shows_the_next_person_and_the_last_the_first() -> None:
    found = donors(ablations.cross_person(people(), people()))
    following = {"P01": "P02", "P02": "P10", "P10": "P01"}
    assert found == {
        f"{topic}-{person}-{n}": (following[person], topic)
        for topic in ("healthcare", "surveillance", "zoning")
        for person in following
        for n in (1, 2)
    }


@pytest.mark.parametrize("name", ["cross_domain", "cross_person"])
def test_a_part_of_the_rows_shows_what_it_shows_in_the_whole(name: str) -> None:
    whole = ablations.apply(name, people(), pool=people())
    zoning = people().filter(pc.field("topic") == "zoning").slice(1, 3)
    found = ablations.apply(name, zoning, pool=people())
    assert found.to_pylist() == [
        row for row in whole.to_pylist() if row["item_id"] in zoning["item_id"].to_pylist()
    ]


@given(st.permutations(range(18)), st.integers(0, 100))
def test_the_order_of_the_pool_does_not_matter(order: list[int], seed: int) -> None:
    whole, pool = people(), people().take(order)
    for name, parameters in (
        ("cross_domain", {}),
        ("cross_person", {}),
        ("cross_person", {"derangement_seed": seed}),
    ):
        assert ablations.apply(name, whole, pool=pool, **parameters).equals(
            ablations.apply(name, whole, pool=whole, **parameters)
        )


def test_demographics_stay_the_targets() -> None:
    whole = people()
    for found in (
        ablations.cross_domain(whole, whole),
        ablations.cross_person(whole, whole),
        ablations.derangement(whole, whole, 0),
    ):
        assert found["demographics"].equals(whole["demographics"])
        assert found["topic"].equals(whole["topic"])


@given(st.integers(2, 9), st.integers(0, 10_000))
def test_a_derangement_leaves_nobody_in_place_and_uses_each_transcript_once(
    size: int, seed: int
) -> None:
    names = [f"P{n:02d}" for n in range(size)]
    whole = table(*(item(name, name, "zoning", [f"{name} zoning 0"]) for name in names))
    found = donors(ablations.derangement(whole, whole, seed))
    assert all(donor != target for target, (donor, _) in found.items())
    assert sorted(donor for donor, _ in found.values()) == names


def test_derangements_are_uniform() -> None:
    names = ["a", "b", "c", "d"]
    whole = table(*(item(name, name, "zoning", [f"{name} zoning"]) for name in names))
    draws = Counter(
        tuple(donor for donor, _ in donors(ablations.derangement(whole, whole, seed)).values())
        for seed in range(900)
    )
    # Four people have 9 derangements: 100 each in expectation, with a standard deviation of
    # sqrt(900 * 1/9 * 8/9) = 9.4; five of them are 47.
    assert len(draws) == 9
    assert all(abs(count - 100) < 47 for count in draws.values())


def test_a_derangement_is_a_matter_of_seed_and_topic() -> None:
    names = [f"P{n:02d}" for n in range(20)]
    topics = ("healthcare", "zoning")
    whole = table(*(item(f"{t}-{n}", n, t, [f"{n} {t}"]) for t in topics for n in names))
    found = donors(ablations.derangement(whole, whole, 3))
    assert donors(ablations.derangement(whole, whole, 3)) == found
    assert donors(ablations.derangement(whole, whole, 4)) != found
    by_topic = [[found[f"{topic}-{name}"][0] for name in names] for topic in topics]
    assert by_topic[0] != by_topic[1]
    zoning = whole.filter(pc.field("topic") == "zoning")
    assert donors(ablations.derangement(zoning, zoning, 3)) == {
        item_id: donor for item_id, donor in found.items() if item_id.startswith("zoning")
    }


def test_of_several_versions_of_a_transcript_the_fullest_is_shown() -> None:
    pool = table(
        item("a", "P1", "zoning", ["P1"]),
        item("d", "P2", "zoning", ["first", "third"]),
        item("c", "P2", "zoning", ["first", "second", "third"]),
        item("b", "P2", "zoning", ["second", "third"]),
    )
    found = answers(ablations.cross_person(pool, pool))
    assert found["a"] == ["first", "second", "third"]
    assert found["b"] == found["c"] == found["d"] == ["P1"]


def test_of_equally_full_versions_that_of_the_smallest_item_id_is_shown() -> None:
    pool = table(
        item("a", "P1", "zoning", ["P1"]),
        item("d", "P2", "zoning", ["second"]),
        item("c", "P2", "zoning", ["first"]),
        item("b", "P2", "zoning", ["second"]),
    )
    for order in ([0, 1, 2, 3], [2, 3, 1, 0]):
        found = answers(ablations.cross_person(pool, pool.take(order)))
        assert found["a"] == ["second"]


def test_a_person_without_the_other_topic_shows_no_interview_and_is_counted() -> None:
    pool = table(
        item("a", "P1", "zoning", ["P1 zoning"]),
        item("b", "P2", "zoning", ["P2 zoning"]),
        item("c", "P2", "healthcare", ["P2 healthcare"]),
    )
    zoning = pool.slice(0, 2)
    found = ablations.cross_domain(zoning, pool)
    assert answers(found) == {"a": [], "b": ["P2 healthcare"]}
    assert ablations.without_context(found) == 1


def test_an_empty_transcript_takes_part_in_an_exchange() -> None:
    pool = table(
        item("a", "P1", "zoning", ["P1"]),
        item("b", "P2", "zoning", []),
        item("c", "P3", "zoning", ["P3"]),
    )
    assert answers(ablations.cross_person(pool, pool)) == {"a": [], "b": ["P3"], "c": ["P1"]}


def test_a_pool_that_lacks_the_tables_people_is_refused() -> None:
    pool = people().filter(pc.field("participant_id") != "P10")
    with pytest.raises(ValueError, match="The pool has no item of P10 on zoning: pass all rows"):
        ablations.cross_person(people(), pool)


def test_a_single_person_has_nobody_to_exchange_with() -> None:
    alone = people().filter(pc.field("participant_id") == "P10")
    with pytest.raises(ValueError, match="one person on zoning, P10"):
        ablations.cross_person(alone, alone)
    with pytest.raises(ValueError, match="nobody to exchange"):
        ablations.derangement(alone, alone, 1)


def test_an_unknown_topic_has_no_other() -> None:
    strange = table(item("a", "P1", "tides", ["x"]))
    with pytest.raises(ValueError, match="No other topic stands for 'tides'"):
        ablations.cross_domain(strange, strange)
