"""The level `re-run`: an operator has run the model too, and found no other scores.

The operator's run and the submission's answer the same documents, so their difference is compared with
0, and not the operator's score with the submission's interval: most of that interval is which documents
there are, and a score that was lifted by a few points would lie in it. The remainder in a difference on
the same documents is how the model varies from run to run, by sampling or by hardware.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import Expected, expected
from otherminds.leaderboard.operating import late
from otherminds.leaderboard.records import answers, intake, limits, verifications
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import (
    Metric,
    Rerun,
    Submission,
    TaskRun,
    Verification,
    metrics_of,
)
from otherminds.leaderboard.sending import build
from otherminds.leaderboard.sending.build import Stated
from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.errors import MetricError
from otherminds.metrics.multiplicity import ALPHA, holm
from otherminds.metrics.permutation import SIGN_FLIPS
from otherminds.scoring.base import Answered, defined, of_metrics, plain

_SPARE = 10
"""How much smaller than 0.05 the smallest p must be, times the number of metrics."""

_SETTINGS = ("task_version", "data_version", "subset", "prompt_sha256", "chat_template_sha256")


def rerun(folder: Path, results: Sequence[str | Path], *, by: str, date: date) -> Verification:
    """The verification of an accepted submission, raised to `re-run`; nothing is written.

    results  sample files of the operator's own runs of the same model, or folders of them
    by       the operator

    Granted when no metric of any task differs: p ≥ 0.05 by the cluster swap test of
    `otherminds.metrics.comparison`, adjusted by Holm over all metrics of all tasks, so that an honest
    submission is refused once in twenty times at most. That is the paired form of "the interval of the
    difference contains 0", for several metrics at once; the intervals are kept in the verification. Of
    repeated runs, as many are compared as both have. Patterns are so many that a difference can be seen
    among any number of metrics.

    A task that was accepted as claimed, without its data, is first scored from its answers: its claims
    must be what these give. The day of acceptance stays.

    Raises OtherMindsError, naming the difference, where a task was not run or was run otherwise,
    and for runs that could not be submitted themselves.
    """
    try:
        record, verification = intake.read(folder, accepted=True), verifications.read(folder)
        with tempfile.TemporaryDirectory() as work:
            own_folder = build.build(results, _stated(record, by, date), Path(work))
            own = intake.read(own_folder)
            verification = _scored(folder, record, verification)
            swaps = _swaps(sum(len(verification.recomputed[run.task]) for run in record.tasks))
            found = {
                run.task: _differences(folder, verification.scored(run), own_folder, own, swaps)
                for run in record.tasks
            }
    except RefusedError as error:
        raise OtherMindsError(f"This cannot be compared: {error}") from error
    _check_none_differs(found)
    return verification.model_copy(
        update={
            "level": "re-run",
            "rerun": Rerun(
                by=by,
                date=date,
                differences={
                    task: metrics_of(plain({name: one.difference for name, one in pairs.items()}))
                    for task, pairs in found.items()
                },
            ),
        }
    )


def _stated(record: Submission, by: str, date: date) -> Stated:
    """The operator's run is of the model that the submission names."""
    model = record.model
    return Stated(
        name=model.name,
        submitter=by,
        date=date,
        revision=model.revision,
        weights_sha256=model.weights_sha256,
        parameters=model.parameters,
        dtype=model.dtype,
        # The operator knows what ran.
        reference=True,
    )


def _scored(folder: Path, record: Submission, verification: Verification) -> Verification:
    """With the scores of tasks that were accepted as claimed. Raises RefusedError for invented ones."""
    for run in record.tasks:
        if run.task not in verification.recomputed:
            known = expected(run.task, run.subset)
            rescore.check_stated(run, known.rules)
            rescore.check_data(run, known)
            found = late.scored(folder, run, known, as_claimed=True)
            verification = late.recorded(verification, record, run.task, found)
    return verification


def _swaps(metrics: int) -> int:
    """Patterns of the swap test: Holm multiplies the smallest p by the number of metrics."""
    return max(SIGN_FLIPS, math.ceil(_SPARE * metrics / ALPHA))


@dataclass(frozen=True)
class _Answers:
    """A task as one of the two has run it."""

    folder: Path
    run: TaskRun

    def records(self, known: Expected) -> list[Answered]:
        """Scored by the installed rules."""
        rows = answers.read(self.folder / self.run.answers, rows=limits.ROWS)
        rescore.check_digest(self.run, rows)
        return rescore.read(rows, self.run.repeats, known, is_marked=False)


def _differences(
    folder: Path, run: TaskRun, own_folder: Path, own: Submission, swaps: int
) -> Mapping[str, Difference]:
    """By metric, submission - operator's run."""
    mine = next((one for one in own.tasks if one.task == run.task), None)
    if mine is None:
        raise OtherMindsError(f"{run.task} was not run; the submission has it.")
    _check_run_alike(run, mine)
    known = expected(run.task, run.subset)
    rescore.check_data(run, known)
    fewest = min(run.repeats, mine.repeats)
    theirs, ours = (
        _first_runs(one.records(known), fewest)
        for one in (_Answers(folder, run), _Answers(own_folder, mine))
    )
    try:
        a, b = defined(theirs[0].sufficient(theirs)), defined(ours[0].sufficient(ours))
        both = [metric for metric in a.metrics if metric in b.metrics]
        return compare_pair(of_metrics(a, both), of_metrics(b, both), swaps=swaps)
    except MetricError as error:
        raise OtherMindsError(f"{run.task} cannot be compared: {error}") from error


def _check_run_alike(run: TaskRun, mine: TaskRun) -> None:
    for name in (*_SETTINGS, "decoding"):
        theirs, ours = getattr(run, name), getattr(mine, name)
        if theirs != ours:
            raise OtherMindsError(
                f"{run.task} was run otherwise: {name} is {ours!r}, and {theirs!r} in the submission."
            )


def _first_runs(records: list[Answered], fewest: int) -> list[Answered]:
    if len(records[0].view().answers) == fewest:
        return records
    return [record.with_answers(record.view().answers[:fewest]) for record in records]


def _check_none_differs(found: Mapping[str, Mapping[str, Difference]]) -> None:
    pairs = [(task, name, one) for task, own in found.items() for name, one in own.items()]
    adjusted = holm([one.p_value for _, _, one in pairs])
    for task, own in found.items():
        people = max((one.difference.n_clusters for one in own.values()), default=0)
        # Everybody's answers are exchanged or not, and either way counts for both.
        if len(pairs) * 2.0 ** (1 - people) >= ALPHA:
            raise OtherMindsError(
                f"{task} rests on {people} people, too few for any difference to be seen among "
                f"{len(pairs)} metrics: this cannot be a re-run."
            )
    apart = [
        f"{task} {name} is {one.a:.4g} in the submission and {one.b:.4g} in your run: {_interval(one)}"
        for (task, name, one), p in zip(pairs, adjusted, strict=True)
        if p < ALPHA
    ]
    if apart:
        raise OtherMindsError(f"The scores differ, so this is not a re-run: {'; '.join(apart)}.")


def _interval(one: Difference) -> str:
    found: Metric | None = metrics_of(plain({"it": one.difference})).get("it")
    if found is None or found.low is None or found.high is None:
        return f"difference {one.difference.value:.4g}"
    return f"difference {found.value:.4g} [{found.low:.4g}, {found.high:.4g}]"
