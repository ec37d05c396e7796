"""What the content files may hold.

Structure and labels never come from wording: only a topic's `statistics`, `loading`, `prior` and
`links` enter the simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from otherminds.dataset_builders.hugagent.wording import (
    ByRegister,
    Texts,
    ValueTalk,
    Voices,
)
from otherminds.strict import Strict

Signed: TypeAlias = Annotated[float, Field(ge=-1.0, le=1.0)]
Direction: TypeAlias = Literal["up", "down", "any"]

AGE, LEANING = "age", "political leaning"
"""Attributes that the code needs by name."""

LATENTS = ("age", "ses", "urban", "right")


class Loading(Strict):
    """How much each value pulls toward something."""

    autonomy: Signed = 0.0
    security: Signed = 0.0
    care: Signed = 0.0
    thrift: Signed = 0.0

    def dot(self, values: Mapping[str, float]) -> float:
        """The pull on a person with these values."""
        return (
            self.autonomy * values["autonomy"]
            + self.security * values["security"]
            + self.care * values["care"]
            + self.thrift * values["thrift"]
        )


class TruncatedNormal(Strict):
    """A normal variable kept within [low, high]."""

    mean: float
    sd: float = Field(gt=0)
    low: int
    high: int


class LogNormal(Strict):
    """exp of a normal variable."""

    log_mean: float
    log_sd: float = Field(gt=0)


class Beta(Strict):
    """A Beta variable."""

    a: float = Field(gt=0)
    b: float = Field(gt=0)


class Poisson(Strict):
    """A Poisson variable."""

    rate: float = Field(gt=0)


class Statistics(Strict):
    """The distributions from which the belief networks of a topic are drawn."""

    nodes: TruncatedNormal
    edges: LogNormal
    importance: Beta
    evidence: Poisson
    confidence: Beta
    weight: Beta
    zero_sign: float = Field(ge=0, le=0.2)


class Factor(Strict):
    """Something that may matter to a person's stance on a topic."""

    code: str = Field(pattern="^[A-Z]$")
    name: str
    noun: str
    phrases: Texts
    reason: str
    up: ByRegister
    down: ByRegister
    loading: Loading
    prior: float
    asides: Texts
    experience_good: Texts
    experience_bad: Texts

    def clauses(self, direction: int) -> ByRegister:
        """The clauses that say that there is more (+1) or less (−1) of it."""
        return self.up if direction > 0 else self.down


class Scenario(Strict):
    """A question about what the person would think after a change."""

    id: str
    frame: Texts
    factors: Texts
    directions: Mapping[str, Direction]


class StanceQuestion(Strict):
    """The question about the person's stance as it is now."""

    id: str
    text: str
    scale_labels: tuple[str, str]


class Questions(Strict):
    """What the interviewer may ask."""

    stance: Texts
    factor: Texts
    experience: Texts
    edge_stance: Texts
    edge_factor: Texts
    news: Texts


class Exchange(Strict):
    """Questions, and answers of which each one fits each of the questions."""

    questions: Texts
    answers: Texts


class Chatter(Strict):
    """Talk about nothing in particular."""

    news: Texts
    closing: Annotated[tuple[Exchange, ...], Field(min_length=1)]


class Topic(Strict):
    """One topic of the interviews."""

    topic: str
    policy: str
    policy_short: Texts
    stance_question: StanceQuestion
    scenario_scale_labels: tuple[str, str]
    policy_loading: Loading
    statistics: Statistics
    factors: Annotated[tuple[Factor, ...], Field(min_length=1)]
    links: dict[str, dict[str, Signed]]
    scenarios: Annotated[tuple[Scenario, ...], Field(min_length=1)]
    questions: Questions
    chatter: Chatter

    @cached_property
    def by_name(self) -> dict[str, Factor]:
        """The factors by name."""
        return {factor.name: factor for factor in self.factors}

    def effect(self, source: str, target: str) -> float:
        """How far it goes without saying that `source` raises (+) or lowers (−) `target`.

        0 where people do not connect the two.
        """
        return self.links.get(source, {}).get(target, 0.0)


class Numeric(Strict):
    """An attribute whose value is a whole number in [low, high]."""

    low: int
    high: int


class Fit(Strict):
    """Whom something fits: people of these ages (both included), with these other attributes."""

    ages: tuple[int, int] | None = None
    only_with: dict[str, Texts] = Field(default_factory=dict)


class AttributeValue(Fit):
    """One value of a demographic attribute.

    Its weight is multiplied by the factors in `odds_with`, by attribute and value drawn earlier.
    """

    value: str
    weight: float = Field(gt=0)
    loadings: dict[Literal["age", "ses", "urban", "right"], float] = Field(default_factory=dict)
    odds_with: dict[str, dict[str, float]] = Field(default_factory=dict)
    say: ByRegister | None = None


class Attribute(Strict):
    """One demographic attribute; either `numeric` or a list of `values`."""

    name: str
    numeric: Numeric | None = None
    values: tuple[AttributeValue, ...] = ()
    say: ByRegister | None = None


class Circumstance(Fit):
    """Sentences with any of these phrases are only for the people whom they fit."""

    phrases: Texts


class BackgroundQuestion(Strict):
    """A question about the person's life, and the attributes an answer may draw on."""

    text: str
    attributes: Texts


class Demographics(Strict):
    """Who the people are."""

    attributes: Annotated[tuple[Attribute, ...], Field(min_length=1)]
    circumstances: tuple[Circumstance, ...]
    background_questions: Annotated[tuple[BackgroundQuestion, ...], Field(min_length=1)]


class ItemWording(Strict):
    """The wording of the items themselves."""

    bsi_stance: Texts
    bsi_factor: Texts
    options: tuple[str, str]
    scenario: Texts
    reason: Texts
    reason_scale_labels: tuple[str, str]


class Content(Strict):
    """All wording and topic statistics."""

    topics: dict[str, Topic]
    voices: Voices
    values: ValueTalk
    demographics: Demographics
    items: ItemWording
