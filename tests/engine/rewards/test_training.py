"""Training sets: their seeds, their canary, their prompts."""

from __future__ import annotations

import re
from typing import Any

import pytest

from otherminds import benchmark, harness, manifest, rewards
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.sealing import secret
from otherminds.publishing.card_text import CANARY
from otherminds.rewards import training
from tests.helpers import small_builds

DATASETS = ("debate-beliefs-synthetic", "hugagent-synthetic", "socialmindchange-scale")
TASKS = {
    "debate_both_synthetic": "debate",
    "hugagent_bdu_synthetic": "hugagent",
    "socialmindchange_scale_lite": "socialmindchange",
}


def test_no_release_and_no_season_has_a_seed_of_a_training_set() -> None:
    of_training = [training.seed(name, n) for name in manifest.names() for n in range(50)]
    assert len(set(of_training)) == len(of_training)
    assert all(2**256 <= one < 2**257 for one in of_training)
    # Those of releases are written in their manifests.
    of_releases = [
        known.generator["seed"]
        for known in map(manifest.load, manifest.names())
        if known.generator is not None
    ]
    assert of_releases
    assert all(one < 2**64 for one in of_releases)
    # Whatever a season's secret is, its seed is a hash of 256 bits.
    for text in (b"\x00" * 32, b"\xff" * 32, bytes(range(32))):
        assert all(secret.seed(text, name, "2027-spring") < 2**256 for name in DATASETS)


@pytest.mark.parametrize("number", [-1, 1.0, True, "0", None])
def test_a_training_set_has_a_whole_number(number: Any) -> None:
    with pytest.raises(OtherMindsError, match="a whole number from 0"):
        training.seed("hugagent-synthetic", number)


def test_the_canary_of_training_sets_is_nobody_elses() -> None:
    own = [training.canary(name) for name in manifest.names()]
    others = [manifest.load(name).canary for name in manifest.names()]
    assert len({*own, *others}) == 2 * len(manifest.names())
    # A season's card has the canary of its release; what looks for canaries finds these too.
    assert all(CANARY.search(one) for one in own)
    found = [re.sub(r"^.*CANARY-", "", one) for one in (*own, *others)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("task", TASKS)
def test_prompts_are_those_of_an_evaluation(task: str) -> None:
    rows = training.prompts(task, size=4, number=3, limit=6)
    assert len(rows) == 6
    module = getattr(rewards, TASKS[task])
    assert {*rows.column_names} == {
        "prompt",
        "item_id",
        "dataset",
        "canary",
        *module.REWARDING.columns,
    }
    assert set(rows["canary"]) == {training.canary(module.DATASET)}
    assert all(one.startswith("training-3-") for one in rows["item_id"])
    texts = training.prompts(task, size=4, number=3, limit=6, chat=False)
    for row, text in zip(rows, texts, strict=True):
        system, user = row["prompt"]
        assert (system["role"], user["role"]) == ("system", "user")
        assert text["prompt"] == system["content"] + user["content"]
        assert row["item_id"] == text["item_id"]


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_the_gold_answer_is_rewarded_and_sets_differ(task: str) -> None:
    module = getattr(rewards, TASKS[task])
    first, again, other = (training.prompts(task, size=2, number=n) for n in (0, 0, 1))
    assert first.to_list() == again.to_list()
    prompts = [str(one) for one in first["prompt"]]
    assert not {*prompts} & {str(one) for one in other["prompt"]}
    told = first.to_dict()
    golds = [
        ("True" if one else "False") if isinstance(one, bool) else one
        for one in told[module.REWARDING.gold]
    ]
    if TASKS[task] == "debate":
        golds = [f"[[ ## prediction ## ]]\n{one}" for one in golds]
    del told["prompt"]
    assert set(module.answer_reward(prompts, golds, **told)) == {1}


def test_no_prompt_of_a_training_set_is_one_of_a_release(shelf: Any) -> None:
    """The same generator with the release's own way of making seeds, and with that of training sets."""
    made = harness.task_manager({"data_source": str(shelf / "hugagent-synthetic")})
    [task] = harness.load_tasks(made, ["hugagent_bsi_synthetic"]).values()
    released = {str(harness.prompt(task, doc, chat=True)) for doc in task.eval_docs}
    rows = training.prompts("hugagent_bsi_synthetic", size=12, number=3)
    assert not released & {str(one) for one in rows["prompt"]}


@pytest.mark.parametrize(
    ("task", "size", "message"),
    [
        ("nothing", 2, "Unknown task 'nothing'"),
        ("hugagent", 2, "no training sets are made"),
        ("synchtom_made", 2, "no training sets are made"),
        ("socialmindchange_codes_lite", 2, "no training sets are made"),
        ("debate_both_synthetic_logprob", 2, "compares options"),
        ("debate_both_synthetic", 0, "one person or stage at least"),
        ("debate_both_synthetic", 2.5, "one person or stage at least"),
    ],
)
def test_what_no_training_set_is_made_of(task: str, size: Any, message: str) -> None:
    with pytest.raises(OtherMindsError, match=message):
        training.prompts(task, size=size)


def test_every_dataset_of_seasons_has_training_sets() -> None:
    have = {
        name
        for one in benchmark.every()
        if hasattr(module := benchmark.resolve(one.rewards), "REWARDING")
        for name in module.REWARDING.datasets
    }
    assert have == {*DATASETS}
    assert have <= {*small_builds.GENERATED}
