"""Categories by the condition with the highest macro-F1, of single models and of all together."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from otherminds import analysis
from otherminds.analysis import condition_tables
from otherminds.analysis.condition_ranks import rank_tables
from otherminds.cli.main import app
from tests.engine.analysis.made import run_of
from tests.engine.analysis.made_debate import (
    ALL_RIGHT,
    DATASET,
    HALF,
    PEOPLE,
    beliefs,
    runs_of,
    scored,
    task,
)

WRONG = [False] * PEOPLE
# Religion: both is best; Cars: beliefs; Music: all alike; Art: blind.
ONE = {
    "blind": {"Religion": HALF, "Cars": WRONG, "Music": HALF, "Art": ALL_RIGHT},
    "demographics": {"Religion": HALF, "Cars": WRONG, "Music": HALF, "Art": HALF},
    "beliefs": {"Religion": HALF, "Cars": ALL_RIGHT, "Music": HALF, "Art": HALF},
    "both": {"Religion": ALL_RIGHT, "Cars": HALF, "Music": HALF, "Art": HALF},
}
# In Cars, this model is right with demographics alone.
OTHER = {
    name: {**parts, "Cars": ALL_RIGHT if name == "demographics" else WRONG}
    for name, parts in ONE.items()
}


def test_categories_fall_into_groups_by_their_highest_condition(tmp_path: Path) -> None:
    runs_of(tmp_path, "m", ONE)
    [one] = analysis.ranks(analysis.read_runs([tmp_path])).found
    assert one.conditions == ["blind", "demographics", "beliefs", "both"]
    assert one.groups() == {
        "blind": ["Art"],
        "beliefs": ["Cars"],
        "both": ["Religion"],
        "tie": ["Music"],
    }
    religion = one.by_part["Religion"]
    assert (religion.n, religion.n_people) == (PEOPLE, PEOPLE)
    # HALF: three of six on either side are right, F1 = 2·3 / (6 + 6).
    assert religion.highest.values == {
        "blind": 0.5,
        "demographics": 0.5,
        "beliefs": 0.5,
        "both": 1.0,
    }
    assert religion.highest.lead == 0.5
    assert religion.highest.share > 0.99
    assert math.isnan(one.by_part["Music"].highest.share)


def test_the_mean_over_models_and_their_vote_are_grouped_too(tmp_path: Path) -> None:
    runs_of(tmp_path, "a", ONE)
    runs_of(tmp_path, "b", OTHER)
    runs = analysis.read_runs([tmp_path])
    combined = analysis.combined_models(runs)
    assert len(combined) == 2 * 4
    mean, vote = analysis.ranks(combined).found
    assert (mean.model, vote.model) == (
        "ensemble by mean of 2 models",
        "ensemble by vote of 2 models",
    )
    # Mean of Cars: beliefs (1 + 0) / 2, demographics (0 + 1) / 2, both (0.5 + 0) / 2.
    assert mean.by_part["Cars"].highest.values == {
        "blind": 0.0,
        "demographics": 0.5,
        "beliefs": 0.5,
        "both": 0.25,
    }
    assert mean.by_part["Cars"].group == "tie"
    # Of tied votes, that of the first model counts.
    assert vote.by_part["Cars"].group == "beliefs"
    assert {one.by_part["Religion"].group for one in (mean, vote)} == {"both"}


def test_models_with_other_conditions_are_combined_in_those_that_they_share(tmp_path: Path) -> None:
    runs_of(tmp_path, "a", {name: ONE[name] for name in ("blind", "both")})
    runs_of(tmp_path, "b", ONE)
    assert {
        run.rules.evidence for run in analysis.combined_models(analysis.read_runs([tmp_path]))
    } == {
        "blind",
        "both",
    }
    alone = tmp_path / "alone"
    runs_of(alone, "c", {"blind": ONE["blind"]})
    assert len(analysis.combined_models(analysis.read_runs([alone]))) == 0
    assert analysis.ranks(analysis.read_runs([alone])).found == []


def test_runs_that_were_not_run_alike_are_left_out_by_name(tmp_path: Path) -> None:
    for condition, template in (("blind", True), ("both", False)):
        run_of(
            tmp_path / condition,
            beliefs(ONE[condition]),
            model="m",
            task=task(condition),
            chat_template_applied=template,
        )
    found = analysis.ranks(analysis.read_runs([tmp_path]))
    assert found.found == []
    assert "m, debate_*_synthetic_direct: conditions are not ranked." in " ".join(found.notes)
    allowed = analysis.ranks(analysis.read_runs([tmp_path]), allow=["chat-template"])
    assert len(allowed.found) == 1


def test_the_report_writes_the_groups_as_tables_and_numbers(tmp_path: Path) -> None:
    runs_of(tmp_path / "in", "m", ONE)
    scores = scored(tmp_path / "in")
    ranked = analysis.ranks(analysis.Runs([one.run for one in scores.scored], ()))
    table = rank_tables(ranked)[DATASET]
    assert list(table["Highest Macro-F1"]) == ["blind", "beliefs", "both", "tie"]
    assert list(table["Number"]) == ["1", "1", "1", "1"]
    assert table["Category (share of draws)"][3] == "Music"
    assert table["Category (share of draws)"][2].startswith("Religion (")
    written = condition_tables.write_condition_tables(scores, None, ranked, tmp_path)
    names = {path.name for path in written}
    assert {f"table_{DATASET}_groups.{ending}" for ending in ("md", "tex", "csv")} <= names
    numbers = pd.read_csv(tmp_path / f"table_{DATASET}_groups.csv").set_index("part")
    assert numbers.loc["Cars", "highest"] == "beliefs"
    assert numbers.loc["Cars", "both"] == pytest.approx(0.5)


def test_gain_prints_the_groups(tmp_path: Path) -> None:
    runs_of(tmp_path, "m", ONE)
    done = CliRunner().invoke(app, ["gain", str(tmp_path), "--details"], env={"COLUMNS": "80"})
    assert done.exit_code == 0, done.output
    assert "m, debate_*_synthetic_direct: macro_f1, highest condition" in done.output
    rows = [line.split() for line in done.output.splitlines()]
    below = rows[rows.index(["both", "(1)"]) + 1]
    assert below[:6] == ["Religion", "0.500", "0.500", "0.500", "1.000", "0.500"]
    assert "…" not in done.output
