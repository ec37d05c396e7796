"""Reading what annotators sent back; the first thing that is wrong is an error that names its row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from otherminds.errors import OtherMindsError
from otherminds.filled import Row, rows
from otherminds.interview.annotation import sheets
from otherminds.interview.annotation.sheets import MISSING, NEEDED, RETURNED, SIGNS, Interview
from otherminds.sheets import quoted

_MISSING: Final = re.compile(
    r"(?P<source>.{1,200}?)\s*(?:->|→)\s*(?P<target>.{1,200}?)\s*[,;]\s*(?P<sign>raises|lowers)\s*[,;]"
    r"\s*(?P<sure>[01](?:[.,]\d{1,3})?)"
)


@dataclass(frozen=True)
class Added:
    """A link that an annotator misses."""

    annotator: str
    interview: str
    source: str
    target: str
    sign: int
    sure: float


@dataclass(frozen=True)
class Labels:
    """What came back.

    soft   by row and annotator: how sure they are
    signs  by row of a link and annotator: which way it is
    added  links that they miss
    """

    interviews: Sequence[Interview]
    soft: Mapping[tuple[str, str], float]
    signs: Mapping[tuple[str, str], int]
    added: Sequence[Added]

    @property
    def annotators(self) -> list[str]:
        """Who sent something back."""
        return sorted({name for _, name in self.soft})


def read(folder: Path) -> Labels:
    """All tables in the folder `returned`; empty cells are missing, and deleted people left out."""
    interviews = sheets.read_key(folder)
    whose = {one.row: one for one in interviews}
    judged = {one.row for interview in interviews for one in interview.judged}
    found = sorted(path for path in (folder / RETURNED).glob("*.csv") if path.name[0] not in ".~")
    if not found:
        raise OtherMindsError(
            f"There is no .csv file in {folder / RETURNED}: put the tables there that were sent back."
        )
    soft: dict[tuple[str, str], float] = {}
    signs: dict[tuple[str, str], int] = {}
    added: list[Added] = []
    seen: set[tuple[str, str]] = set()
    for path in found:
        for row in rows(path, NEEDED):
            name, value = row.cells["row"], row.cells["value"].strip()
            who = row.cells["annotator"]
            interview = whose.get(name.partition(".")[0])
            if interview is None or not value:
                continue
            if row.cells["study"] != interview.study or who not in interview.annotators:
                raise OtherMindsError(
                    f"{row.place}: this row was not given to annotator {quoted(who)} of this study."
                )
            if (name, who) in seen:
                raise OtherMindsError(
                    f"{row.place}: {name} of {who} came already; keep one of the two."
                )
            seen.add((name, who))
            if name.endswith(".sign"):
                signs[name.removesuffix(".sign"), who] = _sign(row, value)
            elif name.endswith(f".{MISSING}"):
                added += _added(row, who, interview.row, value)
            elif name in judged:
                soft[name, who] = _soft(row, value)
    if not soft:
        raise OtherMindsError(f"Nothing is filled in in any table in {folder / RETURNED}.")
    return Labels(interviews, soft, signs, added)


def _soft(row: Row, value: str) -> float:
    plain = value.replace(",", ".")
    if not re.fullmatch(r"[01](\.\d{1,3})?", plain) or float(plain) > 1:
        raise OtherMindsError(f"{row.place}: {quoted(value)} is no number from 0 to 1.")
    return float(plain)


def _sign(row: Row, value: str) -> int:
    if value not in SIGNS:
        raise OtherMindsError(f"{row.place}: {quoted(value)} is none of {', '.join(SIGNS)}.")
    return SIGNS[value]


def _added(row: Row, who: str, interview: str, value: str) -> Iterator[Added]:
    for line in filter(None, map(str.strip, value.lstrip("'").splitlines())):
        found = _MISSING.fullmatch(line)
        if found is None:
            raise OtherMindsError(
                f"{row.place}: {quoted(line)} is not of the form “street noise -> sleep, lowers, 0.8”; "
                "correct it there, and read again."
            )
        sure = min(1.0, float(found["sure"].replace(",", ".")))
        sign = SIGNS[found["sign"]]
        yield Added(who, interview, found["source"], found["target"], sign, sure)
