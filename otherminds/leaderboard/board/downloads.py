"""The board as files for other programs: one line per submission, board and metric."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from otherminds.leaderboard.board.tables import Tables
from otherminds.leaderboard.records.boards import References
from otherminds.page.text import label
from otherminds.sheets import defused

FIELDS = (
    *("board", "task", "task_version", "data_version", "kind", "submission", "model", "revision"),
    *(
        "level",
        "accepted",
        "date",
        "trained_on_data",
        "golds",
        "not_compared",
        "rank",
        "groups",
        "rank_low",
        "rank_high",
    ),
    *("metric", "value", "stderr", "low", "high", "n", "n_clusters", "source"),
)
OPEN = "open"
"""The golds of released data: whoever has them can make right answers from them."""


def as_json(tables: Tables, references: References) -> str:
    """A list of objects; a field that does not apply is null."""
    lines = [{name: line.get(name) for name in FIELDS} for line in _lines(tables, references)]
    return json.dumps(lines, indent=0, allow_nan=False, ensure_ascii=True) + "\n"


def as_csv(tables: Tables, references: References) -> str:
    """The same as a table. Texts that a spreadsheet would execute begin with an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FIELDS)
    for line in _lines(tables, references):
        writer.writerow([_cell(line.get(name)) for name in FIELDS])
    return text.getvalue()


def _lines(tables: Tables, references: References) -> Iterator[Mapping[str, Any]]:
    for table in tables.tables:
        board = table.board
        for row in table.rows:
            entry = tables.entries[row.number]
            record = entry.record
            for name, metric in sorted(row.metrics.items()):
                yield {
                    "board": board.id,
                    "task": board.task,
                    "task_version": label(row.run.task_version, 64),
                    "data_version": label(row.run.data_version, 64),
                    "kind": "submission",
                    "submission": label(entry.id, 100),
                    "model": label(record.model.name, 120),
                    "revision": label(record.model.revision or "", 64) or None,
                    "level": entry.verification.level,
                    "accepted": entry.verification.checked.isoformat(),
                    "date": record.date.isoformat(),
                    "trained_on_data": record.declarations.trained_on_data,
                    "golds": OPEN,
                    "not_compared": row.apart or None,
                    "rank": row.rank,
                    "groups": row.letters or None,
                    "rank_low": row.ranks.start if row.ranks else None,
                    "rank_high": row.ranks.stop - 1 if row.ranks else None,
                    "metric": label(name, 100),
                    "value": metric.value,
                    "stderr": metric.stderr,
                    "low": metric.low,
                    "high": metric.high,
                    "n": metric.n,
                    "n_clusters": metric.n_clusters,
                }
        for one in references.published:
            if one.board == board.id:
                for name, value in sorted(one.scores.items()):
                    yield {
                        "board": board.id,
                        "task": board.task,
                        "kind": "published",
                        "model": one.model,
                        "date": one.source.date,
                        "golds": OPEN,
                        "metric": name,
                        "value": value,
                        "source": one.source.url,
                    }


def _cell(value: Any) -> Any:
    return defused(value) if isinstance(value, str) else value
