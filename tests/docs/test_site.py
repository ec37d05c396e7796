"""The site builds without a warning and without network, and can be read on any screen.

A stage of .ci/run: it needs the extra `docs`, and Chromium.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docsite import links
from tests.engine.page.conftest import chromium, screen

pytestmark = pytest.mark.site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site. Proxies that lead nowhere stand for a machine without network."""
    folder = tmp_path_factory.mktemp("site")
    nowhere = dict.fromkeys(
        ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=links.ROOT,
        env={**os.environ, **nowhere, "HF_HUB_OFFLINE": "1", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served, as a static Space would."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words: Any) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


def pages(site: Path) -> list[str]:
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


def test_every_page_of_the_docs_is_built(site: Path) -> None:
    for page in links.DOCS.rglob("*.md"):
        assert (site / page.relative_to(links.DOCS).with_suffix(".html")).is_file(), page
    for page in links.on_site():
        assert (site / page.removeprefix("docs/")).with_suffix(".html").is_file(), page


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loaded = re.compile(
        r'<(?:script|img|iframe|source)[^>]*\ssrc="(https?:)?//|<link[^>]*stylesheet[^>]*"(https?:)?//'
    )
    assert [page for page in pages(site) if loaded.search((site / page).read_text("utf-8"))] == []


def test_long_generated_pages_answer_no_search_and_others_do(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    places = {one["location"].partition("#")[0] for one in found}
    assert {"index.html", "reference/cli.html", "reference/tasks/hugagent.html"} <= places
    assert not [one for one in places if one.startswith("benchmarks/stages/")]
    assert "reference/performance.html" not in places


def test_metrics_have_their_docstrings(site: Path) -> None:
    text = (site / "reference" / "metrics" / "shared.html").read_text("utf-8")
    assert "clustered_mean" in text


def until(condition: Any) -> Any:
    begin = time.monotonic()
    while not (found := condition()):
        assert time.monotonic() - begin < 20
        time.sleep(0.05)
    return found


def search(browser: Any, words: str) -> None:
    """Type words into the search box, and wait until something is found."""
    browser.execute_script(
        "const box = document.querySelector('.md-search__input'); box.focus(); box.value = arguments[0];"
        "for (const kind of ['keyup', 'input']) box.dispatchEvent(new Event(kind, {bubbles: true}));",
        words,
    )
    count = "return document.querySelectorAll('.md-search-result__item').length"
    assert until(lambda: browser.execute_script(count)) > 0


def test_the_search_finds_and_asks_nobody_else(address: str, browser: Any) -> None:
    browser.get(f"{address}/index.html")
    browser.get_log("performance")
    search(browser, "parse rate")
    logged = [json.loads(one["message"])["message"] for one in browser.get_log("performance")]
    asked = [
        one["params"]["request"]["url"]
        for one in logged
        if one["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in asked if not url.startswith((address, "data:", "blob:", "chrome"))] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_scrolls_sideways_or_lacks_a_picture(
    width: int, theme: str, site: Path, address: str, tmp_path: Path
) -> None:
    wrong = []
    # A browser of its own: which colours a site showed last is kept, and goes before what is asked for.
    with chromium(tmp_path) as browser, screen(browser, width, theme):
        # More than half of the time that a page takes to load is for what only its search needs.
        browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/search_index.js"]})
        for page in pages(site):
            if page.startswith("benchmarks/stages/") and not page.endswith("stage_1.html"):
                continue
            browser.get(f"{address}/{page}")
            wide, scheme, broken = browser.execute_script(
                "return [document.documentElement.scrollWidth, document.body.dataset.mdColorScheme,"
                "[...document.images].filter((one) => one.complete && !one.naturalWidth).length]"
            )
            if wide > width or broken or scheme != {"light": "default", "dark": "slate"}[theme]:
                wrong.append((page, wide, scheme, broken))
    assert wrong == []


def test_the_search_works_from_a_folder(site: Path, browser: Any) -> None:
    browser.get((site / "start" / "glossary.html").as_uri())
    search(browser, "majority")
