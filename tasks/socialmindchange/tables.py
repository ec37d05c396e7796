"""SocialMindChange's table for papers: accuracy by type of question and state of mind."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from otherminds.analysis.layouts import Column
from otherminds.analysis.scores import Scores
from otherminds.analysis.tables import NO_ESTIMATE, estimate_cell, write_table
from otherminds.metrics.socialmindchange import CELLS, GUIDANCE, STATES
from otherminds.metrics.socialmindchange.summary import POOLED

_ACC = Column("acc", "Accuracy", 100.0, 1)
_ROWS = {GUIDANCE: "Guidance–Action", POOLED: "Guidance–Transition, pooled"}


def state_table(scores: Scores) -> pd.DataFrame:
    """A row per model, task and type of question, a column per state of mind: accuracy in percent, ±
    standard errors. The three transition types are pooled, as in the paper, and then alone.

    Empty where no run is of SocialMindChange.
    """
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


def write_socialmind_table(scores: Scores, folder: Path) -> list[Path]:
    """Write `table_socialmindchange_states.md` and `.tex`; returns their paths, none without rows."""
    table = state_table(scores)
    return (
        write_table(table, folder / "table_socialmindchange_states", texts=3) if len(table) else []
    )
