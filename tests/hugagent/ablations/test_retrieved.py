"""Retrieval of the turns that are closest to an item."""

from __future__ import annotations

import math

import pytest

from otherminds.dataset_builders.hugagent import ablations
from otherminds.dataset_builders.hugagent.ablations import own_turns
from tests.hugagent.ablations.rows import answers, item, people, table

SAID = ["the ferry is late", "bread is dear", "rain again", "the ferry and the bread", "gulls"]


def test_the_closest_turns_are_shown_in_the_order_of_the_interview() -> None:
    asked = table(item("a", "P1", "zoning", SAID, question="Does the bread travel by ferry?"))
    # "ferry" and "bread" are each in two turns, both in the fourth: it is closest, and is last.
    assert answers(ablations.rag(asked, 1)) == {"a": ["the ferry and the bread"]}
    assert answers(ablations.rag(asked, 3)) == {"a": [SAID[0], SAID[1], SAID[3]]}


def test_the_reason_counts_as_part_of_the_question() -> None:
    rows = table(
        item("bare", "P1", "zoning", SAID, question="Rain?"),
        item("reason", "P1", "zoning", SAID, question="Well?", reason="the gulls"),
    )
    assert answers(ablations.rag(rows, 1)) == {"bare": ["rain again"], "reason": ["gulls"]}


def test_the_interviewers_words_are_searched_too() -> None:
    row = item("a", "P1", "zoning", ["yes", "no"], question="And the harbour?")
    row["context"][1]["question"] = "Is the harbour open?"
    assert answers(ablations.rag(table(row), 1)) == {"a": ["no"]}


def test_without_a_common_word_the_first_turns_are_shown() -> None:
    rows = table(item("a", "P1", "zoning", SAID, question="Quo vadis?"))
    assert answers(ablations.rag(rows, 2)) == {"a": SAID[:2]}


def test_of_equally_close_turns_the_earlier_is_shown() -> None:
    said = ["rain", "tea", "tea", "tea"]
    rows = table(item("a", "P1", "zoning", said, question="Tea?"))
    found = ablations.rag(rows, 2)["context"].to_pylist()[0]
    # The questions "0?", "1?" … are no words to the vectorizer, so the three turns are equal.
    assert [turn["question"] for turn in found] == ["1?", "2?"]


def test_a_context_of_at_most_k_turns_is_shown_whole() -> None:
    rows = table(
        item("short", "P1", "zoning", SAID[:2]),
        item("none", "P1", "healthcare", []),
        item("wordless", "P2", "zoning", ["?", "!", "…"]),
    )
    assert answers(ablations.rag(rows)) == {
        "short": SAID[:2],
        "none": [],
        "wordless": ["?", "!", "…"],
    }


def test_rag_full_appends_the_turns_to_the_whole_context() -> None:
    rows = table(item("a", "P1", "zoning", SAID, question="Bread by ferry?"))
    assert answers(ablations.rag_full(rows, 2)) == {"a": [*SAID, SAID[1], SAID[3]]}


def test_each_context_has_its_own_word_weights() -> None:
    """The weight of a word is that in the item's own interview, whatever else is in the table."""
    asked = item("a", "P1", "zoning", SAID, question="Bread by ferry?")
    others = [item(f"b{n}", f"Q{n}", "zoning", ["bread"] * 9) for n in range(5)]
    alone, among = (ablations.rag(table(*rows), 2) for rows in ([asked], [asked, *others]))
    assert answers(among)["a"] == answers(alone)["a"]


def test_the_cosine_by_hand() -> None:
    # Two texts, "ferry late" and "ferry bread", and the query "late bread bread".
    # Smoothed idf = ln((1 + n)/(1 + df)) + 1: ferry ln(3/3) + 1 = 1, late and bread ln(3/2) + 1.
    rare = math.log(1.5) + 1
    length = math.hypot(1, rare)
    query = math.hypot(rare, 2 * rare)
    expected = [rare * rare / (length * query), rare * 2 * rare / (length * query)]
    found = own_turns._cosines(["late bread bread"], ["ferry late", "ferry bread"])
    assert found[0].tolist() == pytest.approx(expected, abs=1e-9)


def test_five_turns_are_retrieved_by_default() -> None:
    found = answers(ablations.rag(people()))
    assert {len(turns) for turns in found.values()} == {5}
