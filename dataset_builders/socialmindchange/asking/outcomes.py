"""What holds after another word of the guide, and why: transition_state and transition_reason.

Options are all combinations of the values that a few variables can have. Which values are offered of a
variable depends on stage, scene and variable alone, and the combination that is to be right is drawn first
and evenly: then a word, people and a scene are looked for where it is. So neither an option nor its
siblings say which is right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

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
from otherminds.dataset_builders.socialmindchange.world.conduct import FELT, MEANT, emotion, felt, manner
from otherminds.dataset_builders.socialmindchange.world.frame import (
    FACES,
    GUIDE,
    STAKES,
    VALUES,
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

TRIES: Final = 400
"""How many situations are looked at for one question before the stage is given up."""

OPEN_MANNERS: Final = ("before_lead", "face", "to_lead", "behind")
RECEPTIONS: Final = ("credits", "distrusts", "closes_up", "knows")
_YES_NO: Final = ("no", "yes")
_POSITIONS: Final = tuple(product(STAKES, (True, False)))


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


def question(
    rng: np.random.Generator,
    roll: Roll,
    elsewhere: Elsewhere,
    kind: QuestionType,
    state: MentalState,
    span: int,
    order: int,
    used: set[object],
) -> Question:
    """A question of a type about a state, `span` scenes after the word. Raises NoQuestionError.

    order  of belief, from 1, where beliefs are asked for
    used   what was asked before of this stage, and must not be asked again
    """
    parts = _states if kind == "transition_state" else _reasons
    sizes = (2, 2, 2, 2) if (kind, state) == ("transition_state", "belief") else (4, 2, 2)
    wanted = [int(rng.integers(size)) for size in sizes]
    setting = pick(rng, FACES)
    for _ in range(TRIES):
        there = _situation(rng, roll, span, setting, kind == "transition_reason")
        if there is None or roll.told[there.first] == there.word:
            continue
        words = {there.first: there.word}
        now = exchanged(roll, words)
        factors = _chosen(rng, roll, now, parts(roll, state, order, there), wanted)
        key = (kind, there.first, there.second, there.word, *(one.of for one in factors))
        if not factors or key in used:
            continue
        truth = [one.offered[place] for one, place in zip(factors, wanted, strict=True)]
        options = _options(elsewhere, factors, truth, there)
        if options is None:
            continue
        used.add(key)
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
    raise NoQuestionError(f"{kind}, {state}, span {span}")


def _chosen(
    rng: np.random.Generator,
    roll: Roll,
    words: Words,
    parts: Sequence[Sequence[Factor]],
    wanted: Sequence[int],
) -> list[Factor]:
    """One factor of each part whose true value is the wanted one, all different; empty where there is
    none."""
    found: list[Factor] = []
    for part, place in zip(parts, wanted, strict=False):
        for one in shuffled(rng, part):
            if one not in found and _true(roll, words, one) == one.offered[place]:
                found.append(one)
                break
        else:
            return []
    return found if len(found) == len(wanted) else []


def _true(roll: Roll, words: Words, factor: Factor) -> str | None:
    """The value that holds; None where somebody is not there to act."""
    try:
        return value(roll, words, factor.of)
    except ValueError:
        return None


def _situation(
    rng: np.random.Generator, roll: Roll, span: int, setting: str, of_hearer: bool
) -> Situation | None:
    frame = roll.frame
    first = int(rng.integers(len(frame.scenes) - span))
    possible = [one for one in draw.words(frame, first) if one.setting == setting]
    if not possible:
        return None
    word = pick(rng, possible)
    people = _concerned(frame, word.matter)
    focus = word.to if of_hearer else pick(rng, people)
    others = shuffled(rng, [one for one in people if one != focus])
    return Situation(first, first + span, word, focus, tuple(others))


def _concerned(frame: Frame, matter: int) -> list[int]:
    """Those whose mind about a matter is open: not the doer and not the guide."""
    doer = frame.matters[matter].doer
    return [one for one in range(frame.size) if one not in (GUIDE, doer)]


def _states(
    roll: Roll, state: MentalState, order: int, there: Situation
) -> list[list[Factor]]:
    """How things may stand with the one in focus, and whether they changed for others: for each part of
    an option, what it may be about."""
    frame = roll.frame
    matter, second, focus = there.matter, there.second, there.focus
    own: list[list[Factor]]
    if state == "belief":
        own = [
            [Factor(Variable(one, second), VALUES) for one in views]
            for views in _views(frame, order, there)
        ]
    elif state == "emotion":
        feeling = Variable(Emotion(focus, matter), second)
        offered = _feelings(roll, focus, matter)
        own = [[Factor(feeling, offered)] if offered else []]
    else:
        meant = Variable(Intention(focus, matter), second)
        own = [[Factor(meant, _courses(frame, focus, matter))]]
    reactions = _reactions(frame, state, order, there)
    if state != "action":
        return [*own, reactions, reactions]
    manners = _manners(frame, focus, matter, second)
    manner_of = Variable(Manner(focus, matter), second)
    return [*own, [Factor(manner_of, manners)] if manners else [], reactions]


def _reasons(
    roll: Roll, state: MentalState, order: int, there: Situation
) -> list[list[Factor]]:
    """How the word is taken, what else it rests on, and what the hearer thinks that others think."""
    frame = roll.frame
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


def _reactions(
    frame: Frame, state: MentalState, order: int, there: Situation
) -> list[Factor]:
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


def _feelings(roll: Roll, person: int, matter: int) -> tuple[str, ...]:
    """Four feelings about a matter: the two that somebody can come to, and two of who stands otherwise
    or feels otherwise about the doer. Which ones depends on stage, person and matter alone; () where
    nobody in the stage has the other two."""
    frame = roll.frame
    own = tuple(felt(frame, person, matter, view) for view in VALUES)
    pairs = [tuple(FELT[view, *position] for view in VALUES) for position in _POSITIONS]
    others = [pair for pair in pairs if pair != own and set(pair) <= _felt_in(roll)]
    if not others:
        return ()
    beside = others[_of_place(frame, person, matter) % len(others)]
    return tuple(sorted((*own, *beside)))


def _felt_in(roll: Roll) -> set[str]:
    """All feelings of the story as it is told, and of the one in which the guide says nothing."""
    frame = roll.frame
    silent: Words = (None,) * len(frame.scenes)
    return {
        emotion(roll.scene(scene, words).state.minds, person, matter)
        for words in (roll.told, silent)
        for scene in range(len(frame.scenes))
        for matter, deed in enumerate(frame.matters)
        for person in range(frame.size)
        if person != deed.doer
    }


def _courses(frame: Frame, person: int, matter: int) -> tuple[str, ...]:
    """The four intentions that somebody can come to."""
    return tuple(sorted(one for view in VALUES for one in MEANT[felt(frame, person, matter, view)]))


def _manners(frame: Frame, person: int, matter: int, scene: int) -> tuple[str, ...]:
    """Two manners, the true one among them: nothing that the guide says changes who is there."""
    doer = frame.matters[matter].doer
    there = _at_state(frame, scene)
    if person not in there:
        return ()
    true = manner(frame, person, matter, there)
    others = [one for one in OPEN_MANNERS if one != true]
    beside = others[_of_place(frame, person, doer, scene) % len(others)]
    return tuple(sorted((true, beside)))


def _of_place(frame: Frame, *parts: int) -> int:
    """A number that depends on these parts and the frame alone, the same on any machine."""
    told = repr((frame.people, parts)).encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:4], "big")


def _at_state(frame: Frame, scene: int) -> frozenset[int]:
    """Who is there when the state of a scene is taken: nobody comes or goes after that."""
    return frame.present_at_end(scene)


def _options(
    elsewhere: Elsewhere, factors: Sequence[Factor], truth: Sequence[str], there: Situation
) -> tuple[Option, ...] | None:
    """All combinations, the right one first; None where a wrong value is true nowhere in the stage."""
    words = {there.first: there.word}
    where: dict[tuple[Asked, str], str] = {}
    for one, true in zip(factors, truth, strict=True):
        for other in one.offered:
            if other != true:
                found = elsewhere.of(Claim(one.of, other), there.first, words)
                if found is None:
                    return None
                where[one.of, other] = found
    options = []
    for values in product(*(one.offered for one in factors)):
        claims = tuple(Claim(one.of, each) for one, each in zip(factors, values, strict=True))
        against = tuple(
            where[one.of, one.value] for one in claims if (one.of, one.value) in where
        )
        options.append(Option(claims=claims, against=against))
    return tuple(sorted(options, key=lambda option: bool(option.against)))
