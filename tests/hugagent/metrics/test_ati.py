"""The composite and ATI against what the paper prints, and their ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import (
    HUMAN,
    MAE_MAX,
    PAPER,
    RANDOM,
    RELEASE,
    RELEASE_MAE_MAX,
    Anchor,
    ati,
    ati_between,
    utility,
)
from otherminds.metrics.uncertainty import estimate

# HugAgent, Table 21: four people under three conditions; BSI, acc, MAE, dir and 100·u, as printed.
IN_DOMAIN = [
    (88.89, 91.67, 0.57, 85, 87.88),
    (92.31, 91.71, 0.58, 65, 84.57),
    (66.67, 64.23, 1.26, 57.5, 64.29),
    (57.14, 42.11, 1.72, 92.5, 64.10),
]
CROSS_DOMAIN = [
    (55.56, 54.58, 1.38, 50, 55.28),
    (92.31, 83.90, 0.97, 73, 84.37),
    (66.67, 28.57, 1.87, 65, 59.80),
    (51.43, 30.00, 1.79, 85, 57.63),
]
NO_CONTEXT = [
    (33.33, 8.33, 2.33, 18, 27.42),
    (30.77, 39.02, 1.68, 65, 43.78),
    (46.67, 19.22, 1.95, 50, 44.63),
    (31.43, 30.00, 1.79, 77.5, 45.73),
]
TABLE_21 = [*IN_DOMAIN, *CROSS_DOMAIN, *NO_CONTEXT]


def off(row: tuple[float, ...], mae_max: float) -> float:
    bsi, acc, mae, direction, printed = row
    u = utility(bsi / 100, acc / 100, mae, direction / 100, mae_max=mae_max)
    return abs(100 * u - printed)


@pytest.mark.parametrize("row", TABLE_21)
def test_every_row_of_table_21_comes_out(row: tuple[float, ...]) -> None:
    assert off(row, MAE_MAX) < 0.02


def test_no_row_of_table_21_comes_out_with_the_scorers_constant() -> None:
    found = [off(row, RELEASE_MAE_MAX) for row in TABLE_21]
    assert (round(min(found), 2), round(max(found), 2)) == (0.60, 2.42)


def test_the_protocols_differ_in_the_constant() -> None:
    assert (PAPER.mae_max, RELEASE.mae_max) == (4, 3)


def test_the_part_of_mae_is_clipped() -> None:
    # ⅛ of u is the part of MAE: 0 at 4 and beyond, all of it at 0.
    for mae, part in [(0.0, 0.125), (2.0, 0.0625), (4.0, 0.0), (4.5, 0.0)]:
        assert utility(0.0, 0.0, mae, 0.0) == pytest.approx(part)
    assert utility(0.0, 0.0, 3.5, 0.0, mae_max=RELEASE_MAE_MAX) == 0
    assert math.isnan(utility(0.5, 0.5, math.nan, 0.5))


@given(
    *(st.floats(0, 1) for _ in range(3)),
    st.floats(0, 6),
    st.sampled_from([MAE_MAX, RELEASE_MAE_MAX]),
)
def test_u_is_a_fraction(bsi: float, acc: float, direction: float, mae: float, top: float) -> None:
    assert 0 <= utility(bsi, acc, mae, direction, mae_max=top) <= 1


def test_anchors_by_hand() -> None:
    # Random: ½·0.5189 + ⅛·0.4312 + ⅛·(1 - 1.88/4) + ¼·0.4674 = 0.25945 + 0.0539 + 0.06625 + 0.11685
    assert utility(*RANDOM) == pytest.approx(0.49645)
    # Human: 0.4242 + 0.107075 + ⅛·0.83 + 0.2223
    assert utility(*HUMAN) == pytest.approx(0.857325)
    assert ati(utility(*RANDOM)) == pytest.approx(0)
    assert ati(utility(*HUMAN)) == pytest.approx(100)
    # (1 - 0.49645) / (0.857325 - 0.49645) = 0.50355/0.360875
    assert ati(1.0) == pytest.approx(139.5358, abs=1e-4)
    # With 3: (1 - 0.476867) / (0.850242 - 0.476867)
    assert ati(1.0, mae_max=RELEASE_MAE_MAX) == pytest.approx(140.109, abs=1e-3)


def test_other_anchors() -> None:
    low, high = Anchor(0.5, 0.5, 2.0, 0.5), Anchor(1.0, 1.0, 0.0, 1.0)
    assert ati(0.75, random=low, human=high) == pytest.approx(50)
    found = ati(np.array([0.5, 1.0]), random=low, human=high)
    assert found.tolist() == pytest.approx([0, 100])


def test_ati_between_known_anchors_rescales_the_interval() -> None:
    composite = estimate(70.0, 2.0, n=500, n_clusters=24)
    found = ati_between(composite, random=50, human=90)
    # 100/40 = 2.5 points for each point of the composite.
    assert (found.value, found.stderr) == (pytest.approx(50), pytest.approx(5))
    assert found.high - found.low == pytest.approx(2.5 * (composite.high - composite.low))
    assert (found.n, found.n_clusters) == (500, 24)
    overall = ati_between(composite, random=100 * utility(*RANDOM), human=100 * utility(*HUMAN))
    assert overall.value == pytest.approx(ati(0.7))
    assert ati_between(estimate(math.nan, math.nan, n=0, n_clusters=0), random=1, human=2).n == 0
    with pytest.raises(MetricError, match="not in order"):
        ati_between(composite, random=50, human=50)
