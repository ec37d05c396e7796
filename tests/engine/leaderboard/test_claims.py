"""Claims of scores, compared with what the answers give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from otherminds.leaderboard.judging.rescore import compare
from otherminds.leaderboard.records.fields import metrics_of
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import estimate
from otherminds.scoring.base import plain

RANGES = {"acc": SHARE}
# Five people, t(4) = 2.776: 0.9 ± 0.28.
WHOLE = estimate(0.9, 0.1, n=20, n_clusters=5)


def test_an_interval_that_was_claimed_before_intervals_were_cut_is_the_same() -> None:
    found = metrics_of(plain({"acc": WHOLE}, RANGES))
    assert found["acc"].high == 1.0
    older = metrics_of(plain({"acc": WHOLE}))
    assert older["acc"].high is not None
    assert older["acc"].high > 1.0
    compare(found, found, RANGES)
    compare(older, found, RANGES)


@pytest.mark.parametrize("change", [{"low": 0.7}, {"high": 0.99}, {"stderr": 0.05}])
def test_another_interval_is_not(change: dict[str, float]) -> None:
    found = metrics_of(plain({"acc": WHOLE}, RANGES))
    claimed = metrics_of(plain({"acc": replace(WHOLE, **change)}))
    with pytest.raises(RefusedError) as refused:
        compare(claimed, found, RANGES)
    assert refused.value.finding.code == "interval-mismatch"
