"""The researchers' token, and what is signed with it."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from pathlib import Path
from typing import Final

from otherminds.errors import OtherMindsError
from otherminds.interview.private_files import write_private

VARIABLE: Final = "OTHERMINDS_STUDY_TOKEN"
TOKEN_FILE: Final = "researcher.token"
_LEAST: Final = 24
_VISIT_SECONDS: Final = 12 * 3600
_VISIT: Final = re.compile(r"(\d{1,12})\.([0-9a-f]{16})\.([0-9a-f]{64})")


class Secret:
    """The token by which researchers come in; it also signs visits and forms.

    Nothing signed is kept, so that a restart of the server logs nobody out.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._key = hmac.new(self._token, b"sign what the pages give out", hashlib.sha256).digest()

    def is_token(self, given: str) -> bool:
        """Whether this is the token; in the same time, whatever is wrong with it."""
        return hmac.compare_digest(self._token, given.strip().encode("utf-8", "replace"))

    def visit(self) -> str:
        """The cookie of a researcher who came in."""
        until = f"{int(time.time()) + _VISIT_SECONDS}.{secrets.token_hex(8)}"
        return f"{until}.{self._signed('visit', until)}"

    def is_visit(self, cookie: str) -> bool:
        """Whether a cookie is a visit that is not over."""
        found = _VISIT.fullmatch(cookie)
        if found is None or int(found[1]) < time.time():
            return False
        return hmac.compare_digest(found[3], self._signed("visit", f"{found[1]}.{found[2]}"))

    def form(self, whose: str) -> str:
        """What a form carries so that no other site can send it for this person or visit."""
        return self._signed("form", whose)

    def is_form(self, whose: str, given: str) -> bool:
        """Whether a form came from a page of this person or visit."""
        return hmac.compare_digest(self.form(whose).encode(), given.encode("utf-8", "replace"))

    def share(self, whose: str) -> float:
        """A number from 0 to 1 that belongs to a name, and that nobody can foresee."""
        return int(self._signed("share", whose)[:12], 16) / 16**12

    def _signed(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what}\0{text}".encode(), hashlib.sha256).hexdigest()


def secret_of(folder: Path | None) -> Secret:
    """The token in $OTHERMINDS_STUDY_TOKEN, or else in the study's folder, made where there is none.

    Raises OtherMindsError for a token that could be guessed, and where there is no folder for one.
    """
    if given := os.environ.get(VARIABLE, "").strip():
        if len(given) < _LEAST:
            raise OtherMindsError(
                f"{VARIABLE} has {len(given)} characters; give at least {_LEAST} that nobody guesses: "
                "`openssl rand -hex 32` prints some."
            )
        return Secret(given)
    if folder is None:
        raise OtherMindsError(
            f"A study on a server needs the researchers' token: set {VARIABLE} to it."
        )
    path = folder / TOKEN_FILE
    if not path.is_file():
        write_private(path, secrets.token_urlsafe(32).encode())
    return Secret(path.read_text(encoding="utf-8").strip())
