"""HugAgent's numbers for each person alone."""

from __future__ import annotations

import math
from typing import Any

import pytest

from otherminds.metrics.errors import EmptyInput
from otherminds.metrics.hugagent import summarize
from otherminds.metrics.hugagent.person import by_person, is_complete


def test_by_hand(make: Any) -> None:
    items = [
        make.bsi("a", "P", "A", "A"),
        make.bsi("b", "P", "A", "B"),
        make.opinion("c", "P", "1.1", 5, 7),
        make.opinion("d", "P", "1.2", 8, 9),
        make.reason("e", "P", 1, 4),
        # A second topic, without pairs: BSI 1, acc 0, an error of 4.
        make.bsi("f", "P", "A", "A", topic="healthcare"),
        make.reason("g", "P", 1, 5, topic="healthcare"),
        make.bsi("h", "Q", "A", "B"),
    ]
    found = by_person(items)
    # Zoning: BSI ½; acc 2/3 (7 within 2 of 5, 9 of 8, not 4 of 1); MAE (1 + ½ + 3)/3 = 1.5; both moved
    # up: dir 1. Means over topics: BSI ¾, acc 1/3, MAE 2.75.
    p = found["P"]
    assert p[:4] == (0.75, pytest.approx(1 / 3), pytest.approx(2.75), 1)
    # ½·¾ + ⅛·⅓ + ⅛·(1 - 2.75/4) + ¼
    assert p.composite == pytest.approx(100 * (0.375 + 1 / 24 + 0.3125 / 8 + 0.25))
    assert (p.n_bsi, p.n_bdu, p.n_pairs) == (3, 4, 1)
    assert is_complete(p)
    q = found["Q"]
    assert (q.bsi_acc, q.n_bsi, q.n_bdu) == (0, 1, 0)
    assert math.isnan(q.bdu_acc)
    assert not is_complete(q)
    assert list(found) == ["P", "Q"]


def test_one_persons_numbers_are_those_of_a_summary_of_theirs(make: Any) -> None:
    items = make.population(6, runs=3, seed=4)
    for person, own in by_person(items).items():
        alone = summarize([item for item in items if item.participant_id == person], draws=2)
        for metric in ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir", "composite"):
            value = alone[metric].value
            assert getattr(own, metric) == pytest.approx(value, nan_ok=True), (person, metric)


def test_nobody() -> None:
    with pytest.raises(EmptyInput):
        by_person([])
