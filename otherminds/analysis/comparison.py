"""Comparing models on the items that all of them answered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from otherminds.analysis.comparability import cautioned, check_comparable, check_documents
from otherminds.analysis.layouts import cut_differences
from otherminds.analysis.runs import Run, Runs
from otherminds.errors import OtherMindsError, unknown
from otherminds.metrics.comparison import Difference, compare_pair
from otherminds.metrics.errors import MetricError
from otherminds.metrics.multiplicity import holm, indistinguishable_groups
from otherminds.metrics.permutation import McNemar, mcnemar
from otherminds.metrics.sufficient import Sufficient
from otherminds.scoring.base import Answered, of_metrics

if TYPE_CHECKING:
    import pandas as pd

Pair = tuple[str, str]

_COLUMNS = [
    *("metric", "a", "b", "value_a", "value_b", "difference", "stderr", "low", "high"),
    *("p", "p_holm", "mde", "n", "n_people"),
]


@dataclass(frozen=True)
class Comparison:
    """How some models differ on shared items.

    models       their names, in the order given
    values       by metric, then by model; without models for which the metric is undefined
    differences  by metric, then by pair of models: a - b
    adjusted     the p-values, adjusted by Holm over the pairs, metric by metric
    groups       by metric, the largest groups of models that cannot be told apart, best first
    mcnemar      by pair, over right and wrong answers to all items; empty with repeated runs
    notes        what was left out, and what was tolerated
    cautions     what a reader must know before the numbers, such as runs with --limit
    """

    task: str
    models: Sequence[str]
    n_items: int
    n_people: int
    values: Mapping[str, Mapping[str, float]]
    differences: Mapping[str, Mapping[Pair, Difference]]
    adjusted: Mapping[str, Mapping[Pair, float]]
    groups: Mapping[str, Sequence[Sequence[str]]]
    mcnemar: Mapping[Pair, McNemar]
    notes: Sequence[str]
    cautions: Sequence[str]

    def table(self) -> pd.DataFrame:
        """One row per metric and pair of models.

        Columns: metric, a, b, value_a, value_b, difference (a - b) with stderr and 95 % interval (low,
        high), p (cluster swap test) and p_holm, mde (at 80 % power), n and n_people behind it.
        """
        import pandas as pd

        rows = [
            {
                "metric": metric,
                "a": a,
                "b": b,
                "value_a": found.a,
                "value_b": found.b,
                "difference": found.difference.value,
                "stderr": found.difference.stderr,
                "low": found.difference.low,
                "high": found.difference.high,
                "p": found.p_value,
                "p_holm": self.adjusted[metric][a, b],
                "mde": found.mde,
                "n": found.difference.n,
                "n_people": found.difference.n_clusters,
            }
            for metric, pairs in self.differences.items()
            for (a, b), found in pairs.items()
        ]
        return pd.DataFrame(rows, columns=_COLUMNS)


def compare(
    runs: Runs,
    *,
    metrics: Sequence[str] | None = None,
    part: str | None = None,
    allow: Collection[str] = (),
) -> Comparison:
    """Compare models on the items that all of them answered.

    Every pair gets a paired cluster bootstrap of the difference and a cluster swap test; see
    `otherminds.metrics.comparison`. Among several pairs, p-values are adjusted by Holm for each metric.

    metrics  which to compare; all that the task has, by default
    part     a topic: compare on its items alone
    allow    differences between the runs to tolerate, by their names in `comparability.REASONS`
    Runs with --limit are left out where there are two others, unless `allow` has "limit".
    Raises OtherMindsError for runs that are not comparable, and when no item is shared.
    """
    runs, cautions = cautioned(runs.named_by_task(), allow=allow)
    notes = [*runs.notes, *check_comparable(list(runs), allow=allow, notes=runs.notes)]
    items = shared_items(list(runs), part, notes)
    check_documents(list(runs), items)
    answered = {run.name: records_of(run, items) for run in fewest_runs(list(runs), notes)}
    try:
        tables = {name: records[0].sufficient(records) for name, records in answered.items()}
        dataset = runs.runs[0].rules.dataset
        pairs = {(a, b): _pair(dataset, tables[a], tables[b]) for a, b in combinations(answered, 2)}
    except MetricError as error:
        raise OtherMindsError(f"These runs cannot be compared: {error}") from error
    first = runs.runs[0]
    known = list(dict.fromkeys(m for found in pairs.values() for m in found))
    chosen = _metrics(metrics, first, known)
    differences = {m: {p: found[m] for p, found in pairs.items() if m in found} for m in chosen}
    adjusted = {m: _adjusted(found) for m, found in differences.items()}
    values = {
        m: {name: table.values()[m] for name, table in tables.items() if m in table.metrics}
        for m in chosen
    }
    notes += _undefined(tables)
    return Comparison(
        task=" and ".join(dict.fromkeys(run.task for run in runs)),
        models=list(answered),
        n_items=len(items),
        n_people=len({record.view().person for record in next(iter(answered.values()))}),
        values=values,
        differences=differences,
        adjusted=adjusted,
        groups={
            m: indistinguishable_groups(
                values[m], adjusted[m], higher_is_better=first.rules.metrics.get(m) is not False
            )
            for m in chosen
        },
        mcnemar=_mcnemar(answered),
        notes=notes,
        cautions=cautions,
    )


def shared_items(runs: Sequence[Run], part: str | None, notes: list[str]) -> list[str]:
    """Ids of the items that all runs answered, sorted; `notes` says how many others there are."""
    found = []
    for run in runs:
        views = [record.view() for record in run.answered]
        parts = sorted({view.part for view in views})
        if part is not None and part not in parts:
            raise unknown("part", part, parts, listing="otherminds score --details")
        found.append({view.item_id for view in views if part in (None, view.part)})
    shared = set.intersection(*found)
    if not shared:
        raise OtherMindsError("These runs have no item in common: nothing can be compared.")
    for run, items in zip(runs, found, strict=True):
        if len(items) > len(shared):
            notes.append(
                f"{run.name}: {len(items) - len(shared):,} of {len(items):,} items were left out, "
                "because not all runs answered them."
            )
    return sorted(shared)


def fewest_runs(runs: Sequence[Run], notes: list[str]) -> list[Run]:
    """The runs with as many answers per item as the one that has fewest."""
    fewest = min(run.n_runs for run in runs)
    if all(run.n_runs == fewest for run in runs):
        return list(runs)
    notes.append(
        f"Models were run {' and '.join(str(run.n_runs) for run in runs)} times: the first {fewest} "
        "of each are used."
    )
    return [
        run
        if run.n_runs == fewest
        else replace(run, records=[r.with_answers(r.view().answers[:fewest]) for r in run.answered])
        for run in runs
    ]


def records_of(run: Run, items: Sequence[str]) -> list[Answered]:
    """The records of some items, in the order of their ids as given."""
    by_id = {record.view().item_id: record for record in run.answered}
    return [by_id[item] for item in items]


def _pair(dataset: str, a: Sufficient, b: Sufficient) -> Mapping[str, Difference]:
    """The differences in the metrics that both models have a value of; intervals are possible ones."""
    both = [metric for metric in a.metrics if metric in b.metrics]
    return cut_differences(dataset, compare_pair(of_metrics(a, both), of_metrics(b, both)))


def _undefined(tables: Mapping[str, Sufficient]) -> Iterator[str]:
    """Which metrics a model has no value of, though another one does."""
    known = dict.fromkeys(metric for table in tables.values() for metric in table.metrics)
    for name, table in tables.items():
        missing = [metric for metric in known if metric not in table.metrics]
        if missing:
            yield (
                f"{name} is not compared by {', '.join(missing)}: its answers leave nothing to "
                "measure there."
            )


def _metrics(wanted: Sequence[str] | None, run: Run, known: Sequence[str]) -> list[str]:
    ordered = [name for name in run.rules.metrics if name in known]
    if wanted is None:
        return [name for name in ordered if name != "parse_rate"] or list(known)
    for name in wanted:
        if name not in known and name in run.rules.metrics and not name.startswith("n_"):
            raise OtherMindsError(
                f"No two of these models can be compared by {name}: too few answers could be read."
            )
        if name not in known:
            raise unknown("metric", name, ordered or list(known), listing="otherminds score")
    return list(wanted)


def _adjusted(found: Mapping[Pair, Difference]) -> dict[Pair, float]:
    p_values = holm([difference.p_value for difference in found.values()])
    return dict(zip(found, p_values.tolist(), strict=True))


def _mcnemar(answered: Mapping[str, Sequence[Answered]]) -> dict[Pair, McNemar]:
    right = {name: [one.view().correct for one in records] for name, records in answered.items()}
    if any(len(correct) != 1 for model in right.values() for correct in model):
        return {}
    flat = {name: [correct[0] for correct in model] for name, model in right.items()}
    return {(a, b): mcnemar(flat[a], flat[b]) for a, b in combinations(flat, 2)}
