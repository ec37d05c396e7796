"""Seasons on the board's page: apart from the boards, without scores while they are open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds.leaderboard.board import References, build
from otherminds.leaderboard.board.seasons import Played, SeasonBoard, read, render
from otherminds.leaderboard.records import boards as specs
from otherminds.leaderboard.records.record import VERIFICATION, Finding, Metric, Verification
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.seasons import results
from tests.engine.seasons.conftest import AFTER, Made, copied

TASK = "debate_both_synthetic"


def _read(made: Made) -> list[SeasonBoard]:
    return read([made.folder], made.submissions, specs.load(), say=print)


def test_an_open_season_lists_entries_without_scores(debate: Made) -> None:
    [found] = _read(debate)
    assert [one.model for one in found.entries] == ["tests/random-0", "tests/random-1"]
    assert all(not one.metrics for one in found.entries)
    page = render([found])
    assert "<bdi>tests/random-0</bdi>" in page
    assert debate.season.secret_sha256 in page
    assert debate.season.commitment["beliefs"] in page
    assert "Accuracy" not in page
    assert ">open</span>" in page
    assert page.count("<td>sealed</td><td>2026-01-01</td><td>none</td>") == 2 * len(
        debate.season.tasks
    )


def test_a_closed_season_has_its_scores_best_first(closed: Made) -> None:
    page = render(_read(closed))
    stated = results.read(closed.folder).entries
    values = {one.model: one.verification.recomputed[TASK]["macro_f1"].value for one in stated}
    board = page[page.index(f"{TASK}: scores") :]
    places = {model: board.index(f"<bdi>{model}</bdi>") for model in values}
    assert sorted(places, key=places.__getitem__) == sorted(values, key=lambda m: -values[m])
    assert f"{max(values.values()):.3f} [" in board
    # A task that no board shows has its own metrics as columns.
    assert '<th scope="col">brier</th>' in page
    assert str(closed.season.secret) in page


def test_flags_are_shown(closed: Made) -> None:
    def flag(found: Any) -> None:
        told = {"code": "gold-perfect", "detail": "all of them"}
        found["entries"][0]["verification"]["flags"].append(told)

    closed.change(results.NAME, flag)
    page = render(_read(closed))
    shown = '<td>re-scored</td><td>2026-02-01</td><td><span title="all of them">gold-perfect</span></td>'
    assert page.count(shown) == len(closed.season.tasks)


def test_an_accepted_entry_that_cannot_be_read_is_named(debate: Made) -> None:
    (debate.entries[0] / VERIFICATION).write_text("{", encoding="utf-8")
    said: list[str] = []
    [found] = read([debate.folder], debate.submissions, specs.load(), say=said.append)
    assert [one.model for one in found.entries] == ["tests/random-1"]
    assert said[0].startswith(f"{debate.entries[0].name} is left out of season winter: ")


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_what_strangers_wrote_is_escaped(debate: Made) -> None:
    season = debate.season.model_copy(update={"rules": ["<script>"]})
    hostile = "<img src=x onerror=alert(1)>\u202e"
    metric = Metric(value=0.5, stderr=None, low=None, high=None, n=1.0, n_clusters=1)
    verified = Verification(
        level="re-scored",
        checked=AFTER,
        flags=[Finding(code="near-duplicate", detail=hostile)],
        recomputed={TASK: {"acc": metric}},
    )
    played = Played(hostile, hostile, verified)
    page = render([SeasonBoard(season, [played], {})])
    assert "<img" not in page
    assert "<script" not in page
    assert "\u202e" not in page


def test_seasons_stand_on_the_page_apart_from_the_boards(debate: Made, tmp_path: Path) -> None:
    build([], References([]), tmp_path / "with", seasons=_read(debate))
    build([], References([]), tmp_path / "without")
    page = (tmp_path / "with" / "index.html").read_text(encoding="utf-8")
    assert page.count('<section class="seasons" id="seasons"') == 1
    assert page.index("</header>") < page.index('id="seasons"') < page.index("<main")
    assert "Season results stand first: nobody outside knows a season's golds" in page
    without = (tmp_path / "without" / "index.html").read_text(encoding="utf-8")
    assert 'id="seasons"' not in without
    assert "No season is shown yet" in without
    for text in (page, without):
        assert "whose <strong>golds are open</strong>: answers can be made from them" in text


def test_seasons_with_results_come_before_open_ones(
    all_made: Callable[[str], Made], closed: Made, tmp_path: Path
) -> None:
    other = copied(all_made("debate-beliefs-synthetic"), tmp_path / "other")
    later = other.season.model_copy(
        update={"id": "later", "opened": other.season.opened.replace(day=2)}
    )
    record.write(other.folder, later)
    found = read([other.folder, closed.folder], closed.submissions, specs.load(), say=print)
    assert [one.season.is_open for one in found] == [False, True]


def test_newer_seasons_come_first_and_broken_ones_are_left_out(
    debate: Made, tmp_path: Path
) -> None:
    other = copied(debate, tmp_path / "other")
    season = other.season
    later = season.opened.replace(day=2)
    record.write(other.folder, season.model_copy(update={"id": "later", "opened": later}))
    broken = copied(debate, tmp_path / "broken")
    (broken.folder / record.NAME).write_text("[", encoding="utf-8")
    said: list[str] = []
    folders = [debate.folder, other.folder, broken.folder]
    found = read(folders, debate.submissions, specs.load(), say=said.append)
    assert [one.season.id for one in found] == ["later", "winter"]
    [why] = said
    assert why.startswith("The season in season is left out: ")
