"""Runs that differ in what was shown of people: one model, and tasks of one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from otherminds.analysis.layouts import ordered_conditions
from otherminds.analysis.runs import Run


@dataclass(frozen=True)
class Series:
    """One model's runs on the tasks of one form, by condition (the tasks' `evidence`), in order."""

    model: str
    form: str
    dataset: str
    runs: Mapping[str, Run]


def series(runs: Iterable[Run]) -> list[Series]:
    """The runs of tasks that state a condition, by model and form; other runs are in none."""
    found: dict[tuple[str, str, str], dict[str, Run]] = {}
    for run in runs:
        if run.rules.evidence is not None:
            key = (run.name, run.rules.form, run.rules.dataset)
            found.setdefault(key, {})[run.rules.evidence] = run
    return [
        Series(
            model=model,
            form=form,
            dataset=dataset,
            runs={name: by_name[name] for name in ordered_conditions(dataset, by_name)},
        )
        for (model, form, dataset), by_name in found.items()
    ]


def labels(found: Iterable[Series]) -> list[str]:
    """A name of each series: its model, with the form where there are several."""
    found = list(found)
    several = len({one.form for one in found}) > 1
    return [f"{one.model}, {one.form}" if several else one.model for one in found]
