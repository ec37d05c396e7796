"""What else than the person moves a score: numbers derived by hand, and what a page lacks."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import analysis
from otherminds.analysis import reliability
from otherminds.analysis.identity_files import read_identities
from otherminds.analysis.reliability import FORMS, IDENTITY, LETTERS, ORDER, REPLIES, SPREAD
from otherminds.analysis.reply_ends import ReplyEnds
from otherminds.cli.main import app
from otherminds.page.reliability import Row, Section
from tests.engine.analysis.made import (
    BDU,
    BSI,
    BSI_LOGPROB,
    DATES,
    Line,
    chosen,
    letter,
    opinion,
    run_of,
)

SWAPPED = "hugagent_bsi_swapped_synthetic"


@pytest.fixture(autouse=True)
def _data(little: Path) -> None:
    """Documents that are made by hand are in no data."""


def sections(*paths: Path) -> Mapping[str, Section]:
    """The sections of some samples, by name."""
    ends, notes = ReplyEnds(), list[str]()
    runs = analysis.read_runs(paths, visit=ends)
    scores = analysis.score(runs, check=False)
    found = reliability.sections(scores, read_identities(paths, notes), ends)
    assert not notes
    return {one.name: one for one in found}


def measured(section: Section, part: str = "") -> dict[str, Row]:
    """The rows of a section about one part, by measure."""
    rows = {row.measure: row for row in section.rows if row.part == part}
    assert rows
    return rows


def both_orders(items: Sequence[tuple[str, str, str, str]]) -> list[Line]:
    """Samples of items (name, person, the letter said, and the one with options exchanged)."""
    return [
        letter(name, gold, said, participant_id=person, options_swapped=is_swapped)
        for name, person, first, second in items
        for gold, said, is_swapped in (("A", first, False), ("B", second, True))
    ]


def test_order_counts_letters_that_stay_and_answers_that_turn(tmp_path: Path) -> None:
    items = [("i1", "P1", "A", "A"), ("i2", "P1", "A", "B")]
    items += [("i3", "P2", "B", "B"), ("i4", "P2", "A", "what?")]
    run_of(tmp_path, both_orders(items), task=SWAPPED)
    rows = measured(sections(tmp_path)[ORDER])
    # i1 and i3 keep their letter, of four items; i4 is unread in one order.
    assert rows["keeps its letter"].value == pytest.approx(2 / 4)
    assert rows["unread"].value == pytest.approx(1 / 4)
    # Of the items read in both orders: A A, A B, B B.
    assert rows["says A"].value == pytest.approx(3 / 6)
    assert rows["says A"].expected == 0.5
    # Right as it is, less right exchanged: i1 1 - 0, i2 1 - 1, i3 0 - 1, i4 1 - 0.
    assert rows["right, as it is − exchanged"].value == pytest.approx(1 / 4)
    assert {row.n_people for row in rows.values()} == {2}


def test_an_item_that_a_limit_left_in_one_order_is_left_out(tmp_path: Path) -> None:
    lines = both_orders([("i1", "P1", "A", "A"), ("i2", "P2", "A", "B")])[:-1]
    run_of(tmp_path, lines, task=SWAPPED)
    rows = measured(sections(tmp_path)[ORDER])
    assert (rows["keeps its letter"].value, rows["keeps its letter"].n) == (1.0, 1)


def test_letters_are_held_against_balance_and_the_true_answers(tmp_path: Path) -> None:
    golds_and_said = [("A", "A"), ("A", "A"), ("A", "A"), ("B", "B"), ("B", "A"), ("B", "why")]
    lines = [
        letter(f"i{n}", gold, said, participant_id=f"P{n}")
        for n, (gold, said) in enumerate(golds_and_said)
    ]
    run_of(tmp_path, lines, task=BSI)
    rows = measured(sections(tmp_path)[LETTERS])
    # Of five letters, four are A: |4/5 - 1/2|/2 + |1/5 - 1/2|/2. Of these items' golds, three are.
    assert rows["from balance"].value == pytest.approx(0.3)
    assert rows["true answers from balance"].value == pytest.approx(0.1)
    assert rows["most over: A"].value == pytest.approx(0.8)
    assert rows["most over: A"].expected == pytest.approx(0.5)
    assert rows["most under: B"].value == pytest.approx(0.2)


def test_log_probabilities_and_written_answers_agree_as_cohen_counts(tmp_path: Path) -> None:
    logs = {"A": (-0.1, -2.0), "B": (-2.0, -0.1)}
    items = [("A", "A"), ("A", "B"), ("B", "B"), ("B", "what?")]
    by_log = [chosen(f"i{n}", "A", *logs[one]) for n, (one, _) in enumerate(items)]
    written = [letter(f"i{n}", "A", two) for n, (_, two) in enumerate(items)]
    run_of(tmp_path / "one", by_log, task=BSI_LOGPROB)
    run_of(tmp_path / "two", written, task=BSI)
    found = sections(tmp_path)[FORMS]
    rows = measured(found, "letters and words")
    # Read on both sides: A A, A B, B B. P_o = 2/3, P_e = 2/3 · 1/3 + 1/3 · 2/3 = 4/9,
    # κ = (2/3 - 4/9) / (1 - 4/9) = 2/5.
    assert rows["same answer"].value == pytest.approx(2 / 3)
    assert rows["kappa"].value == pytest.approx(2 / 5)
    assert rows["unread"].value == pytest.approx(1 / 4)
    # Right: i0 both, i1 the log-probabilities alone, i2 and i3 neither.
    assert rows["right, log-probabilities − written"].value == pytest.approx(1 / 4)
    assert found.missing == []


def test_two_models_are_not_paired_with_each_other(tmp_path: Path) -> None:
    run_of(tmp_path / "one", [chosen("i", "A", -1.0, -2.0)], task=BSI_LOGPROB, model="a")
    run_of(tmp_path / "two", [letter("i", "A", "A")], task=BSI, model="b")
    found = sections(tmp_path)[FORMS]
    assert found.rows == []
    assert found.missing == [f"a: `otherminds run {BSI}`", f"b: `otherminds run {BSI_LOGPROB}`"]


def test_scales_have_kappas_of_their_own(tmp_path: Path) -> None:
    golds = ["1", "4", "10"]
    logs = [[-9.0] * 10 for _ in golds]
    for row, place in zip(logs, (0, 3, 9), strict=True):
        row[place] = -0.1
    by_log = [opinion(f"i{n}", gold, participant_id=f"P{n}") for n, gold in enumerate(golds)]
    for line, row in zip(by_log, logs, strict=True):
        line["filtered_resps"] = [[one, "False"] for one in row]
    written = [opinion(f"i{n}", gold, gold, participant_id=f"P{n}") for n, gold in enumerate(golds)]
    run_of(tmp_path / "one", by_log, task=f"{BDU}_logprob")
    run_of(tmp_path / "two", written, task=BDU)
    rows = measured(sections(tmp_path)[FORMS], "1 to 10")
    assert (rows["kappa"].value, rows["same answer"].value) == (1.0, 1.0)


def test_spread_is_over_runs_and_counts_items_that_change(tmp_path: Path) -> None:
    lines = [
        letter("i1", "A", "A", "A", "A"),
        letter("i2", "A", "A", "B", "A", participant_id="P2"),
    ]
    run_of(tmp_path, lines, task=BSI)
    found = sections(tmp_path)[SPREAD]
    rows = measured(found, "bsi_acc")
    # Runs score 1, 1/2 and 1: mean 5/6, population SD sqrt((2·(1/6)² + (1/3)²) / 3) = sqrt(1/18).
    mean = rows["mean (range over runs)"]
    assert (mean.value, mean.low, mean.high) == (pytest.approx(5 / 6), 0.5, 1.0)
    assert rows["SD over runs"].value == pytest.approx(math.sqrt(1 / 18))
    assert rows["items that change"].value == pytest.approx(1 / 2)
    assert found.missing == []


def test_replies_are_counted_by_why_they_ended(tmp_path: Path) -> None:
    lines = [letter(f"i{n}", "A", said) for n, said in enumerate(["A", "B", "so", "A"])]
    for line, reason in zip(lines, ["stop", "stop", "length", None], strict=True):
        line["finish_reasons"] = [[reason]]
    window = {"checked": True, "n_truncated": 3}
    run_of(tmp_path, lines, task=BSI, window=window)
    found = sections(tmp_path)[REPLIES]
    rows = measured(found)
    assert rows["read"].value == pytest.approx(3 / 4)
    assert (rows["answers not read"].value, rows["answers not read"].n) == (1, 4)
    assert rows["prompts cut"].value == 3
    # Of three replies whose end is known.
    assert rows["replies out of tokens"].value == pytest.approx(1 / 3)
    assert found.missing == []


def test_reasons_of_another_form_are_left_aside(tmp_path: Path) -> None:
    odd: list[Any] = ["stop", [], {"a": 1}, [None], [[1, {}]], [["length", None]], ["stop"]]
    lines = [letter(f"i{n}", "A", "A", participant_id=f"P{n}") for n in range(len(odd))]
    for line, reasons in zip(lines, odd, strict=True):
        line["finish_reasons"] = reasons
    run_of(tmp_path, lines, task=BSI)
    rows = measured(sections(tmp_path)[REPLIES])
    # The one "length" that stands as a reply's own.
    assert (rows["replies out of tokens"].value, rows["replies out of tokens"].n) == (1.0, 1)


def identity_file(folder: Path, **changes: Any) -> Path:
    """What `otherminds identity` writes."""
    found = {
        **{"task": "hugagent_synthetic", "metric": "composite", "lower": False},
        **{"observed": 70.0, "null": [50.0, 60.0, 40.0], "seeds": [1, 2, 3], "p_value": 0.25},
        **{"n": 100, "n_people": 4},
        "record": {"model": "hf", "model_args": {"pretrained": "org/some-model"}, "limit": None},
    }
    path = folder / "identity_hugagent_synthetic_2026-01-02T03-04-05.678.json"
    path.write_text(json.dumps(found | changes), encoding="utf-8")
    return path


def test_identity_tests_are_read_from_their_files(tmp_path: Path) -> None:
    run_of(tmp_path / "run", [letter("i", "A", "A")], task=BSI)
    identity_file(tmp_path)
    found = sections(tmp_path)[IDENTITY]
    rows = measured(found, "composite")
    assert {row.model for row in rows.values()} == {"some-model"}
    assert rows["own evidence"].value == 70
    others = rows["another person's (mean; range)"]
    assert (others.value, others.low, others.high) == (50, 40, 60)
    assert rows["gain"].value == 20
    # Of three exchanges, none scores as high: (1 + 0) / (1 + 3), the smallest there can be.
    assert (rows["p (permutation)"].value, rows["p (permutation)"].expected) == (0.25, 0.25)
    assert found.missing == []


def test_less_of_an_error_is_a_gain(tmp_path: Path) -> None:
    run_of(tmp_path / "run", [letter("i", "A", "A")], task=BSI)
    identity_file(tmp_path, lower=True, observed=1.0, null=[2.0, 4.0])
    assert measured(sections(tmp_path)[IDENTITY], "composite")["gain"].value == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"null": []},
        {"null": ["x"]},
        {"null": [math.nan]},
        {"p_value": 2},
        {"record": {}},
        {"record": {"model": "hf", "model_args": 1}},
        {"n": None},
    ],
    ids=str,
)
def test_a_damaged_identity_test_is_left_out_with_a_note(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    path = identity_file(tmp_path, **changes)
    notes: list[str] = []
    assert read_identities([tmp_path], notes) == []
    assert len(notes) == 1
    assert notes[0].startswith(f"{path} was left out: it is no identity test (")


def test_what_is_missing_names_the_command_that_makes_it(tmp_path: Path) -> None:
    run_of(tmp_path, [letter("i", "A", "A")], task=BSI)
    found = sections(tmp_path)
    assert {name: one.missing for name, one in found.items()} == {
        ORDER: [
            "some-model: `otherminds run hugagent_bsi_swapped_synthetic` (real people: "
            "hugagent_bsi_swapped)"
        ],
        LETTERS: [],
        FORMS: [f"some-model: `otherminds run {BSI_LOGPROB}`"],
        IDENTITY: ["some-model: `otherminds identity hugagent_synthetic` (real people: hugagent)"],
        SPREAD: [
            f"some-model: `otherminds run {BSI} --runs 5 --gen_kwargs do_sample=true,temperature=0.7`"
        ],
        REPLIES: ["None of these samples says why its replies ended."],
    }
    assert [one.name for one in found.values() if not one.rows] == [ORDER, FORMS, IDENTITY, SPREAD]


def test_the_command_writes_the_page_and_its_numbers(tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the extra 'report' is not installed")
    lines = [letter("i1", "A", "A"), letter("i2", "B", "A", participant_id="P2")]
    run_of(tmp_path / "run", lines, task=BSI, model="<b>bold</b>", date=DATES[0])
    (tmp_path / "run" / "identity_x_1.json").write_text("{")
    out = tmp_path / "report"
    words = ["report", str(tmp_path / "run"), "-o", str(out), "--reliability", "--title", "T <i>"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert f"Page:  {out / 'reliability.html'}" in done.output
    page = (out / "reliability.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "T &lt;i&gt;" in page
    assert "<b>bold" not in page
    assert "it is no identity test" in page
    table = (out / "reliability.csv").read_text(encoding="utf-8").splitlines()
    assert table[0] == ",".join(Row._fields)
    assert any(row.startswith("letters,") and "most over: A,1.0" in row for row in table)
    # Without the switch, no such page.
    plain = CliRunner().invoke(
        app, ["report", str(tmp_path / "run"), "-o", str(tmp_path / "other")]
    )
    assert plain.exit_code == 0
    assert not (tmp_path / "other" / "reliability.html").exists()
