"""HugAgent's BSI items asked in both orders of their options, inside lm-eval.

`text` and `choice` are `process_results` of tasks whose documents come from
`otherminds.tasks.hugagent.option_order`.
Every other name that a task YAML uses is an aggregation:

bsi_acc            over both orders, each item counting twice
bsi_acc_original   with the options as they are
bsi_acc_swapped    with A and B exchanged
order_consistency  share of items whose two answers mean the same (`metrics.hugagent.order_swap`)
same_letter        share of items answered with the same letter in both orders: position bias
parse_rate         of all answers
n_people, n_both_orders
                   how many people, and items that were asked in both orders
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from otherminds.metrics.estimate import Estimate
from otherminds.metrics.hugagent import Item, order_swap, summarize
from otherminds.metrics.hugagent.scores import sufficient
from otherminds.metrics.sufficient import Sufficient
from otherminds.scoring.base import (
    Aggregation,
    Answer,
    Change,
    ItemScores,
    View,
    aggregation,
    item_scores,
    numbers,
    of_metrics,
    plain,
    with_errors,
)
from otherminds.tasks.hugagent import scoring as hugagent
from otherminds.tasks.hugagent.option_order import SWAPPED
from otherminds.tasks.hugagent.scoring import Doc, Scored, check_doc

__all__ = ["Asked", "check_doc", "choice", "text"]


class Asked(NamedTuple):
    """One document's answers, and in which order its options were shown."""

    swapped: bool
    item: Item

    def view(self) -> View:
        """The document as tables show it: each order is an item of its own."""
        found = hugagent.view(self.item)
        return found._replace(
            item_id=_own_id(self), category="options exchanged" if self.swapped else "as it is"
        )

    def with_answers(self, answers: tuple[Answer, ...]) -> Asked:
        """The same document, answered otherwise."""
        return self._replace(item=self.item._replace(answers=answers))

    @staticmethod
    def sufficient(records: Sequence[Asked]) -> Sufficient:
        """What resampling people needs, for the accuracy over both orders."""
        items = [asked.item._replace(item_id=_own_id(asked)) for asked in records]
        return of_metrics(sufficient(items), ["bsi_acc", "parse_rate"])

    @staticmethod
    def changes(records: Sequence[Asked]) -> list[Change]:
        """None: these items ask for no opinions."""
        return []

    @staticmethod
    def confidence(records: Sequence[Asked]) -> list[tuple[float, bool]]:
        """None: only the letters are kept."""
        return []

    @staticmethod
    def details(records: Sequence[Asked]) -> dict[str, Any]:
        """All estimates with intervals and n."""
        estimates, counts = _estimates(records)
        return {"estimates": plain(estimates), "counts": counts}


def text(doc: Doc, results: Sequence[Sequence[str | None]]) -> dict[str, ItemScores]:
    """Score the generated answers (one per run) to a document in one of the orders."""
    return _item_scores(doc, hugagent.text_bsi(doc, results))


def choice(doc: Doc, results: Sequence[tuple[float, bool]]) -> dict[str, ItemScores]:
    """Score the log-likelihoods of the letters of a document in one of the orders."""
    return _item_scores(doc, hugagent.choice_bsi(doc, results))


_MEASURES = (
    *("bsi_acc", "bsi_acc_original", "bsi_acc_swapped"),
    *("order_consistency", "same_letter", "parse_rate"),
)
_COUNTS = ("n_people", "n_both_orders")


def _item_scores(doc: Doc, scored: Mapping[str, ItemScores]) -> dict[str, ItemScores]:
    """What one document has a score of; the consistency of an item takes its other document."""
    right, read = scored["bsi_acc"], scored["parse_rate"]
    record = Asked(doc[SWAPPED], cast(Scored, right.record).item)
    own = {"bsi_acc": right, "parse_rate": read}
    own["bsi_acc_swapped" if record.swapped else "bsi_acc_original"] = right
    return item_scores(record, own, (*with_errors(_MEASURES), *_COUNTS))


def _summary(records: tuple[Asked, ...]) -> dict[str, float]:
    """All numbers of a run, by the names that the task YAMLs use."""
    estimates, counts = _estimates(records)
    return numbers(estimates, counts, with_errors(_MEASURES))


def _estimates(records: Sequence[Asked]) -> tuple[dict[str, Estimate], dict[str, float]]:
    original = {asked.item.item_id: asked.item for asked in records if not asked.swapped}
    swapped = {asked.item.item_id: asked.item for asked in records if asked.swapped}
    # As items of one set they need ids of their own.
    renamed = [item._replace(item_id=_own_id(Asked(True, item))) for item in swapped.values()]
    both = summarize([*original.values(), *renamed])
    estimates = {"bsi_acc": both["bsi_acc"], "parse_rate": both["parse_rate"]}
    for name, items in (("bsi_acc_original", original), ("bsi_acc_swapped", swapped)):
        if items:
            estimates[name] = summarize(list(items.values()))["bsi_acc"]
    # A limit may leave the last item in one order only.
    shared = original.keys() & swapped.keys()
    if shared:
        found = order_swap([original[i] for i in shared], [swapped[i] for i in shared])
        estimates |= {"order_consistency": found.consistency, "same_letter": found.same_letter}
    counts = {"n_people": both.counts["n_people"], "n_both_orders": float(len(shared))}
    return estimates, counts


def _own_id(asked: Asked) -> str:
    return f"{asked.item.item_id} swapped" if asked.swapped else asked.item.item_id


def __getattr__(name: str) -> Aggregation:
    if name.removesuffix("_stderr") in _MEASURES or name in _COUNTS:
        return aggregation(_summary, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
