"""Samples as Parquet: a row per item, from which the same scores can be computed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from otherminds import analysis
from otherminds.analysis import exports
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from otherminds.running.run import Finished
from tests.conftest import ROOT
from tests.engine.analysis.conftest import evaluated
from tests.engine.analysis.made import BDU, DATE, DATES, chosen, opinion, run_of, written
from tests.helpers import fictional_socialmindchange_codes as fictional
from tests.helpers.packed import packed

GOOD = [opinion("i1", "7", "7"), opinion("i2", "5", "5", participant_id="P2")]


def exported(path: Path, out: Path, **settings: Any) -> pd.DataFrame:
    [table] = analysis.export([path], out, note=pytest.fail, **settings)
    return pq.read_table(table).to_pandas()


def as_samples(table: pd.DataFrame, path: Path) -> Path:
    """A sample file made of a table's columns alone, as a program of somebody else's would."""
    lines = []
    for row in table.to_dict("records"):
        if row["log_likelihoods"] is None:
            answered: Any = [list(row["replies"])]
        else:
            pairs = zip(row["log_likelihoods"], row["is_greedy"], strict=True)
            answered = [[log, str(bool(greedy))] for log, greedy in pairs]
        line = {
            "doc": json.loads(row["doc"]),
            "arguments": {"gen_args_0": {"arg_0": row["prompt"]}},
            "filtered_resps": answered,
            **{name: row[name] for name in ("doc_hash", "prompt_hash", "target_hash")},
        }
        lines.append(json.dumps(line) + "\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def assert_same_scores(run: Finished, tmp_path: Path) -> None:
    """What is scored from a table is what is scored from the samples, to the bit, and passes all."""
    [task] = run.samples
    [path] = run.sample_paths
    table = exported(path, tmp_path / "tables")
    again = as_samples(table, tmp_path / "again" / f"{path.name.removesuffix('.zst')}")
    shutil.copy(run.results_path, again.parent)
    [theirs], [ours] = (analysis.score(analysis.read_runs([one])).scored for one in (path, again))
    assert len(table) == len(ours.run.records) == len(theirs.run.records)
    assert repr(ours.details) == repr(theirs.details)
    assert [check.passed for check in ours.checks] == [True] * len(ours.checks)
    assert set(table["task"]) == {task}
    assert set(table["model"]) == {theirs.run.name}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "corrupted-oracle"])
def test_a_table_of_texts_scores_as_the_samples_do(
    name: str, models: Mapping[str, Finished], tmp_path: Path
) -> None:
    assert_same_scores(models[name], tmp_path)


def test_a_table_of_log_likelihoods_scores_as_the_samples_do(
    choosers: Mapping[str, Finished], tmp_path: Path
) -> None:
    assert_same_scores(choosers["random"], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "task",
    [
        "debate_both_synthetic",
        "socialmindchange_codes_render",
        "trust_game_population",
    ],
)
def test_every_kind_of_task_is_exported(task: str, little: Path, tmp_path: Path) -> None:
    # The release would take 20 seconds to build, for eight of its scenes.
    small = {"data_source": str(fictional.write(tmp_path / "small"))} if "render" in task else {}
    told = ("--model", "random", "--limit", "8", "--metadata", json.dumps(small))
    run = evaluated(tmp_path / "run", *told, task=task)
    [path] = run.sample_paths
    table = exported(path, tmp_path / "tables")
    assert len(table) == table["item_id"].nunique() == 8
    assert all(table["doc"].map(json.loads).map(len) > 1)


def test_columns_are_what_they_say(tmp_path: Path) -> None:
    lines = [
        opinion("i1", "7", "7", "Answer: 3", None),
        opinion("i2", "5", "6 or 8", "", "5", participant_id="P2"),
    ]
    path = run_of(tmp_path, lines, model="mine")
    table = exported(path, tmp_path / "tables")
    assert [*table.columns[: len(exports.COLUMNS)]] == [*exports.COLUMNS]
    assert {*table.columns} >= {"score_bdu_acc", "score_bdu_mae", "score_parse_rate"}
    first, second = table.to_dict("records")
    assert (first["model"], first["task"], first["item_id"], first["person"]) == (
        *("mine", BDU, "i1", "P1"),
    )
    assert (first["part"], first["category"], first["gold"]) == ("zoning", "opinion", "7")
    assert list(first["replies"]) == ["7", "Answer: 3", None]
    assert list(first["answers"]) == ["7", "3", None]
    # Within 2 on a scale of 10; what cannot be read is wrong.
    assert list(first["correct"]) == [True, False, False]
    assert list(first["score_bdu_acc"]) == [1, 0, 0]
    assert list(first["score_parse_rate"]) == [1, 1, 0]
    assert list(first["options"]) == [str(number) for number in range(1, 11)]
    assert first["log_likelihoods"] is None
    assert first["prompt"] == "What P1 said.\nQuestion i1"
    assert second["place"] == f"{path.name}, line 2"
    assert str(tmp_path) not in table.to_json()


def test_options_are_in_their_order(tmp_path: Path) -> None:
    path = run_of(tmp_path, [chosen("i1", "A", -1.5, -0.5)], task="hugagent_bsi_synthetic_logprob")
    [row] = exported(path, tmp_path / "tables").to_dict("records")
    assert list(row["log_likelihoods"]) == [-1.5, -0.5]
    assert list(row["options"]) == ["A", "B"]
    assert list(row["answers"]) == ["B"]
    assert row["replies"] is None


def test_every_column_is_on_the_page() -> None:
    page = (ROOT / "docs" / "explanation" / "analysis.md").read_text(encoding="utf-8")
    for name, (kind, meaning) in exports.COLUMNS.items():
        assert f"| `{name}` | {kind} | {meaning} |" in page


@pytest.mark.slow
def test_the_size_of_groups_changes_nothing(models: Mapping[str, Finished], tmp_path: Path) -> None:
    [path] = models["random"].sample_paths
    one, other = (exported(path, tmp_path / str(rows), rows=rows) for rows in (7, 10_000))
    pd.testing.assert_frame_equal(one, other)
    [table] = (tmp_path / "7").glob("*.parquet")
    assert pq.ParquetFile(table).metadata.row_group(0).num_rows == 7


def test_folders_are_kept_and_files_of_one_name_are_refused(tmp_path: Path) -> None:
    for model in ("a", "b"):
        run_of(tmp_path / "in" / model, GOOD, model=model)
    written = analysis.export([tmp_path / "in"], tmp_path / "out", note=pytest.fail)
    assert [path.parent.name for path in written] == ["a", "b"]
    assert {*pq.read_table(tmp_path / "out").to_pandas()["model"]} == {"a", "b"}
    folders = [tmp_path / "in" / model for model in ("a", "b")]
    with pytest.raises(OtherMindsError, match=r"would both be .*\.parquet") as raised:
        analysis.export(folders, tmp_path / "other", note=pytest.fail)
    assert "\n" not in str(raised.value)
    # The same file twice is one.
    twice = [folders[0], folders[0] / f"samples_{BDU}_{DATE}.jsonl"]
    assert len(analysis.export(twice, tmp_path / "twice", note=pytest.fail)) == 1


def test_what_cannot_be_exported_is_noted_and_leaves_no_file(tmp_path: Path) -> None:
    whole = packed("".join(json.dumps(line) + "\n" for line in GOOD).encode(), ".zst")
    wrong = {DATES[0]: whole + b"more", DATES[1]: whole[:-3], DATES[2]: b"", DATES[3]: b"plain"}
    for date, content in wrong.items():
        (tmp_path / f"samples_{BDU}_{date}.jsonl.zst").write_bytes(content)
    notes: list[str] = []
    out = tmp_path / "out"
    with pytest.raises(OtherMindsError, match="None of these files has a sample") as raised:
        analysis.export([tmp_path], out, note=notes.append)
    assert "damaged" in str(raised.value)
    assert not [path for path in out.rglob("*") if path.is_file()]

    good = written(tmp_path, [*GOOD, GOOD[0], {}], date=DATES[4])
    notes.clear()
    [table] = analysis.export([tmp_path], out, note=notes.append)
    assert table.name == good.with_suffix(".parquet").name
    assert len(pq.read_table(table)) == 2
    said = "\n".join(notes)
    assert f"{DATES[0]}.jsonl.zst: it is damaged after line 2" in said
    assert f"{DATES[1]}.jsonl.zst is cut off after line 2" in said
    assert said.count("The file was left out.") == 4
    assert "repeats the document 'i1'" in said
    assert "line 4 is not a sample" in said


def test_the_command_writes_and_says_what_it_wrote(tmp_path: Path) -> None:
    run_of(tmp_path / "in", GOOD)
    words = ["export", str(tmp_path / "in"), "--to", "parquet", "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    [table] = (tmp_path / "out").rglob("*.parquet")
    assert f"Written: {table}" in done.output
    wrong = CliRunner().invoke(app, ["export", str(tmp_path), "--to", "sav", "-o", "x"])
    assert isinstance(wrong.exception, OtherMindsError | SystemExit)
    nothing = CliRunner().invoke(app, ["export", str(tmp_path / "none"), "-o", str(tmp_path / "x")])
    assert "There is no file or folder" in str(nothing.exception)
