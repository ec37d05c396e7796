"""The pages of a study as a web application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from otherminds.interview.pages import participants, researchers
from otherminds.interview.pages.guard import Guard, RefusedError
from otherminds.interview.pages.rates import Rates
from otherminds.interview.pages.rendering import STATIC, Pages, asset
from otherminds.interview.pages.researchers import NotInError
from otherminds.interview.pages.site import Site

TOLD: Final = {
    400: (
        "This cannot be read",
        "The request was cut off, or no page of ours sent it. Go back and try again.",
    ),
    403: (
        "This did not come from our page",
        "For your safety it was not taken. Go back, reload the page, and send it again.",
    ),
    404: (
        "There is no such page",
        "Check your personal link: it may be cut off, replaced by a newer one, or withdrawn.",
    ),
    405: ("There is no such page", "Use the links and buttons of the pages."),
    408: ("This took too long", "Go back and send it again; your text is still there."),
    413: ("This is too much at once", "Go back and shorten your text."),
    415: ("This cannot be read", "Use the links and buttons of the pages."),
    429: (
        "One moment, please",
        "Too much came at once. Wait some seconds, go back, and send it again.",
    ),
    500: (
        "Something went wrong here",
        "It is our fault. What you sent before is kept. Go back and try again.",
    ),
    503: (
        "This could not be saved",
        "Go back and send it again in a moment; your text is still there.",
    ),
}
"""What a page says when a request with this status is refused, or fails."""


def application(site: Site, *, rates: Rates | None = None) -> FastAPI:
    """The application of a study. The description of it that FastAPI could give is left out."""

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        site.interviewer.go_on()
        yield
        site.close()

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=running)
    app.include_router(participants.router(site))
    app.include_router(researchers.router(site))

    @app.get("/static/{name}")
    def static(name: str) -> Response:
        if name not in STATIC:
            raise RefusedError(404)
        headers = {"cache-control": "max-age=600"}
        return Response(asset(name), media_type=STATIC[name], headers=headers)

    @app.get("/robots.txt")
    def robots() -> Response:
        return Response("User-agent: *\nDisallow: /\n", media_type="text/plain")

    @app.exception_handler(NotInError)
    async def out(_: Request, error: Exception) -> Response:
        return RedirectResponse("/researcher/login", status_code=303)

    @app.exception_handler(RefusedError)
    async def refused(_: Request, error: Exception) -> Response:
        status = error.status if isinstance(error, RefusedError) else 500
        return Response(told(site.pages, status), status, media_type="text/html")

    @app.exception_handler(HTTPException)
    async def missing(_: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return Response(told(site.pages, status), status, media_type="text/html")

    app.add_middleware(Guard, told=lambda status: told(site.pages, status), rates=rates or Rates())
    return app


def told(pages: Pages, status: int) -> bytes:
    """The page that says why a request was refused."""
    title, text = TOLD.get(status, TOLD[500])
    return pages.text("told", title=title, text=text).encode()
