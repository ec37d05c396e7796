"""Debate beliefs inside lm-eval.

`text` is `process_results` of the tasks whose answers are generated, with a chain of thought or without,
and `choice` that of the `_logprob` tasks, where A stands for agree and B for disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from otherminds.metrics.debate import (
    Belief,
    Summary,
    gain,
    known_bin,
    parse_prediction,
    sufficient,
    summarize,
    summarize_distributions,
)
from otherminds.metrics.debate.ranges import RANGES
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Estimate
from otherminds.scoring.base import (
    Answer,
    Conditioned,
    Gains,
    Totals,
    View,
    defined,
    distribution,
    likeliest,
    plain,
)
from otherminds.scoring.scorer import Scorer, Scores, Texts, revealed
from otherminds.types import Doc

AGREE = "agree"
DISAGREE = "disagree"
ANSWERS = (AGREE, DISAGREE)
"""The answers to every document, in the order in which a prompt lists them."""

LETTERS = ("A", "B")


@dataclass(frozen=True, slots=True)
class Scored(Conditioned):
    """One document's answers, and for `_logprob` tasks the log-likelihoods of agree and disagree."""

    item: Belief
    log_likelihoods: tuple[float, ...] = ()

    def view(self) -> View:
        """The document as tables show it: by its category, then by how much is known of the person."""
        item = self.item
        return View(
            item_id=item.item_id,
            person=item.user_id,
            part=item.category,
            category=known_bin(item.n_known),
            gold=_word(item.agrees),
            answers=tuple(None if answer is None else _word(answer) for answer in item.answers),
            correct=tuple(answer is item.agrees for answer in item.answers),
            scale=None,
            options=ANSWERS,
        )

    def with_answers(self, answers: tuple[Answer, ...]) -> Scored:
        """The same document, answered otherwise; log-likelihoods are those of one model's one run.

        Raises MisalignedInput for an answer that is neither of ANSWERS nor None.
        """
        return Scored(self.item._replace(answers=tuple(map(_stance, answers))))

    @staticmethod
    def sufficient(records: Sequence[Scored]) -> Sufficient:
        """The sums that resampling people needs, for the metrics in which two models can differ."""
        return defined(sufficient([scored.item for scored in records]))

    @staticmethod
    def gains(shown: Sequence[Scored], baseline: Sequence[Scored]) -> Gains:
        """The gain in each metric, overall and by category (`metrics.debate.gain`)."""
        found = gain([scored.item for scored in shown], [scored.item for scored in baseline])
        return Gains(found.overall, found.by_category)

    @staticmethod
    def totals(records: Sequence[Scored]) -> Totals:
        """Over all records, with the metrics of log-likelihoods."""
        summary = summarize([scored.item for scored in records], breakdowns=False)
        return Totals(_estimates(records, summary), summary.counts)

    @classmethod
    def details(cls, records: Sequence[Scored]) -> dict[str, Any]:
        """All estimates with counts; by_topic has those of each category, by_known those of each bin.

        `part_counts` has the counts of each category and bin, `curves` macro-F1 along the bins.
        """
        summary = summarize([scored.item for scored in records])
        n_known: dict[str, list[int]] = {}
        for scored in records:
            n_known.setdefault(known_bin(scored.item.n_known), []).append(scored.item.n_known)
        return {
            "estimates": plain(_estimates(records, summary), RANGES),
            "counts": dict(summary.counts),
            "by_topic": {
                name: plain(one.estimates, RANGES) for name, one in summary.by_category.items()
            },
            "by_known": {
                name: plain(one.estimates, RANGES) for name, one in summary.by_known.items()
            },
            "part_counts": {
                "by_topic": {name: dict(one.counts) for name, one in summary.by_category.items()},
                "by_known": {name: dict(one.counts) for name, one in summary.by_known.items()},
            },
            "curves": [
                {
                    "axis": "known beliefs, mean of a bin",
                    "x": fmean(n_known[name]),
                    "metric": "macro-F1",
                    **{
                        field: getattr(one["macro_f1"], field)
                        for field in ("value", "low", "high", "n")
                    },
                }
                for name, one in summary.by_known.items()
                if len(n_known) > 1
            ],
            "bootstrap": {
                "draws": summary.draws,
                "undefined_draws": {"agree_rate": summary.undefined_draws},
            },
        }


def letters(doc: Doc) -> list[str]:
    """The options of a `_logprob` document: A for agree, B for disagree."""
    return list(LETTERS)


def gold(doc: Doc) -> str:
    """The gold answer, as text; nothing while it is sealed."""
    return "" if SCORER.is_sealed(doc) else _word(doc["agrees"])


def item(doc: Doc, answers: tuple[bool | None, ...] = ()) -> Belief:
    """A document with its parsed answers (one per run), as the metrics take it."""
    return Belief(
        item_id=doc["item_id"],
        user_id=doc["user_id"],
        category=doc["category"],
        n_known=doc["n_known"],
        agrees=revealed(doc["agrees"]),
        answers=answers,
    )


class _Fact(BaseModel):
    model_config = ConfigDict(strict=True)

    attribute: str
    value: str


class _Known(BaseModel):
    model_config = ConfigDict(strict=True)

    proposition: str
    category: str
    agrees: bool


class _Doc(BaseModel):
    model_config = ConfigDict(strict=True)

    item_id: str
    user_id: str
    category: str
    proposition: str
    agrees: bool
    background: list[_Fact]
    known_beliefs: list[_Known]
    n_known: int = Field(ge=0)


def check_doc(doc: Any) -> None:
    """Raises pydantic's ValidationError for anything but a document of debate beliefs."""
    _Doc.model_validate(doc)


def _word(agrees: bool) -> str:
    return AGREE if agrees else DISAGREE


def _stance(answer: Answer) -> bool | None:
    if answer is not None and answer not in ANSWERS:
        raise MisalignedInput(f"Answer {answer!r} is neither {AGREE!r}, {DISAGREE!r} nor None.")
    return None if answer is None else answer == AGREE


def _read(doc: Doc, texts: Texts) -> Scored:
    return Scored(item(doc, tuple(parse_prediction(text, doc["proposition"]) for text in texts)))


def _choose(doc: Doc, logs: tuple[float, ...]) -> Scored:
    best = likeliest(logs)  # of equal ones, agree
    return Scored(item(doc, (None if best is None else best == 0,)), logs)


def _scores(scored: Scored) -> Scores:
    answers, agrees = scored.item.answers, scored.item.agrees
    return {
        "acc": [float(answer is agrees) for answer in answers],
        "agree_rate": [None if answer is None else float(answer) for answer in answers],
        "agree_rate_people": [float(agrees) for _ in answers],
        "parse_rate": [float(answer is not None) for answer in answers],
    }


def _estimates(records: Sequence[Scored], summary: Summary) -> dict[str, Estimate]:
    """The estimates of some records, with those of log-likelihoods."""
    estimates = dict(summary.estimates)
    if records[0].log_likelihoods:
        vectors = [distribution(scored.log_likelihoods) for scored in records]
        estimates |= summarize_distributions([scored.item for scored in records], vectors)
    return estimates


_MEASURES = {"macro_f1": True, "acc": True, "agree_rate": None, "agree_rate_people": None}
_PARSED = {"parse_rate": True}

SCORER = Scorer(
    metrics={**_MEASURES, **_PARSED},
    counts=("n_items", "n_people"),
    option_metrics={**_MEASURES, "brier": False, "ece": False, **_PARSED},
    read=_read,
    scores=_scores,
    choose=_choose,
    options=letters,
    check_doc=check_doc,
    gold="agrees",
    stand_in=lambda doc: {"agrees": False},
)
text, choice = SCORER.text, SCORER.choice
