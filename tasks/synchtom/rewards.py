"""Rewards for training a model to see what a user believes, who they are, and what would help.

A completion says what the user believes in <ToM_Belief>…</ToM_Belief>, who the user is in
<ToM_Profile>…</ToM_Profile>, and in all the rest what to do. Functions here have the shape that TRL's
GRPOTrainer calls: `reward(prompts=…, completions=…, **columns) -> list[float]`, the columns being those
of the training data, repeated for each completion. They need the column `rubrics`, and refuse rows
whose column `part` says that they are for the test: train on the configuration `training` of a release
of `synchtom-made`, or on users of your own in the same columns.

    GRPOTrainer(reward_funcs=combined(judge), …)
    GRPOTrainer(reward_funcs=separate(judge), args=GRPOConfig(reward_weights=list(WEIGHTS), …), …)

give the same reward; the second logs each part by itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from otherminds.errors import OtherMindsError
from otherminds.metrics.reply import without_reasoning
from otherminds.metrics.synchtom import DIMENSIONS

WEIGHTS: Final = (0.1, 0.25, 0.25, 0.4)
"""Of format, belief, profile and solution (SynchToM)."""

STAGES: Final = ((3, 10), (8, 10))
"""The fewest and the most turns that are shown, in the first and in the second stage of training."""

TRAIN: Final = "train"
"""The `part` of rows that a model may be trained on."""

_BELIEF, _PROFILE = "ToM_Belief", "ToM_Profile"
_TAG = re.compile(rf"<(/?)({_BELIEF}|{_PROFILE})>")


class Judgement(NamedTuple):
    """The question to a judge: which of the criteria does the text fulfil?"""

    dimension: str
    text: str
    criteria: tuple[str, ...]


Judge: TypeAlias = Callable[[Sequence[Judgement]], Sequence[Sequence[int]]]
"""For each judgement, in order, 0 or 1 for each of its criteria. Called once per batch."""

Completion: TypeAlias = str | Sequence[Mapping[str, Any]]
"""A text, or messages of which the last is the model's."""

Reward: TypeAlias = Callable[..., list[float]]


class Parts(NamedTuple):
    """A completion's text on each of DIMENSIONS; None where that is missing, empty or unclear."""

    belief: str | None
    profile: str | None
    solution: str | None


def parts_of(completion: Completion) -> Parts:
    """The three parts of a completion, after its reasoning in `<think>` is removed.

    A tagged part is readable when it has just one opening and one closing tag, in this order, and no
    other tag between them; the order of belief and profile does not matter. The solution is the text
    outside of the tagged parts, and is readable when no tag remains in it.
    """
    text = without_reasoning(_text(completion))
    if text is None:
        return Parts(None, None, None)
    belief, profile = _element(text, _BELIEF), _element(text, _PROFILE)
    rest = text
    for found in sorted(filter(None, (belief, profile)), reverse=True):
        rest = f"{rest[: found.start]}\n{rest[found.end :]}"
    return Parts(
        belief=belief and belief.inside,
        profile=profile and profile.inside,
        solution=None if _TAG.search(rest) else rest.strip() or None,
    )


def format_reward(
    prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
) -> list[float]:
    """1.0 for a completion with all three parts, else 0.0.

    Raises OtherMindsError for rows of a test set.
    """
    _refuse_test_rows(columns)
    return [float(None not in parts_of(completion)) for completion in completions]


def separate(judge: Judge) -> list[Reward]:
    """The rewards for format, belief, profile and solution, in the order of WEIGHTS.

    The reward for a part is the share of its criteria that the judge finds fulfilled; a part that
    cannot be read is not judged and earns 0.
    """

    return [format_reward, *(_reward(judge, dimension) for dimension in DIMENSIONS)]


def combined(judge: Judge, weights: Sequence[float] = WEIGHTS) -> Reward:
    """The weighted sum of the rewards of `separate`, with one call of the judge per batch.

    Raises OtherMindsError unless there are four weights. The reward raises it for a missing column
    `rubrics`, for rows of a test set, and for a judge that does not give 0 or 1 for each criterion:
    a made-up reward would train the model on nothing, so the judge decides what happens when a
    judgement fails.
    """
    if len(weights) != len(WEIGHTS):
        raise OtherMindsError(
            f"{len(weights)} weights: give one for each of format, belief, profile and solution."
        )

    def tom_reward(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> list[float]:
        shares = _shares(judge, completions, columns, tuple(DIMENSIONS))
        rows = zip(format_reward(prompts, completions), *shares, strict=True)
        return [float(np.dot(weights, row)) for row in rows]

    return tom_reward


def sample_turns(
    instance_ids: Sequence[str], *, stage: int, seed: int, epoch: int = 0
) -> list[int]:
    """How many turns of each instance to show in training: uniform over the STAGES' range.

    stage  1: from 3 to 10 turns; 2: from 8 to 10

    Each number depends on its instance, stage, seed and epoch only. Raises OtherMindsError for another
    stage.
    """
    if not 1 <= stage <= len(STAGES):
        raise OtherMindsError(f"Stage {stage}: training has stages 1 to {len(STAGES)}.")
    fewest, most = STAGES[stage - 1]

    def drawn(name: str) -> int:
        own = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
        return int(np.random.default_rng([seed, stage, epoch, own]).integers(fewest, most + 1))

    return [drawn(name) for name in instance_ids]


def _reward(judge: Judge, dimension: str) -> Reward:
    def reward(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> list[float]:
        return _shares(judge, completions, columns, (dimension,))[0]

    # The trainer logs a reward by its name.
    reward.__name__ = f"{DIMENSIONS[dimension]}_reward"
    return reward


def _shares(
    judge: Judge,
    completions: Sequence[Completion],
    columns: Mapping[str, Any],
    dimensions: Sequence[str],
) -> list[list[float]]:
    """For each dimension, the share of criteria that each completion fulfils."""
    _refuse_test_rows(columns)
    rubrics = columns.get("rubrics")
    if rubrics is None or len(rubrics) != len(completions):
        raise OtherMindsError(
            "The rewards need the column `rubrics` of the dataset 'synchtom', one for each completion: "
            "keep it in the training data (GRPOConfig(remove_unused_columns=False))."
        )
    parts = [parts_of(completion) for completion in completions]
    shares = [[0.0] * len(completions) for _ in dimensions]
    asked: list[Judgement] = []
    places: list[tuple[int, int]] = []
    for row, dimension in enumerate(dimensions):
        part = tuple(DIMENSIONS).index(dimension)
        for column, (said, rubric) in enumerate(zip(parts, rubrics, strict=True)):
            criteria, text = tuple(rubric[dimension]), said[part]
            if not criteria:
                raise OtherMindsError(
                    f"A rubric has no criteria for {dimension}: leave that row out."
                )
            if text is not None:
                asked.append(Judgement(dimension, text, criteria))
                places.append((row, column))
    for (row, column), judgement, verdicts in zip(
        places, asked, _judged(judge, asked), strict=True
    ):
        shares[row][column] = sum(verdicts) / len(judgement.criteria)
    return shares


def _refuse_test_rows(columns: Mapping[str, Any]) -> None:
    parts = columns.get("part") or ()
    for place, part in enumerate(parts):
        if part != TRAIN:
            raise OtherMindsError(
                f"Row {place + 1} of the batch is for the test (its `part` is {part!r}): a model that "
                "is trained on it cannot be scored on it. Train on the configuration `training`."
            )


def _judged(judge: Judge, asked: Sequence[Judgement]) -> Sequence[Sequence[int]]:
    if not asked:
        return []
    verdicts = judge(asked)
    if len(verdicts) != len(asked):
        raise OtherMindsError(f"The judge gave {len(verdicts)} answers to {len(asked)} judgements.")
    for one, judgement in zip(verdicts, asked, strict=True):
        if len(one) != len(judgement.criteria) or not set(one) <= {0, 1}:
            raise OtherMindsError(
                f"The judge's verdicts {list(one)} on {judgement.dimension} are not 0 or 1 for each of "
                f"{len(judgement.criteria)} criteria."
            )
    return verdicts


def _text(completion: Completion) -> str:
    said = completion if isinstance(completion, str) else completion[-1].get("content")
    if not isinstance(said, str):
        raise OtherMindsError(
            f"A completion must be a text, or messages whose last has a text as content, not {said!r}."
        )
    return said


class _Element(NamedTuple):
    """A tagged part: where it begins and ends with its tags, and the text inside, if any."""

    start: int
    end: int
    inside: str | None


def _element(text: str, tag: str) -> _Element | None:
    """The one element `tag` with no other tag inside; None when there is none, or more than one."""
    tags = list(_TAG.finditer(text))
    own = [place for place, match in enumerate(tags) if match[2] == tag]
    if len(own) != 2 or own[1] != own[0] + 1:
        return None
    first, last = tags[own[0]], tags[own[1]]
    if (first[1], last[1]) != ("", "/"):
        return None
    return _Element(first.start(), last.end(), text[first.end() : last.start()].strip() or None)
