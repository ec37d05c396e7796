"""The trust game's columns, as `evaluate` passes them, to play and statements, and its numbers back.

For the module `trust_consistency` in `hub_metrics`. Empty or contradictory columns raise MetricError
that names the fault.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from datasets import Value

from otherminds.metrics.errors import MetricError, MisalignedInput
from otherminds.metrics.trust_game import Played, Stated
from otherminds.metrics.trust_game import consistency as consistency_of
from otherminds.publishing.columns import DRAWS, SEED, check_not_empty, ids, numbers

__all__ = ["DRAWS", "FEATURES", "SEED", "consistency"]

FEATURES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        **dict.fromkeys(("predictions", "references"), Value("float64")),
        **dict.fromkeys(("persona_id", "attribute", "level"), Value("string")),
    }
)
"""The columns of the module."""


def consistency(
    predictions: Sequence[float | None],
    references: Sequence[float | None],
    rows: Mapping[str, Sequence[str]],
    *,
    stated: Mapping[str, float] | None,
    draws: int,
    seed: int,
) -> dict[str, Any]:
    """ρ and |Δη²| of each attribute and their medians (`metrics.trust_game.consistency`)."""
    check_not_empty(references)
    _check_no_nan(predictions, "predictions")
    _check_no_nan(references, "references")
    people, attributes, levels = (
        ids(rows[name], name) for name in ("persona_id", "attribute", "level")
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
    found = consistency_of(
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
        **numbers(medians, all_of_them=True),
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


def _check_no_nan(values: Sequence[float | None], what: str) -> None:
    if any(value is not None and math.isnan(value) for value in values):
        raise MetricError(f"One of the {what} is NaN: give None where nothing could be read.")


def _agree(
    seen: dict[str, float | None], key: str, value: float | None, contradiction: str
) -> None:
    if seen.setdefault(key, value) != value:
        raise MisalignedInput(f"{contradiction}: {seen[key]} and {value}.")
