"""The numbers of SynchToM for a set of judged answers, with their uncertainty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otherminds.metrics.synchtom.items import Judged, Unscored
from otherminds.metrics.synchtom.scores import estimates, tabulate
from otherminds.metrics.uncertainty import Estimate


@dataclass(frozen=True)
class Summary:
    """Everything reported about one model and one judge, on all items or on some of them.

    estimates    by metric (`scores.METRICS`): scores from 0 to 100, rates as fractions
    counts       n_items, n_instances, and as means over the runs, each apart from the others:
                 n_no_answer (answers that could not be read), n_cut_off (answers whose reasoning was
                 cut off), n_no_judgement (judgements that could not be read) and n_judge_cut_off
                 (judgements that were cut off)
    by_scenario  the same for each scenario alone, sorted by name
    by_turns     the same for each number of turns alone, rising, each with its own by_scenario
    runs         K, the number of runs averaged over
    """

    estimates: Mapping[str, Estimate]
    counts: Mapping[str, float]
    by_scenario: Mapping[str, Summary]
    by_turns: Mapping[int, Summary]
    runs: int

    def __getitem__(self, metric: str) -> Estimate:
        return self.estimates[metric]


def summarize(items: Sequence[Judged]) -> Summary:
    """All numbers with 95 % intervals, by scenario, and by number of turns (the step-wise curve).

    An instance that was asked after several numbers of turns is one cluster. A part is summarised as if
    it were all there is. The result does not depend on the order of the items.

    Raises as `check_items`. A failed answer or judgement never raises.
    """
    whole = _part(items)
    turns = sorted({item.turns for item in items})
    return Summary(
        estimates=whole.estimates,
        counts=whole.counts,
        by_scenario=_by_scenario(items),
        by_turns={n: _at([item for item in items if item.turns == n]) for n in turns},
        runs=whole.runs,
    )


def _at(items: Sequence[Judged]) -> Summary:
    whole = _part(items)
    return Summary(whole.estimates, whole.counts, _by_scenario(items), {}, whole.runs)


def _by_scenario(items: Sequence[Judged]) -> Mapping[str, Summary]:
    names = sorted({item.scenario for item in items})
    return {name: _part([item for item in items if item.scenario == name]) for name in names}


def _part(items: Sequence[Judged]) -> Summary:
    table = tabulate(items)
    missing = dict.fromkeys(Unscored, 0)
    for item in items:
        for mark in item.marks:
            if isinstance(mark, Unscored):
                missing[mark] += 1
    counts = {
        "n_items": float(len(items)),
        "n_instances": float(table.instances.count),
        "n_no_answer": missing[Unscored.NO_ANSWER] / table.runs,
        "n_cut_off": missing[Unscored.CUT_OFF] / table.runs,
        "n_no_judgement": missing[Unscored.NO_JUDGEMENT] / table.runs,
        "n_judge_cut_off": missing[Unscored.JUDGE_CUT_OFF] / table.runs,
    }
    return Summary(estimates(table), counts, {}, {}, table.runs)
