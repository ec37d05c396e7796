"""`otherminds people`: each person's own scores in-domain, cross-domain and without context."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from otherminds import console
from otherminds.analysis.runs import Run, Runs
from otherminds.console import digits
from otherminds.errors import OtherMindsError
from otherminds.estimates import interval
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent.person import Person, by_person, is_complete
from otherminds.metrics.ordering import Ordering, ordered
from otherminds.metrics.uncertainty import Estimate
from otherminds.tasks.hugagent.scoring import Scored

CONDITIONS: Mapping[str, str | None] = {
    "in-domain": None,
    "cross-domain": "cross_domain",
    "no context": "no_context",
}
"""The conditions, from most to least evidence, and the `evidence` of their tasks."""

_COLUMNS = {
    "bsi_acc": "BSI",
    "bdu_acc": "acc",
    "bdu_mae": "MAE",
    "bdu_dir": "dir",
    "composite": "100u",
}
_PERCENT = ("bsi_acc", "bdu_acc", "bdu_dir")


@dataclass(frozen=True)
class People:
    """One model's scores of each person under every condition.

    task      the task in-domain
    scores    by condition, then by person
    complete  the people who have a composite under every condition
    ordering  the test of the order over these; None where there are none
    notes     on people and samples left out
    """

    model: str
    task: str
    scores: Mapping[str, Mapping[str, Person]]
    complete: Sequence[str]
    ordering: Ordering | None
    notes: Sequence[str]

    def table(self) -> pd.DataFrame:
        """A row per person and condition: model, task, person, condition, the fields of `Person`."""
        rows = [
            {
                **{"model": self.model, "task": self.task, "person": person},
                **{"condition": condition, **self.scores[condition][person]._asdict()},
            }
            for person in next(iter(self.scores.values()))
            for condition in self.scores
        ]
        return pd.DataFrame(rows)


def people(runs: Runs) -> list[People]:
    """Each model's people, from its runs of a task of all HugAgent items under the three conditions.

    Only items that were asked under all of them count. Raises OtherMindsError where no model was run
    under all three.
    """
    groups: dict[tuple[str, str], dict[str | None, Run]] = {}
    for run in runs:
        if isinstance(run.records[0], Scored):
            base = run.rules.form.replace("_*", "")
            groups.setdefault((run.name, base), {})[run.rules.evidence] = run
    whole = {key: found for key, found in groups.items() if set(CONDITIONS.values()) <= set(found)}
    if not whole:
        given = sorted({run.task for run in runs})
        raise OtherMindsError(
            "The table of people takes one model's samples of three tasks, such as hugagent, "
            f"hugagent_cross_domain and hugagent_no_context; here are: {', '.join(given)}."
        )
    return [_people(model, task, found) for (model, task), found in whole.items()]


def _people(model: str, task: str, runs: Mapping[str | None, Run]) -> People:
    items = {
        condition: {record.item.item_id: record.item for record in runs[evidence].records}
        for condition, evidence in CONDITIONS.items()
    }
    shared = set.intersection(*(set(found) for found in items.values()))
    if not shared:
        raise OtherMindsError(f"{model}: no item of {task} was asked under all three conditions.")
    notes = []
    most = max(len(found) for found in items.values())
    if len(shared) < most:
        notes.append(f"{most - len(shared):,} items that not all conditions have were left out.")
    try:
        scores = {
            condition: by_person([found[name] for name in sorted(shared)])
            for condition, found in items.items()
        }
    except MetricError as error:
        raise OtherMindsError(f"{model}, {task} cannot be scored: {error}") from error
    everyone = next(iter(scores.values()))
    complete = [
        person for person in everyone if all(is_complete(own[person]) for own in scores.values())
    ]
    if lacking := len(everyone) - len(complete):
        notes.append(
            f"{lacking:,} of {len(everyone):,} people have no 100u under every condition, most for want "
            "of a scenario answer with its baseline, and are not in the test."
        )
    table = [[own[person].composite for own in scores.values()] for person in complete]
    ordering = ordered(table, list(scores)) if complete else None
    return People(model, task, scores, complete, ordering, notes)


def print_people(found: People, *, show: int) -> None:
    """The first `show` people who have every number, the mean over all such, and the test."""
    rows = []
    for person in found.complete[:show]:
        for place, (condition, own) in enumerate(found.scores.items()):
            one = own[person]
            counts = "/".join(f"{n:g}" for n in (one.n_bsi, one.n_bdu, one.n_pairs))
            rows.append(["" if place else person, condition, *_cells(one), counts])
    for place, (condition, own) in enumerate(found.scores.items()):
        mean = _mean([own[person] for person in found.complete])
        name = f"mean of {len(found.complete)}"
        rows.append(["" if place else name, condition, *_cells(mean), ""])
    columns = [
        *console.texts("Person", "Shown"),
        *console.numbers(*_COLUMNS.values(), "BSI/BDU/pairs"),
    ]
    title = f"{found.model}, {found.task}: by person, unscaled"
    console.OUT.print(console.table(columns, rows, title=title))
    if len(found.complete) > show:
        console.OUT.print(f"{len(found.complete) - show:,} more people: --show, or --out for all.")
    said = [] if found.ordering is None else described(found.ordering)
    console.print_notes([*said, *found.notes])


def described(found: Ordering) -> list[str]:
    """The test in words."""
    names = [found.steps[0].above, *(step.below for step in found.steps)]
    lines = [
        f"{step.above} − {step.below}: {digits(step.difference.value)} points of 100u "
        f"(95 % {_interval(step.difference)}), higher in {step.n_above} of {found.n_people} "
        f"people; one-sided {'exact ' if step.exact else ''}sign-flip p = {_p(step.p_value)}."
        for step in found.steps
    ]
    lines.append(
        f"{' > '.join(names)}: p = {_p(found.p_value)}, the larger of these, because the order takes "
        f"both steps; n = {found.n_people} people, of whom {found.n_ordered} are in this order."
    )
    if not math.isnan(found.page_p):
        lines.append(
            f"Page's trend test (any fall at all, by ranks within people): L = {found.page_l:g}, "
            f"p = {_p(found.page_p)}."
        )
    return lines


def _interval(found: Estimate) -> str:
    # Where people do not differ, the formula gives no width, and knows nothing.
    return interval(found) if found.stderr > 0 else "n/a"


def _p(value: float) -> str:
    return f"{value:.2g}" if value < 0.001 else f"{value:.3f}"


def _mean(rows: Sequence[Person]) -> Person:
    if not rows:
        return Person(*[math.nan] * len(Person._fields))
    return Person(*(sum(column) / len(rows) for column in zip(*rows, strict=True)))


def _cells(one: Person) -> list[str]:
    """As the paper prints them: percent, but for MAE and 100u."""
    found = one._asdict()
    return [_cell(100 * found[m] if m in _PERCENT else found[m]) for m in _COLUMNS]


def _cell(value: float) -> str:
    return "n/a" if math.isnan(value) else f"{value:.2f}"
