"""Commute inside lm-eval: `text` and `choice` are `process_results` of its tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from commute_minds.metrics.commute import Morning, sufficient, summarize
from otherminds.metrics.parsing import parse_letter
from otherminds.metrics.sufficient import Sufficient
from otherminds.scoring.base import Answer, Answered, Totals, View, likeliest, plain
from otherminds.scoring.scorer import Scorer, Scores, Texts, revealed
from otherminds.types import Doc

LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class Scored(Answered):
    """One morning with the answers of each run."""

    item: Morning
    log_likelihoods: tuple[float, ...] = ()

    def view(self) -> View:
        """The document as tables show it: by its weather."""
        item = self.item
        return View(
            item_id=item.item_id,
            person=item.person_id,
            part=item.weather,
            category=item.weather,
            gold=item.answer,
            answers=item.answers,
            correct=tuple(answer == item.answer for answer in item.answers),
            scale=None,
            options=tuple(LETTERS),
        )

    def with_answers(self, answers: tuple[Answer, ...]) -> Scored:
        """The same document, answered otherwise."""
        given = tuple(None if answer is None else str(answer) for answer in answers)
        return Scored(self.item._replace(answers=given))

    @staticmethod
    def totals(records: Sequence[Scored]) -> Totals:
        """Accuracy and the share of readable answers, with the counts that they rest on."""
        items = [one.item for one in records]
        people = {item.person_id for item in items}
        return Totals(summarize(items), {"n_items": len(items), "n_people": len(people)})

    @classmethod
    def details(cls, records: Sequence[Scored]) -> dict[str, Any]:
        """All numbers, and those of each weather."""
        found = cls.totals(records)
        weathers = sorted({one.item.weather for one in records})
        return {
            "estimates": plain(found.estimates),
            "counts": dict(found.counts),
            "by_topic": {
                weather: plain(summarize([r.item for r in records if r.item.weather == weather]))
                for weather in weathers
            },
        }

    @staticmethod
    def sufficient(records: Sequence[Scored]) -> Sufficient:
        """What resampling people needs."""
        return sufficient([one.item for one in records])


class _Doc(BaseModel):
    model_config = ConfigDict(strict=True)

    item_id: str
    person_id: str
    habits: list[str]
    weather: str
    morning: str
    options: list[str] = Field(min_length=4, max_length=4)
    answer: str = Field(pattern="^[A-D]$")


def check_doc(doc: Any) -> None:
    """Refuse what is not a document of commute; raises pydantic's ValidationError."""
    _Doc.model_validate(doc)


def letters(doc: Doc) -> list[str]:
    """The options of a document, by letter."""
    return list(LETTERS[: len(doc["options"])])


def gold(doc: Doc) -> str:
    """The gold letter; nothing while it is sealed."""
    return doc["answer"] or ""


def _item(doc: Doc) -> Morning:
    return Morning(doc["item_id"], doc["person_id"], doc["weather"], revealed(doc["answer"]))


def _read(doc: Doc, replies: Texts) -> Scored:
    answers = tuple(parse_letter(reply, doc["options"]) for reply in replies)
    return Scored(_item(doc)._replace(answers=answers))


def _choose(doc: Doc, logs: tuple[float, ...]) -> Scored:
    best = likeliest(logs)
    return Scored(_item(doc)._replace(answers=(None if best is None else LETTERS[best],)), logs)


def _scores(scored: Scored) -> Scores:
    answers = scored.item.answers
    return {
        "acc": [float(answer == scored.item.answer) for answer in answers],
        "parse_rate": [float(answer is not None) for answer in answers],
    }


def _stand_in(doc: Doc) -> Mapping[str, Any]:
    return {"answer": "A"}


SCORER = Scorer(
    metrics={"acc": True, "parse_rate": True},
    counts=("n_items", "n_people"),
    read=_read,
    scores=_scores,
    choose=_choose,
    options=letters,
    check_doc=check_doc,
    gold="answer",
    stand_in=_stand_in,
)
text, choice = SCORER.text, SCORER.choice
