"""The gain from more evidence: two conditions on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.debate.items import Belief, check_items
from otherminds.metrics.debate.scores import sufficient
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.permutation import SIGN_FLIPS
from otherminds.metrics.uncertainty import DRAWS, SEED


@dataclass(frozen=True)
class Gain:
    """Differences of one condition from another, by metric (see `metrics.comparison.Difference`).

    overall      on all items
    by_category  on the items of each category, sorted by name
    """

    overall: Mapping[str, Difference]
    by_category: Mapping[str, Mapping[str, Difference]]


def gain(
    condition: Sequence[Belief],
    baseline: Sequence[Belief],
    *,
    draws: int = DRAWS,
    swaps: int = SIGN_FLIPS,
    seed: int = SEED,
) -> Gain:
    """metric(condition) - metric(baseline) of macro_f1, acc, agree_rate and parse_rate.

    condition, baseline  the same items, answered under two conditions such as "both" and "blind"

    Intervals are paired: each bootstrap draw takes the same people for both conditions; p-values are
    those of the cluster swap test (`compare_pair`). They are not adjusted for the number of categories.

    Raises as `check_items`, and MisalignedInput unless both hold the same items with the same people,
    categories and golds in equally many runs.
    """
    check_items(condition)
    check_items(baseline)
    before = {item.item_id: item for item in baseline}
    _check_same(condition, before)
    by_category: dict[str, list[Belief]] = {}
    for item in condition:
        by_category.setdefault(item.category, []).append(item)

    def compared(items: Sequence[Belief]) -> Mapping[str, Difference]:
        others = [before[item.item_id] for item in items]
        return compare_pair(
            sufficient(items), sufficient(others), draws=draws, swaps=swaps, seed=seed
        )

    return Gain(
        overall=compared(condition),
        by_category={name: compared(by_category[name]) for name in sorted(by_category)},
    )


def _check_same(condition: Sequence[Belief], before: Mapping[str, Belief]) -> None:
    apart = {item.item_id for item in condition} ^ before.keys()
    if apart:
        raise MisalignedInput(
            f"{len(apart)} items are in one of the two conditions only, such as {min(apart)!r}: give "
            "the items that were asked in both."
        )
    for item in condition:
        other = before[item.item_id]
        # How much is known of a person may differ: that is what conditions are about.
        if item._replace(answers=(), n_known=0) != other._replace(answers=(), n_known=0):
            raise MisalignedInput(
                f"Item {item.item_id!r} has another person, category or gold in the two conditions: "
                "give answers to one version of the data."
            )
