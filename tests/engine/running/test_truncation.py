"""Replies that were cut off: a column and a line beside the scores, and never part of them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from otherminds import analysis
from otherminds.analysis import exports
from otherminds.cli.main import app
from otherminds.running import truncation
from tests.helpers.openai_server import serving

pytest.importorskip("tenacity", reason="lm-eval's API models are not installed.")

TASK = "debate_blind_synthetic_direct"
CHAIN = "hugagent_reflections_synthetic"


class CutOff:
    """Cuts every fourth answer off; what is left of it can be read."""

    def __init__(self) -> None:
        self._n = 0

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        self._n += 1
        text = '{"prediction": "agree"}'
        return text if self._n % 4 else text + " because" * int(body["max_tokens"])

    def echoed(self, prompt: Any) -> dict[str, Any]:
        raise ValueError


@pytest.fixture(scope="module")
def output(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder of results, and the tables of the run."""
    folder = tmp_path_factory.mktemp("run")
    with serving(CutOff()) as server:
        told = f"model=tiny,base_url={server.address}/chat/completions"
        command = ["run", TASK, "--model", "local-chat-completions", "--model_args", told]
        done = CliRunner().invoke(
            app, [*command, "--limit", "12", "--output_path", str(folder)], catch_exceptions=False
        )
    assert done.exit_code == 0
    return folder, done.stdout


def of_metric(lines: str, metric: str) -> list[str]:
    return next(line.split() for line in lines.splitlines() if line.startswith(metric))


def test_the_table_has_a_line_for_what_was_cut_off(output: tuple[Path, str]) -> None:
    _, printed = output
    # 3 of 12, and all 12 were read.
    assert of_metric(printed, "truncated")[2] == "0.250"
    assert of_metric(printed, "parse_rate")[2] == "1.000"
    assert "ended at their limit of tokens" in " ".join(printed.split())


def test_runs_of_a_chain_have_a_line_too(twelve_people: Path, tmp_path: Path) -> None:
    # A chain's two runs, each of 4 notes and 4 answers: of every four replies, the last is cut off.
    with serving(CutOff()) as server:
        told = f"model=tiny,base_url={server.address}/chat/completions"
        command = ["run", CHAIN, "--model", "local-chat-completions", "--model_args", told]
        flags = ["--limit", "4", "--runs", "2", "--output_path", str(tmp_path)]
        done = CliRunner().invoke(app, [*command, *flags], catch_exceptions=False)
    assert done.exit_code == 0, done.stdout
    assert of_metric(done.stdout, "truncated")[2] == "0.250"
    [path] = tmp_path.glob("runs_*.json")
    estimate = json.loads(path.read_text())["scores"][CHAIN]["estimates"]["truncated"]
    assert (estimate["value"], estimate["n"]) == (0.25, 4)


@pytest.mark.slow
def test_it_is_recomputed_from_samples_in_every_form(
    output: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = output
    call = CliRunner().invoke
    done = call(app, ["score", str(folder)], catch_exceptions=False)
    assert of_metric(done.stdout, "truncated")[2] == "0.250"
    rows = json.loads(call(app, ["score", str(folder), "--json"], catch_exceptions=False).stdout)
    [row] = [one for one in rows["scores"] if one["metric"] == "truncated"]
    assert (row["value"], row["n"], row["part"]) == (0.25, 12, "all")
    [table] = exports.export([folder], tmp_path / "tables", note=print)
    ends = [list(row) for row in pd.read_parquet(table)["finish_reasons"]]
    assert sorted(ends) == [["length"]] * 3 + [["stop"]] * 9
    written = analysis.report([folder], tmp_path / "report", title="t")
    [table] = (path for path in written.tables if path.match("table_debate-beliefs*.md"))
    heading, _, line = table.read_text().splitlines()[:3]
    place = [cell.strip() for cell in heading.split("|")].index("Truncated")
    assert line.split("|")[place].strip().startswith("25")


def test_nothing_is_said_where_no_end_is_known() -> None:
    details = {"estimates": {"acc": {"value": 1.0}}}
    assert truncation.with_truncated(details, [object()], [math.nan]) == details
    assert truncation.with_truncated({}, [object()], [1.0]) == {}
    assert truncation.beside({"acc": True}, details["estimates"]) == {"acc": True}


def test_a_share_is_of_the_replies_whose_end_is_known() -> None:
    assert truncation.share(["length", None, "stop", "content_filter"]) == pytest.approx(1 / 3)
    assert math.isnan(truncation.share([None, None]))
    assert math.isnan(truncation.share([]))


def test_it_stands_beside_the_parse_rate() -> None:
    better = {"acc": True, "parse_rate": True, "n_items": None}
    names = list(truncation.beside(better, {"truncated": {}}))
    assert names == ["acc", "parse_rate", "truncated", "n_items"]
