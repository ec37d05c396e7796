"""The same person, on another topic."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pyarrow as pa

from otherminds.dataset_builders.hugagent.ablations.donors import (
    Interview,
    given,
    interviews,
    transcripts,
)

SHOWN_TOPIC: Mapping[str, str] = MappingProxyType(
    {"healthcare": "surveillance", "surveillance": "zoning", "zoning": "healthcare"}
)
"""The topic of the transcript that an item shows, by the topic that the item asks about."""


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


def _shown(topic: str) -> str:
    if topic not in SHOWN_TOPIC:
        raise ValueError(f"No other topic stands for '{topic}'; known: {', '.join(SHOWN_TOPIC)}.")
    return SHOWN_TOPIC[topic]
