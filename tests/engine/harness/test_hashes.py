"""lm-eval's hash of a document by a faster encoder: the same bytes, whatever the document holds."""

from __future__ import annotations

import datetime
import enum
import json
import math
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lm_eval.utils import handle_non_serializable, hash_string

from otherminds import harness
from otherminds.harness.hashes import Indented


class Pair(NamedTuple):
    first: int
    second: int


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


def by_lm_eval(value: Any) -> str:
    return json.dumps(value, indent=2, default=handle_non_serializable, ensure_ascii=False)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8), values, max_size=6))
def test_the_text_is_lm_evals_to_the_byte(document: dict[str, Any]) -> None:
    assert Indented(handle_non_serializable)(document) == by_lm_eval(document)


@pytest.mark.parametrize(
    "value",
    [
        *(1e-05, 1e-4, 9.999e15, 1e16, 5e-324, -0.0, math.nan, math.inf, 0.1 + 0.2, 1.0),
        *([], {}, [[]], {"": {}}, [{}], "", 'é\u2028\x7f\x00"\\/', "😀", ["\u241b"]),
        *(2**53, 2**63, 2**64, -(2**63) - 1, True, None),
        *({1: "a"}, {None: 1}, {True: 1}, {1.5: 2}, (1, 2), Pair(1, 2), [Pair(1, 2)]),
        *(Colour.RED, [Colour.RED], Level.LOW, [Level.LOW], datetime.date(2024, 1, 2)),
        *(np.int64(3), np.float64(1e-7), np.bool_(True), {"n": np.float32(0.1)}, {1}, b"x"),
        OrderedDict(b=1, a=[1.0]),
    ],
    ids=repr,
)
def test_forms_in_which_encoders_differ_are_lm_evals(value: Any) -> None:
    for document in ({"a": value}, {"a": [value, {"b": value}], "c": "d"}):
        assert Indented(handle_non_serializable)(document) == by_lm_eval(document)
        assert harness.doc_hash(document) == hash_string(by_lm_eval(document))


def test_what_is_remembered_of_a_value_is_not_believed_of_another() -> None:
    # Each list is gone when the next is made, which then often has its id.
    indented = Indented(handle_non_serializable)
    for number in range(2_000):
        document = {"a": [number, 1.5 if number % 2 else 1e-05]}
        assert indented(document) == by_lm_eval(document)


def test_half_a_character_is_the_same_error() -> None:
    with pytest.raises(UnicodeEncodeError):
        harness.doc_hash({"a": "\ud800"})
