"""A real browser that opens pages from files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from otherminds.page import Contents, write_page

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--window-size=1280,900",
)

PATIENCE = 300
"""Seconds after which what does not come is a failure, on the busiest machine."""


class Page:
    """An open page, and what it did."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, fragment: str = "") -> None:
        self.driver.get("about:blank")
        self.console()
        self.driver.get_log("performance")
        self.driver.get(path.as_uri() + fragment)

    def reopen(self, path: Path, kept: Callable[[], bool]) -> None:
        """Open a page until it shows what was kept: what one page stores may reach the next one late."""

        def shown() -> bool:
            self.open(path)
            return kept()

        self.until(shown)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, condition: Callable[[], Any]) -> Any:
        """Wait for a condition; elements may be replaced while it is asked."""
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        wait = WebDriverWait(
            self.driver, PATIENCE, 0.02, ignored_exceptions=[StaleElementReferenceException]
        )
        return wait.until(lambda _: condition())

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements, hidden ones too, in one step."""
        script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        found: list[str] = self.run(script, selector)
        return found

    def console(self) -> list[Any]:
        return list(self.driver.get_log("browser"))

    def requests(self) -> list[str]:
        """The addresses asked for since the page was opened."""
        messages = [
            json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")
        ]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """A browser with a new profile. Skips where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    browser, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or chromedriver is None:
        pytest.skip("No chromium and chromedriver on this machine (apt install chromium-driver).")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=chromedriver)
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(PATIENCE)
    # A window gets the focus when the machine finds time for it; without, nothing matches `:focus`.
    driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def screen(driver: Any, width: int, theme: str) -> Iterator[None]:
    """A window of another width and colour scheme."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    wanted = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture
def page(driver: Any) -> Iterator[Page]:
    """The browser, with nothing kept; whatever a test does, the console must stay silent."""
    # By the browser itself: what a page clears may be cleared after the next one has stored something.
    everything = {"origin": "file://", "storageTypes": "local_storage"}
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", everything)
    opened = Page(driver)
    yield opened
    assert opened.console() == []


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Contents], Path]:
    """Write a page once per session, by name."""
    folder = tmp_path_factory.mktemp("pages")

    def write(name: str, contents: Contents) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            write_page(contents, path)
        return path

    return write
