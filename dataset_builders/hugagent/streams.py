"""One independent random stream per person and purpose.

A stream depends on the seed, the person and the purpose only, so neither the number of workers
nor a change of wording moves what is drawn elsewhere.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from otherminds.dataset_builders.draws import stream

_GLOBAL = 2**32 - 1


class Purpose(IntEnum):
    """What a stream is for. The numbers are part of the data's definition."""

    PERSON = 0
    STRUCTURE = 1
    BELIEFS = 2
    SCENARIOS = 3
    EVIDENCE = 4
    ITEMS = 5
    TEXT = 6
    QUESTION_TEXT = 7
    QUOTAS = 8
    SUBSET = 9
    PLAN = 10


def agent_stream(seed: int, agent: int, purpose: Purpose, topic: int = 0) -> np.random.Generator:
    """The stream of one person (and topic, where the purpose has one)."""
    return stream((seed, agent), (purpose, topic))


def global_stream(seed: int, purpose: Purpose, topic: int = 0) -> np.random.Generator:
    """The stream of a draw over all people."""
    return stream((seed, _GLOBAL), (purpose, topic))
