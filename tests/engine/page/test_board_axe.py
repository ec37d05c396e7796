"""The board and a model's page before axe, which knows the rules of WCAG: nothing is found wrong."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from otherminds.leaderboard.board import Entry, build
from otherminds.leaderboard.records.record import Finding
from tests.engine.leaderboard import board_entries as made
from tests.engine.page.conftest import screen

pytest.importorskip("selenium", reason="selenium is not installed")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

# All rules, those for good practice too. "incomplete" is what axe cannot decide.
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations', 'incomplete', 'passes']}).then(
  (found) => done({
    violations: found.violations.map((one) => [one.id, one.nodes[0].html]),
    incomplete: found.incomplete.map((one) => [one.id, one.nodes[0].html]),
    passes: found.passes.map((one) => one.id),
  }),
  (error) => done(String(error)),
);
"""
VIEWS = {
    "all boards": "",
    "seasons": "#seasons",
    "a board": "#board/humans",
    "a model": "#model/maker-model-010-instruct",
    "a model that is not compared": "#model/maker-model-005-instruct",
}


def unfold(page: Any) -> None:
    """Choose a group, another model and all details, where there are any."""
    for button in page.all(".letters button")[:1]:
        page.run("arguments[0].click()", button)
        assert page.all("tr.same")
    for choice in page.all("select[name=other]"):
        page.run(
            "arguments[0].value = arguments[0].options[1].value;"
            "arguments[0].dispatchEvent(new Event('change'))",
            choice,
        )
    for details in page.all("details"):
        page.run("arguments[0].open = true", details)


def checked(page: Any) -> dict[str, list[Any]]:
    """What axe finds on the page as it stands."""
    page.run(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(RUN)
    assert isinstance(found, dict), found
    return found


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board of twelve models, two of them flagged, with a closed season and an open one."""
    entries: Sequence[Entry] = made.league(12)
    flag = Finding(code="gold-perfect", detail="humans: all 300 documents.")
    entries[10].verification.flags.append(flag)
    entries[9].verification.flags.append(Finding(code="unaffiliated", detail="someone for maker"))
    out = tmp_path_factory.mktemp("axe")
    seasons = [made.season(), made.season(results=False)]
    build(entries, made.references(), out, seasons=seasons)
    return out / "index.html"


# Each view once, each width and theme; all of them together are slow.
QUICK = {
    *(("all boards", 1280, "light"), ("all boards", 390, "dark"), ("a board", 390, "light")),
    *(("a model", 1280, "dark"), ("a model that is not compared", 390, "dark")),
    ("seasons", 1280, "light"),
}
COMBINATIONS = [
    one if one in QUICK else pytest.param(*one, marks=pytest.mark.slow)
    for one in product(VIEWS, (1280, 390), ("light", "dark"))
]


@pytest.mark.parametrize(("view", "width", "theme"), COMBINATIONS)
def test_axe_finds_nothing(page: Any, board: Path, width: int, theme: str, view: str) -> None:
    with screen(page.driver, width, theme):
        page.open(board, VIEWS[view])
        page.until(lambda: page.all("main h1"))
        unfold(page)
        found = checked(page)
    assert (found["violations"], found["incomplete"]) == ([], [])


def test_axe_would_find_what_is_wrong(page: Any, board: Path) -> None:
    page.open(board, "#board/humans")
    page.until(lambda: page.all("main h1"))
    page.run(
        "document.querySelector('.tools select').closest('label').replaceWith("
        "document.querySelector('.tools select'));"
        "document.querySelector('.how').style.setProperty('color', '#bbb')"
    )
    found = checked(page)
    assert {name for name, _ in found["violations"]} == {"select-name", "color-contrast"}
    assert {"landmark-one-main", "link-name", "page-has-heading-one"} <= set(found["passes"])
