"""Minds as sets of chains are what the rules R0 to R3 and R8 make of each chain by itself.

The rules are written out here once more, chain by chain, in dictionaries and sets of tuples.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.world import chains
from otherminds.dataset_builders.socialmindchange.world.chains import Chain
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    GUIDE,
    TIES,
    VALUES,
    Frame,
    Show,
    Tell,
    Value,
)
from otherminds.dataset_builders.socialmindchange.world.minds import RECEPTIONS, Minds, Reception
from tests.helpers.socialmindchange_worlds import drawn, shaken

MOST_EVENTS: Final = 30

Round: TypeAlias = tuple[Tell, ...]
Event: TypeAlias = tuple[Tell | Show | Round, frozenset[int]]
"""What is told, shown or said in a round, and who is there."""


def every_chain(size: int) -> list[Chain]:
    return [
        chain
        for length in (1, 2, 3)
        for chain in product(range(size), repeat=length)
        if all(one != other for one, other in pairwise(chain))
    ]


@dataclass
class Plain:
    """The same as `Minds`, one chain after the other.

    views     by chain and matter
    firm      chain and matter
    credited  chain, speaker, matter and value
    out       chain and speaker
    """

    frame: Frame
    views: dict[tuple[Chain, int], Value] = field(default_factory=dict)
    firm: set[tuple[Chain, int]] = field(default_factory=set)
    credited: set[tuple[Chain, int, int, Value]] = field(default_factory=set)
    out: set[tuple[Chain, int]] = field(default_factory=set)

    @classmethod
    def at_first(cls, frame: Frame) -> Plain:
        """R0."""
        found = cls(frame)
        for number, matter in enumerate(frame.matters):
            for chain in every_chain(frame.size):
                holder = chain[-1]
                likes = holder == matter.doer or frame.ties[holder][matter.doer] == "warm"
                found.views[chain, number] = "good" if likes else "ill"
                if chain in ((matter.doer,), (GUIDE,)):
                    found.views[chain, number] = matter.meant
                    found.firm.add((chain, number))
        return found

    def reached(self, one: Tell | Show, there: frozenset[int]) -> Iterator[Chain]:
        """R1."""
        hearers = there if one.setting == "open" else {one.speaker, one.to}
        unseen = one.chance if isinstance(one, Tell) else None
        for chain in every_chain(self.frame.size):
            first, *others = chain
            if (first in hearers or first == unseen) and all(who in hearers for who in others):
                yield chain

    def hear(self, told: Tell, there: frozenset[int]) -> None:
        """R2."""
        for chain in self.reached(told, there):
            if (chain, told.matter) in self.firm:
                continue
            if chain[-1] == told.speaker:
                # R2.1: people are taken at their word, but nobody talks themselves into anything.
                if len(chain) > 1:
                    self.views[chain, told.matter] = told.value
            elif self.moves(told, chain):
                self.views[chain, told.matter] = told.value
                self.credited.add((chain, told.speaker, told.matter, told.value))

    def hear_round(self, said: Round, there: frozenset[int]) -> None:
        """R8."""
        own = {told.speaker: told for told in said}
        for chain in every_chain(self.frame.size):
            matter, holder = said[0].matter, chain[-1]
            if not there.issuperset(chain) or (chain, matter) in self.firm:
                continue
            if holder in own:
                if len(chain) > 1:
                    self.views[chain, matter] = own[holder].value
                continue
            moving = [told for told in said if self.moves(told, chain)]
            if len({told.value for told in moving}) != 1:
                continue
            for told in moving:
                self.views[chain, matter] = told.value
                self.credited.add((chain, told.speaker, matter, told.value))

    def see(self, shown: Show, there: frozenset[int]) -> None:
        """R3."""
        meant = self.frame.matters[shown.matter].meant
        for chain in self.reached(shown, there):
            self.views[chain, shown.matter] = meant
            self.firm.add((chain, shown.matter))
            self.out |= {
                (chain, speaker)
                for credits, speaker, matter, value in self.credited
                if credits == chain and matter == shown.matter and value != meant
            }

    def happen(self, one: Tell | Show | Round, there: frozenset[int]) -> None:
        if isinstance(one, Tell):
            self.hear(one, there)
        elif isinstance(one, Show):
            self.see(one, there)
        else:
            self.hear_round(one, there)

    def moves(self, told: Tell, chain: Chain) -> bool:
        holder = chain[-1]
        if (chain, told.speaker) in self.out:
            return False
        if holder == told.to:
            return self.believes(told, holder) and self.suits(told, holder)
        by_the_way = told.to is None or holder == told.chance
        return by_the_way and self.frame.ties[holder][told.speaker] == "warm"

    def believes(self, told: Tell, person: int) -> bool:
        tie = self.frame.ties[person][told.speaker]
        if tie != "plain":
            return tie == "warm"
        doer = self.frame.matters[told.matter].doer
        if told.speaker == doer:
            return told.value == "ill"
        praises_friend = (self.frame.ties[told.speaker][doer], told.value) == ("warm", "good")
        runs_down_enemy = (self.frame.ties[told.speaker][doer], told.value) == ("cold", "ill")
        return not praises_friend and not runs_down_enemy

    def suits(self, told: Tell, person: int) -> bool:
        one = self.frame.people[person]
        return (told.tone, told.setting) == (one.ear, one.face)

    def reception(self, told: Tell, person: int) -> Reception:
        if ((person,), told.matter) in self.firm:
            return "knows"
        if ((person,), told.speaker) in self.out or not self.believes(told, person):
            return "distrusts"
        return "credits" if self.suits(told, person) else "closes_up"

    def learned(self, person: int, matter: int) -> bool:
        """R4."""
        held = self.views[(person,), matter]
        return ((person,), matter) in self.firm or any(
            ((person,), speaker, matter, held) in self.credited
            for speaker in range(self.frame.size)
        )


def plain(minds: Minds) -> Plain:
    """What sets of chains say, one chain after the other."""
    frame = minds.frame
    every, people, matters = every_chain(frame.size), range(frame.size), range(len(frame.matters))
    return Plain(
        frame,
        {(chain, matter): minds.view(chain, matter) for chain in every for matter in matters},
        {(chain, matter) for chain in every for matter in matters if minds.is_firm(chain, matter)},
        {
            (chain, speaker, matter, value)
            for chain, speaker, matter, value in product(every, people, matters, VALUES)
            if minds.has_credited(chain, speaker, matter, value)
        },
        {(chain, one) for chain in every for one in people if minds.found_out(chain, one)},
    )


def happen(minds: Minds, one: Tell | Show | Round, there: frozenset[int]) -> None:
    if isinstance(one, Tell):
        minds.hear(one, there)
    elif isinstance(one, Show):
        minds.see(one, there)
    else:
        minds.hear_round(one, there)


def any_frame(seed: int) -> Frame:
    """A frame of four to six people, whose ties are as stages have them or not."""
    size = 4 + seed % 3
    return (shaken if seed % 2 else drawn)(seed, size=size, scenes=2)


def any_two(rng: random.Random, there: Sequence[int]) -> tuple[int, int]:
    """Often the same two: else hardly anybody speaks again to somebody by whom they are found out."""
    if rng.random() < 0.5:
        return max(there), min(there)
    one, other = rng.sample(there, 2)
    return one, other


def any_tell(rng: random.Random, frame: Frame, there: Sequence[int]) -> Tell:
    """Rather often as the other can take it, so that there is something to find out."""
    speaker, to = any_two(rng, there)
    matter, value = rng.randrange(len(frame.matters)), rng.choice(VALUES)
    one = frame.people[to]
    kind = rng.random()
    if kind < 0.2:
        return Tell(speaker, matter, value, None, "open", rng.choice(EARS))
    setting, tone = one.face, one.ear
    if kind < 0.4:
        setting, tone = rng.choice(FACES), rng.choice(EARS)
    chance = None
    if setting == "aside" and rng.random() < 0.5:
        chance = rng.choice([who for who in range(frame.size) if who not in (speaker, to)])
    return Tell(speaker, matter, value, to, setting, tone, chance)


def any_event(rng: random.Random, frame: Frame) -> Event:
    there = rng.sample(range(frame.size), rng.randint(2, frame.size))
    kind = rng.random()
    if kind < 0.2:
        to, speaker = sorted(any_two(rng, there))
        shown = Show(speaker, rng.randrange(len(frame.matters)), to, rng.choice(FACES))
        return shown, frozenset(there)
    if kind < 0.45:
        matter = rng.randrange(len(frame.matters))
        speakers = rng.sample(there, rng.randint(1, len(there)))
        said = tuple(
            Tell(one, matter, rng.choice(VALUES), None, "open", "plain") for one in speakers
        )
        return said, frozenset(there)
    return any_tell(rng, frame, there), frozenset(there)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_sets_of_chains_name_every_chain_once(size: int) -> None:
    group = chains.of_group(size)
    assert sorted(group.all) == sorted(every_chain(size))
    assert [group.place[chain] for chain in group.all] == [*range(len(group.all))]
    for who in range(size):
        ending = {chain for chain in group.all if group.held[who] >> group.place[chain] & 1}
        assert ending == {chain for chain in every_chain(size) if chain[-1] == who}
    assert {chain for chain in group.all if group.alone >> group.place[chain] & 1} == {
        (who,) for who in range(size)
    }


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, MOST_EVENTS))
def test_sets_of_chains_are_as_chains_one_by_one(seed: int, count: int) -> None:
    """After any number of events: so a wrong view is also seen before a later word puts it right."""
    frame, rng = any_frame(seed), random.Random(f"events {seed}")
    minds, wanted = Minds.at_first(frame), Plain.at_first(frame)
    earlier: list[tuple[Minds, tuple[int, ...]]] = []
    for _ in range(count):
        event = any_event(rng, frame)
        earlier.append((minds, minds.key))
        minds = minds.copy()
        happen(minds, *event)
        wanted.happen(*event)
    assert plain(minds) == wanted
    for one, key in earlier:
        assert one.key == key, "A copy was changed, and that from which it was made with it."
    told = any_tell(rng, frame, range(frame.size))
    for person in set(range(frame.size)) - {told.speaker}:
        assert minds.reception(told, person) == wanted.reception(told, person)
    for person, matter in product(range(frame.size), range(len(frame.matters))):
        assert minds.learned(person, matter) == wanted.learned(person, matter)


def test_random_events_meet_all_that_can_become_of_minds() -> None:
    """Else the comparison would say little."""
    receptions: set[Reception] = set()
    ties: set[str] = set()
    disbelieved = silenced = 0
    for seed in range(60):
        frame, rng = any_frame(seed), random.Random(f"events {seed}")
        minds = Plain.at_first(frame)
        for _ in range(MOST_EVENTS):
            one, there = any_event(rng, frame)
            if isinstance(one, Tell) and one.to is not None:
                receptions.add(minds.reception(one, one.to))
                ties.add(frame.ties[one.to][one.speaker])
            if isinstance(one, Tell):
                honest = Plain(frame, minds.views, minds.firm, minds.credited)
                disbelieved += any(
                    honest.moves(one, chain) and not minds.moves(one, chain)
                    for chain in minds.reached(one, there)
                    if (chain, one.matter) not in minds.firm
                )
            if isinstance(one, tuple):
                silenced += any(
                    len({told.value for told in one if minds.moves(told, (who,))}) > 1
                    for who in there - {told.speaker for told in one}
                )
            minds.happen(one, there)
    assert receptions == set(RECEPTIONS)
    assert ties == set(TIES)
    assert disbelieved > 5
    assert silenced > 5


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, MOST_EVENTS))
def test_the_key_tells_all_minds_apart(seed: int, count: int) -> None:
    """Worlds with equal keys are rolled once: whatever differs in one chain must show in the key."""
    frame, rng = any_frame(seed), random.Random(f"events {seed}")
    minds = Minds.at_first(frame)
    for _ in range(count):
        happen(minds, *any_event(rng, frame))
    assert minds.copy().key == minds.key
    size, matter = len(minds.group.all), rng.randrange(len(frame.matters))
    place, speaker = rng.randrange(size), rng.randrange(frame.size)
    one, at = 1 << place, 1 << speaker * size + place
    others = [minds.copy() for _ in range(5)]
    others[0].good[matter] ^= one
    others[1].firm[matter] ^= one
    others[2].credited[matter][0] ^= at
    others[3].credited[matter][1] ^= at
    others[4].out ^= at
    keys = {other.key for other in (minds, *others)}
    assert len(keys) == 6
    assert len({len(key) for key in keys}) == 1, "Keys of different shapes could be mistaken."
