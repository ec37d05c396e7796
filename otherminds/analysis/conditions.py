"""Runs that differ in the evidence: one model, and tasks of one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from otherminds.analysis.layouts import layout_of
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
            runs={name: by_name[name] for name in layout_of(dataset).ordered(by_name)},
        )
        for (model, form, dataset), by_name in found.items()
    ]


def labels(found: Sequence[tuple[str, str]]) -> list[str]:
    """A name for each pair of a model and a form: the model, with the form where there are several."""
    several = len({form for _, form in found}) > 1
    return [f"{model}, {form}" if several else model for model, form in found]


def labelled(one: Series, condition: str) -> Run:
    """A run of the series with its condition in its name; in the task they are meant to differ."""
    return replace(one.runs[condition], name=f"{one.model}, {condition}", task=one.form)
