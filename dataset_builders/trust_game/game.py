"""The rules of the trust game: what is sent, tripled and returned, and what both end up with.

The trustor has an endowment E, sends s of it, and the trustee receives 3·s and returns r of that.
Amounts are dollars; fractions of a dollar are allowed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Final, cast

MULTIPLIER: Final = 3
"""What the trustee receives for each dollar that the trustor sends."""

ENDOWMENT: Final = 10.0
"""The trustor's dollars in each round, unless a task says otherwise."""

ROUNDS: Final = 6
"""Rounds that a persona plays with one trustee; both balances begin anew in each."""

MOST: Final = 1_000_000.0
"""The largest endowment. No study plays for more; more is likely a slip of the keyboard."""


@dataclass(frozen=True)
class Archetype:
    """A trustee who returns `dollars`, or everything received where that is less."""

    name: str
    dollars: int


ARCHETYPES: Final = (Archetype("M1", 1), Archetype("M3", 3), Archetype("M5", 5))
"""The trustees, from the least to the most generous."""


def archetype(name: str) -> Archetype:
    """The trustee of this name; raises ValueError for another name, with the names there are."""
    for one in ARCHETYPES:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in ARCHETYPES)
    raise ValueError(f"There is no trustee '{name}'; there are: {names}.")


def check_endowment(value: object) -> float:
    """`value` as an endowment in dollars.

    Raises ValueError unless it is a finite number above 0 and at most `MOST`. Text is refused even
    where it spells a number, and so are True and False, which Python counts as numbers.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(
            f"The endowment is {value!r}, but must be a number of dollars, such as 10."
        )
    amount = cast(float, value)
    # Not printed: a whole number of thousands of digits cannot be.
    if abs(amount) > MOST:
        raise ValueError(
            f"The endowment is huge, but must be above 0 and at most {MOST:,.0f} dollars."
        )
    # A comparison with NaN is false, so NaN is refused too.
    if not amount > 0:
        raise ValueError(f"The endowment is {amount} dollars, but must be above 0.")
    return float(amount)


def returned(sent: float, trustee: Archetype) -> float:
    """What the trustee returns: min(k, 3·s) dollars.

    Raises ValueError for an amount that cannot have been sent: negative, infinite or NaN.
    """
    _check_amount("amount sent", sent, math.inf)
    return float(min(trustee.dollars, MULTIPLIER * sent))


def payoffs(sent: float, returned: float, endowment: float = ENDOWMENT) -> tuple[float, float]:
    """What trustor and trustee have after a round: (E − s + r, 3·s − r); together E + 2·s.

    Raises ValueError for an endowment that is none, s outside 0..E and r outside 0..3·s.
    """
    dollars = check_endowment(endowment)
    _check_amount("amount sent", sent, dollars)
    _check_amount("amount returned", returned, MULTIPLIER * sent)
    return dollars - sent + returned, MULTIPLIER * sent - returned


def _check_amount(what: str, amount: float, most: float) -> None:
    # A comparison with NaN is false, so NaN is refused too.
    if not (0 <= amount <= most and math.isfinite(amount)):
        limit = f"lie between 0 and {most:g}" if math.isfinite(most) else "be finite and at least 0"
        raise ValueError(f"The {what} is {amount} dollars, but must {limit}.")
