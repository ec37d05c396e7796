"""One independent random stream per stage and purpose.

A stream depends on the seed, the stage and the purpose only, so neither the number of workers nor a
change of wording moves what is drawn elsewhere.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from otherminds.dataset_builders import draws


class Purpose(IntEnum):
    """What a stream is for. The numbers are part of the data's definition.

    5 is `families.LITE_PURPOSE`.
    """

    CAST = 0
    TRAJECTORY = 1
    TEXT = 2
    QUESTIONS = 3
    LETTERS = 4


def stream(seed: int, family: int, stage: int, purpose: Purpose) -> np.random.Generator:
    """The stream of one stage; `family` tells variants apart, whose stages are counted anew."""
    return draws.stream((seed, family, stage), (purpose,))
