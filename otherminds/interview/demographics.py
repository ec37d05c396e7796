"""What people say of themselves in the questionnaire: the questions, and what is taken for an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal

import yaml
from pydantic import Field, model_validator

from otherminds.strict import Strict

NOT_COMPUTED: Final = "not computed"
"""The value where a question does not apply, such as the share of rent of somebody who owns."""

MOST_TEXT: Final = 300
"""Characters of a free text."""

ATTENTION: Final = "attention"
"""The name of the attention check among the fields; it is no attribute of a person."""

ATTENTION_TEXT: Final = (
    "To show that you read the questions, please choose “rarely” here, whatever is true of you. How "
    "often do you watch films?"
)
ATTENTION_OPTIONS: Final = ("never", "rarely", "sometimes", "often", "very often")
ATTENTION_RIGHT: Final = "rarely"

_SHIPPED: Final = Path(__file__).parent / "demographics.yaml"
_WHOLE: Final = re.compile(r"[0-9]{1,3}")


class Question(Strict):
    """A question about the person; see `demographics.yaml` for its keys."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    text: Annotated[str, Field(min_length=1)]
    kind: Literal["choice", "number", "text"] = "choice"
    options: tuple[str, ...] = ()
    least: int = 0
    most: int = 999
    hint: str = ""
    fixed: bool = False
    private: bool = False
    optional: bool = False
    not_for: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _consistent(self) -> Question:
        if (self.kind == "choice") != (len(self.options) > 1):
            raise ValueError(f"{self.name}: a choice has options, and no other kind has")
        if self.kind == "text" and not self.private:
            raise ValueError(f"{self.name}: a free text may say who somebody is; mark it private")
        return self

    def applies(self, said: Mapping[str, str]) -> bool:
        """Whether somebody is asked who gave these answers."""
        return not any(said.get(name) in values for name, values in self.not_for.items())

    def fault(self, answer: str) -> str | None:
        """Why an answer cannot be taken, for the person; None where it can."""
        if not answer:
            return None if self.optional else "Please answer this question."
        if self.kind == "choice":
            return None if answer in self.options else "Please choose one of these."
        if self.kind == "number":
            if _WHOLE.fullmatch(answer) and self.least <= int(answer) <= self.most:
                return None
            return f"Please give a whole number from {self.least} to {self.most}."
        return None if len(answer) <= MOST_TEXT else f"Please use at most {MOST_TEXT} characters."


@cache
def shipped() -> tuple[Question, ...]:
    """The questions of `demographics.yaml`."""
    rows = yaml.safe_load(_SHIPPED.read_text(encoding="utf-8"))
    return tuple(Question.model_validate(row) for row in rows)


def read(
    questions: Sequence[Question], given: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """What somebody said of themselves, and what cannot be taken, both by the question's name."""
    said: dict[str, str] = {}
    faults: dict[str, str] = {}
    for one in questions:
        answer = given.get(one.name, "").strip()
        if not one.applies(said):
            said[one.name] = NOT_COMPUTED
        elif (fault := one.fault(answer)) is not None:
            faults[one.name] = fault
        elif answer:
            said[one.name] = answer
    return said, faults


def agreement(
    questions: Sequence[Question], before: Mapping[str, str], now: Mapping[str, str]
) -> float:
    """The share of fixed attributes that agree: age within a year, all others word for word.

    Attributes that either side left out do not count; 0 where none is left.
    """
    fixed = [one for one in questions if one.fixed and one.name in before and one.name in now]
    same = sum(_agree(one, before[one.name], now[one.name]) for one in fixed)
    return same / len(fixed) if fixed else 0.0


def _agree(question: Question, before: str, now: str) -> bool:
    if question.kind == "number" and before.isdecimal() and now.isdecimal():
        # Weeks later somebody may have had a birthday.
        return abs(int(now) - int(before)) <= 1
    return before == now
