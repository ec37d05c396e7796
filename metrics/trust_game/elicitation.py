"""Reading what a model states of one attribute: who sends more, and by how much."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from otherminds.metrics.errors import EmptyInput, MisalignedInput
from otherminds.metrics.reply import TAIL, objects_in, without_reasoning
from otherminds.metrics.trust_game.effect_size import (
    EFFECT_SIZE_CLASSES,
    class_midpoint,
    elicited_eta_squared,
)
from otherminds.metrics.trust_game.send import check_endowment


@dataclass(frozen=True)
class Ranking:
    """A stated order of the levels, with classes of effect size.

    order                 the levels from the highest to the lowest, as the caller spells them
    effect_size           of the attribute as a whole (omnibus): small, medium or large
    contrast_effect_size  of this very order; None where it was not asked for
    scores                how many levels stand below each, in the order of the caller's levels
    eta_squared           midpoint of the class `effect_size` (`EFFECT_SIZE_CLASSES`)
    contrast_eta_squared  midpoint of the class `contrast_effect_size`; None where there is none
    """

    order: tuple[str, ...]
    effect_size: str
    contrast_effect_size: str | None
    scores: tuple[float, ...]
    eta_squared: float | None
    contrast_eta_squared: float | None


@dataclass(frozen=True)
class Dollars:
    """Stated sends of people of each level.

    means, sds   dollars, in the order of the caller's levels
    scores       the means
    eta_squared  by `elicited_eta_squared`; None where it is undefined: a single level, or equal means
                 and no spread
    contrast_eta_squared
                 None: dollars state no order beside the means
    """

    means: tuple[float, ...]
    sds: tuple[float, ...]
    scores: tuple[float, ...]
    eta_squared: float | None
    contrast_eta_squared: None = None


_CLASS = re.compile(rf"\b(?:{'|'.join(EFFECT_SIZE_CLASSES)})\b")


def _class_name(value: str) -> str:
    """The class that `value` begins with, if it names no other."""
    text = _canonical(value)
    named = list(_CLASS.finditer(text))
    if len(named) != 1 or named[0].start() > 0:
        raise ValueError(f"no effect size class: {text!r}")
    return named[0].group()


_Class = Annotated[str, AfterValidator(_class_name)]


class _Descending(BaseModel):
    model_config = ConfigDict(strict=True)

    ranking: str | list[str]
    omnibus_effect_size: _Class
    contrast_effect_size: _Class


class _Ascending(BaseModel):
    model_config = ConfigDict(strict=True)

    ranking: list[str]
    effect_size: _Class


class _StatedLevel(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    level: str
    mean: float = Field(ge=0)
    sd: float = Field(ge=0)


class _StatedDollars(BaseModel):
    model_config = ConfigDict(strict=True)

    levels: list[_StatedLevel]


def parse_ranking(text: str | None, levels: Sequence[str]) -> Ranking | None:
    """The ranking from highest to lowest that `text` states, or None when it states none completely.

    Wanted is a JSON object with "ranking": "V1 > V2 > V3" (a list in this order will do) and the
    classes "omnibus_effect_size" and "contrast_effect_size", each small, medium or large, perhaps with a
    remark behind it that names no other ("medium (6-14%)"); explanations and further keys do not matter,
    nor do prose and code fences around it. Of several JSON objects the last counts. The ranking must
    name every level exactly once; capitals, white space, the kind of apostrophe or dash, and how a range
    is written ("18-29", "18 to 29", "65 +") do not matter. Reasoning is left out as in
    `reply.read_reply`, and of a reply of more than 20,000 characters only the end is read.

    Never raises on any text; EmptyInput without levels, MisalignedInput for two levels of one spelling.
    """
    place = _places(levels)
    try:
        stated = _Descending.model_validate(_last_object(text))
    except ValidationError:
        return None
    named = stated.ranking
    codes = _each_once(named.split(">") if isinstance(named, str) else named, place)
    if codes is None:
        return None
    return _ranking(codes, levels, stated.omnibus_effect_size, stated.contrast_effect_size)


def parse_ascending_ranking(text: str | None, levels: Sequence[str]) -> Ranking | None:
    """The ranking from lowest to highest that `text` states, or None when it states none completely.

    Wanted is a JSON object {"ranking": [levels], "effect_size": "small" | "medium" | "large"}. For the
    rest as `parse_ranking`.
    """
    place = _places(levels)
    try:
        stated = _Ascending.model_validate(_last_object(text))
    except ValidationError:
        return None
    codes = _each_once(stated.ranking, place)
    return None if codes is None else _ranking(codes[::-1], levels, stated.effect_size, None)


def _ranking(
    codes: Sequence[int], levels: Sequence[str], omnibus: str, contrast: str | None
) -> Ranking:
    """The ranking of the levels `codes`, highest first."""
    scores = [0.0] * len(levels)
    for below, code in enumerate(reversed(codes)):
        scores[code] = float(below)
    return Ranking(
        order=tuple(levels[code] for code in codes),
        effect_size=omnibus,
        contrast_effect_size=contrast,
        scores=tuple(scores),
        eta_squared=class_midpoint(omnibus),
        contrast_eta_squared=None if contrast is None else class_midpoint(contrast),
    )


def parse_dollars(text: str | None, levels: Sequence[str], endowment: float) -> Dollars | None:
    """The means and SDs of dollars that `text` states, or None when they are not complete.

    Wanted is a JSON object {"levels": [{"level": …, "mean": number, "sd": number}, …]}; an object with
    the levels as keys will do, alone or under "levels". Every level must be there exactly once, with a
    mean within 0..`endowment` and an SD of 0 or more: numbers, not text, and finite. For the rest the
    rules are those of `parse_ranking`.

    Never raises on any text; MetricError unless the endowment is a finite number above 0, else as
    `parse_ranking`.
    """
    check_endowment(endowment)
    place = _places(levels)
    try:
        stated = _StatedDollars.model_validate(_as_list(_last_object(text))).levels
    except ValidationError:
        return None
    codes = _each_once([one.level for one in stated], place)
    if codes is None or any(one.mean > endowment for one in stated):
        return None
    in_order = [one for _, one in sorted(zip(codes, stated, strict=True), key=lambda pair: pair[0])]
    means = tuple(one.mean for one in in_order)
    sds = tuple(one.sd for one in in_order)
    varies = len(levels) > 1 and (len(set(means)) > 1 or any(sds))
    return Dollars(
        means=means,
        sds=sds,
        scores=means,
        eta_squared=elicited_eta_squared(means, sds) if varies else None,
    )


def _places(levels: Sequence[str]) -> dict[str, int]:
    if len(levels) == 0:
        raise EmptyInput("No levels: give the levels that the model was asked about.")
    place = {_canonical(level): code for code, level in enumerate(levels)}
    if len(place) < len(levels):
        raise MisalignedInput(
            "Two levels differ in capitals, white space, or how signs are written only: "
            f"{', '.join(map(repr, levels))}."
        )
    return place


def _each_once(names: Sequence[str], place: dict[str, int]) -> list[int] | None:
    """The codes of `names`; None unless they are all levels, each once."""
    codes = [place.get(_canonical(name), -1) for name in names]
    return codes if sorted(codes) == list(range(len(place))) else None


# "18-29", "18 - 29" and "18 to 29" are one range, and so are "65+" and "65 +".
_RANGE = re.compile(r"(?<=\d)\s*(?:-|\bto\b)\s*(?=\d)")
_FROM = re.compile(r"(?<=\d)\s+\+")

# Apostrophes, hyphens, dashes and the minus sign, as type has them.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


def _canonical(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name.translate(_PLAIN)).casefold()
    return _FROM.sub("+", _RANGE.sub("-", " ".join(plain.split())))


def _as_list(stated: Any) -> Any:
    """`stated` with its levels as a list, where it has them as keys."""
    if not isinstance(stated, dict):
        return stated
    inner = stated.get("levels", stated)
    if not isinstance(inner, dict):
        return stated
    # A remark beside the levels is a further key, which does not matter.
    by_level = {name: value for name, value in inner.items() if isinstance(value, dict)}
    return {"levels": [{**value, "level": name} for name, value in by_level.items()]}


def _last_object(text: str | None) -> Any:
    """The last JSON object in `text` that is not inside another; None when there is none.

    One with a key given twice contradicts itself and reads as None, wherever it stands.
    """
    visible = without_reasoning(text) if text else None
    if visible is None:
        return None
    last = None
    for value in objects_in(visible[-TAIL:]):
        last = value
    return last
