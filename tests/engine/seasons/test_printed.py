"""What the season's commands say on a terminal."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.seasons import checking
from tests.conftest import Command


@pytest.mark.parametrize("terminal", [True, False])
def test_sentences_are_filled_on_a_terminal_alone(
    terminal: bool, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fault = SimpleNamespace(what="rows [x]", how="a word " * 30)
    monkeypatch.setattr(record, "read", lambda _: SimpleNamespace(is_open=False))
    monkeypatch.setattr(checking, "check", lambda *_, **__: [fault])
    env = {"COLUMNS": "60", **({"TTY_COMPATIBLE": "1", "TERM": "xterm"} if terminal else {})}
    done = command("otherminds", "season", "check", "s1", cwd=tmp_path, env=env, code=1)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("✗ rows [x]: a word")
    assert done.stdout.split().count("word") == 30
    assert all(line.split()[-1] in ("a", "word") for line in lines)
    assert (max(map(len, lines)) <= 60) == terminal
    assert (len(lines) == 1) != terminal
