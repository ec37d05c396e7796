"""Columns, as `evaluate` hands them over, to the records of `otherminds.metrics`, and numbers back.

What the modules in `hub_metrics` share: they are copied and imported alone, and hold no more than
their description. Empty or contradictory columns raise MetricError with what is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, Final

from datasets import List, Value

from otherminds.metrics.bootstrap import DRAWS, SEED
from otherminds.metrics.clusters import clustered_mean, partition
from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput
from otherminds.metrics.estimate import LEVEL, Estimate
from otherminds.metrics.hugagent import BASELINES, PAPER, RELEASE, Item, Summary, summarize
from otherminds.metrics.hugagent.items import BDU, BSI, EITHER, OPINION
from otherminds.metrics.trust_game import Played, Stated, consistency
from otherminds.tasks.hugagent import scoring as hugagent

__all__ = ["DRAWS", "LEVEL", "SEED"]

HUGAGENT: Final[Mapping[str, Any]] = MappingProxyType(
    {
        **dict.fromkeys(("predictions", "references"), Value("string")),
        **dict.fromkeys(("item_id", "participant_id", "topic", "task"), Value("string")),
        **dict.fromkeys(("question_id", "question_type"), Value("string")),
        "options": List(Value("string")),
        "scale": List(Value("int32")),
    }
)
"""The columns of HugAgent's modules; but for the predictions they are the dataset's own."""

ACCURACY: Final[Mapping[str, Any]] = MappingProxyType(
    dict.fromkeys(("predictions", "references", "clusters"), Value("string"))
)
"""The columns of the module for accuracy."""

TRUST: Final[Mapping[str, Any]] = MappingProxyType(
    {
        **dict.fromkeys(("predictions", "references"), Value("float64")),
        **dict.fromkeys(("persona_id", "attribute", "level"), Value("string")),
    }
)
"""The columns of the trust game's module."""

_PROTOCOLS = {protocol.name: protocol for protocol in (PAPER, RELEASE)}
_QUESTION_TYPES = ("", OPINION, "reason_evaluation")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def clustered_accuracy(
    predictions: Sequence[str | None],
    references: Sequence[str],
    clusters: Sequence[str],
    *,
    labels: Collection[str] | None,
    level: float,
) -> dict[str, float]:
    """Accuracy with its cluster-robust interval (`metrics.clustered_mean`)."""
    _check_not_empty(references)
    known = None if labels is None else set(labels)
    for place, reference in enumerate(references):
        if reference in ("", None) or (known is not None and reference not in known):
            raise MetricError(
                f"Item {place}: the reference {reference!r} is no label"
                + ("." if known is None else f"; labels are: {', '.join(map(repr, labels or ()))}.")
            )
    read = [
        prediction not in ("", None) and (known is None or prediction in known)
        for prediction in predictions
    ]
    right = [own == gold for own, gold in zip(predictions, references, strict=True)]
    found = clustered_mean(right, partition(_ids(clusters, "clusters")), level=level)
    return {
        "accuracy": found.value,
        "stderr": found.stderr,
        "low": found.low,
        "high": found.high,
        "read_rate": sum(read) / len(read),
        "n": int(found.n),
        "n_clusters": found.n_clusters,
    }


def hugagent_scores(
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
    return _numbers(
        {name: one for name, one in found.estimates.items() if name != "ati"}
    ) | _counts(found)


def hugagent_ati(
    predictions: Sequence[str | None],
    references: Sequence[str],
    items: Mapping[str, Sequence[Any]],
    *,
    protocol: str,
    draws: int,
    seed: int,
) -> dict[str, float]:
    """HugAgent's numbers with the ATI.

    Raises MetricError unless all items are of the human track, and each of the three topics has what the
    ATI is made of.
    """
    for track in items["track"]:
        _check_label(track, ("human",), "ATI is anchored in the human track's people; track")
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
    return _numbers(estimates) | _counts(found)


def trust_consistency(
    predictions: Sequence[float | None],
    references: Sequence[float | None],
    rows: Mapping[str, Sequence[str]],
    *,
    stated: Mapping[str, float] | None,
    draws: int,
    seed: int,
) -> dict[str, Any]:
    """ρ and |Δη²| of each attribute and their medians (`metrics.trust.consistency`)."""
    _check_not_empty(references)
    _check_no_nan(predictions, "predictions")
    _check_no_nan(references, "references")
    people, attributes, levels = (
        _ids(rows[name], name) for name in ("persona_id", "attribute", "level")
    )
    sends: dict[str, float | None] = {}
    own_levels: dict[str, dict[str, str]] = {}
    scores: dict[str, dict[str, float | None]] = {}
    for person, attribute, level, send, score in zip(
        people, attributes, levels, predictions, references, strict=True
    ):
        if attribute in own_levels.setdefault(person, {}):
            raise MisalignedInput(f"Persona {person!r} has two rows for {attribute!r}: keep one.")
        own_levels[person][attribute] = level
        _agree(sends, person, send, f"Persona {person!r} has two sends")
        of_attribute = scores.setdefault(attribute, {})
        _agree(of_attribute, level, score, f"Level {level!r} of {attribute!r} has two references")
    effects = dict(stated or {})
    if unknown := sorted(set(effects) - set(scores)):
        raise MetricError(f"stated_eta_squared names what has no rows: {', '.join(unknown)}.")
    found = consistency(
        [Played(person, own_levels[person], (send,)) for person, send in sends.items()],
        [_stated(name, own, effects.get(name)) for name, own in scores.items()],
        draws=draws,
        seed=seed,
    )
    by_attribute = {
        name: {
            "rho": one.rho.value,
            "simulated_eta_squared": one.simulated_eta_squared.value,
            "delta_eta_squared": one.delta_eta_squared.value,
            "n_levels": one.n_levels,
            "n_personas": one.n_personas,
            "rho_undefined": one.rho_undefined,
            "delta_undefined": one.delta_undefined,
        }
        for name, one in found.by_attribute.items()
    }
    medians = {"rho": found.rho, "delta_eta_squared": found.delta_eta_squared}
    return {
        **_numbers(medians, all_of_them=True),
        "n_attributes_rho": found.n_attributes_rho,
        "n_attributes_delta": found.n_attributes_delta,
        "n_personas": len(sends),
        "parse_rate": sum(send is not None for send in sends.values()) / len(sends),
        "by_attribute": by_attribute,
    }


def _stated(attribute: str, scores: Mapping[str, float | None], effect: float | None) -> Stated:
    given = [score for score in scores.values() if score is not None]
    if given and len(given) < len(scores):
        raise MisalignedInput(
            f"Attribute {attribute!r}: some levels have a reference and some have none. Give one for "
            "each level, or None for all where nothing could be read."
        )
    return Stated(attribute, tuple(scores), (tuple(given) or None,), (effect,))


def _summary(
    predictions: Sequence[str | None],
    references: Sequence[str],
    columns: Mapping[str, Sequence[Any]],
    protocol: str,
    draws: int,
    seed: int,
) -> Summary:
    _check_not_empty(references)
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
    _check_label(row["topic"], BASELINES, f"{name}: topic")
    _check_label(row["task"], (BSI, BDU), f"{name}: task")
    _check_label(row["question_type"] or "", _QUESTION_TYPES, f"{name}: question type")
    if row["task"] == BSI:
        letters = _LETTERS[: len(row["options"])]
        _check_label(gold, (*letters, EITHER), f"{name}: reference")
    elif len(row["scale"]) != 2:
        raise MetricError(f"{name}: the scale {row['scale']} of a bdu item is not [low, high].")
    # A letter has no scale, whatever its row says.
    doc = {**row, "answer": gold, "scale": None if row["task"] == BSI else row["scale"]}
    return hugagent.item(doc, (hugagent.parse(doc, reply),))


def _numbers(estimates: Mapping[str, Estimate], *, all_of_them: bool = False) -> dict[str, float]:
    """Values and intervals under one name each; those with nothing to measure only where wanted."""
    numbers: dict[str, float] = {}
    for name, one in estimates.items():
        if one.n > 0 or all_of_them:
            parts = asdict(one)
            numbers[name] = parts["value"]
            numbers |= {f"{name}_{part}": parts[part] for part in ("stderr", "low", "high")}
    return numbers


def _counts(found: Summary) -> dict[str, float]:
    return {name: int(count) for name, count in found.counts.items()}  # of one run: whole numbers


def _check_not_empty(references: Sequence[Any]) -> None:
    if len(references) == 0:
        raise EmptyInput("There is nothing to score: predictions and references are empty.")


def _check_label(value: str, known: Collection[str], what: str) -> None:
    if value not in known:
        raise MetricError(f"{what} {value!r} is none of: {', '.join(repr(one) for one in known)}.")


def _ids(values: Sequence[str], what: str) -> Sequence[str]:
    if any(value in ("", None) for value in values):
        raise MetricError(f"An entry of {what!r} is empty: every row needs one.")
    return values


def _check_no_nan(values: Sequence[float | None], what: str) -> None:
    if any(value is not None and math.isnan(value) for value in values):
        raise MetricError(f"One of the {what} is NaN: give None where nothing could be read.")


def _agree(
    seen: dict[str, float | None], key: str, value: float | None, contradiction: str
) -> None:
    if seen.setdefault(key, value) != value:
        raise MisalignedInput(f"{contradiction}: {seen[key]} and {value}.")
