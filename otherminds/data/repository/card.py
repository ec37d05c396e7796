"""The README.md of a dataset repository: its card on the Hub.

Its content comes from the manifest, from the built tables, and from `cards/<dataset>`: `card.yaml` for
facts that no manifest has, `card.md.jinja` for words. The order of sections is in `cards/card.md.jinja`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import yaml
from datasets import Features
from jinja2 import Environment

from otherminds import manifest, paths
from otherminds.console import digits
from otherminds.data import hub
from otherminds.data.repository import card_facts, jinja, student_tables
from otherminds.data.repository.card_facts import CardFacts
from otherminds.data.repository.card_tables import Tables
from otherminds.manifest import Manifest, Reference, is_of_items, task_of

TEMPLATE: Final = "card.md.jinja"

_WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def render(known: Manifest, tables: Mapping[str, pa.Table], folder: Path | None = None) -> str:
    """The card of `known` with these tables, one per configuration.

    Without tables, as for data that are read where others publish them, the card has no examples and
    its head lists no files. `folder` is the repository, where its Parquet files have been written
    already: the head then states their size.
    """
    facts = card_facts.load(known.dataset)
    head = yaml.safe_dump(
        _head(known, facts, tables, folder), sort_keys=False, allow_unicode=True, width=100
    )
    references = known.references if is_release(known) else {}
    students = known.students if known.construction or is_release(known) else None
    text = (
        environment()
        .get_template(f"{known.dataset}/{TEMPLATE}")
        .render(
            head=head,
            known=known,
            facts=facts,
            tables=Tables(tables),
            where=where(known),
            hub_id=hub.dataset_id(known.dataset),
            references=references,
            students=students,
            studied=student_tables.markdown(students) if students else "",
            beyond=student_tables.failed(students) if students else [],
            scores=list(_scores(references)),
        )
    )
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def environment() -> Environment:
    """The Jinja environment of cards."""
    made = jinja.environment(paths.card_folders())
    made.filters.update(
        count=_count,
        digits=digits,
        score=_score,
        percent=_percent,
        points=_points,
        spelled=_spelled,
    )
    return made


def where(known: Manifest) -> str:
    """Where a reader of the card gets the data: "hub", "folder" (built from a source), "upstream"."""
    if known.upstream is not None:
        return "upstream"
    passed_on = known.redistribution is None or known.redistribution.allowed
    return "hub" if passed_on else "folder"


def is_release(known: Manifest) -> bool:
    """Whether this is the data that the manifest's reference scores are of.

    Data that were built from another source, or with other parameters, have the same manifest but
    another content hash.
    """
    return known.configs == manifest.load(known.dataset).configs


def size_category(rows: int) -> str:
    """The Hub's name for a number of rows: "n<1K", "1K<n<10K", …"""
    bounds = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
    for place, bound in enumerate(bounds):
        if rows < 10 ** (place + 3):
            return f"n<{bound}" if place == 0 else f"{bounds[place - 1]}<n<{bound}"
    return f"n>{bounds[-1]}"


def _head(
    known: Manifest, facts: CardFacts, tables: Mapping[str, pa.Table], folder: Path | None
) -> dict[str, Any]:
    licence = {"license": known.licence.lower()}
    if facts.license_name is not None:
        licence |= {"license_name": facts.license_name, "license_link": str(facts.license_link)}
    head: dict[str, Any] = {
        **licence,
        "language": facts.language,
        "pretty_name": known.title,
        "task_categories": facts.task_categories,
        "size_categories": [size_category(known.rows)],
        "annotations_creators": facts.annotations_creators,
        "language_creators": facts.language_creators,
        "multilinguality": ["monolingual"],
        "source_datasets": facts.source_datasets,
        "tags": [*facts.tags, *(f"arxiv:{paper}" for paper in facts.papers)],
    }
    head |= gate_head(known)
    if tables:
        head["configs"] = [config_head(known, config) for config in tables]
        head["dataset_info"] = [_info(name, table, folder) for name, table in tables.items()]
    return head


def gate_head(known: Manifest) -> dict[str, Any]:
    """The keys of the head with the terms that readers accept; none for a dataset without a gate."""
    if known.gate is None:
        return {}
    return {
        "extra_gated_prompt": " ".join(known.terms),
        "extra_gated_fields": {"I accept these terms": "checkbox"},
    }


def config_head(known: Manifest, config: str) -> dict[str, Any]:
    """Where the Hub finds a configuration's rows: an entry of `configs` in the head of a card."""
    return {
        "config_name": config,
        "data_files": [{"split": "test", "path": f"data/{config}/test-*.parquet"}],
        **({"default": True} if config == known.default_config else {}),
    }


def _info(config: str, table: pa.Table, folder: Path | None) -> dict[str, Any]:
    features = Features.from_arrow_schema(table.schema)
    files = list(folder.glob(f"data/{config}/test-*.parquet")) if folder is not None else []
    size = sum(path.stat().st_size for path in files)
    return {
        "config_name": config,
        "features": features._to_yaml_list(),
        "splits": [{"name": "test", "num_bytes": table.nbytes, "num_examples": table.num_rows}],
        **({"download_size": size} if files else {}),
        "dataset_size": table.nbytes,
    }


class Scores(NamedTuple):
    """A table of reference scores.

    part   the heading of its first column
    names  the references that have any of these scores
    lines  the part, the metric, and the value of each reference or None
    """

    part: str
    names: list[str]
    lines: list[tuple[str, str, list[float | None]]]


def _scores(references: Mapping[str, Reference]) -> Iterator[Scores]:
    """The scores of the data's items, then those of tasks that ask something else of the same data.

    Where there are scores of all rows, those of their parts are left to the manifest.
    """
    items, own = _Found(), _Found()
    for name, reference in references.items():
        whole = "all" in reference.scores
        for part, scores in reference.scores.items():
            task = task_of(part)
            if task is not None:
                own.add(name, f"`{task}`", scores)
            elif is_of_items(part) and (part == "all" or not whole):
                items.add(name, part, scores)
    if items.columns:
        yield items.table("part")
    if own.columns:
        yield own.table("task")


class _Found:
    """Scores by reference, then by part and metric, in the order in which they come."""

    def __init__(self) -> None:
        self.columns: dict[str, dict[tuple[str, str], float]] = {}

    def add(self, name: str, part: str, scores: Mapping[str, float]) -> None:
        column = self.columns.setdefault(name, {})
        column |= {(part, metric): value for metric, value in scores.items()}

    def table(self, part: str) -> Scores:
        rows = dict.fromkeys(row for column in self.columns.values() for row in column)
        lines = [(*row, [column.get(row) for column in self.columns.values()]) for row in rows]
        return Scores(part, list(self.columns), lines)


def _count(value: float) -> str:
    """A whole number with commas."""
    return f"{value:,.0f}"


def _score(value: float) -> str:
    """A score to read others against: four decimals, or two from 10 on."""
    return f"{value:.2f}" if abs(value) >= 10 else f"{value:.4f}"


def _points(difference: float) -> str:
    """A difference of shares in percentage points, with a decimal."""
    return f"{100 * difference:.1f}"


def _percent(share: float) -> str:
    """A share as "59 %"; with a decimal below ten."""
    shown = 100 * share
    return f"{shown:.0f} %" if shown >= 10 else f"{shown:.1f} %"


def _spelled(value: float) -> str:
    """A small whole number as a word."""
    return _WORDS[int(value)] if 0 <= value < len(_WORDS) else _count(value)
