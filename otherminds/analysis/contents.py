"""The tables of a report's page, from runs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from otherminds.analysis.comparison import Comparison
from otherminds.analysis.condition_gains import Gain, Gains
from otherminds.analysis.layouts import benchmark_of, unit_max
from otherminds.analysis.runs import Run
from otherminds.analysis.scores import ALL, CATEGORY, TOPIC, Scored, Scores, by_benchmark
from otherminds.analysis.texts import Texts
from otherminds.benchmark import resolve
from otherminds.metrics.ranges import SHARE
from otherminds.metrics.uncertainty import clustered_mean, partition
from otherminds.page.contents import COLUMNS, Contents
from otherminds.scoring.base import View, is_answered

ACCURACY = "accuracy"
TURNS_SHOWN = "turns shown"

# Confidence in tenths, and interview lengths in steps of five exchanges.
_BINS = 10
_STEP = 5


def page_contents(
    title: str,
    scores: Scores,
    comparisons: Sequence[Comparison],
    notes: Sequence[str],
    texts: Texts,
    gained: Gains | None = None,
) -> Contents:
    """Everything that a page shows of some scored runs."""
    answered = [one.run for one in scores.scored if is_answered(one.run.records[0])]

    def gathered(name: str, rows: Any) -> pd.DataFrame:
        made = (row for run in answered for row in rows(run, _views(run)))
        return pd.DataFrame(made, columns=list(COLUMNS[name]))

    return Contents(
        title=title,
        notes=notes,
        scores=pd.concat([_scores(scores), _gains(gained)], ignore_index=True),
        references=pd.DataFrame(
            [row for one in scores.scored for row in _references(one)],
            columns=list(COLUMNS["references"]),
        ).drop_duplicates(),
        samples=gathered("samples", lambda run, views: _samples(run, views, texts)),
        evidence=texts.evidence(),
        numeric=gathered("numeric", _numeric),
        changes=gathered("changes", _changes),
        reliability=gathered("reliability", _reliability),
        curves=_curves(scores, gathered("curves", lambda run, views: _context(run, views, texts))),
        people=gathered("people", _people),
        comparison=_comparison(comparisons),
        drawings=[
            drawing
            for benchmark, own in by_benchmark(scores)
            if benchmark.pictures is not None
            for drawing in resolve(benchmark.pictures)(own)
        ],
        **_words([one.run for one in scores.scored]),
    )


def _scores(scores: Scores) -> pd.DataFrame:
    table = scores.table().rename(columns={"model": "run"})
    shown = table[(table["breakdown"] != CATEGORY) & ~table["metric"].str.startswith("n_")]
    datasets = {one.run.task: one.run.rules.dataset for one in scores.scored}
    known = shown["task"].map(datasets)
    # Topics go by their names; the parts of other breakdowns, which are mere numbers, say of what.
    named = {dataset: _named(dataset) for dataset in known.unique()}
    is_named = [part in named[own] for part, own in zip(shown["breakdown"], known, strict=True)]
    as_is = np.array(is_named, dtype=bool)
    parts = shown["part"].where(as_is, shown["breakdown"] + ": " + shown["part"])
    most = [unit_max(own, metric) for own, metric in zip(known, shown["metric"], strict=True)]
    return shown.assign(part=parts, unit_max=most)


def _words(runs: Sequence[Run]) -> dict[str, dict[str, str]]:
    """What the benchmark of each task calls its clusters, and when it counts an answer as right."""
    known = {run.task: benchmark_of(run.rules.dataset) for run in runs}
    found = {task: one for task, one in known.items() if one is not None}
    return {
        "called": {task: one.called for task, one in found.items()},
        "right": {task: one.right for task, one in found.items()},
    }


def _named(dataset: str) -> set[str]:
    """The breakdowns whose parts have names that explain themselves."""
    known = benchmark_of(dataset)
    own = known.breakdowns if known else {}
    return {ALL, TOPIC, *(name.removeprefix("by_") for name, one in own.items() if one.named)}


def _gains(gained: Gains | None) -> pd.DataFrame:
    """Gains as scores of their own: a task per form of tasks, and a metric per condition."""
    rows = []
    for form, own in _by_form(gained.found if gained else ()).items():
        # The panels of a plot share their labels, so all conditions show the same parts.
        shared = sorted(set.intersection(*(set(one.by_part) for one in own)))
        for one in own:
            metric = next(iter(one.overall))
            for part in (ALL, *shared):
                found = (one.overall if part == ALL else one.by_part[part])[metric].difference
                task = f"gain in {metric} over {one.baseline}, {form}"
                row = {
                    **{"run": one.model, "task": task, "part": part},
                    "metric": f"{one.condition} − {one.baseline}",
                    **{"value": found.value, "stderr": found.stderr},
                    **{"low": found.low, "high": found.high},
                    **{"n": found.n, "n_people": found.n_clusters},
                    **{"higher_is_better": one.better[metric], "unit_max": math.nan},
                }
                rows.append(row)
    return pd.DataFrame(rows, columns=list(COLUMNS["scores"]))


def _by_form(found: Sequence[Gain]) -> dict[str, list[Gain]]:
    forms: dict[str, list[Gain]] = {}
    for one in found:
        forms.setdefault(one.tasks, []).append(one)
    return forms


def _references(one: Scored) -> Iterator[tuple[str, str, str, str, float]]:
    for name, scores in one.run.facts.references.items():
        for metric, value in scores.items():
            yield one.run.task, "all", metric, name.replace("_", " "), value


def _views(run: Run) -> Iterator[View]:
    return (record.view() for record in run.answered)


@dataclass(frozen=True, slots=True)
class _Question:
    """The question of a sample, as its text is read when it is asked for."""

    texts: Texts
    path: Path
    item_id: str

    def __str__(self) -> str:
        return self.texts.of(self.path, self.item_id).question


@dataclass(frozen=True, slots=True)
class _Raw:
    """The replies to a sample, one after the other, as they are read when they are asked for."""

    texts: Texts
    paths: Sequence[Path]
    item_id: str

    def __iter__(self) -> Iterator[str]:
        for path in self.paths:
            yield from self.texts.of(path, self.item_id).raw


def _samples(run: Run, views: Iterable[View], texts: Texts) -> Iterator[tuple[Any, ...]]:
    for view in views:
        yield (
            *(run.name, run.task, view.item_id, view.person, view.part, view.category),
            *(view.score > 0.5, None not in view.answers, view.gold),
            " | ".join("–" if answer is None else str(answer) for answer in view.answers),
            _Raw(texts, run.files, view.item_id),
            texts.evidence_id(run.files[0], view.item_id),
            _Question(texts, run.files[0], view.item_id),
            view.score,
        )


def _numeric(run: Run, views: Iterable[View]) -> Iterator[tuple[Any, ...]]:
    for view in views:
        if view.scale is not None:
            for answer in view.answers:
                if isinstance(answer, int):
                    ends = view.scale
                    yield run.name, run.task, view.part, *ends, float(view.gold), answer


def _changes(run: Run, views: Iterable[View]) -> Iterator[tuple[Any, ...]]:
    for change in run.answered[0].changes(run.records):
        yield run.name, run.task, change.part, change.true, change.predicted


def _reliability(run: Run, views: Iterable[View]) -> Iterator[tuple[Any, ...]]:
    binned: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for confidence, is_right in run.answered[0].confidence(run.records):
        binned[min(int(confidence * _BINS), _BINS - 1)].append((confidence, is_right))
    for number, pairs in sorted(binned.items()):
        confidence, accuracy = np.mean(pairs, axis=0).tolist()
        low, high = number / _BINS, (number + 1) / _BINS
        yield run.name, run.task, low, high, confidence, accuracy, len(pairs)


def _context(run: Run, views: Iterable[View], texts: Texts) -> Iterator[tuple[Any, ...]]:
    binned: dict[int, list[tuple[str, float]]] = defaultdict(list)
    for view in views:
        length = texts.turns(run.files[0], view.item_id)
        if length is not None:
            binned[length // _STEP * _STEP].append((view.person, view.score))
    if len(binned) < 2:
        return
    for start, here in sorted(binned.items()):
        people = partition([person for person, _ in here])
        found = SHARE.cut(clustered_mean([score for _, score in here], people))
        middle = start + (_STEP - 1) / 2
        ends = (found.low, found.high)
        yield run.name, run.task, TURNS_SHOWN, middle, ACCURACY, found.value, *ends, len(here)


def _curves(scores: Scores, found: pd.DataFrame) -> pd.DataFrame:
    """The curves that tasks compute themselves (`curves` in their details), and others."""
    own = [
        {"run": one.run.name, "task": one.run.task, **point}
        for one in scores.scored
        for point in one.details.get("curves", ())
    ]
    made = pd.DataFrame(own, columns=list(COLUMNS["curves"]))
    return made if found.empty else found if made.empty else pd.concat([found, made])


def _people(run: Run, views: Iterable[View]) -> Iterator[tuple[Any, ...]]:
    by_person: dict[str, list[float]] = defaultdict(list)
    for view in views:
        by_person[view.person].append(view.score)
    for person, found in sorted(by_person.items()):
        yield run.name, run.task, ACCURACY, person, math.fsum(found) / len(found)


def _comparison(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    tables: list[Mapping[str, Any]] = []
    for comparison in comparisons:
        for row in comparison.table().to_dict("records"):
            tables.append({"task": comparison.task, **{str(k): v for k, v in row.items()}})
    return pd.DataFrame(tables, columns=list(COLUMNS["comparison"]))
