"""Frames of units: the same words give the same units, and golds follow from a unit alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from otherminds.construct import Plan, pipelines
from otherminds.construct import folder as folders
from otherminds.dataset_builders.socialmindchange.authored import events, phrases, units
from otherminds.dataset_builders.socialmindchange.authored.stage import Given
from otherminds.dataset_builders.socialmindchange.authored.symbols import question, question_json
from otherminds.dataset_builders.socialmindchange.evaluator import Evaluator
from otherminds.dataset_builders.socialmindchange.telling.lexicon import LexiconError
from otherminds.dataset_builders.socialmindchange.world.frame import Show, Tell
from tests.socialmindchange.construction.conftest import written


@pytest.mark.slow
def test_an_export_is_deterministic(tmp_path: Path) -> None:
    pipeline = pipelines.named("socialmindchange")
    for name in ("one", "other"):
        folders.export(pipeline, Plan(n=2, seed=0), tmp_path / name)
    for path in ("frames.jsonl", "sheets/context.jsonl"):
        one, other = ((tmp_path / name / path).read_bytes() for name in ("one", "other"))
        assert one == other
    # A unit does not depend on how many there are.
    first = json.loads((tmp_path / "one" / "frames.jsonl").read_text().splitlines()[0])
    [alone] = pipeline.frames(Plan(n=1, seed=0))
    assert first["frame_hash"] == alone.frame_hash


def test_half_of_the_units_have_the_usual_size() -> None:
    assert Counter(units.SIZES)["base", 4, 5] * 2 == len(units.SIZES)
    assert {size[0] for size in units.SIZES} == {
        "base",
        "group_5",
        "group_6",
        "length_6",
        "length_7",
    }
    assert units.STAGES % len(units.SIZES) == 0


@pytest.mark.parametrize("number", [1, 2])
def test_questions_are_kept_whole(number: int) -> None:
    unit = written(number)
    found = Given.of(unit).questions
    assert len(found) == 80
    assert [question_json(question(one)) for one in unit.frame["questions"]] == unit.frame[
        "questions"
    ]
    evaluator = Evaluator(unit.frame["world"])
    for one in found:
        right = evaluator.right(one.asked_json(), [one.claims_json(each) for each in one.options])
        assert right == [True] + [False] * (len(one.options) - 1)


def test_letters_follow_from_the_frame_and_no_text() -> None:
    unit = written(1)
    given = Given.of(unit)
    told = unit.texts["lexicon"]["phrases"]
    other = {key: f"{phrase} indeed" for key, phrase in told.items()}
    one, another = given.items(told), given.items(other)
    assert [item.answer for item in one] == [item.answer for item in another]
    assert [item.symbols for item in one] == [item.symbols for item in another]


def test_needed_phrases_are_those_that_are_used() -> None:
    given = Given.of(written(1))
    told = written(1).texts["lexicon"]["phrases"]
    wanted = phrases.needed(given)
    assert sorted(told) == wanted
    for key in wanted:
        with pytest.raises(LexiconError, match=key):
            given.items({name: phrase for name, phrase in told.items() if name != key})


@pytest.mark.parametrize("number", [1, 2])
def test_events_are_those_of_the_frame(number: int) -> None:
    given = Given.of(written(number))
    topics = ["matter A", "matter B", "matter C"]
    for place, scene in enumerate(given.frame.scenes):
        found = events.of_scene(given, place, topics)
        names = [one.name for one in found]
        assert len(set(names)) == len(names)
        told = [one for one in found if one.name.startswith("happening")]
        assert len(told) == len(scene.happenings)
        for event, one in zip(told, scene.happenings, strict=True):
            if isinstance(one, Tell | Show):
                assert given.names[one.speaker] in event.line
                assert topics[one.matter] in event.line
        assert found[-1].there == given.frame.present_at_end(place)


def test_plans_that_cannot_be_met(tmp_path: Path) -> None:
    pipeline = pipelines.named("socialmindchange")
    with pytest.raises(ValueError, match="n is 0"):
        pipeline.frames(Plan(n=0))
    with pytest.raises(ValueError, match="takes no material"):
        pipeline.frames(Plan(material=tmp_path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(units, "MOST_FRAMES", 0)
        with pytest.raises(ValueError, match="Give another seed"):
            units.frames(1, 0)


@pytest.mark.parametrize("number", range(8))
def test_nobody_does_what_readers_found_odd(number: int) -> None:
    """The first stories were mostly rated below 4 of 5: the same told again, proof against oneself, and
    claims to who had seen the proof."""
    frame = Given.of(written(number)).frame
    told, shown = [], set()
    for scene in frame.scenes:
        assert sum(isinstance(one, Tell) for one in scene.happenings) <= 2
        for one in scene.happenings:
            if isinstance(one, Show):
                matter = frame.matters[one.matter]
                assert (matter.doer, matter.meant) != (one.speaker, "ill")
                assert matter.doer != one.to
                shown.add(one.matter)
            elif isinstance(one, Tell):
                told.append((one.speaker, one.to, one.matter, one.value))
                assert one.matter not in shown or one.value == frame.matters[one.matter].meant
    assert len(told) == len(set(told))
