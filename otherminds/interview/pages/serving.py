"""Serving a study's pages from this machine."""

from __future__ import annotations

import logging
import os
import socket
from pathlib import Path
from typing import Final

from otherminds.errors import OtherMindsError
from otherminds.interview.database import needed
from otherminds.interview.pages.secret import TOKEN_FILE, VARIABLE, secret_of
from otherminds.interview.store import Store
from otherminds.interview.study_settings import StudyFile
from otherminds.types import Say

_STOPPING: Final = 20
"""Seconds that requests in progress get when the server is stopped."""


def serve(
    given: StudyFile,
    data: str,
    *,
    host: str,
    port: int,
    address: str | None,
    say: Say,
) -> None:
    """Serve a study until it is stopped; what is said to it is kept at every moment.

    address  where browsers find it, when a reverse proxy stands before it
    """
    needed("fastapi", "uvicorn")
    import uvicorn

    from otherminds.interview.pages.app import application
    from otherminds.interview.pages.site import Site

    _check_port(host, port)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    with Store(data, create=True) as store:
        folder = store.database.folder
        secret = secret_of(folder)
        seen_at = address or f"http://{host}:{port}"
        site = Site(store, given.config, given.study, secret, address=seen_at)
        say(f"People take part at      {seen_at}/")
        say(f"Researchers come in at   {seen_at}/researcher")
        say(f"Their token stands in    {_token_place(folder)}")
        for line in _remarks(given, host, address):
            say(line)
        # Addresses hold personal links: no line is written of a request.
        uvicorn.run(
            application(site),
            host=host,
            port=port,
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=_STOPPING,
        )


def _check_port(host: str, port: int) -> None:
    """Raise OtherMindsError where nothing can be served, before a study is opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        # As the server itself does: a port that was just left is free.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            raise OtherMindsError(
                f"Nothing can be served at {host}:{port} ({error.strerror}): choose another --port or "
                "--host, or end what is served there."
            ) from error


def _token_place(folder: Path | None) -> str:
    if folder is None or os.environ.get(VARIABLE):
        return f"the variable {VARIABLE}"
    return str(folder / TOKEN_FILE)


def _remarks(given: StudyFile, host: str, address: str | None) -> list[str]:
    found = []
    if not given.study.contact:
        found.append("• study: contact is empty: people should know whom to write to.")
    if given.config.parameters.model is None:
        found.append(
            "• No model reads the answers, but rules, which understand little: for trying out."
        )
    if host not in ("127.0.0.1", "localhost", "::1") and not (address or "").startswith("https:"):
        found.append(
            "• Others can reach this machine without TLS: see docs/how-to/study.md for a proxy."
        )
    return found
