"""Keeping items by what models answer: optional, off by default, and recorded with the items.

The files of the paper's release are named after such a step. It pushes the scores without context down
by construction, most of all those of the models that were asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from otherminds.interview.calls import Caller, Message
from otherminds.interview.items import BeliefItem, Items, SurveyItem
from otherminds.interview.prompts import prompt
from otherminds.interview.reading import data_message
from otherminds.interview.session import QA
from otherminds.strict import Strict

Filter: TypeAlias = Literal["none", "different", "improves", "both_wrong"]
FILTERS: Final[tuple[str, ...]] = get_args(Filter)
"""none        keep all
different   a model answers otherwise with the interview than without
improves    a model is wrong without the interview and right with it
both_wrong  a model is wrong with and without it"""

_NEAR: Final = {5: 1, 10: 2}
"""How far a number may be from the true one, by the top of its scale."""


class _Letter(Strict):
    answer: Literal["A", "B"]


class _Number(Strict):
    answer: int


@dataclass(frozen=True)
class Sample:
    """What a model answered to one item, with the interview and without; None for no result."""

    participant_id: str
    topic: str
    task: str
    item: str
    model: str
    gold: str
    without: str | None
    with_interview: str | None
    kept: bool


def filtered(items: Items, callers: Sequence[Caller], how: Filter) -> tuple[Items, list[Sample]]:
    """The items that any of the models would keep, and all that the models answered.

    An item that a model gives no result to is not kept by it.
    """
    if how == "none":
        return items, []
    samples: list[Sample] = []
    beliefs = tuple(
        item for item in items.beliefs if _kept(samples, _asked_belief(item, callers, how))
    )
    survey = tuple(
        item for item in items.survey if _kept(samples, _asked_survey(item, callers, how))
    )
    return Items(beliefs, survey, items.without_survey), samples


def _kept(samples: list[Sample], found: Iterable[Sample]) -> bool:
    new = [*found]
    samples += new
    return any(one.kept for one in new)


def _asked_belief(item: BeliefItem, callers: Sequence[Caller], how: Filter) -> list[Sample]:
    gold = "A" if item.belief.sign > 0 else "B"
    data = {"question": item.belief.question, "A": "POSITIVE effect", "B": "NEGATIVE effect"}
    found = []
    for caller in callers:
        answers = [
            caller.ask("filter", messages, _Letter)
            for messages in _both(item.demographics, item.context, data, "A or B")
        ]
        without, shown = (one.answer if one else None for one in answers)
        kept = _keeps(how, without, shown, without == gold, shown == gold)
        found.append(
            Sample(
                item.participant_id,
                item.topic,
                "bsi",
                item.belief.source_qa,
                caller.settings.model,
                gold,
                without,
                shown,
                kept,
            )
        )
    return found


def _asked_survey(item: SurveyItem, callers: Sequence[Caller], how: Filter) -> list[Sample]:
    said = item.answer.content
    low, high = said["scale"]
    gold = int(said["answer"])
    data = {"question": said["question"], "scale": [low, high], "reason": said.get("reason_text")}
    found = []
    for caller in callers:
        answers = [
            caller.ask("filter", messages, _Number)
            for messages in _both(
                item.demographics, item.context, data, f"a whole number from {low} to {high}"
            )
        ]
        without, shown = (one.answer if one else None for one in answers)
        right = [
            one is not None and abs(one - gold) <= _NEAR.get(high, 1) for one in (without, shown)
        ]
        kept = _keeps(how, without, shown, *right)
        found.append(
            Sample(
                item.participant_id,
                item.topic,
                "bdu",
                item.answer.question_id,
                caller.settings.model,
                str(gold),
                None if without is None else str(without),
                None if shown is None else str(shown),
                kept,
            )
        )
    return found


def _keeps(
    how: Filter, without: object, shown: object, right_without: bool, right_shown: bool
) -> bool:
    if without is None or shown is None:
        return False
    if how == "different":
        return without != shown
    if how == "improves":
        return right_shown and not right_without
    return not right_shown and not right_without


def _both(
    demographics: Any, context: Sequence[QA], data: dict[str, Any], what: str
) -> list[list[Message]]:
    """The request without the interview, and with it."""
    system: Message = {"role": "system", "content": prompt("filter", what=what)}
    person = {"person": dict(demographics)}
    turns = [{"question": qa.question, "answer": qa.answer} for qa in context]
    return [
        [system, data_message({**person, **data})],
        [system, data_message({**person, "interview": turns, **data})],
    ]


def as_line(sample: Sample) -> str:
    """A sample as a line of JSON."""
    return json.dumps(vars(sample), ensure_ascii=False)
