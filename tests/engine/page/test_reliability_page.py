"""The page on reliability in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.page.reliability import Row, Section, write_reliability
from tests.engine.page.conftest import Page, screen

SCRIPT = "<script>document.title = 'taken'</script>"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        Row("order", model, "a_task", "", measure, value, value - 0.1, value + 0.1, 40, 9, expected)
        for model, value in (("one", 0.2), (f"two {SCRIPT}", 0.7))
        for measure, expected in (("keeps its letter", 0.0), ("says A", 0.5))
    ]
    bare = Row("letters", "one", "a_task", "a part", "most over: C", 0.25, expected=0.1)
    found = [
        Section("order", "Does the order decide?", "Read it so.", rows, []),
        Section("letters", "Does it prefer letters?", "And so.", [bare], []),
        Section("spread", "How much does it vary?", "Or so.", [], [f"one: run {SCRIPT}"]),
    ]
    made: Path = tmp_path_factory.mktemp("page") / "reliability.html"
    write_reliability(f"Title {SCRIPT}", found, [f"A note {SCRIPT}"], made)
    return made


def test_it_shows_values_with_intervals_and_what_to_run(page: Page, path: Path) -> None:
    page.open(path)
    assert page.driver.title.endswith(": reliability")
    cells = page.texts("#order tbody tr:first-child td")
    assert [text.replace("\n", "") for text in cells] == [
        "a_task",
        "0.200[0.100, 0.300]against 0.000n = 40",
        "0.200[0.100, 0.300]against 0.500n = 40",
    ]
    assert "C: 0.250against 0.100" in page.texts("#letters tbody td")[-1]
    assert page.texts("#spread li") == [f"one: run {SCRIPT}"]
    assert not page.all("#spread table")
    # Asked for nothing but itself.
    assert page.requests() == [path.as_uri()]


def test_a_heading_sorts(page: Page, path: Path) -> None:
    page.open(path)
    heading = page.all("#order thead button")[2]
    heading.click()
    heading.click()
    assert page.texts("#order tbody th")[0].startswith("two")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_narrow_window(page: Page, path: Path, theme: str) -> None:
    with screen(page.driver, 380, theme):
        page.open(path)
        assert page.run("return document.documentElement.scrollWidth") <= 380
