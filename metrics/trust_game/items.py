"""What the trust game's metrics see: how personas played, and what a model stated of an attribute."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from otherminds.metrics.errors import EmptyInput, MetricError, MisalignedInput

MAX_DOLLARS = 1_000_000_000
"""More than any endowment; a larger send has slipped through unread."""


class Played(NamedTuple):
    """The sends of one role-played persona.

    persona_id  unique in the data; the cluster of all uncertainty
    levels      the persona's level of each evaluated attribute, by attribute
    sends       dollars sent in each of K runs; None where no send could be read
    """

    persona_id: str
    levels: Mapping[str, str]
    sends: tuple[float | None, ...]


class Stated(NamedTuple):
    """What a model stated of one attribute, under one strategy of asking.

    attribute    its name
    levels       its levels, in any fixed order
    scores       one score per level and run, in the order of `levels`: a higher one says that people of
                 that level send more; None for a run whose statement could not be read. A single run
                 stands for every run of play: one statement, given back in all of them
    eta_squared  the stated effect size of each run; None where there is none
    contrast     what share of the variance the stated order is said to explain, in each run; None where
                 there is none, () where it was not asked for
    """

    attribute: str
    levels: tuple[str, ...]
    scores: tuple[tuple[float, ...] | None, ...]
    eta_squared: tuple[float | None, ...]
    contrast: tuple[float | None, ...] = ()

    def single_runs(self) -> list[Stated]:
        """The statement of each run alone."""
        return [
            self._replace(
                scores=(scores,), eta_squared=(eta_squared,), contrast=self.contrast[run : run + 1]
            )
            for run, (scores, eta_squared) in enumerate(
                zip(self.scores, self.eta_squared, strict=True)
            )
        ]


def check_played(played: Sequence[Played]) -> int:
    """Refuse play that cannot be scored; return K, the number of runs.

    Raises EmptyInput without personas, MisalignedInput for a persona given twice or unless all have
    the same K ≥ 1, MetricError for a send that is not a number from 0 to MAX_DOLLARS.
    """
    if len(played) == 0:
        raise EmptyInput("No personas played: there is nothing to score.")
    runs = len(played[0].sends)
    seen: set[str] = set()
    for one in played:
        if one.persona_id in seen:
            raise MisalignedInput(f"Persona {one.persona_id!r} is given twice: ids must be unique.")
        seen.add(one.persona_id)
        if len(one.sends) != runs or runs == 0:
            raise MisalignedInput(
                f"Persona {one.persona_id!r} has {len(one.sends)} sends, {played[0].persona_id!r} has "
                f"{runs}: every persona needs one send (or None) for each run."
            )
        check_dollars(one.sends, f"Persona {one.persona_id!r}")
    return runs


def check_dollars(amounts: Iterable[float | None], whose: str) -> None:
    """Raise MetricError for an amount that is not a number from 0 to MAX_DOLLARS; None is allowed."""
    for amount in amounts:
        if amount is None:
            continue
        number = isinstance(amount, (int, float)) and not isinstance(amount, bool)
        if not number or not 0 <= amount <= MAX_DOLLARS:
            raise MetricError(
                f"{whose}: {str(amount)[:40]} is not an amount of dollars; give a number from 0 to "
                f"{MAX_DOLLARS:,}, or None where none could be read."
            )


def check_stated(stated: Sequence[Stated], runs: int) -> None:
    """Refuse statements that cannot be compared with K = `runs` runs of play.

    Raises EmptyInput without attributes or levels, MisalignedInput for an attribute or level given
    twice, a number of runs that is neither 1 nor K or differs between scores and effect sizes, or
    other than one score per level; MetricError for a score that is not finite or an effect size
    outside 0..1.
    """
    if len(stated) == 0:
        raise EmptyInput(
            "No attributes: give what was stated of each, also where none could be read."
        )
    names = [one.attribute for one in stated]
    if len(set(names)) < len(names):
        raise MisalignedInput(f"An attribute is given twice: {', '.join(names)}.")
    for one in stated:
        if not one.levels:
            raise EmptyInput(f"Attribute {one.attribute!r} has no levels.")
        if len(set(one.levels)) < len(one.levels):
            raise MisalignedInput(
                f"Attribute {one.attribute!r} has a level twice: {', '.join(one.levels)}."
            )
        if len(one.scores) not in (1, runs) or len(one.eta_squared) != len(one.scores):
            raise MisalignedInput(
                f"Attribute {one.attribute!r} has scores of {len(one.scores)} and effect sizes of "
                f"{len(one.eta_squared)} runs, play has {runs}: give both for one run or for each."
            )
        for scores in one.scores:
            if scores is not None and len(scores) != len(one.levels):
                raise MisalignedInput(
                    f"Attribute {one.attribute!r}: {len(scores)} scores for {len(one.levels)} levels."
                )
            if scores is not None and not all(map(math.isfinite, scores)):
                raise MetricError(f"Attribute {one.attribute!r}: a score is NaN or infinite.")
        if len(one.contrast) not in (0, len(one.scores)):
            raise MisalignedInput(
                f"Attribute {one.attribute!r} has contrasts of {len(one.contrast)} runs and scores of "
                f"{len(one.scores)}: give one for each, or none."
            )
        for eta in (*one.eta_squared, *one.contrast):
            if eta is not None and not 0 <= eta <= 1:
                raise MetricError(
                    f"Attribute {one.attribute!r}: an eta squared of {eta} lies outside 0..1."
                )


def level_codes(played: Sequence[Played], attribute: str, levels: Sequence[str]) -> list[int]:
    """The place in `levels` of each persona's level of `attribute`.

    Raises MisalignedInput for a persona without the attribute or with a level that is not listed.
    """
    place = {level: code for code, level in enumerate(levels)}
    codes = []
    for one in played:
        level = one.levels.get(attribute)
        if level is None:
            raise MisalignedInput(f"Persona {one.persona_id!r} has no level of {attribute!r}.")
        if level not in place:
            raise MisalignedInput(
                f"Persona {one.persona_id!r}: {level!r} is not a level of {attribute!r}; its levels are "
                f"{', '.join(map(repr, levels))}."
            )
        codes.append(place[level])
    return codes
