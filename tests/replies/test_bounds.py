"""How well each benchmark's parsers read the corpus: no worse than was reached, and no side more easily.

The aim for the held half is a precision of 0.995 and a recall of 0.97, and is not reached everywhere:
`docs/explanation/parsing.md` has the values. A floor is raised when a parser gets better, and never
lowered for one that got worse. Of the held half, counts alone are printed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import pytest

from tests.replies import page
from tests.replies.corpus import BENCHMARKS, load
from tests.replies.measure import Tally, lines, measure, pooled, readers_of

Half = Literal["open", "held"]


class Floor(NamedTuple):
    """The least precision and recall."""

    precision: float
    recall: float


FLOORS: dict[tuple[Half, str], Floor] = {
    ("open", "hugagent"): Floor(0.994, 0.994),
    ("open", "debate"): Floor(1, 0.945),
    ("open", "socialmindchange"): Floor(1, 1),
    ("open", "trust_game"): Floor(1, 0.992),
    ("open", "synchtom"): Floor(1, 1),
    ("held", "hugagent"): Floor(0.988, 0.961),
    ("held", "debate"): Floor(0.961, 0.816),
    ("held", "socialmindchange"): Floor(0.985, 0.97),
    ("held", "trust_game"): Floor(0.956, 0.846),
    ("held", "synchtom"): Floor(0.965, 0.982),
}
CHANCE = 0.01
"""Recalls of the true answers that differ more than one sample in a hundred would are no accident."""


def tallies(half: Half, benchmark: str, *, undisputed: bool = False) -> dict[str, Tally]:
    return measure(load(half), readers_of([benchmark]), undisputed=undisputed)


@pytest.mark.parametrize(("half", "benchmark"), FLOORS)
def test_replies_are_read_as_people_read_them(half: Half, benchmark: str) -> None:
    found = tallies(half, benchmark)
    together, floor = pooled(found.values()), FLOORS[half, benchmark]
    told = "\n".join(lines(found))
    assert together.precision.total > 40
    assert together.precision.value >= floor.precision, told
    assert together.recall.value >= floor.recall, told


@pytest.mark.parametrize("undisputed", [False, True])
@pytest.mark.parametrize(("half", "benchmark"), FLOORS)
def test_no_answer_is_read_more_easily_than_another(
    half: Half, benchmark: str, undisputed: bool
) -> None:
    for form, tally in tallies(half, benchmark, undisputed=undisputed).items():
        assert tally.p_even >= CHANCE, f"{form}: {tally.recalls}"


def test_every_benchmark_has_floors_on_both_halves() -> None:
    assert set(FLOORS) == {(half, one) for half in ("open", "held") for one in BENCHMARKS}


def test_the_page_has_the_numbers_of_today() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.written(text) == text, "python -m tests.replies.page writes the table anew."
