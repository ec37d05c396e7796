"""One number for both tasks: the composite u, and the ATI, which places it between two anchors."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np

from otherminds.types import FloatArray

Number = TypeVar("Number", float, FloatArray)

MAE_MAX = 4.0
"""The error at which 1 - MAE/MAE_MAX reaches 0 in the paper: the width of the 5-point scale.

The paper does not state it. Its Table 21 prints u of four people under three conditions beside what u is
made of: with 4 all twelve come out within 0.02 points, with 3 they are off by 0.60 to 2.42.
"""

RELEASE_MAE_MAX = 3.0
"""The same error in the authors' public scorer."""


class Anchor(NamedTuple):
    """A reference answerer: fractions, except MAE, which is in points of the 5-point scale."""

    bsi_acc: float
    bdu_acc: float
    bdu_mae: float
    bdu_dir: float


# Both anchors are the paper's (Table 2, averages over the topics) and those of the authors' scorer.
RANDOM = Anchor(bsi_acc=0.5189, bdu_acc=0.4312, bdu_mae=1.88, bdu_dir=0.4674)
HUMAN = Anchor(bsi_acc=0.8484, bdu_acc=0.8566, bdu_mae=0.68, bdu_dir=0.8892)


def utility(
    bsi_acc: Number,
    bdu_acc: Number,
    bdu_mae: Number,
    bdu_dir: Number,
    *,
    mae_max: float = MAE_MAX,
) -> Number:
    """u = ½·BSI + ½·( ½·mean(acc, s) + ½·dir ), s = clip(1 - MAE/mae_max, 0, 1); a fraction.

    HugAgent, Eq. 6, without its scaling. Accuracies and direction are fractions and MAE is in points of
    the 5-point scale, each averaged over topics; floats or arrays, elementwise. u lies in 0…1, and
    perfect answers have 1. A NaN among the inputs gives NaN.

    mae_max  MAE_MAX (the paper's) or RELEASE_MAE_MAX (the public scorer's)
    """
    closeness: Number = np.clip(1 - bdu_mae / mae_max, 0.0, 1.0)
    level = 0.5 * bdu_acc + 0.5 * closeness
    return 0.5 * bsi_acc + 0.5 * (0.5 * level + 0.5 * bdu_dir)


def ati(
    u: Number,
    *,
    mae_max: float = MAE_MAX,
    random: Anchor = RANDOM,
    human: Anchor = HUMAN,
) -> Number:
    """ATI = 100 · (u - u_random) / (u_human - u_random): 0 is random, 100 the human, no maximum.

    HugAgent, Eq. 6. `mae_max` is that of `u`: the anchors are turned into u by the same formula. A
    perfect answerer has about 140. The default anchors are averages over the three topics of the human
    track, so that on other data, and on one topic alone, the number takes anchors of its own.
    """
    u_random, u_human = utility(*random, mae_max=mae_max), utility(*human, mae_max=mae_max)
    return 100 * (u - u_random) / (u_human - u_random)
