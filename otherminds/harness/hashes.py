"""lm-eval's hash of a document, to the byte, by an encoder in native code.

lm-eval hashes `json.dumps(doc, indent=2)`. The indent makes Python's encoder run in Python, which takes
a quarter of the time of a run whose model answers at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import orjson

_PLAIN = frozenset({str, int, bool, type(None)})
"""What `orjson` writes as the standard library does, or not at all."""

_REMEMBERED = 256
"""How many lists and mappings are remembered that both write alike: documents share evidence."""


def doc_hash(doc: Mapping[str, Any]) -> str:
    """lm-eval's hash of a document, as its sample files state it."""
    from lm_eval.utils import handle_non_serializable, hash_string

    return str(hash_string(Indented(handle_non_serializable)(doc)))


class Indented:
    """Called with a value: the text of `json.dumps(value, indent=2, default=…, ensure_ascii=False)`.

    `orjson` indents as the standard library does, but has other forms for some numbers (1e-05, NaN) and
    for what JSON does not have. Whether the two agree is seen without the indent, where the standard
    library is fast too; where they do not, the standard library writes.
    """

    def __init__(self, default: Callable[[Any], Any] | None = None) -> None:
        self._default = default
        self._alike: dict[int, Any] = {}

    def __call__(self, value: Any) -> str:
        """The text."""
        try:
            if type(value) is dict and all(map(self._is_alike, value.values())):
                return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
        except (TypeError, UnicodeEncodeError):
            # A key that is no text, an integer beyond 64 bits, half a character.
            pass
        return json.dumps(value, indent=2, default=self._default, ensure_ascii=False)

    def _is_alike(self, value: Any) -> bool:
        if type(value) in _PLAIN or id(value) in self._alike:
            return True
        text = json.dumps(
            value, default=self._default, ensure_ascii=False, separators=(",", ":")
        ).encode()
        if orjson.dumps(value) != text:
            return False
        if len(self._alike) == _REMEMBERED:
            self._alike.clear()
        # Held, so that no other value gets its id.
        self._alike[id(value)] = value
        return True
