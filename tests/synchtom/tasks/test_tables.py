"""SynchToM's tables for papers, from judgements whose scores can be derived on paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from otherminds import analysis
from otherminds.analysis import reports
from otherminds.tasks.synchtom.tables import (
    condition_table,
    length_table,
    scenario_table,
    write_synchtom_tables,
)
from tests.synchtom.tasks.test_label_sheets import ALL_MET, Line, judged, samples

NONE = ((0, 0), (0, 0), (0, 0, 0))
# Belief 50, profile 0, solution 100: 50 on average.
HALF = ((1, 0), (0, 0), (1, 1, 1))

STAGES = {0: "synchtom_vanilla", 5: "synchtom_5turn", 10: "synchtom_10turn"}
METRICS = ("Belief", "Profile", "Solution", "AVG")


def after(turns: int, *verdicts: object, scenario: str = "culture") -> list[Line]:
    return [
        judged(f"{scenario}-{number}", own, turns=turns, stage=STAGES[turns], scenario=scenario)
        for number, own in enumerate(verdicts)
    ]


def scores(*paths: Path) -> analysis.Scores:
    return analysis.score(analysis.read_runs(paths), check=False)


def cells(row: dict[str, str], part: str) -> list[str]:
    return [row[f"{part}, {metric}"] for metric in METRICS]


def of_task(folder: Path, task: str, lines: Sequence[Line], stage: str = "") -> Path:
    """The same answers judged under another task; `stage` is where they come from."""
    told = [
        {**one, "doc": one["doc"] | {"condition": stage or one["doc"]["condition"]}}
        for one in lines
    ]
    return samples(folder / task, told, task=task)


@pytest.fixture
def pooled(tmp_path: Path) -> Path:
    lines = [
        *after(0, NONE, NONE),
        *after(5, HALF, ALL_MET),
        *after(10, ALL_MET, ALL_MET),
        *after(0, NONE, scenario="education"),
        *after(5, "I cannot.", scenario="education"),
        *after(10, HALF, scenario="education"),
    ]
    return samples(tmp_path / "pooled", lines)


def test_scenarios_stand_beside_each_other_and_turns_below(pooled: Path) -> None:
    table = scenario_table(scores(pooled))
    parts = ("culture", "education", "all")
    headings = [f"{part}, {metric}" for part in parts for metric in METRICS]
    assert list(table.columns) == ["Model", "Judge", "Turns", "n", *headings]
    rows = {row["Turns"]: row for row in table.to_dict("records")}
    assert list(rows) == ["0", "5", "10"]
    assert {(row["Model"], row["Judge"]) for row in rows.values()} == {("a-model", "a-judge")}
    # Two instances: the mean of 50 and 100, of 0 and 100, of 100 twice; SE = half the distance.
    expected = ["75.0 ± 25.0", "50.0 ± 50.0", "100.0 ± 0.0", "75.0 ± 25.0"]
    assert cells(rows["5"], "culture") == expected
    # A failed judgement is left out, and n says so.
    assert [rows[turns]["n"] for turns in rows] == ["3", "2", "3"]
    assert cells(rows["5"], "education") == ["–"] * 4
    assert cells(rows["5"], "all") == expected
    assert cells(rows["10"], "education") == ["50.0", "0.0", "100.0", "50.0"]


def test_a_run_that_lacks_a_scenario_has_no_numbers_over_all(pooled: Path, tmp_path: Path) -> None:
    lines = after(10, HALF, ALL_MET)
    alone = of_task(tmp_path, "synchtom_10turn_culture_judge", lines, "synchtom_10turn_culture")
    [*_, row] = scenario_table(scores(pooled, alone)).to_dict("records")
    assert (row["Task"], row["Turns"], row["n"]) == ("synchtom_10turn_culture_judge", "10", "2")
    assert cells(row, "culture")[-1] == "75.0 ± 25.0"
    assert cells(row, "education") == cells(row, "all") == ["–"] * 4


def test_of_the_step_wise_curve_the_papers_turns_are_shown(tmp_path: Path) -> None:
    lines = [
        judged("i1", ALL_MET, turns=turns, stage="synchtom_turns") for turns in (0, 1, 5, 9, 10)
    ]
    found = scores(samples(tmp_path, lines, task="synchtom_turns_judge"))
    assert list(scenario_table(found)["Turns"]) == ["0", "5", "10"]
    assert condition_table(found).empty


def test_conditions_stand_below_each_other(pooled: Path, tmp_path: Path) -> None:
    lines = after(10, HALF, "I cannot.")
    told = {
        "synchtom_shuffled_judge": "synchtom_shuffled",
        "synchtom_collaboration": "synchtom_collaboration_answer",
        "synchtom_given_belief_judge": "synchtom_given_belief",
    }
    paths = [of_task(tmp_path, task, lines, stage) for task, stage in told.items()]
    table = condition_table(scores(pooled, *paths))
    assert list(table["Condition"]) == [
        *("vanilla", "5turn", "10turn", "given belief", "shuffled"),
        "collaboration (chosen by gold rubrics)",
    ]
    rows = {row["Condition"]: row for row in table.to_dict("records")}
    given = rows["given belief"]
    shown = [*METRICS, "Solution, unflagged criteria", "AVG, failed judgements 0", "Judged", "Read"]
    # One of two judgements failed: 50 without it, 25 with it as 0; SE of 50 and 0 is 25.
    expected = [
        *("50.0", "0.0", "100.0", "50.0", "100.0", "25.0 ± 25.0", "50.0 ± 50.0", "100.0 ± 0.0")
    ]
    assert [given[heading] for heading in shown] == expected
    assert given["n"] == "1"
    # Over both scenarios: 100, 100 and 50; squared distances from 83.3 sum to 1666.7, so the SE is
    # sqrt(3/2 · 1666.7)/3.
    assert rows["10turn"]["AVG"] == "83.3 ± 16.7"


def test_answers_that_could_not_be_read_count_as_nothing(tmp_path: Path) -> None:
    lines = [judged("i1", ALL_MET), judged("i2", ALL_MET, answered=False)]
    [row] = condition_table(scores(samples(tmp_path, lines))).to_dict("records")
    assert (row["AVG"], row["n"]) == ("50.0 ± 50.0", "2")
    assert (row["Judged"], row["Read"]) == ("100.0", "50.0 ± 50.0")


def test_what_was_cut_off_has_columns_of_its_own(tmp_path: Path) -> None:
    thought = judged("i2", ALL_MET, answered=False)
    thought["doc"]["was_cut_off"] = True
    lines = [judged("i1", ALL_MET), thought, judged("i3", '{"analysis": "It says')]
    [row] = condition_table(scores(samples(tmp_path, lines))).to_dict("records")
    # One answer of three is left: 100, and 33.3 with the others as 0.
    assert (row["AVG"], row["n"]) == ("100.0", "1")
    assert row["AVG, failed judgements 0"].startswith("33.3 ± ")
    assert (row["Cut off"], row["Judge cut off"]) == ("1", "1")


def test_flagged_criteria_are_left_out_beside_the_score(tmp_path: Path) -> None:
    line = judged("i1", ((1, 1), (1, 1), (1, 0, 0)))
    line["doc"]["flagged"] = [1]
    [row] = condition_table(scores(samples(tmp_path, [line]))).to_dict("records")
    # One of three criteria is met, or one of the two that are not flagged.
    assert (row["Solution"], row["Solution, unflagged criteria"]) == ("33.3", "50.0")


def test_scores_are_set_against_length(tmp_path: Path) -> None:
    texts = (1, 100, 200)
    answers = (NONE, HALF, ALL_MET)
    lines = [
        judged(f"i{n}", own, said="x" * 10 * size)
        for n, (size, own) in enumerate(zip(texts, answers, strict=True))
    ]
    rows = length_table(scores(samples(tmp_path, lines))).to_dict("records")
    assert [row["Dimension"] for row in rows] == ["belief", "profile", "solution", "avg"]
    assert all(row["n"] == "3" for row in rows)
    # " About the belief." adds 18 characters; 10, 1,000 and 2,000 have the mean 1,003.3.
    assert rows[0]["Characters"] == "1,021"
    # Belief 0, 50, 100 on 10, 1,000, 2,000: Sxy = 99,500 and Sxx = 1,980,067 around the mean.
    assert rows[0]["Points per 1,000 characters"].startswith("50.3 (")
    assert rows[0]["r"].startswith("1.00")
    silent = length_table(
        scores(samples(tmp_path / "same", [judged("i1", HALF), judged("i2", HALF)]))
    )
    # No length differs, so that nothing goes with it.
    assert set(silent["r"]) == set(silent["Points per 1,000 characters"]) == {"–"}


def test_two_tasks_on_one_condition_are_told_apart(pooled: Path, tmp_path: Path) -> None:
    again = of_task(tmp_path, "synchtom_10turn_judge", after(10, ALL_MET))
    table = condition_table(scores(pooled, again))
    of_ten = table[table["Condition"] == "10turn"]
    assert list(of_ten["Task"]) == ["synchtom_judge", "synchtom_10turn_judge"]


def test_other_runs_have_no_rows_and_no_files(tmp_path: Path) -> None:
    line = {
        "doc": {"instance_id": "i1", "scenario": "culture", "n_turns": 10},
        "filtered_resps": [["I do not know."]],
    }
    found = scores(samples(tmp_path / "run", [line], task="synchtom_10turn", judge=None))
    assert len(found.scored) == 1
    assert scenario_table(found).empty
    assert condition_table(found).empty
    assert length_table(found).empty
    assert write_synchtom_tables(found, tmp_path / "out", []) == []


def test_the_report_writes_all_tables(
    pooled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tabulate", reason="the extra 'report' is not installed")
    # What is drawn has its own tests, and takes seconds.
    monkeypatch.setattr(reports, "save_plots", lambda contents, folder: [])
    monkeypatch.setattr(reports, "write_page", lambda contents, path: None)
    made = analysis.report([pooled], tmp_path / "out")
    written = {path.name for path in made.tables}
    for name in ("scenarios", "conditions", "length"):
        for suffix in ("md", "tex"):
            file = f"table_synchtom_{name}.{suffix}"
            assert file in written
            assert "a-judge" in (tmp_path / "out" / file).read_text(encoding="utf-8")
