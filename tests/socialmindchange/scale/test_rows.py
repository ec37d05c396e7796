"""The rows say what the world is, and what rests on what."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from otherminds.dataset_builders.socialmindchange.asking.question import Question
from otherminds.dataset_builders.socialmindchange.cells import LETTERS, STATES, TYPES
from otherminds.dataset_builders.socialmindchange.evaluator import Evaluator
from otherminds.dataset_builders.socialmindchange.scale import wording
from otherminds.dataset_builders.socialmindchange.scale.needs import needs
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage
from otherminds.dataset_builders.socialmindchange.scale.wording import (
    Item,
    NotUniqueError,
    SameTextError,
)
from otherminds.dataset_builders.socialmindchange.world.frame import GUIDE, Frame

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def stages(tables: dict[str, pa.Table]) -> Rows:
    return [*tables["stages"].to_pylist(), *tables["stages_variants"].to_pylist()]


@pytest.fixture(scope="module")
def questions(tables: dict[str, pa.Table]) -> Rows:
    return [*tables["questions"].to_pylist(), *tables["questions_variants"].to_pylist()]


def test_stages_have_ids_and_the_size_of_their_family(stages: Rows) -> None:
    assert [row["stage_id"] for row in stages] == ["SC0001", "SC0002", "SC0003", "SC-length_6-0001"]
    for row in stages:
        assert len(row["characters"]) == len(row["profile"]) == row["group_size"] == 5
        assert len(row["scenes"]) == row["n_scenarios"]
        assert [scene["number"] for scene in row["scenes"]] == [*range(1, row["n_scenarios"] + 1)]
    assert [row["n_scenarios"] for row in stages] == [5, 5, 5, 6]
    assert sum(row["in_lite"] for row in stages) == 1


def test_the_frame_is_that_of_the_people(stages: Rows) -> None:
    for row in stages:
        frame = Frame.of_json(json.loads(row["frame"]))
        assert len(frame.scenes) == row["n_scenarios"]
        for person, nature in zip(row["characters"], frame.people, strict=True):
            assert (person["given"], person["role"]) == (nature.name, nature.role)
            assert (person["ear"], person["face"]) == (nature.ear, nature.face)


def test_the_lexicon_is_kept_whole(tables: dict[str, pa.Table], made: Stage) -> None:
    assert json.loads(tables["stages"]["lexicon"][0].as_py()) == dict(made.lexicon.phrases)


def test_states_are_those_of_the_world(stages: Rows) -> None:
    """Each is told of everybody but the guide and the topic's doer, as the evaluator has it."""
    for row in stages:
        frame = Frame.of_json(json.loads(row["frame"]))
        phrases = json.loads(row["lexicon"])
        evaluator = Evaluator(json.loads(row["frame"]))
        names = [one["given"] for one in row["characters"]]
        found = {(mind["scene"], mind["person"]): mind for mind in row["states"]}
        assert len(found) == len(row["states"])
        wanted = set()
        for number, scene in enumerate(frame.scenes, start=1):
            for place, name in enumerate(names):
                if place in (GUIDE, frame.matters[scene.topic].doer):
                    continue
                wanted.add((number, name))
                mind = found[number, name]
                assert all(mind[state].startswith(f"{name} ") for state in STATES[:3])
                asked = {"person": place, "matter": scene.topic, "scene": number}
                view = {"kind": "view", "chain": [place], "matter": scene.topic, "scene": number}
                took = phrases[f"matter.{scene.topic}.took.{evaluator.value(view)}"]
                # Of themselves or not: the doer, who is left out, would be called by a pronoun.
                assert mind["belief"].endswith(f"{took}.")
                intention = evaluator.value({"kind": "intention", **asked})
                does = phrases[f"intention.{intention}.{scene.topic}"]
                assert mind["intention"].split(" means ")[1][:8] == does[:8]
                there = evaluator.value({"kind": "present", "person": place, "scene": number})
                assert (mind["action"] != "") == (there == "yes")
        assert set(found) == wanted


def test_questions_come_five_of_a_kind_in_order(questions: Rows) -> None:
    for start in range(0, len(questions), 80):
        rows = questions[start : start + 80]
        assert Counter((row["type"], row["mental_state"]) for row in rows) == {
            (kind, state): 5 for kind in TYPES for state in STATES
        }
        keys = [
            (
                TYPES.index(row["type"]),
                STATES.index(row["mental_state"]),
                row["first_scene"],
                row["second_scene"],
            )
            for row in rows
        ]
        assert keys == sorted(keys)
        assert rows[0]["item_id"] == f"{rows[0]['stage_id']}-GA-belief-1"
        assert rows[-1]["item_id"] == f"{rows[0]['stage_id']}-T3-action-5"
    assert len({row["item_id"] for row in questions}) == len(questions)


def test_letters_are_even_over_a_stage(questions: Rows) -> None:
    for start in range(0, len(questions), 80):
        for size, most in ((16, 4), (8, 3)):
            rows = [row for row in questions[start : start + 80] if len(row["options"]) == size]
            counts = Counter(row["answer"] for row in rows)
            assert set(counts) <= set(LETTERS[:size])
            assert max(counts.values()) <= most
            assert min(counts[letter] for letter in LETTERS[:size]) >= most - 1


def test_each_question_says_what_it_asks(questions: Rows) -> None:
    for row in questions:
        asked = json.loads(row["asked"])
        assert (asked["type"], asked["state"]) == (row["type"], row["mental_state"])
        assert len(row["options"]) == (8 if row["type"] == "transition_plan" else 16)
        assert len(row["options"]) == len(row["claims"]) == len(row["reasons"])
        assert len(set(row["claims"])) == len(set(row["options"])) == len(row["options"])
        assert row["span"] == row["second_scene"] - row["first_scene"] >= 0
        assert row["third_order"] == (row["order"] == 3)
        assert row["steps"] >= 1
        right = LETTERS.index(row["answer"])
        assert [not codes for codes in row["reasons"]].index(True) == right


def test_what_is_supposed_of_earlier_scenes_is_said(questions: Rows) -> None:
    quiet = [
        row
        for row in questions
        if row["type"] == "guidance_action" and "words" in json.loads(row["asked"])
    ]
    for row in quiet:
        scenes = sorted(json.loads(row["asked"])["words"])
        assert row["question"].startswith("Suppose that ")
        assert all(f"scene {scene}" in row["question"] for scene in scenes)


# What a question rests on


def test_dependency_sets_are_those_of_the_paper(questions: Rows) -> None:
    by_id = {row["item_id"]: row for row in questions}
    for row in questions:
        needed = [by_id[one] for one in row["prerequisites"]]
        kinds = [(one["type"], one["mental_state"]) for one in needed]
        assert all(one["stage_id"] == row["stage_id"] for one in needed)
        if row["type"] == "guidance_action":
            assert needed == []
            continue
        assert kinds[0] == ("guidance_action", row["mental_state"])
        higher = row["type"] == "transition_state" and row["mental_state"] == "belief"
        if higher and row["order"] >= 2:
            assert len(kinds) == 1
            continue
        assert kinds[1] == ("transition_state", "belief")
        assert needed[1]["order"] >= 2
        meaning = [("transition_reason", row["mental_state"])]
        assert kinds[2:] == ([] if row["type"] == "transition_reason" else meaning)


def test_the_nearest_is_taken_and_nothing_rests_on_itself(made: Stage) -> None:
    asked = [item.asked for item in made.items]
    found = needs(asked)
    assert needs(asked) == found
    for place, one in enumerate(asked):
        if one.type == "guidance_action":
            continue
        like = [other for other in asked if other.type == "guidance_action"]
        distances = [abs(other.first - one.first) for other in like if other.state == one.state]
        assert abs(asked[found[place][0]].first - one.first) == min(distances)
    reached: set[int] = set()

    def walk(place: int, path: tuple[int, ...]) -> None:
        assert place not in path
        reached.add(place)
        for needed in found[place]:
            walk(needed, (*path, place))

    for place in range(len(asked)):
        walk(place, ())
    assert len(reached) == len(asked)


# Exactly one is right


def test_two_right_options_or_none_are_refused(made: Stage) -> None:
    for kind in TYPES:
        one = next(item.asked for item in made.items if item.asked.type == kind)
        wording.check(made.roll, [one])
        twice = replace(one, options=(one.options[0], *one.options[:-1]))
        none = replace(one, options=one.options[1:])
        for wrong, count in ((twice, 2), (none, 0)):
            with pytest.raises(NotUniqueError, match=f"{count} options are right"):
                wording.check(made.roll, [wrong])


def worded(made: Stage, asked: list[Question]) -> tuple[Item, ...]:
    first, second = (np.random.default_rng(one) for one in (1, 2))
    return wording.items(first, second, made.frame, made.lexicon, asked)


def test_options_and_questions_that_read_the_same_are_refused(made: Stage) -> None:
    one = made.items[-1].asked
    same = replace(one, options=(*one.options[:-1], one.options[0]))
    with pytest.raises(SameTextError, match="Two options read the same"):
        worded(made, [same])
    assert len(worded(made, [one])) == 1


def test_options_stand_under_other_letters_than_the_simulator_has_them(made: Stage) -> None:
    for item in made.items:
        assert sorted(map(str, item.symbols)) == sorted(map(str, item.asked.options))
        assert item.symbols[LETTERS.index(item.answer)] == item.asked.options[0]
    assert any(item.symbols[1:] != item.asked.options[1:] for item in made.items)
