"""HugAgent inside lm-eval.

`text_all`, `text_bsi` and `text_bdu` are `process_results` of the tasks whose answers are generated,
over all documents, the belief-state-inference documents, or the belief-dynamics-update documents;
`text_topic` is that of all documents of one topic; `choice_*` are those of the `_logprob` tasks, and
`…_human_…` those of the human track.

For the human track two protocols are in use: metrics that the authors' public scorer counts
differently are there a second time, as `<metric>_release`. It has `ati` beside or in place of
`composite`: of all topics between the paper's ends, of one topic between that topic's own
(`otherminds.tasks.hugagent.anchors`).

Some of its belief-state-inference items show the answer of the exchange that their gold was derived from
(`source_shown`). `bsi_acc_source_hidden` is `bsi_acc` on the items that do not, `bsi_acc_source_shown`
on those that do; each is averaged over the topics that have such items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from otherminds.metrics.hugagent import (
    ERROR_FACTOR,
    PAPER,
    RELEASE,
    TOLERANCE,
    Item,
    Summary,
    summarize,
)
from otherminds.metrics.hugagent.columns import Columns, in_columns
from otherminds.metrics.hugagent.distributions import summarize_distributions
from otherminds.metrics.hugagent.items import BASELINES, BSI, baseline_pairs, check_gold
from otherminds.metrics.hugagent.ranges import OF_RELEASE, OF_TOPIC, RANGES
from otherminds.metrics.hugagent.scores import sufficient
from otherminds.metrics.parsing import parse_letter, parse_number
from otherminds.metrics.sufficient import Sufficient
from otherminds.metrics.uncertainty import Estimate, nothing
from otherminds.scoring.base import (
    Answer,
    Answered,
    Change,
    Totals,
    View,
    distribution,
    likeliest,
    of_metrics,
    plain,
)
from otherminds.scoring.scorer import Scorer, Scores, Texts, revealed
from otherminds.tasks.hugagent import anchors
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.types import Doc
from otherminds.weightless import LETTERS

HUMAN = "human"
SYNTHETIC = "synthetic"


@dataclass(frozen=True, slots=True)
class Scored(Answered):
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
        return replace(self, item=self.item._replace(answers=answers), log_likelihoods=())

    @staticmethod
    def sufficient(records: Sequence[Scored]) -> Sufficient:
        """The sums that resampling people needs; `ati` for the whole human track, else `composite`."""
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
    def totals(records: Sequence[Scored]) -> Totals:
        """The paper's protocol, with the metrics of the records' track and form."""
        columns = in_columns([scored.item for scored in records])
        return _totals(records, summarize(columns), columns)

    @staticmethod
    def details(records: Sequence[Scored]) -> dict[str, Any]:
        """Estimates under both protocols, by topic too, with counts and the bootstrap's own facts."""
        columns = in_columns([scored.item for scored in records])
        paper, release = summarize(columns), summarize(columns, protocol=RELEASE)
        found = _totals(records, paper, columns)
        estimates = dict(found.estimates)
        is_human = records[0].track == HUMAN
        # The release's protocol knows the ends over all topics alone.
        of_all_topics = is_human and not records[0].one_topic and estimates["ati"].n > 0
        of_release = estimates.keys() if of_all_topics else estimates.keys() - {"ati"}
        if of_all_topics:
            estimates["ati_with_ceiling"] = anchors.ati_with_human_interval(paper["composite"])
        return {
            "estimates": plain(estimates, OF_TOPIC if records[0].one_topic else RANGES),
            "counts": found.counts,
            "by_topic": {
                topic: plain(_of_topic(topic, part, is_human=is_human), OF_TOPIC)
                for topic, part in paper.by_topic.items()
            },
            "release_protocol": plain(
                {name: one for name, one in release.estimates.items() if name in of_release},
                OF_RELEASE,
            ),
            **_notes(paper),
            "bootstrap": {
                "draws": paper.draws,
                "undefined_draws": dict(paper.undefined_draws),
                "share_without_direction": paper.share_without_direction,
            },
        }


def _notes(paper: Summary) -> dict[str, list[str]]:
    """Where a direction is 0 by rule alone."""
    lacking = [
        topic
        for topic, part in paper.by_topic.items()
        if part["bdu_direction"].value == 0 and part["bdu_direction"].n == 0
    ]
    if not lacking:
        return {}
    mean = ", and counts as 0 in the mean over topics" if len(paper.by_topic) > 1 else ""
    return {
        "notes": [
            f"bdu_direction is 0 on {' and '.join(lacking)}{mean}: there is no pair of answers in which "
            "both model and person moved (n = 0). That is the rule of the paper's authors."
        ]
    }


def letters(doc: Doc) -> list[str]:
    """The options of a `_logprob` document: A, B, … one for each possible answer."""
    return list(LETTERS[: len(QUESTIONS.answers(doc))])


def gold(doc: Doc) -> str:
    """The gold answer, as text; nothing while it is sealed."""
    return "" if ALL.is_sealed(doc) else str(doc["answer"])


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
    """An item as tables show it; right is what the paper's accuracy counts."""
    scale = None if item.task == BSI else (item.low, item.high)
    return View(
        item_id=item.item_id,
        person=item.participant_id,
        part=item.topic,
        category=item.question_type or item.task,
        gold=item.gold,
        answers=item.answers,
        correct=tuple([answer is not None and _is_right(item, answer) for answer in item.answers]),
        scale=scale,
        options=_options(scale, n_letters),
    )


def _is_right(item: Item, answer: str | int) -> bool:
    if item.task == BSI:
        return answer == item.gold
    return abs(int(answer) - int(item.gold)) <= TOLERANCE[item.low, item.high]


@lru_cache(maxsize=64)
def _options(scale: tuple[int, int] | None, n_letters: int) -> tuple[Answer, ...]:
    return tuple(range(scale[0], scale[1] + 1) if scale else ascii_uppercase[:n_letters])


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
    scale_labels: list[str] | None = None
    answer: str
    source_shown: bool | None = None


def check_doc(doc: Any) -> None:
    """Raises pydantic's ValidationError, ValueError or MetricError for documents of others."""
    _Doc.model_validate(doc)
    if (doc["task"] == BSI) == (not doc["options"]) or len(doc["scale"]) not in (0, 2):
        raise ValueError("a bsi document has options, a bdu document a scale [low, high].")
    if len(doc.get("scale_labels") or ()) not in (0, 2):
        raise ValueError("scale_labels names the two ends of the scale, or is empty.")
    low, high = doc["scale"] or (0, 0)
    check_gold(doc["item_id"], doc["task"], (low, high), revealed(doc["answer"]))


def parse(doc: Doc, text: str | None) -> Answer:
    """The answer that a model's text gives to a document; None where it cannot be read."""
    if doc["task"] == BSI:
        return parse_letter(text, doc["options"])
    low, high = doc["scale"]
    return parse_number(text, low, high, doc.get("scale_labels") or None)


def read(doc: Doc, texts: Texts, *, one_topic: bool = False) -> Scored:
    """A document with the answers in a model's replies to it."""
    return _record(doc, tuple(parse(doc, text) for text in texts), one_topic=one_topic)


def choose(doc: Doc, logs: tuple[float, ...], *, one_topic: bool = False) -> Scored:
    """A document with the likeliest of its options, the first of equal ones."""
    best = likeliest(logs)
    answer: Answer = None
    if best is not None:
        answer = ascii_uppercase[best] if doc["task"] == BSI else doc["scale"][0] + best
    return _record(doc, (answer,), logs, one_topic=one_topic)


def _record(
    doc: Doc, answers: tuple[Answer, ...], logs: tuple[float, ...] = (), *, one_topic: bool
) -> Scored:
    return Scored(
        item(doc, answers),
        doc["track"],
        logs,
        len(doc["options"]),
        one_topic,
        doc.get("source_shown"),
    )


def _scores(scored: Scored) -> Scores:
    own = own_scores(scored.item)
    if scored.source_shown is not None and "bsi_acc" in own:
        own[tuple(_BY_SOURCE)[scored.source_shown]] = own["bsi_acc"]
    return own


def own_scores(item: Item) -> dict[str, list[float | None]]:
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


def remarks(task: str, config: Mapping[str, Any], scores: Mapping[str, Any]) -> Iterator[str]:
    """What a reader must know of the ends of ATI, where it was measured."""
    estimates = scores.get("estimates", {})
    if "ati" in estimates:
        yield from anchors.remarks(task, config["dataset_kwargs"].get("topic"), estimates)


def _totals(records: Sequence[Scored], summary: Summary, columns: Columns) -> Totals:
    """The estimates of the paper's protocol, with those of the records' track and form."""
    estimates, counts = dict(summary.estimates), dict(summary.counts)
    if records[0].track == HUMAN:
        release = summarize(columns, protocol=RELEASE)
        estimates |= {f"{name}_release": release[name] for name in _RELEASE_MEASURES}
        counts["n_pairs_release"] = release.counts["n_pairs"]
        estimates |= _by_source(records)
        counts["n_source_shown"] = sum(scored.source_shown is True for scored in records)
        topics = {scored.item.topic for scored in records}
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
        estimates |= summarize_distributions([scored.item for scored in records], vectors)
    return Totals(estimates, counts)


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


def _stand_in(doc: Doc) -> Mapping[str, Any]:
    return {"answer": str(doc["scale"][0]) if doc["scale"] else "A"}


_BDU = {
    **{"bdu_acc": True, "bdu_mae": False, "bdu_dir": True},
    **{"bdu_change": True, "bdu_direction": True},
}
_BDU_RELEASE = {"bdu_mae_release": False, "bdu_dir_release": True}
_BY_SOURCE = {"bsi_acc_source_hidden": True, "bsi_acc_source_shown": True}
_RELEASE_MEASURES = ("bsi_acc", "bdu_mae", "bdu_dir", "ati")
_PARSED = {"parse_rate": True}
_BSI_DISTRIBUTION = {"brier": False, "ece": False}
_DISTRIBUTION = {**_BSI_DISTRIBUTION, "bdu_mae_expected": False}

_BDU_COUNTS = ("n_mae", "n_pairs", "n_both_changed", "n_people")
_HUMAN_BSI_COUNTS = ("n_source_shown", "n_people")
_HUMAN_BDU_COUNTS = ("n_mae", "n_pairs", "n_both_changed", "n_pairs_release", "n_people")
_HUMAN_COUNTS = ("n_source_shown", *_HUMAN_BDU_COUNTS)


def _scorer(
    measures: Mapping[str, bool | None],
    counts: Sequence[str],
    *,
    human: Mapping[str, bool | None] = MappingProxyType({}),
    distribution_metrics: Mapping[str, bool | None] = _DISTRIBUTION,
    one_topic: bool = False,
) -> Scorer[Scored]:
    """`human`: the metrics that only the human track has, after those of the paper's protocol."""
    return Scorer(
        metrics={**measures, **human, **_PARSED},
        counts=counts,
        option_metrics={**measures, **distribution_metrics, **human, **_PARSED},
        read=partial(read, one_topic=one_topic),
        scores=_scores,
        choose=partial(choose, one_topic=one_topic),
        options=letters,
        check_doc=check_doc,
        gold="answer",
        stand_in=_stand_in,
        called="a HugAgent task",
    )


_BSI = {"bsi_acc": True}
_BOTH = {"composite": True, **_BSI, **_BDU}

BSI_ALONE = _scorer(_BSI, ("n_people",), distribution_metrics=_BSI_DISTRIBUTION)
BDU_ALONE = _scorer(_BDU, _BDU_COUNTS)
TOPIC = _scorer(_BOTH, _BDU_COUNTS, one_topic=True)
ALL = _scorer(_BOTH, _BDU_COUNTS)

_BSI_RELEASE = {"bsi_acc_release": True}

HUMAN_BSI = _scorer(
    _BSI,
    _HUMAN_BSI_COUNTS,
    human={**_BSI_RELEASE, **_BY_SOURCE},
    distribution_metrics=_BSI_DISTRIBUTION,
)
HUMAN_BDU = _scorer(_BDU, _HUMAN_BDU_COUNTS, human=_BDU_RELEASE)
HUMAN_TOPIC = _scorer(
    {"composite": True, "ati": True, **_BSI, **_BDU},
    _HUMAN_COUNTS,
    human={**_BSI_RELEASE, **_BDU_RELEASE, **_BY_SOURCE},
    one_topic=True,
)
HUMAN_ALL = _scorer(
    {"ati": True, **_BSI, **_BDU},
    _HUMAN_COUNTS,
    human={"ati_release": True, **_BSI_RELEASE, **_BDU_RELEASE, **_BY_SOURCE},
)

text_all, choice_all = ALL.text, ALL.choice
text_topic, choice_topic = TOPIC.text, TOPIC.choice
text_bsi, choice_bsi = BSI_ALONE.text, BSI_ALONE.choice
text_bdu, choice_bdu = BDU_ALONE.text, BDU_ALONE.choice
text_human_all, choice_human_all = HUMAN_ALL.text, HUMAN_ALL.choice
text_human_topic, choice_human_topic = HUMAN_TOPIC.text, HUMAN_TOPIC.choice
text_human_bsi, choice_human_bsi = HUMAN_BSI.text, HUMAN_BSI.choice
text_human_bdu, choice_human_bdu = HUMAN_BDU.text, HUMAN_BDU.choice
