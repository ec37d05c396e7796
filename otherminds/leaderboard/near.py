"""Answers that are another model's but for a few: found by how much more they agree than by chance.

Two accepted files of answers are compared item by item, by the answers of their first run:

M    items with the same answer
E    items that would have it if both answered at random, each as often as it does: Σ_s n_s·e_s with
     e_s = Σ_o p_s(o)·q_s(o), where a stratum s holds the n_s items of the same options and gold, and
     p_s(o) and q_s(o) are the shares of its items that the one and the other answers with o
κ    (M - E) / (N - E), agreement beyond that: Cohen's (1960) kappa, stratified
ω    (M - E) / sqrt( Σ_s n_s·e_s·(1 - e_s) ), which is about standard normal for independent answers

The strata keep what honest models share out of it: being right, and a liking for a letter or a number.
ω follows the statistics that find copied examinations (Frary, Tideman and Watts 1977; Wollack 1997).
Models that were trained alike are far from independent, so a large ω alone says little; ω guards
against chance, and κ is what is judged. Of a copy with a share c of its answers changed, M is about
(1 - c)·N, so it is found as long as E/N is below about 1 - 4c: for c = 2 %, unless chance agreement is
above 92 %, as of two models that are right on 96 % of two-option items. Of such models nothing can be
told by their answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from otherminds.leaderboard import answers
from otherminds.leaderboard.earlier import Records
from otherminds.leaderboard.expected import Expected, UnavailableError, expected
from otherminds.leaderboard.reasons import RefusedError, finding
from otherminds.leaderboard.record import VERIFICATION, Finding, Submission, TaskRun

KAPPA = 0.75
"""Answers that agree at least so much are flagged. Of the published answers to HugAgent's human track,
those of two models reach 0.45, and those of one model asked twice 0.64 and 0.99."""

OMEGA = 5.0
"""What κ rests on must be so far from chance: one honest pair in three million is."""

_MOST = 3

Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Agreement:
    """How two files of answers agree; κ and ω are NaN where nothing could tell them apart."""

    n: int
    same: int
    by_chance: float
    kappa: float
    omega: float

    @property
    def is_improbable(self) -> bool:
        """Whether it is flagged."""
        return self.kappa >= KAPPA and self.omega >= OMEGA


def agreement(one: Codes, other: Codes, strata: Codes) -> Agreement:
    """How two models agree.

    one, other  shape (N,): their answers as numbers from 0
    strata      shape (N,): numbers from 0, equal for items of the same options and gold
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
    told = variance > 0 and n - by_chance > 0
    return Agreement(
        n=n,
        same=same,
        by_chance=by_chance,
        kappa=(same - by_chance) / (n - by_chance) if told else math.nan,
        omega=(same - by_chance) / math.sqrt(variance) if told else math.nan,
    )


def flags(
    folder: Path, submission: Submission, submissions: Path, others: Records
) -> Iterator[Finding]:
    """The tasks of a submission whose answers are nearly those of other models.

    folder       of the submission, whose files have been verified
    submissions  the folder with earlier ones. Where it holds records alone, as when one pull request is
                 verified, nothing is found: give it with the answers, as a pass over the board does
    others       their records

    At most three for a task, the nearest first. Answers to data that are not at hand, and to those of a
    season, whose golds are sealed, are not compared.
    """
    if submission.season is not None:
        return
    for run in submission.tasks:
        there = dict(_comparable(run, submission.model.name, submissions, others))
        if not there:
            continue
        try:
            asked = _Asked(expected(run.task, run.subset))
        except UnavailableError:
            continue
        ours = asked.read(folder / run.answers)
        found = []
        for name in there:
            theirs = asked.read(submissions / name / run.answers)
            shared = (ours >= 0) & (theirs >= 0)
            found.append((name, agreement(ours[shared], theirs[shared], asked.strata[shared])))
        near = [one for one in found if one[1].is_improbable]
        for name, how in sorted(near, key=lambda one: (-one[1].kappa, one[0]))[:_MOST]:
            yield finding(
                "near-duplicate",
                f"{run.task}: {how.same} of {how.n} answers are those of {there[name]} in {name}; "
                f"independent ones would share {how.by_chance:.0f} (kappa {how.kappa:.3f}).",
            )


def _comparable(
    run: TaskRun, model: str, submissions: Path, others: Records
) -> Iterator[tuple[str, str]]:
    """The ids and models of accepted submissions with answers by other models to the same data."""
    for name, other in others.items():
        folder = submissions / name
        accepted = (folder / VERIFICATION).is_file() and (folder / run.answers).is_file()
        if not accepted or other.model.name == model or other.season is not None:
            continue
        for theirs in other.tasks:
            if (theirs.task, theirs.data_version) == (run.task, run.data_version):
                yield name, other.model.name


class _Asked:
    """What a task asks, as numbers: the strata of its items, and files of answers."""

    def __init__(self, known: Expected) -> None:
        self._places = {item: place for place, item in enumerate(known.documents)}
        kinds: dict[tuple[object, ...], int] = {}
        views = [document.view for document in known.documents.values()]
        keys = [(view.options, view.gold) for view in views]
        self.strata = np.array([kinds.setdefault(key, len(kinds)) for key in keys])
        # Not to be read is an answer of its own.
        self._codes: dict[str | None, int] = {None: 0}

    def read(self, path: Path) -> Codes:
        """By item, the answer of the first run as a number; -1 where there is none."""
        codes = np.full(len(self._places), -1)
        try:
            found = answers.table(path, ("item_id", "run", "parsed"))
        except RefusedError:
            return codes
        columns: Sequence[list[str | int | None]] = [column.to_pylist() for column in found]
        for item, run, parsed in zip(*columns, strict=True):
            place = self._places.get(str(item), -1)
            if run == 0 and place >= 0:
                text = None if parsed is None else str(parsed)
                codes[place] = self._codes.setdefault(text, len(self._codes))
        return codes
