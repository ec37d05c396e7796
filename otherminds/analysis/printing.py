"""What `score`, `compare`, `gain` and `ensemble` print."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console, JustifyMethod, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from otherminds.analysis.comparison import Comparison
from otherminds.analysis.condition_gains import Gain, Gains
from otherminds.analysis.condition_ranks import Ranking, Ranks
from otherminds.analysis.ensembles import RULES, Ensemble
from otherminds.analysis.runs import Runs
from otherminds.analysis.scores import ALL, Scored, Scores
from otherminds.analysis.verification import Check
from otherminds.benchmark import of_dataset
from otherminds.errors import unknown
from otherminds.estimates import digits
from otherminds.metrics.multiplicity import group_letters
from otherminds.running.report import print_spread, results_table, topics_table
from otherminds.running.report_runs import about_runs
from otherminds.samples.read import rules_of
from otherminds.scoring.runs import RUNS
from otherminds.tasks.socialmindchange.spans import span_rows, span_table

_OUT = Console()

_SIGNS = {True: "ok", False: "[bold red]NOT OK[/]", None: "unknown"}
_EXAMPLES = 5
_LENGTH = 200

_GROUPS = (
    "Only items that were asked under both conditions count. The interval comes from a bootstrap over "
    "people, p from exchanging the conditions person by person; p (Holm) is adjusted for the number "
    "of parts.",
    "Groups go by the interval, which is not adjusted: all of it is at 0.10 or above (≥ 10 points), "
    "above 0 (> 0) or below 0 (< 0); all others are unclear.",
)


_RANKS = (
    "Highest: the condition with the highest score in a part, as papers group parts; nothing is tested. "
    "Draws: how often it is the highest when people are drawn anew (2,000 draws), which is near one "
    "divided by the number of conditions where they do not differ.",
)


def print_scores(scores: Scores) -> None:
    """Every run's tables, what was checked of it, and examples of answers that could not be read."""
    for one in scores.scored:
        _print_scored(one)
    said = _print_spans(scores)
    print_notes([*scores.notes, *said])


def print_comparison(found: Comparison) -> None:
    """The models in groups, then every pair, metric by metric."""
    rules = rules_of(found.task)
    called = of_dataset(rules.dataset).called if rules else "people"
    _OUT.print(
        f"[bold]{found.task}[/]: {found.n_items:,} shared items about {found.n_people:,} {called}",
        highlight=False,
    )
    _OUT.print("Scores; models with a letter in common cannot be told apart (5 %)")
    _OUT.print(_groups_table(found))
    _OUT.print()
    for metric in found.differences:
        _OUT.print(_pairs_table(found, metric))
        _OUT.print()
    if found.mcnemar:
        _OUT.print(_mcnemar_table(found))
        _OUT.print()
    print_notes([*found.notes, *_legend(found)])


def print_gains(found: Gains, metrics: Sequence[str] | None = None) -> None:
    """Every model's gains by condition and metric: overall, then part by part, largest first.

    Without `metrics`, the first one that a task lists. Raises OtherMindsError for an unknown metric.
    """
    for one in found.found:
        for name in metrics or [next(iter(one.overall))]:
            if name not in one.overall:
                raise unknown("metric", name, list(one.overall), listing="otherminds score")
            _OUT.print(_gains_table(one, name))
            _OUT.print()
    print_notes([*found.notes, *_GROUPS])


def print_ranks(found: Ranking, metrics: Sequence[str] | None = None) -> None:
    """Every model's parts in groups, by the condition with the highest score; of `metrics` alone."""
    shown = [one for one in found.found if metrics is None or one.metric in metrics]
    for one in shown:
        _OUT.print(_ranks_table(one))
        _OUT.print()
    print_notes([*found.notes, *(_RANKS if shown else ())])


def print_ensemble(found: Ensemble, scored: Mapping[str, Scored]) -> None:
    """The scores under both rules."""
    _OUT.print(f"Members: {', '.join(found.members)}", markup=False, highlight=False)
    for rule, one in scored.items():
        _OUT.print(f"\n[bold]{rule}[/]: {RULES[rule]}", highlight=False)
        _OUT.print(_table_of(one))
    print_notes(found.notes)


def print_notes(notes: Iterable[str]) -> None:
    """One line each; they may quote what stands in files."""
    for note in notes:
        _OUT.print(f"• {note}", markup=False, highlight=False, soft_wrap=True)


def _print_scored(one: Scored) -> None:
    run = one.run
    runs = one.details.get(RUNS)
    of = f" ({runs['n']} runs)" if runs else ""
    _OUT.rule(Text(f"{run.name}{of}"))
    _OUT.print(_table_of(one))
    _OUT.print()
    metrics = _metrics(one)
    for name, parts in one.breakdowns.items():
        if len(parts) > 1:
            _OUT.print(topics_table(metrics, parts, f"By {name}, ± SE"))
            _OUT.print()
            print_spread(one.details, metrics, f"by_{name}")
    for note in about_runs(run.task, one.details):
        _OUT.print(f"• {note}", highlight=False)
    for check in one.checks:
        _OUT.print(_line(check), highlight=False)
    if one.n_answers:
        _OUT.print(
            f"Answers that could not be read: {one.n_unread:,} of {one.n_answers:,}",
            highlight=False,
        )
    for example in run.unread[:_EXAMPLES]:
        shown = example.raw if len(example.raw) <= _LENGTH else f"{example.raw[:_LENGTH]}…"
        _OUT.print(f"  {example.item_id}: {shown!r}", markup=False, highlight=False)
    if run.facts.reads_gold:
        _OUT.print("[bold]This model reads the gold answers: a test of the task, not a score.[/]")
    _OUT.print()


def _print_spans(scores: Scores) -> list[str]:
    """SocialMindChange's accuracy by span, where runs can be set beside each other; returns notes."""
    rows, notes = span_rows(Runs([one.run for one in scores.scored], ()))
    models = list(dict.fromkeys(row.model for row in rows))
    for model in models if len(rows) > 1 else ():
        found = span_table([row for row in rows if row.model == model]).drop(columns="Model")
        title = Text(f"{model}: accuracy in transition questions by span, in percent")
        table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        for heading in found.columns:
            justify: JustifyMethod = "left" if heading == "Task" else "right"
            table.add_column(heading, justify=justify, no_wrap=heading == "Task")
        for task, *cells in found.itertuples(index=False, name=None):
            short = task.removeprefix("socialmindchange").removeprefix("_") or task
            table.add_row(Text(short), *(Text(cell.replace(" ± ", "\n± ")) for cell in cells))
        _OUT.print(table)
        _OUT.print()
    return notes


def _gains_table(one: Gain, metric: str) -> Table:
    title = Text(f"{one.model}, {one.tasks}: {metric}, {one.condition} − {one.baseline}")
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for heading in ("Gain", "95 % interval", "p", "p (Holm)", "n", "people"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Group", no_wrap=True)
    adjusted = one.adjusted[metric]
    for part, found in [(ALL, one.overall[metric]), *one.parts(metric)]:
        gained = found.difference
        table.add_row(
            Text(part),
            _signed(gained.value),
            # Where people do not differ, the formula gives no width, and knows nothing.
            _ends(gained.low, gained.high) if gained.stderr > 0 else "n/a",
            _p(found.p_value),
            _p(adjusted[part]) if part in adjusted else "",
            f"{gained.n:,.0f}",
            f"{gained.n_clusters:,}",
            one.group(metric, found) or "",
        )
    return table


def _ranks_table(one: Ranks) -> Table:
    title = Text(f"{one.model}, {one.tasks}: {one.metric}, highest condition")
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("Highest", no_wrap=True)
    table.add_column("", no_wrap=True)
    for heading in (*one.conditions, "Lead", "Draws", "n", "people"):
        table.add_column(heading, justify="right", no_wrap=True)
    for group, parts in one.groups().items():
        for place, part in enumerate(parts):
            found = one.by_part[part]
            table.add_row(
                f"{group} ({len(parts)})" if place == 0 else "",
                Text(part),
                *(digits(found.highest.values[name]) for name in one.conditions),
                digits(found.highest.lead),
                "" if math.isnan(found.highest.share) else f"{found.highest.share:.0%}",
                f"{found.n:,}",
                f"{found.n_people:,}",
            )
    return table


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


def _groups_table(found: Comparison) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("Model", overflow="fold")
    metrics = list(found.values)
    for metric in metrics:
        table.add_column(metric, justify="right")
    letters = {metric: group_letters(found.groups[metric]) for metric in metrics}
    for model in _ranked(found):
        cells = [
            f"{digits(found.values[metric].get(model, math.nan))} {letters[metric].get(model, '')}"
            for metric in metrics
        ]
        table.add_row(Text(model), *cells)
    return table


def _ranked(found: Comparison) -> Sequence[str]:
    """Models from best to worst by the first metric, and those without it."""
    first = found.groups[next(iter(found.groups))]
    return list(dict.fromkeys([*(model for group in first for model in group), *found.models]))


def _pairs_table(found: Comparison, metric: str) -> Table:
    table = Table(title=metric, title_justify="left", box=None, padding=(0, 2, 0, 0))
    table.add_column("A − B", overflow="fold")
    for heading in ("Difference", "95 % interval", "p", "p (Holm)", "MDE"):
        table.add_column(heading, justify="right", no_wrap=True)
    for (a, b), one in found.differences[metric].items():
        value = one.difference
        table.add_row(
            Text(f"{a} − {b}"),
            _signed(value.value),
            _ends(value.low, value.high),
            _p(one.p_value),
            _p(found.adjusted[metric][a, b]),
            digits(one.mde),
        )
    return table


def _mcnemar_table(found: Comparison) -> Table:
    table = Table(
        title="McNemar, over all items as if they were independent (they are not)",
        title_justify="left",
        box=None,
        padding=(0, 2, 0, 0),
    )
    table.add_column("A / B", overflow="fold")
    for heading in ("Only A right", "Only B right", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for (a, b), one in found.mcnemar.items():
        table.add_row(Text(f"{a} / {b}"), f"{one.only_a:,}", f"{one.only_b:,}", _p(one.p_value))
    return table


def _legend(found: Comparison) -> list[str]:
    pairs = max(map(len, found.differences.values()))
    holm = "; p (Holm) is adjusted for the number of pairs of each metric" if pairs > 1 else ""
    return [
        "The interval comes from a bootstrap over people, p from exchanging the models person by "
        f"person{holm}.",
        "MDE: the smallest true difference that such a comparison finds with 80 % power.",
    ]


def _ends(low: float, high: float) -> str:
    return "n/a" if math.isnan(low) else f"{_signed(low)} – {_signed(high)}"


def _signed(value: float) -> str:
    return digits(value) if math.isnan(value) or value <= 0 else f"+{digits(value)}"


def _p(value: float) -> str:
    if math.isnan(value):
        return "n/a"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
