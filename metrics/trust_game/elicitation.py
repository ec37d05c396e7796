"""Reading what a model states of one attribute: who sends more, and by how much."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from otherminds.metrics.trust_game.effect_size import class_midpoint, elicited_eta_squared
from otherminds.metrics.trust_game.levels import Levels
from otherminds.metrics.trust_game.send import check_endowment
from otherminds.metrics.trust_game.sizes_near import CONTRAST, EFFECT, OMNIBUS
from otherminds.metrics.trust_game.stated_dollars import Stated, dollars_in
from otherminds.metrics.trust_game.stated_effects import classes_in, classes_of
from otherminds.metrics.trust_game.stated_json import dollars_of, names_levels, values_in
from otherminds.metrics.trust_game.stated_orders import last_chain
from otherminds.metrics.trust_game.stated_text import (
    has_dots,
    is_placeholder,
    last_object,
    ranking_under_key,
    visible,
)


@dataclass(frozen=True)
class Ranking:
    """A stated order of the levels, with classes of effect size; at least one of these was stated.

    order                 the levels from the highest to the lowest, as the caller spells them; None
                          where it was not stated clearly
    effect_size           of the attribute as a whole (omnibus): small, medium or large, or None
    contrast_effect_size  of this very order; None where it was not asked for, or not stated
    scores                how many levels stand below each, in the order of the caller's levels; None
                          without an order
    eta_squared           midpoint of the class `effect_size` (`EFFECT_SIZE_CLASSES`), or None
    contrast_eta_squared  midpoint of the class `contrast_effect_size`; None where there is none
    """

    order: tuple[str, ...] | None
    effect_size: str | None
    contrast_effect_size: str | None
    scores: tuple[float, ...] | None
    eta_squared: float | None
    contrast_eta_squared: float | None


@dataclass(frozen=True)
class Dollars:
    """Stated sends of people of each level.

    means         dollars, in the order of the caller's levels
    sds           the same; None where none was stated
    scores        the means
    eta_squared   by `elicited_eta_squared`; None where it is undefined: an SD is missing, there is a
                  single level, or equal means and no spread
    contrast_eta_squared
                  None: dollars state no order beside the means
    """

    means: tuple[float, ...]
    sds: tuple[float | None, ...]
    scores: tuple[float, ...]
    eta_squared: float | None
    contrast_eta_squared: None = None


_RANKING, _OMNIBUS, _CONTRAST, _EFFECT = (
    "ranking",
    "omnibus_effect_size",
    "contrast_effect_size",
    "effect_size",
)
_SPLIT: Final = re.compile(r">+|\u2192|->|\u227b")


def parse_ranking(text: str | None, levels: Sequence[str]) -> Ranking | None:
    """The ranking from highest to lowest that `text` states, or None when it states nothing.

    Wanted is a JSON object with "ranking": "V1 > V2 > V3" (a list in this order will do) and the
    classes "omnibus_effect_size" and "contrast_effect_size", each small, medium or large, perhaps with a
    remark that names no other ("medium (6-14%)"). Each of the three is read for itself; one that is
    missing or unclear is None. Explanations and further keys do not matter, nor do prose and fences
    around the object or a comma too many in it. Of several objects the last with one of these keys
    counts. Where there is no such object, as in one that was cut off, whatever was finished counts: a
    string or list behind "ranking", a row of all levels with arrows or ">" between them, a list of
    numbered lines, and "omnibus: small".

    The ranking must name every level exactly once, or it is none; capitals, white space, the kind of
    apostrophe or dash, and how a range is written ("18-29", "18 to 29", "65 +") do not matter. "A < B"
    says that B is higher. A ranking of placeholders ("V1 > V2", "...", "the most") is a copy of the
    question, and nothing is read of such a reply. Reasoning is left out as in `reply.read_reply`, and of
    a reply of more than 20,000 characters only the end is read.

    Never raises on any text; EmptyInput without levels, MisalignedInput for two levels of one spelling.
    """
    names = Levels(levels)
    return _ranking(visible(text), names, levels, (_OMNIBUS, _CONTRAST), is_ascending=False)


def parse_ascending_ranking(text: str | None, levels: Sequence[str]) -> Ranking | None:
    """The ranking from lowest to highest that `text` states, or None when it states nothing.

    Wanted is a JSON object {"ranking": [levels], "effect_size": "small" | "medium" | "large"}. "A > B"
    is no ranking here: it may say that A is higher or that it is the first of those from the lowest on.
    For the rest as `parse_ranking`.
    """
    names = Levels(levels)
    return _ranking(visible(text), names, levels, (_EFFECT,), is_ascending=True)


def _ranking(
    text: str,
    names: Levels,
    levels: Sequence[str],
    effects: Sequence[str],
    *,
    is_ascending: bool,
) -> Ranking | None:
    stated = last_object(text, (_RANKING, *effects))
    said: str | Sequence[str] | None
    if stated is not None:
        said = _said(stated.get(_RANKING))
        classes = classes_of(stated, effects)
    else:
        said = ranking_under_key(text)
        if said is None:
            said = text
        classes = classes_in(text, names, [_ANNOUNCED[effect] for effect in effects])
    if said is not text and _is_copied(said):
        # The example of the question; what is said behind it is the model's own.
        if has_dots(said):
            behind = text[text.rfind("}") + 1 :] if stated is not None else ""
            classes = classes_in(behind, names, [_ANNOUNCED[effect] for effect in effects])
        said = None
    is_listed = said is not text and said is not None
    codes = (
        None
        if said is None
        else _order(said, names, is_ascending=is_ascending, is_listed=is_listed)
    )
    if codes is None and stated is None and is_listed:
        codes = _order(text, names, is_ascending=is_ascending, is_listed=False)
    if codes is None and not any(classes):
        return None
    omnibus, contrast = (*classes, None)[:2]
    scores = [0.0] * len(levels)
    for below, code in enumerate(reversed(codes or ())):
        scores[code] = float(below)
    return Ranking(
        order=None if codes is None else tuple(levels[code] for code in codes),
        effect_size=omnibus,
        contrast_effect_size=contrast,
        scores=None if codes is None else tuple(scores),
        eta_squared=None if omnibus is None else class_midpoint(omnibus),
        contrast_eta_squared=None if contrast is None else class_midpoint(contrast),
    )


_ANNOUNCED = {_OMNIBUS: OMNIBUS, _CONTRAST: CONTRAST, _EFFECT: EFFECT}


def _said(value: Any) -> str | Sequence[str] | None:
    """A ranking as a text or a list of names; None for another value."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        # Ranks as keys: {"1": "high", "2": "low"}.
        value = _by_rank(value)
    if not isinstance(value, list):
        return None
    names = [_name(one) for one in value]
    if value and all(isinstance(one, dict) for one in value):
        ranks = [_rank(one) for one in value]
        if None not in ranks:
            ordered = sorted(
                zip(map(str, ranks), names, strict=True), key=lambda pair: int(pair[0])
            )
            names = [name for _, name in ordered]
            if len(set(ranks)) < len(ranks):
                return None
        elif any(rank is not None for rank in ranks):
            return None
    known = [name for name in names if name is not None]
    return known if len(known) == len(names) else None


def _by_rank(value: Mapping[str, Any]) -> list[Any] | None:
    ranks = sorted(value, key=lambda key: (len(key), key))
    is_counted = ranks == [str(number) for number in range(1, len(ranks) + 1)]
    return [value[rank] for rank in ranks] if is_counted else None


def _name(one: Any) -> str | None:
    """A name, or that in a record of a name, a rank and a remark."""
    if not isinstance(one, dict):
        return one if isinstance(one, str) else None
    named = [
        one[key] for key in ("level", "name", "kind", "group", "value", "category") if key in one
    ]
    return named[0] if len(named) == 1 and isinstance(named[0], str) else None


def _rank(one: Mapping[str, Any]) -> int | None:
    ranks = [one[key] for key in ("rank", "position", "place") if key in one]
    is_rank = len(ranks) == 1 and isinstance(ranks[0], float) and 0 < ranks[0] < 1_000
    return int(ranks[0]) if is_rank else None


def _is_copied(said: str | Sequence[str] | None) -> bool:
    """Whether a ranking has a placeholder of the prompt in it."""
    if said is None:
        return False
    return is_placeholder(_SPLIT.split(said) if isinstance(said, str) else said)


def _order(
    said: str | Sequence[str], names: Levels, *, is_ascending: bool, is_listed: bool
) -> Sequence[int] | None:
    """The codes from the highest to the lowest level."""
    if not isinstance(said, str):
        codes = names.each_once(said)
        return codes[::-1] if codes and is_ascending else codes
    split = None if is_ascending else names.each_once(_SPLIT.split(said))
    if split is not None:
        return split
    chain = last_chain(said, names, is_listed=is_listed)
    if chain is None or (is_ascending and chain.sign == "higher" and ">" in said):
        return None
    goes_up = is_ascending if chain.sign == "then" else chain.sign == "lower"
    return chain.codes[::-1] if goes_up else chain.codes


def parse_dollars(text: str | None, levels: Sequence[str], endowment: float) -> Dollars | None:
    """The means and SDs of dollars that `text` states, or None when they are not complete.

    Wanted is a JSON object {"levels": [{"level": …, "mean": number, "sd": number}, …]}; an object with
    the levels as keys will do, alone or under "levels". Where no object was begun, a table, a list or a
    sentence will do in which each level has two numbers behind it, or one (its mean) each. Every level
    must be there exactly once, with a mean within 0..`endowment`: a number, and finite. An SD is a
    number of 0 or more; one that is not stated is None, and one that is something else makes the reply
    None. Zeros for all levels are read: no example has them. For the rest the rules are those of
    `parse_ranking`.

    Never raises on any text; MetricError unless the endowment is a finite number above 0, else as
    `parse_ranking`.
    """
    check_endowment(endowment)
    names = Levels(levels)
    read = _dollars(visible(text), names, endowment)
    if read is None or not all(map(_are_dollars, read.values(), itertools.repeat(endowment))):
        return None
    means = tuple(read[code][0] for code in range(len(levels)))
    sds = tuple(read[code][1] for code in range(len(levels)))
    known = [sd for sd in sds if sd is not None]
    varies = len(levels) > 1 and (len(set(means)) > 1 or any(known))
    is_complete = len(known) == len(sds)
    return Dollars(
        means=means,
        sds=sds,
        scores=means,
        eta_squared=elicited_eta_squared(means, known) if varies and is_complete else None,
    )


def _dollars(text: str, names: Levels, endowment: float) -> Stated | None:
    """The last statement in JSON, or what else a text says."""
    values = [value for value in values_in(text) if names_levels(value, names)]
    if values:
        last = dollars_of(values[-1], names, endowment)
        return dollars_of(values, names, endowment) if last is None else last
    is_open = sum(map(text.count, "{[")) > sum(map(text.count, "}]"))
    if is_open and not text.rstrip("` \n").endswith(("}", "]")):
        # An object that was cut off: its last number may have been longer.
        return None
    return dollars_in(text, names, endowment)


def _are_dollars(pair: tuple[float, float | None], endowment: float) -> bool:
    mean, sd = pair
    return 0 <= mean <= endowment and (sd is None or (math.isfinite(sd) and sd >= 0))
