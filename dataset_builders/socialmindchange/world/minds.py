"""What everybody takes everybody to think, and how words and proofs change it (R0 to R3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from otherminds.dataset_builders.socialmindchange.world import chains
from otherminds.dataset_builders.socialmindchange.world.chains import Chain, Chains
from otherminds.dataset_builders.socialmindchange.world.frame import (
    GUIDE,
    Frame,
    Show,
    Tell,
    Value,
)

Reception: TypeAlias = Literal["credits", "distrusts", "closes_up", "knows"]

RECEPTIONS: Final[tuple[Reception, ...]] = get_args(Reception)


@dataclass
class Minds:
    """The views of all chains of a group; lists by matter, in them by the number of a chain.

    group     the chains
    good      whether the view is `good`
    firm      whether the holder has seen proof, as far as the others know
    credited  the speakers who were credited with `ill` and with `good`, as bits
    out       by chain, the speakers that are found out, as bits
    """

    frame: Frame
    group: Chains
    good: list[list[bool]]
    firm: list[list[bool]]
    credited: list[tuple[list[int], list[int]]]
    out: list[int]

    @classmethod
    def at_first(cls, frame: Frame) -> Minds:
        """Before anything is said (R0)."""
        group = chains.of_group(frame.size)
        good, firm = [], []
        for matter in frame.matters:
            likes = [
                one == matter.doer or frame.ties[one][matter.doer] == "warm"
                for one in range(frame.size)
            ]
            views = [likes[holder] for holder in group.holders]
            sure = [False] * len(views)
            for one in (matter.doer, GUIDE):
                views[group.place[one,]] = matter.meant == "good"
                sure[group.place[one,]] = True
            good.append(views)
            firm.append(sure)
        count = len(group.all)
        nobody = [([0] * count, [0] * count) for _ in frame.matters]
        return cls(frame, group, good, firm, nobody, [0] * count)

    def copy(self, *, about: int | None = None) -> Minds:
        """The same, to be changed without changing this: in all matters, or by words about one."""
        if about is None:
            return Minds(
                self.frame,
                self.group,
                [list(one) for one in self.good],
                [list(one) for one in self.firm],
                [(list(ill), list(good)) for ill, good in self.credited],
                list(self.out),
            )
        good, credited = list(self.good), list(self.credited)
        good[about] = list(good[about])
        credited[about] = (list(credited[about][0]), list(credited[about][1]))
        return Minds(self.frame, self.group, good, self.firm, credited, self.out)

    def view(self, chain: Chain, matter: int) -> Value:
        """The view of a chain."""
        place = self.group.place[chain]
        return "good" if self.good[matter][place] else "ill"

    def is_firm(self, chain: Chain, matter: int) -> bool:
        """Whether a chain is firm on a matter."""
        return self.firm[matter][self.group.place[chain]]

    def learned(self, person: int, matter: int) -> bool:
        """Whether somebody has seen proof, or credited a word that says what they hold now (R4)."""
        place = self.group.place[person,]
        return (
            self.firm[matter][place] or self.credited[matter][self.good[matter][place]][place] != 0
        )

    def hear(self, told: Tell, there: frozenset[int]) -> None:
        """A telling among those who are there (R2)."""
        frame, matter, speaker = self.frame, told.matter, told.speaker
        says_good, bit = told.value == "good", 1 << told.speaker
        hearers = there
        if told.setting == "aside":
            assert told.to is not None
            hearers = frozenset((speaker, told.to))
        good, firm, out = self.good[matter], self.firm[matter], self.out
        credited = self.credited[matter][says_good]
        moved = [self._moves(told, holder) for holder in range(frame.size)]
        for place, holder in self.group.reached(hearers, told.chance):
            if holder == speaker:
                # The numbers of people alone come first.
                if place >= frame.size and not firm[place]:
                    good[place] = says_good
            elif moved[holder] and not firm[place] and not out[place] & bit:
                good[place] = says_good
                credited[place] |= bit

    def hear_round(self, said: Sequence[Tell], there: frozenset[int]) -> None:
        """Tellings of one matter to nobody in particular, in one round without an order (R8).

        Who speaks is not moved by the others, and who cares for people on both sides stays as they were.
        """
        if not said:
            return
        frame, matter = self.frame, said[0].matter
        own = {told.speaker: told for told in said}
        good, firm, out = self.good[matter], self.firm[matter], self.out
        for place, holder in self.group.reached(there, None):
            if firm[place]:
                continue
            if holder in own:
                if place >= frame.size:
                    good[place] = own[holder].value == "good"
                continue
            moving = [
                told
                for told in said
                if self._moves(told, holder) and not out[place] & 1 << told.speaker
            ]
            if len({told.value for told in moving}) == 1:
                good[place] = moving[0].value == "good"
                for told in moving:
                    self.credited[matter][good[place]][place] |= 1 << told.speaker

    def see(self, shown: Show, there: frozenset[int]) -> None:
        """A proof that is shown among those who are there (R3)."""
        matter = shown.matter
        hearers = there if shown.setting == "open" else frozenset((shown.speaker, shown.to))
        meant_good = self.frame.matters[matter].meant == "good"
        wrong = self.credited[matter][not meant_good]
        for place, _ in self.group.reached(hearers, None):
            self.good[matter][place] = meant_good
            self.firm[matter][place] = True
            self.out[place] |= wrong[place]

    def reception(self, told: Tell, person: int) -> Reception:
        """How the one it is said to takes it."""
        place = self.group.place[person,]
        if self.firm[told.matter][place]:
            return "knows"
        if self.out[place] >> told.speaker & 1 or not believable(self.frame, told, person):
            return "distrusts"
        return "credits" if fits(self.frame, told, person) else "closes_up"

    def _moves(self, told: Tell, holder: int) -> bool:
        """Whether a word moves somebody who knows no better and holds nothing against the speaker."""
        if holder == told.speaker:
            return False
        if holder == told.to:
            return believable(self.frame, told, holder) and fits(self.frame, told, holder)
        if told.to is None or holder == told.chance:
            return self.frame.ties[holder][told.speaker] == "warm"
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


def fits(frame: Frame, told: Tell, person: int) -> bool:
    """Whether it is put as somebody can take it."""
    one = frame.people[person]
    return told.tone == one.ear and told.setting == one.face
