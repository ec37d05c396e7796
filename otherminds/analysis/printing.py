"""The output of `score`, `compare`, `gain` and `ensemble`."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from otherminds import console
from otherminds.analysis.comparison import Comparison
from otherminds.analysis.condition_gains import Gain, Gains
from otherminds.analysis.condition_ranks import Ranking, Ranks
from otherminds.analysis.ensembles import RULES, Ensemble
from otherminds.analysis.scores import ALL, Scored, Scores, by_benchmark
from otherminds.analysis.verification import Check
from otherminds.benchmark import Breakdown, of_dataset, resolve
from otherminds.console import OUT, digits, print_notes, quoted
from otherminds.errors import unknown
from otherminds.metrics.comparison import Difference
from otherminds.metrics.multiplicity import group_letters
from otherminds.running.report import MANY_UNREAD, about_intervals, about_runs, print_spread
from otherminds.running.report_tables import overview, parts_table, results_table
from otherminds.samples.read import rules_of
from otherminds.scoring.base import RUNS

_SIGNS = {True: "ok", False: "[bold red]NOT OK[/]", None: "unknown"}
_EXAMPLES = 5
_LENGTH = 200

_PAIRED = (
    "Only items that were asked under both conditions count. The interval comes from a bootstrap over "
    "people, p from exchanging the conditions person by person."
)
_ADJUSTED = "p (Holm) is adjusted for the number of parts."
_GROUPS = (
    "Groups go by the interval, which is not adjusted: all of it is at 0.10 or above (≥ 10 points), "
    "above 0 (> 0) or below 0 (< 0); all others are unclear."
)

_RANKS = (
    "Highest: the condition with the highest score in a part, as papers group parts; nothing is tested. "
    "Draws: how often it is the highest when people are drawn anew (2,000 draws), which is near one "
    "divided by the number of conditions where they do not differ.",
)


def print_scores(scores: Scores, *, details: bool = False) -> None:
    """Each run's scores and checks, and examples of answers that could not be read.

    Of several runs, a line each, the checks that one of them did not pass, and unread answers.

    details  print each of several runs by itself, and every run's parts
    """
    several = len(scores.scored) > 1
    if several:
        _print_overview(scores.scored, details=details)
    for one in scores.scored:
        if details or not several:
            _print_scored(one, details=details)
        else:
            _print_doubts(one)
    hidden = [
        name for one in scores.scored for name, parts in one.breakdowns.items() if len(parts) > 1
    ]
    if not details and (hidden or several):
        each = ["run by run"] if several else []
        shown = ", ".join([*each, *(f"by {name}" for name in dict.fromkeys(hidden))])
        OUT.print(f"More, {shown}: --details", highlight=False)
    said = _print_own(scores)
    cut = [] if several and not details else about_intervals(one.details for one in scores.scored)
    print_notes([*scores.notes, *said, *cut])


def print_comparison(found: Comparison) -> None:
    """The models in groups, then every pair, metric by metric."""
    rules = rules_of(found.task)
    called = of_dataset(rules.dataset).called if rules else "people"
    OUT.print(
        f"[bold]{found.task}[/]: {found.n_items:,} shared items about {found.n_people:,} {called}",
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
    print_notes([*found.notes, _PAIRED, *((_ADJUSTED,) if details else ()), _GROUPS])


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


def print_ensemble(found: Ensemble, scored: Mapping[str, Scored]) -> None:
    """The scores under both rules."""
    OUT.print(f"Members: {', '.join(found.members)}", markup=False, highlight=False)
    for rule, one in scored.items():
        OUT.print(f"\n[bold]{rule}[/]: {RULES[rule]}", highlight=False)
        OUT.print(_table_of(one))
    print_notes(found.notes)


def _print_overview(scored: Sequence[Scored], *, details: bool) -> None:
    """A line per run, in a table for each dataset: their metrics are not the same."""
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(one.run.rules.dataset, []).append(one)
    for dataset, own in groups.items():
        models = {one.run.name for one in own}
        tasks = {one.run.task for one in own}
        # What all of them share stands above the table, and what tells them apart in its lines.
        shared = [*(models if len(models) == 1 else ()), *(tasks if len(tasks) == 1 else ())]
        named = {_called(one, shared): one for one in own}
        arrows = {name: dict.fromkeys(_metrics(one)) for name, one in named.items()}
        title = ", ".join([*([dataset] if len(groups) > 1 else []), *(shared or ["all runs"])])
        found = {name: one.details for name, one in named.items()}
        OUT.print(overview(found, arrows, "Run", f"{title}, ± SE", whole=details))
        OUT.print()


def _called(one: Scored, shared: Collection[str]) -> str:
    apart = [name for name in (one.run.name, one.run.task) if name not in shared]
    return ", ".join(apart or [one.run.name])


def _print_doubts(one: Scored) -> None:
    """What a reader must know of a run that is not printed by itself."""
    doubts = [_line(check) for check in one.checks if check.passed is False]
    notes = one.details.get("notes", ())
    if not (doubts or notes or one.n_unread or one.run.facts.reads_gold):
        return
    OUT.print(Text(f"{one.run.name}, {one.run.task}", "bold"))
    for line in doubts:
        OUT.print(line, highlight=False)
    print_notes(notes)
    if one.n_unread:
        _print_answers(one)
    _print_caution(one)
    OUT.print()


def _print_scored(one: Scored, *, details: bool) -> None:
    run = one.run
    runs = one.details.get(RUNS)
    of = f" ({runs['n']} runs)" if runs else ""
    OUT.rule(Text(f"{run.name}{of}"))
    # Where much could not be read, the scores say little: that stands first.
    is_unreadable = one.n_unread > MANY_UNREAD * one.n_answers
    if is_unreadable:
        _print_answers(one)
        OUT.print()
    OUT.print(_table_of(one))
    OUT.print()
    metrics = _metrics(one)
    for name, parts in one.breakdowns.items() if details else ():
        if len(parts) > 1:
            OUT.print(parts_table(metrics, parts, Breakdown(f"By {name}, ± SE")))
            OUT.print()
            print_spread(one.details, metrics, f"by_{name}")
    print_notes([*one.details.get("notes", ()), *about_runs(run.task, one.details)])
    for check in one.checks:
        OUT.print(_line(check), highlight=False)
    if not is_unreadable:
        _print_answers(one)
    _print_caution(one)
    OUT.print()


def _print_answers(one: Scored) -> None:
    if one.n_answers:
        OUT.print(
            f"Answers that could not be read: {one.n_unread:,} of {one.n_answers:,}",
            highlight=False,
        )
    for example in one.run.unread[:_EXAMPLES]:
        shown = quoted(example.raw, _LENGTH)
        OUT.print(f"  {example.item_id}: {shown}", markup=False, highlight=False)


def _print_caution(one: Scored) -> None:
    if one.run.facts.reads_gold:
        OUT.print("[bold]This model reads the gold answers: a test of the task, not a score.[/]")


def _print_own(scores: Scores) -> list[str]:
    """The additions of each benchmark (`Benchmark.shown`) for its own runs; returns notes."""
    notes: list[str] = []
    for benchmark, own in by_benchmark(scores):
        shown = resolve(benchmark.shown)
        for made in shown(own, notes) if shown else ():
            OUT.print(made)
            OUT.print()
    return notes


def _overall_table(gains: Sequence[Gain], metric: str) -> Table:
    """A row per condition, over all items."""
    first = gains[0]
    rows = [
        [f"{one.condition} − {one.baseline}", *_gained(one, metric, one.overall[metric])]
        for one in gains
    ]
    headings = ("Gain", "95 % interval", "p", "n", "people")
    return console.table(
        [*console.texts(""), *console.numbers(*headings), *console.texts("Group")],
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


def _metrics(one: Scored) -> list[str]:
    better = one.run.rules.metrics
    shown = [name for name in better if not name.startswith("n_")]
    return shown or list(one.details.get("estimates", {}))


def _table_of(one: Scored) -> RenderableType:
    run = one.run
    return results_table(
        run.task,
        _metrics(one),
        run.rules.metrics,
        one.details,
        run.facts.references,
        of_dataset(run.rules.dataset).called,
    )


def _line(check: Check) -> str:
    return f"{_SIGNS[check.passed]:>7}  {check.name}: {escape(check.detail)}"


_NAME_WIDTH = 30
"""Columns that a model's name may take before it is folded."""


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
    one = "person" if called == "people" else called.removesuffix("s")
    pairs = max(map(len, found.differences.values()))
    holm = "; p (Holm) is adjusted for the number of pairs of each metric" if pairs > 1 else ""
    return [
        f"The interval comes from a bootstrap over {called}, p from exchanging the models {one} by "
        f"{one}{holm}.",
        f"MDE: the smallest true difference that a comparison of so many {called} finds with 80 % "
        "power.",
        "↑ higher is better, ↓ lower is better.",
    ]


def _ends(low: float, high: float) -> str:
    return "n/a" if math.isnan(low) else f"{_signed(low)} – {_signed(high)}"


def _signed(value: float) -> str:
    return digits(value) if math.isnan(value) or value <= 0 else f"+{digits(value)}"


def _p(value: float) -> str:
    if math.isnan(value):
        return "n/a"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
