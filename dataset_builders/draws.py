"""Orders that look random and are the same on every machine and with every version of every library."""

from __future__ import annotations

import hashlib


def rank(seed: int, *parts: str) -> bytes:
    """Where `parts` stand in the random order of `seed`: sort by it."""
    return hashlib.sha256("\x00".join((str(seed), *parts)).encode()).digest()
