from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.lenient_json import LenientDecoder

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(alphabet='a,]}" \\\n', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def decoded(text: str, position: int = 0) -> Any:
    return LenientDecoder(dict).decode(text, position)


@given(_JSON, st.sampled_from([",", " ,", ",\n ", " , "]))
def test_a_comma_before_the_end_changes_nothing(value: Any, comma: str) -> None:
    for wrapped in ({"a": value}, [value]):
        text = json.dumps(wrapped)
        found, end = decoded(f"{{ {text[:-1]}{comma}{text[-1]} }}", 2)
        assert found == wrapped
        assert end == len(text) + len(comma) + 2


def test_commas_within_texts_stay() -> None:
    text = '{"a": ",}", "b": [",]",],}'
    assert decoded(text) == ({"a": ",}", "b": [",]"]}, len(text))


@pytest.mark.parametrize("text", ["{,}", "[,]", '{"a": 1,,}', "[1,,]", '{"a",}', '{"a": ,}', "[1,"])
def test_other_commas_are_errors(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|Illegal"):
        decoded(text)


def test_so_many_commas_are_passed_over_and_no_more() -> None:
    assert decoded("[[1,]" + ",[1,]" * 199 + "]")[0] == [[1]] * 200
    with pytest.raises(ValueError, match="Expecting value"):
        decoded("[[1,]" + ",[1,]" * 200 + "]")
