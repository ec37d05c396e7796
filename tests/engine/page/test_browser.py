"""The page in a real browser: what a reader sees, and what hostile text cannot do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from otherminds.page import Contents
from otherminds.page.text import visible
from tests.engine.page import demo

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium.webdriver.common.keys import Keys  # noqa: E402  # skipped where it is not installed

Write = Callable[[str, Contents], Path]
ROWS = "#list tr[data-place]"
GRID = "#list table"


@pytest.fixture(scope="module")
def contents() -> Contents:
    return demo.contents()


@pytest.fixture
def demo_page(page: Any, written: Write, contents: Contents) -> Any:
    page.open(written("demo", contents))
    page.until(lambda: page.all(ROWS))
    return page


def choose(page: Any, name: str, value: str) -> None:
    """Set a field of the filters as a reader does."""
    page.run(
        "const field = document.getElementById('filters').elements[arguments[0]];"
        "if (field.tagName === 'SELECT')"
        "  for (const one of field.options) one.selected = one.textContent === arguments[1];"
        "else field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', {bubbles: true}));",
        *(name, value),
    )


def counted(page: Any, n: int, total: int) -> None:
    text = f"{n:,} of {total:,} samples" if n != total else f"{total:,} samples"
    page.until(lambda: page.one("#count").text == text)


def items(page: Any) -> list[str]:
    return list(page.texts(f"{ROWS} .item_id > bdi"))


def test_opens_without_a_request_and_with_few_rows(demo_page: Any, contents: Contents) -> None:
    counted(demo_page, len(contents.samples), len(contents.samples))
    assert 0 < len(demo_page.all(ROWS)) < 80
    assert items(demo_page)[:3] == list(contents.samples["item_id"][:3])
    addresses = [address for address in demo_page.requests() if not address.startswith("data:")]
    assert [address.rpartition("/")[2] for address in addresses] == ["demo.html"]
    broken = "return [...document.images].filter((one) => !one.naturalWidth).length"
    assert demo_page.run(broken) == 0


def test_filters_give_the_right_rows(demo_page: Any, contents: Contents) -> None:
    table = contents.samples
    choose(demo_page, "run", demo.RUNS[1])
    left = table[table["run"] == demo.RUNS[1]]
    counted(demo_page, len(left), len(table))
    choose(demo_page, "task", demo.BDU)
    choose(demo_page, "part", "zoning")
    choose(demo_page, "correct", "wrong")
    left = left[(left["task"] == demo.BDU) & (left["part"] == "zoning") & ~left["correct"]]
    counted(demo_page, len(left), len(table))
    assert items(demo_page)[:20] == list(left["item_id"][:20])
    choose(demo_page, "parsed", "failed")
    left = left[~left["parsed"].astype(bool)]
    counted(demo_page, len(left), len(table))
    demo_page.one("button[type=reset]").click()
    counted(demo_page, len(table), len(table))


def test_people_and_texts_can_be_searched(demo_page: Any, contents: Contents) -> None:
    table = contents.samples
    choose(demo_page, "person", "P01")
    counted(demo_page, (table["person"] == "P01").sum(), len(table))
    choose(demo_page, "person", "p0")  # nobody's whole name: everyone's who contains it
    counted(demo_page, table["person"].str.contains("P0").sum(), len(table))
    choose(demo_page, "person", "")
    choose(demo_page, "text", "ZONING-p17")
    counted(demo_page, table["item_id"].str.contains("zoning-P17").sum(), len(table))
    choose(demo_page, "text", "I cannot say")
    counted(demo_page, 0, len(table))
    demo_page.one("[name=raw]").click()
    counted(demo_page, (~table["parsed"]).sum(), len(table))


def test_columns_sort_up_down_and_back(demo_page: Any, contents: Contents) -> None:
    heading = demo_page.one("#list th[data-name=gold]")
    button = demo_page.one("#list th[data-name=gold] button")
    button.click()
    assert heading.get_attribute("aria-sort") == "ascending"
    golds = sorted(contents.samples["gold"], key=lambda gold: (not gold.isdigit(), len(gold), gold))
    assert demo_page.texts(f"{ROWS} .gold")[:20] == golds[:20]
    button.click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert demo_page.texts(f"{ROWS} .gold")[0] == "B"
    button.click()
    assert heading.get_attribute("aria-sort") is None
    assert items(demo_page)[:3] == list(contents.samples["item_id"][:3])


def test_score_tables_sort_by_value(demo_page: Any) -> None:
    runs = "#scores .sortable tbody th"
    assert demo_page.texts(runs)[:2] == list(demo.RUNS)
    heading = demo_page.all("#scores .sortable")[0].find_elements("css selector", "th button")[1]
    heading.click()
    assert demo_page.texts(runs)[:2] == list(demo.RUNS)  # 58.2 before 62.3
    heading.click()
    assert demo_page.texts(runs)[:2] == list(reversed(demo.RUNS))
    assert demo_page.texts("#scores tfoot tr:not(.about) th")[:2] == ["chance", "human"]


def test_a_sample_is_read_and_its_evidence_only_on_demand(
    demo_page: Any, contents: Contents
) -> None:
    demo_page.all(ROWS)[2].click()
    sample = contents.samples.iloc[2]
    demo_page.until(lambda: demo_page.texts("#detail h3") == [sample["item_id"]])
    shown = demo_page.texts("#detail pre")
    assert shown == [sample["gold"], sample["answers"], sample["raw"][0], sample["question"]]
    demo_page.one("#detail summary").click()
    evidence = contents.evidence[sample["evidence_id"]]
    demo_page.until(lambda: demo_page.texts("#detail details pre") == [evidence])


def test_keys_move_read_and_return(demo_page: Any, contents: Contents) -> None:
    ids = list(contents.samples["item_id"])
    grid = demo_page.one(GRID)

    def pressed(key: str, expected: str) -> None:
        grid.send_keys(key)
        demo_page.until(lambda: demo_page.texts("#detail h3") == [expected])
        assert demo_page.texts("[aria-selected] .item_id > bdi") == [expected]
        chosen = demo_page.one("[aria-selected]").get_attribute("id")
        assert grid.get_attribute("aria-activedescendant") == chosen

    pressed(Keys.ARROW_DOWN, ids[0])
    pressed(Keys.ARROW_DOWN, ids[1])
    pressed(Keys.ARROW_UP, ids[0])
    pressed(Keys.END, ids[-1])
    pressed(Keys.ARROW_DOWN, ids[-1])
    pressed(Keys.HOME, ids[0])
    grid.send_keys(Keys.ENTER)
    focused = "return document.activeElement"
    assert demo_page.run(focused) == demo_page.one("#detail")
    demo_page.one("#detail").send_keys(Keys.ESCAPE)
    assert demo_page.run(focused) == grid
    demo_page.one("[data-step=Next]").send_keys(Keys.ENTER)
    demo_page.until(lambda: demo_page.texts("#detail h3") == [ids[1]])
    assert demo_page.run(focused) == demo_page.one("[data-step=Next]")


def test_scrolling_shows_the_rows_of_that_place(demo_page: Any, contents: Contents) -> None:
    height = demo_page.all(ROWS)[0].size["height"]
    demo_page.run("document.getElementById('list').scrollTop = 400 * arguments[0]", height)
    demo_page.until(lambda: contents.samples["item_id"][405] in items(demo_page))
    row = demo_page.one("#row-405")
    # Row 0 is the second line of the grid, after the headings.
    assert (row.get_attribute("aria-rowindex"), row.size["height"]) == ("407", height)
    place = "return arguments[0].offsetTop - document.querySelector('#list thead').offsetHeight"
    assert demo_page.run(place, row) == 405 * height


def test_a_link_leads_to_its_sample(page: Any, written: Write, contents: Contents) -> None:
    path = written("demo", contents)
    sample = contents.samples.iloc[700]
    link = f"#sample={sample['run']}/{sample['task']}/{sample['item_id']}"
    page.open(path, link)
    page.until(lambda: page.texts("#detail h3") == [sample["item_id"]])
    page.until(lambda: page.texts("[aria-selected] .item_id > bdi") == [sample["item_id"]])
    assert page.one("#detail a").get_attribute("href") == path.as_uri() + link
    choose(page, "task", demo.BSI)
    page.until(lambda: "of" in page.one("#count").text)
    other = contents.samples.iloc[860]  # not among the rows that are left: the filters give way
    page.run(
        "location.hash = arguments[0]", f"#sample={other['run']}/{other['task']}/{other['item_id']}"
    )
    page.until(lambda: page.texts("#detail h3") == [other["item_id"]])
    counted(page, len(contents.samples), len(contents.samples))
    page.run("location.hash = '#sample=a/b/c'")
    page.until(lambda: page.texts("#detail") == ["No sample has this link."])


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_hostile_text_is_shown_and_inert(page: Any, written: Write) -> None:
    page.open(written("hostile", demo.hostile()))
    page.until(lambda: len(page.all(ROWS)) == 2)
    bad = visible(demo.HOSTILE)
    page.all(ROWS)[0].click()
    page.until(lambda: page.all("#detail h3"))
    shown = page.texts("#detail pre")
    assert [text[: len(bad)] for text in shown] == [bad] * 5
    assert {bad} == set(page.texts("#detail h3, #detail dd")) - {
        "✗ not parsed",
        "0.5",
    }
    page.one("#detail summary").click()
    page.until(lambda: page.texts("#detail details pre") == [bad])
    assert page.texts("#detail section button") == [
        f"Show all {demo.LONG + len(demo.HOSTILE):,} characters"
    ]
    page.one("#detail section button").click()
    page.until(lambda: max(map(len, page.texts("#detail pre"))) == demo.LONG + len(bad))
    assert page.texts(".notes li") == [bad]
    assert page.run("return window.pwned") is None
    assert page.texts("script:not([type])") == page.texts("body > script:not([type])")
    assert len(page.all("script:not([type])")) == 1
    assert (
        page.run("return document.querySelectorAll('main svg, main script, textarea').length") == 0
    )
    assert all(address.startswith(("file:", "data:")) for address in page.requests())


@pytest.mark.attack(
    "a script in a page that is not ours",
    outcome="stopped by the page's policy",
    against="pages",
)
def test_the_policy_stops_what_is_not_ours(page: Any, written: Write, contents: Contents) -> None:
    page.open(written("demo", contents))
    page.until(lambda: page.all(ROWS))
    page.run(
        "const one = document.createElement('script'); one.textContent = 'window.pwned = 1';"
        "document.body.append(one);"
    )
    assert page.run("return window.pwned") is None
    [refusal] = page.console()
    assert "Content Security Policy" in refusal["message"]


def test_a_page_without_samples_or_scores_opens(page: Any, written: Write) -> None:
    page.open(written("bare", Contents(title="Nothing but a title")))
    assert page.texts("h1") == ["Nothing but a title"]
    assert page.all("section") == []


@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_is_never_wider_than_the_window(demo_page: Any, width: int) -> None:
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    demo_page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert demo_page.run("return document.documentElement.scrollWidth") <= width
    finally:
        demo_page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
