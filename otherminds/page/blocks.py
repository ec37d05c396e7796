"""Data inside the page: JSON, deflated, in base64, in elements that no browser executes.

The page reads one small index at once and everything long block by block, when it is looked at.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from otherminds.spool import Place, Spool

ROWS = 250
SIZE = 400_000
"""A block ends after so many entries or characters, so that a look at one entry unpacks little else."""


@dataclass(frozen=True)
class Block:
    """One inert element: its id in the page, and its base64 text."""

    id: str
    text: str


class Store:
    """A long list in blocks, which lie on disk and are read one by one.

    starts  the position of each block's first entry
    """

    def __init__(self) -> None:
        self.starts: list[int] = []
        self._spool = Spool()
        self._places: list[tuple[str, Place]] = []

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks in their order."""
        return (Block(name, self._spool.read(place)) for name, place in self._places)

    def add(self, name: str, start: int, entries: Sequence[Any]) -> None:
        """Add a block of entries, of which the first has the position `start`."""
        block = pack(f"{name}-{len(self.starts)}", entries)
        self.starts.append(start)
        self._places.append((block.id, self._spool.add(block.text)))


def pack(name: str, content: Any) -> Block:
    """One block. JSON in ASCII keeps NUL and unpaired surrogates, which UTF-8 or HTML would not."""
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return Block(name, base64.b64encode(zlib.compress(text.encode("ascii"), 6)).decode("ascii"))


def store(name: str, entries: Iterable[tuple[Any, int]]) -> Store:
    """Entries, each with its number of characters, in blocks named `name-0`, `name-1`, …"""
    found = Store()
    held: list[Any] = []
    size = start = 0
    for position, (entry, length) in enumerate(entries):
        if held and (len(held) >= ROWS or size + length > SIZE):
            found.add(name, start, held)
            held, size = [], 0
        if not held:
            start = position
        held.append(entry)
        size += length
    if held:
        found.add(name, start, held)
    return found


def codes(values: Iterable[str]) -> dict[str, Any]:
    """A column of repeated texts: the distinct ones, and for each row which it is."""
    found: dict[str, int] = {}
    numbers = [found.setdefault(value, len(found)) for value in values]
    return {"values": list(found), "codes": numbers}
