"""Untrusted text and numbers, made fit to be shown."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

# Control characters, marks that change the direction of text, and halves of surrogate pairs: a reader
# cannot see them, and some make a text read as another one. `visible` in common.js is the same rule.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9]+")
NOTHING = "–"


def visible(text: object) -> str:
    """`text` with every invisible control character written as ⟨U+202E⟩."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", str(text))


def label(text: object, limit: int = 80) -> str:
    """`text` on one line, no longer than `limit` characters."""
    return cut(" ".join(visible(str(text)[: 4 * limit]).split()), limit)


def cut(text: str, limit: int) -> str:
    """The beginning of `text`; "…" at its end says that something was cut off."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def middle(text: object, limit: int) -> str:
    """`text` on one line with its middle cut out: long names of models differ at their ends."""
    line = label(text, 1000)
    if len(line) <= limit:
        return line
    end = (limit - 1) * 2 // 5
    return f"{line[: limit - 1 - end]}…{line[-end:]}"


def short_names(names: Sequence[str], limit: int) -> dict[str, str]:
    """Names with their middles cut out, by name. Two that are cut alike are numbered, never merged."""
    found: dict[str, str] = {}
    for one in names:
        short = name = middle(one, limit)
        number = 2
        while name in found.values():
            name, number = f"{short} ({number})", number + 1
        found[one] = name
    return found


def slug(text: object) -> str:
    """A part of a file name that is safe on every system."""
    return _NOT_IN_A_NAME.sub("-", str(text)[:60]).strip("-").lower() or "unnamed"


def number(value: float, digits: int) -> str:
    """`value` with a fixed number of decimals and a real minus sign; a dash for no value."""
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{value:.{digits}f}".replace("-", "−")


def digits(unit_max: float) -> int:
    """The decimals that a score deserves: 0.731 of 1, but 73.12 of 100."""
    return 2 if math.isfinite(unit_max) and unit_max >= 10 else 3


def spread(counts: list[int]) -> str:
    """One count, or the range of several: "356", "350–356"."""
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"
