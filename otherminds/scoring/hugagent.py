"""HugAgent inside lm-eval.

`text_all`, `text_bsi` and `text_bdu` are `process_results` of the tasks whose answers are generated,
over all documents, the belief-state-inference documents, or the belief-dynamics-update documents;
`choice_*` are those of the `_logprob` tasks. Every other name that a task YAML uses is an aggregation:
a metric, a count (`n_…`), or `<metric>_stderr`, which lm-eval prints as the metric's ±.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from otherminds.metrics.errors import MetricError
from otherminds.metrics.estimate import Estimate
from otherminds.metrics.hugagent import (
    ERROR_FACTOR,
    PAPER,
    RELEASE,
    TOLERANCE,
    Item,
    Summary,
    summarize,
)
from otherminds.metrics.hugagent.distributions import METRICS as DISTRIBUTION_METRICS
from otherminds.metrics.hugagent.distributions import summarize_distributions
from otherminds.metrics.hugagent.items import BSI
from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.probability import probabilities
from otherminds.scoring.base import Aggregation, ItemScores, aggregation
from otherminds.weightless import LETTERS, answer_space

Doc = Mapping[str, Any]
Answer = str | int | None


class Scored(NamedTuple):
    """One document's answers, and for `_logprob` tasks its options' log-likelihoods."""

    item: Item
    log_likelihoods: tuple[float, ...] = ()

    @staticmethod
    def details(records: Sequence[Scored]) -> dict[str, Any]:
        """Estimates under both protocols, by topic too, with counts and the bootstrap's own facts."""
        items = [scored.item for scored in records]
        paper, release = summarize(items, protocol=PAPER), summarize(items, protocol=RELEASE)
        return {
            "estimates": _plain(_estimates(records, paper)),
            "counts": dict(paper.counts),
            "by_topic": {name: _plain(part.estimates) for name, part in paper.by_topic.items()},
            "release_protocol": _plain(release.estimates),
            "bootstrap": {
                "draws": paper.draws,
                "undefined_draws": dict(paper.undefined_draws),
                "share_without_direction": paper.share_without_direction,
            },
        }


def letters(doc: Doc) -> list[str]:
    """The options of a `_logprob` document: A, B, … one for each possible answer."""
    return list(LETTERS[: len(answer_space(doc))])


def text_all(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers (one per run) to a document of either kind."""
    return _item_scores(_from_text(doc, results), _ALL)


def text_bsi(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers to a belief-state-inference document."""
    return _item_scores(_from_text(doc, results), _BSI)


def text_bdu(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers to a belief-dynamics-update document."""
    return _item_scores(_from_text(doc, results), _BDU)


def choice_all(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a document of either kind."""
    return _item_scores(_from_choice(doc, results), (*DISTRIBUTION_METRICS, *_ALL))


def choice_bsi(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a belief-state-inference document."""
    return _item_scores(_from_choice(doc, results), ("brier", "ece", *_BSI))


def choice_bdu(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a belief-dynamics-update document."""
    return _item_scores(_from_choice(doc, results), (*DISTRIBUTION_METRICS, *_BDU))


_BSI = ("bsi_acc", "parse_rate", "n_people")
_BDU = (
    *("bdu_acc", "bdu_mae", "bdu_dir", "bdu_change", "bdu_direction", "parse_rate"),
    *("n_mae", "n_pairs", "n_both_changed", "n_people"),
)
_ALL = ("composite", "bsi_acc", *_BDU)
_COUNTS = ("n_mae", "n_pairs", "n_both_changed", "n_people")


def item(doc: Doc, answers: tuple[Answer, ...] = ()) -> Item:
    """A document with its parsed answers (one per run), as the metrics take it."""
    low, high = doc["scale"] or (0, 0)
    return Item(
        item_id=doc["item_id"],
        participant_id=doc["participant_id"],
        topic=doc["topic"],
        task=doc["task"],
        question_id=doc["question_id"] or "",
        question_type=doc["question_type"] or "",
        low=low,
        high=high,
        gold=doc["answer"],
        answers=answers,
    )


def parse(doc: Doc, text: str | None) -> Answer:
    """The answer that a model's text gives to a document; None where it cannot be read."""
    if doc["task"] == BSI:
        return parse_letter(text, doc["options"])
    low, high = doc["scale"]
    return parse_number(text, low, high)


def _from_text(doc: Doc, results: Sequence[Sequence[str | None]]) -> Scored:
    return Scored(item(doc, tuple(parse(doc, text) for text in results[0])))


def _from_choice(doc: Doc, results: Sequence[tuple[float, bool]]) -> Scored:
    logs = tuple(float(log_likelihood) for log_likelihood, _ in results)
    if any(math.isnan(log) for log in logs) or all(log == -math.inf for log in logs):
        return Scored(item(doc, (None,)), logs)
    best = int(np.argmax(logs))
    answer: Answer = LETTERS[best] if doc["task"] == BSI else doc["scale"][0] + best
    return Scored(item(doc, (answer,)), logs)


def _item_scores(scored: Scored, metrics: Sequence[str]) -> dict[str, ItemScores]:
    """The document's own score under each metric that one document has a score of."""
    own = _own_scores(scored.item)
    values: dict[str, ItemScores] = {}
    for metric in metrics:
        values[metric] = ItemScores(own.get(metric, ()), scored)
        if metric not in _COUNTS:
            values[f"{metric}_stderr"] = ItemScores((), scored)
    return values


def _own_scores(item: Item) -> dict[str, list[float | None]]:
    """By metric, one score per run; None for an error that cannot be measured."""
    parsed: list[float | None] = [float(answer is not None) for answer in item.answers]
    if item.task == BSI:
        right = [float(answer == item.gold) for answer in item.answers]
        return {"parse_rate": parsed, "bsi_acc": list(right)}
    gold, scale = int(item.gold), (item.low, item.high)
    distances = [None if answer is None else abs(int(answer) - gold) for answer in item.answers]
    return {
        "parse_rate": parsed,
        "bdu_acc": [float(d is not None and d <= TOLERANCE[scale]) for d in distances],
        "bdu_mae": [None if d is None else d * ERROR_FACTOR[scale] for d in distances],
    }


def _summary(records: tuple[Scored, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use."""
    summary = summarize([scored.item for scored in records])
    estimates = _estimates(records, summary)
    values = {name: estimate.value for name, estimate in estimates.items()}
    errors = {f"{name}_stderr": estimate.stderr for name, estimate in estimates.items()}
    return {**values, **errors, **summary.counts}


def _estimates(records: Sequence[Scored], summary: Summary) -> dict[str, Estimate]:
    estimates = dict(summary.estimates)
    if records[0].log_likelihoods:
        vectors = [_distribution(scored) for scored in records]
        estimates |= summarize_distributions([scored.item for scored in records], vectors)
    return estimates


def _plain(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, float]]:
    """Estimates of metrics that had something to measure; `ati` has no human anchors here."""
    return {
        name: dataclasses.asdict(estimate)
        for name, estimate in estimates.items()
        if name != "ati" and estimate.n > 0
    }


def _distribution(scored: Scored) -> Any:
    try:
        return probabilities(scored.log_likelihoods)
    except MetricError:  # a broken output is a parse failure, which parse_rate counts
        return None


def __getattr__(name: str) -> Aggregation:
    metric = name.removesuffix("_stderr")
    if metric in {*DISTRIBUTION_METRICS, *_ALL}:
        return aggregation(_summary, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
