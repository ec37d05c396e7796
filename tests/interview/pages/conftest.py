"""The browser of the pages' tests, and a study on a socket of this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from otherminds.interview.config import Config
from otherminds.interview.pages.app import application
from otherminds.interview.pages.rates import Rates
from otherminds.interview.pages.secret import secret_of
from otherminds.interview.pages.site import Site
from otherminds.interview.store import Store
from otherminds.interview.study_settings import Study
from tests.engine.page.conftest import PATIENCE, Page, chromium
from tests.interview.pages import study as pages


class Served:
    """A study that a browser reaches; it can be stopped and started again at the same address."""

    def __init__(self, folder: Path, config: Config, study: Study) -> None:
        self.folder = folder
        self._config, self._study = config, study
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve, as after a restart of the machine."""
        self.store = Store(self.folder, create=True)
        self.site = Site(
            self.store, self._config, self._study, secret_of(self.folder), address=self.address
        )
        config = uvicorn.Config(
            application(self.site, rates=Rates()),
            host="127.0.0.1",
            port=self.port,
            log_level="critical",
            access_log=False,
            timeout_graceful_shutdown=5,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        waiting = threading.Event()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            waiting.wait(0.02)

    def stop(self) -> None:
        """End the server, with whoever is on it."""
        assert self._server is not None
        assert self._thread is not None
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self.store.database.close()


@contextmanager
def served(
    folder: Path, *, config: Config | None = None, study: Study | None = None
) -> Iterator[Served]:
    """A study on a socket."""
    given = study or Study(completion_code=pages.CODE, contact="lab@example.org")
    opened = Served(folder, config or pages.config(), given)
    opened.start()
    try:
        yield opened
    finally:
        opened.stop()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture
def page(driver: Any) -> Iterator[Page]:
    """The browser, as somebody who was never here."""
    driver.get("about:blank")
    opened = Page(driver)
    opened.console()
    opened.requests()
    yield opened
    driver.delete_all_cookies()
