"""The documents of SocialMindChange's tasks: questions, each with the stage that it is about.

The scenes of a stage are stored once and joined to its eighty questions when a document is read: all
joined at once, they would be most of a gigabyte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import pyarrow.compute as pc
from datasets import Dataset

from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.keys import refuse_slips

_STATE = ("scene", "person", "belief", "emotion", "intention", "action")

Stage = dict[str, Any]

Changed = Callable[[str, Stage], Stage]
"""From a stage's id and content, the content to show in its place."""


def documents(
    *,
    configs: Sequence[str],
    variant: str | None = None,
    lite: bool = False,
    scenes: int | None = None,
    states: bool = False,
    changed: Changed | None = None,
    **wanted: Any,
) -> dict[str, Dataset]:
    """The documents of a task: lm-eval's `custom_dataset`.

    configs  the configuration of the questions, then that of their stages
    variant  keep one variant of the stages, such as "group_6"
    lite     keep the fixed part of the stages that is meant for everyday use
    scenes   show only so many scenes, from the first: questions about later ones lose their evidence
    states   show the annotated states of all characters too
    changed  the stages as they are shown instead, for a task that makes its own scenes

    Raises OtherMindsError where nothing is left to ask.
    """
    questions, stages = configs
    rows = data.for_task(configs=[questions], lite=lite, **wanted)[data.SPLIT]
    table = rows.data.table
    if lite:
        table = table.filter(pc.field("in_lite"))
    if variant is not None:
        table = table.filter(pc.field("variant") == variant)
    if table.num_rows == 0:
        wanted_part = "the lite part" if lite else f"the variant '{variant}'"
        raise OtherMindsError(f"There are no questions of {wanted_part} in these data.")
    by_id = {
        row["stage_id"]: _shown(row, scenes, states)
        for row in stage_rows(stages, lite=lite, **wanted)
    }
    if changed is not None:
        by_id = {stage_id: changed(stage_id, shown) for stage_id, shown in by_id.items()}
    identity = (questions, variant, lite, scenes, states)
    kept = data.as_dataset(table, rows._fingerprint, *identity)
    return {data.SPLIT: kept.with_transform(_Joining(by_id))}


def stage_rows(
    config: str,
    *,
    dataset: str,
    lite: bool = False,
    data_source: str | None = None,
    data_revision: str | None = None,
    **others: Any,
) -> Sequence[Stage]:
    """The rows of a configuration of stages, or of its lite part; `others` change nothing."""
    refuse_slips(others, ())
    origin = data.locate(dataset, source=data_source, revision=data_revision)
    rows = _stages(config, origin, data_source, data_revision, lite)
    return [row for row in rows if row["in_lite"]] if lite else rows


@lru_cache(maxsize=2)
def _stages(
    config: str,
    origin: data.Origin,
    data_source: str | None,
    data_revision: str | None,
    lite: bool,
) -> tuple[Stage, ...]:
    """All stages, or at least the lite ones; every task of a run shows them, more or less of each."""
    rows = data.for_task(
        dataset=origin.dataset,
        configs=[config],
        data_source=data_source,
        data_revision=data_revision,
        lite=lite,
    )[data.SPLIT]
    return tuple(rows.to_list())


def _shown(row: Mapping[str, Any], scenes: int | None, states: bool) -> Stage:
    """The parts of a stage that prompts show."""
    last = row["n_scenarios"] if scenes is None else scenes
    kept = [one for one in row["states"] if one["scene"] <= last] if states else []
    return {
        "profile": row["profile"],
        "background": row["background"],
        "scenes": [scene for scene in row["scenes"] if scene["number"] <= last],
        "states": [{name: one[name] for name in _STATE} for one in kept],
    }


class _Joining:
    """Adds to a batch of questions the parts of their stages that are shown."""

    def __init__(self, stages: Mapping[str, Stage]) -> None:
        self._stages = stages

    def __call__(self, batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        if "stage_id" not in batch:
            return batch
        own = [self._stages[name] for name in batch["stage_id"]]
        shown = next(iter(self._stages.values()))
        reasons = [[_same(tuple(codes)) for codes in options] for options in batch["reasons"]]
        return {**batch, "reasons": reasons, **{name: [one[name] for one in own] for name in shown}}

    # The dataset pickles its transform to distinguish it from others: of a million texts in lists,
    # that takes seconds, and of one text, no time.

    def __getstate__(self) -> str:
        return json.dumps(self._stages)

    def __setstate__(self, state: str) -> None:
        self._stages = json.loads(state)


@cache
def _same(codes: tuple[str, ...]) -> list[str]:
    """One list for all options that fail for the same reasons: a run holds millions of options."""
    return list(codes)
