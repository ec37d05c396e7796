"""The page of the questionnaire on the person: its fields, and what is taken of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from otherminds.interview import demographics
from otherminds.interview.demographics import ATTENTION, Question
from otherminds.interview.pages.forms import Form, is_line
from otherminds.interview.study_settings import Study

_AFTER: Final = 6
"""The attention check stands among the others, where nobody expects it."""

_CHECK: Final = Question(
    name=ATTENTION, text=demographics.ATTENTION_TEXT, options=demographics.ATTENTION_OPTIONS
)


class Taken(NamedTuple):
    """What somebody said of themselves.

    said       what is kept beside their answers
    private    what says who they are or where they live
    attention  whether they passed the check; None where it was not asked
    faults     what cannot be taken, by the question's name
    """

    said: dict[str, str]
    private: dict[str, str]
    attention: bool | None
    faults: dict[str, str]


def fields(study: Study, *, asks_attention: bool) -> list[Question]:
    """The questions in their order on the page."""
    found = [
        one if one.name != "age" else one.model_copy(update={"least": study.min_age})
        for one in study.demographics
    ]
    if asks_attention and study.attention_check:
        found.insert(_AFTER, _CHECK)
    return found


def read(study: Study, form: Form, *, asks_attention: bool) -> Taken:
    """What a form says."""
    questions = fields(study, asks_attention=asks_attention)
    given = {one.name: form[f"about:{one.name}"] for one in questions}
    said, faults = demographics.read(questions, given)
    faults |= {
        one.name: "Please use one line of plain text."
        for one in questions
        if one.kind == "text" and not is_line(said.get(one.name, ""))
    }
    attention = said.pop(ATTENTION, None)
    hidden = {one.name for one in questions if one.private}
    return Taken(
        said={name: answer for name, answer in said.items() if name not in hidden},
        private={name: answer for name, answer in said.items() if name in hidden},
        attention=None if attention is None else attention == demographics.ATTENTION_RIGHT,
        faults=faults,
    )
