"""The funnel: what was made, refused, asked again, dropped and kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class StageFunnel:
    """The counts of one stage.

    replies   how many were looked at
    refused   how many of them were not accepted, by check; one that two checks refuse counts for both
    again     how many sheets were asked for again
    accepted  how many replies were accepted
    returned  how many units were sent back to an earlier stage, by what validators or raters found
    dropped   how many units were given up here, by reason
    """

    replies: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    again: int = 0
    accepted: int = 0
    returned: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """The counts, reasons by falling count."""
        return {
            "replies": self.replies,
            "refused": _falling(self.refused),
            "again": self.again,
            "accepted": self.accepted,
            "returned": _falling(self.returned),
            "dropped": _falling(self.dropped),
        }


@dataclass
class Funnel:
    """The counts of a construction.

    made    units with a frame
    door    replies that were turned away before anything was read, by reason; these cost no try
    stages  by stage, in order
    kept    units of which all stages are accepted
    open    units that wait for a reply
    """

    made: int = 0
    door: Counter[str] = field(default_factory=Counter)
    stages: dict[str, StageFunnel] = field(default_factory=dict)
    kept: int = 0
    open: int = 0

    @property
    def dropped(self) -> int:
        """Units that were given up."""
        return sum(sum(stage.dropped.values()) for stage in self.stages.values())

    def as_json(self) -> dict[str, Any]:
        """The counts as manifest and card have them."""
        return {
            "made": self.made,
            "turned_away": _falling(self.door),
            "stages": {name: stage.as_json() for name, stage in self.stages.items()},
            "dropped": self.dropped,
            "kept": self.kept,
            "open": self.open,
        }


def _falling(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
