"""Interviews in words: what a plan's claims say, as one person would say it."""

from otherminds.dataset_builders.hugagent.telling.consistency import clashes, contradictions
from otherminds.dataset_builders.hugagent.telling.interview import tell

__all__ = ["clashes", "contradictions", "tell"]
