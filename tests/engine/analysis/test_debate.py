"""Debate beliefs from saved samples: votes, breakdowns, and runs of models without weights."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from otherminds import analysis
from otherminds.analysis import tables
from otherminds.analysis.ensembles import write_vote
from otherminds.analysis.scores import natural_order
from otherminds.scoring.base import ItemScores
from otherminds.tasks.debate import scoring as debate
from otherminds.tasks.hugagent import scoring as hugagent
from tests.engine.analysis.conftest import evaluated
from tests.engine.analysis.made import letter_doc, opinion, run_of
from tests.engine.analysis.made_debate import DATASET, chosen, scored, stance, task, values

# What a view states


def record(scores: Mapping[str, Any]) -> Any:
    return next(one for one in scores.values() if isinstance(one, ItemScores)).record


def test_views_state_what_may_be_answered() -> None:
    two = letter_doc("i1", "A")
    assert record(hugagent.text_all(two, [["A"]])).view().options == ("A", "B")
    three = record(hugagent.text_all(two | {"options": ["MORE", "LESS", "NO"]}, [["C"]]))
    assert three.view().options == ("A", "B", "C")
    assert three.with_answers(("A",)).view().options == ("A", "B", "C")
    scale = opinion("i2", "3", question_type="reason_evaluation", scale=[1, 5])["doc"]
    assert record(hugagent.text_all(scale, [["3"]])).view().options == (1, 2, 3, 4, 5)
    asked = stance("i3", "U1")["doc"]
    assert record(debate.text(asked, [["agree"]])).view().options == ("agree", "disagree")


# Votes


def test_a_vote_on_stances_is_written_and_read(tmp_path: Path) -> None:
    said = {
        "a": ("agree", "disagree", "no idea"),
        "b": ("agree", "disagree", "disagree"),
        "c": ("disagree", "no idea", "no idea"),
    }
    for name, replies in said.items():
        lines = [stance(f"i{n}", f"U{n}", one) for n, one in enumerate(replies)]
        run_of(tmp_path / "in" / name, lines, model=name, task=task("blind"))
    found = analysis.ensemble(analysis.read_runs([tmp_path / "in"]))
    answers = {record.view().item_id: record.view().answers for record in found.vote.records}
    assert answers == {"i0": ("agree",), "i1": ("disagree",), "i2": ("disagree",)}
    write_vote(found, tmp_path / "out")
    [run] = analysis.read_runs([tmp_path / "out"]).runs
    assert {r.view().item_id: r.view().answers for r in run.records} == answers
    # Everybody agrees: right are a on 1, b on 1 and c on 0 of 3 items, in the mean 2/9.
    mean = analysis.score_run(found.mean, check=False)
    assert values(mean)["acc"] == pytest.approx(2 / 9)
    assert values(mean)["parse_rate"] == pytest.approx((2 + 3 + 1) / 9)


def test_a_vote_on_log_likelihoods_is_written_and_read(tmp_path: Path) -> None:
    name = task("blind", "_logprob")
    said = {
        "a": [("-1.0", "-2.0"), ("-1.0", "-2.0"), ("nan", "nan")],
        "b": [("-9.0", "-2.0"), ("-1.0", "-2.0"), ("nan", "nan")],
        "c": [("-9.0", "-2.0"), ("-3.0", "-2.0"), ("nan", "nan")],
    }
    for model, pairs in said.items():
        lines = [chosen(f"i{n}", f"U{n}", *pair) for n, pair in enumerate(pairs)]
        run_of(tmp_path / model, lines, model=model, task=name)
    write_vote(analysis.ensemble(analysis.read_runs([tmp_path])), tmp_path / "out")
    [run] = analysis.read_runs([tmp_path / "out"])
    assert {record.view().item_id: record.view().answers for record in run.records} == {
        "i0": ("disagree",),
        "i1": ("agree",),
        "i2": (None,),
    }


# Breakdowns


def test_scores_come_by_the_number_of_known_beliefs_in_its_order(tmp_path: Path) -> None:
    sizes = (60, 15, 3, 7)
    lines = [
        stance(f"i{n}", f"U{n}", "agree" if known > 10 else "disagree", n_known=known)
        for n, known in enumerate(sizes)
    ]
    run_of(tmp_path, lines, task=task("both"))
    [one] = scored(tmp_path).scored
    assert list(one.breakdowns["known"]) == ["1-5", "6-10", "11-20", "51+"]
    assert values(one, "known", "51+")["acc"] == 1.0
    assert values(one, "known", "6-10")["acc"] == 0.0
    # The curve has each bin at the mean of what is known, in order.
    curves = one.details["curves"]
    assert [(point["x"], point["value"], point["n"]) for point in curves] == [
        *((3.0, 0.0, 1), (7.0, 0.0, 1), (15.0, 1.0, 1), (60.0, 1.0, 1)),
    ]
    # The bins are the categories of the documents too, and need not be shown twice.
    table = analysis.Scores([one], ()).table()
    assert list(table["breakdown"].unique()) == ["all", "topic", "known"]


@given(
    st.permutations(["1-5", "6-10", "11-20", "21-50", "51+", "opinion", "reason 2", "reason 10"])
)
def test_numbers_in_names_are_ordered_by_size(names: list[str]) -> None:
    assert sorted(names, key=natural_order) == [
        *("1-5", "6-10", "11-20", "21-50", "51+"),
        *("opinion", "reason 2", "reason 10"),
    ]


# Runs of models without weights


@pytest.fixture(scope="session")
def four(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Neighbours under two conditions, on 100 people; all processes of this session share it."""
    base = tmp_path_factory.getbasetemp()
    out = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "debate"
    flags = ("--model", "neighbours", "--metadata", '{"data_subset": 100}')
    with FileLock(f"{out}.lock"):
        if not out.exists():
            for name in ("blind", "beliefs", "cross_category"):
                evaluated(out, *flags, task=task(name))
    return out


def test_real_runs_are_scored_as_they_were_printed(four: Path) -> None:
    found = analysis.score(analysis.read_runs([four]))
    assert len(found.scored) == 3
    for one in found.scored:
        assert {check.name for check in one.checks if check.passed is False} == set()
        printed = one.run.facts.results["otherminds"]["scores"][one.run.task]
        assert list(one.breakdowns["known"]) == list(printed["by_known"])
        for part, metrics in printed["by_known"].items():
            expected = {name: fields["value"] for name, fields in metrics.items()}
            assert values(one, "known", part) == pytest.approx(expected)


def test_real_neighbours_gain_most_where_the_population_is_most_alike(four: Path) -> None:
    found = analysis.gains(analysis.read_runs([four]))
    by_condition = {one.condition: one for one in found.found}
    assert list(by_condition) == ["beliefs", "cross_category"]
    # In this population religion and politics follow from other beliefs, and arts hardly.
    one = by_condition["beliefs"]
    assert {part for part, _ in one.parts("macro_f1")[:2]} == {"Religion", "Politics"}
    assert one.overall["macro_f1"].difference.low > 0


@pytest.mark.slow
def test_a_report_holds_both_tables_and_the_gains(four: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="the extra 'report' is not installed")
    found = analysis.report([four], tmp_path / "report")
    names = {path.name for path in found.tables}
    for kind in ("categories", "groups", "gains"):
        for ending in ("md", "tex", "csv"):
            assert f"table_{DATASET}_{kind}.{ending}" in names
    page = found.page.read_text(encoding="utf-8")
    assert "gain in macro_f1 over blind, debate_*_synthetic_direct" in page
    assert "known: 21-50" in page
    latex = (tmp_path / "report" / f"table_{DATASET}_categories.tex").read_text(encoding="utf-8")
    # The category, its n, and the two conditions that the paper's table has.
    assert r"\begin{tabular}{lrrr}" in latex
    assert tables.paper_tables(found.scores)[DATASET].columns[1] == "Macro-F1"
