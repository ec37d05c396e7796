"""How well debate beliefs' parsers read the corpus, on both halves and on both sides alike."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.replies.corpus import load
from tests.replies.measure import Tally, measure, pooled, readers_of

PRECISION, RECALL = 0.995, 0.97
CHANCE = 0.01


@pytest.fixture(scope="module", params=["open", "held"])
def tallies(request: pytest.FixtureRequest) -> dict[str, Tally]:
    half: Literal["open", "held"] = request.param
    return measure(load(half), readers_of(["debate"]), undisputed=True)


def test_what_is_read_is_what_a_person_reads(tallies: dict[str, Tally]) -> None:
    everything = pooled(tallies.values())
    assert everything.precision.total > 50
    assert everything.precision.interval[1] >= PRECISION, str(everything.precision)
    assert everything.precision.value >= PRECISION - 0.01, str(everything.precision)


def test_what_a_person_reads_is_read(tallies: dict[str, Tally]) -> None:
    everything = pooled(tallies.values())
    assert everything.recall.interval[1] >= RECALL, str(everything.recall)


def test_neither_side_is_read_more_easily(tallies: dict[str, Tally]) -> None:
    stances = pooled(tallies[form] for form in ("debate_direct", "debate_cot"))
    assert {one: share.total >= 20 for one, share in stances.recalls.items()} == {
        "agree": True,
        "disagree": True,
    }
    assert stances.p_even > CHANCE, str(stances.recalls)
    assert tallies["debate_title"].p_even > CHANCE
