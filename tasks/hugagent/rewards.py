"""Rewards for HugAgent's synthetic track: gold answers come from the simulation, and no judge is needed.

    GRPOTrainer(reward_funcs=[answer_reward, readable_reward], …)

An answer is read by the benchmark's own parser, and right as it counts it: the true letter (BSI), or a
number within its tolerance (BDU). `closeness_reward` is 1 for the true answer and falls in proportion to
the distance on the scale, to 0 from its one end to the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherminds.benchmark import builder_module
from otherminds.manifest import load
from otherminds.metrics.hugagent import TOLERANCE
from otherminds.metrics.hugagent.items import BSI
from otherminds.rewards.rows import Rewarding, Row, readable
from otherminds.tasks.hugagent.scoring import parse

DATASET = "hugagent-synthetic"


def sized(generator: Mapping[str, Any], people: int) -> dict[str, Any]:
    """The parameters of a release for so many people; raises ValueError for too few."""
    builder = builder_module(load(DATASET))
    found = builder.scaled(builder.spec({**generator, "seed": 0}), people)
    return {name: getattr(found, name) for name in generator}


def _is_right(row: Row, answer: Any) -> float:
    if row["task"] == BSI:
        return float(answer == row["answer"])
    low, high = row["scale"]
    return float(abs(answer - int(row["answer"])) <= TOLERANCE[low, high])


def _closeness(row: Row, answer: Any) -> float:
    if row["task"] == BSI:
        return float(answer == row["answer"])
    low, high = row["scale"]
    distance = abs(int(answer) - int(row["answer"]))
    return 1 - distance / int(high - low)


REWARDING = Rewarding(
    benchmark="hugagent",
    datasets=(DATASET,),
    columns=("task", "options", "scale", "scale_labels", "answer"),
    gold="answer",
    read=parse,
)

answer_reward = REWARDING.reward("answer_reward", _is_right)
closeness_reward = REWARDING.reward("closeness_reward", _closeness)
readable_reward = REWARDING.reward("readable_reward", readable)
