"""The eighty questions of a stage: five for each of four types and four mental states.

Guidance is asked for five scenes. Of transitions, each type and state has one for every span that the
stage has (for seven scenes, five of the six spans), filled up to five with one from a scene to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from otherminds.dataset_builders.draws import pick, shuffled
from otherminds.dataset_builders.socialmindchange.cells import (
    LETTERS,
    PER_CELL,
    STATES,
    TYPES,
    MentalState,
    QuestionType,
)
from otherminds.dataset_builders.socialmindchange.codes.claims import Asked, Values, reasons
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.factors import factors
from otherminds.dataset_builders.socialmindchange.codes.grid import crossed, placed
from otherminds.dataset_builders.socialmindchange.codes.moves import Reason
from otherminds.dataset_builders.socialmindchange.codes.phrasing import Phrasing, styles
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.codes.text import sentence_case
from otherminds.dataset_builders.socialmindchange.codes.trajectory import Trajectory


@dataclass(frozen=True)
class Item:
    """One question with its options in the order shown.

    claims   what each option claims, by factor
    against  the reasons that speak against each option; none for the right one
    needs    places in the stage's list of the guidance questions that the answer rests on
    """

    asked: Asked
    question: str
    options: tuple[str, ...]
    claims: tuple[Values, ...]
    against: tuple[tuple[Reason, ...], ...]
    answer: str
    needs: tuple[int, ...]


class NotUniqueError(ValueError):
    """Not exactly one option of a question is right."""


def questions(
    texts: np.random.Generator, letters: np.random.Generator, content: Content, stage: Stage
) -> list[Item]:
    """The items of a stage in order: by type, mental state, first and second scene.

    Raises NotUniqueError if the simulator finds another number of right options than one.
    """
    agenda = asked(texts, stage.trajectory)
    guidance = {
        (one.state, one.first): place
        for place, one in enumerate(agenda)
        if one.type == "guidance_action"
    }
    make = partial(_item, texts, letters, content, stage)
    rights = placed(letters, len(agenda))
    items = []
    for one, right in zip(agenda, rights, strict=True):
        needs: tuple[int, ...] = ()
        if one.type != "guidance_action":
            keys = ((one.state, one.first), (one.state, one.second))
            needs = tuple(guidance[key] for key in keys if key in guidance)
        items.append(make(one, right, needs))
    return items


def asked(rng: np.random.Generator, minds: Trajectory) -> list[Asked]:
    """What is asked of a stage, in order."""
    scenes = len(minds.moments)
    agenda: list[Asked] = []
    for kind in TYPES:
        for state in STATES:
            if kind == "guidance_action":
                chosen = sorted(shuffled(rng, range(scenes))[:PER_CELL])
                agenda += [Asked(kind, state, scene, scene) for scene in chosen]
            else:
                agenda += [
                    _transition(kind, state, pair, minds) for pair in sorted(_pairs(rng, scenes))
                ]
    return agenda


def _transition(
    kind: QuestionType, state: MentalState, pair: tuple[int, int], minds: Trajectory
) -> Asked:
    """A question on a transition; on beliefs, with the guess of somebody where there was one."""
    guess = (
        kind == "transition_state"
        and state == "belief"
        and minds.moments[pair[1]].guess is not None
    )
    return Asked(kind, state, *pair, guess)


def _pairs(rng: np.random.Generator, scenes: int) -> list[tuple[int, int]]:
    """Five pairs of scenes: one of each span, more of the shortest where there are fewer spans."""
    spans = shuffled(rng, range(1, scenes))[:PER_CELL]
    spans += [1] * (PER_CELL - len(spans))
    pairs: list[tuple[int, int]] = []
    for span in spans:
        free = [(i, i + span) for i in range(scenes - span) if (i, i + span) not in pairs]
        pairs.append(pick(rng, free))
    return pairs


def _item(
    rng: np.random.Generator,
    letters: np.random.Generator,
    content: Content,
    stage: Stage,
    one: Asked,
    right: str,
    needs: tuple[int, ...],
) -> Item:
    claims = crossed(rng, factors(one, stage.trajectory))
    against = [tuple(reasons(one, claim, stage.trajectory)) for claim in claims]
    if [not found for found in against] != [True] + [False] * (len(claims) - 1):
        raise NotUniqueError(f"{one}: {sum(not found for found in against)} options are right.")
    order: list[int] = shuffled(letters, range(1, len(claims)))
    order.insert(LETTERS.index(right), 0)
    phrasing = Phrasing(content, stage, one, pick(rng, styles()), pick(rng, styles()))
    options = [sentence_case(phrasing.option(claims[place])) for place in order]
    if len(set(options)) != len(options):
        raise NotUniqueError(f"{one}: two options read the same.")
    return Item(
        one,
        phrasing.question(),
        tuple(options),
        tuple(claims[place] for place in order),
        tuple(against[place] for place in order),
        right,
        needs,
    )
