"""The build depends on its parameters alone, and its parts are those of the whole."""

from __future__ import annotations

import sys
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from otherminds import manifest
from otherminds.data.build import dataset as engine
from otherminds.dataset_builders.parts import processes
from otherminds.dataset_builders.socialmindchange.asking import agenda
from otherminds.dataset_builders.socialmindchange.asking.situations import NoQuestionError
from otherminds.dataset_builders.socialmindchange.scale import stage as staging
from otherminds.dataset_builders.socialmindchange.scale import synthetic, wording
from otherminds.dataset_builders.socialmindchange.scale.rows import QUESTIONS, STAGES
from otherminds.dataset_builders.socialmindchange.scale.spec import Purpose, stream
from otherminds.dataset_builders.socialmindchange.scale.stage import Stage, StageError
from otherminds.dataset_builders.socialmindchange.scale.wording import SameTextError
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec
from otherminds.dataset_builders.socialmindchange.world import draw

from .conftest import PARAMETERS


def test_a_build_has_a_row_for_each_stage_and_question(tables: dict[str, pa.Table]) -> None:
    assert {name: table.num_rows for name, table in tables.items()} == {
        "stages": 3,
        "questions": 3 * 80,
        "stages_variants": 1,
        "questions_variants": 80,
    }
    assert tables["stages"].schema == STAGES
    assert tables["questions_variants"].schema == QUESTIONS


@pytest.mark.slow
def test_the_number_of_workers_does_not_matter(
    spec: SocialMindSpec, tables: dict[str, pa.Table]
) -> None:
    seen: list[tuple[int, int]] = []
    again = synthetic.build(
        spec, num_proc=2, progress=lambda done, total: seen.append((done, total))
    )
    assert all(table.equals(again[name]) for name, table in tables.items())
    assert seen[-1] == (4, 4)


def test_the_lite_slice_is_what_the_whole_marks(
    spec: SocialMindSpec, tables: dict[str, pa.Table]
) -> None:
    lite = synthetic.sliced(spec, "lite").tables(processes(1))
    assert sorted(lite) == ["questions", "stages"]
    for name, table in lite.items():
        marked = tables[name].filter(pc.field("in_lite"))
        assert table.equals(marked.combine_chunks())
    with pytest.raises(ValueError, match="There is no slice 'heavy'"):
        synthetic.sliced(spec, "heavy")


def test_the_head_is_the_beginning_of_the_whole(
    spec: SocialMindSpec, tables: dict[str, pa.Table]
) -> None:
    smaller, parts = synthetic.head(synthetic.scaled(spec, 3), 1)
    assert (smaller.stages, smaller.lite, smaller.variants, parts) == (3, 1, {}, 1)
    assert synthetic.build(smaller)["stages"].equals(tables["stages"].combine_chunks())


def test_a_stage_does_not_depend_on_how_many_there_are(tables: dict[str, pa.Table]) -> None:
    fewer = synthetic.build(synthetic.spec(PARAMETERS | {"stages": 1, "lite": 0, "variants": {}}))
    for name, rows in (("stages", 1), ("questions", 80)):
        found, ours = (table[name].drop_columns(["in_lite"]) for table in (fewer, tables))
        assert found.equals(ours.slice(0, rows).combine_chunks())


def test_another_seed_gives_another_dataset(tables: dict[str, pa.Table]) -> None:
    def texts(seed: int) -> list[Any]:
        return [
            int(stream(seed, 0, 0, purpose, attempt).integers(2**62))
            for purpose in Purpose
            for attempt in range(3)
        ]

    assert not set(texts(0)) & set(texts(1))
    assert len(set(texts(0))) == 3 * len(Purpose)
    assert len(set(tables["stages"]["background"].to_pylist())) == 3


def test_of_fewer_stages_variants_have_fewer_in_proportion() -> None:
    release = synthetic.spec(manifest.load("socialmindchange-scale").generator or {})

    def counts(stages: int) -> set[int]:
        scaled = synthetic.scaled(release, stages)
        assert scaled.stages == stages
        return {one["stages"] for one in scaled.variants.values()}

    assert counts(20) == {1}
    assert counts(release.stages // 2) == {30}
    assert counts(release.stages * 10) == {60}


def test_a_trial_has_something_of_everything(spec: SocialMindSpec) -> None:
    small = synthetic.trial(spec)
    assert (small.stages, small.lite, small.variants["length_6"]["stages"]) == (2, 2, 1)


# Drawn anew


def test_people_are_kept_when_a_frame_is_drawn_anew(
    monkeypatch: pytest.MonkeyPatch, made: Stage
) -> None:
    frames: list[Any] = []
    draw_frame = draw.frame

    def drawn(*args: Any) -> Any:
        frames.append(draw_frame(*args))
        return frames[-1]

    monkeypatch.setattr(draw, "frame", drawn)
    again = synthetic.stage(1, 0, 0, 5, 5)
    assert again.story == made.story
    assert len(frames) == made.redrawn + 1
    assert len({frame.people for frame in frames}) == 1
    assert len({str(frame.as_json()) for frame in frames}) == len(frames)
    assert [one.name for one in made.frame.people] == [one.given for one in made.people]


def test_each_drawing_anew_is_counted(monkeypatch: pytest.MonkeyPatch, made: Stage) -> None:
    calls = 0
    word = wording.items

    def refused(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise SameTextError("Two options read the same.")
        return word(*args)

    monkeypatch.setattr(staging, "items", refused)
    again = synthetic.stage(1, 0, 0, 5, 5)
    assert again.redrawn == made.redrawn + 2
    assert again.frame == made.frame
    assert again.lexicon != made.lexicon
    assert [one.answer for one in again.items] == [one.answer for one in made.items]


def test_a_stage_that_never_has_its_questions_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: Any) -> Any:
        raise NoQuestionError("guidance_action: 0 occasions")

    monkeypatch.setattr(agenda, "questions", none)
    monkeypatch.setattr(staging, "MOST_FRAMES", 3)
    message = "Stage 8 of family 1 of seed 5, with 4 people and 6 scenes: none of 3 frames"
    with pytest.raises(StageError, match=message):
        synthetic.stage(5, 1, 7, 4, 6)


# Parameters


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"group_size": 7}, "group_size of base is 7, but must lie between 4 and 6"),
        ({"group_size": 3}, "group_size of base is 3"),
        ({"scenarios": 8}, "scenarios of base is 8, but must lie between 5 and 7"),
        ({"scenarios": "5"}, "scenarios of base is '5', but must be a whole number"),
        ({"stages": 0}, "stages of base is 0"),
        ({"stages": True}, "stages of base is True"),
        ({"stages": sys.maxsize}, "stages of base is"),
        ({"lite": 4}, "lite is 4, but must lie between 0 and 3"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 0.5}, "seed is 0.5"),
        ({"variants": {"group_7": {"stages": 1, "group_size": 7, "scenarios": 5}}}, "of group_7 is 7"),
        ({"variants": {"group_5": {"stages": 1}}}, "variant 'group_5' has stages"),
        (
            {"variants": {"base": {"stages": 1, "group_size": 5, "scenarios": 5}}},
            "is not called base",
        ),
        ({"colour": "red"}, "A generator has the parameters"),
    ],
)  # fmt: skip
def test_impossible_parameters_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        synthetic.spec(PARAMETERS | change)


def test_at_least_one_process_is_needed(spec: SocialMindSpec) -> None:
    with pytest.raises(ValueError, match="num_proc is 0"):
        synthetic.build(spec, num_proc=0)


def test_the_manifest_describes_what_can_be_built() -> None:
    known = manifest.load("socialmindchange-scale")
    builder: Any = engine.builder_of(known)
    asked = builder.spec(known.generator)
    assert (asked.stages, asked.lite, asked.seed) == (1200, 120, 20261127)
    assert {name: one.stages for name, one in asked.families().items()} == {
        "base": 1200, "group_5": 60, "group_6": 60, "length_6": 60, "length_7": 60,
    }  # fmt: skip
