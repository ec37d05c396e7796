"""The words of interviews: the YAML files in `content/`."""

from __future__ import annotations

from functools import cache
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

from otherminds.dataset_builders.content_files import read
from otherminds.dataset_builders.hugagent.telling.grammar import Lines
from otherminds.dataset_builders.hugagent.telling.life import FOLDER
from otherminds.strict import Strict

Way: TypeAlias = Literal["toward", "away"]
Certain: TypeAlias = Literal["sure", "unsure"]
Taken: TypeAlias = Literal["agree", "differ"]


class FactorTalk(Strict):
    """How a factor is named, how there is more or less of it, and what people saw of that."""

    tag: Lines
    about: Lines
    up: Lines
    down: Lines
    seen_up: Lines
    seen_down: Lines

    def clauses(self, direction: int) -> Lines:
        """Clauses that say that there is more (1) or less (−1) of it."""
        return self.up if direction > 0 else self.down

    def seen(self, direction: int) -> Lines:
        """What somebody saw of there being more (1) or less (−1) of it."""
        return self.seen_up if direction > 0 else self.seen_down


class TopicTalk(Strict):
    """How a policy and the factors around it are spoken of; `city` is who decides."""

    policy: Lines
    policy_short: Lines
    city: tuple[str, ...]
    factors: dict[str, FactorTalk]


class ClaimTalk(Strict):
    """Frames and slots of claims; `claims.yaml` says what each is for."""

    move: dict[Way, Lines]
    speaks: dict[Way, Lines]
    effect_stance: Lines
    effect_factor: Lines
    no_effect_stance: Lines
    no_effect_factor: Lines
    act: Lines
    good_idea: dict[Way, Lines]
    better_off: dict[Way, Lines]
    together: Lines
    apart: Lines
    mark: Lines
    linked: Lines
    certain: dict[Certain, Lines]
    certainly: dict[Certain, Lines]
    link: dict[Literal["factor", "none", "stance"], Lines]
    soft: Lines
    ranked: Lines
    rank: dict[int, Lines]
    points: dict[int, Lines]
    share: dict[int, Lines]
    degree: dict[int, Lines]
    hundred: dict[int, Lines]
    slice: dict[int, Lines]
    habit: Lines
    listen: dict[int, Lines]
    read: dict[int, Lines]
    meetings: dict[int, Lines]
    times: dict[int, Lines]
    papers: dict[int, Lines]
    often: dict[int, Lines]
    letters: dict[int, Lines]
    weighing: Lines
    stance: dict[int, Lines]
    told: Lines
    hint_stance: dict[int, Lines]
    firmness: dict[int, Lines]
    believes: Lines
    accord: dict[Taken, Lines]
    accord_stance: dict[Taken, Lines]
    first: Lines
    revision: dict[Literal["stands", "turns"], Lines]


class Subject(Strict):
    """Questions on one subject, and lines that answer any of them."""

    questions: Lines
    lines: Lines


class Background(Strict):
    """What people tell of themselves; the first subject opens an interview. `rules` fill slots."""

    subjects: dict[str, Subject]
    rules: dict[str, Lines]


class Poles(Strict):
    """Lines of those who hold a value high, and of those who do not."""

    high: Lines
    low: Lines


class Asked(Strict):
    """The interviewer's questions."""

    stance: Lines
    firmness: Lines
    factor: Lines
    again: Lines
    followup: Lines
    values: dict[str, Lines]


class Speech(Strict):
    """The run of talk; `rules` fill slots."""

    rules: dict[str, Lines]
    openers: Lines
    hedge: Lines
    assert_: Lines
    even: Lines
    also: Lines
    tags: Lines
    example: Lines
    aside: Lines
    ground: Lines
    talk: Lines
    digression: dict[str, Lines]
    values: dict[str, Poles]
    chatter: dict[str, Subject]
    questions: Asked


class Bank(Strict):
    """All words."""

    topics: dict[str, TopicTalk]
    claims: ClaimTalk
    background: Background
    speech: Speech


@cache
def bank() -> Bank:
    """The content files, read and checked."""
    return Bank(
        topics={
            name: read(FOLDER / f"{name}.yaml", TypeAdapter(TopicTalk))
            for name in ("healthcare", "surveillance", "zoning")
        },
        claims=read(FOLDER / "claims.yaml", TypeAdapter(ClaimTalk)),
        background=read(FOLDER / "background.yaml", TypeAdapter(Background)),
        speech=read(FOLDER / "speech.yaml", TypeAdapter(Speech)),
    )
