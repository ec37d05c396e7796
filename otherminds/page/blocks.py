"""Data inside the page: JSON, deflated, in base64, in elements that no browser executes.

The page reads one small index at once and everything long block by block, when it is looked at.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

ROWS = 250
SIZE = 400_000
"""A block ends after so many entries or characters, so that a look at one entry unpacks little else."""


@dataclass(frozen=True)
class Block:
    """One inert element: its id in the page, and its base64 text."""

    id: str
    text: str


@dataclass(frozen=True)
class Store:
    """A long list in blocks; `starts` holds the position of each block's first entry."""

    starts: list[int]
    blocks: list[Block]


def pack(name: str, content: Any) -> Block:
    """One block. JSON in ASCII keeps NUL and unpaired surrogates, which UTF-8 or HTML would not."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return Block(name, base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii"))


def store(name: str, entries: Iterable[tuple[Any, int]]) -> Store:
    """Entries, each with its number of characters, in blocks named `name-0`, `name-1`, …"""
    starts: list[int] = []
    blocks: list[Block] = []
    held: list[Any] = []
    size = position = 0
    for position, (entry, length) in enumerate(entries):
        if held and (len(held) >= ROWS or size + length > SIZE):
            blocks.append(pack(f"{name}-{len(blocks)}", held))
            held, size = [], 0
        if not held:
            starts.append(position)
        held.append(entry)
        size += length
    if held:
        blocks.append(pack(f"{name}-{len(blocks)}", held))
    return Store(starts, blocks)


def codes(values: Sequence[str]) -> dict[str, Any]:
    """A column of repeated texts: the distinct ones, and for each row which it is."""
    found: dict[str, int] = {}
    numbers = [found.setdefault(value, len(found)) for value in values]
    return {"values": list(found), "codes": numbers}
