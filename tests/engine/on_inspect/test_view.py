"""`inspect view` in a real browser, on logs of ours."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.on_inspect import inspecting
from tests.engine.page.conftest import Page, chromium

pytestmark = pytest.mark.slow


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of Inspect's viewer of the logs in a folder."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    inspect = Path(sys.executable).with_name("inspect")
    words = [inspect, "view", "start", "--log-dir", folder, "--host", "127.0.0.1", "--port", port]
    with subprocess.Popen(
        [str(word) for word in words],
        cwd=folder,
        env={**os.environ, "XDG_DATA_HOME": str(folder / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    ) as server:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def answers(address: str) -> bool:
    """Whether a server is there."""
    with contextlib.suppress(urllib.error.URLError), urllib.request.urlopen(address) as found:
        return bool(found.status == 200)
    return False


def shown(page: Page) -> str:
    return str(page.run("return document.body.innerText"))


@pytest.mark.parametrize(
    ("task", "columns"),
    [
        ("hugagent_bsi_synthetic", ["BSI_ACC", "PARSE_RATE"]),
        ("synchtom_5turn_judge", ["JUDGE_RATE", "PARSE_RATE"]),
    ],
)
def test_it_shows_numbers_items_and_prompts(
    task: str, columns: list[str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    log = inspecting.evaluated(
        task, inspecting.scripted(inspecting.by_prompt), tmp_path / "logs", limit=4
    )
    path = inspecting.path_of(log)
    with chromium(tmp_path_factory.mktemp("profile")) as driver, served(path.parent) as address:
        page = Page(driver)
        page.until(lambda: answers(address))
        driver.get(f"{address}/#/tasks/{path.name}")
        samples: Any = log.samples
        page.until(lambda: str(samples[0].id)[:12] in shown(page))
        found = shown(page).upper()
        assert task.upper() in found
        for column in columns:
            assert column in found
        # Every prompt begins with the same words.
        assert "INPUT" not in found.split("FILTER")[-1]
        driver.get(f"{address}/#/tasks/{path.name}/samples/sample/{samples[0].id}/1/messages")
        last = samples[0].messages[-2].text.strip().splitlines()[-1]
        page.until(lambda: last[:40] in shown(page))
        severe = [one for one in page.console() if one["level"] == "SEVERE"]
        assert [one for one in severe if "favicon" not in one["message"]] == []
