"""The scale edition as students see it: what is read of its text, and what options claim."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.socialmindchange.world.frame import Frame, Show, Tell
from otherminds.dataset_builders.socialmindchange.world.roll import Played, Roll, spoken
from otherminds.metrics.socialmindchange import LETTERS
from otherminds.students import audit, rows
from otherminds.students.halves import asked, halves, labelled, unlabelled
from otherminds.students.roster import ROSTER
from otherminds.students.view import Clues, Item
from otherminds.tasks.socialmindchange import scale_lines, scale_lookup, scale_students
from otherminds.tasks.socialmindchange.scale_lines import Reading, Told
from tests.helpers import fictional_socialmindchange_scale as fictional

Tables = Mapping[str, pa.Table]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fictional.shared(tmp_path_factory)


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tables:
    return fictional.rows(folder)


@pytest.fixture(scope="module")
def stages(tables: Tables) -> list[dict[str, Any]]:
    return tables["stages"].to_pylist()


@pytest.fixture(scope="module")
def items(tables: Tables) -> list[Item]:
    return list(scale_students.items(tables))


@pytest.fixture(scope="module")
def clues(tables: Tables) -> Clues:
    return scale_students.clues(tables)


def frame_of(stage: Mapping[str, Any]) -> Frame:
    return Frame.of_json(json.loads(stage["frame"]))


def without_truth(stage: Mapping[str, Any]) -> dict[str, Any]:
    """A stage of which nobody has the world."""
    people = [{"given": one["given"]} for one in stage["characters"]]
    shown = ("profile", "background", "scenes", "lexicon")
    return {"characters": people, **{name: stage[name] for name in shown}}


def test_people_and_what_went_before_are_read_from_the_text_alone(
    stages: list[dict[str, Any]],
) -> None:
    for stage in stages:
        found, frame = scale_lines.read(without_truth(stage)), frame_of(stage)
        everybody = range(frame.size)
        assert [found.ears[one] for one in everybody] == [one.ear for one in frame.people]
        assert [found.faces[one] for one in everybody] == [one.face for one in frame.people]
        assert found.lead == frame.lead
        for one in everybody:
            for other in set(everybody) - {one}:
                assert found.tie(one, other) == frame.ties[one][other]
        assert found.matters == [(one.doer, one.bearer) for one in frame.matters]
        assert [found.meant[one] for one in range(len(frame.matters))] == [
            one.meant for one in frame.matters
        ]
        for number, matter in enumerate(frame.matters):
            for one in set(everybody) - {matter.doer}:
                assert found.stakes[one, number] == frame.stakes[one][number]
        assert set(found.promises) == {(one.by, one.to, one.matter) for one in frame.promises}


def test_scenes_are_read_from_the_text_alone(stages: list[dict[str, Any]]) -> None:
    for stage in stages:
        found, frame = scale_lines.read(without_truth(stage)), frame_of(stage)
        roll = Roll(frame)
        for number, scene in enumerate(frame.scenes):
            assert found.there_first[number + 1] == frozenset(scene.present)
            assert found.there[number + 1] == frame.present_at_end(number)
            told = [_as_told(one) for one in found.events if one.scene == number + 1]
            assert told == _happened(frame, number, roll.scene(number, roll.told))


def _happened(frame: Frame, number: int, played: Played) -> list[tuple[object, ...]]:
    scene = frame.scenes[number]
    found: list[Tell | Show] = [*played.passed]
    found += [one for one in scene.happenings if isinstance(one, Tell | Show)]
    found += [one.says for one in played.acts if one.says is not None]
    found += [] if scene.word is None else [spoken(frame, scene.word)]
    return [
        (one.speaker, one.matter, frame.matters[one.matter].meant, one.to, one.setting)
        if isinstance(one, Show)
        else (one.speaker, one.matter, one.value, one.to, one.setting, one.tone, one.chance)
        for one in found
    ]


def _as_told(one: Told) -> tuple[object, ...]:
    shown = (one.speaker, one.matter, one.value, one.to, one.setting)
    return shown if one.proof else (*shown, one.tone, one.chance)


def test_items_are_the_questions_with_the_lines_that_bear_on_them(
    items: list[Item], tables: Tables
) -> None:
    asked_rows = {row["item_id"]: row for row in tables["questions"].to_pylist()}
    assert len(items) == len(asked_rows)
    for item in items:
        row = asked_rows[item.item_id]
        assert item.gold == LETTERS.index(row["answer"])
        assert len(item.options) == len(item.claims) in (8, 16)
        assert item.line
        # No line of a state of mind, and nothing of the world, is shown.
        assert not any('"kind"' in one for one in (item.background, item.line, *item.text))


def test_slots_say_what_options_claim(items: list[Item], tables: Tables) -> None:
    asked_rows = {row["item_id"]: row for row in tables["questions"].to_pylist()}
    for item in items:
        row = asked_rows[item.item_id]
        for claims, told in zip(item.claims, map(json.loads, row["claims"]), strict=True):
            if row["type"] == "guidance_action":
                word = told["word"]
                assert claims[f"ear:{word['to']}"] == word["tone"]
                assert claims[f"face:{word['to']}"] == word["setting"]
                assert claims[f"{item.item_id} mistaken"] == str(word["matter"])
            elif row["type"] == "transition_plan":
                # How much of the aim a look-up finds after these words.
                assert set(claims) == {f"{item.item_id} met"}
                held, _, aims = claims[f"{item.item_id} met"].partition("of")
                assert 0 <= int(held) <= int(aims) == len(json.loads(row["asked"])["aim"])
            else:
                shared = {scale_students.named(one["of"]): one["is"] for one in told}
                assert shared.items() <= claims.items()


def test_names_of_slots() -> None:
    view = {"kind": "view", "chain": [0, 3], "matter": 1, "scene": 3}
    feels = {"kind": "emotion", "person": 0, "matter": 1, "scene": 3, "close": True}
    assert scale_students.named(view) == "view:0-3:m1@3"
    assert scale_students.named(feels) == "emotion:0:m1@3close"
    assert scale_students.named({"kind": "stake", "person": 2, "matter": 0}) == "stake:2:m0"
    assert scale_students.named({"kind": "present", "person": 2, "scene": 4}) == "present:2@4"
    changed = {"kind": "changed", "what": view, "since": 2}
    assert scale_students.named(changed) == "changed:view:0-3:m1@3-2"


def test_clues_are_on_what_options_claim_and_name_nobody(
    items: list[Item], clues: Clues, stages: list[dict[str, Any]]
) -> None:
    names = {stage["stage_id"]: [one["given"] for one in stage["characters"]] for stage in stages}
    slots = defaultdict(set)
    for item in items:
        slots[item.group] |= {slot for claims in item.claims for slot in claims}
    people = {f"{kind}:{place}" for kind in ("ear", "face") for place in range(4)}
    for group, some in clues.items():
        assert {clue.slot for clue in some} <= slots[group] | people
        for clue in some:
            assert not any(name in clue.text for name in names[group])
        # Of every question there is something to look up.
        own = {clue.slot.split(" ")[0] for clue in some}
        asked_of = [item for item in items if item.group == group]
        assert all(item.item_id in own for item in asked_of)
    places = {clue.place for some in clues.values() for clue in some}
    assert places == {"background", "line", "text"}


def test_values_come_from_right_options_and_people_and_not_from_the_world(
    tables: Tables, clues: Clues
) -> None:
    """What a student is tested on hides golds: nothing else of a clue may change with them."""
    changed = tables["questions"].to_pylist()
    for row in changed:
        row["answer"] = LETTERS[(LETTERS.index(row["answer"]) + 1) % len(row["options"])]
    stages = tables["stages"].to_pylist()
    for stage in stages:
        stage["frame"], stage["states"] = "{}", []
    other = scale_students.clues(
        {"questions": pa.Table.from_pylist(changed), "stages": pa.Table.from_pylist(stages)}
    )
    hidden = [
        {group: {replace(clue, value=None) for clue in some} for group, some in one.items()}
        for one in (clues, other)
    ]
    for group in clues:
        # Guidance claims ears and faces of two people; which of them depends on the right option.
        assert hidden[0][group] == hidden[1][group]


READING = Reading(
    names=("Tom", "Gina", "Rita", "Lena"),
    ears={0: "gentle", 1: "plain", 2: "plain", 3: "plain"},
    faces={0: "aside", 1: "open", 2: "open", 3: "open"},
    ties={(0, 3): "warm", (1, 3): "cold", (2, 3): "warm"},
    lead=3,
    matters=[(2, 0)],
    meant={0: "good"},
)


def told(speaker: int, to: int | None, value: str, tone: str = "gentle", **changes: Any) -> Told:
    everybody = frozenset(range(4))
    setting = changes.pop("setting", "open")
    heard = everybody if setting == "open" or to is None else frozenset((speaker, to))
    return Told(1, 0, speaker, 0, value, to, setting, tone, heard, **changes)


@pytest.mark.parametrize(
    ("events", "people", "expected"),
    [
        # Tom does not care for Rita, who did it; Lena likes her.
        ([], [0], "ill"),
        ([], [3], "good"),
        ([], [0, 3], "good"),
        ([], [2], "good"),
        # Lena, a friend, tells Tom gently and aside, as he takes it.
        ([told(3, 0, "good", setting="aside")], [0], "good"),
        # She has an axe to grind, but is a friend; put otherwise, it does not reach him.
        ([told(3, 0, "good", "plain", setting="aside")], [0], "ill"),
        ([told(3, 0, "good")], [0], "ill"),
        # Of Gina, whom Tom hardly knows, a word counts if she has no axe to grind.
        ([told(1, 0, "good", setting="aside")], [0], "good"),
        ([told(2, 0, "good", setting="aside")], [0], "ill"),
        # A word to somebody else is not weighed; a word to all is, if it is a friend's.
        ([told(3, 2, "good")], [0], "ill"),
        ([told(3, None, "good")], [0], "good"),
        ([told(1, None, "good")], [0], "ill"),
        # Who is not there hears nothing.
        ([told(3, 0, "good", setting="aside")], [2, 0], "ill"),
        # People are taken at their word, and proof ends it.
        ([told(3, None, "ill")], [0, 3], "ill"),
        ([told(1, 0, "good", proof=True), told(3, 0, "ill", setting="aside")], [0], "good"),
    ],
)
def test_a_look_up_takes_the_last_word_that_would_be_believed(
    events: list[Told], people: list[int], expected: str
) -> None:
    assert scale_lookup.view(READING, events, people, 0) == expected


def test_a_look_up_reads_and_does_not_roll_the_world_on(items: list[Item], clues: Clues) -> None:
    """Trained and tested on its own half, with what every line shows, it is far above chance."""
    trained, tested = halves(items, groups=None, seed=audit.SEED)
    [entry] = [one for one in ROSTER if one.name == "frame"]
    scores = entry.answers(
        trained, asked(tested), labelled(clues, trained), unlabelled(clues, tested), audit.SEED
    )
    right = [int(one.argmax()) == item.gold for one, item in zip(scores, tested, strict=True)]
    assert sum(right) / len(right) > 0.2


def test_the_view_is_that_of_the_dataset(folder: Path) -> None:
    given = rows.load(fictional.DATASET, source=str(folder), whole=True)
    assert given.view.called == "stages"
    assert given.view.part == "lite"
    assert given.readers == {}
    assert given.repeats is not None
    assert given.repeats.units == fictional.PARAMETERS["stages"]
    assert len(given.items) == 80 * fictional.PARAMETERS["stages"]
    assert given.clues is not None
    assert set(given.clues) == {item.group for item in given.items}
