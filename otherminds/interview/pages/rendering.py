"""Pages from templates: every text is escaped, and no template marks any as safe."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from otherminds.page.text import visible

_PACKAGE: Final = "otherminds.interview.pages"

STATIC: Final = {
    "study.css": "text/css",
    "researcher.css": "text/css",
    "participant.js": "text/javascript",
    "researcher.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
"""The files that pages load, all of them from this server."""


class Pages:
    """Renders templates; `common` is what all of them may use."""

    def __init__(self, **common: Any) -> None:
        self._environment = Environment(
            loader=PackageLoader(_PACKAGE, "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["visible"] = visible
        self._environment.globals.update(common)

    def text(self, name: str, **values: Any) -> str:
        """A page as text."""
        return self._environment.get_template(f"{name}.html.jinja").render(values)

    def response(self, name: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page as a response."""
        return HTMLResponse(self.text(name, **values), status_code=status)


def asset(name: str) -> bytes:
    """A file of `STATIC`."""
    return files(_PACKAGE).joinpath("assets", name).read_bytes()
