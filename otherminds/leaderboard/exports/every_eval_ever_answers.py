"""Single answers in the format of Every Eval Ever, schema 0.3.0; see `every_eval_ever`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from otherminds import harness
from otherminds.analysis.facts import Facts
from otherminds.analysis.verification import task_of
from otherminds.harness import reading
from otherminds.leaderboard.judging.expected import Expected, expected
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.record import Submission, TaskRun

SCHEMA: Final = "0.3.0"

Json = dict[str, Any]


def instances(
    submission: Submission, run: TaskRun, rows: Sequence[Row], evaluation: str
) -> Iterator[Json]:
    """Every answer in the format, in the order of the data and of the runs.

    An answer's score is 1 where the task's accuracy counts it as right. Raises OtherMindsError where
    the data are not at hand.
    """
    known = expected(run.task, run.subset)
    by_item: dict[str, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row.item_id, []).append(row)
    for item, prompt in _prompts(run, known):
        view = known.documents[item].view
        for row in sorted(by_item[item], key=lambda row: row.run):
            shown = row.parsed if row.raw is None else row.raw
            yield {
                "schema_version": SCHEMA,
                "evaluation_id": evaluation,
                "model_id": submission.model.name,
                "evaluation_name": run.task,
                "sample_id": item,
                "sample_hash": hashlib.sha256((prompt + view.gold).encode()).hexdigest(),
                "interaction_type": "single_turn",
                "input": {
                    "raw": prompt,
                    "reference": [view.gold],
                    "choices": [str(option) for option in view.options],
                },
                "output": {"raw": [] if shown is None else [shown]},
                "answer_attribution": _attribution(row, known),
                "evaluation": {"score": float(bool(row.correct)), "is_correct": bool(row.correct)},
                "metadata": texts(
                    run=row.run,
                    part=view.part,
                    person=view.person,
                    log_likelihoods=(
                        None if row.log_likelihoods is None else json.dumps(row.log_likelihoods)
                    ),
                ),
            }


def texts(**found: object) -> dict[str, str]:
    """The facts that are known, as text."""
    return {name: str(value) for name, value in found.items() if value not in (None, "")}


def _attribution(row: Row, known: Expected) -> list[Json]:
    if row.parsed is None:
        return []
    method = "largest log-likelihood" if known.takes_options else f"parser of {known.task}"
    return [
        {
            "turn_idx": 0,
            "source": "output.raw",
            "extracted_value": row.parsed,
            "extraction_method": method,
            "is_terminal": True,
        }
    ]


def _prompts(run: TaskRun, known: Expected) -> Iterator[tuple[str, str]]:
    """The prompts, without a chat template, each with its item's id, in the order of the data."""
    task = task_of(run.task, Facts(model="", data={"subset": run.subset}))
    items = {document.doc_hash: item for item, document in known.documents.items()}
    for doc in reading.documents(task):
        yield items[harness.doc_hash(doc)], str(task.doc_to_text(doc))
