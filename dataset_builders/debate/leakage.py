"""Whether anything known of a person gives a test belief away: newer, or all but the same."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.debate.embedding import Embed, Vectors, closest
from otherminds.dataset_builders.debate.rows import persons
from otherminds.dataset_builders.debate.schema import Built
from otherminds.dataset_builders.verdict import Audit, verdict

_ROUNDING = 1e-5


def chronology(built: Built) -> Iterator[Audit]:
    """No known belief is of a later day than a test belief of the same person.

    Sources without dates have no such audit.
    """
    dates = built.private.dates
    if dates is None:
        return
    yield verdict(
        "dates_complete",
        dates["item_id"].to_pylist() == built.table["item_id"].to_pylist(),
        dates.num_rows,
        "rows whose belief has a date, which must be all",
    )
    newer = pc.sum(pc.greater(dates["newest_known_day"], dates["day"])).as_py() or 0
    same = pc.sum(pc.equal(dates["newest_known_day"], dates["day"])).as_py() or 0
    yield verdict(
        "chronology",
        newer == 0,
        newer,
        f"test beliefs older than one that is known; {same} of {dates.num_rows} are of the same "
        "day as the newest known one",
    )


def cosines(table: pa.Table, embed: Embed, bound: float) -> Audit:
    """The highest cosine between a known and a test belief of one person, computed anew."""
    highest, who = -1.0, ""
    for person in persons(table):
        if not person.known:
            continue
        known = _unit(embed([belief["proposition"] for belief in person.known]))
        found = float(closest(known, _unit(embed(person.propositions))).max())
        if found > highest:
            highest, who = found, person.user
    return verdict(
        "cosine",
        highest <= bound + _ROUNDING,
        round(highest, 4),
        f"the highest between a known and a test belief, of {who or 'nobody'}; "
        f"at most {bound} is wanted",
    )


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return found
