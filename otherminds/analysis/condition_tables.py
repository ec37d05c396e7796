"""Tables for papers of runs that differ in the condition: parts by conditions, and gains."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from otherminds.analysis.condition_gains import Gain, Gains
from otherminds.analysis.condition_ranks import Ranking, rank_tables
from otherminds.analysis.conditions import Series, labels, series
from otherminds.analysis.layouts import Column, Conditions, conditions_of
from otherminds.analysis.scores import ALL, Scored, Scores
from otherminds.analysis.tables import NO_ESTIMATE, estimate_cell, write_table
from otherminds.metrics.uncertainty import Estimate

Fields = Mapping[str, float]
"""The fields of an estimate, as a results file has them."""

_ESTIMATE = {"value": "", "stderr": "_stderr", "low": "_low", "high": "_high"}
_COUNTS = {"n": "_n", "n_clusters": "_n_people"}

# Model, tasks, condition and part.
_GAIN_TEXTS = 4


def part_tables(scores: Scores) -> dict[str, pd.DataFrame]:
    """By dataset, a row per model and part and a column per condition, in the paper's layout.

    Cells are texts, value ± standard error; n is the number of items, a range where it differs between
    the conditions. The last row of a model is over all its items. Only models that were run under two
    conditions or more are in it, and only datasets whose benchmark has a layout for it.
    """
    return {
        dataset: _texts(found, layout, scores) for dataset, layout, found in _by_dataset(scores)
    }


def part_numbers(scores: Scores) -> dict[str, pd.DataFrame]:
    """The same as numbers, not rounded: for each condition the value, `_stderr`, `_low`, `_high`,
    `_n` (items) and `_n_people`."""
    return {
        dataset: pd.DataFrame(
            [
                {"model": one.model, "tasks": one.form, "part": part, **_numbers(by_condition)}
                for one in found
                for part, by_condition in _lines(one, layout, scores)
            ]
        )
        for dataset, layout, found in _by_dataset(scores)
    }


def gain_tables(found: Gains) -> dict[str, pd.DataFrame]:
    """By dataset, a row per model, condition and part: gain with interval, p, n, people and group.

    Cells are texts. Of the metrics, the one of the dataset's layout is shown.
    """
    tables = {}
    for dataset in dict.fromkeys(one.dataset for one in found.found):
        if layout := conditions_of(dataset):
            own = [one for one in found.found if one.dataset == dataset]
            tables[dataset] = pd.DataFrame([row for one in own for row in _gain_rows(one, layout)])
    return tables


def write_condition_tables(
    scores: Scores, found: Gains | None, ranked: Ranking, folder: Path
) -> list[Path]:
    """Write `table_<dataset>_categories`, `…_groups` and `…_gains` as `.md`, `.tex` and `.csv`.

    The `.csv` files hold numbers, that of the gains all metrics. Returns the paths: none where no
    model was run under several conditions.
    """
    written = []
    numbers = part_numbers(scores)
    for dataset, table in part_tables(scores).items():
        stem = folder / f"table_{dataset}_categories"
        texts = list(table).index("n")
        written += write_table(table, stem, texts=texts, numbers=numbers[dataset])
    all_ranks = ranked.table()
    for dataset, table in rank_tables(ranked).items():
        stem = folder / f"table_{dataset}_groups"
        own = {one.tasks for one in ranked.found if one.dataset == dataset}
        ranks = all_ranks[all_ranks["tasks"].isin(own)]
        written += write_table(table, stem, texts=len(table.columns), numbers=ranks)
    if found is not None:
        forms = {one.tasks: one.dataset for one in found.found}
        all_gains = found.table()
        for dataset, table in gain_tables(found).items():
            stem = folder / f"table_{dataset}_gains"
            own_gains = all_gains[all_gains["tasks"].map(forms) == dataset]
            written += write_table(table, stem, texts=_GAIN_TEXTS, numbers=own_gains)
    return written


def _by_dataset(scores: Scores) -> list[tuple[str, Conditions, list[Series]]]:
    """The datasets whose layout has conditions, with it and the models that were run under several."""
    known = series(one.run for one in scores.scored)
    found = []
    for dataset in dict.fromkeys(one.dataset for one in known):
        if layout := conditions_of(dataset):
            own = [one for one in known if one.dataset == dataset and len(_shown(one, layout)) > 1]
            found += [(dataset, layout, own)] if own else []
    return found


def _shown(one: Series, layout: Conditions) -> list[str]:
    return [name for name in layout.conditions if name in one.runs]


def _texts(found: Sequence[Series], layout: Conditions, scores: Scores) -> pd.DataFrame:
    rows = []
    conditions = [name for name in layout.conditions if any(name in one.runs for one in found)]
    for name, one in zip(labels([(one.model, one.form) for one in found]), found, strict=True):
        for part, by_condition in _lines(one, layout, scores):
            known = [by_condition.get(condition, NO_ESTIMATE) for condition in conditions]
            cells = [estimate_cell(e["value"], e["stderr"], layout.column) for e in known]
            rows.append([name, part, _count(by_condition), *cells])
    headings = ["Model", layout.part, "n", *(f"{layout.column.heading}, {c}" for c in conditions)]
    table = pd.DataFrame(rows, columns=headings)
    return table if len(found) > 1 else table.drop(columns="Model")


def _lines(
    one: Series, layout: Conditions, scores: Scores
) -> Iterator[tuple[str, dict[str, Fields]]]:
    """Each part with its estimates by condition, then all items."""
    metric = layout.column.metric
    by_condition = {name: _scored(one, name, scores).details for name in _shown(one, layout)}
    parts = {part for details in by_condition.values() for part in details["by_topic"]}
    for part in sorted(parts):
        known = {
            name: details["by_topic"][part][metric]
            for name, details in by_condition.items()
            if metric in details["by_topic"].get(part, {})
        }
        yield part, known
    yield ALL, {name: details["estimates"][metric] for name, details in by_condition.items()}


def _scored(one: Series, condition: str, scores: Scores) -> Scored:
    return next(found for found in scores.scored if found.run is one.runs[condition])


def _count(by_condition: Mapping[str, Fields]) -> str:
    counts = sorted({round(found["n"]) for found in by_condition.values()})
    ends = counts if len(counts) < 2 else [counts[0], counts[-1]]
    return "–".join(f"{count:,}" for count in ends)


def _numbers(by_condition: Mapping[str, Fields]) -> dict[str, float]:
    return {
        f"{condition}{ending}": found[field]
        for condition, found in by_condition.items()
        for field, ending in (_ESTIMATE | _COUNTS).items()
    }


def _gain_rows(one: Gain, layout: Conditions) -> Iterator[dict[str, Any]]:
    column = layout.column
    adjusted = one.adjusted[column.metric]
    for part, found in [(ALL, one.overall[column.metric]), *one.parts(column.metric)]:
        gained = found.difference
        yield {
            "Model": one.model,
            "Tasks": one.tasks,
            "Condition": f"{one.condition} − {one.baseline}",
            layout.part: part,
            f"Gain in {column.heading}": _signed(gained.value, column),
            "95 % interval": _interval(gained, column),
            "p": _p(found.p_value),
            "p (Holm)": _p(adjusted.get(part, math.nan)),
            "n": f"{gained.n:,.0f}",
            "People": f"{gained.n_clusters:,}",
            "Group": one.group(column.metric, found) or "–",
        }


def _signed(value: float, column: Column) -> str:
    return "–" if math.isnan(value) else f"{column.factor * value:+.{column.decimals}f}"


def _interval(found: Estimate, column: Column) -> str:
    # Where people do not differ, the formula gives no width, and knows nothing.
    if not found.stderr > 0:
        return "–"
    return f"{_signed(found.low, column)} to {_signed(found.high, column)}"


def _p(value: float) -> str:
    if math.isnan(value):
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
