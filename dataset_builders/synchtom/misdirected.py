"""Criteria on the solution that reward what the user asks for, although that is the wrong thing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

# Read against all 126 criteria on the solution that speak of a request or an instruction: the others
# refute it, or ask that it be acknowledged.
_REWARDED: Final = re.compile(r"\bas requested\b", re.IGNORECASE)


def misdirected(criteria: Sequence[str]) -> list[int]:
    """The places, from 0, of criteria that are met by doing the wrong thing "as requested"."""
    return [place for place, text in enumerate(criteria) if _REWARDED.search(text)]


def digest(criterion: str) -> str:
    """The first 12 digits of the SHA-256 of a criterion, by which the manifest names it."""
    return hashlib.sha256(criterion.encode()).hexdigest()[:12]
