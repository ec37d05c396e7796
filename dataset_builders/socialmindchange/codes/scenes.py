"""Telling a trajectory: a background, and scenes in which minds show and are not named.

What has to show of a mind in a scene shows in a fixed place of the telling: a belief and an intention
in what somebody says when the person it is about is out of hearing, a feeling in what is seen of them,
an action at the end. Everything around it is talk about the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, shuffled
from otherminds.dataset_builders.socialmindchange.codes.cast import Person, Setting
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.states import Belief
from otherminds.dataset_builders.socialmindchange.codes.text import listed, sentence_case, write
from otherminds.dataset_builders.socialmindchange.codes.trajectory import (
    GUIDE,
    TARGET,
    Guess,
    Moment,
    Trajectory,
    Transition,
)
from otherminds.dataset_builders.socialmindchange.codes.voices import lowered, voiced

_WORK_ROLES = {"guide": "guide", "rival": "rival", "friend": "friend"}
_LEAST_WORK_TALK = 2
_DASH = " \u2014 "


@dataclass(frozen=True)
class Turn:
    """Something said by a speaker, or narrated (no speaker)."""

    speaker: str
    text: str


@dataclass(frozen=True)
class Stage:
    """One stage, told: who and where, the minds, the background and the scenes."""

    setting: Setting
    people: tuple[Person, ...]
    trajectory: Trajectory
    profile: tuple[str, ...]
    background: str
    scenes: tuple[tuple[Turn, ...], ...]


def tell(
    rng: np.random.Generator,
    content: Content,
    setting: Setting,
    people: tuple[Person, ...],
    trajectory: Trajectory,
) -> Stage:
    """The stage with its text."""
    teller = Teller(rng, content, setting, people, trajectory)
    profile = tuple(teller.profile(place) for place in range(len(people)))
    background = teller.background()
    scenes = tuple(tuple(teller.scene(number)) for number in range(len(trajectory.moments)))
    return Stage(setting, people, trajectory, profile, background, scenes)


class Teller:
    """Tells one stage; uses no line of a content file twice in it while there are others."""

    def __init__(
        self,
        rng: np.random.Generator,
        content: Content,
        setting: Setting,
        people: tuple[Person, ...],
        trajectory: Trajectory,
    ) -> None:
        self.rng = rng
        self.content = content
        self.setting = setting
        self.people = people
        self.trajectory = trajectory
        self._names = [person.given for person in people]
        self._used: set[str] = set()
        self._habitual: set[int] = set()

    def profile(self, place: int) -> str:
        """One line on who somebody is."""
        person, focus = self.people[place], self.people[TARGET]
        role = self.content.background.roles.get(person.role, "is the one whose story this is")
        facts = f"{person.age}, {person.occupation}, {person.schooling}, {person.mbti}"
        ties = [person.relation.text] if person.relation else []
        told = listed([*ties, role.format(t=focus.given)])
        return f"{person.name} ({facts}) {told}."

    def background(self) -> str:
        """What is told before the scenes, in four short paragraphs' worth of sentences."""
        texts, minds = self.content.background, self.trajectory
        focus = self.people[TARGET]
        lines = [
            self._line(texts.group, {**self._common(), "names": listed(self._names)}),
            self._line(texts.norms[minds.moments[0].group.norm], {}),
        ]
        aims = [
            self._line(
                texts.goals[minds.dispositions[place].goal],
                {"p": person.given, **person.pronouns()},
            )
            for place, person in enumerate(self.people)
        ]
        lines += shuffled(self.rng, aims)
        lines.append(
            self._line(texts.face[minds.focus.face], {"t": focus.given, **focus.pronouns()})
        )
        return " ".join(lines)

    def scene(self, number: int) -> list[Turn]:
        """One scene."""
        moment = self.trajectory.moments[number]
        things = self._things(number)
        self._habitual.clear()
        turns = [self._opening(number)]
        if moment.before is not None:
            turns.append(self._bridge(number, moment.before))
        listener = self._listener(moment.belief, TARGET)
        other_listener = self._listener(moment.other, moment.counterpart)
        speaking = {TARGET, listener, moment.counterpart}
        turns += self._work(speaking, things)
        talks = [
            self._other_aside(moment, other_listener, things),
            self._focus_aside(moment, listener, things),
        ]
        if moment.guess is not None:
            talks.append(self._guessing(moment.guess))
        for talk in shuffled(self.rng, talks):
            turns += talk
        turns += self._acting(moment, things)
        return turns

    def _opening(self, number: int) -> Turn:
        lines = self.content.frame.openings.later if number else self.content.frame.openings.first
        slots = {**self._common(number), "t": self._names[TARGET], "names": listed(self._names)}
        return Turn("", self._line(lines, slots))

    def _bridge(self, number: int, before: Transition) -> Turn:
        """How the matter of the scene before was dealt with."""
        last = self.trajectory.moments[number - 1]
        texts = self.content.frame.bridges[before.bridge]
        if not before.helped:
            lines = texts.worse
        else:
            lines = texts.helped if last.belief.level == "troubled" else texts.kept
        slots = {
            **self._about(TARGET, last.belief.about),
            "agent": self.people[before.agent].given,
            "thing": self._things(number - 1)[0],
        }
        return Turn("", self._line(lines, slots))

    def _work(self, speaking: set[int], things: Sequence[str]) -> list[Turn]:
        """Talk about the work: everybody who would have nothing else to say, the guide first."""
        silent = [place for place in range(len(self.people)) if place not in speaking]
        more = [place for place in speaking if place not in (TARGET, GUIDE)]
        while len(silent) < _LEAST_WORK_TALK and more:
            silent.append(more.pop(int(self.rng.integers(len(more)))))
        order = sorted(shuffled(self.rng, silent), key=lambda place: place != GUIDE)
        turns = []
        for count, place in enumerate(order):
            others = [name for name in self._names if name != self._names[place]]
            role = _WORK_ROLES.get(self.people[place].role, "others")
            slots = {
                **self._common(),
                "item": things[2 + count % (len(things) - 2)],
                "other": pick(self.rng, others),
            }
            talk = pick(self.rng, self.content.frame.work[role])
            turns.append(self._said(place, self._joined(slots, talk.first, talk.then)))
        return turns

    def _other_aside(self, moment: Moment, listener: int, things: Sequence[str]) -> list[Turn]:
        place, belief = moment.counterpart, moment.other
        slots = {**self._about(place, belief.about), **self._common(), "thing": things[1]}
        return [
            self._apart(place, listener, belief.about),
            self._said(place, self._line(self._beliefs(belief), slots)),
            Turn("", self._line(self._gestures(belief), slots)),
        ]

    def _focus_aside(self, moment: Moment, listener: int, things: Sequence[str]) -> list[Turn]:
        asides, belief = self.content.frame.asides, moment.belief
        slots = {**self._about(TARGET, belief.about), **self._common(), "thing": things[0]}
        intentions = self.content.intentions[belief.level][belief.matter][belief.agency]
        asked = {**slots, "item": things[0]}
        return [
            self._apart(TARGET, listener, belief.about),
            self._asked(listener, asked, asides.noticing, asides.asking),
            self._said(TARGET, self._line(self._beliefs(belief), slots)),
            Turn("", self._line(self._gestures(belief), slots)),
            self._asked(listener, asked, asides.hearing, asides.wondering),
            self._said(TARGET, self._line(intentions, slots)),
        ]

    def _guessing(self, guess: Guess) -> list[Turn]:
        listeners = [
            place
            for place in range(len(self.people))
            if place not in (TARGET, guess.by, guess.about)
        ]
        about = self.people[guess.about]
        slots = {**self._about(TARGET, guess.about), **self._common(), "y": about.given}
        texts = self.content.frame.guesses
        lead, claim = self._line(texts.leads, slots), self._line(texts.on(guess.matter), slots)
        line = f"{lead} {lowered(claim, self._names)}."
        return [
            self._apart(guess.by, pick(self.rng, listeners), TARGET),
            self._said(guess.by, line),
        ]

    def _acting(self, moment: Moment, things: Sequence[str]) -> list[Turn]:
        belief, way = moment.belief, self.content.ways[moment.circumstance]
        texts = self.content.acts[belief.level][belief.matter][belief.agency]
        slots = {**self._about(TARGET, belief.about), **self._common(), "thing": things[0]}
        seen = Turn("", self._line(way.seen, slots))
        if not way.saying:
            return [seen, Turn("", self._line(texts.deeds, slots))]
        words = self._line(texts.words, slots)
        moving, saying = self._line(way.moving, slots), self._line(way.saying, slots)
        return [seen, Turn("", f'{moving} {lowered(saying, self._names)}: "{words}"')]

    def _apart(self, speaker: int, listener: int, gone: int) -> Turn:
        """How two people get to talk while somebody is out of hearing."""
        asides = self.content.frame.asides
        slots = {
            **self._common(),
            "p": self._names[speaker],
            "z": self._names[listener],
            "gone": self._names[gone],
        }
        leaving, joining = self._line(asides.leaving, slots), self._line(asides.joining, slots)
        return Turn("", f"{leaving}, and {lowered(joining, self._names)}.")

    def _asked(self, place: int, slots: Mapping[str, str], *banks: Sequence[str]) -> Turn:
        """A question of two clauses, one of each bank."""
        return self._said(place, self._joined(slots, *banks, by=_DASH), habit=False)

    def _joined(self, slots: Mapping[str, str], *banks: Sequence[str], by: str = ", ") -> str:
        """A sentence of two clauses, one of each bank."""
        first, second = (self._line(bank, slots) for bank in banks)
        return f"{first}{by}{lowered(second, self._names)}"

    def _listener(self, belief: Belief, speaker: int) -> int:
        """Whom somebody talks to about somebody else: often the guide."""
        others = [
            place
            for place in range(len(self.people))
            if place not in (TARGET, speaker, belief.about)
        ]
        return GUIDE if GUIDE in others and chance(self.rng, 0.5) else pick(self.rng, others)

    def _said(self, place: int, text: str, *, habit: bool = True) -> Turn:
        """What somebody says, with a habit of speech once in a scene at most."""
        person = self.people[place]
        habit = habit and place not in self._habitual
        after = self.content.voices[person.register].after if habit else ()
        said = voiced(self.rng, person, text, self._names, after)
        if said.startswith(person.habits):
            self._habitual.add(place)
        return Turn(person.given, said)

    def _beliefs(self, belief: Belief) -> Sequence[str]:
        return self.content.beliefs[belief.level][belief.matter]

    def _gestures(self, belief: Belief) -> Sequence[str]:
        return self.content.gestures[belief.level][belief.matter][belief.agency]

    def _things(self, number: int) -> list[str]:
        """The piece of work of the person in focus in a scene, that of the other, and the rest."""
        things = self.setting.things
        return [things[(number + step) % len(things)] for step in (0, 3, 4, 5, 6)]

    def _about(self, speaker: int, about: int) -> dict[str, str]:
        """The slots for a speaker ({t}, {he} …) and somebody spoken of ({x}, {xhe} …)."""
        person, other = self.people[speaker], self.people[about]
        return {
            "t": person.given,
            "x": other.given,
            **person.pronouns(),
            **other.pronouns("x"),
        }

    def _common(self, number: int = 0) -> dict[str, str]:
        setting = self.setting
        return {
            "place": setting.place,
            "project": setting.project,
            "when": setting.when,
            "seen": setting.seen[number % len(setting.seen)],
            "corner": pick(self.rng, setting.corners),
        }

    def _line(self, lines: Sequence[str], slots: Mapping[str, str]) -> str:
        """One of the lines that were not used in this stage, in one of its wordings."""
        fresh = [line for line in lines if line not in self._used] or lines
        line = pick(self.rng, fresh)
        self._used.add(line)
        return sentence_case(write(self.rng, line, slots))
