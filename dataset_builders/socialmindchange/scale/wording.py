"""The questions of a stage in words, their options under letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import shuffled
from otherminds.dataset_builders.socialmindchange.asking.question import Option, Question, exchanged
from otherminds.dataset_builders.socialmindchange.cells import LETTERS, STATES, TYPES, MentalState
from otherminds.dataset_builders.socialmindchange.codes.grid import placed
from otherminds.dataset_builders.socialmindchange.codes.text import listed
from otherminds.dataset_builders.socialmindchange.telling import phrasing
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Frame
from otherminds.dataset_builders.socialmindchange.world.roll import Roll
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Claim,
    Emotion,
    Intention,
    Manner,
    Thing,
    View,
    World,
)

_STYLES: Final = 27_720
"""Styles to draw from: a multiple of all small numbers of wordings, so that each is as frequent."""

_ASKED: Final[Mapping[MentalState, type[Emotion] | type[Intention] | type[Manner]]] = {
    "emotion": Emotion,
    "intention": Intention,
    "action": Manner,
}
"""What of a person questions on reasons ask to explain."""


@dataclass(frozen=True)
class Item:
    """A question as it is shown.

    options  the texts, in the order of their letters
    symbols  what they stand for, in the same order
    """

    asked: Question
    question: str
    options: tuple[str, ...]
    symbols: tuple[Option, ...]
    answer: str


class NotUniqueError(ValueError):
    """Not exactly one option of a question is right."""


class SameTextError(ValueError):
    """Two options of a question, or two questions with all their options, read the same."""


def check(roll: Roll, asked: Sequence[Question]) -> None:
    """Raise NotUniqueError unless the first option of each question is right, and no other."""
    for one in asked:
        right = [_is_right(roll, one, option) for option in one.options]
        if right != [True] + [False] * (len(right) - 1):
            raise NotUniqueError(f"{one.asked_json()}: {sum(right)} options are right.")


def items(
    rng: np.random.Generator,
    letters: np.random.Generator,
    frame: Frame,
    lexicon: Lexicon,
    asked: Sequence[Question],
) -> tuple[Item, ...]:
    """The questions in words, by type, mental state, first and second scene. Right letters are even.

    Raises SameTextError.
    """
    order = sorted(
        asked,
        key=lambda one: (TYPES.index(one.type), STATES.index(one.state), one.first, one.second),
    )
    sizes = [len(one.options) for one in order]
    rights = {size: iter(placed(letters, sizes.count(size), size)) for size in sorted(set(sizes))}
    found = tuple(
        _item(rng, letters, frame, lexicon, one, next(rights[len(one.options)])) for one in order
    )
    if len({(one.question, *sorted(one.options)) for one in found}) < len(found):
        raise SameTextError("Two questions with all their options read the same.")
    return found


def _item(
    rng: np.random.Generator,
    letters: np.random.Generator,
    frame: Frame,
    lexicon: Lexicon,
    one: Question,
    right: str,
) -> Item:
    order: list[Option] = shuffled(letters, one.options[1:])
    order.insert(LETTERS.index(right), one.options[0])
    asking, saying = (int(rng.integers(_STYLES)) for _ in range(2))
    texts = tuple(_option(lexicon, frame, one, option, saying) for option in order)
    if len(set(texts)) < len(texts):
        raise SameTextError(f"Two options read the same: {one.asked_json()}")
    return Item(one, _question(lexicon, frame, one, asking), texts, tuple(order), right)


def _option(lexicon: Lexicon, frame: Frame, one: Question, option: Option, style: int) -> str:
    if one.type == "guidance_action":
        return phrasing.word(lexicon, option.word)
    if one.type == "transition_plan":
        return phrasing.plan(lexicon, option.course, style, one.fitting)
    return phrasing.option(lexicon, frame, option.claims, style, (one.second, False))


def _question(lexicon: Lexicon, frame: Frame, one: Question, style: int) -> str:
    when = (one.second, False)
    if one.type == "guidance_action":
        asked = phrasing.guidance_action(lexicon, frame, one.first, one.aim, one.guard, style)
        return " ".join([*_supposed(lexicon, one), asked])
    if one.type == "transition_plan":
        return phrasing.transition_plan(lexicon, frame, one.aim, style)
    assert one.matter is not None
    if one.type == "transition_state":
        people = list(dict.fromkeys(map(_person, one.options[0].claims)))
        return phrasing.transition_state(
            lexicon, one.words, people, [one.matter], when, style, one.fitting
        )
    return phrasing.transition_reason(lexicon, one.words, _explained(one), when, style, one.fitting)


def _supposed(lexicon: Lexicon, one: Question) -> Iterator[str]:
    """What is supposed of earlier scenes, where a question on guidance does."""
    name = lexicon.people[GUIDE].name
    quiet = [f"scene {scene + 1}" for scene, word in sorted(one.words.items()) if word is None]
    if quiet:
        yield f"Suppose that {name} had said nothing to anybody at the end of {listed(quiet)}."
    for scene, word in sorted(one.words.items()):
        if word is not None:
            told = phrasing.word(lexicon, word)
            yield f"Suppose that at the end of scene {scene + 1} it had gone otherwise. {told}"


def _explained(one: Question) -> Thing:
    """What a question on reasons asks to explain."""
    assert one.matter is not None
    if one.state == "belief":
        return View((one.focus,), one.matter)
    return _ASKED[one.state](one.focus, one.matter)


def _person(claim: Claim) -> int:
    what = claim.of.what
    return what.chain[0] if isinstance(what, View) else what.person


def _is_right(roll: Roll, one: Question, option: Option) -> bool:
    if one.type == "transition_plan":
        return _all_hold(World(roll, option.course), one.aim)
    if one.type != "guidance_action":
        return _all_hold(World(roll, exchanged(roll, one.words)), option.claims)
    said = World(roll, exchanged(roll, {**one.words, one.first: option.word}))
    silent = World(roll, exchanged(roll, {**one.words, one.first: None}))
    unnoticed = all(said.value(each) == silent.value(each) for each in one.guard)
    return unnoticed and _all_hold(said, one.aim)


def _all_hold(world: World, claims: Sequence[Claim]) -> bool:
    return all(map(world.holds, claims))
