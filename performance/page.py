"""How soon a page of 20,000 samples can be read in a browser, against one with all rows in the document.

The reference is what one writes first: a table of all samples, with the texts in a collapsed element of
each row; once more without these texts. Times are the browser's own, from the start of navigation.
Needs chromium, chromedriver and selenium. Run: python -m performance.page
"""

from __future__ import annotations

import html
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from otherminds.page import Contents, write_page
from performance.ratio import Ratio, print_table
from tests.engine.page import demo
from tests.engine.page.conftest import Page, chromium

DATA = "simulated"
SAMPLES, PEOPLE, TIMES, BOUND = 20_000, 500, 3, 3.0
READ = "page: whole file read and drawn, all rows in the document"
LOADED = (
    "const done = arguments[0];"
    "const drawn = () => requestAnimationFrame(() => requestAnimationFrame("
    "() => done(performance.now())));"
    "if (document.readyState === 'complete') drawn(); else addEventListener('load', drawn);"
)


def main() -> None:
    print_table(measure())


def measure() -> list[Ratio]:
    contents = many()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours, naive, bare = (folder / f"{name}.html" for name in ("ours", "naive", "bare"))
        start = time.perf_counter()
        write_page(contents, ours)
        took = time.perf_counter() - start
        naive.write_text(all_rows(contents.samples, contents.evidence), encoding="utf-8")
        bare.write_text(all_rows(contents.samples, None), encoding="utf-8")
        note = f"{SAMPLES:,} samples; {size(ours)}, naive {size(naive)}; median of {TIMES}"
        with chromium(folder / "profile") as driver:
            page = Page(driver)
            measured = [
                (*first_rows(page, ours), *(loaded(page, path) for path in (ours, naive, bare)))
                for _ in range(TIMES)
            ]
            rows, paint, whole, reference, without_texts = (
                statistics.median(times) for times in zip(*measured, strict=True)
            )
            page.open(ours)
            page.until(lambda: page.all("#list tr[data-place]"))
            actions = {
                action: driver.execute_async_script(WATCH + script) / 1000
                for action, script in ACTIONS.items()
            }
            counts = [float(elements(page))]
            page.open(naive)
            counts.append(float(elements(page)))
    told = {"inverse": True, "note": note}
    return [
        Ratio.of(f"{READ}, against one without texts", whole, without_texts, "s", **told),
        Ratio.of(f"{READ}, against one with all texts", whole, reference, "s", **told),
        Ratio.alone("page: first rows", rows, "s", target=f"< {BOUND}"),
        Ratio.alone("page: first paint", paint, "s", target=f"< {BOUND}"),
        Ratio.alone("page: written in", took, "s"),
        *(Ratio.alone(f"page: {action}", value, "s") for action, value in actions.items()),
        Ratio.of("page: elements in the document", *counts, "elements", inverse=True),
    ]


WATCH = """
const done = arguments[0], start = performance.now(), form = document.getElementById("filters");
const when = (test) =>
  test() ? done(performance.now() - start) : requestAnimationFrame(() => when(test));
const count = () => document.getElementById("count").textContent;
const set = (name, value) => {
  form.elements[name].value = value;
  form.dispatchEvent(new Event("input"));
};
"""
ACTIONS: Mapping[str, str] = {
    "a sample in the middle is opened": """
        document.getElementById("list").scrollTop = 34 * 10000;
        let clicked = false;
        when(() => {
          const row = document.getElementById("row-10005");
          if (row && !clicked) { row.click(); clicked = true; }
          return document.querySelector("#detail pre");
        });""",
    "filtering by outcome": 'set("correct", "0"); when(() => count().includes(" of "));',
    "sorting by item": """
        document.querySelector("#list th[data-name=item_id] button").click();
        when(() => document.querySelector("#list th[aria-sort]"));""",
    "searching all raw answers": """
        form.elements.raw.checked = true; form.elements.correct.value = ""; set("text", "i cannot say");
        when(() => count().includes(" of ") && !count().includes("Search"));""",
}


def many() -> Contents:
    """Two runs' answers to 10,000 items about 500 people."""
    people = [f"P{number:03d}" for number in range(PEOPLE)]
    each = SAMPLES // (len(demo.RUNS) * 2 * PEOPLE)
    samples, evidence = demo.interviews(demo.generator(), people, each)
    return Contents(**{**vars(demo.contents(people=1)), "samples": samples, "evidence": evidence})


def all_rows(samples: pd.DataFrame, evidence: Mapping[str, str] | None) -> str:
    """The naive page, with the long texts or without."""
    names = ("run", "task", "item_id", "person", "part", "category", "correct", "gold", "answers")
    lines = []
    for row in samples.to_dict("records"):
        cells = "".join(f"<td>{html.escape(str(row[name]))}</td>" for name in names)
        texts = [evidence[row["evidence_id"]], row["question"], *row["raw"]] if evidence else []
        long = "".join(f"<pre>{html.escape(text)}</pre>" for text in texts)
        lines.append(f"<tr>{cells}<td><details><summary>texts</summary>{long}</details></td></tr>")
    return f"<!doctype html><meta charset='utf-8'><table>{''.join(lines)}</table>"


def first_rows(page: Page, path: Path) -> tuple[float, float]:
    """Seconds until the first rows of the sample browser are in the document, and until first paint."""
    page.open(path)
    page.until(lambda: page.all("#list tr[data-place]"))
    page.until(lambda: page.run("return performance.getEntriesByType('paint').length"))
    entry = "return performance.getEntriesByName(arguments[0])[0].startTime / 1000"
    return page.run(entry, "first-rows"), page.run(entry, "first-contentful-paint")


def loaded(page: Page, path: Path) -> float:
    """Seconds until the whole file is read and drawn."""
    page.open(path)
    return float(page.driver.execute_async_script(LOADED)) / 1000


def elements(page: Page) -> int:
    count: int = page.run("return document.getElementsByTagName('*').length")
    return count


def size(path: Path) -> str:
    return f"{path.stat().st_size / 2**20:.1f} MiB"


if __name__ == "__main__":
    main()
