"""Stages of raters: several read a text blind and rate it from 1 to 5; below a mean of 4 it is out.

So were the data of papers made whose benchmarks are here. Where a stage says so, a text below that mean
is first sent back to its author with what the raters said, and others rate what becomes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
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
    back: str | None = None,
    also: Mapping[str, str] = MappingProxyType({}),
) -> Stage:
    """A stage of blind raters.

    shown     what they see of a unit: the text alone, nothing of the frame
    criteria  the question behind each rating, by its name
    raters    how many rate a unit, none of them its author
    least     the mean, over raters and criteria, below which a unit does not stay as it is
    back      the author's stage that is asked again then, with the raters' remarks, as often as the
              pipeline asks again, by other raters each time; None to drop the unit at once
    also      questions that are asked besides, of which nothing follows: what an author cannot mend, as
              it is the frame's
    """
    asked = {**criteria, **also}
    parts: dict[str, Any] = {
        key: (int, Field(ge=LOWEST, le=HIGHEST, description=question))
        for key, question in asked.items()
    }
    form = create_model("Ratings", __base__=_Rating, **parts)
    lines = [f"- {key}: {question}" for key, question in asked.items()]
    scale = f"Rate from {LOWEST} (not at all) to {HIGHEST} (fully):"

    def ask(unit: Unit) -> Ask:
        return Ask(_SYSTEM, "\n".join([shown(unit), "", scale, *lines]), form)

    def decide(unit: Unit, replies: Sequence[Content]) -> Iterable[Return]:
        found = mean(replies, criteria)
        if found < least:
            by_key = ", ".join(f"{key} {mean(replies, [key]):g}" for key in criteria)
            said = f"the mean rating is {found:.2f} ({by_key}), below {least:g}"
            yield Return("rating", said, back)
            if back is not None:
                for remark in filter(None, (str(one["remark"]).strip() for one in replies)):
                    yield Return("rating", f"a rater's remark: {remark}", back)

    then = "is out" if back is None else "goes back to its author"
    about = f"{raters} blind raters, {', '.join(criteria)}; a mean below {least:g} {then}"
    return Stage(name=name, ask=ask, role=Role.RATER, decide=decide, replies=raters, about=about)


def mean(replies: Sequence[Content], criteria: Iterable[str]) -> float:
    """The mean over raters and criteria."""
    values = [float(reply[key]) for reply in replies for key in criteria]
    return sum(values) / len(values)
