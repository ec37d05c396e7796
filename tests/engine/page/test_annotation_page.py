"""The page of a study in a real browser: filled in by keys, kept, downloaded and read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds.tasks.socialmindchange.study import Plan, evaluate, export, key, read
from otherminds.tasks.socialmindchange.study.page import write_page
from otherminds.tasks.socialmindchange.study.sheets import AskedQuestion, Scene, Sheet, ShownStage
from tests.engine.page import demo
from tests.helpers import fictional_socialmindchange_codes
from tests.helpers.annotated import table
from tests.helpers.fictional_socialmindchange_codes import DATASET

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium.webdriver.common.keys import Keys  # noqa: E402  # skipped where it is not installed


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fictional_socialmindchange_codes.write(tmp_path_factory.mktemp("small"))


@pytest.fixture
def study(small: Path, tmp_path: Path) -> Path:
    plan = Plan(part="base", stages=3, items=2, raters=1, overlap=1, seed=2)
    export(tmp_path / "study", plan, dataset=DATASET, source=str(small))
    return tmp_path / "study"


@pytest.fixture
def opened(page: Any, study: Path) -> Any:
    page.open(study / "for_A01" / "annotate_A01.html")
    return page


def press(page: Any, *keys: str) -> None:
    """Press keys wherever the focus is."""
    for one in keys:
        page.driver.switch_to.active_element.send_keys(one)


def focus(page: Any, selector: str) -> None:
    page.run("document.querySelector(arguments[0]).focus()", selector)


def downloaded(page: Any, folder: Path, press_it: Callable[[], None]) -> Path:
    told = {"behavior": "allow", "downloadPath": str(folder)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", told)
    press_it()
    path = folder / "annotate_A01.csv"
    page.until(path.exists)
    return path


def test_a_study_is_filled_in_by_keys_downloaded_and_read_back(opened: Any, study: Path) -> None:
    golds = {one.row: one.answer for stage in key.read(study).stages for one in stage.questions}
    for number in (1, 2, 3):
        assert opened.one(f"#stage-{number}").is_displayed()
        focus(opened, f"#tasks-{number}")
        # Tab enters each group; a digit or letter chooses and stays in it, and Tab leaves it, past its
        # button to clear.
        for rating in "543":
            press(opened, Keys.TAB, rating, Keys.TAB)
        rows = opened.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.dataset.row)",
            f"#stage-{number} .question",
        )
        assert len(rows) == 2
        for row in rows:
            press(opened, Keys.TAB, golds[row], Keys.TAB)
        steps = opened.all(f"#stage-{number} .steps button")
        press(opened, *[Keys.TAB] * len(steps))
        if number < 3:
            press(opened, Keys.ENTER)
            focused = opened.run("return document.activeElement.id")
            assert focused == f"title-{number + 1}"
    assert opened.one("#count").text == "15 of 15"
    assert len(opened.all("nav .done")) == 3
    path = downloaded(opened, study / "returned", lambda: press(opened, Keys.ENTER))
    assert opened.texts("#status") == ["Downloaded, complete."]
    found = evaluate(read(study))
    [sent] = found.returned.sent
    assert (sent.ratings, sent.answers, sent.missing_ratings, sent.missing_answers) == (9, 6, 0, 0)
    assert found.accuracy is not None
    assert found.accuracy.overall.value == 1.0
    means = {name: one.value for name, one in found.means.items()}
    assert means == {"coherence": 5.0, "rationality": 4.0, "authenticity": 3.0}
    # The rows are those of the table for spreadsheets, without the lines to read.
    sheet = [row for row in table(study / "for_A01" / "annotate_A01.csv") if row["row"]]
    mine = table(path)
    for name in ("study", "annotator", "stage", "row", "kind"):
        assert [row[name] for row in mine] == [row[name] for row in sheet]


def test_progress_is_kept_and_can_be_taken_back(opened: Any, study: Path) -> None:
    focus(opened, "#stage-1 .rating input")
    press(opened, "2", Keys.ARROW_RIGHT)  # as radio buttons do
    opened.one("nav [data-stage='2']").click()
    focus(opened, "#stage-2 .question input")
    press(opened, "p")
    path = study / "for_A01" / "annotate_A01.html"
    opened.reopen(path, lambda: opened.one("#count").text == "2 of 15")
    assert opened.one("#stage-2").is_displayed()
    assert opened.run("return document.querySelector('#stage-2 .question :checked').value") == "p"
    focus(opened, "#stage-2 .question :checked")
    press(opened, "z", Keys.DELETE)
    assert opened.one("#count").text == "1 of 15"
    opened.one("nav [data-stage='1']").click()
    assert opened.run("return document.querySelector('#stage-1 .rating :checked').value") == "3"
    opened.one("#stage-1 .rating .clear").click()
    assert opened.one("#count").text == "0 of 15"
    path = downloaded(opened, study / "returned", opened.one("#download").click)
    assert [row["value"] for row in table(path)] == [""] * 15
    assert opened.texts("#status") == ["Downloaded; 15 are still empty."]


@pytest.mark.attack(
    "a script in a page that is not ours",
    outcome="stopped by the page's policy",
    against="pages",
)
def test_it_asks_for_nothing_and_its_policy_stops_what_is_not_its_own(opened: Any) -> None:
    assert [one.rpartition("/")[2] for one in opened.requests()] == ["annotate_A01.html"]
    opened.run(
        "const one = document.createElement('script'); one.textContent = 'window.pwned = 1';"
        "document.body.append(one);"
    )
    assert opened.run("return window.pwned") is None
    [refusal] = opened.console()
    assert "Content Security Policy" in refusal["message"]


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_hostile_text_is_shown_and_inert(page: Any, tmp_path: Path) -> None:
    bad = demo.HOSTILE
    question = AskedQuestion("q-1", bad, (bad,) * 16)
    stage = ShownStage("s-1", (bad,), bad, (Scene(1, ((bad, bad), ("", bad))),), (question,))
    write_page(Sheet("study-1", "A01", (stage,)), tmp_path / "page.html")
    page.open(tmp_path / "page.html")
    assert page.run("return window.pwned") is None
    assert len(page.all("script")) == 1
    assert page.run("return document.querySelectorAll('main img, main svg, textarea').length") == 0
    assert len(page.all("fieldset")) == 4


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_never_wider_than_the_window(page: Any, tmp_path: Path, width: int) -> None:
    question = AskedQuestion("q-1", "Which? " * 20, ("word " * 30,) * 16)
    stages = [
        ShownStage(f"s-{n}", ("Ada",), "Here.", (Scene(1, (("Ada", "Yes."),)),), (question,))
        for n in range(40)
    ]
    write_page(Sheet("study-1", "A01", tuple(stages)), tmp_path / "page.html")
    page.open(tmp_path / "page.html")
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.run("return document.documentElement.scrollWidth") <= width
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
