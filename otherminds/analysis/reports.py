"""`otherminds report`: tables for a paper, plots, and a page to look at, from saved samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherminds import files
from otherminds.analysis.comparison import Comparison, compare
from otherminds.analysis.condition_ensembles import combined_models
from otherminds.analysis.condition_gains import Gains, gains, with_baseline
from otherminds.analysis.condition_ranks import ranks
from otherminds.analysis.condition_tables import write_condition_tables
from otherminds.analysis.contents import page_contents
from otherminds.analysis.identity_files import read_identities
from otherminds.analysis.reliability import sections, table
from otherminds.analysis.reply_ends import ReplyEnds
from otherminds.analysis.runs import Runs, read_runs
from otherminds.analysis.scores import Scores, score, score_run
from otherminds.analysis.tables import write_own_tables, write_tables
from otherminds.analysis.texts import Texts
from otherminds.errors import OtherMindsError
from otherminds.page import save_plots, write_page
from otherminds.page.reliability import names_of, write_reliability
from otherminds.samples.read import Sample
from otherminds.scoring.base import is_answered

PAGE, RELIABILITY = "report.html", "reliability"
_FIRST, _MARK = "scores.csv", "model,task,breakdown,part,"
"""The file that a report writes first, and how it begins."""


@dataclass(frozen=True)
class Report:
    """The files that were written, and the runs behind them."""

    folder: Path
    page: Path
    tables: Sequence[Path]
    plots: Sequence[Path]
    scores: Scores
    notes: Sequence[str]
    reliability: Path | None = None


def report(
    paths: Sequence[str | Path],
    folder: str | Path,
    *,
    title: str = "OtherMinds report",
    reliability: bool = False,
    advance: Callable[[str], None] | None = None,
) -> Report:
    """Read the runs in `paths` and write everything about them into `folder`.

    report.html          scores, plots, comparisons and all samples in one file that needs no network
    table_<dataset>.md   and .tex: the layout of the paper's main table, ± standard errors
    table_<dataset>_runs.…        the same with mean ± SD over runs, of models with several
    table_<dataset>_categories.…  parts by conditions, of models that were run under several, and
    table_<dataset>_groups.…      the parts by the condition with the highest score, and
    table_<dataset>_gains.…       the gain of each condition over the baseline: .md, .tex and .csv
    scores.csv           every number
    table_<benchmark>_….…         a benchmark's own tables (`Benchmark.tables`); see its `tables.py`
    plots/               each plot as SVG and PNG
    reliability.html     with `reliability`: what else than the person moves the scores, and
    reliability.csv      its numbers; see `analysis.reliability`

    advance  is called with the name of each step
    Raises OtherMindsError for files that cannot be read or written, and for a folder with other files.
    """
    say = advance or (lambda _: None)
    out = Path(folder).expanduser()
    files.check_folder(out)
    files.refuse_foreign(out, _FIRST, _MARK, command="otherminds report")
    texts, ends = Texts(), ReplyEnds()

    def visit(path: Path, sample: Sample) -> None:
        texts(path, sample)
        ends(path, sample)

    say("reading samples")
    runs = read_runs(paths, visit=visit)
    scores = score(runs, advance=lambda name: say(f"scoring {name}"))
    if not scores.scored:
        raise OtherMindsError(f"There is nothing to report. {' '.join(scores.notes)}")
    say("comparing models")
    notes = [*scores.notes, *_unread(scores), *_unpassed(scores)]
    comparisons = _comparisons(runs, notes)
    gained = _gains(runs, notes)
    contents = page_contents(title, scores, comparisons, notes, texts, gained)
    combined = combined_models(Runs([one.run for one in scores.scored], ()))
    conditioned = [*scores.scored, *(score_run(run, check=False) for run in combined)]
    ranked = ranks(Runs([one.run for one in conditioned], combined.notes))
    notes += ranked.notes
    tables = [
        *write_tables(scores, out),
        *write_condition_tables(Scores(conditioned, ()), gained, ranked, out),
        *write_own_tables(scores, out, notes),
    ]
    say("drawing plots")
    plots = save_plots(contents, out / "plots")
    say("writing the page")
    page = out / PAGE
    write_page(contents, page)
    if not reliability:
        return Report(out, page, tables, plots, scores, notes)
    say("writing the page on reliability")
    known = read_identities(paths, notes)
    found = sections(scores, known, ends)
    sheet, other = out / f"{RELIABILITY}.csv", out / f"{RELIABILITY}.html"
    files.write_table(table(found), sheet)
    write_reliability(title, found, notes, other, called=names_of(contents.called))
    return Report(out, page, [*tables, sheet], plots, scores, notes, other)


def _comparisons(runs: Runs, notes: list[str]) -> list[Comparison]:
    found = []
    for task, of_task in runs.by_task().items():
        if len(of_task) > 1 and is_answered(of_task.runs[0].records[0]):
            try:
                # The notes about files are in the report once already.
                comparison = compare(Runs(of_task.runs, ()))
            except OtherMindsError as error:
                notes.append(f"{task}: the models are not compared. {error.reason}")
            else:
                found.append(comparison)
                notes += [*comparison.cautions, *comparison.notes]
    return found


def _gains(runs: Runs, notes: list[str]) -> Gains | None:
    """The gains from showing more; None where no model was run under several conditions."""
    if not with_baseline(runs):
        return None
    try:
        found = gains(Runs(runs.runs, ()))
    except OtherMindsError as error:
        notes.append(str(error))
        return None
    notes += found.notes
    return found


def _unread(scores: Scores) -> list[str]:
    """How many answers of each run could not be parsed, where there are any."""
    return [
        f"{one.run.name}, {one.run.task}: {one.n_unread:,} of {one.n_answers:,} answers could not be "
        "parsed. The list of samples shows them (Parsing: failed)."
        for one in scores.scored
        if one.n_unread
    ]


def _unpassed(scores: Scores) -> list[str]:
    """The faults that the checks of the runs found."""
    return [
        f"{one.run.name}, {one.run.task}: {check.name}: {check.detail}"
        for one in scores.scored
        for check in one.checks
        if check.passed is False
    ]
