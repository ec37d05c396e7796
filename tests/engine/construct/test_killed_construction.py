"""Exports, imports and releases that are killed at any moment: the same command goes on."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherminds.construct import folder as folders
from tests.helpers import scripted_author
from tests.helpers.killed_writes import Killed, kills
from tests.helpers.scripted_author import answer, good, sheets

_ACT = """
import sys
from otherminds import harness
from otherminds.construct import folder, importing, pipelines, release, replies, blind, status, forms
from otherminds.data.build import dataset
from otherminds.cli import construct
from otherminds.cli.main import app
harness.quiet(debug=False)

def act(*words):
    sys.argv = ["otherminds", *words]
    app(words)
"""

STAGES = {
    "habits": ("Ada", "habits"),
    "evening": ("Ada", "evening"),
    "validation": ("Vera", "validation"),
    "rating_1": ("Rosa", "rating_1"),
    "rating_2": ("Rolf", "rating_2"),
    "reading_1_1": ("Rita", "reading_1_1"),
    "reading_1_2": ("Rob", "reading_1_2"),
}
"""Who answers which file of sheets, in order."""


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("site")
    with scripted_author.installed(folder):
        yield folder


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    from tests.helpers import killed_writes

    places = scripted_author.site(tmp_path_factory.mktemp("path"))
    setup = f"import sys\nsys.path[:0] = {places!r}\n{_ACT}"
    env = {"OTHERMINDS_CACHE": os.environ.get("OTHERMINDS_CACHE", "")}
    with Killed(setup, tmp_path_factory.mktemp("killed"), env) as made:
        assert killed_writes.ROOT
        yield made


def counts(path: Path) -> object:
    """All that the ledger says, but for the time."""
    return folders.opened(path).state().funnel.as_json()


@pytest.mark.slow
def test_every_stage_goes_on_after_a_kill(process: Killed, tmp_path: Path) -> None:
    made = tmp_path / "made"
    words = ["construct", "export", "commute", "--out", str(made), "--n", "2"]
    whole = process.run(words)
    assert whole.code == 0, whole.output
    sure = counts(made)
    shutil.rmtree(made)
    for one in kills(whole.moments, 4):
        assert process.run(words, at=one.at, torn=one.torn).code == -9
        assert process.run(words).code == 0
        assert counts(made) == sure
        shutil.rmtree(made)
    assert process.run(words).code == 0
    for name, (author, file) in STAGES.items():
        path = answer(sheets(made, file), good, tmp_path / f"{name}.jsonl")
        words = ["construct", "import", str(made), str(path), "--author", author]
        before = tmp_path / "before"
        shutil.copytree(made, before)
        whole = process.run(words)
        assert whole.code == 0, whole.output
        sure, waiting = counts(made), listed(made)
        for one in kills(whole.moments, 5, seed=len(name)):
            shutil.rmtree(made)
            shutil.copytree(before, made)
            assert process.run(words, at=one.at, torn=False).code == -9
            again = process.run(words)
            assert again.code == 0, again.output
            assert counts(made) == sure, one
            assert listed(made) == waiting, one
        shutil.rmtree(before)
    words = ["construct", "release", str(made), "--out", str(tmp_path / "out")]
    whole = process.run(words)
    assert whole.code == 0, whole.output
    card = (tmp_path / "out" / "README.md").read_bytes()
    for one in kills(whole.moments, 4):
        shutil.rmtree(tmp_path / "out")
        assert process.run(words, at=one.at, torn=one.torn).code == -9
        assert process.run(words).code == 0
        assert (tmp_path / "out" / "README.md").read_bytes() == card


def listed(made: Path) -> list[str]:
    return [json.dumps(one) for one in sheets(made)]


def test_a_half_written_last_line_is_cut_off_and_another_is_named(tmp_path: Path) -> None:
    from otherminds.construct import importing, pipelines
    from otherminds.construct.pipeline import Plan
    from otherminds.construct.replies import Who
    from otherminds.errors import OtherMindsError

    made = folders.export(pipelines.named("commute"), Plan(n=3), tmp_path / "made")
    path = answer(sheets(made.path), good, tmp_path / "came.jsonl")
    importing.import_(made, [path], Who("Ada"))
    ledger = made.path / "ledger.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:2]) + lines[2][:40])
    assert made.state().funnel.stages["habits"].accepted == 2
    done = importing.import_(made, [path], Who("Ada"))
    assert (len(done.accepted), done.known) == (1, 2)
    assert made.state().funnel.stages["habits"].accepted == 3
    ledger.write_bytes(lines[0] + lines[1][:40] + b"\n" + lines[2])
    with pytest.raises(OtherMindsError, match="line 2 is damaged"):
        made.state()
