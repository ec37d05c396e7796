"""Tables for a terminal: names stand as they are, and numbers are kept whole."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from otherminds import console

MARKUP = "[bold]x[/] :smile: [link=a]"


def shown(width: int = 80, **options: object) -> str:
    text = io.StringIO()
    Console(width=width, file=text).print(console.table(**options))  # type: ignore[arg-type]
    return text.getvalue()


def test_nothing_in_a_table_is_taken_for_markup() -> None:
    text = shown(
        columns=[*console.texts(MARKUP), *console.numbers("n")],
        rows=[[MARKUP, "1"]],
        title=MARKUP,
        caption=MARKUP,
    )
    assert text.count(MARKUP) == 4


def test_a_plain_table_is_aligned_by_its_columns() -> None:
    text = shown(
        columns=[*console.texts("Metric"), *console.numbers("Value", "n")],
        rows=[["acc", "0.5", "10"], ["mae", "12.5", "7"]],
        title="Scores",
    )
    # Columns of 6, 5 and 2 signs with two blanks after each.
    assert [line.rstrip() for line in text.splitlines()] == [
        "Scores",
        "Metric  Value   n",
        "acc       0.5  10",
        "mae      12.5   7",
    ]


def test_the_gap_is_what_lies_between_columns() -> None:
    text = shown(columns=console.texts("ab", "cd"), rows=[["1", "2"]], gap=1)
    assert [line.rstrip() for line in text.splitlines()] == ["ab cd", "1  2"]


@pytest.mark.parametrize(("fit", "is_cut"), [("line", True), ("words", False), ("fold", False)])
def test_a_cell_that_is_too_wide_is_cut_or_broken(fit: console.Fit, is_cut: bool) -> None:
    text = shown(width=12, columns=console.texts("A", fit=fit), rows=[["one two three four"]])
    assert ("…" in text) == is_cut
    assert ("four" in text) == (not is_cut)


@given(st.lists(st.text(alphabet="ab[]/:0.", min_size=1, max_size=6), min_size=1, max_size=4))
def test_every_cell_is_in_the_table(cells: list[str]) -> None:
    text = shown(columns=console.numbers(*("x" for _ in cells)), rows=[cells])
    # As read by a person: the cells in order, with blanks between them.
    assert text.splitlines()[1].split() == cells


def test_notes_may_quote_anything(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_notes([MARKUP, "long" * 40])
    assert capsys.readouterr().out == f"• {MARKUP}\n• {'long' * 40}\n"
