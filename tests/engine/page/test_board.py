"""The board in a real browser: order, groups, filters, keyboard, roles, contrast, hostile names."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from otherminds.leaderboard.board import Entry, build
from otherminds.leaderboard.records.record import Finding
from tests.engine.leaderboard import board_entries as made
from tests.engine.page.conftest import screen

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402  # skipped where it is not installed
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

Show = Callable[..., Any]
NAMES = "tbody tr:not([hidden]) th bdi"
HOSTILE = (
    "<script>document.title='taken'</script>",
    "<img src=x onerror=document.title='taken'>",
    "\u202egnp.evil\u202c",
    "\u200f\u2066مرحبا\u2069",
    "x" * 10_000,
    "=HYPERLINK(1)",
    "a\x00b\ud800c",
    "javascript:document.title='taken'",
    "</script><!--",
)


def same_answers(right: int) -> Any:
    """The first `right` of 40 people's items are right."""
    return made.scores([1.0] * right + [0.0] * (40 - right), people=40)


@pytest.fixture
def show(page: Any, tmp_path: Path) -> Show:
    """Build a board, open it and wait for a view."""

    def shown(entries: Sequence[Entry], fragment: str = "#board/humans") -> Any:
        build(entries, made.references(), tmp_path)
        page.open(tmp_path / "index.html", fragment)
        page.until(lambda: page.all("main h1"))
        return page

    return shown


@pytest.fixture
def league() -> list[Entry]:
    """Three strong models, alike, and two weak ones; see tests/engine/leaderboard."""
    return [
        made.entry(f"m{right}", {"humans": same_answers(right), "robots": same_answers(50 - right)})
        for right in (10, 37, 12, 38, 36)
    ]


# ---------------------------------------------------------------- what a reader sees


def test_right_order_and_right_groups(show: Show, league: list[Entry]) -> None:
    page = show(league)
    assert page.texts(NAMES) == ["m38", "m37", "m36", "published-model", "m12", "m10"]
    assert page.texts("tbody .letters") == ["a", "a", "a", "b", "b"]
    assert page.texts("tbody tr:not(.published) td:nth-child(2)") == ["1", "2", "3", "4", "5"]
    assert page.texts("tbody tr:not(.published) td:nth-child(5)") == 3 * ["1–3"] + 2 * ["4–5"]
    assert page.texts("tfoot th") == ["chance", "people"]
    # What ranks may be another quantity than the one that groups and open ranks rest on.
    notes = page.texts("thead th:nth-child(4) small, thead th:nth-child(5) small")
    assert notes == 2 * ["by share of answers that are right"]
    assert page.texts("tbody tr:not(.published) td:nth-child(7)") == 5 * [made.DAY.isoformat()]


def test_season_results_stand_first_and_boards_say_that_their_golds_are_open(
    page: Any, league: list[Entry], tmp_path: Path
) -> None:
    build(league, made.references(), tmp_path, seasons=[made.season()])
    page.open(tmp_path / "index.html")
    page.until(lambda: page.all("main h1"))
    season, boards = page.one("#seasons td:nth-child(6)"), page.one("main h1")
    assert season.location["y"] < boards.location["y"]
    assert page.texts("#seasons tbody th bdi") == ["maker/one", "maker/other"]
    assert page.texts("#boards a")[:2] == ["Seasons", "All boards"]
    assert page.texts("main .how .badge") == ["open golds"]
    assert "no check can tell" in page.one("#golds").text
    # A board or model that was asked for stands alone; the link leads back.
    for fragment in ("#board/humans", "#model/m38"):
        page.run("location.hash = arguments[0]", fragment)
        page.until(lambda: page.texts("main h1") != ["All boards"])
        assert not page.one("#seasons").is_displayed()
        assert "open golds" in page.texts("main .badge")
    page.one("#boards a").click()
    page.until(lambda: page.texts("main h1") == ["All boards"])
    assert page.one("#seasons").is_displayed()
    page.open(tmp_path / "index.html", "#seasons")
    page.until(lambda: page.all("main h1"))
    assert page.one("#seasons h2").is_displayed()


def test_a_name_without_its_owner_is_marked(show: Show, league: list[Entry]) -> None:
    league[0].verification.flags.append(Finding(code="unaffiliated", detail="someone for m10"))
    marked = "tbody tr:has(.badge[title*='organisation']) th bdi"
    for fragment in ("", "#board/humans"):
        assert show(league, fragment).texts(marked) == ["m10"]
    page = show(league, "#model/m10")
    assert "not seen to belong to the account" in page.one("main").text
    assert "flag" not in page.texts("main .badge")


@pytest.mark.attack(
    "a page that would ask another server for something",
    outcome="nothing points out of the file",
    against="pages",
)
def test_opens_without_a_request(show: Show, league: list[Entry]) -> None:
    page = show(league, "")
    addresses = [one for one in page.requests() if not one.startswith("data:")]
    assert [one.rpartition("/")[2] for one in addresses] == ["index.html"]


def test_overall_view_keeps_boards_apart(show: Show, league: list[Entry]) -> None:
    page = show(league, "")
    # In order of names, whatever the scores: the weak of one board are the strong of the other.
    assert page.texts("tbody th bdi") == ["m10", "m12", "m36", "m37", "m38"]
    assert page.texts("tbody td:nth-child(2)") == 5 * ["2"]
    heads = page.texts("thead th button")
    assert heads == ["Model", "Boards", "Humans", "Robots", "Trust level", "Accepted"]


def test_one_row_is_told_as_one(show: Show, league: list[Entry]) -> None:
    assert show(league[:1], "").one("output").text == "1 row"


def test_sorting_by_a_heading(show: Show, league: list[Entry]) -> None:
    page = show(league)
    button = page.one("thead th:nth-child(3) button")
    button.click()
    assert page.texts(NAMES) == ["m10", "m12", "published-model", "m36", "m37", "m38"]
    assert page.one("thead th:nth-child(3)").get_attribute("aria-sort") == "ascending"
    button.send_keys(Keys.ENTER)
    assert page.texts(NAMES)[0] == "m38"
    assert page.one("thead th:nth-child(3)").get_attribute("aria-sort") == "descending"
    assert len(page.all("[aria-sort]")) == 1


def test_filters(show: Show, league: list[Entry]) -> None:
    claimed = made.entry("claimed", {"humans": same_answers(30)}, level="self-reported")
    trained = made.entry("trained", {"humans": same_answers(40)}, trained=True)
    page = show([*league, claimed, trained])
    assert page.texts(NAMES)[-2:] == ["trained", "claimed"]
    page.one("input[name=name]").send_keys("M3")
    assert page.texts(NAMES) == ["m38", "m37", "m36"]
    assert page.one("output").text == "3 of 8 rows"
    page.one("input[name=name]").clear()
    Select(page.one("select[name=level]")).select_by_value("re-scored")
    assert "claimed" not in page.texts(NAMES)
    Select(page.one("select[name=level]")).select_by_value("")
    page.one("input[name=published]").click()
    page.one("input[name=apart]").click()
    assert page.texts(NAMES) == ["m38", "m37", "m36", "m12", "m10"]


def test_marking_what_a_model_is_not_told_apart_from(show: Show, league: list[Entry]) -> None:
    page = show(league)
    button = page.one(".letters button")
    button.send_keys(Keys.SPACE)
    assert page.texts("tr.same th bdi") == ["m38", "m37", "m36"]
    assert page.one("output").text == "m38 is not told apart from 2 others (marked)"
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert page.all("tr.same") == []


def test_page_of_a_model(show: Show, league: list[Entry]) -> None:
    page = show(league)
    page.one("tbody a[href='#model/m38']").click()
    page.until(lambda: page.one("main h1").text == "m38")
    assert page.run("return document.activeElement.tagName") == "H1"
    record = "https://huggingface.co/datasets/otherminds/leaderboard/blob/main"
    link = page.one(f"a[href='{record}/submissions/m38/record.json']")
    assert link.get_attribute("rel") == "noreferrer noopener"
    parts = page.all("section.card")[0].find_elements(By.CSS_SELECTOR, ".plot:last-of-type .part")
    assert [one.text for one in parts] == ["all items", "healthcare", "surveillance", "zoning"]
    Select(page.one("select[name=other]")).select_by_visible_text("m10")
    # 28 of 40 people: δ = 0.7, SE = sqrt(40/39 · 40 · 0.7 · 0.3) / 40 = 0.0734, t(39) = 2.0227,
    # hence [0.5515, 0.8485]; the page knows the SE rounded up by less than one step of its 254.
    first, second = page.texts(".verdict")
    assert first.startswith("Against m10: told apart. Difference +0.700 [0.551, 0.849]")
    assert second.startswith("Against m10: told apart. Difference −0.700")
    Select(page.one("select[name=other]")).select_by_visible_text("m37")
    assert page.texts(".verdict")[0].startswith("Against m37: not told apart.")


def test_a_models_page_says_what_its_marks_mean(show: Show) -> None:
    strong, weak = (made.entry(f"m{n}", {"humans": same_answers(n)}) for n in (38, 10))
    page = show([strong, weak], "#model/m38")
    # Told apart from the only other one.
    assert page.texts("section.card > p")[0] == (
        "Rank 1 by Accuracy. By the share of answers that are right: group a, only rank 1 is open."
    )
    assert page.texts("section.card .legend li") == [
        "value, and its 95% interval over people",
        "chance",
        "people, with their interval",
    ]


def test_parts_have_one_axis_on_all_pages_of_a_board(show: Show) -> None:
    # Everybody's error is 4 and 1: means without spread, on an axis that ends at 4.
    entries = [
        made.entry(name, {"humans": made.scores([error] * 40, people=40)})
        for name, error in (("far", 4.0), ("near", 1.0))
    ]
    page = show(entries, "#model/near")
    script = "return arguments[0].querySelector('.dot').style.left"
    assert page.run(script, page.all("section.card .plot:last-of-type .bar")[0]) == "25%"


# ---------------------------------------------------------------- hostile submissions


def hostile(number: int, text: str) -> Entry:
    """A submission with `text` wherever a stranger may write, past all checks of the record."""
    known = made.entry(f"h{number}", {"humans": same_answers(20 + number)})
    record, [run] = known.record, known.record.tasks
    finding = Finding.model_construct(code=text, detail=text)
    model = {"name": text, "revision": text, "dtype": text, "weights_sha256": text}
    task = {"decoding": {text: text}, "seeds": {text: 1}, "content_hash": {text: text}}
    declared = record.declarations.model_copy(update={"notes": text})
    changed = {
        "model": record.model.model_copy(update=model),
        "submitter": text,
        "declarations": declared,
        "tasks": [run.model_copy(update=task)],
    }
    return Entry(
        id=text,
        record=record.model_copy(update=changed),
        verification=known.verification.model_copy(update={"flags": [finding]}),
        answers=known.answers,
    )


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_hostile_texts_are_only_text(show: Show) -> None:
    entries = [hostile(number, text) for number, text in enumerate(HOSTILE)]
    page = show(entries)
    safe = (
        "return document.querySelectorAll('main script, main img, main iframe, main style').length"
    )
    assert page.run(safe) == 0
    names = page.texts("tbody tr:not(.published) th bdi")
    assert any("<script>" in name for name in names)
    assert any("⟨U+202E⟩gnp.evil⟨U+202C⟩" in name for name in names)
    assert max(map(len, names)) <= 120
    for number in range(len(HOSTILE)):
        page.run("location.hash = arguments[0]", f"#model/{number}")
        page.until(lambda: page.all("section.card"))
        assert page.run(safe) == 0
        assert page.run("return document.title").endswith(" – OtherMinds leaderboard")
        links = page.run("return [...document.links].map((one) => one.href)")
        assert all(link.startswith(("https://", "file://")) for link in links)
        assert not any("submissions" in link for link in links)
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.run(wide) == 0
        page.run("location.hash = ''")
        page.until(lambda: page.one("main h1").text == "All boards")


# ---------------------------------------------------------------- access

# Every text's contrast with what lies behind it, by the formula of WCAG 2; the lowest ones.
CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function rgba(color) {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}
const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const found = [];
for (const one of document.querySelectorAll('body *')) {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || !one.checkVisibility()) continue;
  if (one.closest('.unseen, script, style, noscript, option')) continue;
  let behind = one;
  while (rgba(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const back = light(rgba(getComputedStyle(behind).backgroundColor));
  const fore = light(rgba(getComputedStyle(one).color));
  const ratio = (Math.max(back, fore) + 0.05) / (Math.min(back, fore) + 0.05);
  if (ratio < 4.5) found.push([one.outerHTML.slice(0, 80), ratio]);
}
return found;
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("view", ["", "#board/humans", "#model/m38"])
def test_contrast_and_width(
    show: Show, league: list[Entry], width: int, theme: str, view: str
) -> None:
    trained = made.entry("trained", {"humans": same_answers(40)}, trained=True)
    page = show([*league, trained], view)
    with screen(page.driver, width, theme):
        for button in page.all(".letters button")[:1]:
            page.run("arguments[0].click()", button)
        assert page.run(CONTRAST) == []
        # Tables scroll in their own region; the page does not.
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.run(wide) <= 0


@pytest.mark.parametrize("view", ["", "#board/humans", "#model/m38"])
def test_roles_and_names(show: Show, league: list[Entry], view: str) -> None:
    page = show(league, view)
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nodes = [node for node in tree if not node["ignored"]]
    for node in nodes:
        role = node["role"]["value"]
        if role in {"button", "link", "combobox", "searchbox", "checkbox", "table", "region"}:
            assert node["name"]["value"].strip(), role
    roles = [node["role"]["value"] for node in nodes]
    assert {"banner", "navigation", "main", "contentinfo"} <= set(roles)
    levels = page.run(
        "return [...document.querySelectorAll('h1,h2,h3')].map((one) => Number(one.tagName[1]))"
    )
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    ids = page.run("return [...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(set(ids)) == len(ids)
    assert page.run("return document.documentElement.lang") == "en"
    for table in page.all("table"):
        assert table.find_elements(By.CSS_SELECTOR, "caption")
        assert table.find_elements(By.CSS_SELECTOR, "thead th:not([scope=col])") == []
        assert table.find_elements(By.CSS_SELECTOR, "tbody th:not([scope=row])") == []


def test_everything_is_reached_with_the_keyboard(show: Show, league: list[Entry]) -> None:
    page = show(league)
    kinds = "a[href], button, input, select, summary, [tabindex='0']"
    every = "[...document.querySelectorAll(arguments[0])]"
    wanted = page.run(f"return {every}.filter((one) => one.checkVisibility()).length", kinds)
    seen: list[Any] = []
    for _ in range(wanted + 5):
        left = page.driver.switch_to.active_element
        left.send_keys(Keys.TAB)
        # The focus moves when the key has been handled.
        page.until(lambda left=left: page.driver.switch_to.active_element != left)
        focused = page.driver.switch_to.active_element
        if focused.tag_name == "body" or focused in seen:
            break
        outline = "const s = getComputedStyle(arguments[0]); return s.outlineStyle + s.outlineWidth"
        assert page.run(outline, focused) not in ("none0px", "none"), focused.get_attribute(
            "outerHTML"
        )
        seen.append(focused)
    assert len(seen) == wanted
    page.driver.execute_script("arguments[0].focus()", page.one("a.skip"))
    page.one("a.skip").send_keys(Keys.ENTER)
    # The browser follows the link when the key has been handled.
    page.until(lambda: page.run("return document.activeElement.id") == "view")
    assert page.one("main h1").text == "Of humans"


def test_bars_stand_where_their_values_are(show: Show, league: list[Entry]) -> None:
    page = show(league)
    first = page.one("tbody tr .bar")
    place = "return arguments[0].querySelector(arguments[1]).style.left"
    # 38 of 40 on an axis from 0 to 1, with chance at 0.5, people at 0.85 and from 0.77 to 0.92.
    assert page.run(place, first, ".dot") == "95%"
    assert page.run(place, first, ".chance") == "50%"
    assert page.run(place, first, ".human") == "85%"
    assert page.run(place, first, ".people") == "77%"
    assert first.get_attribute("aria-hidden") == "true"
