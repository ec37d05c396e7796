"""The gain from showing a model more: every condition against one, by part of the data."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from otherminds.analysis.comparability import check_comparable
from otherminds.analysis.comparison import fewest_runs, records_of, shared_items
from otherminds.analysis.conditions import Series, labelled, series
from otherminds.analysis.layouts import baseline_of, cut_differences, unit_max
from otherminds.analysis.runs import Runs
from otherminds.analysis.scores import ALL
from otherminds.errors import OtherMindsError
from otherminds.metrics.comparison import Difference
from otherminds.metrics.errors import MetricError
from otherminds.metrics.multiplicity import holm
from otherminds.scoring.base import Answered, is_conditioned

if TYPE_CHECKING:
    import pandas as pd

LARGE_GAIN = 0.10
"""A gain of ten points, as a share of a metric's range."""

LARGE, SOME, UNCLEAR, LOSS = ("≥ 10 points", "> 0", "unclear", "< 0")

_COLUMNS = [
    *("model", "tasks", "condition", "baseline", "part", "metric", "value", "value_baseline"),
    *("gain", "stderr", "low", "high", "p", "p_holm", "mde", "n", "n_people", "group"),
    *("parse_rate", "parse_rate_baseline"),
]

_UNLIKE = 0.02
"""Parse rates that lie further apart make a gain doubtful."""


@dataclass(frozen=True)
class Gain:
    """The gain of one model under one condition over the baseline, on the items asked under both.

    tasks     the form of the two tasks, such as "…_*_direct"
    overall   by metric, over all items: condition - baseline
    by_part   by part, then by metric, over the items of that part
    adjusted  by metric, then by part: p-values adjusted by Holm over the parts
    better    by metric, whether higher is better; None for neither
    read      the share of the answers that could be read, under the condition and the baseline
    """

    model: str
    tasks: str
    dataset: str
    condition: str
    baseline: str
    n_items: int
    n_people: int
    overall: Mapping[str, Difference]
    by_part: Mapping[str, Mapping[str, Difference]]
    adjusted: Mapping[str, Mapping[str, float]]
    better: Mapping[str, bool | None]
    read: tuple[float, float]

    def parts(self, metric: str) -> list[tuple[str, Difference]]:
        """The parts by their gain in a metric, largest first; last those without a value."""
        named = [(part, found[metric]) for part, found in self.by_part.items()]
        return sorted(named, key=lambda one: _largest_first(one[1].difference.value))

    def group(self, metric: str, found: Difference) -> str | None:
        """The group of a gain (see `gains`); None of metrics that are neither good nor bad to raise."""
        most = unit_max(self.dataset, metric)
        return group_of(found, most) if self.better.get(metric) else None


@dataclass(frozen=True)
class Gains:
    """The gains of all models and conditions, with notes for readers."""

    found: Sequence[Gain]
    notes: Sequence[str]

    def table(self) -> pd.DataFrame:
        """One row per model, condition, metric and part; "all" first, then parts by their gain.

        Columns: model, tasks, condition, baseline, part, metric, value (under the condition),
        value_baseline, gain (their difference) with stderr and 95 % interval (low, high), p (cluster
        swap test) and p_holm (over the parts; NaN for "all"), mde (at 80 % power), n, n_people, group,
        and over all parts parse_rate and parse_rate_baseline.
        """
        import pandas as pd

        rows = [row for one in self.found for metric in one.overall for row in _rows(one, metric)]
        return pd.DataFrame(rows, columns=_COLUMNS)


def gains(runs: Runs, *, baseline: str | None = None, allow: Collection[str] = ()) -> Gains:
    """Compare each model's run under every condition with its run under `baseline`.

    Without `baseline`, it is that of the dataset and the condition (`layouts.baseline_of`); a condition
    whose baseline was not run is left out with a note.

    The condition of a task is the `evidence` in its YAML: tasks of one form differ in it. Only items
    that were asked under both are used. Intervals and p-values are those of a paired comparison with
    people as the clusters, and p-values are adjusted by Holm over the parts (such as categories), for
    each metric, model and condition. Parts fall into groups by their 95 % intervals, which are not
    adjusted for the number of parts:

    "≥ 10 points"  all of the interval is at a tenth of the metric's range, or above
    "> 0"          all of it is above 0
    "< 0"          all of it is below 0: showing more did harm
    "unclear"      it holds 0, or has no width, because people do not differ or there is only one

    Runs of one model that were not run alike are left out with a note, unless `allow` names the
    difference (`comparability.REASONS`).
    Raises OtherMindsError when no model was run under `baseline` and another condition, or none of
    those that were can be compared.
    """
    notes = list(runs.notes)
    found, refused = [], []
    paired = with_baseline(runs, baseline)
    if not paired:
        raise _unpaired(runs, baseline)
    for one, condition, chosen in paired:
        try:
            found.append(_gain(one, condition, chosen, allow, notes))
            notes += _about_reading(found[-1])
        except OtherMindsError as error:
            refused.append(
                f"{one.model}, {one.form}: '{condition}' is not compared. {error.reason}"
            )
    if not found:
        raise OtherMindsError(" ".join(refused))
    notes += [] if baseline else _alone(runs)
    return Gains(found, list(dict.fromkeys([*notes, *refused])))


def with_baseline(runs: Runs, baseline: str | None = None) -> list[tuple[Series, str, str]]:
    """The conditions under which a series was run besides its baseline: series, condition, baseline."""
    chosen = [
        (one, condition, baseline or baseline_of(one.dataset, condition))
        for one in series(runs)
        for condition in one.runs
    ]
    return [found for found in chosen if found[2] in found[0].runs and found[1] != found[2]]


def _alone(runs: Runs) -> list[str]:
    """Notes on conditions whose own baseline was not run."""
    return [
        f"{one.model}, {one.form}: '{condition}' is compared with '{wanted}', which was not run."
        for one in series(runs)
        for condition in one.runs
        if (wanted := baseline_of(one.dataset, condition)) not in one.runs
    ]


def group_of(found: Difference, most: float = 1.0) -> str:
    """The group that a gain belongs to, by its interval; `most` is the metric's range."""
    gained = found.difference
    if not gained.stderr > 0:
        return UNCLEAR
    if gained.low > 0:
        return LARGE if gained.low >= LARGE_GAIN * most else SOME
    return LOSS if gained.high < 0 else UNCLEAR


def _gain(
    one: Series, condition: str, baseline: str, allow: Collection[str], notes: list[str]
) -> Gain:
    pair = [labelled(one, condition), labelled(one, baseline)]
    said = check_comparable(pair, allow=allow)
    items = shared_items(pair, None, said)
    more, less = (records_of(run, items) for run in fewest_runs(pair, said))
    if not is_conditioned(more[0]):
        raise OtherMindsError(
            "This benchmark measures no gains; `otherminds compare --allow task` compares the runs."
        )
    try:
        found = more[0].gains(more, less)
    except MetricError as error:
        raise OtherMindsError(str(error)) from error
    notes += said
    metrics = [name for name in pair[0].rules.metrics if name in found.overall]
    return Gain(
        model=one.model,
        tasks=one.form,
        dataset=one.dataset,
        condition=condition,
        baseline=baseline,
        n_items=len(items),
        n_people=len({record.view().person for record in more}),
        overall=cut_differences(one.dataset, {metric: found.overall[metric] for metric in metrics}),
        by_part={part: cut_differences(one.dataset, own) for part, own in found.by_part.items()},
        adjusted={metric: _adjusted(found.by_part, metric) for metric in metrics},
        better=pair[0].rules.metrics,
        read=(_read(more), _read(less)),
    )


def _read(records: Sequence[Answered]) -> float:
    """The share of the answers that could be read."""
    answers = [answer for record in records for answer in record.view().answers]
    return 1 - answers.count(None) / len(answers) if answers else math.nan


def _about_reading(one: Gain) -> Iterator[str]:
    """A note where a gain may be one of form."""
    more, less = one.read
    if abs(more - less) > _UNLIKE:
        yield (
            f"{one.model}, {one.tasks}: {more:.0%} of the answers could be read under "
            f"'{one.condition}', and {less:.0%} under '{one.baseline}'. Unread answers count as wrong: "
            "the gain may be one of reading."
        )


def _adjusted(by_part: Mapping[str, Mapping[str, Difference]], metric: str) -> Mapping[str, float]:
    p_values = holm([found[metric].p_value for found in by_part.values()])
    return dict(zip(by_part, p_values.tolist(), strict=True))


def _unpaired(runs: Runs, baseline: str | None) -> OtherMindsError:
    wanted = baseline or " or ".join(
        sorted({baseline_of(run.rules.dataset) for run in runs}) or ["blind"]
    )
    read = ", ".join(f"{run.name} on {run.task} ({run.rules.evidence or 'all'})" for run in runs)
    return OtherMindsError(
        f"No model was run both under '{wanted}' and under another condition of the same form of a "
        f"task. Run both, or name another condition with --baseline. Read: {read}."
    )


def _largest_first(value: float) -> float:
    return math.inf if math.isnan(value) else -value


def _rows(one: Gain, metric: str) -> Iterator[dict[str, Any]]:
    adjusted = {ALL: math.nan, **one.adjusted[metric]}
    for part, found in [(ALL, one.overall[metric]), *one.parts(metric)]:
        gained = found.difference
        yield {
            "model": one.model,
            "tasks": one.tasks,
            "condition": one.condition,
            "baseline": one.baseline,
            "part": part,
            "metric": metric,
            "value": found.a,
            "value_baseline": found.b,
            "gain": gained.value,
            "stderr": gained.stderr,
            "low": gained.low,
            "high": gained.high,
            "p": found.p_value,
            "p_holm": adjusted[part],
            "mde": found.mde,
            "n": gained.n,
            "n_people": gained.n_clusters,
            "group": one.group(metric, found),
            "parse_rate": one.read[0],
            "parse_rate_baseline": one.read[1],
        }
