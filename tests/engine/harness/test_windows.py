"""Windows: every document once, in order, of at most so many, ending with whole people."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from otherminds.harness.windows import Key, Stream, cut


def people(doc: Any) -> tuple[str, ...]:
    return (str(doc["person"]),)


def stream(persons: list[Any], key: Key | None = people) -> Stream:
    return Stream(iter([(n, {"person": one}) for n, one in enumerate(persons)]), key)


def shown(streams: dict[str, Stream], size: int | None) -> list[dict[str, list[Any]]]:
    return [
        {name: [doc["person"] for _, doc in part] for name, part in window.items()}
        for window in cut(streams, size)
    ]


def test_windows_end_with_a_person_and_all_tasks_with_the_same() -> None:
    # Two documents of each task for a window of four; b's person 2 has come to a's end too.
    found = shown({"a": stream([1, 1, 2, 2, 2, 3]), "b": stream([1, 2, 2, 3, 3, 4])}, 4)
    assert found == [
        {"a": [1, 1], "b": [1]},
        {"a": [2, 2, 2], "b": [2, 2]},
        {"a": [3], "b": [3, 3]},
        {"b": [4]},
    ]


def test_without_a_size_all_is_one_window() -> None:
    assert shown({"a": stream([1, 2]), "b": stream([3], None)}, None) == [{"a": [1, 2], "b": [3]}]
    assert shown({"a": stream([])}, None) == shown({"a": stream([])}, 3) == []


def test_a_person_larger_than_a_window_is_cut() -> None:
    found = shown({"a": stream([1] * 11 + [2] * 2)}, 3)
    assert [len(window["a"]) for window in found] == [6, 5, 2]


def test_documents_without_people_are_counted_alone() -> None:
    found = shown({"a": stream(list(range(5)), None)}, 2)
    assert [window["a"] for window in found] == [[0, 1], [2, 3], [4]]


@given(
    st.dictionaries(
        st.sampled_from("abc"),
        st.tuples(st.lists(st.integers(0, 6), max_size=30), st.booleans(), st.booleans()),
        min_size=1,
    ),
    st.integers(1, 12),
)
def test_every_document_comes_once_in_order(tasks: dict[str, Any], size: int) -> None:
    # In order of people or not, with people or not.
    persons = {
        name: sorted(found) if is_sorted else found for name, (found, is_sorted, _) in tasks.items()
    }
    keys = {name: people if has else None for name, (_, _, has) in tasks.items()}
    windows = list(cut({name: stream(persons[name], keys[name]) for name in tasks}, size))
    for name in tasks:
        came = list(itertools.chain.from_iterable(one.get(name, []) for one in windows))
        assert came == [(n, {"person": one}) for n, one in enumerate(persons[name])]
    assert all(part for window in windows for part in window.values())
    assert all(len(part) <= 2 * size + 1 for window in windows for part in window.values())
