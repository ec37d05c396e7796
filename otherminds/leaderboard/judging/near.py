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
is about (1 - c)·N, so κ finds it as long as E/N is below about 1 - 4c: for c = 2 %, unless chance
agreement is above 92 %, as of two models that are right on 96 % of two-option items.

Where much is right, most agreement is of right answers, and κ sees little. So the wrong answers are
judged by themselves too: see `shared_errors`. A pair is flagged for either.

While golds are sealed, strata are of the same options alone, so that models agree by being right too:
only a κ of `SEALED_KAPPA` is flagged then. With the golds, the same answers are judged as all others.

Options are compared by their place. Where few items have the same ones, as questions with texts of their
own, items with as many options (and the gold at the same place) make up a stratum.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from otherminds.leaderboard.judging.earlier import Records
from otherminds.leaderboard.judging.expected import Document, Expected
from otherminds.leaderboard.judging.shared_errors import Codes, SharedErrors, shared_errors
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

_FEWEST_IN_STRATUM = 10
"""Items; smaller strata are pooled by the number of options and the place of the gold."""

_NO_PLACE = -2


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


@dataclass(frozen=True)
class Likeness:
    """How the answers of two models are like each other.

    agreement  of the two runs that agree best
    errors     of the two runs that share the largest part of their wrong answers; None while golds are
               sealed
    """

    agreement: Agreement
    errors: SharedErrors | None = None

    @property
    def is_improbable(self) -> bool:
        """Whether it is flagged."""
        if self.errors is None:
            return self.agreement.is_above(SEALED_KAPPA)
        return self.agreement.is_improbable or self.errors.is_improbable

    @property
    def is_same(self) -> bool:
        """Whether a run of the one has the answers of a run of the other, and not all are one answer."""
        return self.agreement.same == self.agreement.n and not math.isnan(self.agreement.kappa)

    @property
    def nearness(self) -> float:
        """What orders likenesses: the larger of κ and the share of the wrong answers."""
        found = [self.agreement.kappa]
        if self.errors is not None and self.errors.is_improbable:
            found.append(self.errors.share)
        return max((one for one in found if not math.isnan(one)), default=-1.0)


def likeness(one: Codes, other: Codes, strata: Codes, golds: Codes | None) -> Likeness | None:
    """How the two files of answers are like each other, for each run of the one with its nearest.

    one, other  shape (R, N) and (S, N): answers by run, -1 where there is none
    strata      as of `agreement`
    golds       as of `shared_errors`; None while they are sealed
    None where no item is answered by both.
    """
    shared = (one >= 0).all(axis=0) & (other >= 0).all(axis=0)
    if not shared.any():
        return None
    ours, theirs = (_with_majority(codes[:, shared]) for codes in (one, other))
    same = np.zeros((len(ours), len(theirs)))
    for code in np.intersect1d(ours, theirs):
        same += (ours == code).astype(np.float32) @ (theirs == code).astype(np.float32).T
    pairs = [
        (run, theirs[int(nearest)]) for run, nearest in zip(ours, same.argmax(axis=1), strict=True)
    ]
    agreements = [agreement(*pair, strata[shared]) for pair in pairs]
    closest = max(agreements, key=lambda how: _known(how.kappa))
    if golds is None:
        return Likeness(closest)
    errors = [shared_errors(*pair, strata[shared], golds[shared]) for pair in pairs]
    return Likeness(closest, max(errors, key=lambda how: (how.is_improbable, _known(how.share))))


def _known(number: float) -> float:
    return -1.0 if math.isnan(number) else number


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
    """A task's items, as numbers: their strata, their golds, and files of answers.

    documents   of the task
    with_golds  whether items of one stratum have the same gold too; `golds` is None otherwise
    """

    def __init__(self, documents: Mapping[str, Document], *, with_golds: bool) -> None:
        self._numbers = {item: number for number, item in enumerate(documents)}
        known: dict[tuple[str, ...], dict[str | None, int]] = {}
        self._places: list[dict[str | None, int]] = []
        for document in documents.values():
            texts = tuple(document.answers)
            if texts not in known:
                # Not to be read is an answer of its own.
                known[texts] = {None: 0} | {text: n for n, text in enumerate(texts, start=1)}
            self._places.append(known[texts])
        options = [document.view.options for document in documents.values()]
        golds = [
            places.get(document.view.gold, _NO_PLACE) if with_golds else 0
            for document, places in zip(documents.values(), self._places, strict=True)
        ]
        self.golds = np.array(golds) if with_golds else None
        self.strata = _strata(zip(options, golds, strict=True))

    def read(self, path: Path, repeats: int) -> Codes:
        """Shape (repeats, N): each run's answers by their places; 0 for none that could be read.

        -1 where nothing is said, as of all of a file that cannot be read.
        """
        codes = np.full((repeats, len(self._numbers)), -1)
        try:
            found = answers.table(path, ("item_id", "run", "parsed"))
        except RefusedError:
            return codes
        columns: Sequence[list[str | int | None]] = [column.to_pylist() for column in found]
        for item, run, parsed in zip(*columns, strict=True):
            number = self._numbers.get(str(item), -1)
            if number >= 0 and isinstance(run, int) and 0 <= run < repeats:
                text = None if parsed is None else str(parsed)
                codes[run, number] = self._places[number].get(text, 0)
        return codes


def _strata(keys: Iterable[tuple[tuple[object, ...], int]]) -> Codes:
    """Numbers from 0 of items, by options and gold; by how many options, where few are alike."""
    listed = list(keys)
    sizes = Counter(listed)
    numbers: dict[Hashable, int] = {}
    found = []
    for options, gold in listed:
        is_few = sizes[options, gold] < _FEWEST_IN_STRATUM
        key = (len(options) if is_few else options, gold)
        found.append(numbers.setdefault(key, len(numbers)))
    return np.array(found, dtype=np.intp)


@dataclass(frozen=True)
class Like:
    """Another submission to the same data, with answers that are like those of the one looked at."""

    name: str
    task: str
    other: Submission
    how: Likeness

    def __str__(self) -> str:
        """The likeness, in words."""
        agreed, errors = self.how.agreement, self.how.errors
        if errors is not None and errors.is_improbable:
            said = (
                f"{errors.same} wrong answers are those of {self._whose}; of at most {errors.top} "
                f"that both can have, independent models of these accuracies would share "
                f"{errors.by_chance:.1f} (share {errors.share:.3f})"
            )
        else:
            said = (
                f"{agreed.same} of {agreed.n} answers are those of {self._whose}; independent ones "
                f"would share {agreed.by_chance:.0f} (kappa {agreed.kappa:.3f})"
            )
        return f"{self.task}: {said}."

    @property
    def _whose(self) -> str:
        return f"{self.other.model.name} in {self.name} by {self.other.submitter}"


def alike(
    folder: Path, run: TaskRun, known: Expected, others: Mapping[str, tuple[Path, Submission]]
) -> list[Like]:
    """The submissions whose answers to a task are like those in a folder, or the same; nearest first.

    folder  of the submission, whose files have been verified
    known   the task on its data; sealed golds are not used
    others  by name, each with its folder; those without answers to the same data are not looked at
    """
    there = [
        (name, place / theirs.answers, theirs.repeats, other)
        for name, (place, other) in others.items()
        for theirs in other.tasks
        if (theirs.task, theirs.data_version) == (run.task, run.data_version)
        if (place / theirs.answers).is_file()
    ]
    if not there:
        return []
    coded = Coded(known.documents, with_golds=not known.is_sealed)
    ours = coded.read(folder / run.answers, run.repeats)
    found = []
    for name, path, repeats, other in there:
        how = likeness(ours, coded.read(path, repeats), coded.strata, coded.golds)
        if how is not None and (how.is_improbable or how.is_same):
            found.append(Like(name, run.task, other, how))
    return sorted(found, key=lambda one: (-one.how.nearness, one.name))[:_MOST]


def flags(
    folder: Path,
    submission: Submission,
    run: TaskRun,
    known: Expected,
    earlier: tuple[Path, Records],
) -> Iterator[Finding]:
    """Whether the answers to a task are nearly those of other submissions; at most three, nearest first.

    folder, known  as of `alike`
    earlier        the folder with earlier submissions, and their records. Where it holds records alone,
                   as when one pull request is verified, nothing is found: give it with the answers, as a
                   pass over the board does

    Compared are accepted submissions to the same data, or to the same season: of other models, and of
    the same by other submitters.
    """
    submissions, records = earlier
    whose = (submission.model.name, submission.submitter)
    others = {
        name: (submissions / name, other)
        for name, other in records.items()
        if (submissions / name / VERIFICATION).is_file()
        and (other.model.name, other.submitter) != whose
        and other.season == submission.season
    }
    for like in alike(folder, run, known, others):
        if like.how.is_improbable:
            yield finding("near-duplicate", str(like))
