"""What was missing, left out or read otherwise when data of others were read."""

from __future__ import annotations

from collections import Counter


class Remarks:
    """Findings by kind, each with the first place where it was made.

    A finding is something that a reader of scores must know and that makes none of them wrong: a file
    that is missing, a record that cannot be scored and is left out, an item without an interview.

    foreign  whether items or people have other ids here than in the release
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self.foreign = False

    def add(self, finding: str, where: str = "") -> None:
        """Note one case of a finding; `where` is the file and line or the item."""
        self._counts[finding] += 1
        self._first.setdefault(finding, where)

    def __bool__(self) -> bool:
        return bool(self._counts)

    def lines(self) -> list[str]:
        """The findings in the order in which they were first made, with their counts."""
        return [self._line(finding, count) for finding, count in self._counts.items()]

    def _line(self, finding: str, count: int) -> str:
        first = self._first[finding]
        if not first:
            return finding
        return f"{finding}: {count:,} (at first {first})"


def noted(remarks: Remarks | None, finding: str, where: str) -> None:
    """Note a finding, or raise it as ValueError where nobody keeps remarks."""
    if remarks is None:
        raise ValueError(f"{where}: {finding}.")
    remarks.add(finding, where)
