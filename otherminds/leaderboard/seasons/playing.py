"""Playing a season with `otherminds run`: answers without scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds import weightless
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing.record import Season
from otherminds.samples import read as samples
from otherminds.scoring.base import ItemScores, is_answered

Sample = dict[str, Any]

_NO_METRIC = "bypass"
"""lm-eval's name for the metric of runs that are not scored."""


def prepare(arguments: Any, folder: Path | None) -> None:
    """Change lm-eval's flags so that a season's data are asked, and nothing is scored.

    folder  of the season; `data_source` in `--metadata` may name it instead
    Raises OtherMindsError for a folder without a season.
    """
    if folder is not None:
        record.read(folder)
        source = {"data_source": str(folder.resolve())}
        arguments.metadata = {**(arguments.metadata or {}), **source}
    if season_of(arguments.metadata or {}) is not None:
        arguments.predict_only = True


def is_played(arguments: Any) -> bool:
    """Whether the data that are asked are a season's."""
    return season_of(arguments.metadata or {}) is not None


def check(arguments: Any, tasks: Sequence[str]) -> None:
    """Raise OtherMindsError for a model that needs golds, and for tasks that no season has."""
    season = season_of(arguments.metadata or {})
    if season is None:
        return
    if others := [task for task in tasks if task not in season.tasks]:
        raise OtherMindsError(
            f"'{others[0]}' is not played in season {season.id}; its tasks are "
            f"{', '.join(season.tasks)}."
        )
    strategy = weightless.find(arguments.model)
    if strategy is not None and (strategy.learns or strategy.reads_gold):
        raise OtherMindsError(
            f"'{arguments.model}' needs gold answers, and those of season {season.id} are sealed. Play "
            "'random' or a real model."
        )


def mark(found: dict[str, Any], arguments: Any) -> None:
    """Note in a run's results which season was played.

    lm-eval's placeholder of scores is taken out: it is a number.
    """
    season = season_of(arguments.metadata or {})
    if season is None:
        return
    found["otherminds"]["season"] = season.id
    for scores in found["results"].values():
        for name in [name for name in scores if name.startswith(_NO_METRIC)]:
            del scores[name]


def mark_answer(task: str, sample: Sample) -> None:
    """Note in a sample whose gold is sealed the answer in it."""
    rules = samples.rules_of(task)
    if rules is not None and rules.scorer.is_sealed(sample["doc"]):
        sample["parsed"] = _parsed(rules, sample)


def season_of(metadata: Mapping[str, Any]) -> Season | None:
    """The season whose data a run is configured to ask; None for any others."""
    source = metadata.get("data_source")
    return record.found(Path(source).expanduser()) if isinstance(source, str) else None


def _parsed(rules: samples.Rules, row: Sample) -> list[str | None]:
    """The answer of each repeat, as it will be scored."""
    scores = rules.process(rules.scorer.readable(row["doc"]), row["filtered_resps"])
    answered = next(one.record for one in scores.values() if isinstance(one, ItemScores))
    if not is_answered(answered):
        return []
    return [None if one is None else str(one) for one in answered.view().answers]
