"""The parts of the options of `outcomes`: what each may be about in a situation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from otherminds.dataset_builders.socialmindchange.asking.lines import Offered
from otherminds.dataset_builders.socialmindchange.asking.situations import (
    Asking,
    Factor,
    Factors,
    Lead,
    Pool,
    Situation,
    Spot,
    concerned,
    own,
)
from otherminds.dataset_builders.socialmindchange.cells import MentalState
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, VALUES, Frame
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Backed,
    Changed,
    Emotion,
    Intention,
    Manner,
    Present,
    State,
    Variable,
    View,
)

ORDERS: Final = (1, 2, 3)
"""Of belief."""

YES_NO: Final = ("no", "yes")


@dataclass(frozen=True)
class Part:
    """A part of an option: what it may be about in a situation, under a name."""

    name: object
    factors: Callable[[Spot], Iterator[Factor]]

    def pool(self, there: Situation) -> Pool:
        """What it may be about in a situation, by the values; looked up once for all that come to the
        same."""
        seen = there.seen
        found = seen.pools.get(self.name)
        if found is None:
            spot = seen.spot
            if self.name not in spot.factors:
                spot.factors[self.name] = Factors.of(spot.frame, self.factors(spot))
            found = seen.pools[self.name] = seen.pool(spot.factors[self.name])
        return found


class Taken:
    """The part of an option that is about how the word is taken."""

    name = "taken"

    def pool(self, there: Situation) -> Pool:
        """How the one in focus takes it."""
        return there.taken


def states(
    asking: Asking, state: MentalState, order: int, kinds: Sequence[tuple[bool, bool]]
) -> Sequence[Offered]:
    """How things may stand with the one in focus, and whether they changed for others.

    kinds  of changes, as `outcomes.Wish` has them
    """
    frame = asking.roll.frame
    parts: list[Offered]
    if state == "belief":
        parts = [
            Part(f"view {order} {place}", partial(_views, frame, order, place)) for place in (0, 1)
        ]
    else:
        parts = [_lead(asking, Emotion if state == "emotion" else Intention)]
    if state == "action":
        parts.append(_lead(asking, Manner))
    low = order == 1
    return parts + [
        Part(f"changed {state} {low} {kind}", partial(_reactions, frame, state, order, kind))
        for kind in kinds
    ]


def _lead(asking: Asking, kind: Lead) -> Part:
    def factors(there: Spot) -> Iterator[Factor]:
        for some in asking.sets[kind]:
            yield Factor(own(kind, there), some)

    return Part(kind, factors)


def reasons(frame: Frame, state: MentalState, order: int) -> Sequence[Offered]:
    """How the word is taken, what else it rests on, and what the hearer thinks that others think."""

    def rests(there: Spot) -> Iterator[Factor]:
        focus, matter, second = there.focus, there.matter, there.second
        if state == "emotion":
            yield Factor(Variable(View((focus,), matter), second), VALUES)
        elif state == "intention":
            yield Factor(Variable(Backed(focus, matter), second), YES_NO)
        elif focus in frame.present_at_end(second):
            for one in sorted({frame.matters[matter].doer, frame.lead} - {focus, GUIDE}):
                yield Factor(Variable(Present(one), second), YES_NO)

    def views(length: int, there: Spot) -> Iterator[Factor]:
        for one in _chains(frame, there, length):
            yield Factor(Variable(one, there.second), VALUES)

    of_others = Part(f"chains {max(order, 2)}", partial(views, max(order, 2)))
    rest = Part("chains 2", partial(views, 2)) if state == "belief" else Part(state, rests)
    return [Taken(), rest, of_others]


def _views(frame: Frame, order: int, place: int, there: Spot) -> Iterator[Factor]:
    """Views that belong together: of two people, or of one about another's, and so on."""
    own_view = [View((there.focus,), there.matter)]
    if order == max(ORDERS):
        found = _chains(frame, there, order - 1 + place)
    elif place == 0:
        found = own_view
    elif order == 1:
        found = [View((one,), there.matter) for one in there.others]
    else:
        found = _chains(frame, there, order)
    for one in found:
        yield Factor(Variable(one, there.second), VALUES)


def _chains(frame: Frame, there: Spot, length: int) -> list[View]:
    """Chains of a length that begin with the one in focus and end in somebody whose mind is open."""
    holders = concerned(frame, there.matter)
    people = [one for one in range(frame.size) if one != GUIDE]
    found: list[tuple[int, ...]] = [(there.focus,)]
    for place in range(1, length):
        around = holders if place == length - 1 else people
        found = [(*chain, one) for chain in found for one in around if one != chain[-1]]
    return [View(chain, there.matter) for chain in found]


def _reactions(
    frame: Frame, state: MentalState, order: int, kind: tuple[bool, bool], there: Spot
) -> Iterator[Factor]:
    """Whether something changed for others: their own state, or what they think of another's mind; and
    that of the one the word is said to, or not."""
    matter = there.matter
    of_own, of_hearer = kind
    pool: list[State]
    if of_own and state == "emotion":
        pool = [Emotion(one, matter) for one in there.others]
    elif of_own and state != "belief":
        pool = [Intention(one, matter) for one in there.others]
    elif of_own and order > 1:
        pool = [View((one,), matter) for one in there.others]
    else:
        pool = [
            View((one, other), matter)
            for one in (frame.matters[matter].doer, *there.others)
            for other in concerned(frame, matter)
            if one != other
        ]
    for one in pool:
        if (there.to in _people(one)) == of_hearer:
            yield Factor(Changed(one, there.second, there.first), YES_NO)


def _people(what: State) -> tuple[int, ...]:
    return what.chain if isinstance(what, View) else (what.person,)
