"""The right answers of a submission by person and part: all that a board needs of its answers.

The verifier counts them when it has the answers open, and keeps them in `verification.json`, so that a
board of a thousand models reads no file of answers. Only data that may be shown have them: from the
sums of many submissions, golds that may not be shown could be worked out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from otherminds.leaderboard.judging.expected import Expected
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import VERIFICATION, Sums, TaskRun
from otherminds.metrics.uncertainty import Clusters, partition
from otherminds.scoring.base import Answered
from otherminds.types import IntArray

_COUNT = np.dtype("<u4")


@dataclass(frozen=True)
class Cells:
    """The items of a task by person and part: a cell holds the items of one person in one part.

    digest   a hash of which item belongs to whom and to which part
    people   G ids, sorted, and parts, sorted
    person   shape (C,): the place of each cell's person
    part     shape (C,): that of its part; cells are in order of part, then person
    of_item  shape (N,): the cell of each item
    counts   shape (C,): items in it
    """

    digest: str
    people: tuple[str, ...]
    parts: tuple[str, ...]
    person: IntArray
    part: IntArray
    of_item: IntArray
    counts: IntArray

    def totals(self, right: IntArray) -> IntArray:
        """The sums by cell, shape (C,), of numbers by item, shape (N,)."""
        return _whole(np.bincount(self.of_item, right, minlength=len(self.counts)))


# Submissions to one task list the same items, usually in the same order.
@lru_cache(maxsize=8)
def cells(items: tuple[str, ...], people: tuple[str, ...], parts: tuple[str, ...]) -> Cells:
    """The cells of a task's items; a person and a part for each item."""
    by_person: Clusters = partition(people)
    by_part: Clusters = partition(parts)
    codes = by_part.codes * by_person.count + by_person.codes
    found, of_item, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return Cells(
        digest=layout(items, people, parts),
        people=by_person.labels,
        parts=by_part.labels,
        person=found % by_person.count,
        part=found // by_person.count,
        of_item=_whole(of_item),
        counts=_whole(counts),
    )


def layout(items: Sequence[str], people: Sequence[str], parts: Sequence[str]) -> str:
    """A hash of which item belongs to whom and to which part, whatever their order."""
    digest = hashlib.sha256()
    for row in sorted(zip(items, people, parts, strict=True)):
        for text in row:
            digest.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return digest.hexdigest()


def of_records(records: Sequence[Answered], run: TaskRun, known: Expected) -> Sums | None:
    """The sums of a task's scored answers; None where they may not be shown."""
    if not known.is_open or known.in_season or known.is_sealed:
        return None
    views = [record.view() for record in records]
    own = cells(
        tuple(view.item_id for view in views),
        tuple(view.person for view in views),
        tuple(view.part for view in views),
    )
    right = own.totals(np.array([sum(view.correct) for view in views]))
    return Sums(
        answers_sha256=run.answers_sha256,
        task_version=known.rules.version,
        layout=own.digest,
        right=_packed(right),
    )


def read(kept: Sums, run: TaskRun, own: Cells) -> IntArray | None:
    """The right answers in each cell, shape (C,); None where the sums are not of these answers.

    run  the task as its record states it, with the version by whose rules it is scored now
    own  the cells of the task on its data
    """
    said = (kept.answers_sha256, kept.task_version, kept.layout)
    if said != (run.answers_sha256, run.task_version, own.digest):
        return None
    right = _unpacked(kept.right, len(own.counts))
    possible = right is not None and bool((right <= own.counts * run.repeats).all())
    return right if possible else None


def check(kept: IntArray, counted: IntArray, run: TaskRun) -> None:
    """Raise RefusedError where sums that were kept are not those that the answers give."""
    if not np.array_equal(kept, counted):
        said = f"{kept.sum():,} right answers in {VERIFICATION}, {counted.sum():,} in {run.answers}"
        raise RefusedError("sums-mismatch", f"{run.task}: {said}.")


def _packed(right: IntArray) -> str:
    return base64.b64encode(zlib.compress(right.astype(_COUNT).tobytes(), 9)).decode("ascii")


def _unpacked(text: str, n: int) -> IntArray | None:
    """n numbers from 0; None where the text is anything else."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(base64.b64decode(text, validate=True), n * _COUNT.itemsize + 1)
    except (binascii.Error, zlib.error, ValueError):
        return None
    whole = len(found) == n * _COUNT.itemsize and unpacking.eof
    return _whole(np.frombuffer(found, _COUNT)) if whole else None


def _whole(numbers: object) -> IntArray:
    return np.asarray(numbers).astype(np.intp)
