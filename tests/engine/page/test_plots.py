"""Plots: what is drawn follows the tables, and is a picture that cannot do anything."""

from __future__ import annotations

import builtins
import dataclasses
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest

from otherminds.errors import OtherMindsError
from otherminds.page import Contents, save_plots
from otherminds.page.plots import Plot, draw, svgs_for_page
from otherminds.page.plots.calibration import wilson
from otherminds.page.plots.heatmaps import direction
from otherminds.page.plots.keys import sign
from otherminds.page.plots.style import COLOURS, SHAPES, Key, dashes, look, svg
from otherminds.page.text import visible
from tests.engine.page import demo

pytest.importorskip("altair", reason="altair is not installed (pip install 'otherminds[report]')")
pytest.importorskip("vl_convert", reason="vl-convert is not installed")


@pytest.fixture(scope="module")
def contents() -> Contents:
    return demo.contents(people=6)


@pytest.fixture(scope="module")
def plots(contents: Contents) -> dict[str, Plot]:
    return {plot.name: plot for plot in draw(contents)}


def records(plot: Plot) -> list[dict[str, Any]]:
    """All rows that a chart draws, wherever they stand in it."""

    def walk(part: Any) -> list[dict[str, Any]]:
        if isinstance(part, list):
            return [row for one in part for row in walk(one)]
        if not isinstance(part, dict):
            return []
        own = part["data"]["values"] if "values" in part.get("data", {}) else []
        return [*own, *(row for key, one in part.items() if key != "data" for row in walk(one))]

    spec = plot.chart.to_dict()
    return [*walk(spec), *(row for rows in spec.get("datasets", {}).values() for row in rows)]


def panels(plot: Plot) -> list[Any]:
    return list(plot.chart.to_dict()["concat"])


def test_each_table_that_has_rows_is_drawn(plots: dict[str, Plot]) -> None:
    assert list(dict.fromkeys(plot.kind for plot in plots.values())) == [
        "Scores",
        "Scores by part",
        "Scores by turns shown",
        "Predicted against true answers",
        "Direction of change",
        "Calibration",
        "Scores by person",
    ]
    assert draw(Contents(title="nothing")) == []


def test_scores_are_drawn_with_their_intervals_and_references(
    contents: Contents, plots: dict[str, Plot]
) -> None:
    drawn = records(plots["scores-hugagent-bdu-synthetic"])
    table = contents.scores
    table = table[(table["task"] == demo.BDU) & (table["part"] == "all")]
    points = {(row["value"], row["low"], row["high"]) for row in drawn if "low" in row}
    assert points == set(zip(table["value"], table["low"], table["high"], strict=True))
    lines = {(row["name"], row["value"]) for row in drawn if "end" in row}
    assert {("chance", 1.88), ("human", 0.68)} <= lines
    [accuracy, mae, _] = panels(plots["scores-hugagent-bdu-synthetic"])
    assert accuracy["title"]["subtitle"] == "n = 1,303 items, 54 people · higher is better"
    x = accuracy["layer"][-1]["encoding"]["x"]
    assert (x["title"], x["scale"]["domain"]) == ("accuracy (0 to 1)", [0, 1])
    assert mae["title"]["subtitle"].endswith("lower is better")


def axis(plot: Plot) -> list[float]:
    """The ends of the first panel's axis of scores."""
    ends: list[float] = panels(plot)[0]["layer"][-1]["encoding"]["x"]["scale"]["domain"]
    return ends


def test_an_axis_ends_where_its_metric_does(contents: Contents) -> None:
    scores = contents.scores.copy()
    composite = scores["metric"] == "composite"
    scores.loc[composite, "high"] = 140.0
    scores.loc[composite, "low"] = -10.0
    # An interval of few people goes beyond 0 to 100; no score does.
    assert axis(draw(dataclasses.replace(contents, scores=scores))[0]) == [0, 100.0]
    scores.loc[composite, "value"] = 120.0
    assert axis(draw(dataclasses.replace(contents, scores=scores))[0]) == [0, 120.0]


def test_an_axis_without_a_bound_ends_with_its_intervals(contents: Contents) -> None:
    scores = contents.scores[contents.scores["metric"] == "mae"].copy()
    scores["unit_max"] = float("nan")
    scores["high"] = 0.93
    whole = scores[scores["part"] == "all"]
    # The higher of the two scores lies beyond both intervals.
    assert axis(draw(Contents(title="x", scores=whole))[0]) == [0, 1.21]


def test_parts_are_groups_of_runs_under_their_names(plots: dict[str, Plot]) -> None:
    plot = plots["scores-by-part-hugagent-bsi-synthetic"]
    first = records(dataclasses.replace(plot, panels=plot.panels[:1]))
    names = {row["name"]: row["y"] for row in first if set(row) == {"y", "name"}}
    assert list(names) == list(demo.TOPICS)
    points = {(row["part"], row["run"]): row["y"] for row in first if "low" in row}
    # From the top: a part's name, its runs, the next part's name.
    order = sorted(names.items() | points.items(), key=lambda found: found[1])
    expected: list[Any] = []
    for topic in demo.TOPICS:
        expected += [topic, *((topic, run) for run in demo.RUNS)]
    assert [name for name, _ in order] == expected


def test_a_reference_does_not_cross_a_name(plots: dict[str, Plot]) -> None:
    plot = plots["scores-hugagent-synthetic"]
    rows = records(plot)
    names = [row["y"] for row in rows if set(row) == {"y", "name"}]
    lines = [(row["y"], row["end"]) for row in rows if "end" in row]
    assert len(lines) == 4  # chance and people, across two runs
    assert not any(start < name < end for name in names for start, end in lines)


def test_the_legend_tells_runs_and_references_apart() -> None:
    names = ["chance", "majority", "reader", "human", "persistence"]
    patterns = dashes(names)
    assert len({tuple(pattern) for pattern in patterns.values()}) == len(names)
    runs = look([f"run {number}" for number in range(7)])
    keys = [
        *runs.keys(list(runs.names)),
        *(Key(name, "#808080", dash=patterns[name]) for name in names),
    ]
    assert len({sign(key) for key in keys}) == 12
    for key in keys:
        assert ElementTree.fromstring(sign(key)).get("width") == "26"


def test_cells_count_answers_and_keep_those_outside_the_scale(plots: dict[str, Plot]) -> None:
    plot = plots["answers-hugagent-bdu-synthetic-1-to-5"]
    # The numbers in the cells are drawn from the same rows again.
    colours = [panel.chart.layer[0].data.values for panel in plot.panels]
    rows = [row for of_run in colours for row in of_run]
    assert sum(row["answers"] for row in rows) == 2 * 412
    # The golds of 0 on a scale from 1 to 5, 12 for each run.
    assert [row["answers"] for row in rows if row["gold"] == "0"] == [12, 12]


def test_a_long_scale_is_binned() -> None:
    table = pd.DataFrame(
        {
            **{"run": "a", "task": "t", "part": "x", "low": 0, "high": 100},
            **{"gold": [0, 49.4, 100], "answer": [2.4, 50.0, 97.6]},
        }
    )
    [plot] = draw(Contents(title="x", numeric=table))
    # 21 levels, 5 apart: 2.4 is nearest to 0, 49.4 to 50, and 97.6 to 100.
    cells = [(row["gold"], row["answer"]) for row in records(plot) if "answers" in row]
    assert sorted(cells) == [("0", "0"), ("100", "100"), ("50", "50")]


def test_changes_are_counted_by_direction() -> None:
    # Up and predicted up twice, up and predicted down once, none and predicted up once.
    true, predicted = [1.0, 3.0, 2.0, 0.0], [2.0, 1.0, -1.0, 1.0]
    table = pd.DataFrame({"run": "a", "task": "t", "part": "x", "true_change": true})
    table["predicted_change"] = predicted
    [plot] = draw(Contents(title="x", changes=table))
    cells = {(row["true"], row["predicted"]): row for row in records(plot)}
    counts = {key: row["items"] for key, row in cells.items() if row["items"]}
    assert counts == {("up", "up"): 2, ("up", "down"): 1, ("none", "up"): 1}
    assert cells["up", "up"]["share"] == pytest.approx(2 / 3)
    assert cells["down", "none"]["share"] == 0.0
    assert direction(0.1 + 0.2 - 0.3) == "none"


def test_calibration_shows_wilsons_interval_and_no_empty_bin(plots: dict[str, Plot]) -> None:
    rows = [
        row for row in records(plots["calibration-hugagent-bsi-synthetic-logprob"]) if "n" in row
    ]
    assert all(row["n"] > 0 and row["low"] <= row["accuracy"] <= row["high"] for row in rows)
    # 8 of 10, z = 1.96: middle (0.8 + 0.19208) / 1.38416 = 0.71674,
    # half 1.96 / 1.38416 * sqrt(0.016 + 0.009604) = 0.22659.
    assert wilson(0.8, 10) == pytest.approx((0.49015, 0.94332), abs=2e-4)
    assert wilson(0.0, 5)[0] == 0.0
    assert wilson(1.0, 5)[1] == pytest.approx(1.0)


def test_histograms_count_everyone_once(contents: Contents, plots: dict[str, Plot]) -> None:
    rows = records(plots["people-hugagent-bsi-synthetic"])
    assert sum(row["people"] for row in rows if "people" in row) == 2 * len(demo.PEOPLE)
    table = contents.people
    own = table[(table["task"] == demo.BSI) & (table["run"] == demo.RUNS[0])]["value"]
    assert own.median() in [row["median"] for row in rows if "median" in row]


def test_a_run_looks_the_same_in_all_plots() -> None:
    runs = [f"run {number}" for number in range(40)]
    scale = look(runs)
    altair: Any = pytest.importorskip("altair")
    some = [runs[7], runs[20]]
    colours = scale.colour(altair, some).to_dict()["scale"]["range"]
    assert colours == [COLOURS[7 % len(COLOURS)], COLOURS[20 % len(COLOURS)]]
    pairs = {(COLOURS[n % len(COLOURS)], SHAPES[n % len(SHAPES)]) for n in range(40)}
    assert len(pairs) == 40


def test_names_that_are_cut_alike_stay_apart() -> None:
    names = look(["x" * 100 + end for end in "abc"]).names
    assert len(set(names.values())) == 3
    assert all(len(name) < 60 for name in names.values())


def test_files_are_valid_pictures_with_names_of_their_own(
    tmp_path: Path, contents: Contents, plots: dict[str, Plot]
) -> None:
    few = dataclasses.replace(
        contents, people=contents.people.iloc[:0], numeric=contents.numeric.iloc[:0]
    )
    paths = save_plots(few, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in paths)
    for path in paths:
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        else:
            assert path.read_bytes().startswith(b"\x89PNG\r\n")
    assert (
        svg(plots["scores-hugagent-synthetic"])
        == (tmp_path / "scores-hugagent-synthetic.svg").read_text()
    )


def test_tasks_with_like_names_do_not_overwrite_each_other() -> None:
    scores = demo.contents(people=1).scores
    scores = scores[(scores["task"] == demo.WHOLE)]
    names = ("a/b", "a.b", "a b 2", "A-b")
    several = pd.concat([scores.assign(task=name) for name in names])
    drawn = [plot.name for plot in draw(Contents(title="x", scores=several))]
    assert len(set(drawn)) == 4


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_hostile_names_are_only_text() -> None:
    plots = draw(demo.hostile())
    assert len(plots) == 7
    for plot in plots:
        [drawn] = svgs_for_page(plot)
        root = ElementTree.fromstring(drawn)
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert not tags & {"script", "image", "foreignObject", "a", "use"}
        assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)
        assert "/" not in plot.name
    texts = "".join(ElementTree.fromstring(next(svgs_for_page(plots[0]))).itertext())
    assert visible(demo.HOSTILE)[:20] in texts


def test_without_altair_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, contents: Contents
) -> None:
    real = builtins.__import__

    def absent(name: str, *arguments: Any, **named: Any) -> Any:
        if name == "altair":
            raise ImportError("No module named 'altair'", name="altair")
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(
        OtherMindsError, match=r"package altair.*pip install 'otherminds\[report\]'"
    ):
        draw(contents)
    assert draw(Contents(title="nothing to draw needs nothing")) == []
