"""Tables for a terminal: names stand as they are, and numbers are kept whole."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from otherminds import console, manifest
from otherminds.cli import main as cli
from tests.conftest import ROOT

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


@pytest.mark.parametrize(("fit", "is_cut"), [("line", True), ("words", False), ("name", False)])
def test_a_cell_that_is_too_wide_is_cut_or_broken(fit: console.Fit, is_cut: bool) -> None:
    text = shown(width=12, columns=console.texts("A", fit=fit), rows=[["one two three four"]])
    assert ("…" in text) == is_cut
    assert ("four" in text) == (not is_cut)


@pytest.mark.parametrize("fit", ["words", "name"])
def test_words_and_parts_of_names_that_are_too_wide_are_broken(fit: console.Fit) -> None:
    text = shown(width=8, columns=console.texts("A", fit=fit), rows=[["a persuasiveness b"]])
    assert "…" not in text
    assert "".join(text.split()) == "Aapersuasivenessb"


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("meta-llama/Llama-3.1-70B-Instruct", ["meta-llama/", "Llama-3.1-", "70B-Instruct"]),
        ("my_long_model_name − other", ["my_long_", "model_name −", "other"]),
        ("persuasiveness", ["persuasivene", "ss"]),
        ("short", ["short"]),
        ("", []),
    ],
)
def test_names_break_between_their_parts(name: str, lines: list[str]) -> None:
    # A cell of 12, with two blanks after it.
    text = shown(width=14, columns=console.texts("A", fit="name"), rows=[[name]])
    assert [line.rstrip() for line in text.splitlines()[1:] if line.strip()] == lines


@given(st.text(alphabet="ab/-_ é世", max_size=40), st.integers(2, 20))
def test_names_lose_nothing(name: str, width: int) -> None:
    text = shown(
        width=width + 2, columns=console.texts("", fit="name"), rows=[[name]], headed=False
    )
    assert "".join(text.split()) == "".join(name.split())


@pytest.mark.parametrize("look", console.Look)
def test_what_does_not_fit_side_by_side_stands_below_each_other(
    look: console.Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fitted(width: int) -> list[str]:
        out = io.StringIO()
        monkeypatch.setattr(console, "OUT", console.Printer(width=width, file=out))
        columns = [*console.texts("Name"), *console.texts("Says", fit="words")]
        console.OUT.print(
            console.fitted(
                [*columns, *console.numbers("n")], [[MARKUP, "word " * 8, "12"]], look=look
            )
        )
        return [line.strip() for line in out.getvalue().splitlines() if line.strip()]

    assert any("Name" in line and "Says" in line for line in fitted(80))
    assert " ".join(fitted(44)) == f"{MARKUP} Says: {'word ' * 8}n: 12"


def test_a_title_that_does_not_fit_into_a_line_stands_below_it() -> None:
    out = io.StringIO()
    made = console.Printer(width=20, file=out)
    made.rule("[bold]short[/]")
    made.rule("Prompt of a_task (item 1)")
    assert out.getvalue() == f"{'─' * 6} short {'─' * 7}\n{'─' * 20}\nPrompt of a_task\n(item 1)\n"


@given(st.lists(st.text(alphabet="ab[]/:0.", min_size=1, max_size=6), min_size=1, max_size=4))
def test_every_cell_is_in_the_table(cells: list[str]) -> None:
    text = shown(columns=console.numbers(*("x" for _ in cells)), rows=[cells])
    # As read by a person: the cells in order, with blanks between them.
    assert text.splitlines()[1].split() == cells


def test_notes_may_quote_anything(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_notes([MARKUP, "long" * 40])
    assert capsys.readouterr().out == f"• {MARKUP}\n• {'long' * 40}\n"


def printed(text: str, width: int, *, terminal: bool, **options: bool) -> str:
    out = io.StringIO()
    made = console.Printer(width=width, file=out, force_terminal=terminal, no_color=True)
    made.print(text, highlight=False, **options)
    return re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())


def test_commands_and_paths_are_in_one_piece_on_a_terminal() -> None:
    text = (
        "• Run `otherminds build hugagent-synthetic OUT` first (`otherminds list`), or see "
        "otherminds-results/a_very_long_name_of_a_model/samples_hugagent_synthetic.jsonl."
    )
    assert printed(text, 44, terminal=True).splitlines() == [
        "• Run",
        "  `otherminds build hugagent-synthetic OUT`",
        "  first (`otherminds list`), or see",
        "  otherminds-results/a_very_long_name_of_a_model/samples_hugagent_synthetic.jsonl.",
    ]
    # A bullet never stands alone.
    assert printed("• otherminds-results/a_long_name", 10, terminal=True).startswith("• otherm")


def _texts(path: Path) -> Iterator[str]:
    """The texts of a module, but for docstrings; where a value is put in, they have an X."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    skipped = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    skipped |= {id(part) for one in nodes if isinstance(one, ast.JoinedStr) for part in one.values}
    for one in nodes:
        if id(one) in skipped:
            continue
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
        elif isinstance(one, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "X" for part in one.values)
            yield "".join(map(str, parts))


def _loose(text: str) -> list[str]:
    """Commands of several words that a terminal may break: those in no backticks.

    A line of its own, which begins with the command, is none of a sentence.
    """
    commands = "|".join(cli.names())
    copied = re.compile(
        rf"\botherminds (?:{commands})\b|\blm_eval --|\bpip install '?\w|--\w+ '|\$\("
    )
    sentences = (line for line in text.splitlines() if not line.strip().startswith("otherminds "))
    return [
        line for line in sentences if copied.search(re.sub(r"(`+)[^`]*\1", "", line)) is not None
    ]


def test_commands_in_sentences_are_found() -> None:
    assert _loose("Run otherminds list first.")
    assert _loose("x --include_path $(otherminds tasks-path)")
    assert not _loose("Run `otherminds list` first, or:\n    otherminds list")


def test_commands_in_sentences_are_in_backticks() -> None:
    handed = [one.handed for one in map(manifest.load, manifest.names()) if one.handed]
    access = [one.access for one in map(manifest.load, manifest.names()) if one.access]
    steps = [step for one in (*handed, *access) for step in one.steps]
    assert steps
    said = {"manifests": steps}
    for path in (ROOT / "otherminds").rglob("*.py"):
        said[path.name] = [*_texts(path)]
    loose = {
        name: [line for text in texts for line in _loose(text)] for name, texts in said.items()
    }
    assert {name: lines for name, lines in loose.items() if lines} == {}


def test_where_there_is_no_terminal_a_line_is_a_line() -> None:
    text = "A sentence of many words, which a terminal would break. " * 5
    assert printed(text, 30, terminal=False) == f"{text}\n"


def test_text_that_is_to_stay_as_it_is_does() -> None:
    text = "A prompt of a task, as the model reads it."
    assert printed(text, 10, terminal=True, soft_wrap=True) == f"{text}\n"


def test_markup_is_read_and_does_not_count() -> None:
    assert printed("[bold]one two[/] three", 9, terminal=True) == "one two\nthree\n"
    assert printed("[bold]one", 20, terminal=True, markup=False) == "[bold]one\n"


@given(
    st.lists(st.text(st.characters(categories=("L", "N", "P")), min_size=1), min_size=1),
    st.integers(1, 40),
)
def test_filling_keeps_every_word_and_breaks_where_it_must(words: list[str], width: int) -> None:
    line = " ".join(words)
    filled = console.filled(Text(line), width).plain
    assert filled.split() == line.split()
    for one in filled.split("\n"):
        # Longer than the terminal is only what cannot be broken.
        whole = one.strip()
        assert cell_len(one) <= width or " " not in whole.lstrip("•0123456789. ") or "`" in whole


def test_an_interval_of_few_people_is_not_shown() -> None:
    # t(1) = 12.706: of two people, 0.4165 ± 0.125 would reach from -1.172 to 2.005.
    found = {"value": 0.4165, "stderr": 0.125, "low": -1.172, "high": 2.005}
    assert console.interval_of({**found, "n_clusters": 2}) == console.TOO_FEW
    assert console.interval_of({**found, "n_clusters": 4}) == console.TOO_FEW
    shown = {**found, "low": 0.069, "high": 0.764, "n_clusters": 5}
    assert console.interval_of(shown) == "0.069 – 0.764"
    nothing = {**found, "stderr": float("nan"), "n_clusters": 1}
    assert console.interval_of(nothing) == "n/a"
