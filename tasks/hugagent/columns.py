"""HugAgent's columns, as `evaluate` passes them, to items, and its numbers back.

For the modules `hugagent_scores` and `hugagent_ati` in `hub_metrics`. Empty or contradictory columns
raise MetricError, which names the fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from datasets import List, Value

from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import BASELINES, PAPER, RELEASE, Item, Summary, summarize
from otherminds.metrics.hugagent.items import BDU, BSI, EITHER, OPINION
from otherminds.metrics.hugagent.ranges import OF_RELEASE, RANGES
from otherminds.metrics.ranges import cut
from otherminds.publishing.columns import DRAWS, SEED, check_label, check_not_empty, numbers
from otherminds.tasks.hugagent import scoring

__all__ = ["DRAWS", "FEATURES", "SEED", "ati", "scores"]

FEATURES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        **dict.fromkeys(("predictions", "references"), Value("string")),
        **dict.fromkeys(("item_id", "participant_id", "topic", "task"), Value("string")),
        **dict.fromkeys(("question_id", "question_type"), Value("string")),
        "options": List(Value("string")),
        "scale": List(Value("int32")),
    }
)
"""The columns of both modules; but for the predictions they are the dataset's own."""

_PROTOCOLS = {protocol.name: protocol for protocol in (PAPER, RELEASE)}
_QUESTION_TYPES = ("", OPINION, "reason_evaluation")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def scores(
    predictions: Sequence[str | None],
    references: Sequence[str],
    items: Mapping[str, Sequence[Any]],
    *,
    protocol: str,
    draws: int,
    seed: int,
) -> dict[str, float]:
    """HugAgent's numbers, those that the items ask for, without the ATI."""
    found = _summary(predictions, references, items, protocol, draws, seed)
    estimates = {name: one for name, one in found.estimates.items() if name != "ati"}
    return numbers(cut(estimates, RANGES)) | _counts(found)


def ati(
    predictions: Sequence[str | None],
    references: Sequence[str],
    items: Mapping[str, Sequence[Any]],
    *,
    protocol: str,
    draws: int,
    seed: int,
) -> dict[str, float]:
    """HugAgent's numbers with the ATI.

    Raises MetricError unless all items are of the human track, and each of the three topics has the
    items that the ATI is made of.
    """
    for track in items["track"]:
        check_label(track, ("human",), "ATI is anchored in the human track's people; track")
    found = _summary(predictions, references, items, protocol, draws, seed)
    for topic in BASELINES:
        part = found.by_topic.get(topic)
        for metric in ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir"):
            if part is None or part[metric].n == 0:
                raise MetricError(
                    f"There is no {metric} for the topic {topic!r}, so there is no ATI: give all items "
                    "of the human track, with readable answers; hugagent_scores takes parts of it."
                )
    estimates = {name: one for name, one in found.estimates.items() if name != "composite"}
    ranges = RANGES if protocol == PAPER.name else OF_RELEASE
    return numbers(cut(estimates, ranges)) | _counts(found)


def _summary(
    predictions: Sequence[str | None],
    references: Sequence[str],
    columns: Mapping[str, Sequence[Any]],
    protocol: str,
    draws: int,
    seed: int,
) -> Summary:
    check_not_empty(references)
    if protocol not in _PROTOCOLS:
        raise MetricError(f"Unknown protocol {protocol!r}; there are: {', '.join(_PROTOCOLS)}.")
    rows = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    items = [
        _item(row, gold, reply)
        for row, gold, reply in zip(rows, references, predictions, strict=True)
    ]
    return summarize(items, protocol=_PROTOCOLS[protocol], draws=draws, seed=seed)


def _item(row: Mapping[str, Any], gold: str, reply: str | None) -> Item:
    """One row with the answer that its reply gives."""
    name = f"Item {row['item_id']!r}"
    check_label(row["topic"], BASELINES, f"{name}: topic")
    check_label(row["task"], (BSI, BDU), f"{name}: task")
    check_label(row["question_type"] or "", _QUESTION_TYPES, f"{name}: question type")
    if row["task"] == BSI:
        letters = _LETTERS[: len(row["options"])]
        check_label(gold, (*letters, EITHER), f"{name}: reference")
    elif len(row["scale"]) != 2:
        raise MetricError(f"{name}: the scale {row['scale']} of a bdu item is not [low, high].")
    # A letter has no scale, even where its row states one.
    doc = {**row, "answer": gold, "scale": None if row["task"] == BSI else row["scale"]}
    return scoring.item(doc, (scoring.parse(doc, reply),))


def _counts(found: Summary) -> dict[str, float]:
    return {name: int(count) for name, count in found.counts.items()}  # of one run: whole numbers
