"""The same topic, from another person: the next one, or a seeded derangement.

Who gives whom a transcript is decided among all people of the pool, so a subset or a single
configuration of a dataset shows the same transcripts as the whole. People with an empty transcript
take part like all others: each transcript is shown to exactly one other person's items.
Only the transcript moves; the demographics stay the target's, on both tracks. (The swap script in
the authors' repository moves the demographics as well, so its numbers are not comparable.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.checks import check_seed
from otherminds.dataset_builders.hugagent.ablations.donors import (
    Interview,
    given,
    interviews,
    transcripts,
)


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
