from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from otherminds.dataset_builders.socialmindchange.cells import LETTERS, STATES, TYPES
from otherminds.dataset_builders.socialmindchange.codes import items
from otherminds.dataset_builders.socialmindchange.codes.content import Content
from otherminds.dataset_builders.socialmindchange.codes.scenes import Stage


def made(content: Content, stage: Stage) -> list[items.Item]:
    return items.questions(np.random.default_rng(1), np.random.default_rng(2), content, stage)


def test_a_stage_has_five_questions_of_each_type_and_state(
    content: Content, stages: list[Stage]
) -> None:
    for stage in stages:
        cells = Counter((item.asked.type, item.asked.state) for item in made(content, stage))
        assert cells == {(kind, state): 5 for kind in TYPES for state in STATES}


@pytest.mark.slow
def test_each_type_and_state_has_all_spans_that_there_are(
    content: Content, stages: list[Stage]
) -> None:
    for stage in stages:
        spans: dict[tuple[str, str], list[int]] = {}
        for item in made(content, stage):
            if item.asked.type != "guidance_action":
                span = item.asked.second - item.asked.first
                spans.setdefault((item.asked.type, item.asked.state), []).append(span)
        scenes = len(stage.scenes)
        for found in spans.values():
            # Five scenes have four spans, and one of length 1 more; six have five; seven have six.
            assert len(set(found)) == min(scenes - 1, 5)


@pytest.mark.slow
def test_pairs_of_scenes_are_not_repeated_within_a_type_and_state(
    content: Content, stages: list[Stage]
) -> None:
    for stage in stages:
        asked = Counter(
            (one.asked.type, one.asked.state, one.asked.first, one.asked.second)
            for one in made(content, stage)
        )
        assert max(asked.values()) == 1


def test_only_the_answer_has_nothing_against_it(content: Content, stages: list[Stage]) -> None:
    for item in made(content, stages[0]):
        right = [letter for letter, no in zip(LETTERS, item.against, strict=True) if not no]
        assert right == [item.answer]
        assert len(set(item.options)) == 16


def test_a_transition_rests_on_guidance_for_the_same_state_in_its_scenes(
    content: Content, stages: list[Stage]
) -> None:
    questions = made(content, stages[0])
    for item in questions:
        needed = [questions[place].asked for place in item.needs]
        if item.asked.type == "guidance_action":
            assert not needed
        else:
            assert [(one.type, one.state) for one in needed] == [
                ("guidance_action", item.asked.state)
            ] * 2
            assert [one.first for one in needed] == [item.asked.first, item.asked.second]


def test_a_question_without_a_single_right_option_is_an_error(
    content: Content, stages: list[Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(items, "reasons", lambda *_: [])
    with pytest.raises(items.NotUniqueError, match="16 options are right"):
        made(content, stages[0])
