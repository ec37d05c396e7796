"""What stands before every page: how much, how often and from where; and what a browser may do."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from otherminds.errors import OtherMindsError
from otherminds.interview.pages.rates import Rates

LOG: Final = logging.getLogger("otherminds.interview.pages")

BODY: Final = "otherminds.body"
"""Where a request keeps what was sent."""

MOST_BYTES: Final = 96 * 1024
"""Of an answer: 5,000 characters, each in twelve bytes of a form, and some more."""

MOST_BYTES_OF_ALL: Final = 4 * 1024 * 1024
"""Of a page with all answers of an interview."""

_FORM: Final = "application/x-www-form-urlencoded"
_SLOWEST: Final = 60.0
"""Seconds in which a request must have been sent."""

HEADERS: Final = {
    # Nothing but this server's own files runs, loads or is asked; nobody frames the pages.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    # What was said is on no disk but the study's; and the back button asks the server where one is.
    "cache-control": "no-store",
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Told = Callable[[int], bytes]


class RefusedError(Exception):
    """A request that is not looked at."""

    def __init__(self, status: int) -> None:
        self.status = status


class Guard:
    """The pages behind the guard.

    told  the page that says, to a person, why a request with this status failed
    """

    def __init__(self, app: Any, *, told: Told, rates: Rates) -> None:
        self._app = app
        self._told = told
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = False

        async def sending(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                message = {**message, "headers": _headers(message["headers"])}
            await send(message)

        status = 500
        try:
            scope[BODY] = await self._body(scope, receive)
            await self._app(scope, _nothing_more, sending)
            return
        except RefusedError as refused:
            status = refused.status
        except OtherMindsError as error:
            # A full disk, a lock: the person's text is still on their page.
            LOG.error("A request failed: %s", type(error).__name__)
            status = 503
        except Exception as error:
            LOG.error("A request failed: %s", _place(error))
        if not began:
            await _respond(sending, status, self._told(status))

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        path: str = scope["path"]
        method: str = scope["method"]
        if not self._rates.allows(_who(scope), path, method):
            raise RefusedError(429)
        if method in ("GET", "HEAD"):
            return b""
        if method != "POST":
            raise RefusedError(405)
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        if not _is_own(headers):
            raise RefusedError(403)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
            raise RefusedError(415)
        most = MOST_BYTES_OF_ALL if path.endswith("/review") else MOST_BYTES
        given = headers.get("content-length", "0")
        if not given.isdecimal() or int(given) > most:
            raise RefusedError(413)
        try:
            async with asyncio.timeout(_SLOWEST):
                return await _read(receive, most)
        except TimeoutError:
            raise RefusedError(408) from None


async def _read(receive: Receive, most: int) -> bytes:
    parts = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedError(400)
        parts += message.get("body", b"")
        if len(parts) > most:
            raise RefusedError(413)
        if not message.get("more_body", False):
            return bytes(parts)


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _is_own(headers: dict[str, str]) -> bool:
    """Whether a form was sent by a page of this server, as far as the browser tells."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""


def _who(scope: Scope) -> str:
    """Whose requests are counted together: those of a personal link, or else of an address."""
    parts = scope["path"].split("/")
    if len(parts) > 2 and parts[1] == "p":
        return hashlib.sha256(parts[2].encode("utf-8", "surrogatepass")).hexdigest()
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def _headers(given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    there = {name.lower() for name, _ in given}
    more = [
        (name.encode(), value.encode())
        for name, value in HEADERS.items()
        if name.encode() not in there
    ]
    return [*given, *more]


async def _respond(send: Send, status: int, page: bytes) -> None:
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(page)).encode()),
    ]
    if status == 429:
        headers.append((b"retry-after", b"10"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": page})


def _place(error: BaseException) -> str:
    """The kind of an error and where it arose; its words may hold what a person said."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
