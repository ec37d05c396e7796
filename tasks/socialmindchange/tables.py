"""SocialMindChange's tables: accuracy by type of question and state of mind, and by span."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.table import Table

from otherminds import console
from otherminds.analysis.layouts import PERCENT, Column, Layout
from otherminds.analysis.runs import Runs
from otherminds.analysis.scores import Scores
from otherminds.analysis.tables import NO_ESTIMATE, estimate_cell, write_table
from otherminds.metrics.socialmindchange import CELLS, GUIDANCE, STATES
from otherminds.metrics.socialmindchange.summary import POOLED
from otherminds.tasks.socialmindchange.benchmark import BENCHMARK
from otherminds.tasks.socialmindchange.spans import span_rows, span_table, write_span_table

if TYPE_CHECKING:
    import pandas as pd

_ACC = Column("acc", "Accuracy", PERCENT, 1)

LAYOUT: Final = Layout(
    columns=dict.fromkeys(
        BENCHMARK.datasets,
        (
            _ACC,
            Column("acc_guidance", "Guidance", PERCENT, 1),
            Column("acc_transition", "Transition", PERCENT, 1),
            Column("sets_full", "Sets fully right", PERCENT, 1),
            Column("parse_rate", "Read", PERCENT, 1),
        ),
    ),
)

_ROWS = {GUIDANCE: "Guidance–Action", POOLED: "Guidance–Transition, pooled"}


def state_table(scores: Scores) -> pd.DataFrame:
    """A row per model, task and type of question, a column per state of mind: accuracy in percent, ±
    standard errors. The three transition types are pooled, as in the paper, and then alone.

    Empty where no run is of SocialMindChange.
    """
    import pandas as pd

    rows = []
    for one in scores.scored:
        cells = one.details.get("by_cell", {})
        for kind in dict.fromkeys(cell.partition("/")[0] for cell in CELLS if cells):
            found = [cells.get(f"{kind}/{state}", {}).get("acc", NO_ESTIMATE) for state in STATES]
            name = _ROWS.get(kind, kind.replace("_", " "))
            shown = [estimate_cell(acc["value"], acc["stderr"], _ACC) for acc in found]
            rows.append([one.run.name, one.run.task, name, *shown])
    columns = ["Model", "Task", "Type", *(state.capitalize() for state in STATES)]
    return pd.DataFrame(rows, columns=columns)


def write_state_table(scores: Scores, folder: Path, _: list[str]) -> list[Path]:
    """Write `table_socialmindchange_states.md` and `.tex`; returns their paths, none without rows."""
    table = state_table(scores)
    return (
        write_table(table, folder / "table_socialmindchange_states", texts=3) if len(table) else []
    )


def shown(scores: Scores, notes: list[str]) -> list[Table]:
    """Accuracy by span, where runs can be set beside each other: a table for each model."""
    rows, said = span_rows(_runs(scores))
    notes += said
    found = []
    for model in dict.fromkeys(row.model for row in rows) if len(rows) > 1 else ():
        table = span_table([row for row in rows if row.model == model]).drop(columns="Model")
        task, *headings = table.columns
        found.append(
            console.table(
                [*console.texts(task), *console.numbers(*headings, fit="words")],
                [
                    [_short(name), *(cell.replace(" ± ", "\n± ") for cell in cells)]
                    for name, *cells in table.itertuples(index=False, name=None)
                ],
                title=f"{model}: accuracy in transition questions by span, in percent",
            )
        )
    return found


def _write_spans(scores: Scores, folder: Path, notes: list[str]) -> list[Path]:
    return write_span_table(_runs(scores), folder, notes)


TABLES: Final = (write_state_table, _write_spans)
"""The benchmark's own tables of a report."""


def _runs(scores: Scores) -> Runs:
    return Runs([one.run for one in scores.scored], ())


def _short(task: str) -> str:
    return task.removeprefix(BENCHMARK.name).removeprefix("_") or task
