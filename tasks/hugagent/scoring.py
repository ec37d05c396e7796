"""HugAgent inside lm-eval.

`text_all`, `text_bsi` and `text_bdu` are `process_results` of the tasks whose answers are generated,
over all documents, the belief-state-inference documents, or the belief-dynamics-update documents;
`text_topic` is that of all documents of one topic; `choice_*` are those of the `_logprob` tasks. Every
other name that a task YAML uses is an aggregation: a metric, a count (`n_…`), or `<metric>_stderr`,
which lm-eval prints as the metric's ±.

What a document is scored by depends on its track too. For the human track two protocols are in use: what
the authors' public scorer counts differently is there a second time, as `<metric>_release`. It has
`ati` beside or in place of `composite`: of all topics between the paper's ends, of one topic between
that topic's own (see `otherminds.tasks.hugagent.anchors`).

Some of its belief-state-inference items show the answer of the exchange that their gold was derived from
(`source_shown`). `bsi_acc_source_hidden` is `bsi_acc` on the items that do not, `bsi_acc_source_shown`
on those that do; each is averaged over the topics that have such items.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from otherminds.metrics.estimate import Estimate, nothing
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
from otherminds.metrics.hugagent.items import BSI, check_golds
from otherminds.metrics.hugagent.protocol import BASELINES, baseline_pairs
from otherminds.metrics.hugagent.scores import sufficient
from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.sufficient import Sufficient
from otherminds.scoring.base import (
    Aggregation,
    Answer,
    Change,
    ItemScores,
    View,
    aggregation,
    distribution,
    likeliest,
    numbers,
    of_metrics,
    plain,
)
from otherminds.scoring.sealed import is_sealed, revealed
from otherminds.tasks.hugagent import anchors
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.weightless import LETTERS

Doc = Mapping[str, Any]

HUMAN = "human"
SYNTHETIC = "synthetic"


class Scored(NamedTuple):
    """One document's answers, its track, and for `_logprob` tasks its options' log-likelihoods.

    n_letters     how many letters a belief-state-inference document has to choose from
    one_topic     whether the task has one topic alone, between whose own ends ATI lies
    source_shown  whether a document of the human track shows the answer of its gold's source; None
                  where it has no source or nothing says so
    """

    item: Item
    track: str = SYNTHETIC
    log_likelihoods: tuple[float, ...] = ()
    n_letters: int = 2
    one_topic: bool = False
    source_shown: bool | None = None

    def view(self) -> View:
        """The document as tables show it, under the paper's protocol."""
        return view(self.item, self.n_letters)

    def with_answers(self, answers: tuple[Answer, ...]) -> Scored:
        """The same document, answered otherwise; log-likelihoods are those of one model's one run."""
        return self._replace(item=self.item._replace(answers=answers), log_likelihoods=())

    @staticmethod
    def sufficient(records: Sequence[Scored]) -> Sufficient:
        """What resampling people needs; `ati` for the whole human track, else `composite`."""
        found = sufficient([scored.item for scored in records])
        topics = {scored.item.topic for scored in records}
        is_anchored = records[0].track == HUMAN and topics == set(BASELINES)
        other = "composite" if is_anchored else "ati"
        values = found.values()
        shown = [name for name in found.metrics if name != other and not math.isnan(values[name])]
        return of_metrics(found, shown)

    @staticmethod
    def changes(records: Sequence[Scored]) -> list[Change]:
        """From each person's baseline opinion to the answers after a scenario, in every run."""
        return changes([scored.item for scored in records])

    @staticmethod
    def confidence(records: Sequence[Scored]) -> list[tuple[float, bool]]:
        """Probability of the most likely option, and whether it is right."""
        found = []
        for scored in records:
            vector = distribution(scored.log_likelihoods) if scored.log_likelihoods else None
            if vector is not None:
                found.append((float(vector.max()), scored.view().correct[0]))
        return found

    @staticmethod
    def details(records: Sequence[Scored]) -> dict[str, Any]:
        """Estimates under both protocols, by topic too, with counts and the bootstrap's own facts."""
        items = [scored.item for scored in records]
        paper, release = summarize(items, protocol=PAPER), summarize(items, protocol=RELEASE)
        estimates, counts = _estimates(records, paper)
        is_human = records[0].track == HUMAN
        # The release's protocol knows the ends over all topics alone.
        of_all_topics = is_human and not records[0].one_topic and estimates["ati"].n > 0
        of_release = estimates.keys() if of_all_topics else estimates.keys() - {"ati"}
        if of_all_topics:
            estimates["ati_with_ceiling"] = anchors.ati_with_human_interval(paper["composite"])
        return {
            "estimates": plain(estimates),
            "counts": counts,
            "by_topic": {
                topic: plain(_of_topic(topic, part, is_human=is_human))
                for topic, part in paper.by_topic.items()
            },
            "release_protocol": plain(
                {name: one for name, one in release.estimates.items() if name in of_release}
            ),
            "bootstrap": {
                "draws": paper.draws,
                "undefined_draws": dict(paper.undefined_draws),
                "share_without_direction": paper.share_without_direction,
            },
        }


def letters(doc: Doc) -> list[str]:
    """The options of a `_logprob` document: A, B, … one for each possible answer."""
    return list(LETTERS[: len(QUESTIONS.answers(doc))])


def gold(doc: Doc) -> str:
    """The gold answer, as text; nothing while it is sealed."""
    return "" if is_sealed(doc) else str(doc["answer"])


def text_all(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers (one per run) to a document of either kind."""
    return _item_scores(_from_text(doc, results), "all")


def text_topic(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers to a document of either kind, where all are of one topic."""
    return _item_scores(_from_text(doc, results)._replace(one_topic=True), "topic")


def text_bsi(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers to a belief-state-inference document."""
    return _item_scores(_from_text(doc, results), "bsi")


def text_bdu(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers to a belief-dynamics-update document."""
    return _item_scores(_from_text(doc, results), "bdu")


def choice_all(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a document of either kind."""
    return _item_scores(_from_choice(doc, results), "all")


def choice_topic(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a document of either kind, where all are of one topic."""
    return _item_scores(_from_choice(doc, results)._replace(one_topic=True), "topic")


def choice_bsi(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a belief-state-inference document."""
    return _item_scores(_from_choice(doc, results), "bsi")


def choice_bdu(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the options' log-likelihoods of a belief-dynamics-update document."""
    return _item_scores(_from_choice(doc, results), "bdu")


_BDU = ("bdu_acc", "bdu_mae", "bdu_dir", "bdu_change", "bdu_direction")
_BDU_RELEASE = ("bdu_mae_release", "bdu_dir_release")
_BY_SOURCE = ("bsi_acc_source_hidden", "bsi_acc_source_shown")
_BSI_COUNTS = ("n_people",)
_BDU_COUNTS = ("n_mae", "n_pairs", "n_both_changed", *_BSI_COUNTS)
_HUMAN_BDU_COUNTS = ("n_mae", "n_pairs", "n_both_changed", "n_pairs_release", *_BSI_COUNTS)

# What is scored, by the documents of a task and by their track.
_METRICS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("bsi", SYNTHETIC): ("bsi_acc", "parse_rate", *_BSI_COUNTS),
    ("bdu", SYNTHETIC): (*_BDU, "parse_rate", *_BDU_COUNTS),
    ("topic", SYNTHETIC): ("composite", "bsi_acc", *_BDU, "parse_rate", *_BDU_COUNTS),
    ("all", SYNTHETIC): ("composite", "bsi_acc", *_BDU, "parse_rate", *_BDU_COUNTS),
    ("bsi", HUMAN): (
        *("bsi_acc", "bsi_acc_release", *_BY_SOURCE),
        *("parse_rate", "n_source_shown", *_BSI_COUNTS),
    ),
    ("bdu", HUMAN): (*_BDU, *_BDU_RELEASE, "parse_rate", *_HUMAN_BDU_COUNTS),
    ("topic", HUMAN): (
        *("composite", "ati", "bsi_acc", *_BDU, "bsi_acc_release", *_BDU_RELEASE, *_BY_SOURCE),
        *("parse_rate", "n_source_shown", *_HUMAN_BDU_COUNTS),
    ),
    ("all", HUMAN): (
        *("ati", "bsi_acc", *_BDU, "ati_release", "bsi_acc_release", *_BDU_RELEASE, *_BY_SOURCE),
        *("parse_rate", "n_source_shown", *_HUMAN_BDU_COUNTS),
    ),
}
_RELEASE_MEASURES = ("bsi_acc", "bdu_mae", "bdu_dir", "ati")
_DISTRIBUTION_METRICS = {"bsi": ("brier", "ece")}


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
        gold=revealed(doc["answer"]),
        answers=answers,
    )


def view(item: Item, n_letters: int = 2) -> View:
    """An item as tables show it; the paper's accuracy says what is right."""
    is_bsi = item.task == BSI
    own = _own_scores(item)["bsi_acc" if is_bsi else "bdu_acc"]
    return View(
        item_id=item.item_id,
        person=item.participant_id,
        part=item.topic,
        category=item.question_type or item.task,
        gold=item.gold,
        answers=item.answers,
        correct=tuple(bool(score) for score in own),
        scale=None if is_bsi else (item.low, item.high),
        options=tuple(LETTERS[:n_letters] if is_bsi else range(item.low, item.high + 1)),
    )


def changes(items: Sequence[Item]) -> list[Change]:
    """From each person's baseline opinion to the answers after a scenario, in every run."""
    found = []
    for scenario, baseline in baseline_pairs(items, PAPER).tolist():
        before, after = items[baseline], items[scenario]
        for first, second in zip(before.answers, after.answers, strict=True):
            if isinstance(first, int) and isinstance(second, int):
                true = int(after.gold) - int(before.gold)
                found.append(Change(after.topic, true, second - first))
    return found


class _Doc(BaseModel):
    model_config = ConfigDict(strict=True)

    item_id: str
    participant_id: str
    track: Literal["human", "synthetic"]
    topic: str
    task: Literal["bsi", "bdu"]
    question_id: str | None
    question_type: str | None
    options: list[str]
    scale: list[int]
    answer: str
    source_shown: bool | None = None


def check_doc(doc: Any) -> None:
    """Refuse what is no document of HugAgent, such as may stand in a sample file.

    Raises pydantic's ValidationError, ValueError or MetricError with what is wrong.
    """
    _Doc.model_validate(doc)
    if (doc["task"] == BSI) == (not doc["options"]) or len(doc["scale"]) not in (0, 2):
        raise ValueError("a bsi document has options, a bdu document a scale [low, high].")
    check_golds([item(doc)])


def parse(doc: Doc, text: str | None) -> Answer:
    """The answer that a model's text gives to a document; None where it cannot be read."""
    if doc["task"] == BSI:
        return parse_letter(text, doc["options"])
    low, high = doc["scale"]
    return parse_number(text, low, high)


def _from_text(doc: Doc, results: Sequence[Sequence[str | None]]) -> Scored:
    answers = tuple(parse(doc, text) for text in results[0])
    return Scored(
        item(doc, answers),
        doc["track"],
        n_letters=len(doc["options"]),
        source_shown=doc.get("source_shown"),
    )


def _from_choice(doc: Doc, results: Sequence[tuple[float, bool]]) -> Scored:
    logs = tuple(float(log_likelihood) for log_likelihood, _ in results)
    best = likeliest(logs)
    answer: Answer = None
    if best is not None:
        answer = LETTERS[best] if doc["task"] == BSI else doc["scale"][0] + best
    return Scored(
        item(doc, (answer,)),
        doc["track"],
        logs,
        len(doc["options"]),
        source_shown=doc.get("source_shown"),
    )


def _item_scores(scored: Scored, documents: str) -> dict[str, ItemScores]:
    """The document's own score under each metric that one document has a score of."""
    metrics = _METRICS[documents, scored.track]
    if scored.log_likelihoods:
        metrics = (*_DISTRIBUTION_METRICS.get(documents, DISTRIBUTION_METRICS), *metrics)
    own = {metric: ItemScores(found, scored) for metric, found in _own_scores(scored.item).items()}
    if scored.source_shown is not None and "bsi_acc" in own:
        own[_BY_SOURCE[scored.source_shown]] = own["bsi_acc"]
    none = ItemScores((), scored)
    values: dict[str, ItemScores] = {}
    for metric in metrics:
        values[metric] = own.get(metric, none)
        if not metric.startswith("n_"):
            values[f"{metric}_stderr"] = none
    return values


def _own_scores(item: Item) -> dict[str, list[float | None]]:
    """By metric, one score per run; None for an error that cannot be measured."""
    parsed: list[float | None] = [float(answer is not None) for answer in item.answers]
    if item.task == BSI:
        accepted = item.gold.split("/")
        return {
            "parse_rate": parsed,
            "bsi_acc": [float(answer == item.gold) for answer in item.answers],
            "bsi_acc_release": [float(answer in accepted) for answer in item.answers],
        }
    gold, scale = int(item.gold), (item.low, item.high)
    distances = [None if answer is None else abs(int(answer) - gold) for answer in item.answers]
    errors = [None if d is None else d * ERROR_FACTOR[scale] for d in distances]
    return {
        "parse_rate": parsed,
        "bdu_acc": [float(d is not None and d <= TOLERANCE[scale]) for d in distances],
        "bdu_mae": errors,
        "bdu_mae_release": [RELEASE.unparsed_error if e is None else e for e in errors],
    }


def _summary(records: tuple[Scored, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use."""
    estimates, counts = _estimates(records, summarize([scored.item for scored in records]))
    return numbers(estimates, counts)


def _estimates(
    records: Sequence[Scored], summary: Summary
) -> tuple[dict[str, Estimate], dict[str, float]]:
    """What the paper's protocol says of some records, with what their track and form add."""
    items = [scored.item for scored in records]
    estimates, counts = dict(summary.estimates), dict(summary.counts)
    if records[0].track == HUMAN:
        release = summarize(items, protocol=RELEASE)
        estimates |= {f"{name}_release": release[name] for name in _RELEASE_MEASURES}
        counts["n_pairs_release"] = release.counts["n_pairs"]
        estimates |= _by_source(records)
        counts["n_source_shown"] = sum(scored.source_shown is True for scored in records)
        topics = {item.topic for item in items}
        if records[0].one_topic:
            estimates["ati"] = anchors.ati_of_topic(summary["composite"], *topics)
            estimates["ati_release"] = nothing()
        elif topics != set(BASELINES):
            # A sample may lack a topic, but the anchors of ATI are averages over the three.
            estimates |= {"ati": nothing(), "ati_release": nothing()}
    else:
        del estimates["ati"]
    if records[0].log_likelihoods:
        vectors = [distribution(scored.log_likelihoods) for scored in records]
        estimates |= summarize_distributions(items, vectors)
    return estimates, counts


def _of_topic(topic: str, part: Summary, *, is_human: bool) -> dict[str, Estimate]:
    """The numbers of one topic, with ATI between its own ends on the human track."""
    found = {name: one for name, one in part.estimates.items() if name != "ati"}
    if is_human:
        found["ati"] = anchors.ati_of_topic(part["composite"], topic)
    return found


def _by_source(records: Sequence[Scored]) -> dict[str, Estimate]:
    """BSI accuracy of the items that hide and of those that show the source of their gold."""
    found = {}
    for shown, name in enumerate(_BY_SOURCE):
        items = [scored.item for scored in records if scored.source_shown is bool(shown)]
        found[name] = summarize(items)["bsi_acc"] if items else nothing()
    return found


def __getattr__(name: str) -> Aggregation:
    metric = name.removesuffix("_stderr")
    if metric in {*DISTRIBUTION_METRICS, *chain.from_iterable(_METRICS.values())}:
        return aggregation(_summary, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
