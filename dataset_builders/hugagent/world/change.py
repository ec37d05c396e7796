"""How stances and reasons move under a scenario: whole points, by rules that leave nothing to rounding.

A scenario moves factors by −3 (sharply down) to 3 (sharply up). What a factor's rise does to a person's
support is its pull: the sign of their belief times how much the factor counts, (1 + rating) / 6. Where
they hold no belief that joins it to the policy directly, its pull goes through the factors it acts on.

    push    Σ moves/3 · pull over the moved factors
    stance  the same for the settled, and for everybody below LEAST_PUSH; else whole points in the
            direction of the push, one or more, by how strong it is and how far the person goes (STEPS)
    rating  a reason counts more by as many points as it rises itself; of what acts on it, by one
            point less than that moves, in the direction of the belief
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from otherminds.dataset_builders.hugagent.dynamics import (
    HIGHEST_RATING,
    HIGHEST_STANCE,
    LOWEST_RATING,
    LOWEST_STANCE,
)
from otherminds.dataset_builders.hugagent.world.claims import (
    EASILY_MOVED,
    PERSUADABLE,
    SETTLED,
)

LEAST_PUSH: Final = 0.1
"""A push below this moves nobody: it is what is left where factors pull apart."""

STEPS: Final[Mapping[int, tuple[tuple[float, int], ...]]] = {
    SETTLED: (),
    PERSUADABLE: ((LEAST_PUSH, 1), (0.25, 2), (0.8, 3)),
    EASILY_MOVED: ((LEAST_PUSH, 5), (0.25, 7), (0.8, 9)),
}
"""By firmness: from which size of push on, the stance moves by how many points."""


def push(moves: Mapping[str, int], pulls: Mapping[str, float]) -> float:
    """Σ moves/3 · pull; to six decimals, so that no machine's last bit decides."""
    return round(sum(step / 3.0 * pulls.get(name, 0.0) for name, step in moves.items()), 6)


def shift(pushed: float, firmness: int) -> int:
    """By how many points the stance moves, in [−9, 9] and never a fraction."""
    points = max((by for least, by in STEPS[firmness] if abs(pushed) >= least), default=0)
    return points if pushed > 0 else -points


def stance_after(stance: int, pushed: float, firmness: int) -> int:
    """The stance after a scenario, 1 to 10."""
    return min(max(stance + shift(pushed, firmness), LOWEST_STANCE), HIGHEST_STANCE)


def stirred(reason: str, moves: Mapping[str, int], acts_on: Mapping[str, int]) -> int:
    """By how many points a rating moves; `acts_on` has the signs of what acts on the reason."""
    points = moves.get(reason, 0)
    for source, step in moves.items():
        sign = acts_on.get(source, 0)
        weaker = max(abs(step) - 1, 0)
        points += sign * (weaker if step > 0 else -weaker)
    return points


def rating_after(
    reason: str, rating: int, moves: Mapping[str, int], acts_on: Mapping[str, int]
) -> int:
    """The rating of a reason after a scenario, 1 to 5."""
    moved = rating + stirred(reason, moves, acts_on)
    return min(max(moved, LOWEST_RATING), HIGHEST_RATING)


def counts(rating: int) -> float:
    """How much a reason with this rating counts: 1/3 to 1."""
    return round((1 + rating) / (1 + HIGHEST_RATING), 6)
