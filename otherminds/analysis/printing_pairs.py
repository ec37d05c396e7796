"""The output of `compare` and `gain`: models and conditions against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from otherminds import console
from otherminds.analysis.comparison import Comparison
from otherminds.analysis.condition_gains import Gain, Gains
from otherminds.analysis.condition_ranks import Ranking, Ranks
from otherminds.analysis.scores import ALL
from otherminds.benchmark import PEOPLE, of_dataset
from otherminds.console import OUT, digits, print_notes
from otherminds.errors import unknown
from otherminds.metrics.comparison import Difference
from otherminds.metrics.multiplicity import group_letters
from otherminds.samples.read import rules_of

_PAIRED = (
    "Only items that were asked under both conditions count. The interval comes from a bootstrap over "
    "people, p from exchanging the conditions person by person."
)
_ADJUSTED = "p (Holm) is adjusted for the number of parts."
_READ = (
    "Read: the shares of answers that could be read, under the condition and under the baseline."
)
_GROUPS = (
    "Groups go by the interval, which is not adjusted: all of it is at 0.10 or above (≥ 10 points), "
    "above 0 (> 0) or below 0 (< 0); all others are unclear."
)

_RANKS = (
    "Highest: the condition with the highest score in a part, as papers group parts; nothing is tested. "
    "Draws: how often it is the highest when people are drawn anew (2,000 draws), which is near one "
    "divided by the number of conditions where they do not differ.",
)


_NAME_WIDTH = 30
"""Columns that a model's name may take before it is folded."""


def print_comparison(found: Comparison) -> None:
    """The models in groups, then every pair, metric by metric."""
    rules = rules_of(found.task)
    called = of_dataset(rules.dataset).called if rules else PEOPLE
    print_cautions(found.cautions)
    items = f"{found.n_items:,} shared item{'' if found.n_items == 1 else 's'}"
    of = _one_of(called) if found.n_people == 1 else called
    OUT.print(
        f"[bold]{found.task}[/]: {items} about {found.n_people:,} {of}",
        highlight=False,
    )
    OUT.print("Scores; models with a letter in common cannot be told apart (5 %)")
    for metrics in _blocks(found):
        OUT.print(_groups_table(found, metrics))
        OUT.print()
    if len(found.models) == 2:
        OUT.print(_metrics_table(found))
        OUT.print()
    else:
        for metric in found.differences:
            OUT.print(_pairs_table(found, metric))
            OUT.print()
    if found.mcnemar and any(one.only_a or one.only_b for one in found.mcnemar.values()):
        OUT.print(_mcnemar_table(found))
        OUT.print()
    print_notes([*found.notes, *_legend(found, called)])


def print_gains(
    found: Gains, metrics: Sequence[str] | None = None, *, details: bool = False
) -> None:
    """Every model's gains by condition and metric, over all items.

    Without `metrics`, the first one that a task lists. With `details`, also those in every part, largest
    first. Raises OtherMindsError for an unknown metric.
    """
    alike: dict[tuple[str, str, str], list[Gain]] = {}
    for one in found.found:
        for name in metrics or [next(iter(one.overall))]:
            if name not in one.overall:
                raise unknown("metric", name, list(one.overall), listing="otherminds score")
            alike.setdefault((one.model, one.tasks, name), []).append(one)
    for (_, _, name), gains in alike.items():
        OUT.print(_overall_table(gains, name))
        OUT.print()
        for one in gains if details else ():
            OUT.print(_gains_table(one, name))
            OUT.print()
    print_notes([*found.notes, _PAIRED, *((_ADJUSTED,) if details else ()), _GROUPS, _READ])


def print_ranks(
    found: Ranking, metrics: Sequence[str] | None = None, *, details: bool = False
) -> None:
    """How many of a model's parts have their highest score under which condition; of `metrics` alone.

    With `details`, also which parts these are.
    """
    shown = [one for one in found.found if metrics is None or one.metric in metrics]
    if shown:
        OUT.print()
    for one in shown:
        if details:
            OUT.print(_ranks_table(one))
            OUT.print()
            continue
        counts = ", ".join(f"{name} {len(parts)}" for name, parts in one.groups().items())
        OUT.print(
            f"{one.model}, {one.tasks}: {one.metric}, highest condition of each part: {counts}",
            markup=False,
            highlight=False,
        )
    print_notes([*found.notes, *(_RANKS if shown and details else ())])
    if found.found and not details:
        OUT.print("More, part by part: --details", markup=False, highlight=False)


def print_cautions(cautions: Sequence[str]) -> None:
    """Print what a reader must know before the numbers."""
    for line in cautions:
        OUT.print(Text(line, "bold"))


def _blocks(found: Comparison) -> list[list[str]]:
    """The metrics, in as many tables as it takes for none of their columns to be cut."""
    room = OUT.width - min(max(map(len, found.models)), _NAME_WIDTH) - 2
    blocks: list[list[str]] = [[]]
    left = room
    for metric in found.values:
        groups = len(found.groups[metric])
        width = max(len(metric), len("0.000 ") + min(groups, 4)) + 2
        if blocks[-1] and width > left:
            blocks.append([])
            left = room
        blocks[-1].append(metric)
        left -= width
    return blocks


def _groups_table(found: Comparison, metrics: Sequence[str]) -> Table:
    letters = {metric: group_letters(found.groups[metric]) for metric in metrics}
    rows = [
        [
            model,
            *(
                f"{digits(found.values[metric].get(model, math.nan))} "
                f"{letters[metric].get(model, '')}"
                for metric in metrics
            ),
        ]
        for model in _ranked(found)
    ]
    columns = [*console.texts("Model", fit="name"), *console.numbers(*metrics)]
    columns[0].max_width = _NAME_WIDTH
    return console.table(columns, rows)


def _ranked(found: Comparison) -> Sequence[str]:
    """Models from best to worst by the first metric, and those without it."""
    first = found.groups[next(iter(found.groups))]
    return list(dict.fromkeys([*(model for group in first for model in group), *found.models]))


def _metrics_table(found: Comparison) -> Table:
    """The differences between two models: a row for each metric."""
    a, b = found.models
    rows = [
        [f"{metric}{_arrow(found, metric)}", *_difference(pairs[a, b])]
        for metric, pairs in found.differences.items()
        if (a, b) in pairs
    ]
    headings = ("Difference", "95 % interval", "p", "MDE")
    columns = [*console.texts(""), *console.numbers(*headings)]
    return console.table(columns, rows, title=f"{a} − {b}")


def _arrow(found: Comparison, metric: str) -> str:
    """Which way is better, where a way is."""
    rules = rules_of(found.task)
    better = rules.metrics.get(metric) if rules else None
    return {True: " ↑", False: " ↓"}.get(better, "") if better is not None else ""


def _difference(one: Difference, adjusted: float | None = None) -> list[str]:
    gap = one.difference
    # Where people do not differ, the formula gives no width, and knows nothing.
    varies = gap.stderr > 1e-12 * max(1.0, abs(gap.value))
    return [
        _signed(gap.value),
        _ends(gap.low, gap.high) if varies else "n/a",
        _p(one.p_value),
        *([] if adjusted is None else [_p(adjusted)]),
        digits(one.mde) if varies else "n/a",
    ]


def _pairs_table(found: Comparison, metric: str) -> Table:
    headings = ("Difference", "95 % interval", "p", "p (Holm)", "MDE")
    rows = [
        [f"{a} − {b}", *_difference(one, found.adjusted[metric][a, b])]
        for (a, b), one in found.differences[metric].items()
    ]
    columns = [*console.texts("A − B", fit="name"), *console.numbers(*headings)]
    return console.table(columns, rows, title=f"{metric}{_arrow(found, metric)}")


def _mcnemar_table(found: Comparison) -> Table:
    headings = ("Only A right", "Only B right", "p")
    return console.table(
        [*console.texts("A / B", fit="name"), *console.numbers(*headings)],
        [
            [f"{a} / {b}", f"{one.only_a:,}", f"{one.only_b:,}", _p(one.p_value)]
            for (a, b), one in found.mcnemar.items()
        ],
        title="McNemar, over all items as if they were independent (they are not)",
    )


def _legend(found: Comparison, called: str) -> list[str]:
    one = _one_of(called)
    pairs = max(map(len, found.differences.values()))
    holm = "; p (Holm) is adjusted for the number of pairs of each metric" if pairs > 1 else ""
    return [
        f"The interval comes from a bootstrap over {called}, p from exchanging the models {one} by "
        f"{one}{holm}.",
        f"MDE: the smallest true difference that a comparison of so many {called} finds with 80 % "
        "power.",
        "↑ higher is better, ↓ lower is better.",
    ]


def _one_of(called: str) -> str:
    """One of the clusters that are called so, such as a person."""
    return "person" if called == PEOPLE else called.removesuffix("s")


def _overall_table(gains: Sequence[Gain], metric: str) -> Table:
    """A row per condition, over all items."""
    first = gains[0]
    rows = [
        [
            f"{one.condition} − {one.baseline}",
            *_gained(one, metric, one.overall[metric]),
            " / ".join(f"{share:.0%}" for share in one.read),
        ]
        for one in gains
    ]
    headings = ("Gain", "95 % interval", "p", "n", "people")
    return console.table(
        [*console.texts(""), *console.numbers(*headings), *console.texts("Group", "Read")],
        rows,
        title=f"{first.model}, {first.tasks}: {metric}",
        gap=1,
    )


def _gained(one: Gain, metric: str, found: Difference) -> list[str]:
    gained = found.difference
    return [
        _signed(gained.value),
        # Where people do not differ, the formula gives no width, and knows nothing.
        _ends(gained.low, gained.high) if gained.stderr > 0 else "n/a",
        _p(found.p_value),
        f"{gained.n:,.0f}",
        f"{gained.n_clusters:,}",
        one.group(metric, found) or "",
    ]


def _gains_table(one: Gain, metric: str) -> Table:
    headings = ("Gain", "95 % interval", "p", "p (Holm)", "n", "people")
    adjusted = one.adjusted[metric]
    rows = []
    for part, found in [(ALL, one.overall[metric]), *one.parts(metric)]:
        gain, interval, p, *others = _gained(one, metric, found)
        holm = _p(adjusted[part]) if part in adjusted else ""
        rows.append([part, gain, interval, p, holm, *others])
    return console.table(
        [*console.texts(""), *console.numbers(*headings), *console.texts("Group")],
        rows,
        title=f"{one.model}, {one.tasks}: {metric}, {one.condition} − {one.baseline}",
        gap=1,
    )


def _ranks_table(one: Ranks) -> Table:
    headings = (*one.conditions, "Lead", "Draws", "n", "people")
    rows = []
    for group, parts in one.groups().items():
        rows.append([f"{group} ({len(parts)})", *("" for _ in headings)])
        for part in parts:
            found = one.by_part[part]
            cells = [
                f"  {part}",
                *(digits(found.highest.values[name]) for name in one.conditions),
                digits(found.highest.lead),
                "" if math.isnan(found.highest.share) else f"{found.highest.share:.0%}",
                f"{found.n:,}",
                f"{found.n_people:,}",
            ]
            rows.append(cells)
    return console.table(
        [*console.texts("Highest"), *console.numbers(*headings)],
        rows,
        title=f"{one.model}, {one.tasks}: {one.metric}, highest condition",
        gap=1,
    )


def _ends(low: float, high: float) -> str:
    return "n/a" if math.isnan(low) else f"{_signed(low)} – {_signed(high)}"


def _signed(value: float) -> str:
    return digits(value) if math.isnan(value) or value <= 0 else f"+{digits(value)}"


def _p(value: float) -> str:
    if math.isnan(value):
        return "n/a"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
