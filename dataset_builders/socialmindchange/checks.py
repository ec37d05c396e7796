"""Checks of built tables that both generated editions make.

A fault in the data is a failed audit, never an exception.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.socialmindchange import shortcuts
from otherminds.dataset_builders.socialmindchange.cells import (
    LETTERS,
    PER_CELL,
    PER_STAGE,
    STATES,
    TYPES,
)
from otherminds.dataset_builders.socialmindchange.spec import BASE, SocialMindSpec
from otherminds.dataset_builders.verdict import Audit, none, verdict

SHORTCUT_STAGES: Final = 240
"""What takes long is measured on so many stages, the first."""

_WITHIN: Final = 0.03
_LEAST_P: Final = 0.001
_BATCH: Final = 4096

without: Final = partial(none, mark="")
"""An audit that finds no faults, which it names."""

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Built:
    """The rows of stages, what is seen of the questions of the first, and the tables themselves."""

    stages: Sequence[Row]
    sample: Sequence[Row]
    tables: Mapping[str, pa.Table]
    spec: SocialMindSpec

    @classmethod
    def of_tables(
        cls, tables: Mapping[str, pa.Table], spec: SocialMindSpec, columns: Sequence[str]
    ) -> Built:
        """What all checks look at; `columns` are those that are seen of questions."""
        seen = tables["questions"].select(list(columns))
        sample = seen.slice(0, SHORTCUT_STAGES * PER_STAGE).to_pylist()
        return cls(tables["stages"].to_pylist(), sample, tables, spec)

    def of(self, config: str) -> list[tuple[str, pa.Table]]:
        """The tables of a configuration, of the base and of the variants, each with its suffix."""
        return [
            (name.removeprefix(config), table)
            for name, table in self.tables.items()
            if name.startswith(config)
        ]


def rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    """The rows of a table, a batch in memory at a time."""
    for batch in table.to_batches(max_chunksize=_BATCH):
        yield from batch.to_pylist()


def counts(built: Built) -> Iterator[Audit]:
    """Rows of each table, and stages of the lite part."""
    families = built.spec.families()
    wanted = {"": families.pop(BASE).stages, "_variants": sum(v.stages for v in families.values())}
    for suffix, stages in wanted.items():
        if f"stages{suffix}" not in built.tables:
            continue
        for name, count in (("stages", stages), ("questions", stages * PER_STAGE)):
            found = built.tables[name + suffix].num_rows
            yield verdict(f"counts_{name}{suffix}", found == count, found, f"rows, of {count}")
    found = pc.sum(built.tables["stages"]["in_lite"]).as_py() or 0
    yield verdict("counts_lite", found == built.spec.lite, found, f"stages, of {built.spec.lite}")


def cells(built: Built) -> Iterator[Audit]:
    """Five questions of each type about each mental state."""
    faults = []
    for suffix, table in built.of("questions"):
        columns = (table[name].to_pylist() for name in ("stage_id", "type", "mental_state"))
        found: Counter[tuple[str, str, str]] = Counter(zip(*columns, strict=True))
        faults += [str(cell) for cell, count in found.items() if count != PER_CELL]
        stages = len({stage for stage, _, _ in found})
        if len(found) != stages * len(TYPES) * len(STATES):
            faults.append(f"questions{suffix}: {len(found)} cells of {stages} stages")
    yield without(
        "cells", faults, f"types and mental states without {PER_CELL} questions in a stage"
    )


def ids(built: Built) -> Iterator[Audit]:
    """Ids that are unique, and prerequisites that are there."""
    faults = []
    known: set[str] = set()
    for _, table in built.of("questions"):
        own = table["item_id"].to_pylist()
        faults += [one for one, count in Counter(own).items() if count > 1 or one in known]
        known |= set(own)
        needed = pc.list_flatten(table["prerequisites"]).to_pylist()
        faults += sorted(set(needed) - known)
    yield without("ids", faults, "item ids that are repeated, or needed and absent")


def duplicates(built: Built) -> Iterator[Audit]:
    """No stage twice, and no question twice in a stage."""
    seen = Counter(shortcuts.stage_text(row) for row in built.stages)
    repeated = [text[:60] for text, count in seen.items() if count > 1]
    for suffix, table in built.of("questions"):
        found = Counter(
            hash((row["stage_id"], row["question"], *sorted(row["options"])))
            for row in rows(table.select(["stage_id", "question", "options"]))
        )
        repeated += [f"questions{suffix}" for count in found.values() if count > 1]
    yield without(
        "duplicates", repeated, "stages of the same text, and questions with the same options"
    )


def letters(built: Built) -> Iterator[Audit]:
    """Right letters are even, among questions with as many options."""
    # What only an audit needs is imported by it.
    from scipy.stats import chisquare

    table = built.tables["questions"]
    sizes = pc.list_value_length(table["options"]).to_pylist()
    answers = Counter(zip(sizes, table["answer"].to_pylist(), strict=True))
    tests = {}
    for size in sorted(set(sizes)):
        found = [answers[size, letter] for letter in LETTERS[:size]]
        tests[size] = (float(chisquare(found).pvalue), min(found), max(found))
    told = "; ".join(f"of {size} from {few} to {many}" for size, (_, few, many) in tests.items())
    p = min(test[0] for test in tests.values())
    yield verdict(
        "letters", p >= _LEAST_P, round(p, 4), f"chi-square p-value of even letters; counts {told}"
    )


def shortcut_bounds(built: Built) -> Iterator[Audit]:
    """What the look of options says of the right one, beside chance."""
    texts = {row["stage_id"]: shortcuts.stage_text(row) for row in built.stages}
    scores = {
        "longest_option": shortcuts.by_length(built.sample),
        "shared_words": shortcuts.by_shared_words(built.sample, texts),
    }
    if built.spec.stages > 1:
        scores["bag_of_words"] = shortcuts.by_word_model(built.sample)
    gold, chance = shortcuts.golds(built.sample), shortcuts.chance(built.sample)
    slack = 3 * (chance * (1 - chance) / len(gold)) ** 0.5
    for name, score in scores.items():
        found = shortcuts.accuracy(score, gold)
        yield verdict(
            f"shortcut_{name}",
            abs(found - chance) <= _WITHIN + slack,
            round(found, 4),
            f"accuracy on {len(gold)} items, within {_WITHIN} of chance ({chance:.4f}) is wanted",
        )


def states_unnamed(built: Built, words: Iterable[str]) -> Iterator[Audit]:
    """No line of a scene has one of these words for states."""
    named = re.compile(rf"\b({'|'.join(words)})\b", re.IGNORECASE)
    faults = [
        f"{row['stage_id']}: {found[0]}"
        for row in built.stages
        for scene in row["scenes"]
        for turn in scene["turns"]
        if (found := named.search(turn["text"]))
    ]
    yield without("states_unnamed", faults, "lines of scenes that name a state")
