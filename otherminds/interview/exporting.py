"""Exports of a study: transcripts, graphs and events, in one pass over the database.

Every line says in `participant_id` whose it is, so that a deletion finds it. No export has recruitment
ids, and none has demographics.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

import orjson

from otherminds import files
from otherminds.interview import deletion, graphs, records
from otherminds.interview.store import Record, Store, Summary
from otherminds.sheets import defused
from otherminds.types import Progress

SESSIONS: Final = "sessions.csv"
TRANSCRIPTS_CSV: Final = "transcripts.csv"
TRANSCRIPTS: Final = "transcripts.jsonl"
GRAPHS: Final = "graphs.jsonl"
DYNAMIC: Final = "graphs_after_answers.jsonl"
EVENTS: Final = "events.jsonl"
NAMES: Final = (SESSIONS, TRANSCRIPTS_CSV, TRANSCRIPTS, GRAPHS, DYNAMIC, EVENTS)

_SUMMARY: Final = (
    *("session_id", "participant_id", "topic", "status", "stage", "progress", "answers", "nodes"),
    *("config_hash", "created", "updated"),
)
_NOT_AGAIN: Final = frozenset({"qa_history", "topic"})
"""What a line of a graph says already, or not at all."""

HEADER: Final = ",".join(_SUMMARY)
"""By its first line a folder is known as an export of ours."""

_SAID: Final = (
    *("session_id", "participant_id", "topic", "number", "timestamp", "speaker", "content"),
)


def sampled(sessions: Sequence[Summary], share: float) -> list[Summary]:
    """A share of the sessions, rounded up, in their order; which follows from their ids alone."""
    count = math.ceil(share * len(sessions))
    chosen = sorted(sessions, key=lambda one: hashlib.sha256(one.id.encode()).hexdigest())[:count]
    kept = {one.id for one in chosen}
    return [one for one in sessions if one.id in kept]


def export(
    store: Store,
    sessions: Sequence[Summary],
    folder: Path,
    names: Sequence[str],
    progress: Progress = lambda done, total: None,
    *,
    is_kept: bool = True,
) -> list[Path]:
    """Write files of `NAMES` on some sessions into a folder, and return their paths.

    Those of an earlier export that are not written again are removed. Each stands there whole or not at
    all. Somebody who is deleted meanwhile is not in them either.

    is_kept  the folder stays, so that later deletions must reach it
    """
    files.check_folder(folder)
    if is_kept:
        store.add_export(folder)
    gone = set(deletion.tombstones(store))
    with ExitStack() as stack:
        opened: dict[str, IO[str]] = {}
        for name in names:
            partial = stack.enter_context(files.atomic_file(folder / name))
            opened[name] = stack.enter_context(partial.open("w", encoding="utf-8", newline=""))
        writer = _Writer(opened)
        wanted = [one.id for one in sessions]
        needs_qas = bool({TRANSCRIPTS, TRANSCRIPTS_CSV, DYNAMIC} & {*names})
        configs: dict[str, str] = {}
        for done, record in enumerate(
            store.records(wanted, qas=needs_qas, events=bool({EVENTS, DYNAMIC} & {*names}))
        ):
            writer.write(record)
            if DYNAMIC in names:
                key = record.summary.config_hash
                if key not in configs:
                    configs[key] = store.config(key)
                writer.write_dynamic(record, configs[key])
            progress(done + 1, len(wanted))
    for name in set(NAMES) - {*names}:
        (folder / name).unlink(missing_ok=True)
    for person in set(deletion.tombstones(store)) - gone:
        deletion.from_exports([folder], person)
    return [folder / name for name in names]


class _Writer:
    def __init__(self, opened: Mapping[str, IO[str]]) -> None:
        self._opened = opened
        self._csv = {
            name: csv.writer(file, lineterminator="\n")
            for name, file in opened.items()
            if name.endswith(".csv")
        }
        for name, columns in ((SESSIONS, _SUMMARY), (TRANSCRIPTS_CSV, _SAID)):
            if name in self._csv:
                self._csv[name].writerow(columns)

    def write(self, record: Record) -> None:
        one = record.summary
        if SESSIONS in self._csv:
            row = {**asdict(one), "session_id": one.id}
            self._csv[SESSIONS].writerow([row[name] for name in _SUMMARY])
        if TRANSCRIPTS_CSV in self._csv:
            self._csv[TRANSCRIPTS_CSV].writerows(_said(record))
        beginning = _beginning(one)
        for name, parts in ((TRANSCRIPTS, record.qas), (EVENTS, record.events)):
            if name in self._opened:
                self._opened[name].writelines(
                    f"{beginning}{content[1:]}\n" for content in parts.values()
                )
        if GRAPHS in self._opened:
            self._opened[GRAPHS].write(f"{beginning}{record.graph[1:]}\n")

    def write_dynamic(self, record: Record, config: str) -> None:
        beginning = _beginning(record.summary)
        session = records.session_of(record, config)
        for qa_id, graph in graphs.graphs_after_each(session):
            content = graph.model_dump_json(exclude=set(_NOT_AGAIN), exclude_none=True)
            after = json.dumps({"after_qa": qa_id})[1:-1]
            self._opened[DYNAMIC].write(f"{beginning}{after}, {content[1:]}\n")


def _beginning(one: Summary) -> str:
    """The beginning of an object that says whose it is; its other fields are written after it."""
    whose = {"session_id": one.id, "participant_id": one.participant_id, "topic": one.topic}
    return f"{json.dumps(whose, ensure_ascii=False)[:-1]}, "


def _said(record: Record) -> Iterator[list[Any]]:
    one = record.summary
    whose = [one.id, one.participant_id, one.topic]
    for number, content in record.qas.items():
        qa = orjson.loads(content)
        yield [*whose, number, qa["asked_at"], "interviewer", defused(qa["question"])]
        if qa["answer"] is not None:
            yield [*whose, number, qa["answered_at"], "participant", defused(qa["answer"])]
