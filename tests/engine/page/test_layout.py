"""The page as a picture, wide and narrow: nothing is cut, nothing overlaps, all is told apart.

Themes differ in colours alone, which one test checks, and so places are measured in one of them; axe,
which measures contrasts, looks at both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from otherminds.page import Contents
from tests.engine.page import crowded
from tests.engine.page.conftest import screen
from tests.engine.page.test_board_axe import checked

pytest.importorskip("selenium", reason="selenium is not installed")

Write = Callable[[str, Contents], Path]
ROWS = "#list tr[data-place]"
WIDTHS = (1280, 390)

# Elements whose content is wider than they are. Only the two panes of samples may scroll, downwards.
# A head that is one pixel wide is there for screen readers.
CUT = """
return [...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && !one.closest('.unseen, select')
    && (one.closest('thead')?.offsetWidth ?? 2) > 1
    && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 120));
"""
# Lines of the list whose words do not fit into their height.
SPILLED = """
return [...document.querySelectorAll('#list tr[data-place]')].filter((row) => {
  const box = row.getBoundingClientRect();
  return [...row.querySelectorAll('bdi, small')].some((one) => {
    const own = one.getBoundingClientRect();
    return own.top < box.top - 1 || own.bottom > box.bottom + 1
      || own.right > box.right + 1 || own.left < box.left - 1;
  });
}).map((row) => row.textContent);
"""
PLACES = """
return JSON.stringify([...document.querySelectorAll('body *')].map((one) => {
  const box = one.getBoundingClientRect();
  return [one.tagName, box.left, box.top, box.width, box.height];
}));
"""
SMALL = """
const found = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const parent = walker.currentNode.parentElement;
  if (walker.currentNode.data.trim() && parent.checkVisibility()
      && parseFloat(getComputedStyle(parent).fontSize) < 12) found.add(parent.outerHTML.slice(0, 90));
}
return [...found];
"""
# The share of each card's width that its pictures reach, and by how much pictures are shrunk.
FILLED = """
return [...document.querySelectorAll('figure')].map((card) => {
  const box = card.getBoundingClientRect();
  const pictures = [...card.querySelectorAll('.panel img')];
  const right = Math.max(...pictures.map((one) => one.getBoundingClientRect().right));
  return [(right - box.left) / box.width, Math.min(...pictures.map((one) =>
    one.clientWidth / Number(one.getAttribute('width'))))];
});
"""
# Every picture laid out by this browser, with its fonts: words that leave it, and labels that meet.
PICTURES = """
const told = [];
const stage = document.createElement('div');
document.body.append(stage);
for (const image of document.querySelectorAll('.panel img')) {
  const bytes = Uint8Array.from(atob(image.src.split(',')[1]), (one) => one.charCodeAt(0));
  const drawn = new DOMParser().parseFromString(new TextDecoder().decode(bytes), 'image/svg+xml');
  const svg = document.adoptNode(drawn.documentElement);
  stage.replaceChildren(svg);
  const frame = svg.getBoundingClientRect();
  for (const one of svg.querySelectorAll('text')) {
    const box = one.getBoundingClientRect();
    if (Number(getComputedStyle(one).opacity) === 0 || !one.textContent) continue;
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1)
      told.push(`${image.alt}: cut: ${one.textContent}`);
  }
  for (const axis of svg.querySelectorAll('.role-axis-label')) {
    const boxes = [...axis.querySelectorAll('text')]
      .filter((one) => Number(one.getAttribute('opacity') ?? 1) > 0)
      .map((one) => one.getBoundingClientRect()).filter((box) => box.width);
    boxes.forEach((one, place) => boxes.slice(place + 1).forEach((two) => {
      const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (across > 0 && down > 2) told.push(`${image.alt}: labels of an axis overlap`);
    }));
  }
}
stage.remove();
return [...new Set(told)];
"""


@pytest.fixture(params=WIDTHS, ids=["wide", "narrow"])
def hard_page(page: Any, written: Write, request: pytest.FixtureRequest) -> Iterator[Any]:
    with screen(page.driver, request.param, "light"):
        page.open(written("crowded", crowded.contents()))
        page.until(lambda: page.all(ROWS))
        for details in page.all("details"):
            page.run("arguments[0].open = true", details)
        page.all(ROWS)[0].click()
        page.until(lambda: page.all("#detail h3"))
        yield page


def test_nothing_is_cut_or_small(hard_page: Any) -> None:
    wide = hard_page.run("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert hard_page.run(CUT) == []
    assert hard_page.run(SPILLED) == []
    assert hard_page.run(SMALL) == []


def test_a_head_that_is_cut_would_be_found(page: Any, written: Write) -> None:
    with screen(page.driver, WIDTHS[0], "light"):
        page.open(written("crowded", crowded.contents()))
        page.until(lambda: page.all(ROWS))
        page.run(
            "const head = document.querySelector('.cards thead th');"
            "head.style.cssText = 'display: block; width: 20px; overflow: hidden';"
            "head.textContent = 'incomprehensibilities'"
        )
        assert page.run(CUT) != []


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_a_theme_moves_nothing(page: Any, written: Write, width: int) -> None:
    places, colours = set(), set()
    for theme in ("light", "dark"):
        with screen(page.driver, width, theme):
            page.open(written("crowded", crowded.contents()))
            page.until(lambda: page.all(ROWS))
            places.add(page.run(PLACES))
            colours.add(page.run("return getComputedStyle(document.body).backgroundColor"))
    assert (len(places), len(colours)) == (1, 2)


def test_pictures_fill_their_cards_and_can_be_read(hard_page: Any) -> None:
    found = hard_page.run(FILLED)
    assert len(found) > 8
    assert min(filled for filled, _ in found) > 0.9
    assert min(shrunk for _, shrunk in found) > 0.8
    assert hard_page.run(PICTURES) == []


def test_each_run_is_told_from_every_other(hard_page: Any) -> None:
    runs = len(crowded.RUNS)
    hard_page.run("document.getElementById('list').style.height = '50000px'")
    per_run = len(crowded.contents().samples) // runs
    hard_page.until(lambda: len(hard_page.all(ROWS)) == runs * per_run)
    labels = hard_page.texts(f"{ROWS} .run > bdi")
    assert len(set(labels)) == runs
    assert all(len(set(labels[n * per_run :][:per_run])) == 1 for n in range(runs))
    assert len(set(hard_page.texts("#scores .cards tbody tr > :first-child")[:runs])) == runs
    assert len(set(hard_page.texts("[name=run] option"))) == runs + 1
    # Each line says everything that tells one sample from another.
    assert len(set(hard_page.texts(ROWS))) == runs * per_run


def test_every_sign_is_explained_where_it_stands(hard_page: Any) -> None:
    [rule, *_] = hard_page.texts(".outcomes li")
    assert rule == f"✓ correct: {crowded.RULE}"
    hard_page.until(lambda: hard_page.texts("#detail .rule"))
    assert hard_page.texts("#detail .rule") == [f"Counts as correct: {crowded.RULE}"]
    # A run and a reference may have one name; the line between them says which is which.
    names = hard_page.texts("#scores .cards:first-of-type th[scope=row]")
    assert names.count("reader") >= 2
    for foot in hard_page.all("#scores tfoot"):
        assert foot.find_element("css selector", "tr").text.startswith("References: ")
    legends = hard_page.texts(".keys-of li")
    assert {"chance", "majority", "reader", "human"} <= set(legends)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("width", "theme"),
    [
        *((WIDTHS[0], "dark"), (WIDTHS[1], "light")),
        pytest.param(WIDTHS[0], "light", marks=pytest.mark.slow),
        pytest.param(WIDTHS[1], "dark", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(page: Any, written: Write, width: int, theme: str) -> None:
    with screen(page.driver, width, theme):
        page.open(written("crowded", crowded.contents()))
        page.until(lambda: page.all(ROWS))
        page.all(ROWS)[0].click()
        page.until(lambda: page.all("#detail h3"))
        found = checked(page)
    assert (found["violations"], found["incomplete"]) == ([], [])
