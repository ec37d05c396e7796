"""Whose interview about what an item shows, when it is not its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.contexts import (
    Contexts,
    Places,
    distinct,
    showing,
)


class Interview(NamedTuple):
    """One person on one topic."""

    participant: str
    topic: str


@dataclass(frozen=True)
class Transcripts:
    """One transcript for each person and topic of a pool."""

    contexts: Contexts
    fullest: Mapping[Interview, int]

    def people(self, topic: str) -> list[str]:
        """The people of a topic, sorted by id as text."""
        return sorted(found.participant for found in self.fullest if found.topic == topic)

    def places(self, interview: Interview) -> Places:
        """Where the turns of an interview are; none, if this person was not asked about this topic."""
        context = self.fullest.get(interview)
        return np.empty(0, np.int64) if context is None else self.contexts.places(context)


def transcripts(pool: pa.Table) -> Transcripts:
    """The transcript of each person and topic: the longest context that any of their items shows.

    On the synthetic track a person has one context per topic. On the human track each BSI item lacks
    another pair, and the longest version is the one that lacks least (a BDU item's, which lacks none).
    Of equally long ones, that of the smallest item id counts. The order of rows does not matter.
    """
    contexts = distinct(pool)
    lengths = np.diff(contexts.bounds)
    fullest: dict[Interview, int] = {}
    for context in sorted(
        range(len(contexts)), key=lambda place: (-lengths[place], contexts.first_ids[place])
    ):
        owner = Interview(contexts.participants[context], contexts.topics[context])
        fullest.setdefault(owner, context)
    return Transcripts(contexts, fullest)


def interviews(table: pa.Table, known: Transcripts) -> list[Interview]:
    """Which interview each row is about.

    Raises ValueError for one that the pool does not have, which shows that it is no full pool.
    """
    owners = (table[name].to_pylist() for name in ("participant_id", "topic"))
    found = [Interview(participant, topic) for participant, topic in zip(*owners, strict=True)]
    for interview in found:
        if interview not in known.fullest:
            raise ValueError(
                f"The pool has no item of {interview.participant} on {interview.topic}: pass all "
                "rows of both configurations, bsi and bdu, as the pool."
            )
    return found


def given(
    table: pa.Table,
    known: Transcripts,
    own: list[Interview],
    donor: Mapping[Interview, Interview],
) -> pa.Table:
    """The table in which each row shows its donor's transcript in place of its own context."""
    numbers = {target: number for number, target in enumerate(dict.fromkeys(own))}
    choices = [known.places(donor[target]) for target in numbers]
    of_row = np.array([numbers[target] for target in own], dtype=np.int64)
    return showing(table, known.contexts.turns, choices, of_row)
