"""The output of `score` and `ensemble`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.console import RenderableType
from rich.markup import escape
from rich.text import Text

from otherminds.analysis.comparability import READS_GOLD
from otherminds.analysis.ensembles import RULES, Ensemble
from otherminds.analysis.printing_pairs import print_cautions
from otherminds.analysis.scores import Scored, Scores, by_benchmark
from otherminds.analysis.verification import Check
from otherminds.benchmark import Breakdown, of_dataset, resolve
from otherminds.console import OUT, print_notes, quoted
from otherminds.running import truncation
from otherminds.running.report import MANY_UNREAD, breakdowns_of, print_spread
from otherminds.running.report_notes import about_intervals, about_runs
from otherminds.running.report_tables import overview, parts_table, results_table
from otherminds.scoring.base import RUNS

_SIGNS = {True: "ok", False: "[bold red]NOT OK[/]", None: "unknown"}
_FAULTY = "†"
"""The mark of a run that did not pass a check."""

_EXAMPLES = 5
_LENGTH = 200


def print_scores(scores: Scores, *, details: bool = False) -> None:
    """Each run's scores and checks, and examples of answers that could not be read.

    Checks that were not passed stand before the scores. Of several runs, a line each, and
    unread answers.

    details  print each of several runs by itself, and every run's parts
    """
    several = len(scores.scored) > 1
    if several:
        for one in scores.scored:
            _print_faults(one, of=f"{_FAULTY} {one.run.name}, {one.run.task}: ")
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
        shown = ", ".join(
            [*each, *(f"by {name.replace('_', ' ')}" for name in dict.fromkeys(hidden))]
        )
        OUT.print(f"More, {shown}: --details", highlight=False)
    said = _print_own(scores)
    cut = [] if several and not details else about_intervals(one.details for one in scores.scored)
    cut_off = truncation.note(one.details.get("estimates", {}) for one in scores.scored)
    print_notes([*scores.notes, *said, *cut, *cut_off])


def print_ensemble(found: Ensemble, scored: Mapping[str, Scored]) -> None:
    """The scores under both rules."""
    print_cautions(found.cautions)
    OUT.print(f"Members: {', '.join(found.members)}", markup=False, highlight=False)
    for rule, one in scored.items():
        OUT.print(f"\n[bold]{rule}[/]: {RULES[rule]}", highlight=False)
        OUT.print(_table_of(one))
    print_notes(found.notes)


def _print_overview(scored: Sequence[Scored], *, details: bool) -> None:
    """A line per run, in a table for each dataset: their metrics are not the same.

    Runs that did not pass a check are marked.
    """
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(one.run.rules.dataset, []).append(one)
    for dataset, own in groups.items():
        models = {one.run.name for one in own}
        tasks = {one.run.task for one in own}
        # What all of them share stands above the table, and what tells them apart in its lines.
        shared = [*(models if len(models) == 1 else ()), *(tasks if len(tasks) == 1 else ())]
        named = {_called(one, shared) + (f" {_FAULTY}" * bool(_faults(one))): one for one in own}
        arrows = {name: dict.fromkeys(_metrics(one)) for name, one in named.items()}
        title = ", ".join([*([dataset] if len(groups) > 1 else []), *(shared or ["all runs"])])
        found = {name: one.details for name, one in named.items()}
        OUT.print(overview(found, arrows, "Run", f"{title}, ± SE", whole=details))
        OUT.print()


def _called(one: Scored, shared: Collection[str]) -> str:
    apart = [name for name in (one.run.name, one.run.task) if name not in shared]
    return ", ".join(apart or [one.run.name])


def _print_doubts(one: Scored) -> None:
    """What a reader must know of a run that is not printed by itself, besides faults."""
    notes = one.details.get("notes", ())
    if not (notes or one.n_unread or one.run.facts.reads_gold):
        return
    OUT.print(Text(f"{one.run.name}, {one.run.task}", "bold"))
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
    _print_faults(one)
    OUT.print(_table_of(one))
    OUT.print()
    metrics = _metrics(one)
    benchmark = of_dataset(run.rules.dataset)
    called, shown = benchmark.called, breakdowns_of(benchmark)
    for name, parts in one.breakdowns.items() if details else ():
        if len(parts) > 1 and any(parts.values()):
            known = shown.get(f"by_{name}", Breakdown(f"By {name}, ± SE"))
            OUT.print(parts_table(metrics, parts, known))
            OUT.print()
            print_spread(one.details, metrics, f"by_{name}")
    print_notes([*one.details.get("notes", ()), *about_runs(one.details, called)])
    for check in one.checks:
        if check.passed is not False:
            OUT.print(_line(check), highlight=False)
    if not is_unreadable:
        _print_answers(one)
    _print_caution(one)
    OUT.print()


def _faults(one: Scored) -> list[Check]:
    return [check for check in one.checks if check.passed is False]


def _print_faults(one: Scored, of: str = "") -> None:
    """The checks that a run did not pass: they stand before its scores."""
    for check in _faults(one):
        OUT.print(f"{escape(of)}{_line(check).lstrip()}", highlight=False)


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
        OUT.print(Text(READS_GOLD, "bold"))


def _print_own(scores: Scores) -> list[str]:
    """The additions of each benchmark (`Benchmark.shown`) for its own runs; returns notes."""
    notes: list[str] = []
    for benchmark, own in by_benchmark(scores):
        shown = resolve(benchmark.shown)
        for made in shown(own, notes) if shown else ():
            OUT.print(made)
            OUT.print()
    return notes


def _metrics(one: Scored) -> list[str]:
    shown = [name for name in _better(one) if not name.startswith("n_")]
    return shown or list(one.details.get("estimates", {}))


def _better(one: Scored) -> dict[str, bool | None]:
    """Whether higher is better, by metric."""
    return truncation.beside(one.run.rules.metrics, one.details.get("estimates", {}))


def _table_of(one: Scored) -> RenderableType:
    run = one.run
    return results_table(
        run.task,
        _metrics(one),
        _better(one),
        one.details,
        run.facts.references,
        of_dataset(run.rules.dataset).called,
    )


def _line(check: Check) -> str:
    return f"{_SIGNS[check.passed]:>7}  {check.name}: {escape(check.detail)}"
