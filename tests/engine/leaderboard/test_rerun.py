"""An operator's own run grants `re-run`, or says what differs."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging import expected as expecting
from otherminds.leaderboard.judging import verify
from otherminds.leaderboard.judging.rescore import rescore
from otherminds.leaderboard.operating.rerun import _check_none_differs, _swaps, rerun
from otherminds.leaderboard.records import answers, verifications
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.record import Verification
from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Estimate
from tests.engine.analysis.conftest import SUBSET, evaluated
from tests.engine.leaderboard.conftest import TASK, Forged

DAY = date(2026, 2, 3)


@pytest.fixture
def merged(forged: Forged) -> Forged:
    """An accepted submission."""
    verifications.write(forged.folder, verify.verify(forged.folder).verification(DAY))
    return forged


def granted(forged: Forged, results: Path) -> Verification:
    return rerun(forged.folder, [results], by="operator", date=DAY)


def test_the_same_answers_again(merged: Forged, results: Path) -> None:
    before = verifications.read(merged.folder)
    found = granted(merged, results)
    assert (found.level, before.level) == ("re-run", "re-scored")
    assert found.rerun is not None
    assert (found.rerun.by, found.rerun.date) == ("operator", DAY)
    difference = found.rerun.differences[TASK]["bsi_acc"]
    assert (difference.value, difference.low, difference.high) == (0, 0, 0)
    assert found.recomputed == before.recomputed
    # Nothing was written, and what is can be read.
    assert verifications.read(merged.folder) == before
    verifications.write(merged.folder, found)
    assert verifications.read(merged.folder) == found


@pytest.mark.attack(
    "invented scores, to be raised later by `regrade` or `rerun`",
    outcome="not raised: `score-mismatch`",
    against="board",
)
def test_invented_claims_are_not_raised(merged: Forged, results: Path) -> None:
    found = verifications.read(merged.folder)
    update = {"level": "self-reported", "recomputed": {}}
    verifications.write(merged.folder, found.model_copy(update=update))
    # The answers are those of the operator, so only the claims tell.
    assert granted(merged, results).recomputed == found.recomputed
    merged.record(lambda one: one["tasks"][0]["metrics"]["bsi_acc"].update(value=0.999))
    with pytest.raises(OtherMindsError, match="score-mismatch"):
        granted(merged, results)


@pytest.mark.attack(
    "hundreds of metrics, so that a correction hides the one that differs",
    outcome="no level re-run; the difference is told",
    against="board",
)
def test_many_metrics_leave_the_power_to_refuse() -> None:
    # All of 60 people differ, in one direction; of 600 metrics Holm multiplies the smallest p by 600.
    people = tuple(f"P{number:02d}" for number in range(60))
    right, wrong = (
        Sufficient(people, np.full((60, 1), value), ("acc",), lambda sums: sums / 60)
        for value in (1.0, 0.0)
    )
    apart = compare_pair(right, wrong, swaps=_swaps(600))["acc"]
    same = compare_pair(right, right)["acc"]
    with pytest.raises(OtherMindsError, match="t0 acc is 1 in the submission and 0 in your run"):
        _check_none_differs({f"t{n}": {"acc": same if n else apart} for n in range(600)})
    # With the usual number of patterns that would have passed: 600/10,000 > 0.05.
    fewer = compare_pair(right, wrong)["acc"]
    _check_none_differs({f"t{n}": {"acc": same if n else fewer} for n in range(600)})


def test_a_handful_of_people_grants_nothing() -> None:
    few = Difference(0.5, 0.5, Estimate(0, 0, 0, 0, 5, 5), 1.0, 0.1, 1, True, 0, 0)
    with pytest.raises(OtherMindsError, match="rests on 5 people, too few"):
        _check_none_differs({"t": {"acc": few}})


def test_a_model_that_answers_anew_is_the_same_model(
    merged: Forged, cache: Path, tmp_path: Path
) -> None:
    # Another seed of random answers: the scores differ, though not by more than chance.
    out = tmp_path / "again"
    evaluated(out, "--model", "random", "--model_args", "seed=5", *SUBSET, task=TASK)
    found = granted(merged, out)
    assert found.rerun is not None
    assert found.level == "re-run"
    assert found.rerun.differences[TASK]["bsi_acc"].value != 0


@pytest.mark.attack(
    "answers that the model does not give when an operator runs it",
    outcome="no level re-run; the difference is told",
    against="board",
)
def test_scores_that_the_operator_does_not_find(merged: Forged, results: Path) -> None:
    known = expecting.expected(TASK, 50)

    def better(rows: list[Row]) -> list[Row]:
        # A fifth of the wrong answers, put right.
        wrong = [row.item_id for row in rows if not row.correct]
        lifted = set(wrong[::5])
        return [
            row._replace(parsed=known.documents[row.item_id].view.gold, raw=None, correct=True)
            if row.item_id in lifted
            else row._replace(raw=None)
            for row in rows
        ]

    merged.rows(better)
    rows = answers.read(merged.answers)
    found = rescore(rows, 1, known).metrics
    merged.task(metrics={name: one.model_dump() for name, one in found.items()})
    with pytest.raises(OtherMindsError, match=r"scores differ.*bsi_acc .* difference 0\.\d+ \["):
        granted(merged, results)


def test_a_run_of_something_else_grants_nothing(
    merged: Forged, results: Path, cache: Path, tmp_path: Path
) -> None:
    other = "hugagent_bsi_swapped_synthetic"
    evaluated(tmp_path / "other", "--model", "random", *SUBSET, task=other)
    with pytest.raises(OtherMindsError, match=f"{TASK} was not run"):
        granted(merged, tmp_path / "other")
    merged.task(decoding={"temperature": "0.7"})
    with pytest.raises(OtherMindsError, match="was run otherwise: decoding"):
        granted(merged, results)


@pytest.mark.attack(
    "a level re-run for what was never accepted",
    outcome="one error: `not-accepted`",
    against="board",
)
def test_only_accepted_submissions_can_be_rerun(forged: Forged, results: Path) -> None:
    with pytest.raises(OtherMindsError, match="not-accepted"):
        granted(forged, results)
