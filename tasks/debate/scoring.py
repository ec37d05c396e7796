"""Debate beliefs inside lm-eval.

`text` is `process_results` of the tasks whose answers are generated, with a chain of thought or without,
and `choice` that of the `_logprob` tasks, where A stands for agree and B for disagree. Every other name
that a task YAML uses is an aggregation: a metric, a count (`n_…`), or `<metric>_stderr`, which lm-eval
prints as the metric's ±.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from otherminds.metrics.debate import (
    METRICS,
    Belief,
    Summary,
    gain,
    known_bin,
    parse_prediction,
    sufficient,
    summarize,
    summarize_distributions,
)
from otherminds.metrics.debate.distributions import METRICS as DISTRIBUTION_METRICS
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.sufficient import Sufficient
from otherminds.scoring.base import (
    Aggregation,
    Answer,
    Change,
    Gains,
    ItemScores,
    View,
    aggregation,
    defined,
    distribution,
    item_scores,
    likeliest,
    numbers,
    plain,
    with_errors,
)
from otherminds.scoring.sealed import is_sealed, revealed

Doc = Mapping[str, Any]

AGREE = "agree"
DISAGREE = "disagree"
ANSWERS = (AGREE, DISAGREE)
"""The answers to every document, in the order in which a prompt lists them."""

LETTERS = ("A", "B")

_MEASURES = tuple(name for name in METRICS if name != "parse_rate")
_COUNTS = ("n_items", "n_people")


class Scored(NamedTuple):
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
        """What resampling people needs, for what two models can differ in."""
        return defined(sufficient([scored.item for scored in records]))

    @staticmethod
    def gains(told: Sequence[Scored], baseline: Sequence[Scored]) -> Gains:
        """What being told gains in each metric, overall and by category (`metrics.debate.gain`)."""
        found = gain([scored.item for scored in told], [scored.item for scored in baseline])
        return Gains(found.overall, found.by_category)

    @staticmethod
    def changes(records: Sequence[Scored]) -> list[Change]:
        """None: nobody is asked twice."""
        return []

    @staticmethod
    def confidence(records: Sequence[Scored]) -> list[tuple[float, bool]]:
        """Probability of the likelier answer, and whether it is right."""
        found = []
        for scored in records:
            vector = distribution(scored.log_likelihoods) if scored.log_likelihoods else None
            if vector is not None:
                found.append((float(vector.max()), scored.item.answers[0] is scored.item.agrees))
        return found

    @staticmethod
    def details(records: Sequence[Scored]) -> dict[str, Any]:
        """All estimates with counts; by_topic has those of each category, by_known those of each bin.

        `part_counts` has the counts of each category and bin, `curves` macro-F1 along the bins.
        """
        summary = summarize([scored.item for scored in records])
        n_known: dict[str, list[int]] = {}
        for scored in records:
            n_known.setdefault(known_bin(scored.item.n_known), []).append(scored.item.n_known)
        return {
            "estimates": plain(_estimates(records, summary)),
            "counts": dict(summary.counts),
            "by_topic": {name: plain(one.estimates) for name, one in summary.by_category.items()},
            "by_known": {name: plain(one.estimates) for name, one in summary.by_known.items()},
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
    return "" if is_sealed(doc) else _word(doc["agrees"])


def text(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers (one per run) to a document."""
    return _item_scores(Scored(item(doc, tuple(map(parse_prediction, results[0])))))


def choice(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the log-likelihoods of the letters of a document; of equal ones, agree is the answer."""
    logs = tuple(float(log_likelihood) for log_likelihood, _ in results)
    best = likeliest(logs)
    return _item_scores(Scored(item(doc, (None if best is None else best == 0,)), logs))


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
    """Refuse what is no document of debate beliefs, such as may stand in a sample file.

    Raises pydantic's ValidationError with what is wrong.
    """
    _Doc.model_validate(doc)


def _word(agrees: bool) -> str:
    return AGREE if agrees else DISAGREE


def _stance(answer: Answer) -> bool | None:
    if answer is not None and answer not in ANSWERS:
        raise MisalignedInput(f"Answer {answer!r} is neither {AGREE!r}, {DISAGREE!r} nor None.")
    return None if answer is None else answer == AGREE


def _item_scores(scored: Scored) -> dict[str, ItemScores]:
    """The document's own score under each metric that one document has a score of."""
    answers, agrees = scored.item.answers, scored.item.agrees
    own: dict[str, list[float | None]] = {
        "acc": [float(answer is agrees) for answer in answers],
        "agree_rate": [None if answer is None else float(answer) for answer in answers],
        "agree_rate_people": [float(agrees) for _ in answers],
        "parse_rate": [float(answer is not None) for answer in answers],
    }
    distribution_metrics = DISTRIBUTION_METRICS if scored.log_likelihoods else ()
    metrics = (*_MEASURES, *distribution_metrics, "parse_rate")
    return item_scores(scored, own, (*with_errors(metrics), *_COUNTS))


def _summary(records: tuple[Scored, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use."""
    summary = summarize([scored.item for scored in records], breakdowns=False)
    return numbers(_estimates(records, summary), summary.counts)


def _estimates(records: Sequence[Scored], summary: Summary) -> dict[str, Estimate]:
    """The estimates of some records, with what log-likelihoods add."""
    estimates = dict(summary.estimates)
    if records[0].log_likelihoods:
        vectors = [distribution(scored.log_likelihoods) for scored in records]
        estimates |= summarize_distributions([scored.item for scored in records], vectors)
    return estimates


def __getattr__(name: str) -> Aggregation:
    if name.removesuffix("_stderr") in {*METRICS, *DISTRIBUTION_METRICS} or name in _COUNTS:
        return aggregation(_summary, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
