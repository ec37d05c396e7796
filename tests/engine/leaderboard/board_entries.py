"""Made-up submissions for a board."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from otherminds.leaderboard.board import (
    Anchor,
    Board,
    Column,
    Entry,
    ItemScores,
    Published,
    References,
    Source,
)
from otherminds.leaderboard.board.seasons import Played, SeasonBoard
from otherminds.leaderboard.records.record import (
    Declarations,
    Harness,
    Metric,
    Model,
    Submission,
    TaskRun,
    Verification,
)
from otherminds.leaderboard.sealing.record import Season
from otherminds.metrics.uncertainty import clustered_mean, partition

TASKS = ("humans", "robots", "debates", "games", "stages")
_PARTS = ("healthcare", "surveillance", "zoning")
DAY = datetime.date(2026, 11, 20)


def board(task: str, *, high: bool = True) -> Board:
    """A board of one task with two metrics, of which the first is the mean item score."""
    return Board(
        id=task,
        title=f"Of {task}",
        short=task.capitalize(),
        benchmark="Made up",
        about=f"Questions about {task}.",
        dataset=f"data-{task}",
        task=task,
        items="share of answers that are right" if high else "error in dollars",
        items_higher_is_better=high,
        columns=[
            Column(name="acc", title="Accuracy", axis=(0, 1), places=3, higher_is_better=high),
            Column(name="parse_rate", title="Answers read", axis=(0, 1), places=3),
        ],
    )


def references(tasks: Sequence[str] = TASKS) -> References:
    """One board per task; the first has chance, people and a published result."""
    anchors = [
        Anchor("chance", "chance", "Answers at random.", {"acc": 0.5}),
        Anchor("human", "human", "The same people again.", {"acc": 0.85}, {"acc": (0.77, 0.92)}),
    ]
    return References(
        boards=[board(task) for task in tasks],
        published=[
            Published(
                board=tasks[0],
                model="published-model",
                scores={"acc": 0.72},
                source=Source(title="A paper", url="https://example.org/paper", date="2026"),
                note="As printed.",
            )
        ],
        anchors={tasks[0]: anchors},
        versions={},
    )


def scores(values: Sequence[float], *, people: int) -> ItemScores:
    """Item scores, dealt out to people and parts in turn."""
    numbers = range(len(values))
    return ItemScores(
        items=tuple(f"i{number:05d}" for number in numbers),
        people=tuple(f"P{number % people:03d}" for number in numbers),
        parts=tuple(_PARTS[number % 3] for number in numbers),
        scores=np.asarray(values, dtype=np.float64),
    )


def entry(
    name: str,
    answers: Mapping[str, ItemScores],
    *,
    id: str | None = None,
    level: str = "re-scored",
    trained: bool = False,
    submitter: str = "someone",
    checked: datetime.date = DAY,
    **changed: Any,
) -> Entry:
    """One submission, its metrics computed from its item scores; `changed` is of its task runs."""
    runs = [run(task, found, **changed) for task, found in answers.items()]
    recomputed = {} if level == "self-reported" else {one.task: one.metrics for one in runs}
    return Entry(
        id=id or name.lower().replace(".", "-").replace("/", "-"),
        record=Submission(
            schema_version="1",
            model=Model(name=name, revision="main", parameters=8_000_000_000, dtype="bfloat16"),
            harness=Harness(lm_eval="0.4.13", otherminds="0.1.0"),
            tasks=runs,
            date=DAY,
            submitter=submitter,
            declarations=Declarations(trained_on_data=trained),
        ),
        verification=Verification.model_validate(
            {"level": level, "checked": checked, "recomputed": recomputed}
        ),
        answers=answers,
    )


def run(task: str, found: ItemScores, **changed: Any) -> TaskRun:
    mean = clustered_mean(found.scores, partition(found.people))
    counts = {"n": mean.n, "n_clusters": mean.n_clusters}
    known = TaskRun(
        task=task,
        task_version="1.0",
        dataset=f"data-{task}",
        data_version="1.0",
        content_hash={"test": "a" * 64},
        prompt_sha256="b" * 64,
        decoding={"temperature": "0.0"},
        seeds={"seed": 7},
        repeats=1,
        n_items=len(found.items),
        metrics={
            "acc": Metric(
                value=mean.value, stderr=mean.stderr, low=mean.low, high=mean.high, **counts
            ),
            "parse_rate": Metric(value=1.0, stderr=0.0, low=1.0, high=1.0, **counts),
        },
        answers=f"answers/{task}.parquet",
        answers_sha256="c" * 64,
    )
    return known.model_copy(update=changed)


def drawn(
    rate: float, *, seed: int, n_items: int = 300, people: int = 60, common: int = 0
) -> ItemScores:
    """Answers that are right at a rate, on items whose difficulty all models of `common` share."""
    hard = np.random.default_rng(common).normal(0, 0.15, n_items)
    own = np.random.default_rng(seed + 1000).random(n_items)
    return scores((own < np.clip(rate + hard, 0, 1)).astype(float).tolist(), people=people)


def league(models: int = 12, tasks: Sequence[str] = TASKS) -> list[Entry]:
    """Models from weak to strong on several boards, not all of them on all."""
    entries = []
    for number in range(models):
        rate = 0.5 + 0.4 * number / max(models - 1, 1)
        answers = {
            task: drawn(rate, seed=31 * number + place)
            for place, task in enumerate(tasks)
            if (number + place) % 4 != 3
        }
        level = ("re-scored", "re-run", "self-reported")[number % 3]
        name = f"maker/Model-{number:03d}-Instruct"
        entries.append(entry(name, answers, level=level, trained=number == 5))
    return entries


def season(*, results: bool = True) -> SeasonBoard:
    """A season with two entries; with their scores, or still open."""
    record = Season(
        id="winter" if results else "spring",
        dataset="data-humans",
        data_version="1.0",
        generator={},
        made_with={},
        opened=datetime.date(2026, 1, 1),
        closes=datetime.date(2026, 1, 31),
        tasks=["humans"],
        rules=["Answer each question."],
        secret_sha256="a" * 64,
        content_hash={"items": "b" * 64},
        commitment={"items": "c" * 64},
        closed=datetime.date(2026, 2, 1) if results else None,
        secret="d" * 64 if results else None,
    )
    played = []
    for name, value in (("maker/one", 0.8), ("maker/other", 0.6)):
        found = Metric(
            value=value, stderr=0.02, low=value - 0.04, high=value + 0.04, n=300.0, n_clusters=60
        )
        verified = Verification(
            level="re-scored" if results else "sealed",
            checked=DAY,
            recomputed={"humans": {"acc": found}} if results else {},
        )
        played.append(Played(name, "someone", verified))
    return SeasonBoard(record, played, {"humans": board("humans").columns})
