"""What holds after another word of the guide, and why: transition_state and transition_reason.

Options are all combinations of the values that a few variables can have. Which values are offered of a
variable depends on the stage alone, and the combination that is to be right is drawn first and evenly:
then a word, people and a scene are looked for where it is. So neither an option nor its siblings say which
is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeAlias

import numpy as np

from otherminds.dataset_builders.draws import pick, shuffled
from otherminds.dataset_builders.socialmindchange.asking.elsewhere import Elsewhere
from otherminds.dataset_builders.socialmindchange.asking.question import (
    MentalState,
    Option,
    Question,
    QuestionType,
    exchanged,
)
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
from otherminds.dataset_builders.socialmindchange.world.roll import Roll, Words
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
    value,
)

RECEPTIONS: Final = ("credits", "distrusts", "closes_up", "knows")
_YES_NO: Final = ("no", "yes")
_LEADS: Final = 4
_WISHES: Final = 3
_LEAST: Final = 12
"""In how many situations a feeling, intention or manner must occur to be offered."""

Lead: TypeAlias = type[Emotion] | type[Intention] | type[Manner]
SET_SIZES: Final[Mapping[Lead, int]] = {Emotion: 4, Intention: 4, Manner: 2}
"""How many values are offered together."""

ORDERS: Final = (1, 2, 3)
"""Of belief."""


@dataclass(frozen=True)
class Factor:
    """A variable that options claim something about, and the values that are offered."""

    of: Asked
    offered: tuple[str, ...]


class NoQuestionError(ValueError):
    """A stage has no situation for a question: it is drawn anew."""


@dataclass(frozen=True)
class Situation:
    """Who is asked about, after which word, in which scene."""

    first: int
    second: int
    word: Word
    focus: int
    others: tuple[int, ...]

    @property
    def matter(self) -> int:
        """The matter of the word, which all is asked about."""
        return self.word.matter


@dataclass
class Asking:
    """What is asked of one stage so far, and what can be.

    sets  the feelings, intentions and manners that occur in the stage often enough, in sets: an option's
          value is offered with the others of its set and no others, in every question on the stage
    """

    roll: Roll
    elsewhere: Elsewhere
    situations: tuple[Situation, ...]
    sets: dict[Lead, tuple[tuple[str, ...], ...]]
    used: set[object] = field(default_factory=set)

    @classmethod
    def of(cls, rng: np.random.Generator, roll: Roll) -> Asking:
        """Everything that can be asked of a stage. Raises NoQuestionError where too little occurs."""
        situations = tuple(_situations(roll))
        counts: dict[Lead, Counter[str]] = {kind: Counter() for kind in SET_SIZES}
        for one in situations:
            words = exchanged(roll, {one.first: one.word})
            for kind, found in counts.items():
                found.update(_true(roll, words, _own(kind, one)))
        sets = {kind: tuple(_sets(rng, found, SET_SIZES[kind])) for kind, found in counts.items()}
        for kind, some in sets.items():
            if not some:
                raise NoQuestionError(f"{kind.__name__}: too few values")
        taken = {
            taken
            for one in situations
            for taken in _true(
                roll,
                exchanged(roll, {one.first: one.word}),
                Variable(ReceptionOf(one.word.to), one.first),
            )
        }
        if len(taken) < len(RECEPTIONS):
            raise NoQuestionError("reception: too few values")
        return cls(roll, Elsewhere(roll), situations, sets)


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
            _question(rng, asking, kind, state, place, wanted)
            for wanted in _wishes(rng, asking, kind, state)
            for place in _places(rng, asking, left, order)
        )
        if one is None:
            raise NoQuestionError(f"{kind}, {state}")
        found.append(one)
        span = one.second - one.first
        left.remove(span if span in left else left[-1])
    return found


def _first(found: Iterator[Question | None]) -> Question | None:
    return next((one for one in found if one is not None), None)


def _places(
    rng: np.random.Generator,
    asking: Asking,
    spans: Sequence[int],
    order: int,
) -> Iterator[tuple[int, int, Face]]:
    """Span, order and setting, as wanted first: what is to be right is not given up for them."""
    setting = pick(rng, FACES)
    others = [span for span in range(1, len(asking.roll.frame.scenes)) if span not in spans]
    orders = [order, *shuffled(rng, [one for one in ORDERS if one != order])]
    for span in dict.fromkeys((*spans, *others)):
        for one in orders:
            for face in (setting, *(face for face in FACES if face != setting)):
                yield span, one, face


def _wishes(
    rng: np.random.Generator, asking: Asking, kind: QuestionType, state: MentalState
) -> Iterator[tuple[str, ...]]:
    """What is to be right. Where a stage has no situation for it, the first part, which has the most
    values, is drawn anew before the whole is."""
    wanted = _wanted(rng, asking, kind, state)
    yield wanted
    for _ in range(_LEADS):
        yield (_wanted(rng, asking, kind, state)[0], *wanted[1:])
    for _ in range(_WISHES):
        yield _wanted(rng, asking, kind, state)


def _wanted(
    rng: np.random.Generator, asking: Asking, kind: QuestionType, state: MentalState
) -> tuple[str, ...]:
    """The values that are to be right, each drawn evenly from those that can be."""
    if kind == "transition_reason":
        rests = {"emotion": STAKES, "belief": VALUES}.get(state, _YES_NO)
        return pick(rng, RECEPTIONS), pick(rng, rests), pick(rng, VALUES)
    if state == "belief":
        return tuple(pick(rng, one) for one in (VALUES, VALUES, _YES_NO, _YES_NO))
    own = pick(rng, _values(asking, Emotion if state == "emotion" else Intention))
    beside = _values(asking, Manner) if state == "action" else _YES_NO
    return own, pick(rng, beside), pick(rng, _YES_NO)


def _values(asking: Asking, kind: Lead) -> list[str]:
    return [one for some in asking.sets[kind] for one in some]


def _question(
    rng: np.random.Generator,
    asking: Asking,
    kind: QuestionType,
    state: MentalState,
    place: tuple[int, int, Face],
    wanted: tuple[str, ...],
) -> Question | None:
    span, order, setting = place
    parts = _states if kind == "transition_state" else _reasons
    for number in rng.permutation(len(asking.situations)):
        there = asking.situations[int(number)]
        if there.second - there.first != span or there.word.setting != setting:
            continue
        if kind == "transition_reason" and there.focus != there.word.to:
            continue
        words = {there.first: there.word}
        now = exchanged(asking.roll, words)
        factors = _chosen(rng, asking.roll, now, parts(asking, state, order, there), wanted)
        key = (kind, there.first, there.second, there.word, *(one.of for one in factors))
        if not factors or key in asking.used:
            continue
        options = _options(asking, factors, now, there)
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
    roll: Roll,
    words: Words,
    parts: Sequence[Sequence[Factor]],
    wanted: Sequence[str],
) -> list[Factor]:
    """One factor of each part whose true value is the wanted one (where any is wanted), all different;
    empty where there is none."""
    found: list[Factor] = []
    for part, right in zip(parts, wanted, strict=True):
        for one in shuffled(rng, part):
            true = _true(roll, words, one.of)
            if one not in found and true == [right] and right in one.offered:
                found.append(one)
                break
        else:
            return []
    return found


def _true(roll: Roll, words: Words, asked: Asked) -> list[str]:
    """The value that holds; none where somebody is not there to act."""
    try:
        return [value(roll, words, asked)]
    except ValueError:
        return []


def _own(kind: Lead, there: Situation) -> Variable:
    return Variable(kind(there.focus, there.matter), there.second)


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
            for second in range(first + 1, len(frame.scenes)):
                for focus in people:
                    others = tuple(one for one in people if one != focus)
                    yield Situation(first, second, word, focus, others)


def _concerned(frame: Frame, matter: int) -> list[int]:
    """Those whose mind about a matter is open: not the doer and not the guide."""
    doer = frame.matters[matter].doer
    return [one for one in range(frame.size) if one not in (GUIDE, doer)]


def _states(asking: Asking, state: MentalState, order: int, there: Situation) -> list[list[Factor]]:
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
    reactions = _reactions(frame, state, order, there)
    if state == "action":
        return [*own, *_leads(asking, Manner, there), reactions]
    return [*own, reactions, reactions]


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
    else:
        rests = [Factor(Variable(Present(frame.matters[matter].doer), second), _YES_NO)]
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


def _reactions(frame: Frame, state: MentalState, order: int, there: Situation) -> list[Factor]:
    """Whether something changed for others: their own state, or what they think of another's mind."""
    matter = there.matter
    doer = frame.matters[matter].doer
    pool: list[State] = []
    for one in there.others:
        if state == "emotion":
            pool.append(Emotion(one, matter))
        elif state in ("intention", "action"):
            pool.append(Intention(one, matter))
        elif order > 1:
            pool.append(View((one,), matter))
    pool += [
        View((one, other), matter)
        for one in (doer, *there.others)
        for other in _concerned(frame, matter)
        if one != other
    ]
    return [Factor(Changed(one, there.second, there.first), _YES_NO) for one in pool]


def _options(
    asking: Asking, factors: Sequence[Factor], words: Words, there: Situation
) -> tuple[Option, ...] | None:
    """All combinations, the right one first; None where a wrong value is true nowhere in the stage."""
    where: dict[tuple[Asked, str], str] = {}
    for one in factors:
        true = value(asking.roll, words, one.of)
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
