"""What a study's pages say and ask beside the interview: the part `study` of a configuration's YAML."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import yaml
from pydantic import Field, model_validator

from otherminds.interview.config import Config, Positive, Share, config_of, read_yaml, validated
from otherminds.interview.demographics import Question, shipped
from otherminds.strict import Strict

Line = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]

_TUTORIAL: Final = Path(__file__).parent / "tutorial.yaml"


class Study(Strict):
    """A study as its pages tell it.

    title             in the head of every page
    institution       who is responsible
    contact           how to reach them; on the consent page, and wherever something went wrong
    about             paragraphs of the consent page; {policy} stands for the topic's
    region            where people must live, as it stands within a sentence
    min_age           in years
    minutes           how long it takes, about
    pay               what people get, a sentence
    id_name           what the recruitment platform calls a person's id
    id_parameter      the name under which the platform's link carries it
    completion_code   what people type in on the platform, or
    completion_link   where they go instead; both are shown at the end
    interview_share   share of the people who are interviewed; the others answer the questionnaire alone
    demographics      questions about the person; by default those of `demographics.yaml`
    attention_check   ask one question whose answer is told
    retest_days       days after which people are invited again
    retest_beliefs    beliefs of their own interview that they are asked about again
    same_attributes   share of fixed attributes that must agree then
    """

    title: Line = "How people reason about public questions"
    institution: str = ""
    contact: str = ""
    about: tuple[Line, ...] = ()
    region: Line = "the region of this study"
    min_age: Annotated[int, Field(ge=16, le=99)] = 18
    minutes: Positive = 40
    pay: str = ""
    id_name: Line = "participant id"
    id_parameter: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$")] = "id"
    completion_code: str | None = None
    completion_link: Annotated[str | None, Field(pattern=r"^https://\S+$")] = None
    interview_share: Share = 1.0
    demographics: tuple[Question, ...] = Field(default_factory=shipped)
    attention_check: bool = True
    retest_days: Positive = 14
    retest_beliefs: Positive = 10
    same_attributes: Share = 0.9

    @model_validator(mode="after")
    def _consistent(self) -> Study:
        names = [one.name for one in self.demographics]
        if twice := sorted({one for one in names if names.count(one) > 1}):
            raise ValueError(f"demographics: {', '.join(twice)} stands there twice")
        for one in self.demographics:
            if unknown := sorted(set(one.not_for) - {*names[: names.index(one.name)]}):
                raise ValueError(f"demographics: {one.name} depends on {', '.join(unknown)}")
        return self


class StudyFile(NamedTuple):
    """What a configuration's YAML holds: the interview's part, and the pages'."""

    config: Config
    study: Study


def read_study(path: Path) -> StudyFile:
    """The configuration of a study. Raises InterviewError, which names the file and every fault."""
    data = read_yaml(path)
    study = validated(Study, data.get("study") or {}, f"{path}, study")
    return StudyFile(with_tutorial(config_of(data, path)), study)


def with_tutorial(config: Config) -> Config:
    """The config with the shipped tutorial, unless its topic has one, or had one and put it out."""
    topic = config.topic
    if any(one.category == "tutorial" for one in topic.guiding):
        return config
    guiding = (*_tutorial(), *(one.model_dump() for one in topic.guiding))
    changed = type(topic).model_validate({**topic.model_dump(), "guiding": guiding})
    return config.model_copy(update={"topic": changed})


@cache
def _tutorial() -> tuple[dict[str, str], ...]:
    turns = yaml.safe_load(_TUTORIAL.read_text(encoding="utf-8"))
    return tuple({**one, "category": "tutorial"} for one in turns)
