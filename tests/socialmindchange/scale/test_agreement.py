"""Simulator and second evaluator agree, and would not if either were wrong in any one of these places.

Each fault is put into one of the two alone. Frames and words are random, but the same in each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.dataset_builders.socialmindchange import evaluator
from otherminds.dataset_builders.socialmindchange.evaluator import Evaluator
from otherminds.dataset_builders.socialmindchange.world import (
    chains,
    conduct,
    minds,
    roll,
    variables,
)
from otherminds.dataset_builders.socialmindchange.world.chains import Chains
from otherminds.dataset_builders.socialmindchange.world.frame import (
    FRIEND,
    GUIDE,
    TARGET,
    Frame,
    Show,
    Tell,
    check,
)
from otherminds.dataset_builders.socialmindchange.world.minds import Minds
from otherminds.dataset_builders.socialmindchange.world.roll import Act, Played, Roll, Words
from otherminds.dataset_builders.socialmindchange.world.variables import Asked
from tests.helpers.socialmindchange_worlds import any_words, drawn, everything, shaken

Patch: TypeAlias = pytest.MonkeyPatch
Fault: TypeAlias = Callable[[Patch], None]
World: TypeAlias = tuple[Frame, Words]

FIXED: Final = 96
"""So many worlds are looked through for a fault."""


@cache
def fixed(seed: int) -> World:
    frame = shaken(seed, scenes=3)
    return frame, any_words(frame, seed)


@cache
def asked(seed: int) -> list[tuple[Asked, dict[str, Any]]]:
    every = list(everything(*fixed(seed)))
    return [(one, variables.variable_json(one)) for one in every[seed % 2 :: 2]]


def simulated(world: World, ask: list[tuple[Asked, dict[str, Any]]]) -> Iterator[str]:
    frame, words = world
    rolled = Roll(frame)
    return (variables.value(rolled, words, one) for one, _ in ask)


def evaluated(world: World, ask: list[tuple[Asked, dict[str, Any]]]) -> Iterator[str]:
    frame, words = world
    own = {number: None if word is None else asdict(word) for number, word in enumerate(words, 1)}
    second = Evaluator(_with_words(frame, own))
    return (second.value(of) for _, of in ask)


def _with_words(frame: Frame, words: Mapping[int, Any]) -> dict[str, Any]:
    """The frame as JSON with these words in it, so that they are read once and not for every value."""
    found = frame.as_json()
    for number, word in words.items():
        found["scenes"][number - 1]["word"] = word
    return found


def disagreement(world: World, ask: list[tuple[Asked, dict[str, Any]]]) -> str | None:
    pairs = zip(ask, simulated(world, ask), evaluated(world, ask), strict=True)
    for (one, _), first, second in pairs:
        if first != second:
            return f"{one}: {first} in the simulator, {second} in the evaluator."
    return None


# Agreement


@pytest.mark.parametrize("seed", range(0, FIXED, 8))
def test_they_agree_on_the_fixed_worlds(seed: int) -> None:
    for one in range(seed, seed + 8):
        check(fixed(one)[0])
        assert disagreement(fixed(one), asked(one)) is None


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_they_agree_on_any_world(seed: int, as_drawn: bool) -> None:
    frame = drawn(seed) if as_drawn else shaken(seed)
    words = any_words(frame, seed)
    ask = [(one, variables.variable_json(one)) for one in everything(frame, words)][seed % 3 :: 3]
    assert disagreement((frame, words), ask) is None


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_exchanged_words_are_as_words_of_the_story(seed: int) -> None:
    """The same from a question, which exchanges words, as from a story that has them."""
    frame = shaken(seed, scenes=3)
    words = any_words(frame, seed)
    exchange = {
        number: None if word is None else asdict(word) for number, word in enumerate(words, 1)
    }
    second, other = Evaluator(frame.as_json()), Evaluator(_with_words(frame, exchange))
    for one in list(everything(frame, words))[seed % 7 :: 7]:
        of = variables.variable_json(one)
        assert second.value(of, exchange) == other.value(of)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_they_agree_on_what_is_not_there(seed: int) -> None:
    """What nobody does or feels is refused by both."""
    frame = drawn(seed, scenes=2)
    rolled, second = Roll(frame), Evaluator(frame.as_json())
    missing: list[Asked] = [
        variables.Variable(variables.Emotion(matter.doer, number), 1)
        for number, matter in enumerate(frame.matters)
    ]
    missing += [
        variables.Variable(variables.Manner(one, 0), 0)
        for one in set(range(frame.size)) - frame.present_at_end(0)
    ]
    word = frame.scenes[0].word
    missing += [
        variables.Variable(variables.ReceptionOf(one), 0)
        for one in range(frame.size)
        if word is None or word.to != one
    ]
    for one in missing:
        with pytest.raises(ValueError, match=r"\w"):
            variables.value(rolled, rolled.told, one)
        with pytest.raises(ValueError, match=r"\w"):
            second.value(variables.variable_json(one))


# Faults in the simulator


def put(where: Any, name: str, value: Any) -> Fault:
    return lambda patch: patch.setattr(where, name, value)


def row(table: Any, key: Any, value: Any) -> Fault:
    return lambda patch: patch.setitem(table, key, value)


def both(one: Fault, other: Fault) -> Fault:
    def fault(patch: Patch) -> None:
        one(patch)
        other(patch)

    return fault


_reached = Chains.reached
_moves = minds.moves
_hear = Minds.hear
_hear_round = Minds.hear_round
_see = Minds.see
_at_first = Minds.at_first.__func__  # type: ignore[attr-defined]
_axe = minds.axe_to_grind
_bound = conduct.bound
_acts = roll._acts
_scene = Roll.scene


def _only_first_hears(self: Chains, hearers: frozenset[int], unseen: int | None) -> int:
    """R1 without "all others in the chain are among the hearers"."""
    return chains.bits(
        number for number, chain in enumerate(self.all) if chain[0] in hearers or chain[0] == unseen
    )


def _hear_without_out(self: Minds, told: Tell, there: frozenset[int]) -> None:
    out, self.out = self.out, 0
    _hear(self, told, there)
    self.out = out


def _hear_uncredited(self: Minds, told: Tell, there: frozenset[int]) -> None:
    credited = [list(one) for one in self.credited]
    _hear(self, told, there)
    self.credited[:] = credited


def _hear_against_proof(self: Minds, told: Tell, there: frozenset[int]) -> None:
    firm = self.firm[told.matter]
    self.firm[told.matter] = 0
    _hear(self, told, there)
    self.firm[told.matter] = firm


def _hear_flips_firm_speakers(self: Minds, told: Tell, there: frozenset[int]) -> None:
    """R2.1 as it was before it spared firm chains."""
    _hear(self, told, there)
    hearers = there if told.setting == "open" else frozenset((told.speaker, told.to or 0))
    group = chains.of_group(self.frame.size)
    reached = group.reached(hearers, told.chance)
    self._set(told.matter, reached & group.held[told.speaker] & ~group.alone, told.value)


def _hear_believing_oneself(self: Minds, told: Tell, there: frozenset[int]) -> None:
    _hear(self, told, there)
    if not self.is_firm((told.speaker,), told.matter):
        alone = chains.of_group(self.frame.size).alone
        self._set(told.matter, self.group.held[told.speaker] & alone, told.value)


def _see_without_finding_out(self: Minds, shown: Show, there: frozenset[int]) -> None:
    out = self.out
    _see(self, shown, there)
    self.out = out


def _see_without_firmness(self: Minds, shown: Show, there: frozenset[int]) -> None:
    firm = list(self.firm)
    _see(self, shown, there)
    self.firm[:] = firm


def _see_finding_all_out(self: Minds, shown: Show, there: frozenset[int]) -> None:
    """Finds out also who told what the proof bears out."""
    right = self.credited[shown.matter][self.frame.matters[shown.matter].meant == "good"]
    hearers = there if shown.setting == "open" else frozenset((shown.speaker, shown.to))
    _see(self, shown, there)
    group = chains.of_group(self.frame.size)
    reached = group.reached(hearers, None)
    for speaker in range(self.frame.size):
        self.out |= right & (reached << speaker * len(group.all))


def _first_without_guide(frame: Frame) -> Minds:
    found: Minds = _at_first(Minds, frame)
    guide = chains.bits((chains.of_group(frame.size).place[GUIDE,],))
    for number, matter in enumerate(frame.matters):
        found._set(number, guide, "good" if frame.ties[GUIDE][matter.doer] == "warm" else "ill")
        found.firm[number] &= ~guide
    return found


def _first_with_all_doers_sure(frame: Frame) -> Minds:
    """Everybody takes the doer to know what was meant."""
    found: Minds = _at_first(Minds, frame)
    group = chains.of_group(frame.size)
    for number, matter in enumerate(frame.matters):
        found._set(number, group.held[matter.doer], matter.meant)
    return found


def _first_with_plain_trusting(frame: Frame) -> Minds:
    found: Minds = _at_first(Minds, frame)
    for number, matter in enumerate(frame.matters):
        for holder, held in enumerate(chains.of_group(frame.size).held):
            if holder not in (matter.doer, GUIDE):
                tie = frame.ties[holder][matter.doer]
                found._set(number, held, "ill" if tie == "cold" else "good")
    return found


def _axe_without_doers(frame: Frame, told: Tell) -> bool:
    return told.speaker != frame.matters[told.matter].doer and _axe(frame, told)


def _by_the_bearer(found: Minds, person: int, matter: int) -> bool:
    bearer = found.frame.matters[matter].bearer
    other = (person, bearer) if person != bearer else (person,)
    return found.view(other, matter) == found.view((person,), matter)


def _as_it_is(found: Minds, person: int, matter: int) -> bool:
    """What the lead takes it to be, and not what one thinks that they do."""
    lead = found.frame.lead
    counts = found.frame.matters[matter].bearer if person == lead else lead
    return found.view((counts,), matter) == found.view((person,), matter)


def _bound_to_the_absent(frame: Frame, person: int, matter: int, there: frozenset[int]) -> bool:
    return _bound(frame, person, matter, frozenset(range(frame.size)))


def _one_by_one(found: Minds, topic: int, there: frozenset[int]) -> Iterator[Act]:
    """Each decides after having heard those before."""
    heard = found.copy()
    for number in range(len(there)):
        acts = list(_acts(heard, topic, there))
        if number < len(acts):
            yield acts[number]
            says = acts[number].says
            if says is not None:
                heard.hear(says, there)


def _held_by_speakers(frame: Frame, said: Sequence[Tell]) -> int:
    """The chains that end in somebody who speaks."""
    held = chains.of_group(frame.size).held
    found = 0
    for told in said:
        found |= held[told.speaker]
    return found


def _exchange_views(found: Minds, matter: int, others: Minds, where: int) -> None:
    """Some chains take a matter as they do in other minds."""
    found.good[matter] = others.good[matter] & where | found.good[matter] & ~where


def _round_moving_speakers(self: Minds, said: Sequence[Tell], there: frozenset[int]) -> None:
    others = self.copy()
    for told in said:
        _hear(others, told, there)
    _hear_round(self, said, there)
    if said:
        _exchange_views(self, said[0].matter, others, _held_by_speakers(self.frame, said))


def _round_of_last_words(self: Minds, said: Sequence[Tell], there: frozenset[int]) -> None:
    """Hearers hear one after the other."""
    others = self.copy()
    for told in said:
        _hear(others, told, there)
    _hear_round(self, said, there)
    if said:
        _exchange_views(self, said[0].matter, others, ~_held_by_speakers(self.frame, said))


def _round_of_first_words(self: Minds, said: Sequence[Tell], there: frozenset[int]) -> None:
    _round_of_last_words(self, said[::-1], there)


def _round_with_strangers(self: Minds, said: Sequence[Tell], there: frozenset[int]) -> None:
    """Whoever says the opposite leaves all hearers as they were."""
    before = self.copy()
    _hear_round(self, said, there)
    if len({told.value for told in said}) > 1:
        _exchange_views(self, said[0].matter, before, ~_held_by_speakers(self.frame, said))


def _round_uncredited(self: Minds, said: Sequence[Tell], there: frozenset[int]) -> None:
    credited = [list(one) for one in self.credited]
    _hear_round(self, said, there)
    self.credited[:] = credited


def _told_gently(found: Minds, topic: int, there: frozenset[int]) -> Iterator[Act]:
    """Said to the lead, and not to nobody."""
    for act in _acts(found, topic, there):
        says = act.says
        to_lead = says is not None and act.person != found.frame.lead and found.frame.lead in there
        yield replace(act, says=replace(says, to=found.frame.lead) if says and to_lead else says)


def _late(self: Roll, number: int, words: Words) -> Played:
    """What people do (R8) is in the state already."""
    played = _scene(self, number, words)
    return replace(played, state=played.last)


def _two_swapped(patch: Patch) -> None:
    """The target sets the friend right first."""
    patch.setattr(roll, "FRIEND", TARGET)
    patch.setattr(roll, "TARGET", FRIEND)


IN_SIMULATOR: Final[Mapping[str, Fault]] = {
    "axe to grind is inverted": put(minds, "axe_to_grind", lambda f, t: not _axe(f, t)),
    "nobody has an axe to grind": put(minds, "axe_to_grind", lambda f, t: False),
    "doers have no axe to grind": put(minds, "axe_to_grind", _axe_without_doers),
    "enemies are believed": put(
        minds, "believable", lambda f, t, p: f.ties[p][t.speaker] == "warm" or not _axe(f, t)
    ),
    "only friends are believed": put(
        minds, "believable", lambda f, t, p: f.ties[p][t.speaker] == "warm"
    ),
    "tone does not matter": put(minds, "fits", lambda f, t, p: t.setting == f.people[p].face),
    "setting does not matter": put(minds, "fits", lambda f, t, p: t.tone == f.people[p].ear),
    "who overhears is ignored": put(Chains, "reached", lambda s, h, u: _reached(s, h, None)),
    "who overhears is seen": put(
        Chains, "reached", lambda s, h, u: _reached(s, h if u is None else h | {u}, None)
    ),
    "who overhears is not moved": put(
        minds, "moves", lambda f, t, h: h != t.chance and _moves(f, t, h)
    ),
    "one knows what absent people hear": put(Chains, "reached", _only_first_hears),
    "who stands by is moved": put(
        minds,
        "moves",
        lambda f, t, h: (
            _moves(f, t, h) or (h not in (t.to, t.speaker) and f.ties[h][t.speaker] == "warm")
        ),
    ),
    "what is said to nobody moves nobody": put(
        minds, "moves", lambda f, t, h: t.to is not None and _moves(f, t, h)
    ),
    "liars are believed": put(Minds, "hear", _hear_without_out),
    "nothing is credited": put(Minds, "hear", _hear_uncredited),
    "who has seen proof is talked out of it": put(Minds, "hear", _hear_against_proof),
    "firm people are taken at their word": put(Minds, "hear", _hear_flips_firm_speakers),
    "speakers believe what they say": put(Minds, "hear", _hear_believing_oneself),
    "proof finds nobody out": put(Minds, "see", _see_without_finding_out),
    "proof finds honest people out": put(Minds, "see", _see_finding_all_out),
    "proof does not last": put(Minds, "see", _see_without_firmness),
    "the guide does not know": put(Minds, "at_first", _first_without_guide),
    "all know that the doer knows": put(Minds, "at_first", _first_with_all_doers_sure),
    "strangers expect the best": put(Minds, "at_first", _first_with_plain_trusting),
    "hurt and anger are swapped": both(
        row(conduct.FELT, ("ill", "with", True), "anger"),
        row(conduct.FELT, ("ill", "with", False), "hurt"),
    ),
    "envy and annoyance are swapped": both(
        row(conduct.FELT, ("good", "against", True), "annoyance"),
        row(conduct.FELT, ("good", "against", False), "envy"),
    ),
    "who is glad is careful when backed": row(conduct.MEANT, "glee", ("feed", "press")),
    "who is grateful gives way": row(conduct.MEANT, "gratitude", ("thank", "give_way")),
    "who covers says ill": row(conduct.SPOKEN, "cover", "ill"),
    "who stirs says good": row(conduct.SPOKEN, "stir", "good"),
    "who gathers speaks": row(conduct.SPOKEN, "gather", "ill"),
    "the bearer backs all": put(conduct, "backed", _by_the_bearer),
    "backing is as it is": put(conduct, "backed", _as_it_is),
    "nobody is bound in what they do": put(conduct, "bound", lambda f, p, m, t: False),
    "absent people bind": put(conduct, "bound", _bound_to_the_absent),
    "friends pass on in spite of a promise": put(roll, "bound", lambda f, p, m, t: False),
    "friends argue over first impressions": put(Minds, "learned", lambda s, p, m: True),
    "friends say nothing": put(roll, "_passed_on", lambda m, t: iter(())),
    "the target comes first": _two_swapped,
    "people decide one by one": put(roll, "_acts", _one_by_one),
    "speakers are moved, too": put(Minds, "hear_round", _round_moving_speakers),
    "the last speaker wins": put(Minds, "hear_round", _round_of_last_words),
    "of friends who contradict each other the first wins": put(
        Minds, "hear_round", _round_of_first_words
    ),
    "strangers contradict, too": put(Minds, "hear_round", _round_with_strangers),
    "a round is not credited": put(Minds, "hear_round", _round_uncredited),
    "actions speak to the lead": put(roll, "_acts", _told_gently),
    "the guide speaks well of all": put(
        roll, "spoken", lambda f, w: Tell(GUIDE, w.matter, "good", w.to, w.setting, w.tone)
    ),
    "the state is after what people do": put(Roll, "scene", _late),
    "tone goes before trust": put(
        Minds,
        "reception",
        lambda s, t, p: (
            "knows"
            if s.is_firm((p,), t.matter)
            else "closes_up"
            if not minds.fits(s.frame, t, p)
            else "credits"
            if minds.believable(s.frame, t, p)
            else "distrusts"
        ),
    ),
}


# Faults in the evaluator

_World = evaluator._World
_EvaluatorMoment = evaluator._Moment
_first = _World.first
_believes = _World.believes
_after = _World.after
_after_round = _World.after_round
_then = evaluator._Log.then
_act = Evaluator._act
_set_right = Evaluator._set_right
_reception = Evaluator._reception
_changed = Evaluator._changed
_read_event = _World._read_event


def _forgetful(self: Any, mind: Any, chain: Any, event: Any) -> Any:
    """Nobody is found out."""
    return _after(self, mind, chain, event)._replace(found_out=frozenset())


def _shifting(self: Any, mind: Any, chain: Any, event: Any) -> Any:
    """Nobody becomes firm by proof."""
    return _after(self, mind, chain, event)._replace(firm=mind.firm)


def _crediting_oneself(self: Any, mind: Any, chain: Any, event: Any) -> Any:
    """What one says oneself is credited, too."""
    found = _after(self, mind, chain, event)
    if event.proof or chain[-1] != event.speaker:
        return found
    return found._replace(credited=found.credited | {(event.speaker, event.matter, event.value)})


def _any_tone(self: Any, mind: Any, chain: Any, event: Any) -> Any:
    return _after(self, mind, chain, event._replace(tone=self.ears[chain[-1]]))


def _any_setting(self: Any, mind: Any, chain: Any, event: Any) -> Any:
    return _after(self, mind, chain, event._replace(setting=self.faces[chain[-1]]))


def _meant_for_all(self: Any, mind: Any, chain: Any, event: Any) -> Any:
    """A word to somebody else is as a word to nobody."""
    to = event.to if event.to == chain[-1] else None
    return _after(self, mind, chain, event._replace(to=to))


def _plain_to_all(self: Any, chain: Any) -> Any:
    """A doer looks at their own deed as others look at it, in others' eyes."""
    found = _first(self, chain)
    views = [
        "ill" if chain[-1] == matter.doer and len(chain) > 1 else view
        for view, matter in zip(found.views, self.matters, strict=True)
    ]
    return found._replace(views=tuple(views))


def _through_walls(self: Any, events: Any) -> Any:
    """Everybody hears everything."""
    everybody = frozenset(range(self.world.size))
    return _then(
        self,
        [
            event._replace(
                **{name: everybody for name in ("hearers", "aware") if name in event._fields}
            )
            for event in events
        ],
    )


def _heard_in_order(self: Any, mind: Any, chain: Any, said: Any) -> Any:
    """Hearers hear a round one after the other."""
    if any(one.speaker == chain[-1] for one in said):
        return _after_round(self, mind, chain, said)
    for one in said:
        mind = _after(self, mind, chain, one)
    return mind


def _moved_while_speaking(self: Any, mind: Any, chain: Any, said: Any) -> Any:
    """Speakers are moved, too."""
    if not any(one.speaker == chain[-1] for one in said):
        return _after_round(self, mind, chain, said)
    for one in said:
        mind = _after(self, mind, chain, one)
    return mind


def _first_friend(self: Any, mind: Any, chain: Any, said: Any) -> Any:
    """Of friends who contradict each other the first is believed."""
    moving = [one for one in said if self.counts(mind, chain, one)]
    own = any(one.speaker == chain[-1] for one in said)
    return _after_round(self, mind, chain, said if own else moving[:1])


def _secret_missed(self: Any, row: Any, proof: bool, present: frozenset[int]) -> Any:
    event = _read_event(self, row, proof, present)
    return event._replace(aware=event.hearers)


def _leaderless(self: Any, person: int, matter: int) -> str:
    """The lead counts as present for the lead."""
    world = self.log.world
    if self.held(person, matter):
        return "held"
    lead = world.lead in self.present
    if world.matters[matter].doer in self.present:
        return "before_lead" if lead else "face"
    return "to_lead" if lead else "behind"


IN_EVALUATOR: Final[Mapping[str, Fault]] = {
    "nobody is found out": put(_World, "after", _forgetful),
    "proof does not last": put(_World, "after", _shifting),
    "speakers credit themselves": put(_World, "after", _crediting_oneself),
    "tone does not matter": put(_World, "after", _any_tone),
    "setting does not matter": put(_World, "after", _any_setting),
    "who stands by weighs it": put(_World, "after", _meant_for_all),
    "the doer counts as plain to themselves": put(_World, "first", _plain_to_all),
    "everybody believes everybody": put(_World, "believes", lambda *_: True),
    "trust is the other way round": put(
        _World, "believes", lambda s, m, h, w, n, v: not _believes(s, m, h, w, n, v)
    ),
    "everybody hears everything": put(evaluator._Log, "then", _through_walls),
    "speakers are moved, too": put(_World, "after_round", _moved_while_speaking),
    "the last speaker wins": put(_World, "after_round", _heard_in_order),
    "of friends who contradict each other the first wins": put(
        _World, "after_round", _first_friend
    ),
    "nobody overhears": put(_World, "_read_event", _secret_missed),
    "promises do not bind": put(_EvaluatorMoment, "held", lambda s, p, m: False),
    "all are backed": put(_EvaluatorMoment, "backed", lambda s, p, m: True),
    "the lead is with themselves": put(_EvaluatorMoment, "manner", _leaderless),
    "hurt and anger are swapped": both(
        row(evaluator._FEELINGS, ("ill", "with", True), "anger"),
        row(evaluator._FEELINGS, ("ill", "with", False), "hurt"),
    ),
    "relief is bold alone": row(evaluator._INTENTIONS, "relief", ("set_right", "carry_on")),
    "covering says ill": row(evaluator._SAYS, "cover", "ill"),
    "feeding says good": row(evaluator._SAYS, "feed", "good"),
    "pleading is silent": lambda patch: patch.delitem(evaluator._SAYS, "plead"),
    "friends say nothing": put(Evaluator, "_set_right", lambda s, m: m.log),
    "friends set right twice, at the end too": put(
        Evaluator,
        "_act",
        lambda s, m, t: _act(s, m, t)._replace(log=_set_right(s, _act(s, m, t))),
    ),
    "actions do not speak": put(Evaluator, "_act", lambda s, m, t: m),
    "a word is received before actions speak": put(Evaluator, "_acted", lambda s, w: s._state(w)),
    "all words are credited": put(
        Evaluator,
        "_reception",
        lambda s, p, n, w: (
            "credits" if _reception(s, p, n, w) == "closes_up" else _reception(s, p, n, w)
        ),
    ),
    "changes are inverted": put(
        Evaluator,
        "_changed",
        lambda s, v, w: "yes" if _changed(s, v, w) == "no" else "no",
    ),
}


@pytest.fixture(scope="module", autouse=True)
def worlds() -> None:
    """Drawn while neither has a fault: the drawing rolls the world along."""
    for seed in range(FIXED):
        asked(seed)


@cache
def answers_of_evaluator(seed: int) -> tuple[str, ...]:
    return tuple(evaluated(fixed(seed), asked(seed)))


@cache
def answers_of_simulator(seed: int) -> tuple[str, ...]:
    return tuple(simulated(fixed(seed), asked(seed)))


def disagreements(
    faulty: Callable[[World, list[tuple[Asked, dict[str, Any]]]], Iterator[str]],
    sound: Callable[[int], tuple[str, ...]],
) -> Iterator[bool]:
    """Whether they disagree, one fixed world after another."""
    for seed in range(FIXED):
        pairs = zip(faulty(fixed(seed), asked(seed)), sound(seed), strict=True)
        yield any(one != other for one, other in pairs)


@pytest.mark.parametrize("fault", IN_SIMULATOR)
def test_the_evaluator_finds_faults_of_the_simulator(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    IN_SIMULATOR[fault](monkeypatch)
    assert any(disagreements(simulated, answers_of_evaluator))


@pytest.mark.parametrize("fault", IN_EVALUATOR)
def test_the_simulator_finds_faults_of_the_evaluator(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    IN_EVALUATOR[fault](monkeypatch)
    assert any(disagreements(evaluated, answers_of_simulator))
