"""The questionnaire of a study: its pages, and what is taken for an answer.

First the person, then where they stand, what they have experienced and what weighs with them, then one
page for each scenario. Ids are those of the topic; `<question>r_<code>` is the weight of a reason that
is asked with a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from otherminds.interview.config import SurveyQuestion, Topic
from otherminds.interview.participation import BeliefQuestion
from otherminds.interview.store import Survey
from otherminds.interview.survey import Answered

ABOUT_YOU: Final = "about-you"
VIEWS: Final = "views"
BELIEFS: Final = "beliefs"

REASON_SCALE: Final = (1, 5)
REASON_LABELS: Final = ("no influence", "very large influence")
_REASON: Final = "How much does this influence your answer, in whichever direction? {reason}"

LETTERS: Final = {"A": "It raises it.", "B": "It lowers it."}
"""The options of beliefs that somebody is asked about again, as in the items."""


@dataclass(frozen=True)
class Scale:
    """A question that is answered by a number.

    id      of the survey
    labels  of the lowest and of the highest number
    """

    id: str
    text: str
    scale: tuple[int, int]
    labels: tuple[str, str]
    reason_code: str | None = None
    reason_text: str | None = None

    @property
    def numbers(self) -> range:
        """The numbers to choose from."""
        return range(self.scale[0], self.scale[1] + 1)

    def fault(self, answer: str) -> str | None:
        """Why an answer cannot be taken, for the person; None where it can."""
        return None if answer in map(str, self.numbers) else "Please choose a number."


@dataclass(frozen=True)
class Group:
    """A question, and the reasons that are weighed with it."""

    question: Scale
    reasons: tuple[Scale, ...] = ()

    @property
    def scales(self) -> tuple[Scale, ...]:
        """All of them in order."""
        return (self.question, *self.reasons)


@dataclass(frozen=True)
class Page:
    """A page of the questionnaire."""

    name: str
    title: str
    groups: tuple[Group, ...] = ()

    @property
    def scales(self) -> tuple[Scale, ...]:
        """All that is answered by a number."""
        return tuple(scale for group in self.groups for scale in group.scales)


def pages(topic: Topic, beliefs: Sequence[BeliefQuestion] = ()) -> list[Page]:
    """The pages in order; `beliefs` are asked last, and only of people who are asked again."""
    groups = {one.id: _group(topic, one) for one in topic.survey}
    now = [groups[one.id] for one in topic.survey if one.kind != "scenario"]
    found = [Page(ABOUT_YOU, "About you")]
    if now:
        found.append(Page(VIEWS, "Where you stand", tuple(now)))
    scenarios = [one for one in topic.survey if one.kind == "scenario"]
    found += [
        Page(f"scenario-{one.id}", f"What if? {number} of {len(scenarios)}", (groups[one.id],))
        for number, one in enumerate(scenarios, start=1)
    ]
    if beliefs:
        found.append(Page(BELIEFS, "What leads to what"))
    return found


def next_page(pages_: Sequence[Page], done: Sequence[str]) -> Page | None:
    """The first page that is not filled in; None after the last."""
    return next((one for one in pages_ if one.name not in done), None)


def belief_text(topic: Topic, belief: BeliefQuestion) -> str:
    """How somebody is asked again about a link of their own interview."""
    moved = f"your {topic.stance_label}" if belief.to_stance else belief.target
    return f"As you see it, what does more of “{belief.source}” do to {_quoted(moved, belief)}?"


def read_scales(page: Page, given: Mapping[str, str]) -> tuple[dict[str, int], dict[str, str]]:
    """The numbers that were chosen on a page, and what is missing, both by the survey's id."""
    chosen: dict[str, int] = {}
    faults: dict[str, str] = {}
    for one in page.scales:
        answer = given.get(one.id, "")
        if (fault := one.fault(answer)) is not None:
            faults[one.id] = fault
        else:
            chosen[one.id] = int(answer)
    return chosen, faults


def surveys(person: str, topic: Topic, chosen: Mapping[str, int]) -> Iterator[Survey]:
    """Answers as the database keeps them, with their place in the whole questionnaire."""
    scales = [scale for one in topic.survey for scale in _group(topic, one).scales]
    for number, one in enumerate(scales, start=1):
        if one.id in chosen:
            content = Answered(
                question=one.text,
                question_type="reason_evaluation" if one.reason_code else "opinion",
                scale=one.scale,
                answer=chosen[one.id],
                reason_code=one.reason_code,
                reason_text=one.reason_text,
            )
            yield Survey(person, topic.name, one.id, number, content.model_dump(mode="json"))


def _group(topic: Topic, one: SurveyQuestion) -> Group:
    texts = {reason.code: reason.text for reason in topic.reasons}
    question = Scale(one.id, one.text, one.scale, one.scale_labels)
    reasons = tuple(
        Scale(
            id=f"{one.id}r_{code}",
            text=_REASON.format(reason=texts[code]),
            scale=REASON_SCALE,
            labels=REASON_LABELS,
            reason_code=code,
            reason_text=texts[code],
        )
        for code in one.reasons
    )
    return Group(question, reasons)


def _quoted(text: str, belief: BeliefQuestion) -> str:
    return text if belief.to_stance else f"“{text}”"
