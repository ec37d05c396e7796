"""lm-eval's hashes of many documents, faster than lm-eval's own function.

`json.dumps` with an indent runs in Python, value by value, and a task has ten million of them. This
writes the same bytes; values without a rule here are left to lm-eval's function.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from otherminds import harness

_quoted = json.encoder.encode_basestring


class _UnknownError(Exception):
    """A value that is none of JSON's own."""


class Hasher:
    """`harness.doc_hash` of one document after another; parts that documents share are written once.

    A document must not be changed in place between calls: parts are known again by their identity.
    """

    def __init__(self) -> None:
        # The value is kept, so that its identity stays its own.
        self._last: dict[str, tuple[object, str]] = {}

    def hash(self, doc: Mapping[str, Any]) -> str:
        """As lm-eval states it in sample files."""
        try:
            fields = [f"{_key(name)}: {self._field(name, value)}" for name, value in doc.items()]
        except _UnknownError:
            return harness.doc_hash(doc)
        return hashlib.sha256(_enclosed("{", fields, "}", "\n").encode()).hexdigest()

    def _field(self, name: str, value: object) -> str:
        last = self._last.get(name)
        if last is None or last[0] is not value:
            last = self._last[name] = (value, _text(value, "\n  "))
        return last[1]


def _text(value: object, pad: str) -> str:
    """A value as `json.dumps` writes it with an indent of two; `pad` begins the line it ends on."""
    if type(value) is str:
        return str(_quoted(value))
    inner = f"{pad}  "
    if isinstance(value, list):
        return _enclosed("[", [_text(one, inner) for one in value], "]", pad)
    if isinstance(value, dict):
        parts = [
            # Most values are texts, and a call for each would be a third of all time.
            f"{_key(name)}: {_quoted(one) if type(one) is str else _text(one, inner)}"
            for name, one in value.items()
        ]
        return _enclosed("{", parts, "}", pad)
    if value is None or type(value) in (bool, int, float):
        return json.dumps(value)
    raise _UnknownError


def _enclosed(start: str, parts: list[str], end: str, pad: str) -> str:
    inner = f"{pad}  "
    return f"{start}{inner}{f',{inner}'.join(parts)}{pad}{end}" if parts else f"{start}{end}"


def _key(name: object) -> str:
    if type(name) is not str:
        raise _UnknownError
    return str(_quoted(name))
