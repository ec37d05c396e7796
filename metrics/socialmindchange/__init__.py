"""SocialMindChange: can it choose words that move a person's state of mind?"""

from __future__ import annotations

from otherminds.metrics.socialmindchange.distributions import (
    FORECAST_METRICS,
    summarize_distributions,
)
from otherminds.metrics.socialmindchange.items import (
    GUIDANCE,
    LETTERS,
    STATES,
    TRANSITIONS,
    TYPES,
    Question,
    chance,
    check_items,
)
from otherminds.metrics.socialmindchange.option import parse_option
from otherminds.metrics.socialmindchange.summary import CELLS, Summary, summarize
from otherminds.metrics.socialmindchange.table import COMPARED, METRICS, SETS, sufficient

__all__ = [
    "CELLS",
    "COMPARED",
    "FORECAST_METRICS",
    "GUIDANCE",
    "LETTERS",
    "METRICS",
    "SETS",
    "STATES",
    "TRANSITIONS",
    "TYPES",
    "Question",
    "Summary",
    "chance",
    "check_items",
    "parse_option",
    "sufficient",
    "summarize",
    "summarize_distributions",
]
