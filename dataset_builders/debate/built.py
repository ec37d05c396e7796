"""What building from a source gives."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from otherminds.dataset_builders.funnel import Step


@dataclass(frozen=True)
class Private:
    """What audits need and a dataset must not hold.

    names    the user names of the source
    dates    columns `item_id`, `day` and `newest_known_day`: when the test belief of each row and
             the newest of its known beliefs were stated, in days since 1970; None for sources
             without dates
    """

    names: frozenset[str] = frozenset()
    dates: pa.Table | None = None


@dataclass(frozen=True)
class Built:
    """A dataset: its table (see `schema.BELIEF`), how it came about, and what only audits may see."""

    table: pa.Table
    funnel: list[Step]
    private: Private = field(default_factory=Private, repr=False)
