"""SocialMindChange by span: whole stages against stages cut to four scenes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from otherminds import analysis
from otherminds.cli.main import app
from otherminds.tasks.socialmindchange.spans import (
    ALL_SPANS,
    span_numbers,
    span_rows,
    span_table,
    write_span_table,
)
from tests.engine.analysis.made import Line, opinion, run_of

LITE, CUT = "socialmindchange_codes_lite", "socialmindchange_codes_lite_truncated"
LENGTH_6 = "socialmindchange_codes_length_6"


def question(item: str, stage: str, right: bool, *, span: int, scenes: int = 6) -> Line:
    """A sample of one question, a transition unless its span is 0."""
    doc = {
        **{"item_id": item, "stage_id": stage, "mental_state": "belief", "third_order": False},
        "type": "transition_state" if span else "guidance_action",
        **{"span": span, "group_size": 4, "n_scenarios": scenes, "question": "Which?"},
        **{"options": ["x", "y"], "answer": "a", "prerequisites": []},
    }
    return {
        "doc": doc,
        "arguments": {"gen_args_0": {"arg_0": f"About {stage}.\nQuestion {item}"}},
        "filtered_resps": [["a" if right else "b"]],
        "prompt_hash": f"hash-{item}",
    }


def stages(right: Mapping[int, Sequence[Sequence[int]]]) -> list[Line]:
    """By span, for each stage, whether the answers to its questions are right."""
    return [
        question(f"{stage}-{span}-{n}", f"S{stage}", bool(hit), span=span)
        for span, by_stage in right.items()
        for stage, hits in enumerate(by_stage)
        for n, hit in enumerate(hits)
    ]


WHOLE = {0: [[1], [1]], 1: [[1, 0], [1, 1]], 5: [[1, 1], [1, 0]]}
LOST = {0: [[0], [0]], 1: [[1, 0], [1, 1]], 5: [[0, 0], [1, 0]]}


def both(folder: Path, **ours: object) -> analysis.Runs:
    run_of(folder / "whole", stages(WHOLE), model="m", task=LITE)
    run_of(folder / "cut", stages(LOST), model="m", task=CUT, **ours)
    return analysis.read_runs([folder])


def test_whole_and_cut_stages_stand_above_their_paired_difference(tmp_path: Path) -> None:
    rows, notes = span_rows(both(tmp_path))
    assert notes == []
    assert [(row.task, row.n_scenarios, row.shown) for row in rows] == [
        (LITE, "6", "all"),
        (LITE, "6", "first 4"),
        (LITE, "6", "all − first 4"),
    ]
    whole, cut, gap = ({span: one.value for span, one in row.by_span.items()} for row in rows)
    # Guidance questions span nothing and are in no column.
    assert whole == {"1": 0.75, "5": 0.75, ALL_SPANS: 0.75}
    assert cut == {"1": 0.75, "5": 0.25, ALL_SPANS: 0.5}
    assert gap == {"1": 0.0, "5": 0.5, ALL_SPANS: 0.25}
    # Differences at span 5: 1, 1 in one stage and 0, 0 in the other; residual totals 2·(1 - 1/2) = 1 and
    # -1, so SE = sqrt(2/1 · (1 + 1)) / 4 = 1/2. As two independent runs it would be larger.
    lost = rows[2].by_span["5"]
    assert (lost.stderr, lost.n, lost.n_clusters) == (pytest.approx(0.5), 4, 2)


def test_the_tables_hold_percent_and_numbers(tmp_path: Path) -> None:
    runs = both(tmp_path)
    rows, _ = span_rows(runs)
    table = span_table(rows)
    assert list(table)[4:] == ["Span 1", "Span 5", "All"]
    assert table["Span 5"][2] == "50.0 ± 50.0"
    notes: list[str] = []
    written = write_span_table(runs, tmp_path / "out", notes)
    assert {path.suffix for path in written} == {".md", ".tex", ".csv"}
    [path] = [path for path in written if path.suffix == ".csv"]
    numbers = pd.read_csv(path, dtype={"span": str})
    assert list(numbers.columns) == list(span_numbers(rows).columns)
    assert (
        numbers[(numbers["shown"] == "first 4") & (numbers["span"] == "5")]["value"].item() == 0.25
    )


def test_runs_that_were_not_run_alike_are_shown_but_not_subtracted(tmp_path: Path) -> None:
    run_of(tmp_path / "whole", stages(WHOLE), model="m", task=LITE, chat_template_applied=True)
    run_of(tmp_path / "cut", stages(LOST), model="m", task=CUT, chat_template_applied=False)
    rows, notes = span_rows(analysis.read_runs([tmp_path]))
    assert [row.shown for row in rows] == ["all", "first 4"]
    assert "not set against" in notes[0]


def test_models_stand_apart_and_lengths_are_in_order(tmp_path: Path) -> None:
    for model in ("b", "a"):
        run_of(tmp_path / model / "6", stages(WHOLE), model=model, task=LENGTH_6)
        lines = [question(f"5-{n}", f"S{n}", True, span=1, scenes=5) for n in range(2)]
        run_of(tmp_path / model / "5", lines, model=model, task=CUT)
    rows, _ = span_rows(analysis.read_runs([tmp_path]))
    assert [(row.model, row.n_scenarios, row.shown) for row in rows] == [
        *(("a", "5", "first 4"), ("a", "6", "all"), ("b", "5", "first 4"), ("b", "6", "all")),
    ]


def test_other_benchmarks_and_guidance_alone_make_no_table(tmp_path: Path) -> None:
    run_of(tmp_path / "x", [opinion("i1", "7", "7")])
    run_of(tmp_path / "y", stages({0: [[1], [0]]}), model="m", task=LENGTH_6)
    assert span_rows(analysis.read_runs([tmp_path])) == ([], [])
    assert write_span_table(analysis.read_runs([tmp_path]), tmp_path, []) == []


def test_score_prints_the_curve(tmp_path: Path) -> None:
    both(tmp_path)
    done = CliRunner().invoke(app, ["score", str(tmp_path), "--no-check"], env={"COLUMNS": "90"})
    assert done.exit_code == 0, done.output
    assert "m: accuracy in transition questions by span, in percent" in done.output
    lines = [line.split() for line in done.output.splitlines()]
    assert ["codes_lite", "6", "first", "4", "75.0", "25.0", "50.0"] in lines
