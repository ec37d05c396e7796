"""`otherminds baselines`: the rows of a results table that no language model fills, from the data."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from otherminds import console, estimates, files, harness
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError, unknown_task
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import (
    BASELINES,
    METRICS,
    PAPER,
    Item,
    Protocol,
    Summary,
    summarize,
)
from otherminds.metrics.hugagent.measures import tabulate
from otherminds.metrics.hugagent.scores import rates_by_topic, scores
from otherminds.running import used_keys
from otherminds.tasks.hugagent import scoring as hugagent
from otherminds.tasks.hugagent.questions import QUESTIONS
from otherminds.tasks.hugagent.weightless import Persistence
from otherminds.types import Doc
from otherminds.weightless import (
    Asked,
    Constant,
    DemographicLinear,
    Majority,
    Random,
    Strategy,
)

SEEDS = 20
ALL = "all"

# Whole interviews are in the other columns; no baseline reads them.
_COLUMNS = (
    *("item_id", "participant_id", "track", "topic", "task", "demographics", "options", "scale"),
    *("question_id", "question_type", "answer"),
)
_SHOWN = ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_change", "bdu_direction", "bdu_dir", "composite")


@dataclass(frozen=True)
class Baseline:
    """One row: a way of answering without a model.

    summary        HugAgent's numbers; with several seeds, the mean over them
    sd_over_seeds  standard deviation of each metric over the seeds, by "all" or a topic, then by
                   metric; empty for a baseline that draws nothing
    """

    name: str
    summary: Summary
    sd_over_seeds: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Baselines:
    """The rows of one task. ATI has a meaning where `has_ati`: on the human track, for all topics."""

    task: str
    seeds: int
    n_items: int
    n_people: int
    has_ati: bool
    rows: Sequence[Baseline]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that the task's golds ask for, in the order of a results table."""
        wanted = (*_SHOWN, "ati") if self.has_ati else _SHOWN
        known = self.rows[0].summary
        return tuple(name for name in wanted if not math.isnan(known[name].value))


def baselines(
    task: str,
    *,
    seeds: int = SEEDS,
    metadata: Mapping[str, Any] | None = None,
    table: Path | None = None,
    protocol: Protocol = PAPER,
) -> Baselines:
    """Random guess, constant, majority, demographic-linear and persistence on a HugAgent task.

    `constant` is the paper's "Global Majority": A, and 1. `majority` is the answer that most
    *other* people gave to the same question.

    seeds     how often the random guess is drawn: its row is the mean over seeds, with their SD
    metadata  as `--metadata` of a run (`data_subset`, `data_source`, …)
    table     a CSV file of people (`participant_id` and attributes): one more row, of
              demographic-linear on the table in place of the documents' demographics

    Raises OtherMindsError for an unknown task, or one that is not HugAgent's.
    """
    if seeds < 1:
        raise OtherMindsError(f"{seeds} seeds: give at least 1.")
    docs, others = _documents(task, metadata)
    try:
        rows = _rows(docs, others, seeds, table, protocol)
    except MetricError as error:
        raise OtherMindsError(f"The baselines of '{task}' cannot be scored: {error}") from error
    topics = {doc["topic"] for doc in docs}
    return Baselines(
        task=task,
        seeds=seeds,
        n_items=len(docs),
        n_people=len({doc["participant_id"] for doc in docs}),
        has_ati=topics == set(BASELINES) and all(doc["track"] == "human" for doc in docs),
        rows=rows,
    )


def print_baselines(found: Baselines) -> None:
    """A column per baseline; under each value its 95 % interval over people or its SD over seeds."""
    # Narrow cells, because six columns have to fit into a terminal of 80.
    headings = (row.name.replace("-", "-\n") for row in found.rows)
    made = console.table(
        [*console.texts("Metric"), *console.numbers(*headings, fit="words")],
        [[metric, *(_cell(row, metric) for row in found.rows)] for metric in found.metrics],
        title=found.task,
        look=console.Look.RULED,
        gap=1,
    )
    console.OUT.print(made)
    console.OUT.print(
        f"• {found.n_items:,} documents about {found.n_people:,} people. Under a value: its 95 % "
        f"interval over people; for random, the SD over {found.seeds} seeds.",
        highlight=False,
    )


def write(found: Baselines, path: Path) -> None:
    """Write every number, overall and by topic, as CSV or JSON by the ending of `path`."""
    records = _records(found)
    if path.suffix == ".json":
        facts = {"task": found.task, "n_items": found.n_items, "n_people": found.n_people}
        files.write_json(path, {**facts, "seeds": found.seeds, "estimates": records})
    elif path.suffix == ".csv":
        with (
            files.atomic_file(path) as partial,
            partial.open("w", encoding="utf-8", newline="") as file,
        ):
            writer = csv.DictWriter(file, fieldnames=list(records[0]))
            writer.writeheader()
            writer.writerows(records)
    else:
        raise OtherMindsError(f"Cannot write {path}: the name must end in .csv or .json.")


def _rows(
    docs: Sequence[Doc],
    population: Sequence[Doc],
    seeds: int,
    table: Path | None,
    protocol: Protocol,
) -> list[Baseline]:
    rows = [_random(docs, seeds, protocol)]
    strategies: dict[str, Strategy] = {
        "constant": Constant(),
        "majority": Majority(),
        "demographic-linear": DemographicLinear(),
    }
    if table is not None:
        strategies[f"demographic-linear on {table.name}"] = DemographicLinear(table=table)
    strategies["persistence"] = Persistence()
    for name, strategy in strategies.items():
        # A table holds the people of this task, not the whole population.
        learned = docs if table is not None and table.name in name else population
        strategy.fit([QUESTIONS.asked(doc) for doc in learned])
        items = _answered(docs, [strategy])
        rows.append(Baseline(name, summarize(items, protocol=protocol), {}))
    return rows


def _documents(
    task: str, metadata: Mapping[str, Any] | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The documents of a task, and all items of its dataset, from which the baselines learn."""
    manager = harness.task_manager(metadata)
    tasks = [entry.name for entry in harness.entries(manager) if entry.kind == "task"]
    if task not in tasks:
        raise unknown_task(task, tasks)
    used_keys.check(manager, [task], metadata or {})
    docs = harness.load_tasks(manager, [task])[task].eval_docs
    lacking = [name for name in _COLUMNS if name not in docs.column_names]
    if lacking:
        raise OtherMindsError(
            f"'{task}' is not a task of HugAgent's items (no column '{lacking[0]}'). For one baseline "
            f"run `otherminds run {task} --model majority` (`otherminds list --models` has others)."
        )
    found: list[dict[str, Any]] = docs.select_columns(list(_COLUMNS)).to_list()
    return found, data.population(harness.dataset_kwargs(manager, task), metadata or {})


def _random(docs: Sequence[Doc], seeds: int, protocol: Protocol) -> Baseline:
    items = _answered(docs, [Random(seed) for seed in range(seeds)])
    spread: dict[str, Mapping[str, float]] = {}
    if seeds > 1:
        table = tabulate(items, protocol)
        # Each seed as a sample of its own, in place of a run to be averaged over.
        by_seed = np.moveaxis(table.sums.sum(axis=0), 1, 0)[:, :, None]
        by_run = scores(rates_by_topic(by_seed), table.present, mae_max=table.mae_max)
        deviations = np.std(by_run, axis=0, ddof=1)
        spread = {
            part: dict(zip(METRICS, line, strict=True))
            for part, line in zip((*table.topics, ALL), deviations.tolist(), strict=True)
        }
    return Baseline("random", summarize(items, protocol=protocol), spread)


def _answered(docs: Sequence[Doc], strategies: Sequence[Strategy]) -> list[Item]:
    """The documents as items, with one run for each strategy, which has learned already."""
    return [
        hugagent.item(
            one.doc, tuple(_answer(one, strategy.choose(one, 0)) for strategy in strategies)
        )
        for one in map(QUESTIONS.asked, docs)
    ]


def _answer(asked: Asked, index: int) -> str | int:
    text = asked.answers[index]
    return text if asked.doc["options"] else int(text)


def _cell(row: Baseline, metric: str) -> str:
    found = row.summary[metric]
    under = estimates.interval(found).replace(" – ", "–")
    if row.sd_over_seeds:
        under = f"SD {console.digits(row.sd_over_seeds[ALL][metric])}"
    return f"{console.digits(found.value)}\n{under}"


def _records(found: Baselines) -> list[dict[str, Any]]:
    records = []
    for row in found.rows:
        for part, summary in {ALL: row.summary, **row.summary.by_topic}.items():
            for metric in found.metrics:
                if metric == "ati" and part != ALL:
                    continue
                deviation = row.sd_over_seeds.get(part, {}).get(metric)
                records.append(
                    {
                        "baseline": row.name,
                        "part": part,
                        "metric": metric,
                        **estimates.record(summary[metric]),
                        "sd_over_seeds": deviation,
                    }
                )
    return records
