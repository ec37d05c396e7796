"""Building everything: what is built, what is skipped and why, and the command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import manifest
from otherminds.cli.main import app
from otherminds.data.build import dataset as build
from otherminds.data.build.every import build_all
from otherminds.dataset_builders.verdict import Audit, verdict
from otherminds.errors import OtherMindsError

OWN = ("hugagent-core", "socialmindchange-core", "synchtom-made")
WITHOUT_SOURCE = [name for name in manifest.names() if manifest.load(name).generated or name in OWN]
"""The generated ones, and the project's own releases of what was written."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What would be built; nothing is."""
    made: list[dict[str, Any]] = []

    def pretend(dataset: str, out: Path, **told: Any) -> list[Audit]:
        made.append({"dataset": dataset, "out": out, **told})
        return [verdict("rows", True, 1, "rows"), verdict("ids", True, 0, "repeated")]

    monkeypatch.setattr(build, "build", pretend)
    return made


@contextmanager
def silent(label: str) -> Iterator[build.Progress]:
    yield lambda done, total: None


def test_what_needs_no_source_is_built_and_the_rest_is_accounted_for(
    calls: list[dict[str, Any]], tmp_path: Path
) -> None:
    outcomes = list(build_all(tmp_path, num_proc=2, watch=silent))
    assert [one.dataset for one in outcomes] == manifest.names()
    assert [call["dataset"] for call in calls] == WITHOUT_SOURCE
    assert all(call["out"] == tmp_path / call["dataset"] for call in calls)
    assert {call["num_proc"] for call in calls} == {2}
    for one in outcomes:
        assert (one.skipped is None) == (one.dataset in WITHOUT_SOURCE)
        assert (one.folder is None) == (one.dataset not in WITHOUT_SOURCE)
    skipped = {one.dataset: one.skipped or "" for one in outcomes}
    wanted = f"`otherminds build trust-game {tmp_path / 'trust-game'} --source SOURCE`"
    assert wanted in skipped["trust-game"]
    assert "social-atoms/hugagent" in skipped["hugagent"]


def test_a_failure_ends_it_and_keeps_what_was_built(
    calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pretend = build.build

    def failing(dataset: str, out: Path, **told: Any) -> list[Audit]:
        if dataset == WITHOUT_SOURCE[1]:
            raise OtherMindsError("1 of 2 audits failed")
        return pretend(dataset, out, **told)

    monkeypatch.setattr(build, "build", failing)
    finished = []
    with pytest.raises(OtherMindsError, match="1 of 2 audits failed"):
        finished.extend(one.dataset for one in build_all(tmp_path, num_proc=1, watch=silent))
    assert [call["dataset"] for call in calls] == WITHOUT_SOURCE[:1]


def test_the_command_says_a_line_for_each(calls: list[dict[str, Any]], tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["build", "--all", str(tmp_path), "--num-proc", "2"])
    assert said.exit_code == 0
    lines = [line for line in said.stdout.splitlines() if ": " in line]
    assert [line.split(":")[0] for line in lines] == manifest.names()
    where = tmp_path / WITHOUT_SOURCE[0]
    assert f"{WITHOUT_SOURCE[0]}: 2 audits passed, written to {where}" in lines
    assert calls[0]["num_proc"] == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["build", "--all", "synchtom", "out"], "--all takes one folder and no source"),
        (["build", "--all", "out", "--source", "clone"], "--all takes one folder and no source"),
        (["build", "synchtom"], "Say where to: `otherminds build synchtom OUT`"),
    ],
)
def test_a_command_that_makes_no_sense_says_how(
    calls: list[dict[str, Any]], words: list[str], reason: str
) -> None:
    failed = CliRunner().invoke(app, words)
    assert isinstance(failed.exception, OtherMindsError)
    assert str(failed.exception).startswith(reason)
    assert calls == []
