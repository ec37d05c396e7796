"""Runs that differ in what was shown of people: tables by condition, and gains over a baseline."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from otherminds import analysis, harness
from otherminds.analysis import condition_tables, printing_pairs
from otherminds.analysis.condition_gains import group_of
from otherminds.errors import OtherMindsError
from otherminds.metrics.comparison import Difference
from otherminds.metrics.debate import gain
from otherminds.metrics.multiplicity import holm
from otherminds.metrics.uncertainty import Estimate
from otherminds.samples import read as samples
from tests.conftest import Command
from tests.engine.analysis.made import opinion, run_of
from tests.engine.analysis.made_debate import (
    ALL_RIGHT,
    DATASET,
    HALF,
    PEOPLE,
    beliefs,
    runs_of,
    scored,
    stance,
    task,
)


def test_tasks_of_one_form_differ_in_their_evidence_alone() -> None:
    entries = [one for one in harness.entries(harness.task_manager()) if one.kind == "task"]
    forms: dict[str, list[tuple[str | None, Any]]] = {}
    for entry in entries:
        rules = samples.rules_of(entry.name)
        if rules is not None and rules.evidence is not None and entry.path is not None:
            config = harness.load_yaml(entry.path)
            known = {key: config[key] for key in config if key not in ("task", "tag")}
            shown = {k: v for k, v in config["dataset_kwargs"].items() if k != "evidence"}
            known["dataset_kwargs"] = shown
            forms.setdefault(rules.form, []).append((rules.evidence, known))
    assert len(forms["debate_*_issues_logprob"]) == 5
    for form in ("debate_*", "debate_*_direct", "debate_*_synthetic", "debate_*_synthetic_logprob"):
        [first, *others] = [config for _, config in forms[form]]
        assert all(other == first for other in others), form
    for found in forms.values():
        conditions = [condition for condition, _ in found]
        assert len(set(conditions)) == len(conditions)
    everything = samples.rules_of("hugagent_synthetic")
    assert everything is not None
    assert (everything.evidence, everything.form) == (None, "hugagent_synthetic")


def test_the_table_of_categories_sets_them_against_conditions(tmp_path: Path) -> None:
    right = {
        "both": {"Religion": ALL_RIGHT, "Cars": HALF},
        "blind": {"Religion": HALF, "Cars": HALF},
    }
    runs_of(tmp_path, "m", right)
    found = condition_tables.part_tables(scored(tmp_path))
    table = found[DATASET]
    assert list(table) == ["Category", "n", "Macro-F1, blind", "Macro-F1, both"]
    assert list(table["Category"]) == ["Cars", "Religion", "all"]
    assert list(table["n"]) == ["12", "12", "24"]
    assert table["Macro-F1, both"][1] == "100.0 ± 0.0"
    # Three of six on either side are right: F1 = 2·3 / (6 + 6) for both answers.
    assert table["Macro-F1, blind"][1].startswith("50.0 ± ")
    numbers = condition_tables.part_numbers(scored(tmp_path))[DATASET].set_index("part")
    assert numbers.loc["Religion", "both"] == 1.0
    assert numbers.loc["all", "both"] == pytest.approx(0.75)
    assert numbers.loc["Cars", "blind_n"] == 12
    assert numbers.loc["all", "blind_n_people"] == PEOPLE


def test_models_and_forms_stand_in_one_table_and_what_was_not_run_is_a_dash(
    tmp_path: Path,
) -> None:
    runs_of(tmp_path, "m", {"both": {"Cars": HALF}, "blind": {"Cars": HALF}})
    runs_of(tmp_path, "l", {"beliefs": {"Cars": HALF}, "blind": {"Cars": HALF}})
    runs_of(tmp_path, "alone", {"blind": {"Cars": HALF}})
    table = condition_tables.part_tables(scored(tmp_path))[DATASET]
    assert list(table["Model"].unique()) == ["l", "m"]
    assert list(table)[3:] == ["Macro-F1, blind", "Macro-F1, beliefs", "Macro-F1, both"]
    by_model = table.groupby("Model", sort=False).first()
    assert by_model.loc["m", "Macro-F1, beliefs"] == "–"
    assert by_model.loc["l", "Macro-F1, both"] == "–"
    run_of(tmp_path / "x", beliefs({"Cars": HALF}), model="m", task=task("blind", ""))
    run_of(tmp_path / "y", beliefs({"Cars": HALF}), model="m", task=task("both", ""))
    table = condition_tables.part_tables(scored(tmp_path))[DATASET]
    assert "m, debate_*_synthetic" in set(table["Model"])


def test_runs_without_conditions_have_no_such_tables(tmp_path: Path) -> None:
    run_of(tmp_path, [opinion("i1", "7", "7")])
    assert condition_tables.part_tables(scored(tmp_path)) == {}
    ranked = analysis.ranks(analysis.read_runs([tmp_path]))
    assert ranked.found == []
    assert condition_tables.write_condition_tables(scored(tmp_path), None, ranked, tmp_path) == []


# Gains

RIGHT = {
    "beliefs": {"Religion": ALL_RIGHT, "Cars": HALF, "Music": [not one for one in HALF]},
    "blind": {"Religion": HALF, "Cars": HALF, "Music": HALF},
}


def test_gains_are_those_of_the_metrics_and_adjusted_over_categories(tmp_path: Path) -> None:
    runs_of(tmp_path, "m", RIGHT)
    runs = analysis.read_runs([tmp_path])
    [one] = analysis.gains(runs).found
    told, blind = (
        [record.item for record in run.records] for run in sorted(runs, key=lambda run: run.task)
    )
    expected = gain(told, blind)
    assert (one.condition, one.baseline, one.tasks) == (
        "beliefs",
        "blind",
        "debate_*_synthetic_direct",
    )
    assert one.overall["macro_f1"] == expected.overall["macro_f1"]
    assert one.by_part["Religion"] == expected.by_category["Religion"]
    assert (one.n_items, one.n_people) == (3 * PEOPLE, PEOPLE)
    # Half right, then all right.
    assert one.by_part["Religion"]["macro_f1"].difference.value == pytest.approx(0.5)
    raw = [expected.by_category[name]["acc"].p_value for name in ("Cars", "Music", "Religion")]
    adjusted = one.adjusted["acc"]
    assert [adjusted[name] for name in ("Cars", "Music", "Religion")] == list(holm(raw))


def test_the_table_of_gains_starts_with_all_and_the_largest(tmp_path: Path) -> None:
    runs_of(tmp_path, "m", RIGHT)
    found = analysis.gains(analysis.read_runs([tmp_path]))
    table = found.table()
    rows = table[table["metric"] == "macro_f1"].set_index("part")
    assert list(rows.index) == ["all", "Religion", "Cars", "Music"]
    assert rows.loc["Religion", "group"] == "≥ 10 points"
    # The same answers twice: nothing says how far others would differ.
    assert rows.loc["Cars", "group"] == "unclear"
    assert rows.loc["Religion", "value"] == 1.0
    assert rows.loc["Religion", "value_baseline"] == 0.5
    assert rows["p_holm"].isna().to_list() == [True, False, False, False]
    # To agree more often is neither better nor worse.
    assert table[table["metric"] == "agree_rate"]["group"].isna().all()
    for_paper = condition_tables.gain_tables(found)[DATASET].set_index("Category")
    assert for_paper.loc["Religion", "Gain in Macro-F1"] == "+50.0"
    assert for_paper.loc["Cars", "95 % interval"] == "–"
    assert list(for_paper["Condition"].unique()) == ["beliefs − blind"]


def test_a_gain_that_may_be_one_of_reading_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs_of(tmp_path, "m", {"both": {"Cars": HALF}})
    unread = [
        line | {"filtered_resps": [["Who knows?"]]} if n < 3 else line
        for n, line in enumerate(beliefs({"Cars": HALF}))
    ]
    run_of(tmp_path / "m" / "blind", unread, model="m", task=task("blind"))
    found = analysis.gains(analysis.read_runs([tmp_path]))
    # 9 of 12 under the baseline.
    assert [one.read for one in found.found] == [(1.0, 0.75)]
    [note] = [note for note in found.notes if "of reading" in note]
    assert "100% of the answers could be read under 'both', and 75% under 'blind'" in note
    assert set(found.table()["parse_rate_baseline"]) == {0.75}
    printing_pairs.print_gains(found)
    assert "100% / 75%" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("low", "high", "stderr", "group"),
    [
        (0.1, 0.3, 0.05, "≥ 10 points"),
        (0.09, 0.5, 0.05, "> 0"),
        (0.0, 0.2, 0.05, "unclear"),
        (-0.2, 0.4, 0.05, "unclear"),
        (-0.2, -0.01, 0.05, "< 0"),
        (0.4, 0.4, 0.0, "unclear"),
        (math.nan, math.nan, math.nan, "unclear"),
    ],
)
def test_groups_go_by_the_interval(low: float, high: float, stderr: float, group: str) -> None:
    value = Estimate((low + high) / 2, stderr, low, high, 20.0, 10)
    found = Difference(0.5, 0.5, value, 0.5, 0.1, 100, False, 0.0, 0.0)
    assert group_of(found) == group


def test_items_that_one_condition_lacks_and_other_counts_of_beliefs_do_no_harm(
    tmp_path: Path,
) -> None:
    run_of(tmp_path / "a", beliefs({"Cars": HALF}), model="m", task=task("blind"))
    # Beliefs of another category are fewer, and not everybody has any.
    fewer = beliefs({"Cars": HALF[:8]}, n_known=60)
    run_of(tmp_path / "b", fewer, model="m", task=task("cross_category"))
    found = analysis.gains(analysis.read_runs([tmp_path]))
    [one] = found.found
    assert (one.condition, one.n_items) == ("cross_category", 8)
    assert "m, blind: 4 of 12 items were left out" in " ".join(found.notes)
    compared = analysis.compare(analysis.read_runs([tmp_path]), allow=["task"])
    assert compared.n_items == 8


def test_any_condition_can_be_the_baseline(tmp_path: Path) -> None:
    runs_of(tmp_path, "m", RIGHT)
    runs = analysis.read_runs([tmp_path])
    [forth], [back] = (analysis.gains(runs, baseline=b).found for b in ("blind", "beliefs"))
    assert back.condition == "blind"
    assert back.overall["acc"].difference.value == -forth.overall["acc"].difference.value
    with pytest.raises(OtherMindsError, match="both under 'demographics' and under another"):
        analysis.gains(runs, baseline="demographics")


def test_conditions_that_were_not_run_alike_are_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    run_of(folder / "a", beliefs({"Cars": HALF}), model="m", task=task("blind"))
    lines = beliefs({"Cars": HALF})
    run_of(folder / "b", lines, model="m", task=task("both"), generation={"do_sample": True})
    with pytest.raises(OtherMindsError, match="--allow decoding"):
        analysis.gains(analysis.read_runs([folder]))
    allowed = analysis.gains(analysis.read_runs([folder]), allow=["decoding"])
    assert "that was allowed" in " ".join(allowed.notes)
    # Where something else can be compared, a note says what cannot.
    run_of(folder / "c", beliefs({"Cars": HALF}), model="m", task=task("beliefs"))
    found = analysis.gains(analysis.read_runs([folder]))
    assert [one.condition for one in found.found] == ["beliefs"]
    assert "'both' is not compared" in " ".join(found.notes)


def test_a_benchmark_without_gains_says_what_compares_it(tmp_path: Path) -> None:
    for n, name in enumerate(("hugagent_no_context_synthetic", "hugagent_context5_synthetic")):
        run_of(tmp_path / str(n), [opinion("i1", "7", "7")], task=name)
    with pytest.raises(OtherMindsError, match="otherminds compare --allow task"):
        analysis.gains(analysis.read_runs([tmp_path]), baseline="no_context")


def test_the_other_gold_of_an_item_is_refused(tmp_path: Path) -> None:
    run_of(tmp_path / "a", [stance("i1", "U1", "agree")], model="m", task=task("blind"))
    other = [stance("i1", "U1", "agree", agrees=False)]
    run_of(tmp_path / "b", other, model="m", task=task("both"))
    with pytest.raises(OtherMindsError, match="another person, category or gold"):
        analysis.gains(analysis.read_runs([tmp_path]))


# Commands


def test_gain_prints_models_and_writes_every_metric(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    runs_of(tmp_path / "in", "m", RIGHT)
    done = command("otherminds", "gain", "in", "-o", "gains.csv", cwd=tmp_path)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["m,", "debate_*_synthetic_direct:", "macro_f1"] in rows
    assert ["beliefs", "−", "blind"] in [row[:3] for row in rows]
    assert "highest condition of each part: " in done.stdout
    assert "Religion" not in done.stdout
    parts = command("otherminds", "gain", "in", "--details", cwd=tmp_path).stdout
    first = parts.index("m, debate_*_synthetic_direct: macro_f1, beliefs − blind")
    shown = [
        line.split()[0] for line in parts[first:].splitlines() if "unclear" in line or "≥" in line
    ]
    assert shown[:3] == ["Religion", "Cars", "Music"] or shown[1:4] == ["Religion", "Cars", "Music"]
    table = pd.read_csv(tmp_path / "gains.csv")
    assert set(table["metric"]) == {"macro_f1", "acc", "agree_rate", "parse_rate"}
    told = json.loads(command("otherminds", "gain", "in", "--json", cwd=tmp_path).stdout)
    assert len(told["gains"]) == len(table)
    assert {row["condition"] for row in told["gains"]} == set(table["condition"])
    assert {row["part"] for row in told["ranks"]} >= {"Religion", "Cars", "Music"}
    one = command("otherminds", "gain", "in", "--metric", "acc", cwd=tmp_path)
    assert "macro_f1" not in one.stdout
    for flags, said in (
        (("--metric", "f1"), "f1"),
        (("--baseline", "both"), "--baseline"),
        (("-o", "gains.xlsx"), ".csv or .json"),
    ):
        refused = command("otherminds", "gain", "in", *flags, cwd=tmp_path, code=1)
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr
