"""Frames by chance: who is there, what was done, and what happens scene by scene.

People tell what they hold at that time in the story as it is told, so a frame is drawn scene by scene
with its minds rolled along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Final

import numpy as np

from otherminds.dataset_builders.draws import chance, pick, pick_weighted, shuffled
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    FRIEND,
    GUIDE,
    RIVAL,
    ROLES,
    STAKES,
    TARGET,
    TIES,
    VALUES,
    Enter,
    Face,
    Frame,
    Happening,
    Leave,
    Matter,
    Person,
    Promise,
    Scene,
    Show,
    Stake,
    Tell,
    Tie,
    Value,
    Word,
    looped,
)
from otherminds.dataset_builders.socialmindchange.world.minds import Minds
from otherminds.dataset_builders.socialmindchange.world.roll import (
    happens,
    pass_on,
    speak_up,
    spoken,
)

MATTERS: Final = 3
RIVALS: Final = 2
"""How many of the matters are the rival's; they come first."""

_PRESENT: Final = {TARGET: 0.95, FRIEND: 0.95, RIVAL: 0.33}
_OFTEN: Final = 0.7
_FEWEST: Final = 3
_LEAVES: Final = 0.45
_ENTERS: Final = 0.6
_SHOWS: Final = 0.12
_SHOWS_FIRST: Final = 0.5
_OTHERS_SHOWN: Final = 0.4
_OVERHEARD: Final = 0.3
_ASIDE: Final = 0.5
_SILENT: Final = 0.2
_MISSES: Final = 0.85
"""How often the guide's word in the story as it is told is one that nobody credits: there is to be
something left to say."""

_PROMISES: Final = 3
_PROMISED: Final = 0.4
_UNLIKE: Final = 0.8
_RIVAL_GUIDE: Final = {"plain": 0.6, "warm": 0.2, "cold": 0.2}
_TO_GUIDE: Final = {
    ("plain", "cold"): 0.3,
    ("warm", "cold"): 0.15,
    ("cold", "plain"): 0.15,
    ("cold", "warm"): 0.3,
    ("plain", "plain"): 0.1,
}
"""The ties of target and friend to the guide: as a rule one of them does not care to be told anything by
the guide, and the way to them leads through the other."""

_TARGET_RIVAL: Final = {"cold": 0.4, "plain": 0.2, "warm": 0.4}


@dataclass(frozen=True)
class Pace:
    """How much is said before the guide's word at the end of a scene.

    remarks  the fewest and the most that are told
    natural  whether nobody tells somebody what they were told before or take for true anyway, shows
             proof against themselves or to its doer, or says of a matter what its proof has shown to be
             wrong
    """

    remarks: tuple[int, int]
    natural: bool


DENSE: Final = Pace((2, 4), natural=False)
"""Of the scale edition: much to keep in mind."""

SPARSE: Final = Pace((1, 2), natural=True)
"""For stories that somebody writes. With nine events a scene, and the same word told softly and then
bluntly, there was no room for reasons: two readers rated 28 of 29 such stories below 4 of 5."""


def people(rng: np.random.Generator, names: Sequence[str]) -> tuple[Person, ...]:
    """People of these names, in the order of places, with how a word reaches them."""
    return tuple(
        Person(name, ROLES[place], pick(rng, EARS), pick(rng, FACES))
        for place, name in enumerate(names)
    )


def frame(
    rng: np.random.Generator,
    names: Sequence[str],
    scenes: int,
    cast: tuple[Person, ...] | None = None,
    pace: Pace = DENSE,
) -> Frame:
    """A frame of so many scenes for people of these names, in the order of places.

    `cast` are the people themselves, where they are drawn already.
    """
    size = len(names)
    cast = people(rng, names) if cast is None else cast
    lead = pick(rng, [GUIDE, *range(FRIEND, size)])
    matters = _matters(rng, size, lead)
    found = Frame(
        cast,
        lead,
        _ties(rng, size),
        matters,
        _stakes(rng, size, matters),
        _promises(rng, size, matters),
        (),
    )
    shown: set[int] = set()
    minds = Minds.at_first(found)
    for _ in range(scenes):
        scene = _scene(rng, found, minds, shown, pace)
        found = replace(found, scenes=(*found.scenes, scene))
    return found


def words(frame: Frame, scene: int) -> list[Word]:
    """All words that the guide can say at the end of a scene."""
    return _words(frame, frame.present_at_end(scene))


def _words(frame: Frame, there: frozenset[int]) -> list[Word]:
    people = sorted(there - {GUIDE})
    return [
        word
        for number, matter in enumerate(frame.matters)
        for to in people
        if to != matter.doer
        for word in _ways(number, to)
    ]


@cache
def _ways(matter: int, to: int) -> tuple[Word, ...]:
    """All ways to put a word. There are few, and each is one object: they are looked up often."""
    return tuple(Word(matter, to, setting, tone) for setting in FACES for tone in EARS)


def _ties(rng: np.random.Generator, size: int) -> tuple[tuple[str, ...], ...]:
    pairs = [(one, other) for one in range(size) for other in range(one)]
    ties: dict[tuple[int, int], str] = {pair: pick(rng, TIES) for pair in pairs}
    ties[FRIEND, TARGET] = "warm"
    ties[RIVAL, GUIDE] = pick_weighted(rng, *zip(*_RIVAL_GUIDE.items(), strict=True))
    ties[RIVAL, TARGET] = pick_weighted(rng, *zip(*_TARGET_RIVAL.items(), strict=True))
    # Target and friend as a rule look at the rival with other eyes.
    others: tuple[Tie, ...] = ("plain", "cold") if ties[RIVAL, TARGET] == "warm" else ("warm",)
    if chance(rng, _UNLIKE):
        ties[FRIEND, RIVAL] = pick(rng, others)
    to_guide = pick_weighted(rng, *zip(*_TO_GUIDE.items(), strict=True))
    ties[GUIDE, TARGET], ties[FRIEND, GUIDE] = to_guide
    return tuple(
        tuple("" if i == j else ties[max(i, j), min(i, j)] for j in range(size))
        for i in range(size)
    )


def _matters(rng: np.random.Generator, size: int, lead: int) -> tuple[Matter, ...]:
    """The rival's two, one of them meant well, and one of somebody else."""
    free = [one for one in range(size) if one not in (GUIDE, lead)]
    bearers = [TARGET, pick(rng, [one for one in free if one != RIVAL])]
    found = [
        Matter(RIVAL, bearer, meant)
        for bearer, meant in zip(shuffled(rng, bearers), shuffled(rng, VALUES), strict=True)
    ]
    while len(found) < MATTERS:
        doer = pick(rng, [one for one in free if one != RIVAL])
        bearer = pick(rng, [one for one in free if one != doer])
        found.append(Matter(doer, bearer, pick(rng, VALUES)))
    return tuple(found)


def _stakes(
    rng: np.random.Generator, size: int, matters: tuple[Matter, ...]
) -> tuple[tuple[Stake, ...], ...]:
    """Bearers with themselves; of the others about half with each bearer."""
    columns = []
    for matter in matters:
        others = shuffled(rng, [one for one in range(size) if one != matter.bearer])
        start = int(rng.integers(2))
        found: dict[int, Stake] = {matter.bearer: "with"}
        for place, one in enumerate(others):
            found[one] = STAKES[(start + place) % 2]
        columns.append([found[one] for one in range(size)])
    return tuple(zip(*columns, strict=True))


def _promises(
    rng: np.random.Generator, size: int, matters: tuple[Matter, ...]
) -> tuple[Promise, ...]:
    """A few, none about one's own deed, and none that closes a circle."""
    found: tuple[Promise, ...] = ()
    for _ in range(_PROMISES):
        matter = int(rng.integers(len(matters)))
        by = pick(rng, [one for one in range(size) if one not in (GUIDE, matters[matter].doer)])
        to = pick(rng, [one for one in range(size) if one not in (GUIDE, by)])
        given = (*found, Promise(by, to, matter))
        known = any((one.by, one.matter) == (by, matter) for one in found)
        if chance(rng, _PROMISED) and not known and not looped(given):
            found = given
    return found


def _scene(
    rng: np.random.Generator, frame: Frame, minds: Minds, shown: set[int], pace: Pace
) -> Scene:
    """One more scene of a frame.

    minds  what is thought before it; it is changed to what is thought after it
    shown  the matters that proof has been seen of
    """
    others = [one for one in range(frame.size) if one != GUIDE]
    number = len(frame.scenes)
    around: list[int] = []
    while len(around) < _FEWEST - 1:
        around = [one for one in others if chance(rng, _PRESENT.get(one, _OFTEN))]
    topics = list(range(len(frame.matters)))
    if number:
        topics.remove(frame.scenes[-1].topic)
    present = tuple(sorted((GUIDE, *around)))
    topic = pick(rng, topics) if number else 0
    must_show = not shown and (number == 1 or (number == 0 and chance(rng, _SHOWS_FIRST)))
    there = frozenset(present)
    pass_on(minds, there)
    happenings: list[Happening] = []
    for kind in _course(rng, pace, must_show=must_show):
        one = _happening(rng, kind, frame, minds, there, topic, shown)
        if one is None or (pace.natural and _is_odd(one, frame, happenings, minds, shown)):
            continue
        if isinstance(one, Show):
            shown.add(one.matter)
        there = happens(minds, one, there)
        happenings.append(one)
    speak_up(minds, topic, there)
    word = _word(rng, frame, minds, there)
    if word is not None:
        minds.hear(spoken(frame, word), there)
    return Scene(present, topic, tuple(happenings), word)


def _is_odd(
    one: Happening, frame: Frame, before: Sequence[Happening], minds: Minds, shown: set[int]
) -> bool:
    """Whether nobody would do it who could as well leave it: see `Pace`.

    before  what happened in this scene so far
    """
    if isinstance(one, Show):
        matter = frame.matters[one.matter]
        return matter.doer == one.to or (matter.doer == one.speaker and matter.meant == "ill")
    if not isinstance(one, Tell):
        return False
    wrong = one.matter in shown and one.value != frame.matters[one.matter].meant
    taken = one.to is not None and minds.view((one.to,), one.matter) == one.value
    earlier = chain(*(scene.happenings for scene in frame.scenes), before)
    return wrong or taken or any(_says_the_same(one, other) for other in earlier)


def _says_the_same(one: Tell, other: Happening) -> bool:
    """Whether the same person tells the same to the same."""
    return isinstance(other, Tell) and (one.speaker, one.to, one.matter, one.value) == (
        other.speaker,
        other.to,
        other.matter,
        other.value,
    )


def _word(
    rng: np.random.Generator, frame: Frame, minds: Minds, there: frozenset[int]
) -> Word | None:
    """What the guide says in the story as it is told."""
    possible = _words(frame, there)
    if not possible or chance(rng, _SILENT):
        return None
    missing = [one for one in possible if minds.reception(spoken(frame, one), one.to) != "credits"]
    return pick(rng, missing if missing and chance(rng, _MISSES) else possible)


def _course(rng: np.random.Generator, pace: Pace, must_show: bool) -> list[str]:
    """What kinds of things happen, in order."""
    remarks = int(rng.integers(pace.remarks[0], pace.remarks[1] + 1))
    kinds = ["tell"] * remarks
    if chance(rng, _SHOWS) or must_show:
        kinds.append("show")
    if chance(rng, _LEAVES):
        kinds.append("leave")
    if chance(rng, _ENTERS):
        kinds.append("enter")
    return shuffled(rng, kinds)


def _happening(
    rng: np.random.Generator,
    kind: str,
    frame: Frame,
    minds: Minds,
    there: frozenset[int],
    topic: int,
    shown: set[int],
) -> Happening | None:
    """One of a kind; None where there is nobody for it."""
    around = sorted(there - {GUIDE})
    away = [one for one in range(frame.size) if one not in there]
    if kind == "leave":
        return Leave(pick(rng, around)) if len(around) >= _FEWEST else None
    if kind == "enter":
        return Enter(pick(rng, away)) if away else None
    speakers = around if len(around) >= 2 else []
    matter = topic if chance(rng, 0.6) else int(rng.integers(len(frame.matters)))
    if kind == "show":
        free = [one for one in range(len(frame.matters)) if one not in shown]
        if not speakers or not free:
            return None
        # The rival's deeds stay open longer: most questions are about them.
        matter = free[-1] if chance(rng, _OTHERS_SHOWN) else pick(rng, free)
        speaker = pick(rng, speakers)
        show = Show(speaker, matter, _other(rng, around, speaker), _setting(rng))
        return None if _breaks(frame, show, there) else show
    speakers = [one for one in speakers if set(around) - {one, frame.matters[matter].doer}]
    if not speakers:
        return None
    speaker = pick(rng, speakers)
    others = [one for one in around if one not in (speaker, frame.matters[matter].doer)]
    setting, heard_by = _setting(rng), None
    to = pick(rng, others)
    if setting == "aside" and chance(rng, _OVERHEARD):
        heard_by = pick(rng, [one for one in range(frame.size) if one not in (speaker, to, GUIDE)])
    held = _said(frame, minds, speaker, matter)
    tell = Tell(speaker, matter, held, to, setting, pick(rng, EARS), heard_by)
    return None if _breaks(frame, tell, there) else tell


def _breaks(frame: Frame, one: Tell | Show, there: frozenset[int]) -> bool:
    """Whether it breaks a promise: it is heard by somebody before whom its speaker was to be silent."""
    hears = there if one.setting == "open" else {one.to}
    return any(
        given.by == one.speaker and given.matter == one.matter and given.to in hears
        for given in frame.promises
    )


def _said(frame: Frame, minds: Minds, speaker: int, matter: int) -> Value:
    """What somebody says of a matter: the doer that it was meant well, others what they hold."""
    return "good" if frame.matters[matter].doer == speaker else minds.view((speaker,), matter)


def _other(rng: np.random.Generator, around: Sequence[int], speaker: int) -> int:
    return pick(rng, [one for one in around if one != speaker])


def _setting(rng: np.random.Generator) -> Face:
    return "aside" if chance(rng, _ASIDE) else "open"
