"""Replies in the forms that the trust game's prompts ask for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from otherminds.metrics.trust_game.effect_size import EFFECT_SIZE_CLASSES
from otherminds.types import Doc


def sending(dollars: float) -> str:
    """A reply that sends so many dollars."""
    return f"Finally, I will give {dollars} dollars."


def stating(
    doc: Doc, means: Sequence[float], deviations: Sequence[float], effects: tuple[float, float]
) -> str:
    """A player's statement on an attribute, in the form that the document asks for.

    means, deviations  dollars by level, in the order of the document's `attribute_levels`
    effects            η² of the attribute, and of the order of the means
    """
    levels = doc["attribute_levels"]
    content: dict[str, Any]
    if doc["kind"] == "dollars":
        content = {
            "levels": [
                {"level": level, "mean": mean, "sd": deviation}
                for level, mean, deviation in zip(levels, means, deviations, strict=True)
            ]
        }
        return json.dumps(content, ensure_ascii=False)
    ascending = [levels[place] for place in np.argsort(means, kind="stable")]
    omnibus, contrast = map(_class_of, effects)
    if doc["ranking_form"] == "ascending":
        content = {"ranking": ascending, "effect_size": omnibus}
    else:
        content = {
            "ranking": " > ".join(reversed(ascending)),
            "omnibus_effect_size": omnibus,
            "omnibus_explanation": "So much lies between the kinds.",
            "contrast_effect_size": contrast,
            "contrast_explanation": "So much follows this order.",
        }
    return json.dumps(content, ensure_ascii=False)


def _class_of(effect: float) -> str:
    names = [name for name, (low, _) in EFFECT_SIZE_CLASSES.items() if effect >= low]
    return names[-1] if names else next(iter(EFFECT_SIZE_CLASSES))
