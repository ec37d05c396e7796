"""HugAgent's numbers for each person alone, as in the paper's Table 21."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from otherminds.metrics.hugagent.items import PAPER, Item, Protocol
from otherminds.metrics.hugagent.measures import RATES, tabulate
from otherminds.metrics.hugagent.scores import METRICS, flat_sums, scores_of_flat


class Person(NamedTuple):
    """One person's numbers; NaN for what their items do not ask for, or no answer could be read to.

    bsi_acc, bdu_acc, bdu_dir  fractions
    bdu_mae                    points of the 5-point scale
    composite                  100·u, unscaled: not placed between the ends of ATI
    n_bsi, n_bdu, n_pairs      items, and pairs with both answers read (a mean over runs)
    """

    bsi_acc: float
    bdu_acc: float
    bdu_mae: float
    bdu_dir: float
    composite: float
    n_bsi: float
    n_bdu: float
    n_pairs: float


def by_person(items: Sequence[Item], *, protocol: Protocol = PAPER) -> dict[str, Person]:
    """Each person's numbers on their own items, by id in order.

    As in `summarize`, every rate is computed per topic and run, averaged over runs, then over those of
    the person's topics whose golds ask for it. Many people have no pair of a baseline and a scenario
    answer, hence no direction and no composite. One person's numbers rest on few items: read them
    together, not one by one.

    Raises as `summarize`.
    """
    own: dict[str, list[Item]] = {}
    for item in items:
        own.setdefault(item.participant_id, []).append(item)
    if not own:
        tabulate(items, protocol)  # raises, and says why
    return {person: _person(own[person], protocol) for person in sorted(own)}


def _person(items: Sequence[Item], protocol: Protocol) -> Person:
    table = tabulate(items, protocol)
    overall = scores_of_flat(flat_sums(table).sum(axis=0, keepdims=True), table)[0, -1]
    named: Mapping[str, float] = dict(zip(METRICS, overall.tolist(), strict=True))
    counts = table.sums[..., 1].sum(axis=(0, 1)).mean(axis=0)
    asked = {name: float(counts[RATES.index(name)]) for name in RATES}
    return Person(
        bsi_acc=named["bsi_acc"],
        bdu_acc=named["bdu_acc"],
        bdu_mae=named["bdu_mae"],
        bdu_dir=named["bdu_dir"],
        composite=named["composite"],
        n_bsi=asked["bsi_acc"],
        n_bdu=asked["bdu_acc"],
        n_pairs=asked["bdu_change"],
    )


def is_complete(person: Person) -> bool:
    """Whether a person has every number, and so a composite."""
    return not math.isnan(person.composite)
