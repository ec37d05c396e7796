"""What holds after other words of the guide, and why: transition_state and transition_reason.

Options are all combinations of the values that a few variables can have. Which values are offered of a
variable depends on the stage alone, and the combination that is to be right is drawn first and evenly:
then words, people and a scene are looked for where it is. So neither an option nor its siblings say
which is right.

Whether the right answer hangs on what others say after other words is drawn, too. In a larger group, in
a longer stage and about beliefs of higher order more questions do: there is more talk for a mind to
depend on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, shuffled
from otherminds.dataset_builders.socialmindchange.asking import parts
from otherminds.dataset_builders.socialmindchange.asking.lines import Line, Offered, Way
from otherminds.dataset_builders.socialmindchange.asking.parts import ORDERS, YES_NO
from otherminds.dataset_builders.socialmindchange.asking.question import Option, Question
from otherminds.dataset_builders.socialmindchange.asking.situations import (
    SHORTEST,
    SMALLEST,
    Asking,
    Factor,
    Lead,
    NoQuestionError,
    Situation,
)
from otherminds.dataset_builders.socialmindchange.cells import MentalState, QuestionType
from otherminds.dataset_builders.socialmindchange.world.draw import RIVALS
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    VALUES,
    Face,
    Frame,
)
from otherminds.dataset_builders.socialmindchange.world.minds import Reception
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Claim,
    Emotion,
    Intention,
    Manner,
    ReceptionOf,
    View,
)

_WISHES: Final = 12
_LAST_WISHES: Final = 12

_HANGS: Final = 0.25
_MORE: Final = 0.25
_DEEPER: Final = 0.45
_MOST: Final = 0.95
_LOWEST: Final = 2
"""See `hanging`."""

_WISHED_NO: Final[Mapping[MentalState, float]] = {"intention": 0.8, "action": 0.57}
"""How often nobody is to back somebody, or be away, so that it holds as often as not: a stage has fewer
situations for it."""
_TAKEN: Final[Mapping[Reception, float]] = {
    "credits": 0.18, "closes_up": 0.32, "distrusts": 0.25, "knows": 0.25,
}  # fmt: skip
"""How often a word is to be taken how. It is credited if it is put in one of four ways, so of those to
whom nothing but this matters three in four are to close up."""
_EITHER_WAY: Final = ("distrusts", "knows")
_UNFITTING: Final = 0.5
"""See `_way`."""
_TWICE: Final = 3.0
"""How much rather two words are exchanged than one, where nothing hangs on others: where something does,
the earlier word is put as it is best taken, and the others are to hide it."""
_LATER: Final = 2.0
_OTHERS: Final = 6.0
"""How much rather reasons are asked for after words that are not in the first scene, or about another's
deed than the rival's; see `_weight`."""

_LEADS_OF: Final[Mapping[MentalState, type]] = {
    "belief": View,
    "emotion": Emotion,
    "intention": Intention,
    "action": Intention,
}


@dataclass(frozen=True)
class Wish:
    """What is to be right, part by part; and of changes, what kind of thing they are about.

    values  the true values
    hangs   whether one of them hangs on what others say
    kinds   for each change that is asked for, whether it is one of the other's own state (or of what
            somebody thinks of another), and whether it is about the one the word is said to
    """

    values: tuple[str, ...]
    hangs: bool
    kinds: tuple[tuple[bool, bool], ...] = ()


Place: TypeAlias = tuple[int, int, tuple[Face, ...]]
"""Span, order of belief, and in which settings the word may be said."""


def hanging(frame: Frame, order: int) -> float:
    """The share of questions with beliefs of this order that are to hang on what others say.

    .25 for four people, five scenes and beliefs of second order; .25 more for each person and scene
    more, and .45 for third order, up to .95.
    """
    more = (frame.size - SMALLEST) + (len(frame.scenes) - SHORTEST)
    deeper = max(order - _LOWEST, 0)
    return min(_HANGS + _MORE * max(more, 0) + _DEEPER * deeper, _MOST)


def questions(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    state: MentalState,
    spans: Sequence[int],
    orders: Sequence[int],
) -> list[Question]:
    """Questions of a type about a state, with these spans where there is a situation, else others.

    orders  of belief, from 1, where beliefs are asked for

    Raises NoQuestionError. Which option is to be right is drawn first and evenly for each question, then
    a situation is looked for in which it is.
    """
    found = []
    left = list(spans)
    for order in orders:
        one = _next(rng, asking, kind, state, left, order)
        found.append(one)
        span = one.second - one.first
        left.remove(span if span in left else left[-1])
    return found


def _next(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    state: MentalState,
    spans: Sequence[int],
    order: int,
) -> Question:
    """One more question. What was to hang on others and could not is made up for by later ones."""
    asking.owed[order] += chance(rng, hanging(asking.roll.frame, order))
    orders = _orders(kind, state, order)
    for wish in _wishes(rng, asking, kind, state, hangs=asking.owed[order] > 0):
        for place in _places(rng, asking, kind, spans, orders):
            one = _question(rng, asking, kind, state, place, wish)
            if one is not None:
                asking.owed[order] -= wish.hangs and asking.owed[order] > 0
                return one
    raise NoQuestionError(f"{kind}, {state}")


def _orders(kind: QuestionType, state: MentalState, order: int) -> tuple[int, ...]:
    """The orders of belief to try, the wanted one first; just that where it makes no difference."""
    if kind == "transition_state" and state != "belief":
        return (order,)
    return (order, *(one for one in ORDERS if one != order))


def _places(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    spans: Sequence[int],
    orders: Sequence[int],
) -> Iterator[Place]:
    """Span, order and setting, as wanted first: what is to be right is not given up for them.

    Of reasons, the setting is drawn with the tone (`_way`).
    """
    setting = pick(rng, FACES)
    either = ((setting,), tuple(face for face in FACES if face != setting))
    settings = (FACES,) if kind == "transition_reason" else either
    others = [span for span in range(1, len(asking.roll.frame.scenes)) if span not in spans]
    for span in dict.fromkeys((*spans, *others)):
        for one in orders:
            for faces in settings:
                yield span, one, faces


def _wishes(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    state: MentalState,
    *,
    hangs: bool,
) -> Iterator[Wish]:
    """What is to be right, and where a stage has no situation for it, the same with a part drawn anew.

    All is drawn before anybody looks for a situation: else what is asked about would tell the answer.
    Whether it hangs on what others say is given up before that.
    """
    for one in _drawn(rng, asking, kind, state):
        yield replace(one, hangs=hangs)
        yield replace(one, hangs=not hangs)


def _drawn(
    rng: np.random.Generator, asking: Asking, kind: QuestionType, state: MentalState
) -> Iterator[Wish]:
    wish = _wish(rng, asking, kind, state)
    yield wish
    reason = kind == "transition_reason"
    # Of feelings, intentions and manners there are several that are alike; then, for the same changes,
    # other things that they may be of; last, all but how a word is taken.
    drawn = 0 if reason else 2 if state == "action" else 1
    for number in range(_WISHES):
        other = _wish(rng, asking, kind, state)
        kinds = wish.kinds if number < _WISHES // 2 else other.kinds
        values = (*other.values[:drawn], *wish.values[drawn:])
        if reason:
            values = (*wish.values[:2], *other.values[2:])
        yield replace(other, values=values, kinds=kinds)
    for _ in range(_LAST_WISHES):
        other = _wish(rng, asking, kind, state)
        values = (*wish.values[:1], *other.values[1:]) if reason else other.values
        yield replace(other, values=values)


def _wish(rng: np.random.Generator, asking: Asking, kind: QuestionType, state: MentalState) -> Wish:
    """Values, each drawn evenly from those that can be right."""
    if kind == "transition_reason":
        rest: str = pick(rng, VALUES)
        if state in _WISHED_NO:
            rest = YES_NO[not chance(rng, _WISHED_NO[state])]
        taken = pick_weighted(rng, *zip(*_TAKEN.items(), strict=True))
        return Wish((taken, rest, pick(rng, VALUES)), False)
    if state == "belief":
        known: list[str] = [pick(rng, VALUES), pick(rng, VALUES)]
    else:
        known = [pick(rng, _values(asking, Emotion if state == "emotion" else Intention))]
    if state == "action":
        known.append(pick(rng, _values(asking, Manner)))
    count = 1 if state == "action" else 2
    kinds = tuple((chance(rng, 0.5), chance(rng, 0.5)) for _ in range(count))
    values = (*known, *(pick(rng, YES_NO) for _ in range(count)))
    return Wish(values, False, kinds)


def _values(asking: Asking, kind: Lead) -> list[str]:
    return [one for some in asking.sets[kind] for one in some]


def _question(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    state: MentalState,
    place: Place,
    wish: Wish,
) -> Question | None:
    line = _line(asking, kind, state, place, wish)
    if line is None:
        return None
    offered = _parts(asking, kind, state, place, wish)
    way = _way(rng, wish) if kind == "transition_reason" else None
    for there in line.tried(rng, offered, wish.values, hangs=wish.hangs, way=way):
        factors = _chosen(rng, there, offered, wish)
        if not factors:
            continue
        words = tuple(sorted(there.words.items()))
        key = (kind, there.second, words, *(one.of for one in factors))
        if key in asking.used:
            continue
        options = _options(asking, factors, there)
        if options is None:
            continue
        asking.used.add(key)
        return Question(
            type=kind,
            state=state,
            first=there.first,
            second=there.second,
            focus=there.focus,
            matter=there.matter,
            words=there.words,
            options=options,
        )
    return None


def _line(
    asking: Asking, kind: QuestionType, state: MentalState, place: Place, wish: Wish
) -> Line | None:
    """The situations where the first part is as wished; None where there are none."""
    span, order, settings = place
    lead: type = ReceptionOf if kind == "transition_reason" else _LEADS_OF[state]
    firsts: Sequence[str] = wish.values[:1]
    if kind == "transition_state" and state == "belief" and order == max(ORDERS):
        # What is asked for first is then another's view in the eyes of the one in focus.
        firsts = VALUES
    keys = tuple(
        (lead, value, span, setting, wish.hangs) for value in firsts for setting in settings
    )
    if keys not in asking.lines:
        found = [
            asking.situations[number] for key in keys for number in asking.by_lead.get(key, ())
        ]
        weigh = partial(_weight, kind, hangs=wish.hangs)
        asking.lines[keys] = Line(found, weigh) if found else None
    return asking.lines[keys]


def _way(rng: np.random.Generator, wish: Wish) -> Way:
    """How the word is to be put whose reception is asked for; questions on reasons tell it.

    It is drawn evenly, and somebody who would not be moved anyhow is rather spoken to in another way
    than they take best: so not even all questions on a stage together tell which that is.
    """
    unfitting = wish.values[0] in _EITHER_WAY and chance(rng, _UNFITTING)
    return Way(pick(rng, FACES), pick(rng, EARS), unfitting)


def _parts(
    asking: Asking, kind: QuestionType, state: MentalState, place: Place, wish: Wish
) -> Sequence[Offered]:
    """The parts of an option."""
    _, order, _ = place
    key = (kind, state, order, wish.kinds)
    if key not in asking.parts:
        asking.parts[key] = (
            parts.reasons(asking.roll.frame, state, order)
            if kind == "transition_reason"
            else parts.states(asking, state, order, wish.kinds)
        )
    return asking.parts[key]


def _weight(kind: QuestionType, there: Situation, *, hangs: bool) -> float:
    """How much rather it is asked about a situation.

    About reasons as often as somebody knows better there. Proof is seen late, and rather of another's
    deed than of the rival's: were other words asked about evenly, matter and scene would tell that it
    was.
    """
    weight = 1.0
    if kind == "transition_reason":
        weight = (_LATER if there.first else 1.0) * (_OTHERS if there.matter >= RIVALS else 1.0)
    return weight * _TWICE if len(there.words) > 1 and not hangs else weight


def _chosen(
    rng: np.random.Generator, there: Situation, parts: Sequence[Offered], wish: Wish
) -> list[Factor]:
    """One factor of each part whose true value is the wished one, all different; empty where there is
    none. One of them hangs on what others say if that is wished, else none does."""
    standing: list[Sequence[Factor]] = []
    hanging: list[Sequence[Factor]] = []
    for part, right in zip(parts, wish.values, strict=True):
        found = part.pool(there)
        standing.append(found.get((right, False), ()))
        hanging.append(found.get((right, True), ()) if wish.hangs else ())
        if not standing[-1] and not hanging[-1]:
            return []
    if not wish.hangs:
        return _of_each(rng, standing)
    for place in shuffled(rng, [place for place, pool in enumerate(hanging) if pool]):
        either = [[*one, *other] for one, other in zip(standing, hanging, strict=True)]
        either[place] = list(hanging[place])
        if chosen := _of_each(rng, either):
            return chosen
    return []


def _of_each(rng: np.random.Generator, pools: Sequence[Sequence[Factor]]) -> list[Factor]:
    """One of each, all different; empty where that cannot be."""
    found: list[Factor] = []
    for pool in pools:
        one = next((one for one in shuffled(rng, pool) if one not in found), None)
        if one is None:
            return []
        found.append(one)
    return found


def _options(
    asking: Asking, factors: Sequence[Factor], there: Situation
) -> tuple[Option, ...] | None:
    """All combinations, the right one first; None where a wrong value is true nowhere in the stage."""
    where: dict[tuple[Asked, str], str] = {}
    for one in factors:
        true = there.world.value(one.of)
        for other in one.offered:
            if other != true:
                claim = Claim(one.of, other)
                found = asking.elsewhere.of(claim, there.first, there.words)
                if found is None:
                    return None
                where[one.of, other] = found
    options = []
    for values in product(*(one.offered for one in factors)):
        claims = tuple(Claim(one.of, each) for one, each in zip(factors, values, strict=True))
        against = tuple(where[one.of, one.value] for one in claims if (one.of, one.value) in where)
        options.append(Option(claims=claims, against=against))
    return tuple(sorted(options, key=lambda option: bool(option.against)))
