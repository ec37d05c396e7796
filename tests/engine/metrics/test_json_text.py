"""JSON objects in what models write: what is found, what is passed over, and that reading ends."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.reply import objects_in

values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=4), values, max_size=4)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("no braces", []),
        ("{}", [{}]),
        ('{"a": 1}', [{"a": 1.0}]),
        ('Here: ```json\n{"a": [1, "}"]}\n``` and so on}', [{"a": [1.0, "}"]}]),
        ('{"a": 1}{"a": 2}\n{ "b": 3}', [{"a": 1.0}, {"a": 2.0}, {"b": 3.0}]),
        # Those inside another are part of it; those in a list are not.
        ('{"a": {"b": 1}}', [{"a": {"b": 1.0}}]),
        ('[{"a": 1}, {"b": 2}]', [{"a": 1.0}, {"b": 2.0}]),
        # Sets, templates and code open no object, nor does what breaks off.
        ("{one} and {{ two }} and {'three': 3}", []),
        ('{"a": oh} {"b": 2}', [{"b": 2.0}]),
        ('{"a": 1', []),
        # What follows a broken beginning is looked at on its own.
        ('{"a": {"b": 1}', [{"b": 1.0}]),
        ('{"a": 1, "a": 2} {"b": 3}', [None, {"b": 3.0}]),
        ('{"a": {"b": 1, "b": 2}}', [{"a": None}]),
    ],
)
def test_objects_are_found_in_order(text: str, found: list[Any]) -> None:
    assert list(objects_in(text)) == found


def test_numbers_of_any_length_are_floats() -> None:
    [found] = objects_in('{"long": ' + "9" * 5_000 + ', "short": 7}')
    assert found is not None
    assert found == {"long": math.inf, "short": 7.0}
    assert isinstance(found["short"], float)


@given(st.lists(objects, max_size=4), st.text(alphabet="ab ,]}\n`:", max_size=10))
def test_what_was_written_is_found_whatever_stands_between(
    written: list[dict[str, Any]], between: str
) -> None:
    text = between.join(["", *(json.dumps(one) for one in written), ""])
    assert list(objects_in(text)) == written


@given(st.text(alphabet='{}[]":,\\ \nab1', max_size=120))
def test_no_text_raises(text: str) -> None:
    assert all(found is None or isinstance(found, dict) for found in objects_in(text))


@pytest.mark.attack(
    "endless brackets, digits or repetitions in a reply",
    outcome="read in linear time, or no answer",
    against="judges",
)
@pytest.mark.parametrize(
    "hostile",
    [
        "{" * 200_000,
        '{"a":' * 40_000,
        '{"a":[' * 30_000,
        '{"' + "x" * 200_000,
        '{"a":"' * 30_000,
        '{ "a":[' * 150 + "1," * 90_000,
    ],
)
def test_hostile_texts_end_without_an_object(hostile: str) -> None:
    assert list(objects_in(hostile)) == []


def test_after_too_many_broken_beginnings_nothing_more_is_looked_at() -> None:
    def found(broken: int) -> list[dict[str, Any] | None]:
        return list(objects_in('{"a" ' * broken + '{"b": 1}'))

    assert found(199) == [{"b": 1.0}]
    assert found(200) == []


def test_a_text_may_be_written_with_its_line_breaks() -> None:
    assert list(objects_in('{"a": "1. Check.\n2. Mend.\tThen stop."}')) == [
        {"a": "1. Check.\n2. Mend.\tThen stop."}
    ]
