"""SocialMindChange inside lm-eval.

`text` is `process_results` of the tasks whose answers are generated, with a chain of thought or without,
`text_rendered` that of those on scenes that a model rendered, and `choice` that of the `_logprob` tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.socialmindchange import (
    LETTERS,
    Question,
    Summary,
    parse_option,
    sufficient,
    summarize,
    summarize_distributions,
)
from otherminds.metrics.socialmindchange.items import is_letter, letters_told
from otherminds.metrics.socialmindchange.ranges import RANGES
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Estimate
from otherminds.scoring.base import (
    Answer,
    Answered,
    Totals,
    View,
    defined,
    distribution,
    likeliest,
    plain,
)
from otherminds.scoring.scorer import Scorer, Scores, Texts, revealed
from otherminds.types import Doc

_COUNTS = ("n_items", "n_stages", "n_sets")
_SCENE_COUNTS = ("n_scenes", "n_rendered")


@dataclass(frozen=True, slots=True)
class Scored(Answered):
    """One question's answers, and for `_logprob` tasks the log-likelihoods of the letters.

    `rendered` is how many scenes of its stage a model told anew; None where none was asked to.
    """

    item: Question
    log_likelihoods: tuple[float, ...] = ()
    rendered: int | None = None

    def view(self) -> View:
        """The document as tables show it: by its type, then by the state of mind that it is about."""
        item = self.item
        return View(
            item_id=item.item_id,
            person=item.stage_id,
            part=item.type,
            category=item.mental_state,
            gold=item.answer,
            answers=item.answers,
            correct=tuple(answer == item.answer for answer in item.answers),
            scale=None,
            options=tuple(LETTERS[: item.options]),
        )

    def with_answers(self, answers: tuple[Answer, ...]) -> Scored:
        """The same document, answered otherwise; log-likelihoods are those of one model's one run.

        Raises MisalignedInput for an answer that is neither one of the question's letters nor None.
        """
        options = self.item.options
        given: list[str | None] = []
        for answer in answers:
            if answer is not None and not is_letter(answer, options):
                raise MisalignedInput(
                    f"Answer {answer!r} is neither a letter {letters_told(options)} nor None."
                )
            given.append(None if answer is None else str(answer))
        return Scored(self.item._replace(answers=tuple(given)), rendered=self.rendered)

    @staticmethod
    def sufficient(records: Sequence[Scored]) -> Sufficient:
        """The sums that resampling stages needs, for the metrics in which two models can differ."""
        return defined(sufficient([scored.item for scored in records]))

    @staticmethod
    def totals(records: Sequence[Scored]) -> Totals:
        """Over all records, with the metrics of log-likelihoods and rendered scenes."""
        summary = summarize([scored.item for scored in records])
        return Totals(_estimates(records, summary), _counts(records, summary))

    @classmethod
    def details(cls, records: Sequence[Scored]) -> dict[str, Any]:
        """All estimates with counts; by_topic has those of each type, by_cell the paper's table.

        Orders of belief and steps are there where the data have them, group sizes and lengths where
        there are several.
        """
        summary = summarize([scored.item for scored in records])
        return {
            "estimates": plain(_estimates(records, summary), RANGES),
            "counts": _counts(records, summary),
            "by_topic": {
                name: plain(one.estimates, RANGES) for name, one in summary.by_type.items()
            },
            "by_state": {
                name: plain(one.estimates, RANGES) for name, one in summary.by_state.items()
            },
            "by_cell": {
                name: plain(one.estimates, RANGES) for name, one in summary.by_cell.items()
            },
            "by_span": {
                str(name): plain(one.estimates, RANGES) for name, one in summary.by_span.items()
            },
            **dict(_further(summary)),
            "curves": [
                *_curve("scenes between", summary.by_span),
                *_curve("order of belief", summary.by_order),
            ],
        }


def _further(summary: Summary) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts that not all data have."""
    parts: dict[str, tuple[Mapping[Any, Summary], int]] = {
        "by_order": (summary.by_order, 1),
        "by_steps": (summary.by_steps, 1),
        "by_group_size": (summary.by_group_size, 2),
        "by_length": (summary.by_length, 2),
    }
    for part, (found, least) in parts.items():
        if len(found) >= least:
            yield part, {str(name): plain(one.estimates, RANGES) for name, one in found.items()}


def _curve(axis: str, found: Mapping[int, Summary]) -> Iterator[dict[str, Any]]:
    """Accuracy over some whole numbers."""
    for x, one in found.items():
        acc = RANGES["acc"].cut(one["acc"])
        own = {field: getattr(acc, field) for field in ("value", "low", "high", "n")}
        yield {"axis": axis, "x": x, "metric": "accuracy", **own}


def letters(doc: Doc) -> list[str]:
    """The options of a `_logprob` document."""
    return list(LETTERS[: len(doc["options"])])


def gold(doc: Doc) -> str:
    """The gold answer, as text; nothing while it is sealed."""
    return "" if SCORER.is_sealed(doc) else str(doc["answer"])


def item(doc: Doc, answers: tuple[str | None, ...] = ()) -> Question:
    """A document with its parsed answers (one per run), as the metrics take it."""
    return Question(
        item_id=doc["item_id"],
        stage_id=doc["stage_id"],
        type=doc["type"],
        mental_state=doc["mental_state"],
        third_order=doc["third_order"],
        span=doc["span"],
        group_size=doc["group_size"],
        n_scenarios=doc["n_scenarios"],
        answer=revealed(doc["answer"]),
        prerequisites=tuple(doc["prerequisites"]),
        answers=answers,
        options=len(doc["options"]),
        order=doc.get("order"),
        steps=doc.get("steps"),
    )


class _Doc(BaseModel):
    model_config = ConfigDict(strict=True)

    item_id: str
    stage_id: str
    type: str
    mental_state: str
    third_order: bool
    span: int = Field(ge=0)
    group_size: int
    n_scenarios: int
    question: str
    options: list[str] = Field(min_length=2, max_length=len(LETTERS))
    answer: str = Field(pattern="^[a-p]$")
    prerequisites: list[str]
    order: int | None = Field(default=None, ge=0)
    steps: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _answer_is_an_option(self) -> Self:
        if LETTERS.index(self.answer) >= len(self.options):
            raise ValueError(f"answer {self.answer!r} is none of {len(self.options)} options")
        return self


def check_doc(doc: Any) -> None:
    """Raises pydantic's ValidationError for anything but a document of SocialMindChange."""
    _Doc.model_validate(doc)


def _read(doc: Doc, texts: Texts) -> Scored:
    rendered = doc.get("rendered")
    return Scored(
        item(doc, tuple(parse_option(text, doc["options"]) for text in texts)),
        rendered=None if rendered is None else len(rendered),
    )


def _choose(doc: Doc, logs: tuple[float, ...]) -> Scored:
    best = likeliest(logs)  # the first of equal ones
    return Scored(item(doc, (None if best is None else LETTERS[best],)), logs)


def _scores(scored: Scored) -> Scores:
    found = scored.item
    right = [float(answer == found.answer) for answer in found.answers]
    is_guidance = found.type == "guidance_action"
    return {
        "acc": right,
        "acc_guidance" if is_guidance else "acc_transition": right,
        "parse_rate": [float(answer is not None) for answer in found.answers],
    }


def _stand_in(doc: Doc) -> Mapping[str, Any]:
    # Type and states describe the answer, and are sealed with it.
    return {"type": "", "mental_state": "", "third_order": False, "span": 0, "answer": "a"}


def _estimates(records: Sequence[Scored], summary: Summary) -> dict[str, Estimate]:
    """The estimates of some records, with those of log-likelihoods."""
    estimates = dict(summary.estimates)
    if records[0].log_likelihoods:
        vectors = {scored.item.item_id: distribution(scored.log_likelihoods) for scored in records}
        known = {item_id: vector for item_id, vector in vectors.items() if vector is not None}
        estimates |= summarize_distributions([scored.item for scored in records], known)
    return estimates


def _counts(records: Sequence[Scored], summary: Summary) -> dict[str, float]:
    """All counts, with those of scenes where a model was asked to tell some anew."""
    stages = {
        scored.item.stage_id: (scored.item.n_scenarios, scored.rendered)
        for scored in records
        if scored.rendered is not None
    }
    if not stages:
        return dict(summary.counts)
    totals = (float(sum(column)) for column in zip(*stages.values(), strict=True))
    return {**summary.counts, **dict(zip(_SCENE_COUNTS, totals, strict=True))}


_MEASURES = {
    **{"acc": True, "acc_guidance": True, "acc_transition": True, "acc_third_order": True},
    **{"sets_full": True, "sets_local": None, "sets_apparent": None, "sets_error": False},
}
_PARSED = {"parse_rate": True}

SCORER = Scorer(
    metrics={**_MEASURES, **_PARSED},
    counts=_COUNTS,
    option_metrics={**_MEASURES, "brier": False, "ece": False, **_PARSED},
    read=_read,
    scores=_scores,
    choose=_choose,
    options=letters,
    check_doc=check_doc,
    gold="answer",
    stand_in=_stand_in,
)
text, choice = SCORER.text, SCORER.choice
text_rendered = replace(SCORER, counts=(*_COUNTS, *_SCENE_COUNTS)).text
