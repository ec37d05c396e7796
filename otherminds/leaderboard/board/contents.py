"""The data of the page, as JSON: every text cut and made visible, every number finite."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import stdtrit

from otherminds.leaderboard.board.comparing import Pairs
from otherminds.leaderboard.board.entries import Entry
from otherminds.leaderboard.board.tables import Row, Table, Tables
from otherminds.leaderboard.records.boards import Anchor, Board, Published, References
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.record import ID, UNAFFILIATED, TaskRun
from otherminds.metrics.uncertainty import LEVEL, Estimate
from otherminds.page.text import label

_SHORT, _LONG = 120, 600
_STEPS = 254

SHOWN = 50
"""Decisions of the moderation log that the page shows."""

Json = dict[str, Any]


def contents(tables: Tables, references: References) -> Json:
    """All boards and models as the page's script reads them."""
    return {
        "models": [_model(entry) for entry in tables.entries],
        "boards": [_board(table, references) for table in tables.tables],
    }


def _model(entry: Entry) -> Json:
    record, verification = entry.record, entry.verification
    model = record.model
    return {
        # Only a safe id may become part of a link.
        "id": entry.id if len(entry.id) <= 100 and ID.fullmatch(entry.id) else None,
        "name": label(model.name, _SHORT),
        "level": label(verification.level, 20),
        "date": record.date.isoformat(),
        "checked": verification.checked.isoformat(),
        "unaffiliated": any(flag.code == UNAFFILIATED for flag in verification.flags),
        "trained": record.declarations.trained_on_data,
        "notes": label(record.declarations.notes, _LONG),
        "flags": [
            [label(flag.code, 64), label(flag.detail, _LONG)] for flag in verification.flags[:20]
        ],
        "facts": _facts(
            ("Submission", entry.id),
            ("Submitted by", record.submitter),
            ("Revision", model.revision),
            ("Weights, SHA-256", model.weights_sha256),
            ("Parameters", None if model.parameters is None else f"{model.parameters:,}"),
            ("Data type", model.dtype),
            ("lm-eval", record.harness.lm_eval),
            ("otherminds", record.harness.otherminds),
        ),
    }


def last(decisions: Sequence[Decision]) -> list[list[str]]:
    """Date, action, submission, pull request and reasons of the last decisions, newest first."""
    return [
        [
            one.date.isoformat(),
            one.action,
            label(one.submission or "", 100),
            "" if one.pull_request is None else str(one.pull_request),
            label(one.detail or ", ".join(one.codes), 600),
        ]
        for one in reversed(decisions[-SHOWN:])
    ]


def _board(table: Table, references: References) -> Json:
    board = table.board
    parts = sorted({part for row in table.rows if row.items for part in row.items.parts})
    compared = next((row.items for row in table.rows if row.place == 0), None)
    return {
        "id": board.id,
        "title": board.title,
        "short": board.short,
        "benchmark": board.benchmark,
        "about": board.about,
        "task": board.task,
        "dataset": board.dataset,
        "version": references.versions.get(board.id, ""),
        "items": board.items,
        "itemsHigh": board.items_higher_is_better,
        "nItems": compared.mean.n if compared else 0,
        "nPeople": compared.mean.n_clusters if compared else 0,
        "columns": [
            {
                "name": column.name,
                "title": column.title,
                "axis": list(column.axis),
                "places": column.places,
                "high": column.higher_is_better,
            }
            for column in board.columns
        ],
        "anchors": [_anchor(one, board) for one in references.anchors.get(board.id, ())],
        "published": [
            _published(one, board) for one in references.published if one.board == board.id
        ],
        "parts": [label(part, 60) for part in parts],
        "rows": [_row(row, board, parts) for row in table.rows],
        "pairs": None if table.pairs is None else pack_pairs(table.pairs),
    }


def _row(row: Row, board: Board, parts: Sequence[str]) -> Json:
    return {
        "m": row.number,
        "rank": row.rank,
        "letters": row.letters,
        "ranks": [row.ranks.start, row.ranks.stop - 1] if row.ranks else None,
        "place": row.place,
        "apart": label(row.apart, _SHORT),
        "values": [
            None if found is None else _triple(found.value, found.low, found.high)
            for found in (row.metrics.get(column.name) for column in board.columns)
        ],
        "mean": _estimate(row.items.mean) if row.items else None,
        "parts": [
            _estimate(row.items.parts[part]) if row.items and part in row.items.parts else None
            for part in parts
        ],
        "run": _run(row.run),
    }


def _run(run: TaskRun) -> list[list[str]]:
    def settings(found: Mapping[str, Any]) -> str:
        return ", ".join(f"{name} {value}" for name, value in sorted(found.items()))

    return _facts(
        ("Task", f"{run.task} {run.task_version}"),
        ("Data", f"{run.dataset} {run.data_version}"),
        ("Subset", run.subset),
        ("Items", f"{run.n_items:,}"),
        ("Repeats", run.repeats),
        ("Decoding", settings(run.decoding)),
        ("Seeds", settings(run.seeds)),
        ("Judge", None if run.judge is None else f"{run.judge.name} {run.judge.revision or ''}"),
        ("Prompts, SHA-256", run.prompt_sha256),
        ("Chat template, SHA-256", run.chat_template_sha256 or "none applied"),
        *((f"Content of {name}", found) for name, found in sorted(run.content_hash.items())),
    )


def _facts(*facts: tuple[str, object]) -> list[list[str]]:
    return [[label(name, 60), label(fact, 200)] for name, fact in facts if fact not in (None, "")]


def _anchor(anchor: Anchor, board: Board) -> Json:
    return {
        "kind": anchor.kind,
        "name": label(anchor.name.replace("_", " "), 60),
        "about": label(f"{anchor.description} {anchor.basis}", 900),
        "values": [
            None
            if column.name not in anchor.scores
            else _triple(
                anchor.scores[column.name], *anchor.intervals.get(column.name, (None, None))
            )
            for column in board.columns
        ],
    }


def _published(one: Published, board: Board) -> Json:
    return {
        "name": label(one.model, _SHORT),
        "values": [
            _triple(one.scores[column.name], None, None) if column.name in one.scores else None
            for column in board.columns
        ],
        "title": label(one.source.title, _SHORT),
        "url": one.source.url,
        "date": label(one.source.date, 20),
        "note": label(one.note, _LONG),
    }


def pack_pairs(pairs: Pairs) -> Json:
    """The upper triangle, row by row, in base64: `apart` a bit and `stderr` a byte for each pair.

    A standard error is rounded up to one of 254 steps, each a fixed part larger than the one before
    (never more than 5 %, as long as they range over less than 250,000-fold); 0 stands for 0.
    """
    upper = np.triu_indices(len(pairs.p), 1)
    stderr = np.nan_to_num(pairs.stderr[upper])
    positive = stderr[stderr > 0]
    low, high = (float(positive.min()), float(positive.max())) if len(positive) else (1.0, 1.0)
    step = max((high / low) ** (1 / (_STEPS - 1)), 1 + 1e-9)
    codes = np.zeros(len(stderr), dtype=np.uint8)
    exponents = np.log(stderr[stderr > 0] / low) / math.log(step)
    # A hair less, so that rounding does not lift an exact step to the next one.
    codes[stderr > 0] = np.clip(np.ceil(exponents - 1e-6), 0, _STEPS - 1).astype(np.uint8) + 1
    return {
        "n": len(pairs.p),
        "apart": _base64(np.packbits(pairs.apart[upper]).tobytes()),
        "stderr": _base64(codes.tobytes()),
        "low": low,
        "step": step,
        # Half the width of a 95 % interval, in standard errors.
        "t": float(stdtrit(pairs.n_people - 1, (1 + LEVEL) / 2)) if pairs.n_people > 1 else None,
    }


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _estimate(found: Estimate) -> list[float | None] | None:
    return _triple(found.value, found.low, found.high)


def _triple(value: float, low: float | None, high: float | None) -> list[float | None] | None:
    """Six digits are more than any interval here deserves."""
    first, *ends = (
        None if number is None or not math.isfinite(number) else float(f"{number:.6g}")
        for number in (value, low, high)
    )
    return None if first is None else [first, *ends]
