"""JSON as models write it: with line breaks in texts, and with commas before a closing bracket."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

_MOST_COMMAS = 200
_NEAR = 1_000


class LenientDecoder:
    """Decodes values within a text, passing over commas that stand before a closing bracket.

    Of such commas 200 are passed over in all, so that reading stays bounded; the next is an error.
    """

    def __init__(
        self,
        hook: Callable[[list[tuple[str, Any]]], Any],
        *,
        parse_int: Callable[[str], Any] | None = None,
    ) -> None:
        # Not strict: a text of several lines is often written with its line breaks as they are.
        self._decoder = json.JSONDecoder(object_pairs_hook=hook, parse_int=parse_int, strict=False)
        self._left = _MOST_COMMAS

    def decode(self, text: str, position: int) -> tuple[Any, int]:
        """The value that begins at `position`, and where it ends.

        Raises as `json.JSONDecoder.raw_decode` does: ValueError or RecursionError.
        """
        while True:
            try:
                return self._decoder.raw_decode(text, position)
            except json.JSONDecodeError as error:
                comma = _trailing_comma(text, error.pos)
                if comma is None or self._left == 0:
                    raise
                self._left -= 1
                # As long as before, so that places stay what they are.
                text = f"{text[:comma]} {text[comma + 1 :]}"


def _trailing_comma(text: str, position: int) -> int | None:
    """Where the comma stands that was the error at `position`; None where it was another."""
    before = text[max(0, position - _NEAR) : position]
    after = text[position : position + _NEAR]
    if after.startswith(","):
        before, after = f"{before},", after[1:]
    stripped = before.rstrip()
    if not stripped.endswith(",") or stripped[:-1].rstrip()[-1:] in ("[", "{", ","):
        return None
    if after.lstrip()[:1] not in ("}", "]"):
        return None
    return max(0, position - _NEAR) + len(stripped) - 1
