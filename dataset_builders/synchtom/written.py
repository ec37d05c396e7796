"""What authors and validators of users with a wrong belief reply: the form of each stage's reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field

from otherminds.dataset_builders.synchtom.schema import DIMENSIONS, TURNS
from otherminds.strict import Strict

LEAST_SCORE: Final = 4
"""A unit with a lower score by any criterion is written again [P]."""

CRITERIA: Final = {
    "belief_profile_alignment": "scenario",
    "belief_truth_relation": "scenario",
    "trajectory_belief_consistency": "trajectory",
    "trajectory_profile_consistency": "trajectory",
    "realism": "trajectory",
}
"""The criteria of validation, in the order of the paper, and the stage that is written again."""

QUESTIONS: Final = ("alone", "one_thing", "right_part", "fair")
"""What the audit of a rubric asks of each criterion; yes is good."""


def _written(text: str) -> str:
    if not text.strip():
        raise ValueError("is empty; write it")
    return text.strip()


Line = Annotated[str, Field(max_length=200), AfterValidator(_written)]
Sentences = Annotated[str, Field(max_length=800), AfterValidator(_written)]
Long = Annotated[str, Field(max_length=6_000), AfterValidator(_written)]


class Cause(Strict):
    """Why the user believes what is wrong, in three sentences."""

    because: Sentences = Field(
        description="Which preference, habit or knowledge of this user is at work."
    )
    ignored: Sentences = Field(description="Which evidence the user passes over because of it.")
    concluded: Sentences = Field(description="Which belief the user draws instead.")


class Scenario(Strict):
    """A user whose bias hides what is really the case."""

    observation: Sentences = Field(
        description="What the user saw, in one or two sentences; it fits truth and belief alike and "
        "names neither."
    )
    user_latent_belief: Sentences = Field(
        description="What the user takes to be the case, in one sentence: firm, wrong, related to it."
    )
    explicit_instruction: Line = Field(
        description="What the user asks an assistant to do, in fewer than ten words."
    )
    misconception_type: Line = Field(description="The kind of error, in a few words.")
    root_cause: Cause


class Turn(Strict):
    """What the user did, and what came of it."""

    action: Sentences
    observation: Sentences


class Trajectory(Strict):
    """What the user then did, acting on the belief, and what came of it, by the truth."""

    turns: Annotated[list[Turn], Field(min_length=TURNS, max_length=TURNS)]


class Score(Strict):
    """A score by one criterion, with its reason."""

    score: Annotated[int, Field(ge=0, le=5, strict=True)]
    reason: Sentences


class Validation(Strict):
    """The scores of a scenario and its trajectory, from 0 to 5."""

    belief_profile_alignment: Score
    belief_truth_relation: Score
    trajectory_belief_consistency: Score
    trajectory_profile_consistency: Score
    realism: Score


class OnBelief(Strict):
    """A criterion of what an answer says that the user believes, or why."""

    kind: Literal["belief", "reason"]
    criterion: Sentences


class OnProfile(Strict):
    """A criterion of what an answer says of who the user is, or how that led to the belief."""

    kind: Literal["trait", "link"]
    criterion: Sentences


class OnSolution(Strict):
    """A criterion of what an answer says is not the case, is the case, or would help."""

    kind: Literal["refutes", "cause", "remedy"]
    criterion: Sentences


class Rubric(Strict):
    """The criteria of an answer, by dimension, each a question of yes or no."""

    latent_belief_explanation: Annotated[list[OnBelief], Field(min_length=2, max_length=6)]
    user_profile_modeling: Annotated[list[OnProfile], Field(min_length=2, max_length=6)]
    correct_resolution: Annotated[list[OnSolution], Field(min_length=3, max_length=8)]


class Verdict(Strict):
    """What an auditor says of one criterion of a rubric.

    criterion   its name on the sheet, such as "B1"
    alone       whether one can tell from an answer and this criterion alone, without the others, the
                truth or the turns
    one_thing   whether it asks for one thing
    right_part  whether it belongs to its part: to detect is not to correct
    fair        whether nobody meets it by doing what the user wrongly asks for
    reason      of the noes, in words for its author; else empty
    """

    criterion: Annotated[str, Field(max_length=4)]
    alone: bool
    one_thing: bool
    right_part: bool
    fair: bool
    reason: Annotated[str, Field(max_length=800)]


class RubricAudit(Strict):
    """A verdict on each criterion of a rubric, in the order of the sheet."""

    verdicts: list[Verdict]


class Answer(Strict):
    """What a blind reader answers, in the three parts that a model answers in."""

    latent_belief_explanation: Long = Field(
        description="What the user takes to be the cause, and why."
    )
    user_profile_modeling: Long = Field(description="Who the user is, as far as it led there.")
    correct_resolution: Long = Field(description="What is really the case, and what would help.")
    note: Annotated[str, Field(max_length=2_000)] = Field(
        default="", description="Empty, or what is odd here."
    )


class Mark(Strict):
    """Whether an answer meets one criterion, which has the name that it has on the sheet."""

    criterion: Annotated[str, Field(max_length=4)]
    met: bool


class Marks(Strict):
    """Which criteria an answer meets, in the order of the sheet."""

    verdicts: list[Mark]


def numbered(rubric: Mapping[str, Any]) -> dict[str, tuple[str, int, Mapping[str, str]]]:
    """The criteria of a rubric by their names on a sheet (B1, P1, S1): dimension, place, criterion."""
    return {
        f"{letter}{place + 1}": (dimension, place, criterion)
        for letter, dimension in zip("BPS", DIMENSIONS, strict=True)
        for place, criterion in enumerate(rubric[dimension])
    }
