"""Parts of the data by the condition under which a model does best: a paper's groups of categories."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from otherminds.analysis.comparability import check_comparable
from otherminds.analysis.comparison import fewest_runs, records_of, shared_items
from otherminds.analysis.conditions import Series, labelled, labels, series
from otherminds.analysis.layouts import Conditions, conditions_of
from otherminds.analysis.runs import Runs
from otherminds.errors import OtherMindsError
from otherminds.metrics.errors import MetricError
from otherminds.metrics.highest import Highest, highest
from otherminds.scoring.base import Answered

if TYPE_CHECKING:
    import pandas as pd

TIE = "tie"
"""The group of parts in which two or more conditions share the highest value."""

_COLUMNS = (*("model", "tasks", "part", "highest", "lead", "share", "n", "n_people", "metric"),)


@dataclass(frozen=True)
class Part:
    """The conditions on the items of one part."""

    highest: Highest
    n: int
    n_people: int

    @property
    def group(self) -> str:
        """The condition with the highest value, or TIE."""
        return self.highest.best or TIE


@dataclass(frozen=True)
class Ranks:
    """One model's conditions, part by part, on the items that were asked under all of them."""

    model: str
    tasks: str
    dataset: str
    metric: str
    conditions: Sequence[str]
    by_part: Mapping[str, Part]

    def groups(self) -> dict[str, list[str]]:
        """The parts of each group, in the order of the conditions; TIE last, where there is one."""
        found = {
            name: [part for part, one in self.by_part.items() if one.group == name]
            for name in (*self.conditions, TIE)
        }
        return {name: parts for name, parts in found.items() if parts}


@dataclass(frozen=True)
class Ranking:
    """The ranks of all models, with notes for readers."""

    found: Sequence[Ranks]
    notes: Sequence[str]

    def table(self) -> pd.DataFrame:
        """One row per model and part.

        Columns: model, tasks, part, highest (the condition, or "tie"), lead (over the second highest),
        share (of bootstrap draws in which it is the highest, too), n, n_people, metric, and the value
        under each condition.
        """
        import pandas as pd

        return pd.DataFrame([row for one in self.found for row in _rows(one)])


def ranks(runs: Runs, *, allow: Collection[str] = ()) -> Ranking:
    """Under which condition each model does best, part by part.

    For datasets whose paper groups parts so (`layouts.Conditions.grouped`), and models that were run
    under two or more of its conditions. Only items that were asked under all of these count. The value
    is the metric of the dataset's layout; ties are left as ties. Nothing is tested: with small parts
    the highest is often so by chance, which `Highest.share` shows.

    Runs of one model that were not run alike are left out with a note, unless `allow` names what
    differs (`comparability.REASONS`).
    """
    found, notes = [], list(runs.notes)
    for one in series(runs):
        layout = conditions_of(one.dataset)
        if layout is None or not layout.grouped:
            continue
        conditions = [name for name in layout.conditions if name in one.runs]
        if len(conditions) > 1:
            try:
                found.append(_ranks(one, conditions, layout, allow, notes))
            except (OtherMindsError, MetricError) as error:
                notes.append(f"{one.model}, {one.form}: conditions are not ranked. {error}")
    return Ranking(found, list(dict.fromkeys(notes)))


def rank_tables(found: Ranking) -> dict[str, pd.DataFrame]:
    """By dataset, a row per model and group of parts: the condition, how many parts, and which."""
    import pandas as pd

    tables = {}
    for dataset in dict.fromkeys(one.dataset for one in found.found):
        own = [one for one in found.found if one.dataset == dataset]
        if layout := conditions_of(dataset):
            tables[dataset] = pd.DataFrame(_group_rows(own, layout))
    return tables


def _group_rows(own: Sequence[Ranks], layout: Conditions) -> list[dict[str, str]]:
    return [
        {
            "Model": name,
            f"Highest {layout.column.heading}": group,
            "Number": f"{len(parts)}",
            f"{layout.part} (share of draws)": ", ".join(_named(one, part) for part in parts),
        }
        for name, one in zip(labels([(one.model, one.tasks) for one in own]), own, strict=True)
        for group, parts in one.groups().items()
    ]


def _named(one: Ranks, part: str) -> str:
    share = one.by_part[part].highest.share
    return part if math.isnan(share) else f"{part} ({share:.0%})"


def _ranks(
    one: Series,
    conditions: Sequence[str],
    layout: Conditions,
    allow: Collection[str],
    notes: list[str],
) -> Ranks:
    chosen = [labelled(one, name) for name in conditions]
    said = check_comparable(chosen, allow=allow)
    items = shared_items(chosen, None, said)
    records = {
        name: records_of(run, items)
        for name, run in zip(conditions, fewest_runs(chosen, said), strict=True)
    }
    notes += said
    metric = layout.column.metric
    return Ranks(
        model=one.model,
        tasks=one.form,
        dataset=one.dataset,
        metric=metric,
        conditions=conditions,
        by_part=dict(_parts(records, metric)),
    )


def _parts(records: Mapping[str, Sequence[Answered]], metric: str) -> Iterator[tuple[str, Part]]:
    views = [record.view() for record in next(iter(records.values()))]
    for part in sorted({view.part for view in views}):
        places = [place for place, view in enumerate(views) if view.part == part]
        own = {name: [found[place] for place in places] for name, found in records.items()}
        sufficient = {name: found[0].sufficient(found) for name, found in own.items()}
        people = {views[place].person for place in places}
        yield part, Part(highest(sufficient, metric), len(places), len(people))


def _rows(one: Ranks) -> Iterator[dict[str, Any]]:
    for part, found in one.by_part.items():
        values = (
            *(one.model, one.tasks, part, found.group, found.highest.lead, found.highest.share),
            *(found.n, found.n_people, one.metric),
        )
        yield {**dict(zip(_COLUMNS, values, strict=True)), **found.highest.values}
