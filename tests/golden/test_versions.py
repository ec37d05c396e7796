"""When a version must be raised, by made-up golden files."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.golden import texts, versions, write

TASK, DATASET = "hugagent_bsi_synthetic", "hugagent-synthetic"


def golden() -> dict[str, Any]:
    return {
        "prompts.json": {
            TASK: {
                "version": "1.0",
                "dataset": DATASET,
                "prompts": {"sha256": "p", "each": "aa bb cc"},
                "documents": {"count": 3, "sha256": "d"},
                "decoding": "{}",
                "scored": "s",
            }
        },
        "scores.json": {
            "random": {TASK: {"version": "1.0", "scores": {"acc": 0.5}, "behind": {"curve": "x"}}}
        },
        "data.json": {
            "releases": {DATASET: {"version": "1.0", "content_hash": {"bsi": "h", "bdu": "k"}}}
        },
    }


def asked(found: dict[str, Any], **changes: Any) -> None:
    found["prompts.json"][TASK].update(changes)


def scored(found: dict[str, Any], version: str, **scores: float) -> None:
    found["scores.json"]["random"][TASK].update(version=version, scores=scores)


OTHER = {"sha256": "q", "each": "aa xx cc"}


@pytest.mark.parametrize(
    "changes",
    [
        {"prompts": OTHER},
        {"decoding": '{"temperature": 1}'},
        {"scored": "t"},
        {"prompts": OTHER, "version": "0.9"},
        {"prompts": OTHER, "version": "new"},
    ],
)
def test_a_task_that_asks_something_else_is_not_written_under_its_version(
    changes: dict[str, Any],
) -> None:
    now = golden()
    asked(now, **changes)
    [told] = write.refusals(golden(), now, [])
    assert f"raise `metadata: version` from {changes.get('version', '1.0')}" in told
    # Where the version of this task stands: in a file that it includes.
    assert "tasks/hugagent/_hugagent:" in told
    assert f"{TASK} (" in told
    assert texts.REGENERATE in told
    if "prompts" in changes:
        assert "1 of 3 hashed prompts (1)" in told
    assert write.refusals(golden(), now, [TASK]) == []
    assert write.refusals(golden(), now, ["all"]) == []
    assert write.refusals(golden(), now, ["hugagent_synthetic"]) != []


@pytest.mark.parametrize("version", ["1.1", "2.0", "10.0"])
def test_a_raised_version_may_ask_and_score_something_else(version: str) -> None:
    now = golden()
    asked(now, prompts=OTHER, version=version)
    scored(now, version, acc=0.25)
    assert write.refusals(golden(), now, []) == []


def test_other_scores_take_a_raised_version_too() -> None:
    now = golden()
    scored(now, "1.0", acc=0.5000000000000001)
    [told] = write.refusals(golden(), now, [])
    assert "random: scores › acc: was 0.5, is 0.5000000000000001" in told
    now = golden()
    now["scores.json"]["random"][TASK]["behind"] = {"curve": "y"}
    [told] = write.refusals(golden(), now, [])
    assert "behind › curve" in told


def test_rows_of_a_release_take_a_raised_version_of_the_dataset() -> None:
    now = golden()
    release = now["data.json"]["releases"][DATASET]
    release["content_hash"] = {"bsi": "other", "bdu": "k"}
    asked(now, prompts=OTHER)
    told = "\n".join(write.refusals(golden(), now, []))
    assert f"cards/{DATASET}/manifest.yaml: raise `version` above 1.0" in told
    assert TASK in told
    # With other data, the same task asks something else.
    release["version"] = "1.1"
    assert write.refusals(golden(), now, []) == []


def test_what_is_new_or_gone_is_written() -> None:
    before, now = golden(), golden()
    now["prompts.json"]["hugagent_new"] = copy.deepcopy(now["prompts.json"][TASK])
    del before["scores.json"]["random"]
    assert write.refusals(before, now, []) == []
    assert write.refusals({}, now, []) == []


def test_a_version_of_a_task_of_its_own_is_found() -> None:
    found = [versions.Unraised("synchtom_judge", "1.0", ["prompts"])]
    assert "tasks/synchtom/synchtom_judge.yaml: raise" in versions.told(found, "Changed.")


def test_differences_are_told_by_their_place() -> None:
    before = {"a": {"b": 1.0, "gone": 2}, "same": [1]}
    now = {"a": {"b": 0.1 + 0.2, "new": None}, "same": [1]}
    assert texts.differences(before, now) == [
        "a › b: was 1.0, is 0.30000000000000004",
        "a › gone: is gone (was 2)",
        "a › new: is new (null)",
    ]


def test_numbers_are_stored_to_the_bit_and_what_is_none_as_text() -> None:
    value = {"x": 0.1 + 0.2, "nan": float("nan"), "low": [float("-inf")]}
    assert '"x": 0.30000000000000004' in texts.as_json(value)
    assert '"nan": "nan"' in texts.as_json(value)
    assert '"-inf"' in texts.as_json(value)
