"""SocialMindChange: accuracy by the scenes that a question spans, of whole and of cut stages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds import index
from otherminds.analysis.comparability import check_comparable
from otherminds.analysis.comparison import fewest_runs, records_of, shared_items
from otherminds.analysis.layouts import Column
from otherminds.analysis.runs import Run, Runs
from otherminds.analysis.tables import estimate_cell, write_table
from otherminds.errors import OtherMindsError
from otherminds.metrics.ranges import SHARE, Range
from otherminds.metrics.socialmindchange import GUIDANCE
from otherminds.metrics.uncertainty import Estimate, clustered_mean, nothing, partition
from otherminds.scoring.base import Answered
from otherminds.tasks.socialmindchange import scoring as socialmindchange

if TYPE_CHECKING:
    import pandas as pd

ALL_SPANS = "all"
_ACC = Column("acc", "Accuracy", 100.0, 1)
_TRUNCATED = "_truncated"
_TEXTS = ("Model", "Task", "Scenes", "Shown")


@dataclass(frozen=True)
class SpanRow:
    """Accuracy in transition questions of one run, or of a run minus another, by span.

    task         of the run, without "_truncated", which `shown` says
    n_scenarios  scenes of a stage: one number, or several as in "5, 6"
    shown        "all", "first 4", or "all − first 4" for a paired difference
    by_span      by the number of scenes from the first to the second, and ALL_SPANS: a share, or
                 a difference of shares, with its interval over stages
    """

    model: str
    task: str
    n_scenarios: str
    shown: str
    by_span: Mapping[str, Estimate]


def span_rows(runs: Runs) -> tuple[list[SpanRow], list[str]]:
    """A row for every run of SocialMindChange's questions, and one for whole minus cut stages wherever a
    model was run on both; notes on runs left out.

    A task is the cut form of another by its name, `…_truncated`. Differences are per question, on those
    that both answered, with the cluster-robust standard error over stages: the two runs are on the same
    questions, so the difficulty of a question cancels.
    """
    own = [run for run in runs if run.rules.scorer.check_doc is socialmindchange.check_doc]
    by_task: dict[tuple[str, str], dict[int | None, Run]] = {}
    for run in own:
        by_task.setdefault((run.name, run.task.replace(_TRUNCATED, "")), {})[_scenes(run)] = run
    rows: list[SpanRow] = []
    notes: list[str] = []
    for _, found in sorted(by_task.items()):
        whole = found.get(None)
        rows += [] if whole is None else [_row(whole, None)]
        for scenes, cut in found.items():
            if scenes is None:
                continue
            rows.append(_row(cut, scenes))
            if whole is not None:
                try:
                    rows.append(_difference(whole, cut, scenes, notes))
                except OtherMindsError as error:
                    notes.append(
                        f"{whole.name}, {cut.task}: not set against {whole.task}. {error.reason}"
                    )
    rows.sort(key=lambda row: (row.model, row.n_scenarios))
    return [row for row in rows if row.by_span], notes


def span_table(rows: Sequence[SpanRow]) -> pd.DataFrame:
    """A row per run or difference and a column per span: percent ± standard errors, as texts."""
    import pandas as pd

    spans = sorted({span for row in rows for span in row.by_span} - {ALL_SPANS}, key=int)
    table = []
    for row in rows:
        cells = [_cell(row.by_span.get(span)) for span in (*spans, ALL_SPANS)]
        table.append([row.model, row.task, row.n_scenarios, row.shown, *cells])
    return pd.DataFrame(table, columns=[*_TEXTS, *(f"Span {span}" for span in spans), "All"])


def span_numbers(rows: Sequence[SpanRow]) -> pd.DataFrame:
    """The same as numbers: model, task, scenes, shown, span, value, stderr, low, high, n, n_stages."""
    import pandas as pd

    fields = ("value", "stderr", "low", "high", "n")
    made: list[dict[str, Any]] = [
        {
            **{"model": row.model, "task": row.task, "scenes": row.n_scenarios},
            **{"shown": row.shown, "span": span},
            **{field: getattr(found, field) for field in fields},
            "n_stages": found.n_clusters,
        }
        for row in rows
        for span, found in row.by_span.items()
    ]
    return pd.DataFrame(made)


def write_span_table(runs: Runs, folder: Path, notes: list[str]) -> list[Path]:
    """Write `table_socialmindchange_spans` as `.md`, `.tex` and `.csv`; returns the paths, none without
    rows."""
    rows, said = span_rows(runs)
    notes += said
    if not rows:
        return []
    stem = folder / "table_socialmindchange_spans"
    return write_table(span_table(rows), stem, texts=len(_TEXTS), numbers=span_numbers(rows))


def _cell(found: Estimate | None) -> str:
    known = found or nothing()
    return estimate_cell(known.value, known.stderr, _ACC)


def _scenes(run: Run) -> int | None:
    """How many scenes the task shows; None for all."""
    entry = index.entries().get(run.task)
    found = entry.content.get("dataset_kwargs", {}).get("scenes") if entry else None
    return found if isinstance(found, int) else None


def _row(run: Run, scenes: int | None) -> SpanRow:
    shown = "all" if scenes is None else f"first {scenes}"
    return _made(run, shown, run.answered, [_share(record) for record in run.answered])


def _difference(whole: Run, cut: Run, scenes: int, notes: list[str]) -> SpanRow:
    # In the task they are meant to differ.
    pair = [
        replace(whole, name=f"{whole.name}, all scenes"),
        replace(cut, name=f"{cut.name}, first {scenes}", task=whole.task),
    ]
    said = check_comparable(pair)
    items = shared_items(pair, None, said)
    full, part = (records_of(run, items) for run in fewest_runs(pair, said))
    notes += said
    gaps = [_share(a) - _share(b) for a, b in zip(full, part, strict=True)]
    return _made(whole, f"all − first {scenes}", full, gaps, SHARE.of_difference())


def _made(
    run: Run,
    shown: str,
    records: Sequence[Answered],
    values: Sequence[float],
    within: Range = SHARE,
) -> SpanRow:
    scenes = sorted({_item(record).n_scenarios for record in records})
    return SpanRow(
        model=run.name,
        task=run.task.replace(_TRUNCATED, ""),
        n_scenarios=", ".join(map(str, scenes)),
        shown=shown,
        by_span={name: within.cut(found) for name, found in _by_span(records, values)},
    )


def _by_span(
    records: Sequence[Answered], values: Sequence[float]
) -> Iterator[tuple[str, Estimate]]:
    questions = [_item(record) for record in records]
    asked = [place for place, one in enumerate(questions) if one.type != GUIDANCE]
    spans: dict[str, list[int]] = {}
    for place in asked:
        spans.setdefault(str(questions[place].span), []).append(place)
    for span in sorted(spans, key=int):
        yield span, _mean(spans[span], questions, values)
    if asked:
        yield ALL_SPANS, _mean(asked, questions, values)


def _mean(places: Sequence[int], questions: Sequence[Any], values: Sequence[float]) -> Estimate:
    stages = partition([questions[place].stage_id for place in places])
    return clustered_mean([values[place] for place in places], stages)


def _share(record: Answered) -> float:
    """The share of a question's answers that are right."""
    right = record.view().correct
    return sum(map(bool, right)) / len(right)


def _item(record: Any) -> Any:
    return record.item
