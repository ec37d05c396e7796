"""One independent random stream per stage, purpose and attempt.

A stream depends on the seed, the stage, the purpose and the attempt only, so neither the number of
workers nor how often another stage is drawn anew moves what is drawn.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from otherminds.dataset_builders import draws


class Purpose(IntEnum):
    """What a stream is for. The numbers are part of the data's definition."""

    CAST = 0
    PEOPLE = 1
    FRAME = 2
    QUESTIONS = 3
    LEXICON = 4
    STORY = 6
    WORDING = 7
    LETTERS = 8


def stream(
    seed: int, family: int, stage: int, purpose: Purpose, attempt: int = 0
) -> np.random.Generator:
    """The stream of one attempt at a stage; `family` tells variants apart, which count stages anew."""
    return draws.stream((seed, family, stage), (purpose, attempt))
