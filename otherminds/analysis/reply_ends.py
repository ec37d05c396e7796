"""Why replies ended, counted by sample file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from otherminds.samples.read import Sample


class ReplyEnds:
    """Counts the reasons that samples state of their replies."""

    def __init__(self) -> None:
        self._found: dict[Path, Counter[str]] = {}

    def __call__(self, path: Path, sample: Sample) -> None:
        """Count the replies of one sample; those of which nothing is said are left out."""
        known = [one for one in sample.reasons if one is not None]
        if known:
            self._found.setdefault(path, Counter()).update(known)

    def of(self, paths: Iterable[Path]) -> Counter[str]:
        """The reasons in some files; empty where these say none."""
        return sum((self._found.get(path, Counter()) for path in paths), Counter())
