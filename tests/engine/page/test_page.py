"""The page as a file: what it holds, before any browser."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
from pathlib import Path

import pandas as pd
import pytest

from otherminds.page import Contents, write_page
from otherminds.page.tables import comparison_tables, score_tables
from otherminds.page.text import cut, label, middle, number, slug, spread, visible
from tests.engine.page import demo

pytest.importorskip("altair", reason="altair is not installed (pip install 'otherminds[report]')")


def written(folder: Path, contents: Contents) -> str:
    write_page(contents, folder / "page.html")
    assert [path.name for path in folder.iterdir()] == ["page.html"]
    return (folder / "page.html").read_text(encoding="utf-8")


def only(**tables: pd.DataFrame) -> Contents:
    return Contents(title="Some", **tables)  # type: ignore[arg-type]  # names of tables


@pytest.mark.attack(
    "a script in a page that is not ours",
    outcome="stopped by the page's policy",
    against="pages",
)
def test_the_policy_names_our_one_script(tmp_path: Path) -> None:
    text = written(tmp_path, demo.contents(people=2))
    [script] = re.findall(r"<script>(.*?)</script>", text, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'")
    assert text.index("Content-Security-Policy") < text.index("<script")


@pytest.mark.attack(
    "a page that would ask another server for something",
    outcome="nothing points out of the file",
    against="pages",
)
def test_nothing_points_out_of_the_file(tmp_path: Path) -> None:
    text = written(tmp_path, demo.contents(people=2))
    for address in re.findall(r'\b(?:src|href|action)="([^"]*)"', text):
        assert address.startswith(("#", "data:"))
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_hostile_text_never_becomes_markup(tmp_path: Path) -> None:
    contents = demo.hostile()
    contents.samples["raw"] = [["short"]] * len(contents.samples)
    text = written(tmp_path, contents)
    assert "<script>window" not in text
    assert "<img src=x" not in text
    assert "\x00" not in text
    assert "\u202e" not in text
    assert "&lt;script&gt;window.pwned=1&lt;/script&gt;" in text


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        ("scores", {"scores", "plots"}),
        ("comparison", {"comparisons"}),
        ("samples", {"samples"}),
        ("people", {"plots"}),
    ],
)
def test_sections_without_rows_are_left_out(tmp_path: Path, table: str, shown: set[str]) -> None:
    contents = demo.contents(people=2)
    text = written(tmp_path, only(**{table: getattr(contents, table)}))
    assert set(re.findall(r'<section id="(\w+)"', text)) == shown
    assert set(re.findall(r'<a href="#(\w+)"', text)) == shown


@pytest.mark.slow
def test_the_same_contents_give_the_same_bytes(tmp_path: Path) -> None:
    first = written(tmp_path, demo.contents(people=2))
    assert written(tmp_path, demo.contents(people=2)) == first


def test_scores_show_error_interval_and_n() -> None:
    [whole, *_] = score_tables(demo.contents(people=1))
    assert [column.text for column in whole.columns] == ["run", "composite"]
    assert whole.columns[1].small == ["0 to 100", "higher is better"]
    cell = whole.rows[0][1]
    assert (cell.text, cell.small) == ("58.20 ± 1.60", ["[55.00, 61.40]", "n = 1,303"])
    assert cell.key == pytest.approx(58.2)
    assert [[cell.text for cell in line] for line in whole.foot] == [
        ["chance", "33.10"],
        ["human", "85.20"],
    ]


def test_a_score_without_a_value_is_a_dash() -> None:
    contents = demo.contents(people=1)
    scores = contents.scores.copy()
    scores.loc[scores["metric"] == "composite", ["value", "stderr", "low", "high"]] = float("nan")
    [whole, *_] = score_tables(dataclasses.replace(contents, scores=scores))
    assert (whole.rows[0][1].text, whole.rows[0][1].key) == ("–", None)


def test_differences_show_their_sign_and_small_p_values_their_bound() -> None:
    [(bsi, nothing), (bdu, others)] = comparison_tables(demo.contents(people=1))
    texts = [[cell.text for cell in table.rows[0][3:]] for table in (bsi, others or bsi)]
    assert texts[0] == ["+0.035", "0.027", "0.081", "0.044"]
    assert texts[1] == ["−0.060", "< 0.001", "0.001", "0.058"]
    assert bdu.rows[0][3].small == ["[−0.002, 0.050]", "n = 1,303, 54 people"]
    assert nothing is None


def test_a_table_of_many_metrics_is_cut_into_pieces_that_name_their_rows() -> None:
    [score] = (
        demo.contents(people=1)
        .scores.query("metric == 'composite' and run == 'Qwen3-8B'")
        .to_dict("records")
    )
    many = pd.DataFrame([{**score, "metric": f"m{number}"} for number in range(8)])
    [table] = score_tables(only(scores=many))
    pieces = [[column.text for column in piece.columns] for piece in table.parts()]
    # Six metrics fit beside a name: eight are four and four.
    assert pieces == [["run", "m0", "m1", "m2", "m3"], ["run", "m4", "m5", "m6", "m7"]]
    assert [piece.rows[0][0].text for piece in table.parts()] == ["Qwen3-8B", "Qwen3-8B"]
    assert [cell.text for cell in table.parts()[1].rows[0]] == ["Qwen3-8B", *["58.20 ± 1.60"] * 4]


def test_a_run_that_lacks_metrics_does_not_move_the_headline_back() -> None:
    scores = demo.contents(people=1).scores
    bdu = scores[(scores["task"] == demo.BDU) & (scores["part"] == "all")]
    # The first run has nothing to measure the first metric on.
    lacking = bdu[~((bdu["run"] == demo.RUNS[0]) & (bdu["metric"] == "accuracy"))]
    lacking = lacking.sort_values("run", key=lambda run: run != demo.RUNS[0], kind="stable")
    [table] = score_tables(only(scores=lacking))
    assert [column.text for column in table.columns] == ["run", "accuracy", "mae", "direction"]
    assert table.rows[0][1].text == "–"


def test_texts_are_made_fit_to_be_shown() -> None:
    assert visible("a\x00b\u202ec\ud800\nd\te") == "a⟨U+0000⟩b⟨U+202E⟩c⟨U+D800⟩\nd\te"
    assert label("two\n lines ", 20) == "two lines"
    assert label("x" * 10_000_000, 5) == "xxxx…"
    assert (cut("abc", 3), cut("abcd", 3)) == ("abc", "ab…")
    assert (middle("abcdefgh", 8), middle("abcdefghi", 6)) == ("abcdefgh", "abc…hi")
    assert (slug("../../etc/passwd"), slug("…")) == ("etc-passwd", "unnamed")
    assert (number(-0.5, 2), number(float("inf"), 2)) == ("−0.50", "–")
    assert (spread([5, 5]), spread([1200, 5])) == ("5", "5–1,200")
