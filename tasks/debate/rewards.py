"""Rewards for the synthetic debate beliefs: gold answers come from the population's model.

    GRPOTrainer(reward_funcs=[answer_reward, readable_reward], …)

An answer is read by the benchmark's own parser. Gold answers are drawn with the probabilities of the
model behind the population, so that even the best reader is not always rewarded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherminds.metrics.debate import parse_prediction
from otherminds.rewards.rows import Rewarding, Row, readable

DATASET = "debate-beliefs-synthetic"


def sized(generator: Mapping[str, Any], people: int) -> dict[str, Any]:
    """The parameters of a release for so many people."""
    return {**generator, "users": people, "subset": min(people, generator["subset"])}


def _read(row: Row, text: str) -> bool | None:
    return parse_prediction(text, row["proposition"])


def _is_right(row: Row, answer: Any) -> float:
    return float(answer is bool(row["agrees"]))


REWARDING = Rewarding(
    benchmark="debate",
    datasets=(DATASET,),
    columns=("proposition", "agrees"),
    gold="agrees",
    read=_read,
)

answer_reward = REWARDING.reward("answer_reward", _is_right)
readable_reward = REWARDING.reward("readable_reward", readable)
