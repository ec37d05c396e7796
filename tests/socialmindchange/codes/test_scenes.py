from __future__ import annotations

import re

from otherminds.dataset_builders.socialmindchange.codes.content import Content, state_words
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage
from otherminds.dataset_builders.socialmindchange.codes.trajectory import TARGET


def test_everybody_speaks_in_every_scene(stages: list[Stage]) -> None:
    for stage in stages:
        for scene in stage.scenes:
            assert {turn.speaker for turn in scene} - {""} == {one.given for one in stage.people}


def test_no_scene_names_a_state(stages: list[Stage]) -> None:
    named = re.compile(rf"\b({'|'.join(state_words())})\b", re.IGNORECASE)
    for stage in stages:
        assert not [
            turn.text for scene in stage.scenes for turn in scene if named.search(turn.text)
        ]


def test_no_slot_or_choice_is_left_open(stages: list[Stage]) -> None:
    for stage in stages:
        texts = [*stage.profile, stage.background, *(t.text for s in stage.scenes for t in s)]
        assert not [text for text in texts if re.search(r"[\[\]{}|]|  |\.\.|,,", text)]


def test_sentences_begin_with_a_capital(stages: list[Stage]) -> None:
    for stage in stages:
        texts = [stage.background, *(turn.text for scene in stage.scenes for turn in scene)]
        assert not [text for text in texts if re.search(r"^[a-z]|[.!?] [a-z]", text)]


def test_nobody_is_told_about_themselves(content: Content, stages: list[Stage]) -> None:
    """Between a clause that takes somebody out of hearing and the end of the talk, they say nothing."""
    decoder = Decoder(content)
    for stage in stages:
        for scene, moment in zip(stage.scenes, stage.trajectory.moments, strict=True):
            about = stage.people[moment.belief.about].given
            focus = stage.people[TARGET].given
            said = [place for place, turn in enumerate(scene) if turn.speaker == focus]
            cued = [place for place in said if decoder.spoken(scene[place].text)]
            between = scene[cued[0] : cued[-1] + 1]
            assert about not in {turn.speaker for turn in between}


def test_the_mind_of_the_person_in_focus_shows_in_every_scene(
    content: Content, stages: list[Stage]
) -> None:
    decoder = Decoder(content)
    for stage in stages:
        focus = stage.people[TARGET].given
        for scene, moment in zip(stage.scenes, stage.trajectory.moments, strict=True):
            belief = moment.belief
            shown = {
                found.meaning
                for turn in scene
                if turn.speaker == focus
                for found in decoder.spoken(turn.text)
            }
            kind = (belief.level, belief.matter, belief.agency)
            assert shown == {("belief", *kind[:2]), ("intention", *kind)}


def test_people_speak_in_their_register(stages: list[Stage]) -> None:
    short = re.compile(r"\b(I'm|I'd|don't|can't|won't|\w+'ll)\b")
    by_register: dict[str, list[bool]] = {}
    for stage in stages:
        registers = {person.given: person.register for person in stage.people}
        for scene in stage.scenes:
            for turn in scene:
                if turn.speaker:
                    found = by_register.setdefault(registers[turn.speaker], [])
                    found.append(short.search(turn.text) is not None)
    assert not any(by_register["formal"])
    assert sum(by_register["casual"]) > sum(by_register["plain"]) > 0


def test_longer_stages_and_larger_groups_have_their_size(stages: list[Stage]) -> None:
    sizes = {(len(stage.people), len(stage.scenes)) for stage in stages}
    assert sizes == {(4, 5), (5, 5), (6, 5), (4, 6), (4, 7)}
