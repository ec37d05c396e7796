"""What a form brought: its fields as text, checked before anything else looks at them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from otherminds.interview.pages.guard import BODY, RefusedError

_MOST_FIELDS: Final = 1000
_WHOLE: Final = re.compile(r"[0-9]{1,9}")


class Form(Mapping[str, str]):
    """The fields of a form; one that is not there is empty."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = dict(fields)

    def __getitem__(self, name: str) -> str:
        return self._fields.get(name, "")

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def starting(self, prefix: str) -> dict[str, str]:
        """Fields whose names begin so, by the rest of their names."""
        return {
            name.removeprefix(prefix): value
            for name, value in self._fields.items()
            if name.startswith(prefix)
        }

    def number(self, name: str, most: int) -> int | None:
        """A whole number from 0 to `most`; None for anything else."""
        value = self[name]
        return int(value) if _WHOLE.fullmatch(value) and int(value) <= most else None


def form_of(request: Request) -> Form:
    """The form of a request. Raises `RefusedError` for what no browser sends."""
    body: bytes = request.scope[BODY]
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            max_num_fields=_MOST_FIELDS,
            errors="strict",
        )
    except ValueError:
        raise RefusedError(400) from None
    # Forms send every line end as two characters.
    return Form({name: value.replace("\r\n", "\n") for name, value in pairs})


def is_line(text: str) -> bool:
    """Whether a text is one line that every database and table can hold."""
    return text.isprintable() and not any("\ud800" <= sign <= "\udfff" for sign in text)
