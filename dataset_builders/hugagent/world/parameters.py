"""The parameters of the population, read from `parameters.yaml` and `surveys.yaml` beside this module.

`parameters.yaml` is written by `otherminds.dataset_builders.hugagent.fitting`; `surveys.yaml` by
hand, from what national surveys say. A build reads these two files and no answer of any person.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import Field, TypeAdapter, model_validator

from otherminds.dataset_builders.content_files import read
from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.hugagent.schema import Statistics
from otherminds.strict import Strict

FOLDER = Path(__file__).resolve().parent

Share: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]


class TopicParameters(Strict):
    """What the people of one topic are like.

    structure        distributions from which belief networks are drawn
    stance           shares of the opinions 1 to 10 before any scenario
    rating           weights of the ratings 1 to 5 of a reason before any scenario, at middling
                     engagement
    engagement       how much engagement tilts them: the log-odds of a 5 against a 1, from middling
                     to high
    settled_end      share of those with opinion 1 or 10 whom nothing moves
    settled_middle   share of the others whom nothing moves
    easily_moved     of those who can be moved, the share that goes a long way
    upward           how often a scenario that moves a person's view at all moves it toward the policy
    positive_items   share of BSI items whose answer is POSITIVE
    """

    structure: Statistics
    stance: tuple[Share, ...] = Field(min_length=10, max_length=10)
    rating: tuple[Share, ...] = Field(min_length=5, max_length=5)
    engagement: float = Field(ge=0.0, le=16.0)
    settled_end: Share
    settled_middle: Share
    easily_moved: Share
    upward: Share
    positive_items: Share

    @model_validator(mode="after")
    def _whole(self) -> TopicParameters:
        for name in ("stance", "rating"):
            total = sum(getattr(self, name))
            if abs(total - 1.0) > 1e-3:
                raise ValueError(f"the shares of {name} add up to {total:.4f} instead of 1")
        return self


class Surveyed(Strict):
    """A correlation that national surveys speak of: the range it may lie in, and where that comes from.

    pull   the coefficient of the model that brings it about
    """

    low: float
    high: float
    pull: float
    source: str


class Surveys(Strict):
    """Correlations with political leaning, counted from liberal to conservative."""

    stance: dict[str, Surveyed]
    values: dict[str, Surveyed]


@cache
def load(folder: Path = FOLDER) -> dict[str, TopicParameters]:
    """The parameters by topic.

    Raises ContentError, which names the file and the key, for a missing or malformed file.
    """
    found = read(folder / "parameters.yaml", TypeAdapter(dict[str, TopicParameters]))
    return {topic: found[topic] for topic in TOPICS}


@cache
def surveys(folder: Path = FOLDER) -> Surveys:
    """The correlations with political leaning. Raises ContentError as `load` does."""
    return read(folder / "surveys.yaml", TypeAdapter(Surveys))
