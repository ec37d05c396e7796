from __future__ import annotations

import numpy as np
import pytest

from otherminds.dataset_builders.socialmindchange.codes.text import (
    fill,
    listed,
    sentence_case,
    slots,
    wordings,
    write,
)


def test_a_line_has_as_many_wordings_as_ways_through_its_choices() -> None:
    line = "{x} [ran|went] to the [door|gate|car]."
    assert wordings(line) == 6
    found = {write(np.random.default_rng(seed), line, {"x": "Ada"}) for seed in range(200)}
    assert len(found) == 6
    assert "Ada ran to the gate." in found


def test_slots_are_named_once() -> None:
    assert slots("{x} and {thing}, [{x}|{y}]") == {"x", "y", "thing"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the list is late. the key, too.", "The list is late. The key, too."),
        ('"is it?" he asked.', '"Is it?" he asked.'),
        ('she wrote: "the list."', 'She wrote: "The list."'),
        ('it said "when." the rest was gone.', 'It said "when." The rest was gone.'),
        ("at 3.5 meters", "At 3.5 meters"),
    ],
)
def test_sentences_and_speech_begin_with_a_capital(text: str, expected: str) -> None:
    assert sentence_case(text) == expected


def test_names_are_listed_as_in_prose() -> None:
    assert listed(["Ada"]) == "Ada"
    assert listed(["Ada", "Bo", "Cy"]) == "Ada, Bo and Cy"


def test_an_unfilled_slot_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill("{x} left", {})
