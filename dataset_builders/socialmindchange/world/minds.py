"""What everybody takes everybody to think, and how words and proofs change it (R0 to R3)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from otherminds.dataset_builders.socialmindchange.world import chains
from otherminds.dataset_builders.socialmindchange.world.chains import Chain, Chains, bits
from otherminds.dataset_builders.socialmindchange.world.frame import (
    GUIDE,
    Frame,
    Show,
    Tell,
    Value,
    Word,
)

Reception: TypeAlias = Literal["credits", "distrusts", "closes_up", "knows"]

RECEPTIONS: Final[tuple[Reception, ...]] = get_args(Reception)


@dataclass
class Minds:
    """The views of all chains of a group, as sets of chains (see `chains.Chains`); lists by matter.

    group     the chains
    good      whose view is `good`
    firm      whose holder has seen proof, as far as the others know
    credited  who credited `ill` and who `good`: for each speaker a set, one behind the other
    out       by whom a speaker is found out: for each speaker a set, one behind the other
    """

    frame: Frame
    group: Chains
    good: list[int]
    firm: list[int]
    credited: list[list[int]]
    out: int
    _moved: dict[Tell, int] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def at_first(cls, frame: Frame) -> Minds:
        """Before anything is said (R0)."""
        group = chains.of_group(frame.size)
        good, firm = [], []
        for matter in frame.matters:
            views = 0
            for one in range(frame.size):
                if one == matter.doer or frame.ties[one][matter.doer] == "warm":
                    views |= group.held[one]
            sure = bits((matter.doer, GUIDE))
            good.append(views | sure if matter.meant == "good" else views & ~sure)
            firm.append(sure)
        return cls(frame, group, good, firm, [[0, 0] for _ in frame.matters], 0)

    def copy(self) -> Minds:
        """The same, to be changed without changing this."""
        credited = [list(one) for one in self.credited]
        good, firm = list(self.good), list(self.firm)
        return Minds(self.frame, self.group, good, firm, credited, self.out, self._moved)

    @property
    def key(self) -> tuple[int, ...]:
        """All that they hold: equal for equal minds."""
        return (*self.good, *self.firm, *itertools.chain.from_iterable(self.credited), self.out)

    def view(self, chain: Chain, matter: int) -> Value:
        """The view of a chain."""
        return "good" if self.good[matter] >> self.group.place[chain] & 1 else "ill"

    def is_firm(self, chain: Chain, matter: int) -> bool:
        """Whether a chain is firm on a matter."""
        return bool(self.firm[matter] >> self.group.place[chain] & 1)

    def has_credited(self, chain: Chain, speaker: int, matter: int, value: Value) -> bool:
        """Whether a chain has credited a word."""
        place = speaker * len(self.group.all) + self.group.place[chain]
        return bool(self.credited[matter][value == "good"] >> place & 1)

    def found_out(self, chain: Chain, speaker: int) -> bool:
        """Whether a speaker is found out by a chain."""
        return bool(self._out(speaker) >> self.group.place[chain] & 1)

    def learned(self, person: int, matter: int) -> bool:
        """Whether somebody has seen proof, or credited a word that says what they hold now (R4)."""
        if self.is_firm((person,), matter):
            return True
        held = self.view((person,), matter)
        place, count = self.group.place[(person,)], len(self.group.all)
        by_anybody = bits(range(place, self.frame.size * count, count))
        return self.credited[matter][held == "good"] & by_anybody != 0

    def hear(self, told: Tell, there: frozenset[int]) -> None:
        """A telling among those who are there (R2)."""
        hearers = there
        if told.setting == "aside":
            assert told.to is not None
            hearers = frozenset((told.speaker, told.to))
        reached = self.group.reached(hearers, told.chance) & ~self.firm[told.matter]
        own = reached & self.group.held[told.speaker] & ~self.group.alone
        moved = reached & self._moves(told)
        self._set(told.matter, own | moved, told.value)
        self._credit(told, moved)

    def hear_round(self, said: Sequence[Tell], there: frozenset[int]) -> None:
        """Tellings of one matter to nobody in particular, in one round without an order (R8).

        Who speaks is not moved by the others, and who cares for people on both sides stays as they were.
        """
        if not said:
            return
        matter = said[0].matter
        reached = self.group.reached(there, None) & ~self.firm[matter]
        speaking = 0
        moving = {"good": 0, "ill": 0}
        for told in said:
            speaking |= self.group.held[told.speaker]
            moving[told.value] |= self._moves(told)
        both = moving["good"] & moving["ill"]
        movable = reached & ~speaking & ~both
        for told in said:
            moved = movable & self._moves(told)
            self._credit(told, moved)
            own = reached & self.group.held[told.speaker] & ~self.group.alone
            self._set(matter, own | moved, told.value)

    def see(self, shown: Show, there: frozenset[int]) -> None:
        """A proof that is shown among those who are there (R3)."""
        matter = shown.matter
        hearers = there if shown.setting == "open" else frozenset((shown.speaker, shown.to))
        meant = self.frame.matters[matter].meant
        reached = self.group.reached(hearers, None)
        self._set(matter, reached, meant)
        self.firm[matter] |= reached
        wrong = self.credited[matter][meant != "good"]
        for speaker in range(self.frame.size):
            self.out |= wrong & reached << speaker * len(self.group.all)

    def reception(self, told: Tell, person: int) -> Reception:
        """How the one it is said to takes it."""
        if self.is_firm((person,), told.matter):
            return "knows"
        if self.found_out((person,), told.speaker) or not believable(self.frame, told, person):
            return "distrusts"
        return "credits" if fits(self.frame, told, person) else "closes_up"

    def _set(self, matter: int, views: int, value: Value) -> None:
        if value == "good":
            self.good[matter] |= views
        else:
            self.good[matter] &= ~views

    def _credit(self, told: Tell, moved: int) -> None:
        shifted = moved << told.speaker * len(self.group.all)
        self.credited[told.matter][told.value == "good"] |= shifted

    def _out(self, speaker: int) -> int:
        """The chains by which a speaker is found out."""
        count = len(self.group.all)
        return self.out >> speaker * count & (1 << count) - 1

    def _moves(self, told: Tell) -> int:
        """The chains that a word moves where it reaches them and they do not know better."""
        if told not in self._moved:
            found = 0
            for holder in range(self.frame.size):
                if moves(self.frame, told, holder):
                    found |= self.group.held[holder]
            self._moved[told] = found
        return self._moved[told] & ~self._out(told.speaker)


def moves(frame: Frame, told: Tell, holder: int) -> bool:
    """Whether a word moves somebody who knows no better and holds nothing against the speaker."""
    if holder == told.speaker:
        return False
    if holder == told.to:
        return believable(frame, told, holder) and fits(frame, told, holder)
    if told.to is None or holder == told.chance:
        return frame.ties[holder][told.speaker] == "warm"
    return False


def believable(frame: Frame, told: Tell, person: int) -> bool:
    """Whether somebody to whom it is said takes the speaker's word, however it is put."""
    tie = frame.ties[person][told.speaker]
    return tie == "warm" or (tie == "plain" and not axe_to_grind(frame, told))


def axe_to_grind(frame: Frame, told: Tell) -> bool:
    """Whether the speaker likes the doer and speaks well of them, or the opposite."""
    doer = frame.matters[told.matter].doer
    tie = "warm" if told.speaker == doer else frame.ties[told.speaker][doer]
    return tie == ("warm" if told.value == "good" else "cold")


def fits(frame: Frame, told: Tell | Word, person: int) -> bool:
    """Whether it is put as somebody can take it."""
    one = frame.people[person]
    return told.tone == one.ear and told.setting == one.face
