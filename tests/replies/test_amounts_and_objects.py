"""How well the trust game's and SynchToM's parsers read the corpus.

Of the held half nothing but counts is printed and compared.
"""

from __future__ import annotations

from typing import Literal

import pytest

from tests.replies.corpus import load
from tests.replies.measure import Tally, lines, measure, pooled, readers_of

BENCHMARKS = ("trust_game", "synchtom")
PRECISION, RECALL = 0.995, 0.97
LEAST_READ = {
    "trust_game_amount": 0.96,
    # One reply of fifteen words all kinds anew in a sentence, and is not read.
    "trust_game_dollars": 0.84,
    "trust_game_ranking": 1.0,
    "synchtom_answer": 1.0,
    "synchtom_judge": 1.0,
}
"""Recall on the open half, below which something that was read no longer is."""
LEAST_EVEN = 0.01
"""Recalls that differ so much by chance alone in fewer than one of a hundred corpora differ."""


def tallies(
    half: Literal["open", "held"], benchmark: str, *, undisputed: bool = False
) -> dict[str, Tally]:
    return measure(load(half), readers_of([benchmark]), undisputed=undisputed)


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_open_replies_are_read_as_people_read_them(benchmark: str) -> None:
    found = tallies("open", benchmark)
    print("\n".join(lines(found)))
    # Nothing is read that is not there, and of each form so much is read.
    assert {form: tally.precision.value for form, tally in found.items()} == dict.fromkeys(
        found, 1.0
    )
    assert [form for form, tally in found.items() if tally.recall.value < LEAST_READ[form]] == []


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_undisputed_open_replies_are_read_evenly(benchmark: str) -> None:
    found = tallies("open", benchmark, undisputed=True)
    assert all(tally.p_even >= LEAST_EVEN for tally in found.values())


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_held_replies_are_read_as_people_read_them(benchmark: str) -> None:
    found = tallies("held", benchmark)
    print("\n".join(lines(found)))
    together = pooled(found.values())
    counts = f"{benchmark}: precision {together.precision}, recall {together.recall}"
    assert together.precision.value >= PRECISION, counts
    assert together.recall.value >= RECALL, counts
    uneven = [form for form, tally in found.items() if tally.p_even < LEAST_EVEN]
    assert uneven == [], counts
