from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from otherminds.dataset_builders.socialmindchange.codes import synthetic
from otherminds.dataset_builders.socialmindchange.codes.rows import QUESTIONS, STAGES
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec

from .conftest import PARAMETERS


def test_a_build_has_a_row_for_each_stage_and_question(tables: dict[str, pa.Table]) -> None:
    assert {name: table.num_rows for name, table in tables.items()} == {
        "stages": 12,
        "questions": 12 * 80,
        "stages_variants": 4,
        "questions_variants": 4 * 80,
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
    assert seen[-1] == (16, 16)


def test_a_stage_does_not_depend_on_how_many_there_are(tables: dict[str, pa.Table]) -> None:
    fewer = synthetic.build(synthetic.spec(PARAMETERS | {"stages": 3, "lite": 0, "variants": {}}))
    assert sorted(fewer) == ["questions", "stages"]
    without = ["in_lite"]
    assert (
        fewer["stages"]
        .drop_columns(without)
        .equals(tables["stages"].slice(0, 3).drop_columns(without).combine_chunks())
    )
    assert (
        fewer["questions"]
        .drop_columns(without)
        .equals(tables["questions"].slice(0, 240).drop_columns(without).combine_chunks())
    )


def test_another_seed_gives_another_dataset(tables: dict[str, pa.Table]) -> None:
    other = synthetic.build(
        synthetic.spec(PARAMETERS | {"seed": 8, "stages": 2, "lite": 0, "variants": {}})
    )
    ours = tables["stages"]["background"].to_pylist()
    assert not set(other["stages"]["background"].to_pylist()) & set(ours)


def test_lite_marks_whole_stages(tables: dict[str, pa.Table]) -> None:
    stages = tables["stages"].to_pylist()
    chosen = {row["stage_id"] for row in stages if row["in_lite"]}
    assert len(chosen) == 3
    questions = tables["questions"].select(["stage_id", "in_lite"]).to_pylist()
    assert {row["stage_id"] for row in questions if row["in_lite"]} == chosen
    assert not any(tables["stages_variants"]["in_lite"].to_pylist())


def test_questions_name_their_prerequisites_in_the_same_stage(tables: dict[str, pa.Table]) -> None:
    for row in tables["questions"].slice(0, 160).to_pylist():
        assert all(name.startswith(f"{row['stage_id']}-GA-") for name in row["prerequisites"])
        assert (
            (row["span"] == 0) == (row["type"] == "guidance_action") == (not row["prerequisites"])
        )


def test_states_are_given_for_everybody_in_every_scene(tables: dict[str, pa.Table]) -> None:
    for row in tables["stages"].slice(0, 5).to_pylist():
        assert len(row["states"]) == 4 * 5
        focus = row["characters"][0]["given"]
        for mind in row["states"]:
            assert (len(mind["shown"]) == 4) == (mind["person"] == focus)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"group_size": 7}, "group_size of base is 7, but must lie between 4 and 6"),
        ({"scenarios": 3}, "scenarios of base is 3, but must lie between 5 and 7"),
        ({"stages": 0}, "stages of base is 0"),
        ({"lite": 13}, "lite is 13, but must lie between 0 and 12"),
        ({"seed": -1}, "seed is -1"),
        (
            {"variants": {"group_7": {"stages": 1, "group_size": 7, "scenarios": 5}}},
            "of group_7 is 7",
        ),
        ({"variants": {"group_5": {"stages": 1}}}, "variant 'group_5' has stages"),
        ({"colour": "red"}, "A generator has the parameters"),
    ],
)
def test_impossible_parameters_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        synthetic.spec(PARAMETERS | change)


def test_at_least_one_process_is_needed(spec: SocialMindSpec) -> None:
    with pytest.raises(ValueError, match="num_proc is 0"):
        synthetic.build(spec, num_proc=0)


def test_the_hash_does_not_depend_on_chunks(tables: dict[str, pa.Table]) -> None:
    table = tables["stages"]
    assert synthetic.content_hash(table) == synthetic.content_hash(table.combine_chunks())
