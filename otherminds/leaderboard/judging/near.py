"""Answers that are another model's but for a few: found by how much more they agree than by chance.

Two files of answers are compared item by item, by those two of their runs that agree best. The answer
that most runs give is a run too, so that a copy which is spread over repeats is found:

M    items with the same answer
E    items that would have it if both answered at random, each as often as it does: Σ_s n_s·e_s with
     e_s = Σ_o p_s(o)·q_s(o), where a stratum s holds the n_s items of the same options and gold, and
     p_s(o) and q_s(o) are the shares of its items that the one and the other answers with o
κ    (M - E) / (N - E), agreement beyond that: Cohen's (1960) kappa, stratified
ω    (M - E) / sqrt( Σ_s n_s·e_s·(1 - e_s) ), which is about standard normal for independent answers

The strata keep out the traits that honest models share: being right, and a liking for a letter or a
number. ω follows the statistics that find copied examinations (Frary, Tideman and Watts 1977;
Wollack 1997). Models that were trained alike are far from independent, so a large ω alone says
little; ω guards against chance, and κ is judged. Of a copy with a share c of its answers changed, M
is about (1 - c)·N, so it is found as long as E/N is below about 1 - 4c: for c = 2 %, unless chance
agreement is above 92 %, as of two models that are right on 96 % of two-option items. Of such models
nothing can be told by their answers.

While golds are sealed, strata are of the same options alone, so that models agree by being right too:
only a κ of `SEALED_KAPPA` is flagged then. With the golds, the same answers are judged as all others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherminds.leaderboard.judging.earlier import Records
from otherminds.leaderboard.judging.expected import Document, Expected
from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.reasons import RefusedError, finding
from otherminds.leaderboard.records.record import VERIFICATION, Finding, Submission, TaskRun

KAPPA = 0.75
"""Answers that agree at least so much are flagged. Of published answers to questions about 54 people
(arXiv:2510.15144), those of two models reach 0.45, and those of one model asked twice 0.64 and 0.99."""

SEALED_KAPPA = 0.95
"""The same without golds. Independent models reach it when both are right on 98 % of items or more."""

OMEGA = 5.0
"""The agreement behind κ must be so far from chance: one honest pair in three million is."""

_MOST = 3
_FEWEST_TO_VOTE = 3

Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Agreement:
    """How two files of answers agree; κ and ω are NaN where no answers could differ."""

    n: int
    same: int
    by_chance: float
    kappa: float
    omega: float

    @property
    def is_improbable(self) -> bool:
        """Whether it is flagged."""
        return self.is_above(KAPPA)

    def is_above(self, kappa: float) -> bool:
        """Whether it is flagged at another limit."""
        return self.kappa >= kappa and self.omega >= OMEGA


def agreement(one: Codes, other: Codes, strata: Codes) -> Agreement:
    """How two models agree.

    one, other  shape (N,): their answers as numbers from 0
    strata      shape (N,): numbers from 0, equal for items of the same options and, if known, gold
    """
    n = len(strata)
    width = 1 + int(max(one.max(initial=0), other.max(initial=0)))
    height = 1 + int(strata.max(initial=0))
    p, q = (
        np.bincount(strata * width + codes, minlength=height * width).reshape(height, width)
        for codes in (one, other)
    )
    sizes = p.sum(axis=1)
    both = np.divide((p * q).sum(axis=1), sizes**2, where=sizes > 0, out=np.zeros(height))
    by_chance = float((sizes * both).sum())
    variance = float((sizes * both * (1 - both)).sum())
    same = int(np.count_nonzero(one == other))
    measured = variance > 0 and n - by_chance > 0
    return Agreement(
        n=n,
        same=same,
        by_chance=by_chance,
        kappa=(same - by_chance) / (n - by_chance) if measured else math.nan,
        omega=(same - by_chance) / math.sqrt(variance) if measured else math.nan,
    )


def closest(one: Codes, other: Codes, strata: Codes) -> Agreement | None:
    """How the two runs agree that agree best, for each run of the one with its nearest of the other.

    one, other  shape (R, N) and (S, N): answers by run, -1 where there is none
    strata      as of `agreement`
    None where no item is answered by both.
    """
    shared = (one >= 0).all(axis=0) & (other >= 0).all(axis=0)
    if not shared.any():
        return None
    ours, theirs = (_with_majority(codes[:, shared]) for codes in (one, other))
    same = np.zeros((len(ours), len(theirs)))
    for code in np.intersect1d(ours, theirs):
        same += (ours == code).astype(np.float32) @ (theirs == code).astype(np.float32).T
    found = [
        agreement(run, theirs[int(nearest)], strata[shared])
        for run, nearest in zip(ours, same.argmax(axis=1), strict=True)
    ]
    return max(found, key=lambda how: -1.0 if math.isnan(how.kappa) else how.kappa)


def _with_majority(codes: Codes) -> Codes:
    """The runs, and the answer of most of them; of ties the smallest code."""
    if len(codes) < _FEWEST_TO_VOTE:
        return codes
    most, votes = np.zeros(codes.shape[1], dtype=codes.dtype), np.zeros(codes.shape[1], dtype=int)
    for code in np.unique(codes):
        own = (codes == code).sum(axis=0)
        most, votes = np.where(own > votes, code, most), np.maximum(votes, own)
    return np.vstack([codes, most])


class Coded:
    """A task's items, as numbers: their strata, and files of answers.

    documents   of the task
    with_golds  whether items of one stratum have the same gold too
    """

    def __init__(self, documents: Mapping[str, Document], *, with_golds: bool) -> None:
        self._places = {item: place for place, item in enumerate(documents)}
        kinds: dict[tuple[object, ...], int] = {}
        views = [document.view for document in documents.values()]
        keys = [(view.options, view.gold if with_golds else None) for view in views]
        self.strata = np.array([kinds.setdefault(key, len(kinds)) for key in keys])
        # Not to be read is an answer of its own.
        self._codes: dict[str | None, int] = {None: 0}

    def read(self, path: Path, repeats: int) -> Codes:
        """Shape (repeats, N): each run's answers as numbers; -1 where there is none."""
        codes = np.full((repeats, len(self._places)), -1)
        try:
            found = answers.table(path, ("item_id", "run", "parsed"))
        except RefusedError:
            return codes
        columns: Sequence[list[str | int | None]] = [column.to_pylist() for column in found]
        for item, run, parsed in zip(*columns, strict=True):
            place = self._places.get(str(item), -1)
            if place >= 0 and isinstance(run, int) and 0 <= run < repeats:
                text = None if parsed is None else str(parsed)
                codes[run, place] = self._codes.setdefault(text, len(self._codes))
        return codes


def flags(
    folder: Path,
    submission: Submission,
    run: TaskRun,
    known: Expected,
    earlier: tuple[Path, Records],
) -> Iterator[Finding]:
    """Whether the answers to a task are nearly those of other submissions; at most three, nearest first.

    folder   of the submission, whose files have been verified
    known    the task on its data; sealed golds are not used
    earlier  the folder with earlier submissions, and their records. Where it holds records alone, as
             when one pull request is verified, nothing is found: give it with the answers, as a pass
             over the board does

    Compared are accepted submissions to the same data, or to the same season: of other models, and of
    the same by other submitters.
    """
    submissions, others = earlier
    there = {
        name: theirs
        for name, other in others.items()
        if (submissions / name / VERIFICATION).is_file()
        for theirs in _comparable(submission, run, other)
        if (submissions / name / theirs.answers).is_file()
    }
    if not there:
        return
    coded = Coded(known.documents, with_golds=not known.is_sealed)
    ours = coded.read(folder / run.answers, run.repeats)
    near: list[tuple[str, Agreement]] = []
    for name, theirs in there.items():
        path = submissions / name / theirs.answers
        how = closest(ours, coded.read(path, theirs.repeats), coded.strata)
        if how is not None and how.is_above(SEALED_KAPPA if known.is_sealed else KAPPA):
            near.append((name, how))
    for name, how in sorted(near, key=lambda one: (-one[1].kappa, one[0]))[:_MOST]:
        yield finding("near-duplicate", describe(run.task, how, name, others[name]))


def describe(task: str, how: Agreement, name: str, other: Submission) -> str:
    """An improbable agreement with the submission `name`, in words."""
    return (
        f"{task}: {how.same} of {how.n} answers are those of {other.model.name} in {name} by "
        f"{other.submitter}; independent ones would share {how.by_chance:.0f} "
        f"(kappa {how.kappa:.3f})."
    )


def _comparable(ours: Submission, run: TaskRun, other: Submission) -> Iterator[TaskRun]:
    """The other's run of the task, where it is somebody else's of the same data."""
    same = (ours.model.name, ours.submitter) == (other.model.name, other.submitter)
    if same or ours.season != other.season:
        return
    for theirs in other.tasks:
        if (theirs.task, theirs.data_version) == (run.task, run.data_version):
            yield theirs
