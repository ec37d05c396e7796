"""The forms of what authors of a stage send."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Line = Annotated[str, Field(min_length=1, max_length=400)]
Paragraph = Annotated[str, Field(min_length=1, max_length=1_500)]
Goes = Literal["up", "down", ""]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Known(_Form):
    """Somebody whom the person knows."""

    who: Line = Field(description="As the sheet calls them.")
    line: Line


class Portrait(_Form):
    """Who somebody is, and how they talk."""

    voice: Paragraph
    life: list[Line]
    people: list[Known]
    episodes: list[Line]
    expressions: list[Line]


class Names(_Form):
    """The phrases by which an interview names a thing."""

    thing: Line
    phrases: list[Line] = Field(min_length=1, max_length=12)


class Carried(_Form):
    """A claim, and the words of the answer that carry it."""

    claim: Line
    quote: Line = Field(description="Word for word as in the answer, and in a row.")
    cause: Goes = Field(default="", description="Which way the first thing goes in these words.")
    effect: Goes = Field(default="", description="Which way the second thing then goes.")


class Exchange(_Form):
    """A question and its answer."""

    number: int
    question: Line
    answer: Paragraph
    carries: list[Carried] = Field(default_factory=list)


class Interview(_Form):
    """An interview on one topic."""

    names: list[Names]
    exchanges: list[Exchange]
