"""One number for both tasks: the composite u, and the ATI, which places it between two anchors."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", float, NDArray[np.float64])

# Error at which 1 - MAE/MAE_MAX reaches 0. The value is that of the authors' public scorer; the
# paper does not give one.
MAE_MAX = 3.0


class Anchor(NamedTuple):
    """A reference answerer: fractions, except MAE, which is in points of the 5-point scale."""

    bsi_acc: float
    bdu_acc: float
    bdu_mae: float
    bdu_dir: float


# Both anchors are those of the authors' public scorer.
RANDOM = Anchor(bsi_acc=0.5189, bdu_acc=0.4312, bdu_mae=1.88, bdu_dir=0.4674)
HUMAN = Anchor(bsi_acc=0.8484, bdu_acc=0.8566, bdu_mae=0.68, bdu_dir=0.8892)


def utility(bsi_acc: Number, bdu_acc: Number, bdu_mae: Number, bdu_dir: Number) -> Number:
    """u = ½·BSI + ½·( ½·mean(acc, 1 - MAE/3) + ½·dir ), a fraction; floats or arrays, elementwise.

    Accuracies and direction are fractions and MAE is in points of the 5-point scale, each averaged
    over topics. Perfect answers have u = 1; u can be negative, because MAE may exceed 3. A NaN
    among the inputs gives NaN.
    """
    level = 0.5 * bdu_acc + 0.5 * (1 - bdu_mae / MAE_MAX)
    return 0.5 * bsi_acc + 0.5 * (0.5 * level + 0.5 * bdu_dir)


def ati(u: Number) -> Number:
    """ATI = 100 · (u - u_random) / (u_human - u_random): 0 is random, 100 the human, no maximum.

    A perfect answerer has about 140. The anchors are averages over the three topics of the human
    track, so the number has no meaning on other data.
    """
    u_random, u_human = utility(*RANDOM), utility(*HUMAN)
    return 100 * (u - u_random) / (u_human - u_random)
