"""A reader that sees only the text of a stage, and knows the rules: are the items answerable?

It finds out each mind from what is said and seen, works out what the right option claims, and looks for
the option that says so. Without the scenes it has to guess, and is no better than chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from otherminds.dataset_builders.draws import pick
from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.dataset_builders.socialmindchange.codes.cast import Person, Setting
from otherminds.dataset_builders.socialmindchange.codes.claims import Asked
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder, Found
from otherminds.dataset_builders.socialmindchange.codes.factors import factors
from otherminds.dataset_builders.socialmindchange.codes.moves import (
    GOALS,
    NORMS,
    SETTINGS,
    Disposition,
    Group,
)
from otherminds.dataset_builders.socialmindchange.codes.phrasing import Phrasing, styles
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.codes.states import (
    AGENCIES,
    CIRCUMSTANCES,
    LEVELS,
    MATTERS,
    Belief,
)
from otherminds.dataset_builders.socialmindchange.codes.text import sentence_case
from otherminds.dataset_builders.socialmindchange.codes.trajectory import (
    BRIDGES,
    TARGET,
    Guess,
    Moment,
    Trajectory,
    Transition,
)

_NOWHERE: Final = Setting("", "", (), (), "", "", ())


class Reader:
    """Reads stages and answers their questions; guesses, by its generator, what it cannot find."""

    def __init__(self, content: Content, decoder: Decoder, rng: np.random.Generator) -> None:
        self._content = content
        self._decoder = decoder
        self._rng = rng

    def read(self, row: Mapping[str, Any], *, blind: bool = False) -> Stage:
        """What a stage looks like to the reader; `blind` is without background and scenes."""
        people = tuple(person(one) for one in row["characters"])
        names = [person.given for person in people]
        background = "" if blind else row["background"]
        group = Group(self._first(self._decoder.within("norm", background), NORMS))
        scenes = [[] if blind else scene["turns"] for scene in row["scenes"]]
        moments = [self._moment(turns, names, group, n) for n, turns in enumerate(scenes)]
        nature = Disposition(
            self._own_goal(background, names[TARGET]),
            self._first(self._decoder.within("face", background), SETTINGS),
        )
        minds = Trajectory((nature,) * len(people), (), tuple(moments))
        return Stage(_NOWHERE, people, minds, (), background, ())

    def answer(self, stage: Stage, question: Mapping[str, Any]) -> str:
        """The letter of the option that says what the reader takes to be true, else of any."""
        first, second = question["first_scene"] - 1, question["second_scene"] - 1
        asked = Asked(
            question["type"], question["mental_state"], first, second, question["third_order"]
        )
        places: dict[str, str] = dict(zip(question["options"], LETTERS, strict=True))
        truth = {factor.name: factor.truth for factor in factors(asked, stage.trajectory)}
        for style in styles():
            told = Phrasing(self._content, stage, asked, style, style).option(truth)
            if (text := sentence_case(told)) in places:
                return places[text]
        return pick(self._rng, LETTERS)

    def _moment(
        self, turns: list[Mapping[str, str]], names: list[str], group: Group, number: int
    ) -> Moment:
        """The minds in a scene, as far as they show; the rest is guessed."""
        spoken: dict[str, list[Found]] = {}
        feelings: dict[str, Found] = {}
        circumstance: Any = None
        bridge: Any = None
        guess: Guess | None = None
        for turn in turns:
            speaker, text = turn["speaker"], turn["text"]
            if speaker:
                spoken.setdefault(speaker, []).extend(self._decoder.spoken(text))
                for found in self._decoder.guessed(text):
                    guess = Guess(
                        names.index(speaker), found.meaning[1], _place(names, found.about)
                    )
                continue
            for found in self._decoder.narrated(text):
                if found.meaning[0] == "gesture":
                    feelings[_who(text, names)] = found
                elif found.meaning[0] == "circumstance":
                    circumstance = found.meaning[1]
                else:
                    bridge = found.meaning[1]
        focus = names[TARGET]
        others = [name for name in spoken if name != focus and _beliefs(spoken[name])]
        other = others[0] if others else pick(self._rng, names[1:])
        return Moment(
            self._belief(spoken.get(focus, []), feelings.get(focus), names, focus),
            names.index(other),
            self._belief(spoken.get(other, []), feelings.get(other), names, other),
            circumstance or pick(self._rng, CIRCUMSTANCES),
            guess or self._guess(names),
            Transition(bridge or pick(self._rng, BRIDGES), 1, True) if number else None,
            group,
        )

    def _belief(
        self, said: list[Found], seen: Found | None, names: list[str], holder: str
    ) -> Belief:
        """A belief from what somebody says, and its agency from what is seen of them or they intend."""
        others = [place for place, name in enumerate(names) if name != holder]
        known = _beliefs(said)
        intended = [found for found in said if found.meaning[0] == "intention"]
        kind = seen or (intended[0] if intended else None)
        if kind is not None:
            _, level, matter, agency = kind.meaning
        else:
            level, agency = pick(self._rng, LEVELS), pick(self._rng, AGENCIES)
            matter = known[0].meaning[2] if known else pick(self._rng, MATTERS)
        if known:
            _, level, matter = known[0].meaning
        about = next((_place(names, one.about) for one in (*known, *intended) if one.about), None)
        return Belief(level, matter, agency, pick(self._rng, others) if about is None else about)

    def _guess(self, names: list[str]) -> Guess:
        return Guess(1, pick(self._rng, MATTERS), int(self._rng.integers(2, len(names))))

    def _own_goal(self, background: str, focus: str) -> Any:
        found = [one for one in self._decoder.within("goal", background) if one.about == focus]
        return self._first(found, GOALS)

    def _first(self, found: list[Found], pool: tuple[Any, ...]) -> Any:
        return found[0].meaning[1] if found else pick(self._rng, pool)


def _beliefs(said: list[Found]) -> list[Found]:
    return [found for found in said if found.meaning[0] == "belief"]


def _place(names: list[str], name: str | None) -> int:
    return names.index(name) if name in names else 0


def _who(text: str, names: list[str]) -> str:
    """Whose gesture is told: the first name in it."""
    places = {name: text.find(name) for name in names if name in text}
    return min(places, key=lambda name: places[name]) if places else ""


def person(row: Mapping[str, Any]) -> Person:
    """A character of a stage, as far as a row tells."""
    surname = row["name"].removeprefix(row["given"]).strip()
    return Person(
        row["given"], surname, row["gender"], row["age"], "", "", "", row["role"], None, "", ()
    )  # fmt: skip
