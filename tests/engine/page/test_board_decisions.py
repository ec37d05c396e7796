"""The decisions on the board's page, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.leaderboard.board import build
from otherminds.leaderboard.records.moderation import Decision, summary
from otherminds.leaderboard.records.reasons import finding
from tests.engine.leaderboard import board_entries as made

pytest.importorskip("selenium", reason="selenium is not installed")

SCRIPT = "<img src=x onerror=document.title='taken'>"


def decided(number: int, action: Any, **told: Any) -> Decision:
    return Decision(date=made.DAY, pull_request=number, action=action, by="owner", **told)


def test_the_last_decisions_are_shown_newest_first(page: Any, tmp_path: Path) -> None:
    log = [
        decided(3, "accepted", submission="maker-m1"),
        decided(4, "refused", detail=summary([finding("unexpected-file", SCRIPT)])),
    ]
    build(made.league(2), made.references(), tmp_path, decisions=log)
    page.open(tmp_path / "index.html", "#")
    page.until(lambda: page.all("main details"))
    assert page.texts("main details summary") == ["Decisions"]
    page.one("main details summary").click()
    assert page.texts("main details tbody td:nth-child(2)") == ["refused", "accepted"]
    assert page.texts("main details tbody td:nth-child(3)") == ["–", "maker-m1"]
    assert page.texts("main details tbody td:nth-child(4)") == ["#4", "#3"]
    [about, _] = page.texts("main details tbody td:nth-child(5)")
    assert about.startswith("unexpected-file: (img src=x onerror")
    [link] = page.all("main details p a")
    assert link.get_attribute("href").endswith(
        "/datasets/otherminds/leaderboard/blob/main/moderation.jsonl"
    )
    assert not page.all("main img")


def test_without_decisions_there_is_no_such_part(page: Any, tmp_path: Path) -> None:
    build(made.league(2), made.references(), tmp_path)
    page.open(tmp_path / "index.html", "#")
    page.until(lambda: page.all("main h1"))
    assert page.all("main details") == []
