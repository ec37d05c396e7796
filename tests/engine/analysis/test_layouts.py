"""Layouts of tables: found by a run's dataset, and true to what its tasks measure."""

from __future__ import annotations

import math

import pytest

from otherminds import benchmark, harness, manifest
from otherminds.analysis import layouts
from otherminds.analysis.layouts import Column, Conditions, Layout
from otherminds.metrics.comparison import Difference
from otherminds.metrics.uncertainty import Estimate
from otherminds.samples.read import rules_of

UNKNOWN = "no-such-dataset"
OURS = ("debate", "hugagent", "socialmindchange", "synchtom", "trust_game")


def test_an_unknown_dataset_has_its_metrics_as_columns() -> None:
    assert layouts.columns_of(UNKNOWN, ["a", "b"]) == [Column("a", "a"), Column("b", "b")]
    assert layouts.layout_of(UNKNOWN) == Layout()
    assert layouts.conditions_of(UNKNOWN) is None
    assert layouts.baseline_of(UNKNOWN, "both") == "blind"
    assert layouts.unit_max(UNKNOWN, "acc") == 1.0


def test_a_table_without_one_of_its_metrics_shows_the_task_as_it_is() -> None:
    found = layouts.columns_of("synchtom", ["answered"])
    assert found == [Column("answered", "answered")]


def test_conditions_stand_in_the_papers_order_and_others_after_them() -> None:
    layout = Layout(conditions=Conditions(Column("f", "F"), "Part", ("x", "y", "z")))
    assert layout.ordered(["new", "z", "old", "x"]) == ["x", "z", "new", "old"]
    assert Layout().ordered(["b", "a"]) == ["b", "a"]


@pytest.mark.parametrize(
    ("dataset", "condition", "baseline"),
    [
        ("debate-beliefs", "both", "blind"),
        ("synchtom", "given_belief_0turn", "vanilla"),
        ("synchtom", "shuffled_5turn", "5turn"),
        ("synchtom", "collaboration", "10turn"),
    ],
)
def test_a_condition_is_compared_with_what_shows_as_much(
    dataset: str, condition: str, baseline: str
) -> None:
    assert layouts.baseline_of(dataset, condition) == baseline


@pytest.mark.parametrize(
    ("dataset", "metric", "most"),
    [
        ("hugagent", "bdu_acc", 1.0),
        ("hugagent", "composite", 100.0),
        ("hugagent", "ati", math.nan),
        ("hugagent", "bdu_mae_release", math.nan),
        ("trust-game", "rho_dollar_ranking", math.nan),
        ("trust-game", "mae_round3", math.nan),
        ("trust-game", "send", math.nan),
        ("synchtom", "belief_floor", 100.0),
        ("synchtom", "solution_unflagged", 100.0),
        ("synchtom", "judge_rate", 1.0),
        ("socialmindchange-codes", "new_words", math.nan),
        ("debate-beliefs", "macro_f1", 1.0),
        # Another benchmark's points are no limit of this one's metrics.
        ("debate-beliefs", "composite", math.nan),
    ],
)
def test_the_largest_value_is_that_of_the_benchmark(dataset: str, metric: str, most: float) -> None:
    assert layouts.unit_max(dataset, metric) == pytest.approx(most, nan_ok=True)


def test_every_metric_of_a_task_has_a_range_or_is_known_to_have_none() -> None:
    undeclared = set()
    for entry in harness.entries(harness.task_manager({})):
        rules = rules_of(entry.name) if entry.kind == "task" else None
        if rules is None or benchmark.of_dataset(rules.dataset).name not in OURS:
            continue
        undeclared |= {
            name
            for name in rules.metrics
            if not name.startswith("n_") and layouts.range_of(rules.dataset, name) is None
        }
    # A slope may be anything.
    assert undeclared == {"mae_slope"}


def test_differences_are_cut_to_the_differences_that_there_can_be() -> None:
    # Of two shares: from -1 to 1. Of two errors without a largest value: anything.
    wide = Difference(1.0, 0.1, Estimate(0.9, 0.2, 0.4, 1.4, 9, 5), 0.1, 0.2, 9, True, 0.0, 0.0)
    found = layouts.cut_differences("hugagent", {"bdu_acc": wide, "bdu_mae": wide, "new": wide})
    assert (found["bdu_acc"].difference.low, found["bdu_acc"].difference.high) == (0.4, 1.0)
    assert found["bdu_mae"] == found["new"] == wide
    assert layouts.cut_differences(UNKNOWN, {"acc": wide}) == {"acc": wide}


def test_every_column_is_a_metric_of_a_task_of_its_dataset() -> None:
    measured: dict[str, set[str]] = {}
    for entry in harness.entries(harness.task_manager({})):
        rules = rules_of(entry.name) if entry.kind == "task" else None
        if rules is not None:
            measured.setdefault(rules.dataset, set()).update(rules.metrics)
    shown = {name: layouts.layout_of(name).columns.get(name, ()) for name in manifest.names()}
    assert {name for name, columns in shown.items() if columns} == set(measured)
    for dataset, columns in shown.items():
        for column in columns:
            assert column.metric in measured[dataset], (dataset, column)


def test_every_reference_for_reports_leads_to_something() -> None:
    for one in benchmark.every():
        assert one.layout is not None, one.name
        assert isinstance(benchmark.resolve(one.layout), Layout)
        assert all(map(callable, benchmark.resolve(one.tables) or ())), one.name
        for reference in (one.shown, one.remarks):
            assert reference is None or callable(benchmark.resolve(reference)), reference
