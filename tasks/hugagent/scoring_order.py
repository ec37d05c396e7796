"""HugAgent's BSI items asked in both orders of their options, inside lm-eval.

`text` and `choice` are `process_results` of tasks whose documents come from
`otherminds.tasks.hugagent.option_order`. The metrics:

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

from collections.abc import Sequence
from dataclasses import dataclass, replace

from otherminds.metrics.hugagent import Item, order_swap, summarize
from otherminds.metrics.hugagent.ranges import RANGES
from otherminds.metrics.hugagent.scores import sufficient
from otherminds.metrics.ranges import cut
from otherminds.metrics.sufficient import Sufficient
from otherminds.scoring.base import Answer, Answered, Order, Totals, View, of_metrics
from otherminds.scoring.scorer import Scorer, Scores, Texts
from otherminds.tasks.hugagent import scoring as hugagent
from otherminds.tasks.hugagent.option_order import SWAPPED
from otherminds.types import Doc


@dataclass(frozen=True, slots=True)
class Asked(Answered):
    """One document's answers, and in which order its options were shown."""

    swapped: bool
    item: Item

    def view(self) -> View:
        """The document as tables show it: each order is an item of its own."""
        found = hugagent.view(self.item)
        return found._replace(
            item_id=_own_id(self), category="options exchanged" if self.swapped else "as it is"
        )

    @property
    def order(self) -> Order:
        """Which order of its options it shows."""
        return Order(self.item.item_id, self.swapped)

    def with_answers(self, answers: tuple[Answer, ...]) -> Asked:
        """The same document, answered otherwise."""
        return replace(self, item=self.item._replace(answers=answers))

    @staticmethod
    def sufficient(records: Sequence[Asked]) -> Sufficient:
        """The sums that resampling people needs, for the accuracy over both orders."""
        items = [asked.item._replace(item_id=_own_id(asked)) for asked in records]
        return of_metrics(sufficient(items), ["bsi_acc", "parse_rate"])

    @staticmethod
    def totals(records: Sequence[Asked]) -> Totals:
        """The metrics above."""
        return _totals(records)


def _read(doc: Doc, texts: Texts) -> Asked:
    return Asked(doc[SWAPPED], hugagent.read(doc, texts).item)


def _choose(doc: Doc, logs: tuple[float, ...]) -> Asked:
    return Asked(doc[SWAPPED], hugagent.choose(doc, logs).item)


def _scores(asked: Asked) -> Scores:
    """The scores of one document; the consistency of an item takes its other document."""
    own = hugagent.own_scores(asked.item)
    return own | {"bsi_acc_swapped" if asked.swapped else "bsi_acc_original": own["bsi_acc"]}


def _totals(records: Sequence[Asked]) -> Totals:
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
    return Totals(cut(estimates, RANGES), counts)


def _own_id(asked: Asked) -> str:
    return f"{asked.item.item_id} swapped" if asked.swapped else asked.item.item_id


SCORER = Scorer(
    metrics={
        **{"bsi_acc": True, "bsi_acc_original": True, "bsi_acc_swapped": True},
        **{"order_consistency": True, "same_letter": False, "parse_rate": True},
    },
    counts=("n_both_orders", "n_people"),
    read=_read,
    scores=_scores,
    choose=_choose,
    options=hugagent.letters,
    check_doc=hugagent.check_doc,
    gold="answer",
    stand_in=hugagent.ALL.stand_in,
)
text, choice = SCORER.text, SCORER.choice
