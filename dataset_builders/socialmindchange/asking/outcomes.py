"""What holds after another word of the guide, and why: transition_state and transition_reason.

Options are all combinations of the values that a few variables can have. Which values are offered of a
variable depends on the stage alone, and the combination that is to be right is drawn first and evenly:
then a word, people and a scene are looked for where it is. So neither an option nor its siblings say
which is right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.socialmindchange.asking.elsewhere import Elsewhere
from otherminds.dataset_builders.socialmindchange.asking.question import Option, Question, exchanged
from otherminds.dataset_builders.socialmindchange.cells import MentalState, QuestionType
from otherminds.dataset_builders.socialmindchange.world import draw
from otherminds.dataset_builders.socialmindchange.world.frame import (
    FACES,
    GUIDE,
    STAKES,
    VALUES,
    Face,
    Frame,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.minds import RECEPTIONS
from otherminds.dataset_builders.socialmindchange.world.roll import Roll
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Asked,
    Backed,
    Changed,
    Claim,
    Emotion,
    Intention,
    Manner,
    Present,
    ReceptionOf,
    StakeIn,
    State,
    Variable,
    View,
    World,
)

_YES_NO: Final = ("no", "yes")
_MOST_LOOKS: Final = 16
_WISHES: Final = 12
_LAST_WISHES: Final = 12
_LEAST: Final = 4
"""In how many situations a feeling, intention or manner must occur to be offered."""

Key: TypeAlias = tuple[type, str, int, str]
Lead: TypeAlias = type[Emotion] | type[Intention] | type[Manner]
SET_SIZES: Final[Mapping[Lead, int]] = {Emotion: 4, Intention: 4, Manner: 2}
"""How many values are offered together."""

_LEADS_OF: Final[Mapping[MentalState, type]] = {
    "belief": View,
    "emotion": Emotion,
    "intention": Intention,
    "action": Intention,
}

ORDERS: Final = (1, 2, 3)
"""Of belief."""


@dataclass(frozen=True)
class Factor:
    """A variable that options claim something about, and the values that are offered."""

    of: Asked
    offered: tuple[str, ...]


@dataclass(frozen=True)
class Wish:
    """What is to be right, part by part; and of changes, what kind of thing they are about.

    values  the true values
    kinds   for each change that is asked for, whether it is one of the other's own state (or of what
            somebody thinks of another), and whether it is about the one the word is said to
    """

    values: tuple[str, ...]
    kinds: tuple[tuple[bool, bool], ...] = ()


class NoQuestionError(ValueError):
    """A stage has no situation for a question: it is drawn anew."""


@dataclass(frozen=True)
class Situation:
    """Who is asked about, after which word, in which scene; and the world of that word."""

    first: int
    second: int
    word: Word
    focus: int
    others: tuple[int, ...]
    world: World

    @property
    def matter(self) -> int:
        """The matter of the word, which all is asked about."""
        return self.word.matter


@dataclass
class Asking:
    """What is asked of one stage so far, and what can be.

    sets     the feelings, intentions and manners that occur in the stage often enough, in sets: an
             option's value is offered with the others of its set and no others, in every question on the
             stage
    by_lead  the numbers of the situations by what is asked of the one in focus, its value, span and
             setting
    """

    roll: Roll
    elsewhere: Elsewhere
    situations: tuple[Situation, ...]
    sets: dict[Lead, tuple[tuple[str, ...], ...]]
    by_lead: dict[Key, list[int]]
    used: set[object] = field(default_factory=set)

    @classmethod
    def of(cls, rng: np.random.Generator, roll: Roll) -> Asking:
        """Everything that can be asked of a stage. Raises NoQuestionError where too little occurs."""
        situations = tuple(_situations(roll))
        counts: dict[Lead, Counter[str]] = {kind: Counter() for kind in SET_SIZES}
        by_lead: defaultdict[Key, list[int]] = defaultdict(list)
        for number, one in enumerate(situations):
            world = one.world
            at = (one.second - one.first, one.word.setting)
            for kind, found in counts.items():
                for true in _true(world, _own(kind, one)):
                    found[true] += 1
                    by_lead[kind, true, *at].append(number)
            by_lead[View, world.value(_own_view(one)), *at].append(number)
            if one.focus == one.word.to:
                taken = world.value(Variable(ReceptionOf(one.focus), one.first))
                by_lead[ReceptionOf, taken, *at].append(number)
        sets = {kind: tuple(_sets(rng, found, SET_SIZES[kind])) for kind, found in counts.items()}
        for kind, some in sets.items():
            if not some:
                raise NoQuestionError(f"{kind.__name__}: too few values")
        if len({key[1] for key in by_lead if key[0] is ReceptionOf}) < len(RECEPTIONS):
            raise NoQuestionError("reception: too few values")
        return cls(roll, Elsewhere(roll), situations, sets, dict(by_lead))


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
        one = _first(
            _question(rng, asking, kind, state, place, wish)
            for wish in _wishes(rng, asking, kind, state)
            for place in _places(rng, asking, left, _orders(kind, state, order))
        )
        if one is None:
            raise NoQuestionError(f"{kind}, {state}")
        found.append(one)
        span = one.second - one.first
        left.remove(span if span in left else left[-1])
    return found


def _orders(kind: QuestionType, state: MentalState, order: int) -> tuple[int, ...]:
    """The orders of belief to try, the wanted one first; just that where it makes no difference."""
    if kind == "transition_state" and state != "belief":
        return (order,)
    return (order, *(one for one in ORDERS if one != order))


def _first(found: Iterator[Question | None]) -> Question | None:
    return next((one for one in found if one is not None), None)


def _places(
    rng: np.random.Generator,
    asking: Asking,
    spans: Sequence[int],
    orders: Sequence[int],
) -> Iterator[tuple[int, int, Face]]:
    """Span, order and setting, as wanted first: what is to be right is not given up for them."""
    setting = pick(rng, FACES)
    others = [span for span in range(1, len(asking.roll.frame.scenes)) if span not in spans]
    for span in dict.fromkeys((*spans, *others)):
        for one in orders:
            for face in (setting, *(face for face in FACES if face != setting)):
                yield span, one, face


def _wishes(
    rng: np.random.Generator, asking: Asking, kind: QuestionType, state: MentalState
) -> Iterator[Wish]:
    """What is to be right, and where a stage has no situation for it, the same with a part drawn anew.

    All is drawn before anybody looks for a situation: else what is asked about would tell the answer.
    """
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
        yield Wish((*wish.values[:2], *other.values[2:]) if reason else values, kinds)
    for _ in range(_LAST_WISHES):
        other = _wish(rng, asking, kind, state)
        yield Wish((*wish.values[:1], *other.values[1:]) if reason else other.values, other.kinds)


def _wish(rng: np.random.Generator, asking: Asking, kind: QuestionType, state: MentalState) -> Wish:
    """Values, each drawn evenly from those that can be right."""
    if kind == "transition_reason":
        rests = {"emotion": STAKES, "belief": VALUES}.get(state, _YES_NO)
        return Wish((pick(rng, RECEPTIONS), pick(rng, rests), pick(rng, VALUES)))
    if state == "belief":
        own: list[str] = [pick(rng, VALUES), pick(rng, VALUES)]
    else:
        own = [pick(rng, _values(asking, Emotion if state == "emotion" else Intention))]
    if state == "action":
        own.append(pick(rng, _values(asking, Manner)))
    count = 1 if state == "action" else 2
    kinds = tuple((chance(rng, 0.5), chance(rng, 0.5)) for _ in range(count))
    return Wish((*own, *(pick(rng, _YES_NO) for _ in range(count))), kinds)


def _values(asking: Asking, kind: Lead) -> list[str]:
    return [one for some in asking.sets[kind] for one in some]


def _question(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    state: MentalState,
    place: tuple[int, int, Face],
    wish: Wish,
) -> Question | None:
    span, order, setting = place
    lead: type = ReceptionOf
    first = wish.values[0]
    if kind != "transition_reason":
        lead = _LEADS_OF[state]
        if state == "belief" and order == max(ORDERS):
            # What is asked for first is then another's view in the eyes of the one in focus.
            first = ""
    numbers = [
        number
        for value in ([first] if first else VALUES)
        for number in asking.by_lead.get((lead, value, span, setting), ())
    ]
    for number in shuffled(rng, numbers)[:_MOST_LOOKS]:
        there = asking.situations[number]
        words = {there.first: there.word}
        if kind == "transition_reason":
            parts = _reasons(asking, state, order, there)
        else:
            parts = _states(asking, state, order, there, wish)
        factors = _chosen(rng, there.world, parts, wish.values)
        key = (kind, there.first, there.second, there.word, *(one.of for one in factors))
        if not factors or key in asking.used:
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
            words=words,
            options=options,
        )
    return None


def _chosen(
    rng: np.random.Generator,
    world: World,
    parts: Sequence[Sequence[Factor]],
    wanted: Sequence[str],
) -> list[Factor]:
    """One factor of each part whose true value is the wanted one (where any is wanted), all different;
    empty where there is none."""
    found: list[Factor] = []
    for part, right in zip(parts, wanted, strict=True):
        for one in shuffled(rng, part) if len(part) > 1 else part:
            true = _true(world, one.of)
            if one not in found and true == [right] and right in one.offered:
                found.append(one)
                break
        else:
            return []
    return found


def _true(world: World, asked: Asked) -> list[str]:
    """The value that holds; none where somebody is not there to act."""
    try:
        return [world.value(asked)]
    except ValueError:
        return []


def _own(kind: Lead, there: Situation) -> Variable:
    return Variable(kind(there.focus, there.matter), there.second)


def _own_view(there: Situation) -> Variable:
    return Variable(View((there.focus,), there.matter), there.second)


def _sets(rng: np.random.Generator, found: Counter[str], size: int) -> Iterator[tuple[str, ...]]:
    """What occurs often enough, dealt into sets."""
    drawn = shuffled(rng, sorted(one for one, count in found.items() if count >= _LEAST))
    for start in range(0, len(drawn) - size + 1, size):
        yield tuple(sorted(drawn[start : start + size]))


def _situations(roll: Roll) -> Iterator[Situation]:
    """All situations that can be asked about: words that differ from the story's."""
    frame = roll.frame
    for first in range(len(frame.scenes) - 1):
        for word in draw.words(frame, first):
            if word == roll.told[first]:
                continue
            people = _concerned(frame, word.matter)
            world = World(roll, exchanged(roll, {first: word}))
            for second in range(first + 1, len(frame.scenes)):
                for focus in people:
                    others = tuple(one for one in people if one != focus)
                    yield Situation(first, second, word, focus, others, world)


def _concerned(frame: Frame, matter: int) -> list[int]:
    """Those whose mind about a matter is open: not the doer and not the guide."""
    doer = frame.matters[matter].doer
    return [one for one in range(frame.size) if one not in (GUIDE, doer)]


def _states(
    asking: Asking, state: MentalState, order: int, there: Situation, wish: Wish
) -> list[list[Factor]]:
    """How things may stand with the one in focus, and whether they changed for others: for each part of
    an option, what it may be about."""
    frame, second = asking.roll.frame, there.second
    own: list[list[Factor]]
    if state == "belief":
        own = [
            [Factor(Variable(one, second), VALUES) for one in views]
            for views in _views(frame, order, there)
        ]
    else:
        own = _leads(asking, Emotion if state == "emotion" else Intention, there)
    if state == "action":
        own += _leads(asking, Manner, there)
    return own + [_reactions(frame, state, order, there, kind) for kind in wish.kinds]


def _leads(asking: Asking, kind: Lead, there: Situation) -> list[list[Factor]]:
    return [[Factor(_own(kind, there), some) for some in asking.sets[kind]]]


def _reasons(
    asking: Asking, state: MentalState, order: int, there: Situation
) -> list[list[Factor]]:
    """How the word is taken, what else it rests on, and what the hearer thinks that others think."""
    frame = asking.roll.frame
    matter, second, focus = there.matter, there.second, there.focus
    taken = Factor(Variable(ReceptionOf(focus), there.first), RECEPTIONS)
    rests: list[Factor]
    if state == "belief":
        rests = [Factor(Variable(one, second), VALUES) for one in _chains(frame, there, 2)]
    elif state == "emotion":
        rests = [Factor(Variable(StakeIn(focus, matter), second), STAKES)]
    elif state == "intention":
        rests = [Factor(Variable(Backed(focus, matter), second), _YES_NO)]
    elif focus in frame.present_at_end(second):
        rests = [Factor(Variable(Present(frame.matters[matter].doer), second), _YES_NO)]
    else:
        rests = []
    chains = _chains(frame, there, max(order, 2))
    return [[taken], rests, [Factor(Variable(one, second), VALUES) for one in chains]]


def _chains(frame: Frame, there: Situation, length: int) -> list[View]:
    """Chains of a length that begin with the one in focus and end in somebody whose mind is open."""
    holders = _concerned(frame, there.matter)
    people = [one for one in range(frame.size) if one != GUIDE]
    found: list[tuple[int, ...]] = [(there.focus,)]
    for place in range(1, length):
        around = holders if place == length - 1 else people
        found = [(*chain, one) for chain in found for one in around if one != chain[-1]]
    return [View(chain, there.matter) for chain in found]


def _views(frame: Frame, order: int, there: Situation) -> tuple[list[View], list[View]]:
    """Views that belong together: of two people, or of one about another's, and so on."""
    own = [View((there.focus,), there.matter)]
    if order == 1:
        return own, [View((one,), there.matter) for one in there.others]
    if order == 2:
        return own, _chains(frame, there, 2)
    return _chains(frame, there, 2), _chains(frame, there, 3)


def _reactions(
    frame: Frame, state: MentalState, order: int, there: Situation, kind: tuple[bool, bool]
) -> list[Factor]:
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
            for other in _concerned(frame, matter)
            if one != other
        ]
    return [
        Factor(Changed(one, there.second, there.first), _YES_NO)
        for one in pool
        if (there.word.to in _people(one)) == of_hearer
    ]


def _people(what: State) -> tuple[int, ...]:
    return what.chain if isinstance(what, View) else (what.person,)


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
                found = asking.elsewhere.of(claim, there.first, {there.first: there.word})
                if found is None:
                    return None
                where[one.of, other] = found
    options = []
    for values in product(*(one.offered for one in factors)):
        claims = tuple(Claim(one.of, each) for one, each in zip(factors, values, strict=True))
        against = tuple(where[one.of, one.value] for one in claims if (one.of, one.value) in where)
        options.append(Option(claims=claims, against=against))
    return tuple(sorted(options, key=lambda option: bool(option.against)))
