"""Questions and options in words: every claim can be said, and no two are said alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
import pytest

from otherminds.dataset_builders.socialmindchange.scale import rows, synthetic
from otherminds.dataset_builders.socialmindchange.telling import filled, phrasing
from otherminds.dataset_builders.socialmindchange.telling.lexicon import Lexicon
from otherminds.dataset_builders.socialmindchange.world import chains, draw
from otherminds.dataset_builders.socialmindchange.world.conduct import EMOTIONS, INTENTIONS, MANNERS
from otherminds.dataset_builders.socialmindchange.world.frame import (
    GUIDE,
    RIVAL,
    STAKES,
    VALUES,
    Frame,
    Word,
)
from otherminds.dataset_builders.socialmindchange.world.variables import (
    Backed,
    Changed,
    Claim,
    Emotion,
    Intention,
    Manner,
    Present,
    ReceptionOf,
    StakeIn,
    Variable,
    View,
)
from tests.socialmindchange.scale.test_lexicon import faults, stage

SEEDS = range(12)
STYLES = range(24)
RECEPTIONS = ("credits", "distrusts", "closes_up", "knows")
NOW = (3, False)


def claims(frame: Frame) -> Iterator[list[Claim]]:
    """What options may claim, each with the other values of the same variable."""
    for number, matter in enumerate(frame.matters):
        for chain in chains.of_group(frame.size).all:
            yield [Claim(Variable(View(chain, number), *NOW), one) for one in VALUES]
        for person in range(frame.size):
            if person in (GUIDE, matter.doer):
                continue
            yield [Claim(Variable(Emotion(person, number), *NOW), one) for one in EMOTIONS]
            yield [Claim(Variable(Intention(person, number), *NOW), one) for one in INTENTIONS]
            yield [Claim(Variable(Manner(person, number), *NOW), one) for one in MANNERS]
            yield [Claim(Variable(Backed(person, number), *NOW), one) for one in ("yes", "no")]
            yield [Claim(Variable(StakeIn(person, number), *NOW), one) for one in STAKES]
            yield [Claim(Changed(Emotion(person, number), 3, 1), one) for one in ("yes", "no")]
    for person in range(frame.size):
        yield [Claim(Variable(Present(person), *NOW), one) for one in ("yes", "no")]
        if person != GUIDE:
            yield [Claim(Variable(ReceptionOf(person), 1), one) for one in RECEPTIONS]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_claim_is_said_and_no_two_alike(seed: int) -> None:
    frame, lexicon = stage(seed)
    said: dict[str, Claim] = {}
    for one in (one for kinds in claims(frame) for one in kinds):
        text = phrasing.option(lexicon, frame, [one], seed, NOW)
        assert faults(text) == []
        assert text[0].isupper()
        assert text.endswith(".")
        assert text not in said, (text, one, said[text])
        said[text] = one


def test_alternatives_of_two_are_about_equally_long() -> None:
    for seed in SEEDS:
        frame, lexicon = stage(seed)
        for kinds in claims(frame):
            if isinstance(kinds[0].of.what, View | Backed | ReceptionOf):
                lengths = [len(phrasing.claim(lexicon, frame, one, seed)) for one in kinds]
                assert max(lengths) < 1.45 * min(lengths)


def test_views_name_who_thinks_it() -> None:
    frame, lexicon = stage(1)
    doer = frame.matters[0].doer
    a, b, *_ = (one for one in range(frame.size) if one not in (GUIDE, doer))
    names = [one.name for one in lexicon.people]
    text = phrasing.claim(lexicon, frame, Claim(Variable(View((a, b, a), 0), 3), "good"))
    assert text.startswith(f"{names[a]} thinks that {names[b]} believes that ")
    same = lexicon.people[a].gender == lexicon.people[b].gender
    he, himself = (lexicon.people[a].slots()[form] for form in ("he", "himself"))
    assert f" that {names[a]} {himself} takes" in text if same else f" that {he} takes" in text


def test_a_doer_thinks_of_themselves_by_a_pronoun() -> None:
    for seed in SEEDS:
        frame, lexicon = stage(seed)
        name = lexicon.people[RIVAL].name
        for value in VALUES:
            view = Variable(View((RIVAL,), 0), 3)
            assert phrasing.claim(lexicon, frame, Claim(view, value)).count(name) == 1


def test_a_change_names_the_state_in_both_cases() -> None:
    frame, lexicon = stage(2)
    person = next(one for one in range(6) if one not in (GUIDE, frame.matters[0].doer))
    what = Emotion(person, 0)
    hurt, relief = (phrasing.state(lexicon, frame, what, one) for one in ("hurt", "relief"))
    assert phrasing.change(lexicon, frame, what, "hurt", "relief", False) == f"as before {hurt}"
    assert phrasing.change(lexicon, frame, what, "hurt", "relief", True) == f"by then {relief}"
    asked = Changed(what, 3, 1)
    for value, text in (("no", hurt), ("yes", relief)):
        changes = {asked: ("hurt", "relief")}
        assert text in phrasing.option(lexicon, frame, [Claim(asked, value)], 0, NOW, changes)


def test_an_intention_and_its_manner_are_one_action() -> None:
    frame, lexicon = stage(4)
    person = next(one for one in range(6) if one not in (GUIDE, frame.matters[0].doer))
    meant = Claim(Variable(Intention(person, 0), 3), "accuse")
    how = Claim(Variable(Manner(person, 0), 3), "face")
    done = phrasing.action(lexicon, person, 0, "accuse", "face")
    assert phrasing.clauses(lexicon, frame, [meant, how]) == [done]
    other = Claim(Variable(Manner(person, 0), 2), "face")
    assert len(phrasing.clauses(lexicon, frame, [meant, other])) == 2


def test_another_time_is_said() -> None:
    frame, lexicon = stage(5)
    one = Claim(Variable(View((0,), 0), 2), "good")
    assert phrasing.claim(lexicon, frame, one, 0, NOW).startswith("in scene 3 ")
    assert not phrasing.claim(lexicon, frame, one, 0, (2, False)).startswith("in scene")
    closing = Claim(Variable(View((0,), 0), 2, True), "good")
    assert phrasing.claim(lexicon, frame, closing, 0, NOW).startswith(
        "when they part after scene 3, "
    )


def test_joined_clauses() -> None:
    assert phrasing.joined(["Tom reads"]) == "Tom reads."
    assert phrasing.joined(["Tom reads", "Tom writes"]) == "Tom reads, and writes."
    assert phrasing.joined(["Tom reads", "Ada writes"]) == "Tom reads, and Ada writes."
    assert phrasing.joined(["Tom reads", "Ada writes"], 3) == "Tom reads; besides, Ada writes."
    assert phrasing.joined(["a", "b", "c"]) == "A; b; and c."
    assert phrasing.joined(["a", "b", "c", "d"], 1) == "A; b; c; d."
    assert phrasing.joined(["a", "b", "c", "d"]) == "A; b; c; and d."
    assert phrasing.joined(["a", "b", "c", "d"], 2) == "A; b; besides, c; and d."


def courses(frame: Frame, lexicon: Lexicon) -> list[tuple[Word | None, ...]]:
    rng = np.random.default_rng(len(lexicon.people[0].name))
    found: list[tuple[Word | None, ...]] = [(None,) * len(frame.scenes)]
    for _ in range(12):
        words = [draw.words(frame, scene) for scene in range(len(frame.scenes))]
        found.append(tuple(one[int(rng.integers(len(one)))] for one in words))
    return found


@pytest.mark.parametrize("style", STYLES)
def test_plans_say_who_hears_what_and_how(style: int) -> None:
    frame, lexicon = stage(6)
    said = {phrasing.plan(lexicon, one, style): one for one in set(courses(frame, lexicon))}
    assert len(said) == len(set(courses(frame, lexicon)))
    for text, course in said.items():
        assert faults(text) == []
        for word, part in zip(course, text.split("; "), strict=True):
            if word is not None:
                assert lexicon.people[word.to].name in part
                assert lexicon.phrase("matter", word.matter, "topic") in part


def questions(seed: int, style: int) -> dict[str, str]:
    frame, lexicon = stage(seed)
    focus = next(one for one in range(6) if one not in (GUIDE, RIVAL))
    views = [Claim(Variable(View((focus,), one), *NOW), frame.matters[one].meant) for one in (0, 1)]
    guard = [Variable(View((RIVAL, focus), one), *NOW) for one in (0, 1)]
    acts = [
        Claim(Variable(kind, 3, True), value)
        for number in (0, 1)
        for kind, value in ((Intention(focus, number), "ask"), (Manner(focus, number), "face"))
    ]
    word = draw.words(frame, 1)[style % len(draw.words(frame, 1))]
    return {
        "guidance_action": phrasing.guidance_action(lexicon, frame, 1, views, guard, style),
        "transition_state": phrasing.transition_state(lexicon, {1: word}, [focus], [0], NOW, style),
        "transition_reason": phrasing.transition_reason(
            lexicon, {1: word, 2: None}, Emotion(focus, 0), NOW, style
        ),
        "transition_plan": phrasing.transition_plan(lexicon, frame, acts, style),
    }


@pytest.mark.parametrize("style", STYLES)
def test_questions_ask_something_and_leave_the_rest_as_told(style: int) -> None:
    for seed in SEEDS:
        for text in questions(seed, style).values():
            assert faults(text) == []
            assert text.endswith("?")
            assert text[0].isupper()
            assert "told" in text
            assert " ." not in text
            assert "scene" in text


def test_questions_have_enough_wordings() -> None:
    for kind in questions(0, 0):
        assert len({questions(0, style)[kind] for style in STYLES}) >= 6
        assert len(filled.phrases().questions[kind]) >= 6


def test_an_aim_says_right_and_does_not_give_away_the_facts() -> None:
    frame, lexicon = stage(7)
    text = phrasing.guidance_action(
        lexicon, frame, 1,
        [Claim(Variable(View((0,), one), *NOW), frame.matters[one].meant) for one in (0, 1)], [], 0,
    )  # fmt: skip
    assert "is right about both what lay behind" in text
    for number, value in product((0, 1), VALUES):
        assert lexicon.phrase("matter", number, "took", value) not in text


@pytest.mark.parametrize("seed", SEEDS)
def test_in_an_aim_a_clause_without_a_name_is_of_the_person_named_last(seed: int) -> None:
    frame, lexicon = stage(seed)

    def aim(*people: int) -> str:
        said = [Claim(Variable(Intention(one, at), *NOW), "ask") for at, one in enumerate(people)]
        return phrasing.transition_plan(lexicon, frame, said)

    one, other = (lexicon.people[at].name for at in (0, 3))
    back = aim(0, 3, 0)
    assert f"; and {other} " in back
    assert back.rindex(f"; and {one} ") > back.index(f"; and {other} ")
    alike = aim(0, 3, 3)
    assert f"; and {other} " in alike
    assert alike.count("; and ") == 2
    assert f"; and {one} " not in alike
    assert alike.count(f"; and {other} ") == 1


@pytest.mark.parametrize("number", [2, 3, 10])
def test_plans_of_a_stage_name_those_whom_they_are_about(number: int) -> None:
    """Read off the text, and set beside who the claims are about. Plans here come back to somebody."""
    made = synthetic.stage(1, 0, number, 4, 5)
    names = [one.name for one in made.lexicon.people]
    came_back = 0
    for row in rows.question_rows("SC", "base", True, made):
        if row["type"] != "transition_plan":
            continue
        said = [one["of"] for one in json.loads(row["asked"])["aim"]]
        people = [one["chain"][0] if "chain" in one else one["person"] for one in said]
        # An action is one clause: what somebody means to do, and the manner.
        people = [one for one, what in zip(people, said, strict=True) if what["kind"] != "manner"]
        clauses = row["question"].split("; and ")
        assert f"{names[people[0]]} " in clauses[0]
        about = people[:1]
        for clause in clauses[1:]:
            first = clause.split(" ", 1)[0]
            about.append(names.index(first) if first in names else about[-1])
        assert about == people, row["question"]
        came_back += any(one == people[0] != before for before, one in pairwise(people))
    assert came_back > 0


def test_guards_name_whose_thoughts_are_not_to_change() -> None:
    _, lexicon = stage(8)
    names = [one.name for one in lexicon.people]
    view = Variable(View((RIVAL, 0), 0), *NOW)
    text = phrasing.guards(lexicon, [view, Variable(Emotion(3, 0), *NOW)])
    assert text.startswith(f", without any change in the way {names[3]} feels about ")
    assert f"{names[RIVAL]} coming to think otherwise of what {names[0]} makes of" in text
    assert text.endswith(f"than if {names[GUIDE]} kept silent")
    assert phrasing.guards(lexicon, []) == ""


def test_what_does_not_hold_is_said_to_be_not_so() -> None:
    frame, lexicon = stage(9)
    one = Claim(Variable(Emotion(3, 0), *NOW), "hurt", holds=False)
    assert phrasing.claim(lexicon, frame, one).startswith("it is not so that ")


def test_words_of_the_guide() -> None:
    frame, lexicon = stage(10)
    one = draw.words(frame, 0)[0]
    found = lexicon.phrase("word", one.matter, one.to, one.setting, one.tone)
    assert phrasing.word(lexicon, one) == found
    assert phrasing.word(lexicon, None) == lexicon.phrase("word", "none")
