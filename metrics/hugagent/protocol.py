"""The two scoring protocols of HugAgent: the paper's, and that of the authors' public scorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from otherminds.metrics.hugagent.ati import MAE_MAX, RELEASE_MAE_MAX

# The opinion that a person gave before any scenario, by topic.
BASELINES: Mapping[str, str] = MappingProxyType(
    {"zoning": "1.1", "surveillance": "2.1", "healthcare": "3.1"}
)


@dataclass(frozen=True)
class Protocol:
    """What differs between ways of scoring the same answers.

    name             "paper" or "release"
    either_letter    whether a gold "A/B" accepts either letter; if not, every answer to it is wrong
    unparsed_error   error of an unreadable BDU answer in MAE, in points of the 5-point scale; None
                     leaves such answers out of MAE
    direction_items  ids of the opinion items that are compared with the baseline, by topic; None
                     compares every opinion item except the baseline itself
    mae_max          the error at which MAE's part of the composite and of ATI reaches 0 (see `utility`)
    """

    name: str
    either_letter: bool
    unparsed_error: float | None
    direction_items: Mapping[str, frozenset[str]] | None
    mae_max: float

    def compares(self, topic: str, question_id: str) -> bool:
        """Whether the opinion item `question_id` of `topic` is compared with the baseline."""
        if question_id == BASELINES.get(topic):
            return False
        if self.direction_items is None:
            return True
        return question_id in self.direction_items.get(topic, frozenset())


PAPER = Protocol(
    name="paper",
    either_letter=False,
    unparsed_error=None,
    direction_items=MappingProxyType(
        {
            "zoning": frozenset({"1.2", "1.3", "1.4"}),
            "surveillance": frozenset({"2.6", "2.7", "2.8"}),
            "healthcare": frozenset({"3.6", "3.7", "3.8", "3.9"}),
        }
    ),
    mae_max=MAE_MAX,
)

# The authors' public scorer.
RELEASE = Protocol(
    name="release",
    either_letter=True,
    unparsed_error=6.0,
    direction_items=None,
    mae_max=RELEASE_MAE_MAX,
)
