"""The leaderboard's bounds: verifying one full submission, and building a board of many.

Submissions are of random answers, to the tasks of the boards that can be scored here, written and
verified as real ones are. The bounds are 20 s of a processor for one submission; and for 500 models on
all boards 2 minutes of it, 2 GB, and a page of 3 MB. Twenty-five models have files of their own, and
the others the same files under other names, because writing all of them would take longer than all else;
once read, everybody's scores are made different, so that the page packs no better than that of a real
board. The board is built from the sums in verifications, as of submissions that the moderation log
vouches for, and once more from the answers, as where it does not. Hashing the files for that log is not
in it.
Run: python -m performance.leaderboard [--models N]
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from otherminds import harness
from otherminds.leaderboard import board
from otherminds.leaderboard.board.entries import Entry, ItemScores, Reduced
from otherminds.leaderboard.judging import rescore, sums, verify
from otherminds.leaderboard.judging.expected import Expected, UnavailableError, expected
from otherminds.leaderboard.records import answers, intake, verifications
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.boards import Board, References
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import (
    RECORD,
    SCHEMA_VERSION,
    Declarations,
    Harness,
    Metric,
    Model,
    Submission,
    TaskRun,
    Verification,
)
from otherminds.metrics.uncertainty import mean_of_totals
from performance.machine import peak_mb
from performance.ratio import Ratio, print_table

DATA = "simulated"
CLAIM = "verify one submission to a board"
BOARD = "board of"
DAY = date(2026, 1, 2)
MODELS, DRAWN = 500, 25
BOUND = "< 20"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=MODELS)
    parser.add_argument("--verify", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--answers", type=Path, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if child := told.verify or told.build or told.answers:
        harness.quiet(debug=False)
        found = (
            measured_verify(child)
            if told.verify
            else measured_build(child, vouched=told.build is not None)
        )
        print(json.dumps(found))
        return
    print_table(measure(told.models))


def measure(models: int = MODELS) -> list[Ratio]:
    """The time of each verification, and the time, memory and page of a board of so many models."""
    harness.quiet(debug=False)
    found, ratios = supported(board.load())
    with tempfile.TemporaryDirectory() as work:
        for spec, known in found:
            folder = Path(work) / "one" / spec.id
            write(folder, 0, [known], with_raw=True)
            right = intake.id_of(named(0).name, (folder / RECORD).read_bytes())
            taken_so = in_a_process("--verify", folder.rename(folder.with_name(right)))
            ratios.append(verified(spec.id, taken_so))
        submissions = Path(work) / "many"
        for number in range(models):
            folder = submissions / f"model-{number:04d}"
            if number < DRAWN:
                write(folder, number, [known for _, known in found])
            else:
                renamed(submissions / f"model-{number % DRAWN:04d}", folder, number, found)
        kept, read = (in_a_process(flag, submissions) for flag in ("--build", "--answers"))
        return ratios + built(models, len(found), kept, read)


def verified(board_id: str, found: dict[str, Any]) -> Ratio:
    """One verification, held to its bound."""
    return Ratio.alone(
        verifying(board_id),
        found["processor"],
        "CPU s",
        target=BOUND,
        claim=CLAIM,
        note=f"{found['said']}; {found['clock']:.1f} s by the clock, "
        f"peak {found['peak_mb']:,.0f} MB",
    )


def verifying(board_id: str) -> str:
    return f"verify one submission to {board_id}"


def built(models: int, boards: int, found: dict[str, Any], read: dict[str, Any]) -> list[Ratio]:
    """A board that was built from sums, held to its bounds, and against one built from answers."""
    drawn = min(models, DRAWN)
    copies = f" ({drawn:,} and {models - drawn:,} renamed copies of them)" if models > drawn else ""
    what = f"{BOARD} {models:,} models{copies}"
    note = (
        f"on {boards} boards; the copies' scores are made different once they are read; "
        f"{found['clock']:.1f} s by the clock"
    )
    return [
        Ratio.alone(f"{what}: time", found["processor"], "CPU s", target="< 120", note=note),
        Ratio.alone(f"{what}: peak memory", found["peak_mb"], "MB", target="< 2000"),
        Ratio.alone(f"{what}: page", found["page_mb"], "MB", target="< 3"),
        Ratio.of(
            f"{what}: reading submissions, from sums against from answers",
            found["reading"],
            read["reading"],
            "s",
            note=f"processor; the whole build {found['processor']:.1f} s against "
            f"{read['processor']:.1f} s",
        ),
    ]


def supported(references: References) -> tuple[list[tuple[Board, Expected]], list[Ratio]]:
    """The boards whose tasks can be scored from answers with data that are at hand; and the others."""
    found, others = [], []
    for spec in references.boards:
        try:
            # As the board asks for it, so that it is made once.
            found.append((spec, expected(spec.task, None)))
        except (RefusedError, UnavailableError) as error:
            why = str(error).splitlines()[0].partition(". ")[0]
            others.append(Ratio.left_out(verifying(spec.id), why, target=BOUND, claim=CLAIM))
    return found, others


def write(folder: Path, seed: int, tasks: Sequence[Expected], *, with_raw: bool = False) -> None:
    """An accepted submission of one model: random answers to all documents of some tasks.

    with_raw  with replies, and the metrics that these answers have; a board takes both as they are
    """
    rng = np.random.default_rng(seed)
    runs = []
    kept = {}
    for known in tasks:
        rows = list(drawn(known, rng, with_raw=with_raw))
        path = folder / "answers" / f"{known.task}.parquet"
        answers.write(path, rows)
        metrics = rescore.rescore(rows, 1, known).metrics if with_raw else made_up(known, rng)
        runs.append(run := task_run(known, rows, metrics))
        counted = sums.of_records(rescore.read(rows, 1, known), run, known)
        kept |= {} if counted is None else {known.task: counted}
    record = Submission(
        schema_version=SCHEMA_VERSION,
        model=named(seed),
        harness=Harness(lm_eval=harness.version(), otherminds="0"),
        tasks=runs,
        date=DAY,
        submitter="someone",
        declarations=Declarations(trained_on_data=False),
    )
    (folder / "record.json").write_text(record.model_dump_json(), encoding="utf-8")
    if not with_raw:
        verifications.write(folder, Verification(level="re-scored", checked=DAY, sums=kept))


def renamed(
    source: Path, folder: Path, number: int, found: Sequence[tuple[Board, Expected]]
) -> None:
    """The same files of answers, submitted for another model with other numbers."""
    shutil.copytree(
        source, folder, copy_function=os.link, ignore=shutil.ignore_patterns("record.json")
    )
    record = Submission.model_validate_json((source / "record.json").read_bytes())
    rng = np.random.default_rng(number)
    tasks = [
        run.model_copy(update={"metrics": made_up(known, rng)})
        for run, (_, known) in zip(record.tasks, found, strict=True)
    ]
    other = record.model_copy(update={"model": named(number), "tasks": tasks})
    (folder / "record.json").write_text(other.model_dump_json(), encoding="utf-8")


def named(number: int) -> Model:
    return Model(name=f"maker/model-{number:04d}", revision="main")


def drawn(known: Expected, rng: np.random.Generator, *, with_raw: bool) -> Iterator[Row]:
    """Answers as likely to be right as they can be drawn: skill differs from model to model."""
    skill = rng.uniform(0.2, 0.9)
    for item, document in known.documents.items():
        texts = list(document.answers)
        gold = document.view.gold
        right = gold in texts and rng.random() < skill
        parsed = gold if right else texts[int(rng.integers(len(texts)))]
        answer = document.answers[parsed]
        [correct] = document.record.with_answers((answer,)).view().correct
        yield Row(item, document.doc_hash, 0, parsed, parsed if with_raw else None, None, correct)


def task_run(known: Expected, rows: Sequence[Row], metrics: Any) -> TaskRun:
    return TaskRun(
        task=known.task,
        task_version=known.rules.version,
        dataset=known.rules.dataset,
        data_version=known.version,
        content_hash=dict(known.content_hash),
        prompt_sha256=known.prompts,
        decoding={},
        seeds={},
        repeats=1,
        n_items=len(known.documents),
        metrics=dict(metrics),
        answers=f"answers/{known.task}.parquet",
        answers_sha256=answers.digest(rows),
    )


def made_up(known: Expected, rng: np.random.Generator) -> dict[str, Metric]:
    """The task's metrics, with numbers that take their room on the page."""
    return {
        name: Metric(
            value=float(rng.random()), stderr=0.01, low=0.1, high=0.9, n=1000, n_clusters=100
        )
        for name in known.rules.metrics
    }


def in_a_process(flag: str, folder: Path) -> dict[str, Any]:
    """One measurement in a process of its own; what starting takes is not in it."""
    done = subprocess.run(
        [sys.executable, "-m", "performance.leaderboard", flag, str(folder)],
        env={**os.environ, "OMP_NUM_THREADS": "2"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured_verify(folder: Path) -> dict[str, Any]:
    clock, start = time.perf_counter(), time.process_time()
    outcome = verify.verify(folder)
    # A refusal can be fast.
    assert outcome.level is not None, outcome.reasons
    return {"said": outcome.level, **taken(clock, start)}


def measured_build(submissions: Path, *, vouched: bool) -> dict[str, Any]:
    clock, start = time.perf_counter(), time.process_time()
    references = board.load()
    wanted = {known.task for _, known in supported(references)[0]}
    out = submissions.parent / "board"
    said: list[str] = []
    before = time.process_time()
    entries = list(board.accepted(submissions, wanted, vouched=vouched, say=said.append))
    reading = time.process_time() - before
    board.build(map(different, entries, itertools.count()), references, out)
    # What is left out costs nothing.
    assert not said, said
    size = (out / "index.html").stat().st_size / 1e6
    return {"page_mb": size, "reading": reading, **taken(clock, start)}


def different(entry: Entry, seed: int) -> Entry:
    """The entry, with one in twenty of the right answers made wrong."""
    assert entry.answers, entry.id
    rng = np.random.default_rng(seed)
    return dataclasses.replace(
        entry, answers={task: worse(of, rng) for task, of in entry.answers.items()}
    )


def worse(of: ItemScores | Reduced, rng: np.random.Generator) -> Reduced:
    assert isinstance(of, Reduced)
    fewer = rng.binomial(of.sums.astype(int), 0.95).astype(np.float64)
    mean = mean_of_totals(fewer, of.counts)
    moved = mean.value - of.mean.value
    parts = {
        name: dataclasses.replace(one, value=one.value + moved, low=one.low + moved)
        for name, one in of.parts.items()
    }
    return dataclasses.replace(of, sums=fewer, mean=mean, parts=parts)


def taken(clock: float, start: float) -> dict[str, float]:
    """Seconds since `clock`, seconds of a processor since `start`, and the peak of memory."""
    return {
        "clock": time.perf_counter() - clock,
        "processor": time.process_time() - start,
        "peak_mb": peak_mb(),
    }


if __name__ == "__main__":
    main()
