"""The simulator of SocialMindChange 2: its rules, worked out by hand, and what follows for any world.

The small cast: 0 Tom (target; gentle, aside), 1 Gus (guide), 2 Rita (rival), 3 Ada (friend; gentle,
open), 4 Lena (lead; plain, aside). Unless a test says otherwise everybody is plain to everybody, Tom and
Ada are warm, and everybody stands with the bearer; Rita did matters 0 (meant well) and 1 (meant ill) to
Tom, and Ada did matter 2 (meant ill) to him. Scenes have topic 1, so that R8 leaves matter 0 alone.
"""

from __future__ import annotations

import copy
import re
import timeit
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations
from typing import Any, Final, NamedTuple, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange.evaluator import Evaluator
from otherminds.dataset_builders.socialmindchange.world import chains, conduct, draw
from otherminds.dataset_builders.socialmindchange.world.chains import Chain
from otherminds.dataset_builders.socialmindchange.world.frame import (
    EARS,
    FACES,
    FRIEND,
    GUIDE,
    TARGET,
    Ear,
    Enter,
    Face,
    Frame,
    FrameError,
    Happening,
    Leave,
    Matter,
    Person,
    Promise,
    Scene,
    Show,
    Stake,
    Tell,
    Value,
    Word,
    check,
    looped,
)
from otherminds.dataset_builders.socialmindchange.world.minds import Minds
from otherminds.dataset_builders.socialmindchange.world.roll import Moment, Roll, Words, spoken
from tests.helpers.socialmindchange_worlds import any_words, drawn, shaken

TOM, GUS, RITA, ADA, LENA = range(5)
EVERYBODY: Final = (TOM, GUS, RITA, ADA, LENA)
OTHER: Final[Mapping[Value, Value]] = {"good": "ill", "ill": "good"}
SAYS: Final[Mapping[str, Value]] = {
    "accuse": "ill", "press": "ill", "feed": "ill", "stir": "ill",
    "thank": "good", "plead": "good", "set_right": "good", "cover": "good",
}  # fmt: skip


def story(
    *scenes: Scene,
    ties: Mapping[tuple[int, int], str] | None = None,
    bearer: int = TOM,
    against: Iterable[int] = (),
    promises: tuple[Promise, ...] = (),
) -> Frame:
    """The small cast; ties by pair, and who is against the bearer of matter 0."""
    tie = [["" if one == other else "plain" for other in range(5)] for one in range(5)]
    for (one, other), kind in {(TOM, ADA): "warm", **(ties or {})}.items():
        tie[one][other] = tie[other][one] = kind
    stakes: list[tuple[Stake, ...]] = [
        ("against" if one in against else "with", "with", "with") for one in range(5)
    ]
    return Frame(
        (
            Person("Tom", "target", "gentle", "aside"),
            Person("Gus", "guide", "plain", "open"),
            Person("Rita", "rival", "plain", "open"),
            Person("Ada", "friend", "gentle", "open"),
            Person("Lena", "bystander", "plain", "aside"),
        ),
        LENA,
        tuple(map(tuple, tie)),
        (Matter(RITA, bearer, "good"), Matter(RITA, TOM, "ill"), Matter(ADA, TOM, "ill")),
        tuple(stakes),
        promises,
        scenes,
    )


def scene(
    *happenings: Happening,
    present: tuple[int, ...] = EVERYBODY,
    topic: int = 1,
    word: Word | None = None,
) -> Scene:
    return Scene(present, topic, happenings, word)


def to_tom(speaker: int, value: Value, matter: int = 0, chance: int | None = None) -> Tell:
    """A telling that Tom can take."""
    return Tell(speaker, matter, value, TOM, "aside", "gentle", chance)


def at(frame: Frame, number: int = 1, close: bool = False) -> Minds:
    """The minds in a scene, counted from 1, or at its close."""
    check(frame)
    roll = Roll(frame)
    if close:
        return roll.close(number - 1, roll.told).minds
    return roll.scene(number - 1, roll.told).state.minds


def views(found: Minds, *of: Chain, matter: int = 0) -> list[Value]:
    return [found.view(chain, matter) for chain in of]


# The rules, by hand


def test_first_impressions() -> None:
    found = at(story(scene(), ties={(LENA, RITA): "warm"}))
    # R0. Lena, warm to Rita: good. Tom and Ada are plain: ill. Rita and Gus know: good.
    assert views(found, (LENA,), (TOM,), (ADA,), (RITA,), (GUS,)) == [
        "good", "ill", "ill", "good", "good",
    ]  # fmt: skip
    # The last of a chain counts. The doer is warm to themselves; Gus is plain, and not seen to know.
    assert views(found, (TOM, LENA), (LENA, TOM), (TOM, RITA), (TOM, GUS)) == [
        "good", "ill", "good", "ill",
    ]  # fmt: skip
    # Matter 1 was meant ill: Rita knows, others expect her to think well of herself.
    assert views(found, (RITA,), (TOM, RITA), (RITA, TOM, RITA), matter=1) == [
        "ill", "good", "good",
    ]  # fmt: skip
    firm = [chain for chain in chains.of_group(5).all if found.is_firm(chain, 0)]
    assert firm == [(GUS,), (RITA,)]


def test_who_hears_what() -> None:
    # R1. Ada to Tom aside, overheard by Lena, who is warm to Ada. R2: Tom is warm to Ada, gentle, aside.
    frame = story(scene(to_tom(ADA, "good", chance=LENA)), ties={(LENA, ADA): "warm"})
    found = at(frame)
    assert views(found, (TOM,), (ADA, TOM), (TOM, ADA), (TOM, ADA, TOM)) == ["good"] * 4
    assert views(found, (LENA,), (LENA, TOM), (LENA, TOM, ADA)) == ["good"] * 3
    # Nobody saw Lena; Rita heard nothing; Ada's own view stays (R2.1).
    assert views(found, (TOM, LENA), (LENA, ADA, LENA), (RITA, TOM), (ADA,)) == ["ill"] * 4


@pytest.mark.parametrize(
    ("tie", "to_doer", "value", "moved"),
    [
        ("warm", "warm", "good", True),  # friends are believed
        ("plain", "warm", "good", False),  # an axe to grind
        ("plain", "plain", "good", True),
        ("plain", "cold", "good", True),
        ("plain", "cold", "ill", False),  # an axe to grind
        ("plain", "plain", "ill", True),
        ("plain", "warm", "ill", True),
        ("cold", "plain", "good", False),  # enemies are not
        ("cold", "warm", "ill", False),
    ],
)
def test_who_is_believed(tie: str, to_doer: str, value: Value, moved: bool) -> None:
    # Tom begins with the opposite: ill if he is plain to Rita, good if he is warm.
    tom = "warm" if value == "ill" else "plain"
    ties = {(TOM, LENA): tie, (LENA, RITA): to_doer, (TOM, RITA): tom}
    found = at(story(scene(to_tom(LENA, value)), ties=ties))
    assert views(found, (TOM,)) == [value if moved else OTHER[value]]
    # He takes her at her word about what she thinks (R2.1).
    assert views(found, (TOM, LENA)) == [value]
    credited = {who for who in EVERYBODY if found.has_credited((TOM,), who, 0, value)}
    assert credited == ({LENA} if moved else set())


def test_doers_who_speak_of_themselves() -> None:
    # Tom is plain to Rita. Well of herself: an axe to grind. Ill: none; he had credited Ada's good.
    assert views(at(story(scene(to_tom(RITA, "good")))), (TOM,)) == ["ill"]
    assert views(at(story(scene(to_tom(ADA, "good"), to_tom(RITA, "ill")))), (TOM,)) == ["ill"]
    assert views(at(story(scene(to_tom(ADA, "good")))), (TOM,)) == ["good"]


@pytest.mark.parametrize("setting", FACES)
@pytest.mark.parametrize("tone", EARS)
def test_how_it_is_taken(setting: Face, tone: Ear) -> None:
    # Tom takes a gentle word aside. Ada stands by, warm to Lena: it is not for her (R2).
    told = Tell(LENA, 0, "good", TOM, setting, tone)
    found = at(story(scene(told), ties={(ADA, LENA): "warm"}))
    fits = (setting, tone) == ("aside", "gentle")
    assert views(found, (TOM,), (ADA,)) == ["good" if fits else "ill", "ill"]
    # Said to nobody, it moves Ada, and not Tom, who is plain to Lena.
    found = at(story(scene(replace(told, to=None, setting="open")), ties={(ADA, LENA): "warm"}))
    assert views(found, (ADA,), (TOM, ADA), (TOM,)) == ["good", "good", "ill"]


def test_proof_and_who_is_found_out() -> None:
    # R3. Tom credits Ada's ill (which he held anyway); Rita shows him it was good: Ada is found out.
    lie, later = to_tom(ADA, "ill"), to_tom(ADA, "good", matter=1)
    found = at(story(scene(lie, Show(RITA, 0, TOM, "aside"), later)))
    assert views(found, (TOM,), (RITA, TOM), (TOM, RITA), (LENA, TOM)) == [
        "good", "good", "good", "ill",
    ]  # fmt: skip
    assert found.is_firm((TOM,), 0)
    assert not found.is_firm((ADA, TOM), 0)
    # He does not believe her in matter 1. She, who did not see the proof, expects that he does (gentle,
    # aside, warm), and so does he of her: (Tom, Ada, Tom) did not see him see it.
    assert views(found, (TOM,), (ADA, TOM), (TOM, ADA, TOM), matter=1) == ["ill", "good", "good"]
    # Lena, who told him right, he believes still: plain, and no axe to grind.
    right, more = to_tom(LENA, "good"), to_tom(LENA, "good", matter=1)
    found = at(story(scene(right, Show(RITA, 0, TOM, "aside"), more)))
    assert views(found, (TOM,), matter=1) == ["good"]
    # Without the lie he believes Ada; and a firm chain does not take a speaker at their word (R2.1).
    found = at(
        story(scene(Show(RITA, 0, TOM, "open"), later, Tell(TOM, 0, "ill", None, "open", "plain")))
    )
    assert views(found, (TOM,), matter=1) == ["good"]
    assert views(found, (ADA, TOM), (TOM, ADA, TOM)) == ["good", "good"]


def test_friends_set_each_other_right() -> None:
    # R4. Ada sees the proof without Tom; she tells him when they meet, aside and gently.
    learns = scene(Show(LENA, 0, ADA, "aside"), present=(GUS, RITA, ADA, LENA))
    frame = story(learns, scene())
    roll = Roll(frame)
    assert roll.scene(1, roll.told).passed == (Tell(ADA, 0, "good", TOM, "aside", "gentle"),)
    assert views(at(frame, 2), (TOM,), (ADA, TOM), (LENA, TOM)) == ["good", "good", "ill"]
    # Not if she promised Lena, who is there; nor what she only expects; nor where they do not meet.
    for other in (
        story(learns, scene(), promises=(Promise(ADA, LENA, 0),)),
        story(scene(), scene(), ties={(ADA, RITA): "warm"}),
        story(learns, scene(Enter(TOM), present=(GUS, ADA, LENA))),
    ):
        check(other)
        passed = Roll(other).scene(1, Roll(other).told).passed
        assert not [told for told in passed if told.matter == 0]


def test_the_friend_comes_first() -> None:
    # R4. Tom credits Lena's ill aside; Ada (warm to Rita, gentle, open) Gus's good while Tom is out.
    # Each takes the other to think otherwise. Ada speaks first; Tom, moved, has nothing more to say.
    frame = story(
        scene(to_tom(LENA, "ill"), Leave(TOM), Tell(GUS, 0, "good", ADA, "open", "gentle")),
        scene(),
        ties={(ADA, RITA): "warm"},
    )
    found = at(frame)
    assert views(found, (TOM,), (TOM, ADA), (ADA,), (ADA, TOM)) == ["ill", "good", "good", "ill"]
    assert [found.learned(who, 0) for who in (TOM, ADA, LENA)] == [True, True, False]
    passed = Roll(frame).scene(1, (None, None)).passed
    assert [told for told in passed if told.matter == 0] == [to_tom(ADA, "good")]
    assert views(at(frame, 2), (TOM,), (ADA,)) == ["good", "good"]


@pytest.mark.parametrize(
    ("value", "tie", "stands", "feels", "backed", "alone"),
    [
        ("ill", "warm", "with", "hurt", "ask", "withdraw"),
        ("ill", "plain", "with", "anger", "accuse", "gather"),
        ("ill", "warm", "against", "embarrassment", "make_up", "cover"),
        ("ill", "cold", "against", "glee", "press", "feed"),
        ("good", "warm", "with", "gratitude", "thank", "plead"),
        ("good", "cold", "with", "relief", "carry_on", "set_right"),
        ("good", "warm", "against", "envy", "ask_same", "play_down"),
        ("good", "plain", "against", "annoyance", "give_way", "stir"),
    ],
)
def test_feelings_and_intentions(
    value: Value, tie: str, stands: str, feels: str, backed: str, alone: str
) -> None:
    # R5, R6. Ada, to whom Rita did it, tells Tom, who believes her. Lena says aloud what she makes of
    # it: Tom, plain to her, is not moved, but knows whether he has her behind him.
    for says, means in ((value, backed), (OTHER[value], alone)):
        aloud = Tell(LENA, 0, says, None, "open", "plain")
        found = at(
            story(
                scene(to_tom(ADA, value), aloud),
                ties={(TOM, RITA): tie},
                bearer=ADA,
                against=[TOM] if stands == "against" else [],
            )
        )
        assert conduct.emotion(found, TOM, 0) == feels
        assert conduct.backed(found, TOM, 0) == (means == backed)
        assert conduct.intention(found, TOM, 0) == means
        # R8: what he says of it, if it is the topic.
        played = Roll(replace(found.frame, scenes=(replace(found.frame.scenes[0], topic=0),)))
        said = {act.person: act.says for act in played.scene(0, (None,)).acts}[TOM]
        assert (said and said.value) == SAYS.get(means)


def test_the_lead_is_backed_by_the_bearer() -> None:
    # R6. (Lena), (Lena, Tom): ill, so she accuses. Tom says good; plain to him, she stays with ill, and
    # thinks to be alone.
    assert conduct.intention(at(story(scene())), LENA, 0) == "accuse"
    said = Tell(TOM, 0, "good", None, "open", "plain")
    assert conduct.intention(at(story(scene(said))), LENA, 0) == "gather"
    with pytest.raises(ValueError, match="did matter 0"):
        conduct.intention(at(story(scene())), RITA, 0)


@pytest.mark.parametrize(
    ("person", "there", "manner"),
    [
        (ADA, (GUS, RITA, ADA, LENA), "held"),  # promised Lena
        (ADA, (GUS, RITA, ADA), "face"),
        (TOM, (TOM, GUS, RITA, LENA), "before_lead"),
        (TOM, (TOM, GUS, LENA), "to_lead"),
        (TOM, (TOM, GUS, ADA), "behind"),
        (LENA, (GUS, RITA, LENA), "face"),  # for the lead, the lead counts as not present
        (LENA, (GUS, LENA), "behind"),
    ],
)
def test_manners(person: int, there: tuple[int, ...], manner: str) -> None:
    frame = story(scene(), promises=(Promise(ADA, LENA, 0),))
    assert conduct.manner(frame, person, 0, frozenset(there)) == manner


def test_some_actions_speak() -> None:
    # R8. Ada, warm to Rita, holds good; she takes Lena to hold ill, so she pleads (gratitude, alone).
    # Tom and Lena are angry and backed: accuse.
    frame = story(scene(topic=0), ties={(ADA, RITA): "warm"})
    acts = Roll(frame).scene(0, (None,)).acts
    assert [(act.person, act.intention, act.manner) for act in acts] == [
        (TOM, "accuse", "before_lead"), (ADA, "plead", "before_lead"), (LENA, "accuse", "face"),
    ]  # fmt: skip
    # Tom and Ada are warm to each other, but speak in the same round: neither moves the other.
    assert views(at(frame), (TOM,), (ADA,), (LENA,)) == ["ill", "good", "ill"]
    assert views(at(frame, close=True), (TOM,), (ADA,), (LENA,)) == ["ill", "good", "ill"]
    # All heard what each stands for.
    assert views(at(frame, close=True), (TOM, ADA), (ADA, TOM), (LENA, ADA)) == [
        "good", "ill", "good",
    ]  # fmt: skip
    # Whom a promise holds says nothing, and is moved as any hearer: Ada by Tom, to whom she is warm.
    held = story(scene(topic=0), ties={(ADA, RITA): "warm"}, promises=(Promise(ADA, RITA, 0),))
    assert views(at(held, close=True), (TOM,), (ADA,)) == ["ill", "ill"]


def in_a_round(
    *happenings: Happening,
    ties: Mapping[tuple[int, int], str] | None = None,
    against: Iterable[int] = (LENA,),
) -> Frame:
    """Tom, whom a promise to Rita holds, hears what Ada and Lena say of matter 0, both warm to him.

    Ada, warm to Rita, holds good. If she takes Lena to hold ill she pleads, and otherwise thanks: good
    either way. Lena, plain to Rita and against the bearer, presses or feeds the talk: ill either way.
    """
    return story(
        scene(*happenings, topic=0),
        ties={(ADA, RITA): "warm", (TOM, LENA): "warm", **(ties or {})},
        against=against,
        promises=(Promise(TOM, RITA, 0),),
    )


def said_in(frame: Frame) -> list[tuple[int, Value]]:
    acts = Roll(frame).scene(0, (None,)).acts
    return [(act.person, act.says.value) for act in acts if act.says is not None]


def credited_by(found: Minds, chain: Chain, value: Value) -> set[int]:
    """Whose word that matter 0 was meant so a chain has credited."""
    return {who for who in range(5) if found.has_credited(chain, who, 0, value)}


@pytest.mark.parametrize(("to_rita", "stays"), [("plain", "ill"), ("warm", "good")])
def test_who_has_friends_on_both_sides_stays_as_they_were(to_rita: str, stays: Value) -> None:
    # R0: Tom holds ill if he is plain to Rita, good if he is warm. Whatever the order: as before.
    frame = in_a_round(ties={(TOM, RITA): to_rita})
    assert said_in(frame) == [(ADA, "good"), (LENA, "ill")]
    found = at(frame, close=True)
    assert views(found, (TOM,), (LENA, TOM), (TOM, ADA, TOM)) == [stays] * 3
    assert not credited_by(found, (TOM,), "good") | credited_by(found, (TOM,), "ill")
    # He knows what the two stand for.
    assert views(found, (TOM, ADA), (TOM, LENA)) == ["good", "ill"]


@pytest.mark.parametrize("tie", ["plain", "cold"])
def test_only_those_who_would_move_somebody_can_contradict(tie: str) -> None:
    # Tom does not care for what Lena says to nobody (R2). So Ada alone would move him, and does.
    frame = in_a_round(ties={(TOM, LENA): tie})
    assert said_in(frame) == [(ADA, "good"), (LENA, "ill")]
    found = at(frame, close=True)
    assert views(found, (TOM,), (RITA, TOM)) == ["good", "good"]
    assert credited_by(found, (TOM,), "good") == {ADA}
    assert not credited_by(found, (TOM,), "ill")


def test_friends_who_say_the_same_are_all_credited() -> None:
    # Lena, warm to Rita and with the bearer: gratitude, so she thanks or pleads, and says good as Ada.
    frame = in_a_round(ties={(LENA, RITA): "warm"}, against=())
    assert said_in(frame) == [(ADA, "good"), (LENA, "good")]
    found = at(frame, close=True)
    assert views(found, (TOM,), (ADA, TOM)) == ["good", "good"]
    assert credited_by(found, (TOM,), "good") == {ADA, LENA}


def test_who_speaks_in_a_round_is_not_moved_by_the_others() -> None:
    # Ada and Lena are warm to each other, too, and say opposite things. Each stays, and credits nothing.
    frame = in_a_round(ties={(ADA, LENA): "warm"})
    assert said_in(frame) == [(ADA, "good"), (LENA, "ill")]
    found = at(frame, close=True)
    assert views(found, (ADA,), (LENA,), (ADA, LENA), (LENA, ADA)) == ["good", "ill", "ill", "good"]
    for one in (ADA, LENA):
        assert not credited_by(found, (one,), "good") | credited_by(found, (one,), "ill")


def test_who_was_found_out_contradicts_nobody() -> None:
    # Lena tells Tom aside that matter 1 was meant well, and he credits it (warm); Rita shows him that
    # it was not. So Ada alone would move him. She heard none of it, and takes him to stay as he was.
    lie = to_tom(LENA, "good", matter=1)
    frame = in_a_round(lie, Show(RITA, 1, TOM, "aside"))
    assert said_in(frame) == [(ADA, "good"), (LENA, "ill")]
    assert views(at(frame, close=True), (TOM,), (ADA, TOM)) == ["good", "ill"]


def test_who_has_seen_proof_is_not_moved_by_a_round() -> None:
    # Tom has seen that it was good, and Ada with him; nobody else has. Ada is silent, held as he is.
    frame = in_a_round(Show(RITA, 0, TOM, "aside"))
    found = at(replace(frame, promises=(*frame.promises, Promise(ADA, RITA, 0))), close=True)
    # Lena alone speaks. Ada, plain to Lena, stays; of Tom, who is warm to her, she expects ill.
    assert views(found, (TOM,), (ADA, TOM), (ADA,)) == ["good", "ill", "good"]


def test_the_guides_word() -> None:
    # R9. Gus tells Tom what was meant (plain, no axe to grind, gentle, aside): Tom credits it.
    frame = story(scene(word=Word(0, TOM, "aside", "gentle")))
    assert views(at(frame), (TOM,), (TOM, GUS)) == ["ill", "ill"]
    assert views(at(frame, close=True), (TOM,), (TOM, GUS), (ADA, TOM)) == ["good", "good", "ill"]
    last = at(frame)
    told = Tell(GUS, 0, "good", TOM, "aside", "gentle")
    assert spoken(frame, Word(0, TOM, "aside", "gentle")) == told
    assert last.reception(told, TOM) == "credits"
    assert last.reception(replace(told, tone="plain"), TOM) == "closes_up"
    cold = at(story(scene(), ties={(TOM, GUS): "cold"}))
    assert cold.reception(replace(told, tone="plain"), TOM) == "distrusts"
    knows = at(story(scene(Show(RITA, 0, TOM, "open")), ties={(TOM, GUS): "cold"}))
    assert knows.reception(told, TOM) == "knows"


# What follows for any world

Event: TypeAlias = tuple[Tell | Show, frozenset[int]]
"""What is told or shown, and who is there."""


class Step(NamedTuple):
    """What leads from one moment to the next: one after the other, or in one round (R8)."""

    before: Minds
    events: Sequence[Event]
    after: Minds
    in_round: bool = False


worlds = st.tuples(st.integers(0, 2**32), st.booleans()).map(
    lambda drawn_by: (shaken if drawn_by[1] else drawn)(drawn_by[0])
)


def steps(frame: Frame, words: Words, roll: Roll | None = None) -> list[Step]:
    """Each moment of a world, what is told and shown after it, and the next moment."""
    found: list[Step] = []
    roll, before = roll or Roll(frame), Minds.at_first(frame)
    for number, one in enumerate(frame.scenes):
        played, there = roll.scene(number, words), frozenset(one.present)
        events: list[Event] = [(told, there) for told in played.passed]
        for happening in one.happenings:
            if isinstance(happening, Leave):
                there -= {happening.who}
            elif isinstance(happening, Enter):
                there |= {happening.who}
            else:
                events.append((happening, there))
        assert there == played.state.there == played.last.there == frame.present_at_end(number)
        found.append(Step(before, events, played.state.minds))
        spoke = [(act.says, there) for act in played.acts if act.says is not None]
        found.append(Step(played.state.minds, spoke, played.last.minds, in_round=True))
        word, close = words[number], roll.close(number, words)
        said: list[Event] = [] if word is None else [(spoken(frame, word), there)]
        found.append(Step(played.last.minds, said, close.minds))
        before = close.minds
    return found


def reaches(event: Event, chain: Chain) -> bool:
    """R1, as it stands on the page."""
    one, there = event
    if one.setting == "aside":
        there = frozenset(who for who in (one.speaker, one.to) if who is not None)
    chance = one.chance if isinstance(one, Tell) else None
    return (chain[0] in there or chain[0] == chance) and all(who in there for who in chain[1:])


def of_chain(found: Minds, speakers: int, chain: Chain) -> int:
    """What a chain has in sets of chains of which there is one for each speaker."""
    group = chains.of_group(found.frame.size)
    count = len(group.all)
    every = chains.bits(speaker * count for speaker in range(found.frame.size))
    return speakers >> group.place[chain] & every


def held(found: Minds, chain: Chain, matter: int) -> tuple[Value, bool, int, int]:
    """View, firmness and credited words of a chain."""
    ill, good = (of_chain(found, one, chain) for one in found.credited[matter])
    return found.view(chain, matter), found.is_firm(chain, matter), ill, good


@settings(max_examples=40)
@given(worlds, st.integers(0, 2**32))
def test_no_belief_without_a_witnessed_cause(frame: Frame, seed: int) -> None:
    every = chains.of_group(frame.size)
    for before, events, after, _ in steps(frame, any_words(frame, seed)):
        for chain in every.all:
            reached = [one for one, there in events if reaches((one, there), chain)]
            for matter in range(len(frame.matters)):
                about = [one for one in reached if one.matter == matter]
                if held(before, chain, matter) == held(after, chain, matter):
                    continue
                assert about, f"{chain} changed on {matter} without having heard anything of it."
                values = {
                    one.value if isinstance(one, Tell) else frame.matters[matter].meant
                    for one in about
                }
                if before.view(chain, matter) != after.view(chain, matter):
                    assert after.view(chain, matter) in values
                if before.is_firm(chain, matter) != after.is_firm(chain, matter):
                    assert any(isinstance(one, Show) for one in about)
            out, still = (of_chain(found, found.out, chain) for found in (before, after))
            if out != still:
                assert any(isinstance(one, Show) for one in reached)
                assert out & ~still == 0, "It is for good."


@given(worlds, st.integers(0, 2**32))
def test_who_is_firm_is_right_and_seen_to_be_so(frame: Frame, seed: int) -> None:
    """Firm chains hold what was meant; who thinks of somebody that they have seen it has seen it, too.

    So a friend who takes the other to be firm thinks as they do, and has nothing to set right (R4).
    """
    for _, _, after, _ in steps(frame, any_words(frame, seed)):
        for matter, deed in enumerate(frame.matters):
            for chain in chains.of_group(frame.size).all:
                if after.is_firm(chain, matter):
                    assert after.view(chain, matter) == deed.meant
                    assert all(after.is_firm((who,), matter) for who in chain)


def one_by_one(before: Minds, events: Iterable[Event]) -> Minds:
    found = before.copy()
    for one, there in events:
        if isinstance(one, Tell):
            found.hear(one, there)
        else:
            found.see(one, there)
    return found


def after_a_round(before: Minds, said: Sequence[Event]) -> Minds:
    """R8, from what each word alone would do to those who have credited nothing yet."""
    found = before.copy()
    if not said:
        return found
    new = before.copy()
    matter = said[0][0].matter
    new.credited[matter] = [0, 0]
    alone = {one.speaker: one_by_one(new, [(one, there)]) for one, there in said}
    count = len(found.group.all)
    for place, chain in enumerate(found.group.all):
        if chain[-1] in alone:
            # Who speaks is known to stand for what they say, and not moved by the others.
            found._set(matter, 1 << place, alone[chain[-1]].view(chain, matter))
            continue
        moved: dict[Value, list[int]] = {
            value: [
                who for who, then in alone.items() if then.has_credited(chain, who, matter, value)
            ]
            for value in OTHER
        }
        for value, other in OTHER.items():
            if moved[value] and not moved[other]:
                found._set(matter, 1 << place, value)
                for who in moved[value]:
                    found.credited[matter][value == "good"] |= 1 << who * count + place
    return found


@given(worlds, st.integers(0, 2**32))
def test_moments_follow_from_what_happened(frame: Frame, seed: int) -> None:
    """What is told and shown leads from each moment to the next, and nothing else; all carries over."""
    for before, events, after, in_round in steps(frame, any_words(frame, seed)):
        assert (after_a_round if in_round else one_by_one)(before, events) == after


@given(worlds, st.integers(0, 2**32))
def test_a_round_has_no_order(frame: Frame, seed: int) -> None:
    for before, events, after, in_round in steps(frame, any_words(frame, seed)):
        if in_round and len(events) > 1:
            said = [one for one, _ in events if isinstance(one, Tell)]
            for other in permutations(said) if len(said) < 4 else (said[::-1], said[1:] + said[:1]):
                found = before.copy()
                found.hear_round(other, events[0][1])
                assert found == after


@given(worlds)
def test_nothing_changes_where_nothing_happens(frame: Frame) -> None:
    """A scene of the guide alone begins and ends as the one before ended, and so does one more."""
    quiet = Scene((GUIDE,), 0, (), None)
    roll = Roll(replace(frame, scenes=(*frame.scenes, quiet, quiet)))
    last = roll.close(len(frame.scenes) - 1, roll.told).minds
    for number in (len(frame.scenes), len(frame.scenes) + 1):
        played = roll.scene(number, roll.told)
        assert not played.acts
        assert not played.passed
        assert (
            last == played.state.minds == played.last.minds == roll.close(number, roll.told).minds
        )


@given(worlds, st.integers(0, 2**32), st.integers(0, 4))
def test_a_word_without_content_does_nothing(frame: Frame, seed: int, number: int) -> None:
    """Silence in place of a word is as a story without it; and a word changes what R2 lets it change."""
    number %= len(frame.scenes)
    words = any_words(frame, seed)
    silent = (*words[:number], None, *words[number + 1 :])
    told = replace(
        frame,
        scenes=tuple(
            replace(one, word=word) for one, word in zip(frame.scenes, silent, strict=True)
        ),
    )
    exchanged, without = Roll(frame), Roll(told)
    for at_scene in range(len(frame.scenes)):
        one, other = exchanged.scene(at_scene, silent), without.scene(at_scene, without.told)
        assert one.passed == other.passed
        assert one.acts == other.acts
        for first, second in (
            (one.state, other.state),
            (one.last, other.last),
            (exchanged.close(at_scene, silent), without.close(at_scene, without.told)),
        ):
            assert minds_of(first) == minds_of(second)
            assert doings(first) == doings(second)
    # Before the word all is as with it.
    assert exchanged.scene(number, words) == exchanged.scene(number, silent)
    assert exchanged.close(number, silent).minds == exchanged.scene(number, silent).last.minds
    word = words[number]
    if word is None:
        return
    said, unsaid = exchanged.close(number, words), exchanged.close(number, silent)
    heard = (spoken(frame, word), said.there)
    for chain in chains.of_group(frame.size).all:
        for matter in range(len(frame.matters)):
            if held(said.minds, chain, matter) != held(unsaid.minds, chain, matter):
                assert matter == word.matter
                assert reaches(heard, chain)
                # Only of whom it is said to and of the guide is anything else thought.
                assert chain[-1] in (word.to, GUIDE)
                assert said.minds.view(chain, matter) == frame.matters[matter].meant


def minds_of(moment: Moment) -> tuple[Any, ...]:
    found = moment.minds
    return moment.there, found.good, found.firm, found.credited, found.out


def doings(moment: Moment) -> list[tuple[str, ...]]:
    """What everybody feels, means to do, and does."""
    frame = moment.minds.frame
    return [
        (
            conduct.emotion(moment.minds, person, number),
            conduct.intention(moment.minds, person, number),
            conduct.manner(frame, person, number, moment.there) if person in moment.there else "",
        )
        for number, matter in enumerate(frame.matters)
        for person in range(frame.size)
        if person != matter.doer
    ]


@given(worlds, st.lists(st.integers(0, 2**32), min_size=2, max_size=4))
def test_rolling_is_repeatable_and_leaves_what_was_rolled(frame: Frame, seeds: list[int]) -> None:
    roll = Roll(frame)
    numbers = range(len(frame.scenes))
    before = [copy.deepcopy((roll.scene(n, roll.told), roll.close(n, roll.told))) for n in numbers]
    for seed in seeds:
        words = any_words(frame, seed)
        fresh = Roll(frame)
        # Later scenes first, and without what was rolled before.
        for number in reversed(numbers):
            assert fresh.close(number, words) == roll.close(number, words)
            assert fresh.scene(number, words) == roll.scene(number, words)
    assert before == [(roll.scene(n, roll.told), roll.close(n, roll.told)) for n in numbers]
    assert roll.scene(0, roll.told) is roll.scene(0, roll.told)
    assert Minds.at_first(frame) == Minds.at_first(frame)


# As others spoke in the story


def heard_and_done(roll: Roll, number: int, words: Words) -> tuple[Any, ...]:
    """A scene with all that is thought in it, up to its close."""
    played, close = roll.scene(number, words), roll.close(number, words)
    moments = (played.state, played.last, close)
    return played.passed, played.acts, *map(minds_of, moments)


@given(worlds, st.integers(0, 2**32))
def test_as_told_people_say_what_they_say_in_the_story(frame: Frame, seed: int) -> None:
    """Whatever the guide says: and what they say, shown proofs and the guide are heard as ever."""
    words, roll = any_words(frame, seed), Roll(frame)
    for number in range(len(frame.scenes)):
        played, story = (each.scene(number, w) for each, w in (
            (roll.as_told, words), (roll, roll.told),
        ))  # fmt: skip
        assert played.passed == story.passed
        assert played.acts == story.acts
        assert played.last.there == story.last.there
    for before, events, after, in_round in steps(frame, words, roll.as_told):
        found = before.copy()
        if not in_round:
            found = one_by_one(before, events)
        elif events:
            found.hear_round([one for one, _ in events if isinstance(one, Tell)], events[0][1])
        assert found.key == after.key


@given(worlds)
def test_as_told_nothing_differs_after_the_words_of_the_story(frame: Frame) -> None:
    roll = Roll(frame)
    assert roll.as_told.told == roll.told
    for number in range(len(frame.scenes)):
        there = heard_and_done(roll.as_told, number, roll.told)
        assert there == heard_and_done(roll, number, roll.told)
    assert roll.as_told is roll.as_told


def test_as_told_some_worlds_differ() -> None:
    """Both in what people say and in what is thought because of it."""
    says_else = thinks_else = same = 0
    for seed in range(200):
        frame = shaken(seed)
        words, roll = any_words(frame, seed), Roll(frame)
        scenes = range(len(frame.scenes))
        pairs = [(roll.scene(one, words), roll.as_told.scene(one, words)) for one in scenes]
        says_else += any((one.passed, one.acts) != (two.passed, two.acts) for one, two in pairs)
        thinks_else += any(one.last.minds.key != two.last.minds.key for one, two in pairs)
        same += all(one.last.minds.key == two.last.minds.key for one, two in pairs)
    assert says_else > 5
    assert thinks_else > 5
    assert same > 5


def test_as_told_a_friend_still_passes_on_what_she_had_no_need_to() -> None:
    # R4. Ada credits Gus's word at the end of scene 1 and tells Tom in scene 2. If Gus says nothing she
    # has nothing to tell; as told she tells it nevertheless, and Tom, her friend, credits it.
    word = Word(0, ADA, "open", "gentle")
    frame = story(scene(present=(GUS, RITA, ADA, LENA), word=word), scene())
    roll, silent = Roll(frame), (None, None)
    told = Tell(ADA, 0, "good", TOM, "aside", "gentle")
    assert told in roll.scene(1, roll.told).passed
    assert told not in roll.scene(1, silent).passed
    assert told in roll.as_told.scene(1, silent).passed
    assert views(roll.scene(1, silent).state.minds, (TOM,), (ADA,), (TOM, ADA)) == ["ill"] * 3
    # She says what she does not hold herself.
    assert views(roll.as_told.scene(1, silent).state.minds, (TOM,), (ADA,), (TOM, ADA)) == [
        "good", "ill", "good",
    ]  # fmt: skip


# Words that come to the same


@settings(max_examples=40, deadline=None)
@given(worlds, st.integers(0, 2**32))
def test_after_the_same_minds_all_goes_on_alike(frame: Frame, seed: int) -> None:
    """Where two words leave the same minds a world is rolled once, and else as if each were alone."""
    words, last = any_words(frame, seed), len(frame.scenes) - 1
    number = seed % max(last, 1)
    roll = Roll(frame)
    for of in (roll, roll.as_told):
        left: dict[object, Words] = {}
        for word in (None, *draw.words(frame, number)):
            said = (*words[:number], word, *words[number + 1 :])
            alone = Roll(frame)
            alone = alone if of is roll else alone.as_told
            later = range(number + 1, last + 1)
            found = [heard_and_done(of, one, said) for one in later]
            assert found == [heard_and_done(alone, one, said) for one in later]
            other = left.setdefault(of.close(number, said).minds.key, said)
            assert found == [heard_and_done(of, one, other) for one in later]
            if later:
                assert of.scene(number + 1, said) is of.scene(number + 1, other)


def test_words_come_to_the_same_and_do_not() -> None:
    """Else the test above would say little. Which words do: those that nobody credits."""
    same = different = 0
    for seed in range(20):
        frame = drawn(seed)
        roll = Roll(frame)
        words = (None, *draw.words(frame, 0))
        left = [roll.close(0, (word, *roll.told[1:])).minds.key for word in words]
        same += len(left) - len(set(left))
        different += len(set(left)) > 2
        scenes = {id(roll.scene(1, (word, *roll.told[1:]))) for word in words}
        assert len(scenes) == len(set(left))
    assert same > 20
    assert different > 10


# Relabelling


def relabelled(frame: Frame, words: Words, new: Mapping[int, int]) -> tuple[Frame, Words]:
    """The same world with people at other places."""
    size = frame.size
    old = sorted(range(size), key=new.__getitem__)

    def to(who: int | None) -> int | None:
        return None if who is None else new[who]

    def happening(one: Happening) -> Happening:
        if isinstance(one, Leave | Enter):
            return replace(one, who=new[one.who])
        if isinstance(one, Show):
            return replace(one, speaker=new[one.speaker], to=new[one.to])
        return replace(one, speaker=new[one.speaker], to=to(one.to), chance=to(one.chance))

    def word(one: Word | None) -> Word | None:
        return None if one is None else replace(one, to=new[one.to])

    return (
        replace(
            frame,
            people=tuple(frame.people[one] for one in old),
            lead=new[frame.lead],
            ties=tuple(tuple(frame.ties[one][other] for other in old) for one in old),
            matters=tuple(
                replace(one, doer=new[one.doer], bearer=new[one.bearer]) for one in frame.matters
            ),
            stakes=tuple(frame.stakes[one] for one in old),
            promises=tuple(replace(one, by=new[one.by], to=new[one.to]) for one in frame.promises),
            scenes=tuple(
                Scene(
                    tuple(sorted(new[one] for one in scene.present)),
                    scene.topic,
                    tuple(map(happening, scene.happenings)),
                    word(scene.word),
                )
                for scene in frame.scenes
            ),
        ),
        tuple(map(word, words)),
    )


def same_but_for_places(frame: Frame, words: Words, new: Mapping[int, int]) -> bool:
    other, others_words = relabelled(frame, words, new)
    check(other)
    one_roll, other_roll = Roll(frame), Roll(other)
    places = chains.of_group(frame.size)
    for number in range(len(frame.scenes)):
        one, two = one_roll.close(number, words), other_roll.close(number, others_words)
        for chain in places.all:
            there = tuple(new[who] for who in chain)
            for matter in range(len(frame.matters)):
                if one.minds.view(chain, matter) != two.minds.view(
                    there, matter
                ) or one.minds.is_firm(chain, matter) != two.minds.is_firm(there, matter):
                    return False
        acts = [
            (new[act.person], act.intention, act.manner)
            for act in one_roll.scene(number, words).acts
        ]
        if sorted(acts) != [
            (act.person, act.intention, act.manner)
            for act in other_roll.scene(number, others_words).acts
        ]:
            return False
    return True


BYSTANDERS: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 5, 5: 4}


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.booleans())
def test_relabelled_bystanders_have_relabelled_minds(seed: int, as_drawn: bool) -> None:
    """Who stands where does not matter."""
    frame = drawn(seed, size=6) if as_drawn else shaken(seed, size=6)
    assert same_but_for_places(frame, any_words(frame, seed), BYSTANDERS)


@pytest.mark.parametrize(("to_rita", "means"), [("plain", "gather"), ("warm", "thank")])
def test_the_order_of_places_does_not_matter_where_people_contradict_each_other(
    to_rita: str, means: str
) -> None:
    """Two bystanders contradict each other; with places swapped all comes out the same."""
    base = story(scene(topic=0), against=[LENA])
    # Lena, plain to Rita and against the bearer, feeds the talk: ill; (Lena, Ada) is good, so alone.
    # Vera, warm to Rita, thanks: good; Ada leads, and (Vera, Ada) is good. Tom is a friend of both.
    # Plain to Rita he is angry, and alone, as (Tom, Ada) is good: he gathers proof, which says nothing.
    # Warm to her he is backed and thanks, and says good himself.
    ties = {(TOM, ADA): "warm", (TOM, LENA): "warm", (TOM, 5): "warm", (RITA, 5): "warm"}
    ties |= {(RITA, ADA): "warm", (TOM, RITA): to_rita}
    tie = [["" if one == other else "plain" for other in range(6)] for one in range(6)]
    for (place, with_whom), kind in ties.items():
        tie[place][with_whom] = tie[with_whom][place] = kind
    frame = replace(
        base,
        people=(*base.people, Person("Vera", "bystander", "plain", "open")),
        lead=ADA,
        matters=(Matter(RITA, TOM, "good"), Matter(RITA, TOM, "ill"), Matter(LENA, TOM, "ill")),
        ties=tuple(map(tuple, tie)),
        stakes=(*base.stakes, ("with", "with", "with")),
        scenes=(Scene((TOM, GUS, RITA, LENA, 5), 0, (), None),),
    )
    acts = Roll(frame).scene(0, (None,)).acts
    assert [(act.person, act.intention) for act in acts] == [
        (TOM, means), (LENA, "feed"), (5, "thank"),
    ]  # fmt: skip
    other, _ = relabelled(frame, (None,), BYSTANDERS)
    # Tom stays as he was: between two friends, or as he spoke.
    stays: Value = "ill" if to_rita == "plain" else "good"
    assert views(at(frame, close=True), (TOM,)) == views(at(other, close=True), (TOM,)) == [stays]
    assert same_but_for_places(frame, (None,), BYSTANDERS)


# Frames


@given(worlds)
def test_frames_come_back_from_json(frame: Frame) -> None:
    check(frame)
    assert Frame.of_json(frame.as_json()) == frame


@given(st.integers(0, 2**32))
def test_drawn_frames_are_as_the_page_has_them(seed: int) -> None:
    frame = drawn(seed)
    first, second, *later = frame.matters
    assert {first.doer, second.doer} == {2}
    assert {first.meant, second.meant} == {"good", "ill"}
    assert all(one.doer != 2 for one in later)
    assert not looped(frame.promises)
    assert not any(GUIDE in (one.by, one.to) for one in frame.promises)
    assert [one.role for one in frame.people[:4]] == ["target", "guide", "rival", "friend"]
    for number, one in enumerate(frame.scenes):
        if one.word is not None:
            assert one.word in draw.words(frame, number)


def changed(**parts: Any) -> Frame:
    return replace(story(scene()), **parts)


def in_scene(*happenings: Happening, present: tuple[int, ...] = EVERYBODY) -> Frame:
    return story(scene(*happenings, present=present))


def tied(one: int, other: int, kind: str, back: str | None = None) -> Frame:
    frame = story(scene())
    ties = [list(row) for row in frame.ties]
    ties[one][other], ties[other][one] = kind, back or kind
    return replace(frame, ties=tuple(map(tuple, ties)))


def with_matter(number: int, **parts: Any) -> Frame:
    matters = list(story().matters)
    matters[number] = replace(matters[number], **parts)
    return changed(matters=tuple(matters))


def with_person(place: int, **parts: Any) -> Frame:
    people = list(story().people)
    people[place] = replace(people[place], **parts)
    return changed(people=tuple(people))


def with_stake(person: int, number: int, stake: Any) -> Frame:
    stakes = [list(row) for row in story().stakes]
    stakes[person][number] = stake
    return changed(stakes=tuple(map(tuple, stakes)))


def telling(**parts: Any) -> Frame:
    return in_scene(replace(to_tom(ADA, "good"), **parts))


def showing(**parts: Any) -> Frame:
    return in_scene(replace(Show(ADA, 0, TOM, "open"), **parts))


def with_word(**parts: Any) -> Frame:
    return story(scene(word=replace(Word(0, TOM, "aside", "plain"), **parts)))


TWICE: Final = tuple(replace(one, name="Tom") for one in story().people)


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (changed(people=TWICE), "same name"),
        (changed(lead=TOM), "lead is the target or the rival"),
        (changed(lead=RITA), "lead is the target or the rival"),
        (tied(TOM, LENA, "warm", "cold"), "tie of 0 and 4"),
        (tied(TOM, LENA, "hot"), "tie of 0 and 4"),
        (tied(TARGET, FRIEND, "plain"), "Target and friend"),
        (with_matter(0, bearer=RITA), "Matter 0 has an impossible"),
        (with_matter(0, bearer=LENA), "Matter 0 has an impossible"),
        (with_matter(2, doer=GUS), "Matter 2 has an impossible"),
        (with_matter(0, bearer=GUS), "Matter 0 has an impossible"),
        (story(scene(), against=[TOM]), "bearer of matter 0 is against themselves"),
        (changed(promises=(Promise(ADA, ADA, 0),)), "circle"),
        (changed(promises=(Promise(ADA, TOM, 0), Promise(TOM, ADA, 0))), "circle"),
        (
            changed(promises=(Promise(ADA, TOM, 1), Promise(TOM, LENA, 1), Promise(LENA, ADA, 1))),
            "circle",
        ),
        (in_scene(present=(TOM, ADA)), "Scene 1: the guide is not there"),
        (in_scene(Leave(GUS)), "Scene 1: 1 cannot go"),
        (in_scene(Leave(TOM), Leave(TOM)), "Scene 1: 0 cannot go"),
        (in_scene(Enter(TOM)), "Scene 1: 0 comes, but is there"),
        (in_scene(to_tom(ADA, "good"), present=(GUS, ADA)), "cannot speak to each other"),
        (in_scene(to_tom(ADA, "good"), present=(GUS, TOM)), "cannot speak to each other"),
        (in_scene(Leave(ADA), to_tom(ADA, "good")), "cannot speak to each other"),
        (in_scene(to_tom(TOM, "good")), "cannot speak to each other"),
        (in_scene(Show(ADA, 0, TOM, "open"), present=(GUS, ADA)), "cannot speak to each other"),
        (in_scene(Show(ADA, 0, ADA, "open")), "cannot speak to each other"),
        (in_scene(Tell(ADA, 0, "good", None, "aside", "plain")), "aside to nobody"),
        (in_scene(Tell(ADA, 0, "good", TOM, "open", "plain", LENA)), "4 cannot overhear"),
        (in_scene(to_tom(ADA, "good", chance=TOM)), "0 cannot overhear"),
        (in_scene(to_tom(ADA, "good", chance=ADA)), "3 cannot overhear"),
        (story(scene(word=Word(0, GUS, "aside", "plain"))), "speaks to somebody who is not there"),
        (
            story(scene(present=(GUS, ADA), word=Word(0, TOM, "aside", "plain"))),
            "speaks to somebody who is not there",
        ),
        (
            story(scene(Leave(TOM), word=Word(0, TOM, "aside", "plain"))),
            "speaks to somebody who is not there",
        ),
        (story(scene(), scene(), scene(Enter(TOM))), "Scene 3: 0 comes"),
    ],
)
def test_contradictions_are_refused(frame: Frame, says: str) -> None:
    with pytest.raises(FrameError, match=says):
        check(frame)
    with pytest.raises(FrameError, match=says):
        Frame.of_json(frame.as_json())


ANYBODY: Final = (-1, 5, 7, "0", 1.0, True)
"""What is no place of a person in the small cast."""

ANYTHING: Final = (-1, 3, "0", None, False)
"""What is no number of a matter."""


@pytest.mark.parametrize("one", ANYBODY)
def test_people_that_are_not_there_are_refused(one: Any) -> None:
    says = f"^{{}}there is no person {one!r}\\.$"
    for frame, where in (
        (changed(lead=one), "Lead: "),
        (with_matter(1, doer=one), "Matter 1: "),
        (with_matter(2, bearer=one), "Matter 2: "),
        (changed(promises=(Promise(one, TOM, 0),)), "Promise 1: "),
        (changed(promises=(Promise(ADA, TOM, 0), Promise(ADA, one, 0))), "Promise 2: "),
        (in_scene(present=(GUS, one)), "Scene 1: "),
        (in_scene(Leave(one)), "Scene 1: "),
        (story(scene(), scene(Enter(one), present=(GUS,))), "Scene 2: "),
        (telling(speaker=one), "Scene 1: "),
        (telling(to=one), "Scene 1: "),
        (telling(chance=one), "Scene 1: "),
        (showing(speaker=one), "Scene 1: "),
        (showing(to=one), "Scene 1: "),
        (with_word(to=one), "Scene 1: "),
    ):
        refused(frame, says.format(where))


@pytest.mark.parametrize("one", ANYTHING)
def test_matters_that_are_not_there_are_refused(one: Any) -> None:
    says = f"^{{}}there is no matter {one!r}\\.$"
    for frame, where in (
        (changed(promises=(Promise(ADA, TOM, one),)), "Promise 1: "),
        (story(scene(topic=one)), "Scene 1: "),
        (telling(matter=one), "Scene 1: "),
        (showing(matter=one), "Scene 1: "),
        (with_word(matter=one), "Scene 1: "),
    ):
        refused(frame, says.format(where))


@pytest.mark.parametrize("value", ["meh", "", None, 0, ["good"]])
def test_unknown_values_are_refused(value: Any) -> None:
    for frame, what in (
        (with_person(LENA, ear=value), "The ear of person 4"),
        (with_person(TOM, face=value), "The face of person 0"),
        (with_matter(2, meant=value), "What was meant in matter 2"),
        (with_stake(ADA, 1, value), "The stake of 3 in matter 1"),
        (
            with_stake(RITA, 0, value),
            "The stake of 2 in matter 0",
        ),  # the doer's, which means nothing
        (telling(value=value), "Scene 1: what is told"),
        (telling(setting=value), "Scene 1: a setting"),
        (telling(tone=value), "Scene 1: a tone"),
        (showing(setting=value), "Scene 1: a setting"),
        (with_word(setting=value), "Scene 1: the setting of the guide's word"),
        (with_word(tone=value), "Scene 1: the tone of the guide's word"),
    ):
        refused(frame, f"^{what} is {re.escape(repr(value))}, and not one of \\(.*\\)\\.$")
    refused(tied(RITA, LENA, value), r"^The tie of 2 and 4 is not one of")


SMALL: Final = story(scene())
UNEVEN: Final = (*SMALL.ties[:4], SMALL.ties[4][:4])
MEANT_ALIKE: Final = with_matter(1, meant="good")


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (changed(people=SMALL.people[:3]), "There are 3 people, and four are needed"),
        (with_person(TOM, role="guide"), "Person 0 is called the 'guide', and is the 'target'"),
        (
            changed(people=(*SMALL.people[:2], SMALL.people[3], SMALL.people[2], SMALL.people[4])),
            "Person 2 is called the 'friend', and is the 'rival'",
        ),
        (with_person(LENA, role="rival"), "Person 4 is called the 'rival', and is the 'bystander'"),
        (with_person(LENA, name=""), "Person 4 has no name"),
        (with_person(LENA, name=["Lena"]), "Person 4 has no name"),
        (changed(ties=SMALL.ties[:4]), "ties are not a table of 5 rows, each for 5 people"),
        (changed(ties=UNEVEN), "ties are not a table of 5 rows, each for 5 people"),
        (changed(ties=()), "ties are not a table"),
        (changed(matters=SMALL.matters[:1]), "There are 1 matters, and the rival's two are needed"),
        (changed(matters=()), "There are 0 matters"),
        (with_matter(0, doer=ADA), "Matter 0 is not the rival's"),
        (with_matter(1, doer=ADA), "Matter 1 is not the rival's"),
        (with_matter(2, doer=RITA), "Matter 2 is the rival's"),
        (MEANT_ALIKE, "Matters 0 and 1 are meant alike"),
        (changed(stakes=SMALL.stakes[:4]), "stakes are not a table of 5 rows, each for 3 matters"),
        (changed(stakes=(*SMALL.stakes[:4], ("with",))), "stakes are not a table of 5 rows"),
        (changed(stakes=(*SMALL.stakes, SMALL.stakes[0])), "stakes are not a table of 5 rows"),
        (
            changed(promises=(Promise(GUS, TOM, 0),)),
            "Promise 1 is given by the guide or to the guide",
        ),
        (
            changed(promises=(Promise(ADA, GUS, 2),)),
            "Promise 1 is given by the guide or to the guide",
        ),
        (in_scene(present=(GUS, TOM, GUS)), "Scene 1: somebody is listed twice"),
        (showing(to=None), "Scene 1: something is shown to nobody"),
    ],
)
def test_frames_of_the_wrong_shape_are_refused(frame: Frame, says: str) -> None:
    refused(frame, says)


def refused(frame: Frame, says: str) -> None:
    """With one sentence; so is its file."""
    with pytest.raises(FrameError, match=says) as one:
        check(frame)
    assert str(one.value).endswith(".")
    assert "\n" not in str(one.value)
    with pytest.raises(FrameError, match=says):
        Frame.of_json(frame.as_json())


def values_of(found: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all that is no list and no object in a frame's JSON."""
    if isinstance(found, dict | list):
        for key, inner in found.items() if isinstance(found, dict) else enumerate(found):
            yield from values_of(inner, (*path, key))
    else:
        yield path


@settings(max_examples=200)
@given(st.integers(0, 2**32), st.sampled_from([-1, 0, 1, 2, 3, 6, "", "cold", "open", None, True]))
def test_what_the_evaluator_refuses_is_refused(seed: int, value: Any) -> None:
    """One value of a frame is exchanged: no other error, and what is let through both take."""
    found = shaken(seed % 50, size=5, scenes=2).as_json()
    paths = list(values_of(found))
    *path, last = paths[seed % len(paths)]
    inner = found
    for key in path:
        inner = inner[key]
    inner[last] = value
    try:
        Frame.of_json(found)
    except FrameError:
        return
    Evaluator(found)


def test_frames_are_checked_fast() -> None:
    frames = [shaken(seed, size=6, scenes=5) for seed in range(20)]
    for frame in frames:
        fastest = min(timeit.repeat(partial(check, frame), number=1, repeat=5))
        assert fastest < 0.001


def without(part: str) -> Callable[[dict[str, Any]], None]:
    def change(found: dict[str, Any]) -> None:
        del found[part]

    return change


def sung(found: dict[str, Any]) -> None:
    found["scenes"][0]["happenings"] = [{"kind": "sing", "who": TOM}]


def spelled(found: dict[str, Any]) -> None:
    found["scenes"][0]["happenings"] = ["leave"]


def rich(found: dict[str, Any]) -> None:
    found["people"][0]["purse"] = 7


@pytest.mark.parametrize(
    ("change", "says"),
    [
        *((without(part), part) for part in ("people", "lead", "ties", "matters", "scenes")),
        (sung, "sing"),
        (spelled, "dictionary"),
        (rich, "purse"),
    ],
)
def test_files_that_are_no_frames_are_refused(
    change: Callable[[dict[str, Any]], None], says: str
) -> None:
    found = story(scene()).as_json()
    assert Frame.of_json(found) == story(scene())
    change(found)
    with pytest.raises(FrameError, match=f"lacks a part, or has one too many: .*{says}"):
        Frame.of_json(found)


def test_promises_that_do_not_close_a_circle_are_kept() -> None:
    given_to_others = (Promise(ADA, TOM, 0), Promise(TOM, LENA, 0), Promise(TOM, ADA, 1))
    check(changed(promises=given_to_others))
    assert not looped(given_to_others)
    assert looped((*given_to_others, Promise(LENA, ADA, 0)))
