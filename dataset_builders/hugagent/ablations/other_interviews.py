"""Another interview in place of the item's own: another person's, or the same person's on another topic.

Who gives whom a transcript is decided among all people of the pool, so a subset or a single
configuration of a dataset shows the same transcripts as the whole. People with an empty transcript
take part like all others: each transcript is shown to exactly one other person's items.
Only the transcript moves; the demographics stay the target's, on both tracks. (The swap script in
the authors' repository moves the demographics as well, so its numbers are not comparable.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.contexts import (
    Contexts,
    Places,
    distinct,
    showing,
)
from otherminds.dataset_builders.hugagent.ablations.own_turns import check_seed

SHOWN_TOPIC: Mapping[str, str] = MappingProxyType(
    {"healthcare": "surveillance", "surveillance": "zoning", "zoning": "healthcare"}
)
"""The topic of the transcript that an item shows, by the topic that the item asks about."""


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


def cross_person(table: pa.Table, pool: pa.Table) -> pa.Table:
    """Show the next person's transcript on the same topic.

    The next person is the one with the next id in sorted order (as text) among the pool's people on
    that topic; the first follows the last. Their transcript is the fullest that `pool` has of it:
    on the human track, where each BSI item lacks another pair, the version that lacks least.
    All items of one person and topic therefore show the same bytes.

    `pool` is all rows of both configurations. Raises ValueError for a pool without the table's own
    people and topics, or with a single person on a topic.
    """
    return _exchanged(table, pool, lambda people, _topic: np.roll(np.arange(len(people)), -1))


def derangement(table: pa.Table, pool: pa.Table, seed: int) -> pa.Table:
    """Show another person's transcript on the same topic, by a random permutation of the people.

    Within each topic the permutation is drawn uniformly from those that leave nobody in place, from
    the seed and the topic's name alone. The transcript shown is chosen as in `cross_person`.

    `pool` is all rows of both configurations. Raises ValueError as `cross_person` does, and unless
    the seed is a whole number, at least 0.
    """
    check_seed(seed)
    return _exchanged(table, pool, lambda people, topic: _deranged(len(people), seed, topic))


def cross_domain(table: pa.Table, pool: pa.Table) -> pa.Table:
    """Show the same person's transcript on another topic.

    An item about healthcare shows what its person said about surveillance, one about surveillance
    what they said about zoning, one about zoning what they said about healthcare (`SHOWN_TOPIC`).
    The transcript is the fullest that `pool` has of it: nothing in it answers the item, so nothing
    need be masked, and all items of one person and topic show the same bytes. `topic` stays the
    item's own, demographics too.

    `pool` is all rows of both configurations of the dataset. An item whose person has none on the
    other topic stays and shows an empty context, so that the item set, and with it the paper's row,
    stays whole; `without_context` counts such items. The release of the human track has none: all 54
    people have items on all three topics.

    Raises ValueError for an unknown topic, or a pool without the table's own people and topics.
    """
    known = transcripts(pool)
    own = interviews(table, known)
    donor = {target: Interview(target.participant, _shown(target.topic)) for target in own}
    return given(table, known, own, donor)


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

    Raises ValueError for one that the pool does not have, which shows that it is not a full pool.
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


def _exchanged(
    table: pa.Table, pool: pa.Table, order: Callable[[Sequence[str], str], np.ndarray]
) -> pa.Table:
    known = transcripts(pool)
    own = interviews(table, known)
    donor = {}
    for topic in dict.fromkeys(target.topic for target in own):
        people = known.people(topic)
        if len(people) < 2:
            raise ValueError(
                f"The pool has one person on {topic}, {people[0]}: there is nobody to exchange "
                "transcripts with. Pass all rows of both configurations as the pool."
            )
        for target, place in zip(people, order(people, topic), strict=True):
            donor[Interview(target, topic)] = Interview(people[place], topic)
    return given(table, known, own, donor)


def _deranged(people: int, seed: int, topic: str) -> np.ndarray:
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *topic.encode()])))
    # Drawing until nobody is in place is uniform over derangements; about e draws are needed.
    while True:
        order = rng.permutation(people)
        if not np.any(order == np.arange(people)):
            return order


def _shown(topic: str) -> str:
    if topic not in SHOWN_TOPIC:
        raise ValueError(f"No other topic stands for '{topic}'; known: {', '.join(SHOWN_TOPIC)}.")
    return SHOWN_TOPIC[topic]
