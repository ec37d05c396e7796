"""The trust game's tables, curves and report, from runs of players whose numbers are known."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from otherminds import analysis
from otherminds.analysis.contents import page_contents
from otherminds.analysis.texts import Texts
from otherminds.dataset_builders.trust_game.attributes import PAPER
from otherminds.tasks.trust_game.tables import (
    MEAN,
    MEDIAN,
    conditioning_table,
    endowment_table,
    forecast_table,
    population_table,
)
from tests.conftest import Command
from tests.engine.analysis.conftest import evaluated

PLAYERS = ("consistent-trust", "inconsistent-trust")
WAYS = ("ranking", "ranking in context", "ranking by dollars", "dollars")
RHO = tuple(f"ρ, {way}" for way in WAYS)
DELTA = tuple(f"|Δη²|, {way}" for way in WAYS)
CONTRAST = tuple(f"|Δ contrast η²|, {way}" for way in WAYS[:3])
EFFECTS = ("η²", "ω²", "η² by noise", "η² found in 80 %")
SETTING = ("Level set", "Endowment")
EVALUATED = PAPER.evaluated


@pytest.fixture(scope="module")
def folders(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The output of each player's run: two of the population level, one of six rounds."""
    base = tmp_path_factory.mktemp("players")
    for name in PLAYERS:
        evaluated(base / name, "--model", name, task="trust_game_conditioned")
    flags = ("--model", "tit-for-tat", "--limit", "12")
    evaluated(base / "tit-for-tat", *flags, task="trust_game_individual")
    evaluated(
        base / "majority", "--model", "majority", "--limit", "45", task="trust_game_population"
    )
    return {path.name: path for path in base.iterdir()}


@functools.cache
def scores(*folders: Path) -> analysis.Scores:
    """Scored once for all tests that read them."""
    return analysis.score(analysis.read_runs(folders), check=False)


def number(cell: str) -> float:
    return float(cell.split(maxsplit=1)[0].replace("−", "-"))


def values(table: pd.DataFrame, *headings: str) -> set[float]:
    """The estimates in some columns, without their standard errors."""
    return {number(cell) for heading in headings for cell in table[heading]}


def test_one_models_table_has_a_row_per_attribute_the_medians_and_the_means(
    folders: Mapping[str, Path],
) -> None:
    table = population_table(scores(folders["consistent-trust"]))
    columns = [*SETTING, "Personas", "Attribute", "Levels", *RHO, *DELTA, *CONTRAST, *EFFECTS]
    assert list(table.columns) == columns
    assert list(table["Attribute"]) == [*(one.name for one in EVALUATED), MEDIAN, MEAN]
    levels = [str(len(one.levels)) for one in EVALUATED]
    assert list(table["Levels"]) == [*levels, "", ""]
    # Every row says by which levels people are told apart, and how many they are.
    assert set(table["Level set"]) == {"paper"}
    assert (set(table["Endowment"]), set(table["Personas"])) == ({"10"}, {"50"})
    assert values(table, *RHO) == {1.0}
    assert max(values(table, *DELTA)) < 0.01
    assert values(table, DELTA[-1]) == {0.0}
    by_attribute = table[: len(EVALUATED)]
    # Of L levels and 50 personas, noise makes (L - 1)/49.
    noise = [f"{(len(one.levels) - 1) / 49:.3f}" for one in EVALUATED]
    assert list(by_attribute["η² by noise"]) == noise
    found = by_attribute["η² found in 80 %"].astype(float)
    assert (found > by_attribute["η² by noise"].astype(float)).all()


def test_several_models_stand_below_each_other_with_their_names(
    folders: Mapping[str, Path],
) -> None:
    table = population_table(scores(*(folders[name] for name in PLAYERS)))
    assert next(iter(table.columns)) == "Model"
    assert list(table["Model"].drop_duplicates()) == list(PLAYERS)
    for name, sign in zip(PLAYERS, (1.0, -1.0), strict=True):
        own = table[table["Model"] == name]
        assert len(own) == len(EVALUATED) + 2
        assert values(own, *RHO) == {sign}


def test_what_was_told_is_a_row_each_with_what_it_gains(folders: Mapping[str, Path]) -> None:
    table = conditioning_table(scores(*(folders[name] for name in PLAYERS)))
    columns = ("ρ, told nothing", "ρ, told", "Gain")
    texts = ("Model", *SETTING, "Told", "Of", "In one prompt")
    assert list(table.columns) == [*texts, "Attributes", "Personas", *columns, "ρ, told, mean"]
    assert set(table["In one prompt"]) == {"all"}
    assert set(table["Of"]) == {"ranking in context"}
    assert set(table["Level set"]) == {"paper"}
    # A ranking has the target's ρ with what was stated, and so with what is done by a player who is
    # told nothing and acts as it says: the median attribute meets its target.
    expected = {"self conditioned": 1.0, "imposed 08": 0.8, "imposed 02": 0.2}
    found = {(row["Model"], row["Told"]): row for row in table.to_dict("records")}
    assert set(found) == {(name, told) for name in PLAYERS for told in expected}
    for (name, told), row in found.items():
        assert row["Attributes"] == "9"
        sign = 1 if name == "consistent-trust" else -1
        known = (sign * expected[told], sign * 1.0, sign * (1 - expected[told]))
        assert [number(row[column]) for column in columns] == pytest.approx(known)


@pytest.mark.slow
def test_the_mean_over_attributes_is_a_row_per_endowment(cache: Path, tmp_path: Path) -> None:
    folders = []
    for endowment in (10, 44, 100):
        told = ("--metadata", json.dumps({"endowment": endowment}))
        evaluated(
            tmp_path / str(endowment),
            "--model",
            "consistent-trust",
            *told,
            task="trust_game_population",
        )
        folders.append(tmp_path / str(endowment))
    table = endowment_table(scores(*folders))
    assert list(table["Endowment"]) == ["10", "44", "100"]
    for way in WAYS:
        assert values(table, f"Mean ρ, {way}") == {1.0}


def test_forecasts_have_a_row_with_their_errors(folders: Mapping[str, Path]) -> None:
    table = forecast_table(scores(folders["tit-for-tat"]))
    [row] = table.to_dict("records")
    assert (row["Level set"], row["Endowment"]) == ("paper", "10")
    # An error of 4, 2 and 0 dollars by trustee in five of six rounds, of 2 on average.
    assert number(row["MAE, dollars"]) == pytest.approx(5 * 2 / 6, abs=0.01)
    errors = [number(row[f"Round {n}"]) for n in range(1, 7)]
    assert errors == [0.0, 2.0, 2.0, 2.0, 2.0, 2.0]
    assert [number(row[name]) for name in ("M1", "M3", "M5")] == [3.33, 1.67, 0.0]


def test_what_was_not_measured_is_no_number(folders: Mapping[str, Path]) -> None:
    table = population_table(scores(folders["majority"]))
    assert set(table["Levels"]) == {"0", ""}
    cells = {cell for heading in (*RHO, *DELTA, *CONTRAST, *EFFECTS) for cell in table[heading]}
    assert not any(re.search(r"\d|nan", str(cell)) for cell in cells)


def test_runs_of_other_tasks_have_no_rows(folders: Mapping[str, Path]) -> None:
    found = scores(folders["tit-for-tat"])
    assert found.scored
    assert population_table(found).empty
    assert conditioning_table(found).empty
    assert endowment_table(found).empty
    assert forecast_table(scores(folders["consistent-trust"])).empty


def test_the_page_gets_a_curve_per_trustee(folders: Mapping[str, Path]) -> None:
    texts = Texts()
    runs = analysis.read_runs([folders["tit-for-tat"]], visit=texts)
    curves = page_contents("Title", analysis.score(runs, check=False), [], (), texts).curves
    assert set(curves["task"]) == {"trust_game_rounds"}
    assert set(curves["axis"]) == {"round"}
    # After an opening of 5, tit for tat sends the k that came back, and forecasts 5 in every round.
    for name, error in (("M1", 4.0), ("M3", 2.0), ("M5", 0.0)):
        own = curves[curves["metric"].str.endswith(name)].sort_values("x")
        assert list(own["x"]) == [1, 2, 3, 4, 5, 6]
        assert list(own["value"]) == [0.0, *[error] * 5]
        assert (own["low"] <= own["value"]).all()
        assert (own["value"] <= own["high"]).all()


@pytest.mark.slow
def test_report_writes_tables_for_papers_and_draws_the_errors_over_rounds(
    folders: Mapping[str, Path], command: Command, tmp_path: Path
) -> None:
    pytest.importorskip("altair", reason="the extra 'report' is not installed")
    wanted = ("population", "self_conditioned", "rounds")
    chosen = [
        path
        for name in ("consistent-trust", "tit-for-tat")
        for task in wanted
        for path in folders[name].rglob(f"samples_trust_game_{task}_*")
    ]
    assert len(chosen) == len(wanted)
    command("otherminds", "report", *chosen, "--out", "written", cwd=tmp_path)
    out = tmp_path / "written"
    for name in ("attributes", "endowments", "conditioning", "forecasts"):
        for suffix in (".md", ".tex"):
            assert (out / f"table_trust-game_{name}{suffix}").stat().st_size > 100
    written = (out / "table_trust-game_attributes.md").read_text(encoding="utf-8")
    assert all(one.name.replace("_", r"\_") in written for one in EVALUATED)
    assert MEDIAN in written
    drawn = sorted(path.name for path in (out / "plots").glob("curves-*"))
    assert drawn == ["curves-trust-game-rounds.png", "curves-trust-game-rounds.svg"]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "trust_game_rounds" in page
