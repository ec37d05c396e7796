"""Rewards for SocialMindChange's scale edition: two programs agree on every gold answer.

    GRPOTrainer(reward_funcs=[answer_reward, readable_reward], …)

A letter is read by the benchmark's own parser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherminds.metrics.socialmindchange import parse_option
from otherminds.rewards.rows import Rewarding, Row, readable

DATASET = "socialmindchange-scale"


def sized(generator: Mapping[str, Any], stages: int) -> dict[str, Any]:
    """The parameters of a release for so many stages, of its lite part, and none of other sizes."""
    return {**generator, "stages": stages, "lite": stages, "variants": {}}


def _read(row: Row, text: str) -> str | None:
    return parse_option(text, row["options"])


def _is_right(row: Row, answer: Any) -> float:
    return float(answer == row["answer"])


REWARDING = Rewarding(
    benchmark="socialmindchange",
    datasets=(DATASET,),
    columns=("options", "answer"),
    gold="answer",
    read=_read,
)

answer_reward = REWARDING.reward("answer_reward", _is_right)
readable_reward = REWARDING.reward("readable_reward", readable)
