"""Stages of raters: several read a text blind and rate it from 1 to 5; below a mean of 4 it is out.

So were the data of papers made whose benchmarks are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model

from otherminds.construct.pipeline import Ask, Return, Role, Stage
from otherminds.dataset_builders.constructed import Content, Unit

LOWEST, HIGHEST = 1, 5

LEAST = 4.0
"""The mean below which a text is out."""

CRITERIA: Mapping[str, str] = {
    "coherence": "Does the text hold together, from its beginning to its end?",
    "rationality": "Do people have reasons for what they do and feel, and are these plausible?",
    "authenticity": "Does it read like something that real people could have said and lived?",
}
"""What scenes are rated on, where a pipeline says nothing else."""

_SYSTEM = (
    "You rate a text. You do not know who wrote it or what it is for. Rate what is there, each "
    "criterion for itself."
)


class _Rating(BaseModel):
    model_config = ConfigDict(extra="forbid")

    remark: str = Field(default="", max_length=2_000, description="Empty, or what is odd.")


def stage(
    name: str,
    shown: Callable[[Unit], str],
    *,
    criteria: Mapping[str, str] = CRITERIA,
    raters: int = 2,
    least: float = LEAST,
) -> Stage:
    """A stage of blind raters.

    shown     what they see of a unit: the text alone, nothing of the frame
    criteria  the question behind each rating, by its name
    raters    how many rate a unit, none of them its author
    least     a unit whose ratings have a mean below this, over raters and criteria, is dropped
    """
    parts: dict[str, Any] = {
        key: (int, Field(ge=LOWEST, le=HIGHEST, description=question))
        for key, question in criteria.items()
    }
    form = create_model("Ratings", __base__=_Rating, **parts)
    lines = [f"- {key}: {question}" for key, question in criteria.items()]
    scale = f"Rate from {LOWEST} (not at all) to {HIGHEST} (fully):"

    def ask(unit: Unit) -> Ask:
        return Ask(_SYSTEM, "\n".join([shown(unit), "", scale, *lines]), form)

    def decide(unit: Unit, replies: Sequence[Content]) -> Iterable[Return]:
        found = mean(replies, criteria)
        if found < least:
            yield Return("rating", f"the mean rating is {found:.2f}, below {least:g}")

    about = f"{raters} blind raters, {', '.join(criteria)}; a mean below {least:g} is out"
    return Stage(name=name, ask=ask, role=Role.RATER, decide=decide, replies=raters, about=about)


def mean(replies: Sequence[Content], criteria: Iterable[str]) -> float:
    """The mean over raters and criteria."""
    values = [float(reply[key]) for reply in replies for key in criteria]
    return sum(values) / len(values)
