"""The gain from one condition over another on the same instances: more turns, say, or a known belief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.errors import MisalignedInput
from otherminds.metrics.permutation import SIGN_FLIPS
from otherminds.metrics.synchtom.items import Judged, Unscored, check_items
from otherminds.metrics.synchtom.scores import SCORES, UNFLAGGED, sufficient
from otherminds.metrics.uncertainty import DRAWS, SEED

_LEFT_OUT = {Unscored.CUT_OFF, Unscored.NO_JUDGEMENT, Unscored.JUDGE_CUT_OFF}


@dataclass(frozen=True)
class Gain:
    """Differences of one condition from another, by metric (see `metrics.comparison.Difference`).

    overall      on all instances
    by_scenario  on the instances of each scenario, sorted by name
    """

    overall: Mapping[str, Difference]
    by_scenario: Mapping[str, Mapping[str, Difference]]


def gain(
    condition: Sequence[Judged],
    baseline: Sequence[Judged],
    *,
    draws: int = DRAWS,
    swaps: int = SIGN_FLIPS,
    seed: int = SEED,
) -> Gain:
    """metric(condition) - metric(baseline) of METRICS, with paired intervals and swap-test p-values.

    condition, baseline  the same instances, each once, answered under two conditions such as "after ten
                         turns" and "after none", or "shuffled" and "vanilla"

    belief, profile, solution and avg (also without flagged criteria) rest on what was judged in both
    conditions: where the judgement of run r failed in one, or the answer was cut off, run r of that
    instance is left out of both, so that the difference is never one between different instances. The
    floors and rates rest on everything. Each bootstrap draw takes the same instances for both
    conditions (`compare_pair`). P-values are not adjusted for the number of scenarios.

    Raises as `check_items`, and MisalignedInput for an instance that is in one condition only or twice
    in one, has another scenario or other criteria, or unless both have equally many runs.
    """
    pairs = _paired(condition, baseline)
    on_judged = {*SCORES, *UNFLAGGED}
    by_scenario: dict[str, list[tuple[Judged, Judged]]] = {}
    for pair in pairs:
        by_scenario.setdefault(pair[0].scenario, []).append(pair)

    def compared(some: Sequence[tuple[Judged, Judged]]) -> Mapping[str, Difference]:
        after, before = [a for a, _ in some], [b for _, b in some]
        options = {"draws": draws, "swaps": swaps, "seed": seed}
        everything = compare_pair(sufficient(after), sufficient(before), **options)
        judged = [_judged_in_both(a, b) for a, b in some]
        shared = compare_pair(
            sufficient([a for a, _ in judged]), sufficient([b for _, b in judged]), **options
        )
        return {name: (shared if name in on_judged else everything)[name] for name in everything}

    return Gain(
        overall=compared(pairs),
        by_scenario={name: compared(by_scenario[name]) for name in sorted(by_scenario)},
    )


def _paired(condition: Sequence[Judged], baseline: Sequence[Judged]) -> list[tuple[Judged, Judged]]:
    if check_items(condition) != check_items(baseline):
        raise MisalignedInput("The two conditions have different numbers of runs.")
    after, before = _by_instance(condition), _by_instance(baseline)
    if apart := after.keys() ^ before.keys():
        raise MisalignedInput(
            f"{len(apart)} instances are in one of the two conditions only, such as {min(apart)!r}: "
            "give the instances that were asked in both."
        )
    for name, one in after.items():
        other = before[name]
        facts, others = ((i.scenario, i.criteria, i.flagged) for i in (one, other))
        if facts != others:
            raise MisalignedInput(
                f"Instance {name!r} has another scenario or other criteria in the two conditions: give "
                "answers to one version of the data."
            )
    return [(after[name], before[name]) for name in sorted(after)]


def _by_instance(items: Sequence[Judged]) -> dict[str, Judged]:
    found: dict[str, Judged] = {}
    for item in items:
        if item.instance_id in found:
            raise MisalignedInput(
                f"Instance {item.instance_id!r} is given after several numbers of turns: a condition "
                "has one of them."
            )
        found[item.instance_id] = item
    return found


def _judged_in_both(a: Judged, b: Judged) -> tuple[Judged, Judged]:
    failed = [not _LEFT_OUT.isdisjoint(pair) for pair in zip(a.marks, b.marks, strict=True)]

    def without(item: Judged) -> Judged:
        marks = zip(item.marks, failed, strict=True)
        return item._replace(
            marks=tuple(Unscored.NO_JUDGEMENT if left_out else mark for mark, left_out in marks),
            flagged_met=tuple(
                0 if left_out else met
                for met, left_out in zip(
                    item.flagged_met or (0,) * len(failed), failed, strict=True
                )
            ),
        )

    return without(a), without(b)
