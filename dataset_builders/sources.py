"""What builders that read a source share: error, progress and funnel of a build, and remarks."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from otherminds.types import Progress, Thousandths

TOTAL = Thousandths(1_000)
"""The whole of a build, in the units of its progress."""


_Item = TypeVar("_Item")


class SourceError(ValueError):
    """A source cannot be read, or a package needed to read it is missing.

    The message is one line that says what is wrong and what to do, whatever it quotes.
    """

    def __init__(self, said: str) -> None:
        super().__init__(said.replace("\r", "\\r").replace("\n", "\\n"))


MOST_BYTES = 4 * 2**30
"""What a compressed table may unpack to: hundreds of times the largest that was published."""


def check_unpacked(path: Path, most: int = MOST_BYTES) -> None:
    """Raise SourceError for a gzip file that is damaged, or unpacks to more than `most` bytes."""
    if path.suffix != ".gz":
        return
    total = 0
    try:
        with gzip.open(path) as file:
            while part := file.read(2**20):
                total += len(part)
                if total > most:
                    raise SourceError(
                        f"{path} unpacks to more than {most / 2**30:.0f} GiB, which no table of these "
                        "data does. Unpack it yourself if it is meant."
                    )
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} is damaged: {error}. Get it again.") from error


@dataclass(frozen=True)
class Step:
    """One step: its name, the counts after it, why it dropped what it dropped, and the paper's counts.

    counts    unit ("debates", "users", "beliefs", "known", "test", …) to how many are left
    dropped   reason to how many went for it
    paper     unit to the number in the paper, for those that it gives
    """

    name: str
    counts: Mapping[str, int]
    dropped: Mapping[str, int] = field(default_factory=dict)
    paper: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The step as plain data, reasons by falling count."""
        reasons = sorted(self.dropped.items(), key=lambda pair: (-pair[1], pair[0]))
        return {
            "name": self.name,
            "counts": dict(self.counts),
            "dropped": {reason: count for reason, count in reasons if count},
            "paper": dict(self.paper),
        }


def lines(funnel: list[Step]) -> list[str]:
    """The funnel for people: one line per step, one more per reason."""
    found = []
    for step in funnel:
        record = step.as_json()
        counts = ", ".join(
            f"{count:,} {unit}" + (f" (paper {step.paper[unit]:,})" if unit in step.paper else "")
            for unit, count in record["counts"].items()
        )
        found.append(f"{step.name}: {counts}")
        found += [f"  − {count:,} {reason}" for reason, count in record["dropped"].items()]
    return found


@dataclass(frozen=True)
class Built:
    """What a builder made of a source: the items, and how many were left after each step.

    table         the rows of the default configuration
    also          the rows of the others, by name
    construction  of texts that somebody wrote inside frames, how they came about (`constructed`)
    """

    table: pa.Table
    funnel: list[Step]
    also: Mapping[str, pa.Table] = field(default_factory=dict, kw_only=True)
    construction: Mapping[str, Any] | None = field(default=None, kw_only=True)


class Stretch:
    """A part of a whole build's progress, which itself has a beginning and an end."""

    def __init__(self, progress: Progress | None, start: int = 0, end: int = TOTAL) -> None:
        self._progress, self._start, self._end = progress, start, end
        self._told = -1

    def part(self, start: int, end: int) -> Stretch:
        """The stretch from `start` to `end`, in thousandths of the whole build."""
        return Stretch(self._progress, start, end)

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` of this stretch are done."""
        share = min(done, total) / total if total else 1.0
        now = self._start + int(share * (self._end - self._start))
        if self._progress is not None and now != self._told:
            self._told = now
            self._progress(now, TOTAL)

    def through(self, items: Iterable[_Item], total: int) -> Iterator[_Item]:
        """The items, telling after each that it is done."""
        for done, item in enumerate(items, start=1):
            yield item
            self(done, total)
        self(total, total)


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
