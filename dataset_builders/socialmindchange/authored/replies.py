"""The forms of what authors of a stage send."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Line = Annotated[str, Field(min_length=1, max_length=600)]
Paragraph = Annotated[str, Field(min_length=1, max_length=3_000)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Somebody(_Form):
    """Who somebody is."""

    name: Line
    age: int = Field(ge=16, le=95)
    work: Line
    profile: Line = Field(
        description="How they talk, and how a word reaches them, in a sentence or two."
    )


class Tie(_Form):
    """Two people who like each other, or do not."""

    between: list[str] = Field(min_length=2, max_length=2)
    line: Line


class Stake(_Form):
    """What somebody gains or loses by a matter."""

    name: Line
    line: Line


class Matter(_Form):
    """A deed, and what lies behind it."""

    topic: Line = Field(description="What all call it: a noun phrase in small letters.")
    deed: Line
    reason: Line
    proof: Line
    stakes: list[Stake]


class Promise(_Form):
    """What somebody has promised somebody."""

    by: Line
    to: Line
    line: Line


class Context(_Form):
    """What a reader is told before the scenes."""

    place: Line
    occasion: Line
    people: list[Somebody]
    lead: Line
    ties: list[Tie]
    matters: list[Matter]
    promises: list[Promise]
    capitals: list[Line] = Field(
        description="Names of places, firms and things with capital letters; of no person."
    )


class Sentence(_Form):
    """The sentence of an outline that tells an event."""

    event: Line
    sentence: Line


class Outline(_Form):
    """What happens in a scene."""

    outline: Paragraph
    events: list[Sentence]


class Trajectory(_Form):
    """What happens, scene by scene."""

    outlines: list[Outline]


class Turn(_Form):
    """Something said, or narrated where the speaker is empty."""

    speaker: str = Field(max_length=40)
    text: Line


class Told(_Form):
    """The turns, from 1, that tell an event."""

    event: Line
    turns: list[int] = Field(min_length=1)


class Scene(_Form):
    """A scene, turn by turn."""

    turns: list[Turn] = Field(min_length=1)
    told: list[Told]


class Scenes(_Form):
    """The story."""

    scenes: list[Scene]


class Phrases(_Form):
    """The lexicon of a stage."""

    phrases: dict[str, Line]
